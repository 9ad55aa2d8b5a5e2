"""The same tests for all formats of runs and assessments; transcripts (`snapshots`) show what each refuses."""

import gzip
import io
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from focuseval import score
from focuseval.api import read_campaign
from focuseval.errors import InputError, InputWarning
from focuseval.formats import detect, tables
from focuseval.formats.detect import format_of, formats, recognise
from focuseval.formats.inex import write_assessments_tsv, write_run_inex
from focuseval.formats.parsed import Format, RawRun
from focuseval.formats.readers import COLUMNS, files_of_runs, read_assessments, read_runs
from focuseval.formats.trec import write_qrels_fol, write_run_trec

from .samples import DOCUMENTS, ELEMENTS, FOLDER, INEX2003, INEX2005, PASSAGES, SUBMISSION, good
from .samples import NAMES_OF_ASSESSMENTS as GOLD
from .samples import NAMES_OF_RUNS as RUNS
from .test_transcripts import FRAMES, rows


def as_text(read):
    """Return what was read as text, without its places."""
    if isinstance(read, RawRun):
        return [*rows(read.frame)]
    frames = [(name, getattr(read, name)) for name in FRAMES]
    return [
        read.scale,
        *read.topics,
        *(f"{name}: {row}" for name, of in frames if of is not None for row in rows(of)),
    ]


def one(path, **options):
    [run], _ = read_runs(path, **options)
    return run


def read(path, name, **options):
    return read_assessments(path, **options) if name in GOLD else one(path, **options)


BINARY = {
    "parquet": lambda frame, path: frame.to_parquet(path),
    "arrow": lambda frame, path: frame.to_feather(path, compression="uncompressed"),
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "json": lambda frame, path: frame.to_json(path, orient="records"),
}


@pytest.mark.parametrize("suffix", BINARY)
def test_a_table_is_read_the_same_however_it_is_stored(tmp_path, suffix):
    judged = pd.DataFrame({"qid": ["1", "1", "2"], "docno": ["a", "b, c", "a"], "label": [1, 0, 2]})
    results = pd.DataFrame({"qid": ["2", "1", "1"], "docno": ["a", "b, c", "a"], "score": [0.5, 1.5, 2.5]})
    for frame, name in ((judged, "judged"), (results, "found")):
        BINARY[suffix](frame, tmp_path / f"{name}.{suffix}")
        packed = pa.CompressedOutputStream(str(tmp_path / f"{name}.{suffix}.lz4"), "lz4")
        with packed:
            packed.write((tmp_path / f"{name}.{suffix}").read_bytes())
    read_as = "column 'qid' is read as topic, column 'docno' is read as document and column 'label' is read as grade"
    for pack in ("", ".lz4"):
        gold = read_assessments(tmp_path / f"judged.{suffix}{pack}")
        assert [*rows(gold.grades.drop(columns="line"))] == ["1 a 1", "1 b, c 0", "2 a 2"]
        assert gold.notes == [(read_as, "if this is wrong, rename the columns")]
        run = one(tmp_path / f"found.{suffix}{pack}")
        assert [*rows(run.frame[["topic", "document", "rank"]])] == ["2 a 1", "1 a 1", "1 b, c 2"]
        assert run.name == "found"
    (tmp_path / "cut").write_bytes((tmp_path / f"judged.{suffix}.lz4").read_bytes()[:40])
    with pytest.raises(InputError):
        read_assessments(tmp_path / "cut")
    for cut in (tmp_path / f"judged.{suffix}",):
        if suffix in ("parquet", "arrow"):
            cut.write_bytes(cut.read_bytes()[:-30])
            with pytest.raises(InputError, match="damaged or incomplete"):
                read_assessments(cut)


def test_every_format_has_a_good_file():
    kinds = {recognise(FOLDER / name) for name in [*GOLD, *RUNS, "contexts.jsonl"]}
    kinds.add(recognise(FOLDER / "contexts.jsonl", run=True))
    assert kinds == {kind for one in formats() for kind in one.kinds} - {
        "inex assessments without judgements"
    }


