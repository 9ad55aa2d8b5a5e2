"""What is told of what scoring left out."""

from pathlib import Path

import pandas as pd

from focuseval_papers.publication.paper import Request
from focuseval_papers.publication.section import left_out_of
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet


def left_out(rows: list[tuple[str, str, str, int, str]], path: Path) -> str:
    schema.write(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), schema.LEFT_OUT, path)
    return str(path)


def test_left_out_is_told_of_the_runs_and_measures_that_were_asked_for(tmp_path: Path) -> None:
    rows = [
        ("mine", "irrelevant", "nxCG(quantisation=strict)", 1, "7"),
        ("mine", "irrelevant", "MAep(quantisation=strict)", 1, "7"),
        ("mine", "missing", "run1", 2, "3, 4"),
        ("mine, turned around", "missing", "run1", 2, "3, 4"),
        ("others'", "missing", "run1", 2, "3, 4"),
    ]
    told = tmp_path / "told.parquet"
    remarks = [
        ("note", "a.xml", "odd"),
        ("note", "a.xml", "long"),
        ("rejected", "b.run", "line 1"),
        ("rejected", "b.run", "line 2"),
    ]
    schema.write(pd.DataFrame(remarks, columns=schema.TOLD.names), schema.TOLD, told)
    asked = [
        Request(RunSet("mine", "submitted"), ("nxCG(quantisation=strict)@10",)),
        Request(RunSet("mine, turned around", "submitted"), ("nxCG(quantisation=strict)@10",), told=False),
    ]
    found = left_out_of(asked, [left_out(rows, tmp_path / "left_out")], [told])
    assert found[["runs", "kind", "of", "number", "which"]].values.tolist() == [
        ["files", "note", "a.xml", 2, "odd · long"],
        ["files", "rejected", "b.run", 2, ""],
        ["mine", "irrelevant", "nxCG(quantisation=strict)", 1, "7"],
        ["mine", "missing", "run1", 2, "3, 4"],
    ]


def test_scoring_jobs_are_told_apart(tmp_path: Path) -> None:
    """The earlier campaign may have runs of the same name, and a sweep the same runs."""
    runs, measures = RunSet("runs", "submitted"), ("MAep",)
    asked = [
        Request(runs, measures),
        Request(RunSet("2002", "submitted"), measures, of="earlier"),
        Request(runs, measures, batch="sweep", told=False),
        Request(RunSet("short", "submitted"), measures),
    ]
    files = [
        left_out([(name, "missing", run, 1, "3") for name in ("runs", "2002", "short")], tmp_path / run)
        for run in ("own", "earlier", "swept")
    ]
    told = tmp_path / "told.parquet"
    schema.write(schema.TOLD.empty_table(), schema.TOLD, told)
    found = left_out_of(asked, files, [told])
    assert found[["runs", "of"]].values.tolist() == [["runs", "own"], ["short", "own"], ["2002", "earlier"]]


def test_what_two_jobs_leave_out_of_the_same_runs_is_told_once(tmp_path: Path) -> None:
    runs = RunSet("runs", "submitted")
    asked = [
        Request(runs, ("MAep",)),
        Request(runs, ("MAep(alpha=0)",), batch="sweep"),
        Request(runs, ("MAep",), of="earlier"),
    ]
    rows = [("runs", "outside", "a", 5, ""), ("runs", "outside", "b", 7, "")]
    own = [*rows, ("runs", "irrelevant", "MAep", 1, "7")]
    swept = [*rows, ("runs", "irrelevant", "MAep(alpha=0)", 1, "7")]
    files = [
        left_out(each, tmp_path / name) for each, name in ((own, "own"), (swept, "swept"), (rows[:1], "2002"))
    ]
    told = tmp_path / "told.parquet"
    schema.write(schema.TOLD.empty_table(), schema.TOLD, told)
    found = left_out_of(asked, files, [told])
    assert found[["kind", "of"]].values.tolist() == [
        *(["outside", "a"], ["outside", "b"], ["irrelevant", "MAep"], ["irrelevant", "MAep(alpha=0)"]),
        ["outside", "a"],  # of the other campaign
    ]


def test_runs_of_a_group_lack_its_own_topics_alone(tmp_path: Path) -> None:
    rows = [
        ("runs", "missing", "bm25/x/1", 3, "x/1, y/1, y/2"),
        ("runs", "missing", "bm25/y/1", 1, "x/1"),
        ("runs", "outside", "bm25/y/1", 4, ""),
    ]
    told = tmp_path / "told.parquet"
    schema.write(schema.TOLD.empty_table(), schema.TOLD, told)
    asked = [Request(RunSet("runs", "submitted"), ("AP",))]
    found = left_out_of(asked, [left_out(rows, tmp_path / "left_out")], [told], ["x", "y"])
    assert found[["kind", "of", "number", "which"]].values.tolist() == [
        ["missing", "bm25/x/1", 1, "x/1"],
        ["outside", "bm25/y/1", 4, ""],
    ]
