"""Reports of omissions in scoring."""

from math import nan

import pandas as pd
import pytest

from focuseval_papers.publication.request_settings import Request
from focuseval_papers.publication.section import _in_words, left_out_of
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet

RUNS = RunSet("submitted")
MISSING, IRRELEVANT = ("submitted", "missing"), ("submitted", "irrelevant")


def left_out(folder, requested, jobs, notices=(), **how):
    """Return omissions as lines, from the tables of scoring jobs ``CAMPAIGN/scores/SET/METRIC``."""
    files = [folder / f"{name}.left_out.parquet" for name in jobs]
    for file, rows in zip(files, jobs.values(), strict=True):
        schema.write(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), schema.LEFT_OUT, file)
    table = pd.DataFrame(list(notices), columns=["kind", "source", "text"])
    omissions = left_out_of(requested, list(map(str, files)), table, **how)
    return [" ".join(map(str, row)) for row in omissions[["runs", "kind", "of", "number", "which"]].values]


def test_omissions_are_reported_of_the_requested_runs_and_measures(tmp_path):
    turned = RUNS.perturbed("turned_around", first=5)
    measures = {"nxCG": "nxCG(alpha=1,quantisation=strict)@10"}
    requested = [Request(RUNS, measures), Request(turned, measures, notices=False)]
    rows = [
        (*IRRELEVANT, "nxCG(quantisation=strict)", 1, "7"),
        (*IRRELEVANT, "MAep(quantisation=strict)", 1, "7"),
        (*MISSING, "run1", 2, "3, 4"),
    ]
    events = [("note", "a.xml", "odd"), ("note", "a.xml", "long")]
    events += [("rejected", "b.run", "line 1"), ("rejected", "b.run", "line 2")]
    unrequested = [(turned.name, "missing", "run1", 2, "3, 4")]
    jobs = {"mine/scores/submitted/xcg": rows, f"mine/scores/{turned.name}/xcg": unrequested}
    assert left_out(tmp_path, requested, jobs, notices=events) == [
        "files note a.xml 2 odd · long",
        "files rejected b.run 2 ",
        "submitted irrelevant nxCG(quantisation=strict) 1 7",
        "submitted missing run1 2 3, 4",
    ]


def test_each_set_of_runs_has_the_jobs_of_its_metrics(tmp_path):
    """A metric's file may have measures that others request; unused sets are ignored."""
    short = RunSet("submitted", size=10)
    requested = [
        Request(RUNS, {"MAep": "MAep", "precall": "precall", "nxCG@5": "nxCG@5"}),
        Request(RUNS.perturbed("halved"), {"MAep": "MAep"}, notices=False),
        Request(short, {"precall": "precall"}),
    ]
    jobs = {
        "mine/scores/submitted/xcg": [(*IRRELEVANT, "MAep", 1, "1"), (*IRRELEVANT, "Q", 1, "not asked for")],
        "mine/scores/submitted/precall": [(*IRRELEVANT, "precall", 1, "2")],
        "mine/scores/halved.submitted/xcg": [("halved.submitted", "missing", "a", 1, "3")],
        f"mine/scores/{short.name}/precall": [(short.name, "missing", "a", 1, "4")],
        "mine/scores/others/precall": [("others", "missing", "a", 1, "5")],
    }
    assert left_out(tmp_path, requested, jobs) == [
        "submitted irrelevant MAep 1 1",
        "submitted irrelevant precall 1 2",
        f"{short.name} missing a 1 4",
    ]


def test_runs_of_the_earlier_campaign_may_have_the_same_name(tmp_path):
    requested = [Request(RUNS, {"MAep": "MAep"}), Request(RUNS, {"MAep": "MAep"}, of="earlier")]
    missing = [(*MISSING, run, 1, "3") for run in "ab"]
    jobs = {"mine/scores/submitted/xcg": missing[:1], "before/scores/submitted/xcg": missing}
    assert sorted(left_out(tmp_path, requested, jobs)) == [
        "submitted missing a 1 3",
        "submitted missing a 1 3",  # of the other campaign
        "submitted missing b 1 3",
    ]


def test_omissions_of_two_jobs_on_the_same_runs_are_reported_once(tmp_path):
    requested = [
        Request(RUNS, {"MAep": "MAep"}),
        Request(RUNS, {"precall": "precall"}),
        Request(RUNS, {"MAep": "MAep"}, of="earlier"),
    ]
    rows = [("submitted", "outside", "a", 5, ""), ("submitted", "outside", "b", 7, "")]
    jobs = {
        "mine/scores/submitted/xcg": [*rows, (*IRRELEVANT, "MAep", 1, "7")],
        "mine/scores/submitted/precall": [*rows, (*IRRELEVANT, "precall", 1, "7")],
        "before/scores/submitted/xcg": rows[:1],
    }
    assert sorted(left_out(tmp_path, requested, jobs)) == [
        *("submitted irrelevant MAep 1 7", "submitted irrelevant precall 1 7"),
        "submitted outside a 5 ",
        "submitted outside a 5 ",  # of the other campaign
        "submitted outside b 7 ",
    ]


def test_only_topics_of_the_group_count_as_missing(tmp_path):
    rows = [
        (*MISSING, "bm25/x/1", 3, "x/1, y/1, y/2"),
        (*MISSING, "bm25/y/1", 1, "x/1"),
        ("submitted", "outside", "bm25/y/1", 4, ""),
    ]
    texts = left_out(
        tmp_path, [Request(RUNS, {"AP": "AP"})], {"mine/scores/submitted/classical": rows}, groups=["x", "y"]
    )
    assert texts == ["submitted missing bm25/x/1 1 x/1", "submitted outside bm25/y/1 4 "]


@pytest.mark.parametrize(
    ("left", "low", "high", "paper", "expected"),
    [
        (0.951, 0.92, 0.974, 0.92, "0.951 [0.920, 0.974] · bound > 0.9 · paper 0.920"),
        (0.0, -0.1, 0.3, nan, "0.00 [−0.10, 0.30] · bound > 0.9"),
        (0.0, 0.0, 0.0, nan, "0 [0, 0] · bound > 0.9"),
        (nan, nan, nan, nan, "– · bound > 0.9"),  # nothing could be computed
    ],
)
def test_a_comparison_is_a_line(left, low, high, paper, expected):
    row = {
        "comparison": "r",
        "interval_of": "left",
        "left": left,
        "low": low,
        "high": high,
        "left_printed": paper,
    }
    assert _in_words({**row, "relation": ">", "right": 0.9, "right_printed": 0.9}) == expected
