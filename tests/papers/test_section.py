"""What is told of what scoring left out."""

from pathlib import Path
from typing import Any

import pandas as pd

from focuseval_papers.publication.paper import Request
from focuseval_papers.publication.section import left_out_of
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet

RUNS = RunSet("runs", "submitted")
MISSING, IRRELEVANT = ("runs", "missing"), ("runs", "irrelevant")


def found(
    folder: Path, asked: list[Request], *jobs: list[tuple[Any, ...]], told: Any = (), **how: Any
) -> list[str]:
    """What was left out of what was asked, by tables of scoring jobs."""
    files = [folder / f"left_out{number}" for number in range(len(jobs))]
    for file, rows in zip(files, jobs, strict=True):
        schema.write(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), schema.LEFT_OUT, file)
    schema.write(pd.DataFrame(list(told), columns=schema.TOLD.names), schema.TOLD, folder / "told")
    table = left_out_of(asked, list(map(str, files)), [folder / "told"], **how)
    return [" ".join(map(str, row)) for row in table[["runs", "kind", "of", "number", "which"]].values]


def test_left_out_is_told_of_the_runs_and_measures_that_were_asked_for(tmp_path: Path) -> None:
    asked = [
        Request(RUNS, ("nxCG(quantisation=strict)@10",)),
        Request(RunSet("turned", "submitted"), ("nxCG(quantisation=strict)@10",), told=False),
    ]
    rows = [
        (*IRRELEVANT, "nxCG(quantisation=strict)", 1, "7"),
        (*IRRELEVANT, "MAep(quantisation=strict)", 1, "7"),
        *((name, "missing", "run1", 2, "3, 4") for name in ("runs", "turned", "others'")),
    ]
    told = [("note", "a.xml", "odd"), ("note", "a.xml", "long")]
    told += [("rejected", "b.run", "line 1"), ("rejected", "b.run", "line 2")]
    assert found(tmp_path, asked, rows, told=told) == [
        "files note a.xml 2 odd · long",
        "files rejected b.run 2 ",
        "runs irrelevant nxCG(quantisation=strict) 1 7",
        "runs missing run1 2 3, 4",
    ]


def test_scoring_jobs_are_told_apart(tmp_path: Path) -> None:
    """The earlier campaign may have runs of the same name, and a sweep the same runs."""
    asked = [
        Request(RUNS, ("MAep",)),
        Request(RunSet("2002", "submitted"), ("MAep",), of="earlier"),
        Request(RUNS, ("MAep",), batch="sweep", told=False),
        Request(RunSet("short", "submitted"), ("MAep",)),
    ]
    jobs = [
        [(name, "missing", job, 1, "3") for name in ("runs", "2002", "short")]
        for job in ("own", "earlier", "swept")
    ]
    assert found(tmp_path, asked, *jobs) == [
        *("runs missing own 1 3", "short missing own 1 3", "2002 missing earlier 1 3")
    ]


def test_what_two_jobs_leave_out_of_the_same_runs_is_told_once(tmp_path: Path) -> None:
    asked = [
        Request(RUNS, ("MAep",)),
        Request(RUNS, ("MAep(alpha=0)",), batch="sweep"),
        Request(RUNS, ("MAep",), of="earlier"),
    ]
    rows: list[tuple[Any, ...]] = [("runs", "outside", "a", 5, ""), ("runs", "outside", "b", 7, "")]
    jobs = [*rows, (*IRRELEVANT, "MAep", 1, "7")], [*rows, (*IRRELEVANT, "MAep(alpha=0)", 1, "7")], rows[:1]
    assert found(tmp_path, asked, *jobs) == [
        *("runs outside a 5 ", "runs outside b 7 "),
        *("runs irrelevant MAep 1 7", "runs irrelevant MAep(alpha=0) 1 7"),
        "runs outside a 5 ",  # of the other campaign
    ]


def test_runs_of_a_group_lack_its_own_topics_alone(tmp_path: Path) -> None:
    rows = [
        (*MISSING, "bm25/x/1", 3, "x/1, y/1, y/2"),
        (*MISSING, "bm25/y/1", 1, "x/1"),
        ("runs", "outside", "bm25/y/1", 4, ""),
    ]
    told = found(tmp_path, [Request(RUNS, ("AP",))], rows, groups=["x", "y"])
    assert told == ["runs missing bm25/x/1 1 x/1", "runs outside bm25/y/1 4 "]
