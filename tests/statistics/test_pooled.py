"""Pooled counts against all resamples and exchanges."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from focuseval.comparing.compare import compare_scores
from focuseval.errors import InputError
from focuseval.measures.declaration import COUNTS
from focuseval.measures.ratios import f1, precision
from focuseval.statistics.comparisons import ONE_TAILED, Method, compare, compare_as_asked
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import times_drawn


def pooled_of(counts, number=f1):
    values = pd.DataFrame(number(counts), columns=[f"r{i}" for i in range(counts.shape[1])])
    return ScoreTable(values, counts=counts, number=number)


def counted(topics, runs, seed=0):
    """Draw counts (topics, runs, 4): right, returned, found and relevant spans."""
    rng = np.random.default_rng(seed)
    returned, relevant = rng.integers(0, 9, (topics, runs)), rng.integers(0, 9, (topics, 1)).repeat(runs, 1)
    right = rng.integers(0, np.minimum(returned, relevant) + 1)
    return np.stack([right, returned, right, relevant], axis=-1).astype(float)


def scores_of(counts, measure):
    """Return scores in the form of `focuseval.scoring.score.Scores.per_topic`."""
    rows = [
        (f"r{run}", f"t{topic}", measure, float(f1(counts[topic, run])), *counts[topic, run])
        for topic, run in product(range(counts.shape[0]), range(counts.shape[1]))
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "name", "value", *COUNTS])


def test_the_number_is_of_added_counts_and_no_mean():
    counts = np.array([[[1, 1, 1, 1]], [[0, 9, 0, 1]]], dtype=float)
    assert pooled_of(counts, precision).numbers.tolist() == [0.1]


@pytest.mark.parametrize("seed", range(4))
def test_the_randomisation_test_enumerates_all_exchanges(seed):
    counts = counted(6, 2, seed)
    pair = pooled_of(counts).differences([0], [1])

    def difference(exchanged):
        one = sum(counts[t, 1 if x else 0] for t, x in enumerate(exchanged))
        two = sum(counts[t, 0 if x else 1] for t, x in enumerate(exchanged))
        return float(f1(two) - f1(one))

    all_of_them = np.array([difference(exchanged) for exchanged in product((0, 1), repeat=6)])
    observed = difference([0] * 6)
    [p] = pair.p_values("randomisation", 10, 0)
    assert p == np.mean(all_of_them >= observed - 1e-12)
    [p] = pair.p_values("randomisation", 10, 0, two_tailed=True)
    assert p == np.mean(np.abs(all_of_them) >= abs(observed) - 1e-12)


def numbers_of(counts, weights):
    """Return F1 of each run, a row for each draw of topics."""
    runs = range(counts.shape[1])
    return np.array([[f1((w[:, None] * counts[:, r]).sum(axis=0)) for r in runs] for w in weights])


def test_the_bootstrap_draws_topics():
    counts = counted(20, 3, 1)
    pooled = pooled_of(counts)
    numbers = np.sort(numbers_of(counts, times_drawn(20, 399, 7)), axis=0)
    assert pooled.intervals(0.9, 399, 7, "bootstrap") == pytest.approx(numbers[[19, -20]])
    numbers = numbers_of(counts, times_drawn(20, 400, 7))
    change = numbers[:, 2] - numbers[:, 0]
    pair = pooled.differences([0], [2])
    assert pair.p_values("bootstrap", 400, 7)[0] == (1 + np.count_nonzero(change <= 1e-12)) / 401
    assert np.isnan(pair.p_values("t-test", 400, 7)).all()


def test_intervals_are_of_subsets_of_topics():
    counts = counted(7, 3, 1)
    pooled = pooled_of(counts)
    numbers = numbers_of(counts, np.array(list(product((0, 1), repeat=7)))[1:])
    place = int(2**7 * 0.05) - 1  # the empty subset counts as the lowest and the highest
    limits = np.sort(numbers, axis=0)[[place, -1 - place]]
    assert pooled.intervals(0.9, 10, 0) == pytest.approx(limits)
    change = np.sort(numbers[:, 2] - numbers[:, 0])
    limits_of_change = pooled.differences([0], [2]).interval(0.9, 10, 0)
    assert np.ravel(limits_of_change) == pytest.approx(change[[place, -1 - place]])
    assert np.isnan(pooled.differences([0], [0]).interval(0.9, 10, 0)).all(), "equal runs have no spread"


def test_intervals_of_pooled_counts_cover_the_true_value():
    """Percentiles of resamples cover the true value in 0.88 to 0.90 of samples of 12 topics."""
    rng = np.random.default_rng(4)

    def drawn(topics, runs):
        returned, relevant = np.exp(rng.normal(6, 1, (2, topics, runs)))
        right = np.minimum(returned, relevant) * rng.random((topics, runs))
        return np.stack([right, returned, right, relevant], axis=-1)

    true = float(f1(drawn(1_000_000, 1).sum(axis=0))[0])
    low, high = pooled_of(drawn(12, 2000)).intervals(0.95, 1000, 0)
    assert np.mean((low <= true) & (true <= high)) == pytest.approx(0.95, abs=0.02)


def test_the_topic_that_explains_a_difference():
    """One large topic makes the first run better; on all others the second is."""
    counts = np.array(
        [[[1, 2, 1, 2], [2, 2, 2, 2]]] * 9 + [[[90, 100, 90, 100], [10, 100, 10, 100]]], dtype=float
    )
    name = "word_F1(average=micro)"
    pair = compare_scores(scores_of(counts, name), "r0", Method(resamples=500)).pairs.iloc[0]
    assert pair["mean_baseline"] == pytest.approx(99 / 118) and pair["mean"] == pytest.approx(28 / 118)
    assert pair["difference"] == pytest.approx((28 - 99) / 118) and np.isnan(pair["effect_size"])
    assert (pair["wins"], pair["losses"], pair["carried_by"]) == (9, 1, "t9")
    assert pair["difference_without"] == pytest.approx(0.5)


def test_a_t_test_is_one_of_means():
    scores = scores_of(counted(5, 2), "word_F1(average=micro)")
    with pytest.raises(
        InputError, match=r"a t-test compares means, not sums of counts as in word_F1\(average=micro\)"
    ):
        compare_scores(scores, "r0", Method("t-test"))
    assert not compare_scores(scores.assign(name="word_F1"), "r0", Method("t-test")).pairs["p"].isna().any()


def test_systems_are_ranked_by_added_counts_in_the_workflow_too():
    counts = counted(20, 4, 3)
    scores = scores_of(counts, "word_F1(average=micro)").assign(runs="all")
    pooled = pooled_of(
        counts[np.argsort([f"t{topic}" for topic in range(20)])]
    )  # topics are drawn in the order of names
    settings = {
        "top": 3,
        "alpha": 0.05,
        "resamples": 200,
        "seed": 0,
        "correction": "none",
        "one_tailed": True,
        "test": "randomisation",
    }
    name = "word_F1(average=micro)"
    request = {"runs": "all", "measure": name, "ranked_by": name, "settings": settings, "pools": {name: "f1"}}
    request |= {"lower": []}
    systems = compare_as_asked(scores, request)[0]["systems"]
    best = np.sort(pooled.numbers)[::-1][:3]
    assert systems["mean"].tolist() == pytest.approx(best.tolist())
    low, high = pooled.intervals(0.95, 200, 0)
    order = np.argsort(-pooled.numbers)[:3]
    assert systems["low"].tolist() == pytest.approx(low[order].tolist())
    assert systems["high"].tolist() == pytest.approx(high[order].tolist())
    with pytest.raises(InputError, match="compares means, not sums of counts"):
        compare_as_asked(scores, {**request, "settings": {**settings, "test": "t-test"}})
    few = replace(ONE_TAILED, resamples=200)
    pairs = compare(pooled_of(counts), method=few)["pairs"]
    assert pairs["p_t-test"].isna().all() and not pairs["p_randomisation"].isna().any()
    turned = compare(replace(pooled_of(counts, lambda sums: -f1(sums)), lower=True), method=few)["pairs"]
    names = ["higher_run", "lower_run", "p_randomisation", "p_bootstrap"]
    pd.testing.assert_frame_equal(turned[names], pairs[names])
