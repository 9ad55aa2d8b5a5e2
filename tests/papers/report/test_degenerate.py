"""Warnings about rankings with few distinct values."""

import pandas as pd

from focuseval_papers.report.tables import degenerate


def ranked(*rankings):
    rows = [(task, measure, value) for task, measure, values in rankings for value in values]
    return pd.DataFrame(rows, columns=["task", "measure", "value"])


def test_rankings_without_ties_need_no_warning():
    assert degenerate(ranked(("a", "m", [0.1, 0.2, 0.3, 0.4, 0.4, 0.5])), ["task", "measure"]) == []
    # half of the runs tied is the limit
    assert degenerate(ranked(("a", "m", [0.0, 0.0, 0.0, 0.1, 0.2, 0.2])), ["task", "measure"]) == []


def test_rankings_that_are_mostly_ties_are_counted_and_the_worst_is_named():
    scores = ranked(
        ("a", "m", [0.0] * 9 + [0.5]),
        ("a", "n", [0.0] * 10),
        ("b", "m", [0.0] * 4 + [0.1, 0.2]),
        ("b", "n", [0.1, 0.2, 0.3, 0.4, 0.5]),
    )
    (message,) = degenerate(scores, ["task", "measure"])
    assert message.startswith("2 of 4 rankings are mostly ties")
    assert message.endswith("The worst is a, n: 1 value for 10 runs.")


def test_rounding_makes_no_difference_between_runs():
    values = [0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3]
    assert "1 value for 6 runs" in degenerate(ranked(("a", "m", values)), ["task", "measure"])[0]


def test_few_runs_are_reported_as_few_and_not_as_ties():
    scores = ranked(("a", "m", [0.0, 0.0, 0.0]), ("b", "m", [0.0] * 4))
    assert degenerate(scores, ["task", "measure"]) == [
        "3 runs: with fewer than 5, correlations decide nothing."
    ]
    assert degenerate(ranked(("a", "m", [0.5])), ["measure"])[0].startswith("1 run:")
