import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

import focuseval
from focuseval.campaign.collection_read import collection_from_source
from focuseval.errors import InputError
from focuseval.formats.checking import check, is_warning, recognise
from focuseval.formats.chunks import objects_of
from focuseval.formats.readers import read_runs
from focuseval.formats.text_documents import text_of
from focuseval.formats.xml_elements import parse_document

from .samples import ELEMENTS, FOL, INEX2002, INEX2003, PASSAGES, SUBMISSION, TSV
from .test_topics import TOPIC_2002, TOPIC_2003, TOPICS_2009


def archive(kind: str, xml: bytes = b"<a>x</a>") -> bytes:
    """An archive of one document, without the time: tests are named by it."""
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


#: as in licences and guides: lines of 5 to 8 words
PROSE = """Preface of the guide to all of it

There are 7 to 8 words in a line.
Here are five words only.
Passages may hold 10:20 numbers of any kind.
And now for something else at 10:20 or at 11.
"""
SPAN = '{"topic": "q1", "document": "d", "start": 0, "end": 9}\n'

SPANS_TSV = "topic\tdocument\tstart\tend\ttext\n" + "q1\td\t0\t9\tsome words\n" * 3

KINDS = {
    "inex assessments without judgements": ['<assessments topic="1"><file file="d"/></assessments>'],
    "inex2005 assessments": ['<assessments topic="1"><file name="d"/></assessments>'],
    "fol qrels": ["1 Q0 d 0 10\n"],
    "trec qrels": ["1 0 d 1\n", "1\tQ0\td\t-2\n1\t0\te\tx\n"],
    "inex submission": ["\ufeff" + SUBMISSION.partition("\n")[2], SUBMISSION[39:].encode("utf-16")],
    "trec run with XPaths": ["\n" + ELEMENTS + "odd\n", b"\xff" + ELEMENTS.encode()],
    "inex topics": [TOPIC_2002, TOPIC_2003, TOPICS_2009],
    "collection archive": [archive("zip"), archive("tar")],
    "gold spans": [SPAN, '{"title": "t", "topic": "q", "document": "d", "start": 0, "end": 9}\n'],
    "retrieved chunks": [SPAN.replace("}", ', "score": 1}'), SPAN + SPAN.replace("}", ', "rank": 1}')],
    "text document": [PROSE, "Dear all,\n", "\n\nDear all", "1. One two 3 4 5 6.\n\nIn 1999 were 3 of 7 lost.\nNo more.\n"],
    "XML document": ["<article><bdy>&nbsp;</bdy></article>", "<!-- topic document path --><a/>"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "content"), [(kind, content) for kind in KINDS for content in KINDS[kind]])
def test_recognised_by_content(file, kind, content):
    assert recognise(file(content, "anything.txt")) == kind


