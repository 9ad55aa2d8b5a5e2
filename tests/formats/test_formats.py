"""Formats of runs and assessments by the same tests; what each reads and refuses is in the transcripts (`shown`)."""

import gzip
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.formats.detect import format_of, formats, recognise
from focuseval.formats.inex import write_assessments_tsv, write_run_inex
from focuseval.formats.parsed import RawAssessments, RawRun, missing
from focuseval.formats.readers import COLUMNS, read_assessments, read_runs
from focuseval.formats.trec import write_qrels_fol, write_run_trec

from .samples import FOLDER, good
from .samples import NAMES_OF_ASSESSMENTS as GOLD
from .samples import NAMES_OF_RUNS as RUNS
from .test_shown import FRAMES, rows


def as_text(read: RawRun | RawAssessments) -> list[str]:
    """What was read, without where."""
    if isinstance(read, RawRun):
        return [*rows(read.frame)]
    frames = [(name, getattr(read, name)) for name in FRAMES]
    return [
        read.scale,
        *read.topics,
        *(f"{name}: {row}" for name, of in frames if of is not None for row in rows(of)),
    ]


def one(path: Path, **options: object) -> RawRun:
    [run], _ = read_runs(path, **options)
    return run


def read(path: Path, name: str, **options: str) -> RawRun | RawAssessments:
    return read_assessments(path, **options) if name in GOLD else one(path, **options)


def test_every_format_has_a_good_file() -> None:
    kinds = {recognise(FOLDER / name) for name in [*GOLD, *RUNS]}
    assert kinds == {kind for one in formats() for kind in one.kinds} - {
        "inex assessments without judgements"
    }


@pytest.mark.parametrize("name", [*GOLD, *RUNS])
def test_a_good_file_is_read_the_same_however_it_is_packed(file, name):
    path = FOLDER / name
    found = as_text(read(path, name))
    assert as_text(read(path, name, format=format_of(recognise(path)).name)) == found
    data = path.read_bytes().replace(b"\r\n", b"\n")
    written = [gzip.compress(data), data.rstrip(b"\n"), data.replace(b"\n", b"\r\n")]
    if name != "genomics.txt":
        written.append(b"\xef\xbb\xbf" + data.removeprefix(b'<?xml version="1.0" encoding="UTF-8"?>'))
    if data[:1].isdigit() and name != "genomics.txt":  # columns between white space of any kind
        for old, new in ((" ", "\t"), (" ", "   "), (" ", "\t \v"), ("\n", " \n "), ("\n", "\n\f")):
            written.append(data.replace(old.encode(), new.encode()))
    for content in written:
        assert as_text(read(file(content, name), name)) == found, content[:80]


@pytest.mark.parametrize("threads", [1, 3])
def test_files_are_told_in_their_order(tmp_path, monkeypatch, threads):
    monkeypatch.setattr("focuseval.formats.readers.cores", lambda: threads)
    for i in range(9):
        rows = [f"1 Q0 d{k} {k} {9 - k} run{i}" for k in range(1, 4)] * (
            1 if i else 500
        )  # others are done first
        if i % 3 == 0:
            rows[1] = f"{i} columns"
        (tmp_path / f"{i}.run").write_text("\n".join(rows[:2] if i == 4 else rows))
    found, rejected = read_runs(tmp_path, lenient=True)
    assert [run.name for run in found] == [f"run{i}" for i in range(9)]
    assert [Path(problem.source).stem for problem in rejected] == ["0", "3", "6"]
    (tmp_path / "5.run").write_text("1 Q0 d 1 1 a\n1 Q0 e 2 0.5 b\n")
    with pytest.raises(InputError) as told:
        read_runs(tmp_path)
    assert [Path(problem.source).stem for problem in told.value.problems] == ["5", "0", "3", "6"]


# writers


def same_runs(run: RawRun, other: RawRun) -> None:
    types = {"topic": str, "document": str, "path": object, "rank": int}
    pd.testing.assert_frame_equal(*(one.frame.drop(columns="line").astype(types) for one in (run, other)))
    assert (run.name, run.participant, run.task) == (other.name, other.participant, other.task)


@pytest.mark.parametrize("name", RUNS)
def test_runs_round_trip(tmp_path, name):
    run = one(FOLDER / name)
    write_run_inex(tmp_path / "out.xml", run)
    same_runs(run, one(tmp_path / "out.xml"))
    if name != "submission.xml":
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


def test_names_that_formats_write_with_care_round_trip(file, tmp_path):
    names = pd.Categorical(["<topic>", "{", "é&\"'"])
    frame = pd.DataFrame({"topic": names, "document": names[::-1], "rank": [3, 1, 1], "line": 0})
    places = {"path": missing(3), "start": [5, -1, 0], "end": [9, -1, 0], "score": [-0.1, 1e300, 5e-324]}
    frame = frame.assign(**places, unresolvable=[False, True, False])[COLUMNS]
    run = RawRun("{&run>", "", "", frame, "made")
    for name, write in (("inex", write_run_inex), ("trec", write_run_trec)):
        write(tmp_path / name, run)
        same_runs(run, one(tmp_path / name, format=name, rank_by="rank"))


# real data


def test_evidence_inference(shared, tmp_path):
    data = shared("evidence-inference")
    elements = read_assessments(data / "assessments")
    assert (elements.scale, len(elements.topics), len(elements.elements)) == ("inex2005", 39, 6731)
    fol = read_assessments(data / "qrels.fol.txt")
    assert (fol.scale, fol.topics, len(fol.documents)) == ("highlights", elements.topics, 767)
    # The two forms say the same of whole documents.
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
    found, rejected = read_runs([shared(f"inex2009-official/{name}.run") for name in names])
    assert not rejected and [len(run.frame) for run in found] == [8, 5, 6, 4415]
    assert [run.ranked_by_file for run in found] == [False, False, False, True]
    assert all((np.diff(run.frame["line"]) == 1).all() for run in found)
    assert all(math.isfinite(run.frame["score"].sum()) for run in found)
    assert found[0].frame["unresolvable"].sum() == 1
