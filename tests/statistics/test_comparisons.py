"""Comparisons of systems, against the tests themselves."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.statistics.comparisons import ONE_TAILED, compare, differences, systems
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import IN_TABLES, p_values


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(5)
    values = rng.random((30, 4)) * 0.2 + np.array([0.3, 0.5, 0.1, 0.31])
    return ScoreTable(pd.DataFrame(values, columns=list("abcd"), index=[str(n) for n in range(30)]))


def test_systems_are_in_rank_order_with_the_numbers_of_another_ranking(scores):
    order = scores.ranked
    assert order[0] == "b" and order[-1] == "c"
    own = compare(scores)["systems"]
    assert own["label"].tolist() == ["1", "2", "3", "4"] and own["run"].tolist() == order
    other = compare(scores, ["c", "b", "a"])["systems"]  # only three runs; c has the label 1
    assert other["label"].tolist() == ["2", "3", "1"] and other["run"].tolist() == ["b", "a", "c"]


def test_numbers_are_those_of_the_tests(scores):
    method = replace(ONE_TAILED, alpha=0.01, resamples=500, seed=3)
    tables = compare(scores, method=method, test="t-test")
    counts, pairs = tables["counts"].set_index("test"), tables["pairs"]
    assert len(pairs) == 6
    for test in IN_TABLES:
        for row in pairs.to_dict("records"):
            change = (scores.values[row["higher_run"]] - scores.values[row["lower_run"]]).to_numpy()[:, None]
            assert row[f"p_{test}"] == pytest.approx(p_values(change, test, 500, 3)[0])
            assert row["difference"] == pytest.approx(change.mean(), abs=1e-15) and change.mean() > 0
        assert counts.loc[test].tolist() == [(pairs[f"p_{test}"] <= 0.01).sum(), 6, 30]
    assert (pairs["higher"] + pairs["lower"]).tolist() == ["12", "13", "14", "23", "24", "34"]
    matrix = tables["matrix"]
    marks = matrix.set_index("rank")[["1", "2", "3", "4"]].to_numpy()[np.triu_indices(4, k=1)]
    assert marks.tolist() == np.where(pairs["p_t-test"] <= 0.01, "*", "-").tolist()
    assert (matrix.loc[3, ["1", "2", "3", "4"]] == "").all() and matrix["run"].tolist() == scores.ranked
    intervals = systems({"": scores}, method).set_index("run")
    of_each = tables["systems"].set_index("run")[["mean", "low", "high"]]
    pd.testing.assert_frame_equal(of_each, intervals.loc[of_each.index, list(of_each)], rtol=1e-12)


@pytest.mark.parametrize(("lower", "one_tailed"), [(False, False), (False, True), (True, True)])
def test_a_baseline_is_compared_with_every_other_run_and_no_other_pair(scores, lower, one_tailed):
    """A one-tailed test asks whether the run is better than the baseline, whichever ranks higher."""
    scores = replace(scores, lower=lower)
    method = replace(ONE_TAILED, one_tailed=one_tailed, correction="holm", resamples=500)
    tables = compare(scores, method=method, baseline="a", test="t-test")
    rows = differences({"": scores}, "a", replace(method, test="t-test")).set_index("run")
    pairs = tables["pairs"]
    assert len(pairs) == 3 and tables["counts"]["pairs"].tolist() == [3, 3, 3]
    for row in pairs.to_dict("records"):
        (other,) = {row["higher_run"], row["lower_run"]} - {"a"}
        assert row["p_t-test"] == pytest.approx(rows.loc[other, "p"])
        assert row["p_adjusted_t-test"] == pytest.approx(
            rows.loc[other, "p_adjusted"]
        )  # three comparisons, not six
    cells = tables["matrix"].set_index("run").drop(columns="rank").to_numpy()
    place = scores.ranked.index("a")
    tested = {(i, j) for i in range(4) for j in range(i + 1, 4) if place in (i, j)}
    assert {tuple(map(int, cell)) for cell in np.argwhere(cells != "")} == tested
    best = compare(scores, scores.ranked, top=1, baseline=scores.ranked[3])
    assert best["systems"]["label"].tolist() == ["1", "4"] and len(best["pairs"]) == 1
    with pytest.raises(InputError, match="baseline: the value is 'aa'; did you mean 'a'"):
        compare(scores, baseline="aa")


def test_correction_leaves_no_more_pairs(scores):
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


def test_a_run_alone_has_no_pair(scores):
    same = scores.values[["a"]].assign(same=scores.values["a"])
    assert compare(ScoreTable(same))["counts"]["significant"].tolist() == [0, 0, 0]
    tables = compare(scores.among(["a"]))
    assert tables["pairs"].empty and tables["counts"]["significant"].tolist() == [0, 0, 0]
    assert tables["systems"]["mean"].tolist() == [scores.values["a"].mean()]


def test_one_topic_has_no_p_value(scores):
    tables = compare(ScoreTable(scores.values.iloc[:1]), test="bootstrap")
    assert tables["pairs"][[f"p_{test}" for test in IN_TABLES]].isna().all(axis=None)
    assert tables["counts"]["significant"].tolist() == [0, 0, 0]
    assert tables["systems"][["low", "high"]].isna().all(axis=None)
    assert (tables["matrix"][["1", "2", "3", "4"]] != "*").all(axis=None)
