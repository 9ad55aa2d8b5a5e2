"""Comparisons of systems, against the tests themselves."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.statistics.comparisons import ONE_TAILED, best_systems, compare, frames
from focuseval.statistics.significance import TESTS, confidence_intervals

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
    found = compare(scores, method=replace(ONE_TAILED, alpha=0.01, resamples=500, seed=3))
    assert found.topics == 30
    counts = found.counts().set_index("test")
    pairs = found.pairs()
    assert len(pairs) == 6
    for test in TESTS:
        for row in pairs.to_dict("records"):
            change = (scores[row["higher_run"]] - scores[row["lower_run"]]).to_numpy()[:, None]
            assert row[f"p_{test}"] == pytest.approx(TESTS[test](change, 500, 3)[0])
            assert row["difference"] == pytest.approx(change.mean(), abs=1e-15) and change.mean() > 0
        assert counts.loc[test].tolist() == [(pairs[f"p_{test}"] <= 0.01).sum(), 6]
    assert (pairs["higher"] + pairs["lower"]).tolist() == ["12", "13", "14", "23", "24", "34"]
    shown = frames(found, "t-test")["matrix"]
    told = shown.set_index("rank")[["1", "2", "3", "4"]].to_numpy()[np.triu_indices(4, k=1)]
    assert told.tolist() == np.where(pairs["p_t-test"] <= 0.01, "*", "-").tolist()
    assert (shown.loc[3, ["1", "2", "3", "4"]] == "").all() and shown["run"].tolist() == best_systems(scores)
    intervals = confidence_intervals(scores, level=0.99, resamples=500, seed=3).set_index("run")
    shown = found.systems.set_index("run")[["mean", "low", "high"]]
    pd.testing.assert_frame_equal(shown, intervals.loc[shown.index], rtol=1e-12)


def test_correction_leaves_no_more_pairs(scores: pd.DataFrame) -> None:
    noisy = scores * 0 + np.random.default_rng(8).random(scores.shape)
    plain, corrected = (
        compare(noisy, method=replace(ONE_TAILED, alpha=0.2, correction=correction))
        for correction in ("none", "holm")
    )
    for test in TESTS:
        assert corrected.significant(test).sum() <= plain.significant(test).sum()
    assert (corrected.pairs()["p_t-test"] == plain.pairs()["p_t-test"]).all()
    assert (corrected.pairs()["p_adjusted_t-test"] >= plain.pairs()["p_t-test"]).all()
    assert (corrected.pairs()["p_adjusted_t-test"] > plain.pairs()["p_t-test"]).any()


def test_a_run_alone_has_no_pair(scores: pd.DataFrame) -> None:
    equal = compare(scores[["a"]].assign(same=scores["a"]))
    assert equal.counts()["significant"].tolist() == [0, 0, 0]
    found = compare(scores[["a"]])
    assert found.pairs().empty and found.counts()["significant"].tolist() == [0, 0, 0]
    assert found.systems["mean"].tolist() == [scores["a"].mean()]


def test_one_topic_tells_nothing_of_others(scores: pd.DataFrame) -> None:
    found = compare(scores.iloc[:1])
    assert found.pairs()[[f"p_{test}" for test in TESTS]].isna().all(axis=None)
    assert found.counts()["significant"].tolist() == [0, 0, 0]
    assert found.systems[["low", "high"]].isna().all(axis=None)
    assert (frames(found, "bootstrap")["counts"]["significant"] == 0).all()
