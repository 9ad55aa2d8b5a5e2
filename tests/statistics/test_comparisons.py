"""Comparisons of systems, against the tests themselves."""

import numpy as np
import pandas as pd
import pytest

from focuseval.statistics.comparisons import best_systems, compare, frames
from focuseval.statistics.significance import TESTS, confidence_intervals, significance

RUNS = ["a", "b", "c", "d"]


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    values = rng.random((30, 4)) * 0.2 + np.array([0.3, 0.5, 0.1, 0.31])
    return pd.DataFrame(values, columns=RUNS, index=[str(n) for n in range(30)])


def test_systems_stand_in_rank_order_and_keep_the_numbers_of_another_ranking(scores: pd.DataFrame) -> None:
    order = best_systems(scores)
    assert order[0] == "b" and order[-1] == "c"
    own = compare(scores)
    assert own.labels == ["1", "2", "3", "4"]
    assert own.systems["run"].tolist() == order
    other = compare(scores, ["c", "b", "a"])  # three runs; c is called 1
    assert other.labels == ["2", "3", "1"]
    assert other.systems["run"].tolist() == ["b", "a", "c"]


def test_numbers_are_those_of_the_tests(scores: pd.DataFrame) -> None:
    found = compare(scores, alpha=0.01, resamples=500, seed=3)
    assert found.topics == 30
    counts = found.counts().set_index("test")
    pairs = found.pairs()
    assert len(pairs) == 6
    for test in TESTS:
        alone = significance(scores, test, alpha=0.01, resamples=500, seed=3)
        assert counts.loc[test].tolist() == [alone.pairs, 6]
        assert (pairs[f"p_{test}"] <= 0.01).sum() == alone.pairs
        row = pairs[(pairs["higher_run"] == alone.systems[1]) & (pairs["lower_run"] == alone.systems[3])]
        assert row[f"p_{test}"].item() == alone.p_value[1, 3]
        assert row["difference"].item() == pytest.approx(alone.mean[1] - alone.mean[3], abs=1e-15)
        assert (row["higher"].item(), row["lower"].item()) == ("2", "4")
    intervals = confidence_intervals(scores, level=0.99, resamples=500, seed=3).set_index("run")
    shown = found.systems.set_index("run")[["mean", "low", "high"]]
    pd.testing.assert_frame_equal(shown, intervals.loc[shown.index], rtol=1e-12)


def test_correction_leaves_no_more_pairs(scores: pd.DataFrame) -> None:
    noisy = scores * 0 + np.random.default_rng(8).random(scores.shape)
    plain, corrected = compare(noisy, alpha=0.2), compare(noisy, alpha=0.2, correct=True)
    for test in TESTS:
        assert corrected.found[test].pairs <= plain.found[test].pairs
    assert (corrected.pairs()["p_t-test"] == plain.pairs()["p_t-test"]).all()
    assert (corrected.pairs()["p_adjusted_t-test"] >= plain.pairs()["p_t-test"]).all()
    assert (corrected.pairs()["p_adjusted_t-test"] > plain.pairs()["p_t-test"]).any()


def test_a_run_alone_has_no_pair(scores: pd.DataFrame) -> None:
    found = compare(scores[["a"]])
    assert found.pairs().empty and found.counts()["significant"].tolist() == [0, 0, 0]
    assert found.systems["mean"].tolist() == [scores["a"].mean()]


def test_one_topic_tells_nothing_of_others(scores: pd.DataFrame) -> None:
    found = compare(scores.iloc[:1])
    assert found.pairs()[[f"p_{test}" for test in TESTS]].isna().all(axis=None)
    assert found.counts()["significant"].tolist() == [0, 0, 0]
    assert found.systems[["low", "high"]].isna().all(axis=None)
    assert (frames(found, "bootstrap")["counts"]["significant"] == 0).all()
