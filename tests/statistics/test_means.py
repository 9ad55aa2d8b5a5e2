"""Means over topics have the same digits wherever they are computed."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from focuseval.comparing.compare import compare_scores
from focuseval.scoring.score import Scores
from focuseval.statistics.means import column_means, means_by
from focuseval.statistics.score_table import ScoreTable

#: equal values in two orders, for which running sums of floats differ
VALUES = {"a": [1.0, 1e-16, 1e-16, 0.25], "b": [1e-16, 1e-16, 0.25, 1.0]}


def exactly(values):
    """Return the exact sum, rounded once, divided by the number of values."""
    return float(sum(map(Fraction, values))) / len(values)


def per_topic(table):
    long = table.rename_axis(index="topic", columns="run").T.stack().rename("value").reset_index()
    fixed_columns = {"name": "AgP", "measure": "AgP", "parameters": "{}", "cutoff": np.nan}
    return long.assign(**fixed_columns)[["run", "topic", "name", "measure", "parameters", "cutoff", "value"]]


def test_the_sum_is_rounded_once():
    rng = np.random.default_rng(3)
    values = rng.random((57, 40)) * 10.0 ** rng.integers(-12, 1, size=(57, 40))
    assert column_means(values).tolist() == [exactly(column) for column in values.T.tolist()]
    assert column_means(values[::-1]).tolist() == column_means(values).tolist()


def test_topics_without_a_value_are_left_out():
    means = column_means(np.array([[0.5, np.nan], [np.nan, np.nan], [0.25, np.nan]]))
    assert means[0] == 0.375 and np.isnan(means[1])
    assert column_means(np.empty((0, 2))).shape == (2,)


@pytest.mark.parametrize("text", ["str", "category"])
def test_groups_are_in_the_order_of_their_first_rows(text):
    rng = np.random.default_rng(4)
    rows = pd.DataFrame({"run": rng.choice(list("cab"), 60), "cutoff": rng.choice([5, np.nan], 60)})
    rows = rows.astype({"run": text}).assign(value=rng.random(60))
    keys = ["run", "cutoff"]
    expected = rows.groupby(keys, sort=False, observed=True, dropna=False)["value"].mean().reset_index()
    pd.testing.assert_frame_equal(means_by(rows, keys), expected)
    assert means_by(rows[:0], keys).empty


def test_every_surface_shows_the_same_mean():
    table = pd.DataFrame(VALUES, index=[f"t{i}" for i in range(4)])
    scores = per_topic(table)
    expected = {run: exactly(values) for run, values in VALUES.items()}
    assert len(set(table.to_numpy().mean(axis=0))) == 2 and len(set(expected.values())) == 1

    assert Scores(scores).means().set_index("run")["value"].to_dict() == expected
    assert ScoreTable(table).numbers.tolist() == list(expected.values())
    compared = compare_scores(scores)
    assert compared.systems.set_index("run")["mean"].to_dict() == expected
    assert compared.pairs["difference"].tolist() == [0.0]
    assert ScoreTable(table).ranked == ["a", "b"]  # equal means keep the order of runs
    assert ScoreTable(table[["b", "a"]]).ranked == ["b", "a"]