@pytest.mark.parametrize("content", [SPANS_TSV, b"PAR1\x15\4\n\n\x15" + bytes(99)])
def test_tables_are_told_once_where_json_lines_are_read(file, content):
    with pytest.raises(InputError, match="(a table as CSV|a Parquet file); give JSON lines") as error:
        list(objects_of(file(content, "chunks")))
    assert len(error.value.problems) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "an empty file; give a file with something in it"),
        ("Dear all,\n", "text of 2 columns; expected a run"),
        ("Dear\nall\n", "text of 1 column; expected a run"),
        ("\n\nDear all", "text of 2 columns; expected a run"),
        (PROSE, "columns; expected a run (6 to 8 columns, the 4th and 5th rank and score)"),
        ("200 12595615 one 48.63 28426 295 york\n" * 3, "text of 7 columns; expected a run"),
        ('{"query": "q", "results": [{"start": 1}]}\n' * 3, "JSON without topic, document, start, end; expected lines"),
        (
            '{"query_id": "q", "text": "x", "metadata": {"source": "d", "start_index": 3}}\n',
            'start, end; did you mean "topic" by "query_id", "document" by "metadata.source", "start" by '
            '"metadata.start_index"? expected lines',
        ),
        ('{\n  "topic": "q",\n  "start": 3\n}\n', "a JSON object over several lines; give JSON lines: one object"),
        ('{"topic":\n"q", "start": 3}\n', "a JSON object over several lines; give JSON lines: one object"),
        (bytes(range(256)) * 500, "a binary file; expected text in UTF-8, XML, or an archive of XML"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "a binary file; expected text in UTF-8"),
        (b"PAR1\x15\4\x15" + bytes(99), "a Parquet file; give JSON lines, as frame.to_json(FILE, orient="),
        (b"ARROW1\0\0\xff\xff" + bytes(99), "an Arrow file; give JSON lines"),
        ("topic,document,start,end\nq,d,0,9\n", "a table as CSV; give JSON lines, as frame.to_json"),
        ('\ufeff"document";"topic";"text"\r\nd;q;a\r\n', "a table as CSV; give JSON lines"),
        (SPANS_TSV, "a table as CSV; give JSON lines"),
        ("query,passage,rank\nq,p,1\n", "or JSON lines (one object on each line), which CSV is to be made into"),
        (ELEMENTS.encode("utf-16"), "text in UTF-16; save the file as UTF-8"),
        ("Dear all,\n", "XML or JSON lines (one object on each line)"),
        ('[{"topic": "q", "document": "d", "start": 0, "end": 9}]\n', "a JSON array; give JSON lines"),
        ('[\n  {"topic": "q"}\n]\n', "a JSON array; give JSON lines"),
        (archive("zip")[:40], "the beginning of a .zip; get the archive again, complete"),
        (archive("tar")[:20], "damaged or cut gzip file (Compressed file ended"),
        ("<", "the file seems to be cut off"),
    ],
)  # fmt: skip
def test_not_recognised(file, content, message):
    path = file(content, "odd")
    with pytest.raises(InputError) as error:
        recognise(path)
    assert str(path) in str(error.value)
    assert message in str(error.value)
    assert check(path) == ("not recognised", error.value.problems)


@pytest.mark.parametrize(
    ("content", "description"),
    [
        (INEX2003, "inex2003 assessments; topics: 1, judgements: 2"),
        (FOL, "fol qrels; topics: 2, judgements: 3"),
        (TSV, "assessments table; topics: 2, judgements: 2"),
        (ELEMENTS, "trec run with XPaths; topics: 2, results: 3"),
        (TOPICS_2009, "inex topics; topics: 2"),
        (archive("zip"), "collection archive; documents: 1"),
        (archive("tar"), "collection archive; documents: 1"),
        ("<article>&nbsp;</article>", "XML document"),
    ],
)
def test_nothing_is_wrong(file, content, description):
    assert check(file(content)) == (description, [])


@pytest.mark.parametrize(
    ("content", "kind", "where", "found"),
    [
        (ELEMENTS.replace(" 2 8.5", " 1 8.5"), "trec run with XPaths", "line 1", "all results of topic 1 have the rank 1"),
        (ELEMENTS + "1 Q0 d 3 nan me /a\n", "trec run with XPaths", "line 4", "score is 'nan'"),
        (ELEMENTS + "1 Q0 a/d1 3 1 me /article[1]/p[2]\n", "trec run with XPaths", "line 4", "warning: a result of document a/d1 again"),
        (ELEMENTS + "1 Q0 a/d1 3 1 me //p\n", "trec run with XPaths", "line 4", "the path is '//p'"),
        (PASSAGES.replace("X X", "0 0").replace("-1 18", "0 1"), "trec run with offsets", "line 2", "warning: a passage of document d2 without a character"),
        (PASSAGES.replace("X X", "0 9").replace("3 8 me -1 18", "1 8 me 0 1"), "trec run with offsets", "", "warning: ranks fall"),
        (PASSAGES.replace("X X", "0 9"), "trec run with offsets", "line 3", "an unresolvable passage of document d2"),
        (FOL + "7 Q0 d2 0 80\n", "fol qrels", "", "warning: 1 judgement given twice"),
        (SPAN.replace("}", ', "grade": 0}'), "gold spans; topics: 1, spans: 0", "", "warning: 1 passage with a grade of 0 or below"),
        (INEX2002.replace('"N"', '"E"'), "inex2002 assessments", "line 7", "only one of them is zero"),
        ("<article>\n&nothing;</article>", "XML document", "line 2", "nothing"),
        (archive("tar", b"<a>"), "collection archive", "", ""),
        (archive("tar", bytes(range(256)) * 1000)[:500], "collection archive", "", "damaged or cut"),
    ],
)  # fmt: skip
def test_something_is_wrong(file, content, kind, where, found):
    path = file(content)
    description, problems = check(path)
    assert description.startswith(kind)
    (problem,) = problems
    assert problem.source.startswith(str(path))
    if where:
        assert problem.where.startswith(where)
    assert found in problem.found
    assert problem.expected


