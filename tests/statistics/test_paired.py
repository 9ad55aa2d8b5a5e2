"""Differences of runs, against what SciPy and pandas say of the same columns."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.statistics.comparisons import COLUMNS, Method
from focuseval.statistics.comparisons import differences as differences_of
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import holm


def table(topics: int = 30, runs: int = 4, seed: int = 1) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    values = rng.random((topics, 1)) * 0.5 + rng.random((topics, runs)) * 0.3 + np.linspace(0, 0.15, runs)
    return pd.DataFrame(values, index=[f"q{n}" for n in range(topics)], columns=list("abcdefgh"[:runs]))


def tables(scores: dict[str, pd.DataFrame], lower: Collection[str] = ()) -> dict[str, ScoreTable]:
    return {name: ScoreTable(values, name in lower) for name, values in scores.items()}


def differences(
    scores: dict[str, pd.DataFrame], *how: Any, lower: Collection[str] = (), **named: Any
) -> pd.DataFrame:
    return differences_of(tables(scores, lower), *how, **named)


def test_rows_say_what_scipy_says() -> None:
    scores = table()
    scores.loc["q3", "b"] = scores.loc["q3", "a"]
    rows = differences({"M": scores}, method=Method("t-test"))
    assert tuple(rows.columns) == COLUMNS and len(rows) == 6
    for row in rows.itertuples():
        change = scores[row.run] - scores[row.baseline]
        assert row.p == pytest.approx(stats.ttest_rel(scores[row.run], scores[row.baseline]).pvalue)
        assert row.difference == pytest.approx(change.mean()) == pytest.approx(row.mean - row.mean_baseline)
        assert row.effect_size == pytest.approx(change.mean() / change.std())
        assert (row.wins, row.ties, row.losses) == (
            (change > 0).sum(),
            (change == 0).sum(),
            (change < 0).sum(),
        )
        assert row.low < row.difference < row.high
        assert row.topics == 30
    assert rows["p_adjusted"].tolist() == holm(rows["p"].to_numpy()).tolist()


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t-test"])
def test_the_interval_is_that_of_the_paired_difference_under_the_test(test: str) -> None:
    scores = table(60)
    row = differences({"M": scores[["a", "b"]]}, method=Method(test, resamples=20_000)).iloc[0]
    change = (scores["b"] - scores["a"]).to_numpy()
    expected = stats.ttest_1samp(change, 0).confidence_interval()
    if test == "bootstrap":
        found = stats.bootstrap((change,), np.mean, method="percentile", n_resamples=20_000, rng=2)
        expected = found.confidence_interval
    precise = 1e-12 if test == "t-test" else 0.003
    assert row["low"] == pytest.approx(expected.low, abs=precise)
    assert row["high"] == pytest.approx(expected.high, abs=precise)
    assert row["skewness"] == pytest.approx(stats.skew(change))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t-test"])
def test_exchanging_the_runs_changes_signs_only(test: str) -> None:
    scores = table(30, 2)
    method = Method(test, resamples=2000)
    there, back = (differences({"M": scores}, baseline, method).iloc[0] for baseline in ("a", "b"))
    assert there["p"] == back["p"] and there["wins"] == back["losses"]
    assert there["difference"] == -back["difference"]
    one = Method(test, one_tailed=True, resamples=2000)
    better, worse = (differences({"M": scores}, baseline, one).iloc[0]["p"] for baseline in ("a", "b"))
    assert better < 0.5 < worse, "one-tailed: b is better than a, a is not better than b"


def test_the_family_is_every_row_of_every_measure() -> None:
    scores = {"M": table(seed=1), "N": table(seed=2)}
    rows = differences(scores, "a")
    assert rows["p_adjusted"].tolist() == holm(rows["p"].to_numpy()).tolist() and len(rows) == 6
    alone = differences({"M": scores["M"]}, "a")
    assert rows["p"][:3].tolist() == alone["p"].tolist()
    assert (rows["p_adjusted"][:3] > alone["p_adjusted"]).any()
    plain = differences(scores, "a", Method(correction="none"))
    assert plain["p_adjusted"].tolist() == plain["p"].tolist()


def test_equal_runs_do_not_differ() -> None:
    row = differences({"M": table(runs=1).assign(same=lambda frame: frame["a"])}).iloc[0]
    assert (row["difference"], row["p"], row["ties"], row["carried_by"]) == (0, 1, 30, "")
    assert np.isnan(row["effect_size"])


def test_where_lower_is_better_wins_are_the_lower_ones() -> None:
    scores = table(30, 2)
    one = Method(one_tailed=True)
    higher = differences({"M": scores}, "a", one).iloc[0]
    lower = differences({"M": scores}, "a", one, lower={"M"}).iloc[0]
    assert (lower["wins"], lower["losses"]) == (higher["losses"], higher["wins"])
    assert lower["difference"] == higher["difference"]
    assert higher["p"] < 0.05 and lower["p"] > 0.95
    carried = pd.DataFrame({"a": 0.05, "b": 0.05 + np.array([0.9, *[-0.02] * 29])})
    row = differences({"M": carried}, lower={"M"}).iloc[0]
    assert row["difference_without"] == pytest.approx(-0.02)


@pytest.mark.parametrize(("test", "topics"), [("randomisation", 6), ("randomisation", 30), ("bootstrap", 30)])
@pytest.mark.parametrize("one_tailed", [True, False])
def test_no_p_value_is_below_the_smallest(test: str, topics: int, one_tailed: bool) -> None:
    method = Method(test, one_tailed, resamples=200)
    clear = pd.DataFrame({"a": 0.1, "b": np.linspace(0.5, 0.9, topics)})
    assert differences({"M": clear}, method=method)["p"].item() == pytest.approx(method.smallest(topics))


@pytest.mark.filterwarnings("error")
def test_one_topic_has_a_difference_and_nothing_else() -> None:
    scores = table(1, 2)
    (row,) = differences({"M": scores}, method=Method(test=None)).itertuples()
    assert row.difference == scores.iloc[0, 1] - scores.iloc[0, 0] and row.carried_by == ""
    assert np.isnan([row.low, row.high, row.effect_size, row.p, row.p_adjusted]).all()
