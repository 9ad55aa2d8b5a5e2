"""Correlations of two columns against SciPy's, to the last digit."""

import numpy as np
import pytest
from scipy import stats

from focuseval.statistics.correlations import kendall, pearson, spearman, tau


def columns(seed):
    """Draw two columns of 3 to 30 values: with and without ties, or one as an exact function of the other."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 31))
    x, y = (rng.integers(0, rng.integers(3, 30), n).astype(float) for _ in range(2))
    x[:2] = y[:2] = 0, 1
    other = (y, rng.random(n), 2 * x + 1, -x)[seed % 4]
    return (x, other) if seed % 3 else (rng.random(n), other)


@pytest.mark.parametrize("seed", range(60))
def test_coefficients_and_p_values_are_those_of_scipy(seed):
    x, y = columns(seed)
    line, correlation = stats.linregress(x, y), pearson(x, y)
    assert (correlation.r, correlation.p_value) == (line.rvalue, line.pvalue)
    assert (correlation.slope, correlation.intercept) == (line.slope, line.intercept)
    for ours, theirs in ((spearman(x, y), stats.spearmanr(x, y)), (kendall(x, y), stats.kendalltau(x, y))):
        if abs(theirs.statistic) > 1 - 1e-12:  # SciPy may return 0.9999999999999999
            assert ours.coefficient == round(theirs.statistic)
            assert ours.p_value == pytest.approx(theirs.pvalue, abs=1e-7)
        else:
            assert (ours.coefficient, ours.p_value) == (theirs.statistic, theirs.pvalue)


@pytest.mark.parametrize("n", range(2, 40))
def test_equal_and_opposite_orders_have_exactly_1_and_minus_1(n):
    x = np.random.default_rng(n).random(n).round(1 + n // 8)
    if np.ptp(x) > 0:
        for y, expected in ((3 * x, 1), (-x, -1)):
            assert [tau(x, y), kendall(x, y).coefficient, spearman(x, y).coefficient] == [expected] * 3


def test_tau_ties_values_that_differ_by_rounding():
    x = np.array([0.1 + 0.2, 0.3, 0.5])
    assert tau(x, [1, 1, 2]) == 1


def test_constant_columns_have_no_correlation():
    rising, level, unknown = np.arange(4.0), np.ones(4), np.array([1.0, np.nan, 2.0, 3.0])
    for other in (level, unknown):
        assert np.isnan([tau(rising, other), tau(other, rising)]).all()
        assert np.isnan([spearman(rising, other).coefficient, spearman(other, rising).p_value]).all()
    assert np.isnan(pearson(level, rising).slope) and np.isnan(pearson(rising, level).r)
    assert (pearson(rising, level).slope, pearson(rising, level).intercept) == (0.0, 1.0)
    assert pearson([0, 1], [2, 5]).p_value == 0.0
