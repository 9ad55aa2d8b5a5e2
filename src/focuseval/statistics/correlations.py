"""Correlations of scores: Pearson, Kendall, Spearman.

P-values need `scipy.special`. Only Kendall's p-value needs `scipy.stats`, which is slow to import.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from focuseval.errors import extra
from focuseval.model.arrays import Floats
from focuseval.statistics.significance import order_of

#: with fewer runs than this, correlations of rankings are meaningless: with two runs, each is 1 or -1
FEWEST_RUNS = 5


#: for each unit that contributes one pair of values to a correlation, a description of these values
OVER = {"runs": "means over topics", "topics": "means over runs", "values": "values of a run on a topic"}

COEFFICIENTS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}


@dataclass(frozen=True)
class Correlation:
    """A coefficient in [-1, 1], and its two-tailed p-value for the null hypothesis of no correlation."""

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
    """Return Pearson's r of two columns (n,), with the regression line of y on x.

    All values are NaN if x is constant. Only r is NaN if y is constant. Raises ValueError if lengths differ.
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
    """Return the two-tailed p-value of t = r sqrt((n - 2) / (1 - r²)). ``least`` keeps t finite if r is 1 or -1."""
    with extra("full"):
        from scipy import special

    with np.errstate(divide="ignore", invalid="ignore"):
        t = r * np.sqrt((n - 2) / ((1 - r + least) * (1 + r + least)))
    return float(2 * special.stdtr(n - 2, -np.abs(t)))


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Kendall's tau-b of two columns (n,), corrected for ties, and its p-value. NaN if one is constant."""
    with extra("full"):
        from scipy import stats

    result = stats.kendalltau(*_pair(x, y), variant="b")
    return Correlation(float(result.statistic), float(result.pvalue))


def tau(x: ArrayLike, y: ArrayLike) -> float:
    """Return Kendall's tau-b of two columns (n,) without loading SciPy. NaN if one is constant or has NaN."""
    x, y = _pair(x, y)
    first, second = np.triu_indices(len(x), k=1)
    one, other = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    with np.errstate(invalid="ignore"):
        value = one @ other / np.sqrt(np.abs(one).sum()) / np.sqrt(np.abs(other).sum())
    return float(np.clip(value, -1.0, 1.0))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Return Spearman's rho of two columns (n,): Pearson's r of mean ranks. NaN if one is constant or has NaN."""
    x, y = _pair(x, y)
    if not (np.ptp(x) > 0 and np.ptp(y) > 0):
        return Correlation(np.nan, np.nan)
    rho = np.corrcoef(mean_ranks(x), mean_ranks(y))[1, 0]
    return Correlation(float(rho), _p_value(rho, len(x)))


def mean_ranks(values: Floats) -> Floats:
    """Return the ranks of values (n,), from 1 for the lowest value. Equal values share their mean rank."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def orders_of(values: Floats) -> Floats:
    """Return the order of each pair of n values (…, n): -1, 0 (tied) or 1. The shape is (…, n (n - 1) / 2).

    Pairs are in the order of `numpy.triu_indices`. Values that differ only by rounding are tied (`order_of`).
    """
    of = [order_of(values[..., i + 1 :], values[..., i, None]) for i in range(values.shape[-1])]
    return np.concatenate(of, axis=-1)


def taus(one: Floats, other: Floats) -> Floats:
    """Return Kendall's tau-b (…) of two results of `orders_of`, with P pairs (…, P). NaN if either has only ties."""
    pairs = np.sqrt(np.abs(one).sum(axis=-1) * np.abs(other).sum(axis=-1))
    return np.divide((one * other).sum(axis=-1), pairs, out=np.full(pairs.shape, np.nan), where=pairs > 0)