@pytest.mark.parametrize("name", [*GOLD, *RUNS])
def test_a_good_file_is_read_the_same_however_it_is_packed(file, name):
    path = FOLDER / name
    expected = as_text(read(path, name))
    assert as_text(read(path, name, format=format_of(recognise(path)).name)) == expected
    data = path.read_bytes().replace(b"\r\n", b"\n")
    written = [gzip.compress(data), data.rstrip(b"\n"), data.replace(b"\n", b"\r\n")]
    if name != "genomics.txt":
        written.append(b"\xef\xbb\xbf" + data.removeprefix(b'<?xml version="1.0" encoding="UTF-8"?>'))
    if data[:1].isdigit() and name != "genomics.txt":  # columns between white space of any kind
        for old, new in ((" ", "\t"), (" ", "   "), (" ", "\t \v"), ("\n", " \n "), ("\n", "\n\f")):
            written.append(data.replace(old.encode(), new.encode()))
    for content in written:
        assert as_text(read(file(content, name), name)) == expected, content[:80]


@pytest.mark.parametrize("threads", [1, 3])
def test_problems_are_in_the_order_of_the_files(tmp_path, monkeypatch, threads):
    monkeypatch.setattr("focuseval.formats.readers.cores", lambda: threads)
    for i in range(9):
        rows = [f"1 Q0 d{k} {k} {9 - k} run{i}" for k in range(1, 4)] * (
            1 if i else 500
        )  # the other files are finished first
        if i % 3 == 0:
            rows[1] = f"{i} columns"
        (tmp_path / f"{i}.run").write_text("\n".join(rows[:2] if i == 4 else rows))
    runs, rejected = read_runs(tmp_path, lenient=True)
    assert [run.name for run in runs] == [f"run{i}" for i in range(9)]
    assert [Path(problem.source).stem for problem in rejected] == ["0", "3", "6"]
    (tmp_path / "5.run").write_text("1 Q0 d 1 1 a\n1 Q0 e 2 0.5 b\n")
    with pytest.raises(InputError) as error:
        read_runs(tmp_path)
    assert [Path(problem.source).stem for problem in error.value.problems] == ["5", "0", "3", "6"]


def places(error):
    return [(Path(problem.source).name, problem.where) for problem in error.value.problems]


def test_all_problems_of_all_files_at_once(file):
    a = file(ELEMENTS + "1 Q0 d 3 nan me /a\n1 Q0 d 3\n", "a")
    b = file(PASSAGES + "1 Q0 d 3 1 me -5 5\n", "b")
    with pytest.raises(InputError) as error:
        read_runs([file(SUBMISSION[:-30], "c"), a, b])
    assert places(error) == [("c", "line 13"), ("a", "line 4"), ("a", "line 5"), ("b", "line 5")]
    bad = (
        '<assessments topic="1">\n<file file="d">\n<path path="/a" exhaustiveness="4" specificity="1"/>\n'
        '<path path="/b" exhaustiveness="0" specificity="1"/></file></assessments>'
    )
    with pytest.raises(InputError) as error:
        read_assessments([file(bad, "one"), file(bad[:-20], "two"), file(INEX2003[:-40], "three")])
    lines = [("one", 3), ("one", 4), ("two", 3), ("two", 4), ("two", 4), ("three", 8)]
    assert places(error) == [(name, f"line {line}") for name, line in lines]


def test_fatal_problems_precede_lines_that_could_be_left_out(file):
    bad = '{"topic": 1, "document": "d", "start": 0, "end": 0, "run": "a"}\n'
    path = file(bad * 12 + "".join(bad.replace('0, "run": "a', f'1, "run": "{name}') for name in "ab"))
    for lenient in (True, False):
        with pytest.raises(InputError) as error:
            read_runs(path, lenient=lenient)
        first, *line_problems = error.value.problems
        assert first.found == "the file has 2 runs ('a' in line 13, 'b' in line 14)"
        assert len(line_problems) == 12


