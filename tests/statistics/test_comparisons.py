"""Comparisons of systems, against the tests themselves."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.statistics.comparisons import ONE_TAILED, compare, systems
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import TESTS, p_values


@pytest.fixture(scope="module")
def scores() -> ScoreTable:
    rng = np.random.default_rng(5)
    values = rng.random((30, 4)) * 0.2 + np.array([0.3, 0.5, 0.1, 0.31])
    return ScoreTable(pd.DataFrame(values, columns=list("abcd"), index=[str(n) for n in range(30)]))


def test_systems_stand_in_rank_order_and_keep_the_numbers_of_another_ranking(scores: ScoreTable) -> None:
    order = scores.ranked
    assert order[0] == "b" and order[-1] == "c"
    own = compare(scores)["systems"]
    assert own["label"].tolist() == ["1", "2", "3", "4"] and own["run"].tolist() == order
    other = compare(scores, ["c", "b", "a"])["systems"]  # three runs; c is called 1
    assert other["label"].tolist() == ["2", "3", "1"] and other["run"].tolist() == ["b", "a", "c"]


def test_numbers_are_those_of_the_tests(scores: ScoreTable) -> None:
    method = replace(ONE_TAILED, alpha=0.01, resamples=500, seed=3)
    found = compare(scores, method=method, test="t-test")
    counts, pairs = found["counts"].set_index("test"), found["pairs"]
    assert len(pairs) == 6
    for test in TESTS:
        for row in pairs.to_dict("records"):
            change = (scores.values[row["higher_run"]] - scores.values[row["lower_run"]]).to_numpy()[:, None]
            assert row[f"p_{test}"] == pytest.approx(p_values(change, test, 500, 3)[0])
            assert row["difference"] == pytest.approx(change.mean(), abs=1e-15) and change.mean() > 0
        assert counts.loc[test].tolist() == [(pairs[f"p_{test}"] <= 0.01).sum(), 6, 30]
    assert (pairs["higher"] + pairs["lower"]).tolist() == ["12", "13", "14", "23", "24", "34"]
    shown = found["matrix"]
    told = shown.set_index("rank")[["1", "2", "3", "4"]].to_numpy()[np.triu_indices(4, k=1)]
    assert told.tolist() == np.where(pairs["p_t-test"] <= 0.01, "*", "-").tolist()
    assert (shown.loc[3, ["1", "2", "3", "4"]] == "").all() and shown["run"].tolist() == scores.ranked
    intervals = systems({"": scores}, method).set_index("run")
    of_each = found["systems"].set_index("run")[["mean", "low", "high"]]
    pd.testing.assert_frame_equal(of_each, intervals.loc[of_each.index, list(of_each)], rtol=1e-12)


def test_correction_leaves_no_more_pairs(scores: ScoreTable) -> None:
    noisy = ScoreTable(scores.values * 0 + np.random.default_rng(8).random(scores.values.shape))
    plain, corrected = (
        compare(noisy, method=replace(ONE_TAILED, alpha=0.2, correction=correction))
        for correction in ("none", "holm")
    )
    assert (corrected["counts"]["significant"] <= plain["counts"]["significant"]).all()
    before, after = (of["pairs"]["p_t-test"] for of in (plain, corrected))
    assert (before == after).all()
    assert (corrected["pairs"]["p_adjusted_t-test"] >= before).all()
    assert (corrected["pairs"]["p_adjusted_t-test"] > before).any()


def test_a_run_alone_has_no_pair(scores: ScoreTable) -> None:
    same = scores.values[["a"]].assign(same=scores.values["a"])
    assert compare(ScoreTable(same))["counts"]["significant"].tolist() == [0, 0, 0]
    found = compare(scores.among(["a"]))
    assert found["pairs"].empty and found["counts"]["significant"].tolist() == [0, 0, 0]
    assert found["systems"]["mean"].tolist() == [scores.values["a"].mean()]


def test_one_topic_tells_nothing_of_others(scores: ScoreTable) -> None:
    found = compare(ScoreTable(scores.values.iloc[:1]), test="bootstrap")
    assert found["pairs"][[f"p_{test}" for test in TESTS]].isna().all(axis=None)
    assert found["counts"]["significant"].tolist() == [0, 0, 0]
    assert found["systems"][["low", "high"]].isna().all(axis=None)
    assert (found["matrix"][["1", "2", "3", "4"]] != "*").all(axis=None)
