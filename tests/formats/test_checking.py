import gzip
import io
import json
import tarfile
import zipfile

import pytest

from focuseval.errors import InputError
from focuseval.formats.checking import check, is_warning, recognise
from focuseval.formats.chunks import objects_of
from focuseval.formats.readers import read_runs
from focuseval.formats.text_documents import text_of

from .samples import ELEMENTS


def archive(kind, xml=b"<a>x</a>"):
    """Return an archive of one document without the time, since its bytes name the tests."""
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as packed:
            packed.writestr(zipfile.ZipInfo("d/1.xml"), xml)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as packed:
        info = tarfile.TarInfo("d/1.xml")
        info.size = len(xml)
        packed.addfile(info, io.BytesIO(xml))
    return gzip.compress(out.getvalue(), mtime=0)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_intact_archives_are_collections_and_problems_of_others_are_reported(file, kind):
    assert check(file(archive(kind))) == ("collection archive; documents: 1", [])
    [problem] = check(file(archive(kind, b"<a>")))[1]
    assert problem.source.endswith("1.xml") and problem.expected
    whole = archive(kind, bytes(range(256)) * 1000)
    description, [problem] = check(file(whole[:40]))
    cut = {
        "zip": "the .zip archive is incomplete",
        "tar": "the gzip file is damaged or incomplete (Compressed file ended",
    }[kind]
    assert description == "not recognised" and cut in problem.found
    [problem] = check(file(whole[:500]))[1]
    assert {"zip": "the .zip archive is incomplete", "tar": "damaged or incomplete"}[kind] in problem.found


def test_a_binary_file(file):
    [problem] = check(file(bytes(range(256)) * 500))[1]
    assert problem.found == "the file is binary"


SPANS_TSV = "topic\tdocument\tstart\tend\ttext\n" + "q1\td\t0\t9\tsome words\n" * 3


@pytest.mark.parametrize("content", [SPANS_TSV, b"PAR1\x15\4\n\n\x15" + bytes(99)])
def test_tables_in_place_of_json_lines_are_reported_once(file, content):
    with pytest.raises(InputError, match="(a CSV table|a Parquet file); give JSON lines") as error:
        list(objects_of(file(content, "chunks")))
    assert len(error.value.problems) == 1


def test_one_broken_line_makes_no_qrels_of_a_run(file):
    path = file(ELEMENTS * 3 + "1 Q0 d 3 1\n")
    assert recognise(path) == "trec run with XPaths"
    assert [problem.where for problem in check(path)[1]] == ["line 10"]


UNRECOGNISED = "not recognised"
CORPORA = "chroma-chunking/chunking_evaluation/evaluation_framework/general_evaluation_data/corpora"

#: real files, and what each is; sentences.run has one unresolvable passage
REAL = {
    "acl-verbatim/333_20260206_dense_top5_20260305.json": UNRECOGNISED,
    "acl-verbatim/LICENSE": UNRECOGNISED,
    "chroma-chunking/cl100k_base.tiktoken": UNRECOGNISED,
    "evidence-inference/qrels.fol.txt": "fol qrels; topics: 39, judgements: 767",
    "evidence-inference/topics.xml": "inex topics; topics: 39",
    "inex2009-official/articles.run": "trec run with offsets; topics: 24, results: 2400",
    "inex2009-official/entry-points.run": "trec run with offsets; topics: 24, results: 2400",
    "inex2009-official/interleaved.run": "trec run with offsets; topics: 10, results: 3102",
    "inex2009-official/passages.run": "trec run with offsets; topics: 24, results: 7517",
    "inex2009-official/sentences.run": "trec run with offsets; topics: 14, results: 4415",
    "inex2009-official/qrels.fol.txt": "fol qrels; topics: 24, judgements: 1688",
    "sources.csv": UNRECOGNISED,
    "trec-genomics-2007/gold-standard-07.txt": "trec genomics gold; topics: 36, spans: 4492",
    "trec-genomics-2007/trecgen2007_score.py": UNRECOGNISED,
    f"{CORPORA}/chatlogs.md": "text document",
    f"{CORPORA}/wikitexts.md": "text document",
}


@pytest.mark.parametrize("name", REAL)
def test_files_of_other_tools_get_one_message_and_ours_no_problem(shared, name):
    path = shared(name)
    description, problems = check(path)
    if REAL[name] == "text document":
        assert description == f"text document; characters: {len(text_of(path))}"
    else:
        assert description == REAL[name]
    refused = [problem for problem in problems if not is_warning(problem)]
    assert len(refused) == (description == UNRECOGNISED)


@pytest.mark.parametrize("line", [0, 1])
def test_a_number_of_thousands_of_digits_is_reported_with_its_line(line, tmp_path):
    lines = ['{"topic": "1", "document": "a", "start": 1, "end": 9, "score": 1}\n'] * 2
    lines[line] = lines[line].replace(": 1,", f": {'9' * 200_000},")
    (tmp_path / "run.jsonl").write_text("".join(lines))
    message = f"run.jsonl, line {line + 1}: a number has thousands of digits; expected at most 15 digits"
    with pytest.raises(InputError) as error:
        read_runs(tmp_path / "run.jsonl")
    assert str(error.value).endswith(message)
    assert check(tmp_path / "run.jsonl")[0] == "retrieved chunks"


def test_a_first_line_that_is_very_long_is_looked_at_whole(tmp_path):
    line = {"document": "a" * 100_000, "topic": "1", "start": 0, "end": 9, "score": 1}
    (tmp_path / "run.jsonl").write_text(f"{json.dumps(line)}\n" * 2)
    assert recognise(tmp_path / "run.jsonl") == "retrieved chunks"


def test_paths_of_thousands_of_steps_are_shortened_in_messages(tmp_path):
    (tmp_path / "run").write_text(f"1 Q0 a 1 1 r {'/a[1]' * 100_000}[\n")
    [problem] = check(tmp_path / "run")[1]
    assert len(str(problem)) < 1000 and " … (500,015 characters) … " in str(problem)
    assert str(problem).endswith("[1]/a[1]['; expected a path like /article[1]/bdy[1]/sec[2]")