def test_directory(file):
    file(ELEMENTS, "folder/a")
    folder = file("Dear all,\n", "folder/b").parent
    description, problems = check(folder)
    assert description == "directory; files: 2"
    assert [problem.source for problem in problems] == [str(folder / "b")]


TABLE = "200 12595615 one 48.63 28426 295 york\n200 12595616 two 48.5 28426 295 york\n200 12595617 three 48 1 5 york\n"


@pytest.mark.parametrize("content", [TABLE, TABLE.replace(" ", "\t"), "a\tb c\nd\te\nf\tg h i\n"])
def test_a_table_that_is_nothing_known_is_no_document_whatever_its_name(file, content):
    description, (problem,) = check(file(content, "run.txt"))
    assert description == "not recognised"
    assert problem.found.startswith("not recognised: text of")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("guide.md", "# Guide\n\nfirst second third fourth fifth\n"),
        ("guide.MARKDOWN", ELEMENTS),
        ("guide.md", '<p align="center">\n\n# Guide\n'),
        ("guide.md", '{"topic": 1}\n'),
        ("guide.md", ""),
        ("guide.html", "<!DOCTYPE html><p>One<br>two &nbsp; three"),
        ("guide.htm", "One < two"),
        ("guide.txt", PROSE),
    ],
)
def test_what_score_reads_as_text_documents_is_one(file, name, content):
    path = file(content, name)
    description, problems = check(path)
    assert (description, problems) == (f"text document; characters: {len(text_of(path))}", [])
    assert len(collection_from_source(path).names) == 1


def test_a_text_document_that_cannot_be_read_has_one_problem(file):
    path = file(b"# Guide\n\ncaf\xe9 caf\xe9\ncaf\xe9\n", "guide.md")
    description, (problem,) = check(path)
    assert description == "text document"
    assert (problem.where, problem.expected) == ("line 3", "save the file as UTF-8")
    assert problem.found == "byte 4 of the line is 0xe9, which is not UTF-8"


def test_one_broken_line_makes_no_qrels_of_a_run(file):
    path = file(ELEMENTS * 3 + "1 Q0 d 3 1\n")
    assert recognise(path) == "trec run with XPaths"
    assert [problem.where for problem in check(path)[1]] == ["line 10"]


NOT_KNOWN = "not recognised"
CORPORA = "chroma-chunking/chunking_evaluation/evaluation_framework/general_evaluation_data/corpora"