def test_a_directory_is_all_of_its_files(file):
    file(ELEMENTS, "runs/b/elements.run")
    file(DOCUMENTS.replace("me", "you"), "runs/a.run")
    directory = file(SUBMISSION, "runs/c.xml").parent
    runs, _ = read_runs([directory, directory / "b"])
    assert [run.name for run in runs] == ["you", "c", "elements"]
    again, _ = read_runs([directory / "a.run", directory, directory / "b"])
    assert [run.source for run in again] == [run.source for run in runs]
    file(INEX2005.replace("203", "204"), "assessments/b/204.xml")
    file(INEX2005, "assessments/a/203.xml")
    file("<!ELEMENT assessments ANY>", "assessments/assessments.dtd")
    directory = file("", "assessments/.hidden").parent
    gold = read_assessments(directory)
    assert (gold.topics, len(gold.elements), gold.source) == (["203", "204"], 8, str(directory))
    sources = [str(directory / name) for name in ("a/203.xml", "b/204.xml")]
    assert list(gold.elements["source"].cat.categories) == sources


def test_files_that_are_no_run_are_left_out_of_a_folder(file):
    folder = file(DOCUMENTS, "runs/a.run").parent
    for name in ("b.run.bak", "README", "README.md", "notes.txt", "old/c.run", "new/d/e.run", "f.run~"):
        file("Dear all,", f"runs/{name}")
    file(b"\x89PNG\r\n\0\0", "runs/plot.png")
    file(ELEMENTS, "runs/.hidden")
    files, [note] = files_of_runs(folder)
    assert [one.name for one in files] == ["a.run"]
    assert note.found == "README, README.md, b.run.bak, f.run~, new/, notes.txt, old/, plot.png are left out"
    broken = file("1 Q0 a", "runs/broken.run")  # this might be a run and is therefore not ignored
    assert broken in files_of_runs(folder)[0]
    with pytest.raises(InputError, match="looks like BEIR qrels, but line 1 differs: the grade is 'a'"):
        read_runs(folder)
    gold = "".join(
        f'{{"topic": "{topic}", "document": "{name}", "grade": 1}}\n'
        for topic, name in (("1", "a/d1"), ("2", "a/d1"))
    )
    with pytest.warns(InputWarning, match=r"runs: README, .*, plot.png are left out; only files of runs"):
        broken.unlink()
        score("MAP", gold=pd.read_json(io.StringIO(gold), lines=True), runs=folder)


def test_names_that_collide_to_the_end_are_paths(file):
    paths = [file(ELEMENTS, "x/a.run"), file(ELEMENTS, "y/a.run"), file(ELEMENTS.replace("me", "b"), "z.run")]
    runs, _ = read_runs(paths)
    assert [run.name for run in runs] == ["x/a.run", "y/a.run", "b"]
    assert [run.own_name for run in runs] == ["me", "me", ""]


# writers


def same_runs(run, other):
    types = {"topic": str, "document": str, "path": object, "rank": int}
    pd.testing.assert_frame_equal(*(one.frame.drop(columns="line").astype(types) for one in (run, other)))
    assert (run.name, run.participant, run.task) == (other.name, other.participant, other.task)


@pytest.mark.parametrize("name", RUNS)
def test_runs_round_trip(tmp_path, name):
    run = one(FOLDER / name)
    write_run_inex(tmp_path / "out.xml", run)
    same_runs(run, one(tmp_path / "out.xml"))
    if name not in ("submission.xml", "msmarco.tsv"):  # these have no scores
        write_run_trec(tmp_path / "out.run", run)
        same_runs(run, one(tmp_path / "out.run"))


@pytest.mark.parametrize("name", ["inex2002.xml", "inex2003.xml", "inex2005.xml", "table.tsv"])
def test_tables_of_assessments_round_trip(file, tmp_path, name):
    gold = read_assessments(file(good(name).replace("1000", "999")))
    write_assessments_tsv(tmp_path / "out.tsv", gold)
    again = read_assessments(tmp_path / "out.tsv", scale=gold.scale)
    values = ["topic", "document", "path", "exhaustivity", "specificity"]
    assert [*rows(gold.elements[values])] == [*rows(again.elements[values])]
    assert (again.scale, again.topics) == (gold.scale, gold.topics)


