"""Long tables in the layout of a paper, and printed numbers next to computed ones."""

import math

import pandas as pd
import pytest

from focuseval.report.tables import OUTSIDE
from focuseval_papers.report.tables import matrix, with_printed

LONG = pd.DataFrame(
    {
        "metric": ["a", "a", "b", "b"],
        "set": ["first", "second", "first", "second"],
        "r": [0.125, -0.5, 1.0, math.nan],
        "printed": [0.25, 0.75, math.nan, 0.5],
    }
)


def test_numbers_of_a_cell_are_below_each_other():
    table = matrix(LONG, ["metric"], "set", {"here": "r", "as printed": "printed"}, 2)
    assert table.columns.tolist() == ["metric", "number", "first", "second"]
    assert table.values.tolist() == [
        ["a", "here", "0.12", "\N{MINUS SIGN}0.50"],
        ["a", "as printed", "0.25", "0.75"],
        ["b", "here", "1.00", "–"],
        ["b", "as printed", "–", "0.50"],
    ]


def test_numbers_of_a_single_column_are_next_to_each_other():
    table = matrix(LONG[LONG["set"] == "first"], ["metric"], "set", {"here": "r", "as printed": "printed"}, 3)
    assert table.columns.tolist() == ["metric", "here", "as printed"]
    assert table.values.tolist() == [["a", "0.125", "0.250"], ["b", "1.000", "–"]]


def test_a_cell_that_is_not_there_is_missing():
    table = matrix(LONG.drop(index=1), ["metric"], "set", {"here": "r"}, 1)
    assert table.values.tolist() == [["a", "0.1", "–"], ["b", "1.0", "–"]]


def test_adjacent_numbers_are_marked_if_the_printed_one_is_outside_the_interval():
    table = LONG.assign(low=[0.1, -0.7, 0.9, 0.0], high=[0.3, -0.2, 1.0, 0.6])
    shown_table = matrix(table, ["metric"], "set", {"here": "r", "printed": "printed"}, 2, beside=True)
    assert shown_table.columns.tolist() == [
        "metric",
        "first: here",
        "first: printed",
        "second: here",
        "second: printed",
    ]
    assert shown_table.values.tolist()[0] == ["a", "0.12", "0.25", "\N{MINUS SIGN}0.50", "0.75"]
    assert shown_table.attrs[OUTSIDE] == [(0, "second: printed")]


def test_printed_numbers_are_next_to_computed_ones():
    computed = pd.DataFrame({"metric": ["x", "y", "z"], "r": [0.5, 0.25, math.nan]})
    printed = pd.DataFrame({"metric": ["z", "y"], "r": [1.0, 0.75], "note": ["", ""]})
    table = with_printed(computed, printed, ["metric"], "r").fillna(-9)
    assert table["metric"].tolist() == ["x", "y", "z"]
    assert table["printed"].tolist() == [-9, 0.75, 1] and table["difference"].tolist() == [-9, -0.5, -9]
    with pytest.raises(ValueError, match="more than one printed number"):
        with_printed(computed, printed.assign(metric="x"), ["metric"], "r")