#: real files, and what each is; sentences.run has one unresolvable passage
REAL = {
    "acl-verbatim/333_20260206_dense_top5_20260305.json": NOT_KNOWN,
    "acl-verbatim/LICENSE": NOT_KNOWN,
    "chroma-chunking/cl100k_base.tiktoken": NOT_KNOWN,
    "evidence-inference/qrels.fol.txt": "fol qrels; topics: 39, judgements: 767",
    "evidence-inference/topics.xml": "inex topics; topics: 39",
    "inex2009-official/articles.run": "trec run with offsets; topics: 24, results: 2400",
    "inex2009-official/entry-points.run": "trec run with offsets; topics: 24, results: 2400",
    "inex2009-official/interleaved.run": "trec run with offsets; topics: 10, results: 3102",
    "inex2009-official/passages.run": "trec run with offsets; topics: 24, results: 7517",
    "inex2009-official/sentences.run": "trec run with offsets; topics: 14, results: 4415",
    "inex2009-official/qrels.fol.txt": "fol qrels; topics: 24, judgements: 1688",
    "sources.csv": NOT_KNOWN,
    "trec-genomics-2007/gold-standard-07.txt": "trec genomics gold; topics: 36, spans: 4492",
    "trec-genomics-2007/trecgen2007_score.py": NOT_KNOWN,
    f"{CORPORA}/chatlogs.md": "text document",
    f"{CORPORA}/wikitexts.md": "text document",
}


@pytest.mark.parametrize("name", REAL)
def test_real_files(shared, name):
    """Files of others are not recognised, with one message; in ours nothing is wrong."""
    path = shared(name)
    description, problems = check(path)
    if REAL[name] == "text document":
        assert description == f"text document; characters: {len(text_of(path))}"
    else:
        assert description == REAL[name]
    refused = [problem for problem in problems if not is_warning(problem)]
    assert len(refused) == (description == NOT_KNOWN)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_wide_encodings_are_told_by_their_names(encoding: str, tmp_path: Path) -> None:
    for name in ("gold.jsonl", "document.md"):
        (tmp_path / name).write_bytes('{"topic": "1", "document": "a"}\n'.encode(encoding))
        [problem] = check(tmp_path / name)[1]
        assert (
            problem.found.endswith(f"text in {encoding.upper()}")
            and problem.expected == "save the file as UTF-8"
        )
    for declared in ("", f'<?xml version="1.0" encoding="{encoding}"?>'):
        found = parse_document(f"{declared}<a>caf&eacute;</a>".encode(encoding), "a.xml")
        assert found.text.decode() == "café"


@pytest.mark.parametrize("line", [0, 1])
def test_a_number_of_thousands_of_digits_is_told_with_its_line(line: int, tmp_path: Path) -> None:
    lines = ['{"topic": "1", "document": "a", "start": 1, "end": 9, "score": 1}\n'] * 2
    lines[line] = lines[line].replace(": 1,", f": {'9' * 200_000},")
    (tmp_path / "run.jsonl").write_text("".join(lines))
    told = f"run.jsonl, line {line + 1}: a number of thousands of digits; expected 15 at most"
    with pytest.raises(InputError) as error:
        read_runs(tmp_path / "run.jsonl")
    assert str(error.value).endswith(told)
    assert check(tmp_path / "run.jsonl")[0] == "retrieved chunks"
    gold = {"q": {"d": 10**200_000}}
    with pytest.raises(InputError, match="gold, entry 0: a number of thousands of digits"):
        focuseval.score("MAP", gold=gold, runs={"r": {"q": {"d": 1.0}}})


def test_a_first_line_that_is_very_long_is_looked_at_whole(tmp_path: Path) -> None:
    line = {"document": "a" * 100_000, "topic": "1", "start": 0, "end": 9, "score": 1}
    (tmp_path / "run.jsonl").write_text(f"{json.dumps(line)}\n" * 2)
    assert recognise(tmp_path / "run.jsonl") == "retrieved chunks"


def test_paths_of_thousands_of_steps_are_shortened_in_messages(tmp_path: Path) -> None:
    (tmp_path / "run").write_text(f"1 Q0 a 1 1 r {'/a[1]' * 100_000}[\n")
    [problem] = check(tmp_path / "run")[1]
    assert len(str(problem)) < 1000 and " … (500,015 characters) … " in str(problem)
    assert str(problem).endswith("[1]/a[1]['; expected one like /article[1]/bdy[1]/sec[2]")
