"""Statistics under weights against SciPy on the members written out; estimates against resampling by hand."""

import math
import statistics

import numpy as np
import pytest
from scipy import stats

from focuseval_papers.publication.estimates import (
    Estimate,
    Sample,
    combined,
    difference,
    highest,
    kendall_of,
    lowest,
    mean,
    mean_of,
    mean_of_defined,
    pairs_of,
    pearson_of,
    ratio,
    share_of_pairs,
    spearman_of,
)

RUNS = Sample("runs", tuple("abcdefghijkl"), "runs", 60, 3)


def columns(seed):
    """Two correlated columns, with ties in the second."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=12)
    return x, np.round(x + rng.normal(size=12), 0)


def literal_tau(weights, x, y):
    """Compute tau-b over all pairs of different members, weighted by how often both were drawn."""
    above = left = right = 0.0
    for i in range(len(x)):
        for j in range(i):
            w = weights[i] * weights[j]
            a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            above, left, right = above + w * a * b, left + w * abs(a), right + w * abs(b)
    return above / math.sqrt(left * right) if left and right else math.nan


@pytest.mark.parametrize("seed", range(3))
def test_correlations_under_weights_are_those_of_drawn_members(seed):
    x, y = columns(seed)
    weights = RUNS.weights
    coefficients = [of(x, y)(weights) for of in (pearson_of, spearman_of, kendall_of)]
    for row, drawn in enumerate(weights.astype(int)):
        a, b = np.repeat(x, drawn), np.repeat(y, drawn)
        expected = [stats.pearsonr(a, b).statistic, stats.spearmanr(a, b).statistic, literal_tau(drawn, x, y)]
        assert [column[row] for column in coefficients] == pytest.approx(expected, abs=1e-12)
    assert coefficients[2][0] == pytest.approx(stats.kendalltau(x, y).statistic)
    # in the jackknife, every remaining member is drawn once
    rest = [stats.kendalltau(np.delete(x, i), np.delete(y, i)).statistic for i in range(12)]
    assert coefficients[2][-12:] == pytest.approx(rest)


def test_correlations_of_constants_are_undefined():
    x = np.arange(4.0)
    weights = np.array([[1.0, 1, 1, 1], [0, 0, 4, 0]])
    for of in (pearson_of, spearman_of, kendall_of):
        assert np.isnan(of(x, np.full(4, 0.1))(weights)).all()
        assert np.isnan(of(x, x**2)(weights)).tolist() == [False, True]


def test_shares_of_pairs_leave_out_pairs_of_one_member():
    marked = np.array([1.0, 0.0, 0.0])  # of the pairs 01, 02, 12
    weights = np.array([[1.0, 1, 1], [2, 1, 0], [0, 1, 2], [3, 0, 0]])
    assert pairs_of(weights).tolist() == [[1, 1, 1], [2, 0, 0], [0, 0, 2], [0, 0, 0]]
    np.testing.assert_array_equal(share_of_pairs(marked)(weights), [1 / 3, 1, 0, math.nan])


def test_a_sample_draws_reproducibly_and_other_samples_draw_independently():
    again, other, seeded = (
        Sample(name, RUNS.members, "runs", 60, seed)
        for name, seed in (("runs", 3), ("others", 3), ("runs", 4))
    )
    assert (again.weights == RUNS.weights).all()
    assert (other.weights != RUNS.weights).any() and (seeded.weights != RUNS.weights).any()
    assert (RUNS.weights[0] == 1).all() and (RUNS.weights[1:61].sum(axis=1) == 12).all()
    assert (RUNS.weights[61:] == 1 - np.eye(12)).all()


def test_an_estimate_is_the_value_its_resamples_and_its_jackknife():
    x, _ = columns(1)
    estimate = RUNS.estimate(mean_of(x))
    assert estimate.value == pytest.approx(statistics.fmean(x))
    drawn = [statistics.fmean(np.repeat(x, weights)) for weights in RUNS.weights[1:61].astype(int)]
    assert estimate.drawn == pytest.approx(drawn)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, 11) * math.sqrt(12 / 11))
    assert estimate.interval == pytest.approx(tuple(np.quantile(drawn, [tail, 1 - tail])))
    assert (estimate.n, estimate.over) == (12, "runs")
    # the member farthest from the mean changes the mean most
    farthest = int(np.argmax(np.abs(x - x.mean())))
    assert estimate.influential == (RUNS.members[farthest], pytest.approx(np.delete(x, farthest).mean()))


def test_of_equally_influential_members_the_first_is_named():
    """Leaving out either of two members changes the mean equally; rounding must not decide."""
    two = Sample("two", ("first", "second"), "topics", 10, 1)
    rng = np.random.default_rng(3)
    assert {two.estimate(mean_of(rng.normal(size=2))).influential[0] for _ in range(200)} == {"first"}


def test_arithmetic_keeps_resamples_of_one_sample_together():
    x, y = columns(2)
    a, b = RUNS.estimate(mean_of(x)), RUNS.estimate(mean_of(y))
    of_both = RUNS.estimate(mean_of(x - y))
    estimate = difference(a, b)
    assert estimate.value == pytest.approx(of_both.value)
    assert estimate.drawn == pytest.approx(of_both.drawn)
    assert estimate.without[RUNS] == pytest.approx(of_both.without[RUNS])
    assert ratio(a, 2.0).interval == pytest.approx(tuple(limit / 2 for limit in a.interval))
    assert difference(a, a).interval == (0.0, 0.0)
    assert difference(3.0, 1.0) == 2.0 and ratio(3.0, 2.0) == 1.5
    assert math.isnan(ratio(1.0, 0.0)) and math.isnan(ratio(a, 0.0).value)
    assert difference(1.0, a).drawn == pytest.approx(1.0 - a.drawn)


def test_numbers_of_two_samples_are_drawn_independently():
    x, y = columns(3)
    second = Sample("others", tuple(f"o{n}" for n in range(12)), "topics", 60, 3)
    a, b = RUNS.estimate(mean_of(x)), second.estimate(mean_of(100 * y))
    both = difference(a, b)
    assert (both.n, both.over) == (24, "runs and topics")
    assert both.drawn == pytest.approx(a.drawn - b.drawn)
    # leaving out a member of one sample does not change the other
    assert both.without[RUNS] == pytest.approx(a.without[RUNS] - b.value)
    assert both.influential[0] in second.members


def test_extremes_and_means_are_those_of_each_resample():
    x, y = columns(4)
    a, b = RUNS.estimate(mean_of(x)), RUNS.estimate(mean_of(y))
    for of, reduce in ((lowest, np.minimum), (highest, np.maximum)):
        extreme = of([a, b])
        assert extreme.value == reduce(a.value, b.value) and (extreme.drawn == reduce(a.drawn, b.drawn)).all()
    assert mean([a, b]).drawn == pytest.approx((a.drawn + b.drawn) / 2)
    assert highest([1.0, 2.0]) == 2.0 and math.isnan(lowest([])) and math.isnan(lowest([1.0, math.nan]))
    assert isinstance(highest([a, 3.0]), Estimate)


def test_means_of_defined_numbers():
    hole = Estimate(1.0, np.array([math.nan, 3.0]), {})
    full = Estimate(2.0, np.array([5.0, math.nan]), {})
    average = mean_of_defined([hole, full, math.nan])
    assert average.value == 1.5 and average.drawn.tolist() == [5.0, 3.0]
    assert math.isnan(mean_of_defined([math.nan])) and math.isnan(mean([hole, math.nan]).value)


def test_undefined_numbers_have_no_interval():
    x, y = columns(5)
    nothing = RUNS.estimate(pearson_of(x, np.ones(12)))
    assert math.isnan(nothing.value) and np.isnan(nothing.interval).all() and nothing.influential[0] == ""
    single = Sample("one", ("t",), "topics", 100, 1).estimate(mean_of(np.ones(1)))
    assert np.isnan(single.interval).all()
    # resamples without a value are left out of the interval
    part = combined(lambda v: np.where(v >= x.mean() - 1e-9, v, math.nan), RUNS.estimate(mean_of(x)))
    assert part.interval[0] >= x.mean() - 1e-9


def test_intervals_of_few_members_cover_the_true_value():
    """Percentiles cover the mean of 12 normal values in 0.90 to 0.91 of samples."""
    sample = Sample("topics", tuple("abcdefghijkl"), "topics", 1000, 1)
    values = np.random.default_rng(5).normal(size=(1500, 12))
    limits = np.transpose([sample.estimate(mean_of(x)).interval for x in values])
    assert np.mean((limits[0] <= 0) & (limits[1] >= 0)) == pytest.approx(0.945, abs=0.015)
