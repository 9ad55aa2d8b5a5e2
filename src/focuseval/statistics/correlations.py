"""Correlations of scores by Pearson, Kendall and Spearman.

Only `kendall` imports `scipy.stats`, which is slow to import.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from focuseval.errors import extra
from focuseval.model.arrays import Floats
from focuseval.statistics.significance import order_of

#: with fewer runs than this, correlations of rankings say little; with two runs, for example, they are 1 or -1
FEWEST_RUNS = 5


#: the values that are correlated in correlations over runs, over topics and over single scores
OVER = {"runs": "means over topics", "topics": "means over runs", "values": "values of a run on a topic"}

COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient in [-1, 1], and its two-tailed p-value under the null hypothesis of no correlation."""

    coefficient: float
    p_value: float


@dataclass(frozen=True)
class Regression:
    """Pearson's r with its two-tailed p-value, and the least-squares line ``y = slope x + intercept``."""

    r: float
    p_value: float
    slope: float
    intercept: float


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise ValueError(
            f"expected two columns of equal length, with at least 2 values; got {first.shape} and {second.shape}"
        )
    return first, second


def pearson(x: ArrayLike, y: ArrayLike) -> Regression:
    """Compute Pearson's r of x and y, two arrays of equal length, and the regression line of y on x.

    All values are NaN if x is constant. If only y is constant, r and its p-value are NaN. For two points, the p-value
    is 0. Raises ValueError if x and y differ in length or have fewer than two values.
    """
    x, y = _pair(x, y)
    if np.ptp(x) == 0:
        return Regression(np.nan, np.nan, np.nan, np.nan)
    if np.ptp(y) == 0:
        return Regression(np.nan, np.nan, 0.0, float(y[0]))
    of_x, of_both, _, of_y = np.cov(x, y, bias=True).flat
    r, slope = np.clip(of_both / np.sqrt(of_x * of_y), -1.0, 1.0), of_both / of_x
    p_value = _p_value(r, len(x), 1e-20) if len(x) > 2 else 0.0
    return Regression(float(r), p_value, float(slope), float(y.mean() - slope * x.mean()))


def _p_value(r: np.floating, n: int, least: float = 0.0) -> float:
    """Return the two-tailed p-value of a correlation r of n pairs, from ``t = r sqrt((n - 2) / (1 - r²))``.

    A small positive ``least`` keeps t finite if r is 1 or -1.
    """
    with extra("full"):
        from scipy import special

    with np.errstate(divide="ignore", invalid="ignore"):
        t = r * np.sqrt((n - 2) / ((1 - r + least) * (1 + r + least)))
    return float(2 * special.stdtr(n - 2, -np.abs(t)))


def _exact(coefficient: np.floating) -> np.floating:
    """Return a coefficient of rankings, without the rounding error of 1 and -1."""
    return np.sign(coefficient) if abs(coefficient) > 1 - 1e-15 else coefficient


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Compute Kendall's tau-b of x and y, and its p-value. Both are NaN if x or y is constant."""
    with extra("full"):
        from scipy import stats

    result = stats.kendalltau(*_pair(x, y), variant="b")
    return Correlation(float(_exact(result.statistic)), float(result.pvalue))


def tau(x: ArrayLike, y: ArrayLike) -> float:
    """Compute Kendall's tau-b of x and y without importing SciPy. It is NaN if x or y is constant or contains NaN.

    Values that differ only by rounding are tied (`orders_of`).
    """
    x, y = _pair(x, y)
    return float(taus(orders_of(x), orders_of(y)))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Compute Spearman's rho of x and y, which is Pearson's r of their ranks, and its p-value.

    Equal values share their mean rank. Rho and its p-value are NaN if x or y is constant or contains NaN.
    """
    x, y = _pair(x, y)
    if not (np.ptp(x) > 0 and np.ptp(y) > 0):
        return Correlation(np.nan, np.nan)
    rho = _exact(np.corrcoef(mean_ranks(x), mean_ranks(y))[1, 0])
    return Correlation(float(rho), _p_value(rho, len(x)))


def mean_ranks(values: Floats) -> Floats:
    """Return the rank of each value, from 1 for the lowest. Equal values share their mean rank."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def orders_of(values: Floats) -> Floats:
    """Compare every two of the n values along the last axis, which becomes an axis of n (n - 1) / 2 pairs.

    For each pair, the result is 1 if the first value is higher, -1 if the second is higher, and 0 if they are tied
    (`order_of`). Pairs are in the order of `numpy.triu_indices`.
    """
    orders = [order_of(values[..., i + 1 :], values[..., i, None]) for i in range(values.shape[-1])]
    return np.concatenate(orders, axis=-1)


def taus(one: Floats, other: Floats) -> Floats:
    """Compute Kendall's tau-b from two results of `orders_of`, along their last axis of pairs.

    It is NaN if all pairs of ``one`` or of ``other`` are tied.
    """
    pairs = np.sqrt(np.abs(one).sum(axis=-1) * np.abs(other).sum(axis=-1))
    return np.divide((one * other).sum(axis=-1), pairs, out=np.full(pairs.shape, np.nan), where=pairs > 0)