def test_qrels_round_trip(tmp_path):
    gold = read_assessments(FOLDER / "fol.qrels")
    write_qrels_fol(tmp_path / "out", gold)
    assert (tmp_path / "out").read_text() == "7 Q0 d1 50 300 100 10:20 200:30\n7 Q0 d2 0 80\n8 Q0 d1 0 300\n"
    assert as_text(read_assessments(tmp_path / "out")) == as_text(gold)


def submission(*files):
    results = "".join(f"<result><file>{name}</file></result>" for name in files)
    return f'<inex-submission run-id="r"><topic topic-id="1">{results}</topic></inex-submission>'


def test_scores_that_are_missing_are_written_as_negative_ranks(file, tmp_path):
    write_run_trec(tmp_path / "out.run", one(file(submission("d", "d"))))
    assert (tmp_path / "out.run").read_text() == "1 Q0 d 1 -1.0 r\n1 Q0 d 2 -2.0 r\n"


def test_writers_refuse_what_a_reader_could_not_read(file, tmp_path):
    for write, read_one, content, message in (
        (write_run_trec, one, SUBMISSION, "mixes elements, passages or whole documents; write an INEX submission"),
        (write_run_trec, one, submission("a b"), "this format does not allow the document 'a b'"),
        (write_run_inex, one, ELEMENTS.replace("a/d1", "a/\x01"), "has characters that XML does not allow"),
        (write_assessments_tsv, read_assessments, INEX2003.replace("a1004", "a&#9;4"), "does not allow the document"),
        (write_qrels_fol, read_assessments, INEX2003, "no character offsets; FOL qrels need highlighted passages"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            write(tmp_path / "out", read_one(file(content)))
    assert not (tmp_path / "out").exists()


def test_names_that_formats_write_with_care_round_trip(file, tmp_path):
    names = pd.Categorical(["<topic>", "{", "é&\"'"])
    frame = pd.DataFrame({"topic": names, "document": names[::-1], "rank": [3, 1, 1], "line": 0})
    places = {
        "path": pd.Categorical([None] * 3),
        "start": [5, -1, 0],
        "end": [9, -1, 0],
        "score": [-0.1, 1e300, 5e-324],
    }
    frame = frame.assign(**places, unresolvable=[False, True, False])[COLUMNS]
    run = RawRun("{&run>", "", "", frame, "made")
    for name, write in (("inex", write_run_inex), ("trec", write_run_trec)):
        write(tmp_path / name, run)
        same_runs(run, one(tmp_path / name, format=name, rank_by="rank"))


# TREC Genomics, from the file to the score


GENOMICS = {"assessments": FOLDER / "genomics.txt", "runs": FOLDER / "genomics.run"}


def test_gold_passages_keep_the_order_of_the_file():
    spans = read_campaign(**GENOMICS).topics[0].spans
    assert spans is not None and spans.start.tolist() == [100, 120, 0]
    assert list(spans.aspects) == ["ICAM-1|CYTOKINE 2", "SFAS", ""]


def test_a_small_campaign_by_hand():
    names = ["DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"]
    scores = score(names, **GENOMICS, per_topic=True).set_index(["topic", "measure"])["value"]
    assert scores["200", "DOCUMENT"] == 1
    assert scores["200", "PASSAGE"] == pytest.approx(
        (30 / 40 + 37 / 49) / 3
    )  # no result meets the second passage
    assert scores["200", "ASPECT"] == pytest.approx(2 / 3)
    expected = sum((i + 1) / (i + 11) for i in range(30)) + sum((i + 31) / (i + 41) for i in range(7))
    assert scores["200", "PASSAGE2"] == pytest.approx(expected / 80)
    assert scores["201", "PASSAGE2"] == 1 and scores["201", "PASSAGE"] == 0.5


def test_trec_qrels_name_documents_of_the_collection(file):
    collection = file("Text.", "docs/a.txt").parent
    gold, run = file("1 0 a.txt 1\n1 0 b.txt 0\n", "qrels"), file("1 Q0 a.txt 1 1 me\n", "run")
    with pytest.raises(InputError, match="line 2: document 'b.txt' is unknown"):
        score(["MAP"], assessments=gold, runs=run, collection=collection)


# real data


def test_evidence_inference(shared, tmp_path):
    data = shared("evidence-inference")
    elements = read_assessments(data / "assessments")
    assert (elements.scale, len(elements.topics), len(elements.elements)) == ("inex2005", 39, 6731)
    fol = read_assessments(data / "qrels.fol.txt")
    assert (fol.scale, fol.topics, len(fol.documents)) == ("highlights", elements.topics, 767)
    # Both forms agree about whole documents.
    whole = elements.elements[elements.elements["path"] == "/article[1]"].copy()
    whole["relevant_size"] = (whole["specificity"] * whole["size"]).round().astype(int)
    columns = ["topic", "document", "size", "relevant_size"]
    left, right = (set(rows(one[columns].astype({"size": int}))) for one in (whole, fol.documents))
    assert left == right
    write_qrels_fol(tmp_path / "out", fol)
    assert (tmp_path / "out").read_bytes() == (data / "qrels.fol.txt").read_bytes()


def test_inex_2009(shared, tmp_path):
    path = shared("inex2009-official/qrels.fol.txt")
    gold = read_assessments(path)
    assert (len(gold.topics), len(gold.documents), len(gold.passages)) == (24, 1688, 3056)
    write_qrels_fol(tmp_path / "out", gold)
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    shutil.copy(shared("inex2009-official/tiny.qrels"), tmp_path / "tiny")
    assert len(read_assessments(tmp_path / "tiny").documents) == 11
    names = ("tiny", "tiny_bic", "tiny_overlap", "sentences")
    runs, rejected = read_runs([shared(f"inex2009-official/{name}.run") for name in names])
    assert not rejected and [len(run.frame) for run in runs] == [8, 5, 6, 4415]
    assert [run.ranked_by_file for run in runs] == [False, False, False, True]
    assert all((np.diff(run.frame["line"]) == 1).all() for run in runs)
    assert all(math.isfinite(run.frame["score"].sum()) for run in runs)
    assert runs[0].frame["unresolvable"].sum() == 1


def test_a_table_of_gold_is_read_once_to_know_its_scale(tmp_path, monkeypatch):
    path = tmp_path / "gold.csv"
    path.write_text("topic,document,grade\n1,a,1\n1,b,0\n")
    whole = []

    def table_of(path, head=None):
        whole.extend([path] if head is None else [])
        return read(path, head)

    read = tables.table_of
    monkeypatch.setattr(tables, "table_of", table_of)
    assert read_assessments(path).scale == "grades"
    assert whole == [path]


def test_a_registered_reader_that_cannot_decode_a_file_gives_an_input_error(tmp_path):
    file = tmp_path / "late"
    file.write_bytes(b"late;1;\xe9\n")
    detect.RUNS.add(Format("late", ("late lines",), read=lambda path, rows: [path.read_text("utf-8")]))
    try:
        with pytest.raises(
            InputError, match=r"late: the text is not in UTF-8 \(.*\); save the file in UTF-8"
        ):
            read_runs(file, format="late")
    finally:
        del detect.RUNS.data["late"]


def test_a_format_that_is_registered_later_is_recognised_in_lines_seen_before(tmp_path):
    file = tmp_path / "late"
    file.write_text("late;1;a\nlate;1;b\n", encoding="utf-8")
    with pytest.raises(InputError):
        recognise(file)
    late = Format(
        "late", ("late lines",), read=iter, likeness=lambda line: (line.startswith(b"late"), "late lines")
    )
    detect.RUNS.add(late)
    try:
        assert recognise(file) == "late lines"
    finally:
        del detect.RUNS.data[late.name]
