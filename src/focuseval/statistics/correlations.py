"""Correlations of scores: Pearson, Kendall, Spearman, and AP-correlation. SciPy is imported when one is asked for."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from focuseval.model.arrays import Floats, divided


@dataclass(frozen=True)
class Correlation:
    """A coefficient in [-1, 1] and the two-tailed p-value of no correlation."""

    coefficient: float
    p_value: float


@dataclass(frozen=True)
class Regression:
    """Pearson's r with the least-squares line ``y = slope x + intercept``, and the two-tailed p-value."""

    r: float
    p_value: float
    slope: float
    intercept: float


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise ValueError(
            f"two columns of equal length, 2 or more, are wanted; got {first.shape} and {second.shape}"
        )
    return first, second


def pearson(x: ArrayLike, y: ArrayLike) -> Regression:
    """Pearson's r of two columns (n,), with the regression line of y on x.

    NaN throughout if x is constant; r is NaN if y is. Raises ValueError for columns of unequal length.
    """
    from scipy import stats

    x, y = _pair(x, y)
    if np.ptp(x) == 0:
        return Regression(np.nan, np.nan, np.nan, np.nan)
    line = stats.linregress(x, y)
    if np.ptp(y) == 0:
        return Regression(np.nan, np.nan, 0.0, float(y[0]))
    return Regression(float(line.rvalue), float(line.pvalue), float(line.slope), float(line.intercept))


def kendall(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Kendall's tau-b of two columns (n,): ties in either are corrected for. NaN if one is constant."""
    from scipy import stats

    found = stats.kendalltau(*_pair(x, y), variant="b")
    return Correlation(float(found.statistic), float(found.pvalue))


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's rho of two columns (n,): Pearson's r of the mean ranks. NaN if one is constant."""
    from scipy import stats

    x, y = _pair(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Correlation(np.nan, np.nan)
    found = stats.spearmanr(x, y)
    return Correlation(float(found.statistic), float(found.pvalue))


def tau_ap(truth: ArrayLike, estimate: ArrayLike) -> float:
    """AP-correlation of the order by ``estimate`` with the order by ``truth`` (n scores each, high is first).

    ``tau_ap = 2 / (n - 1) * sum_(i=2..n) C(i) / (i - 1) - 1``: C(i) is the number of systems above rank i
    of the estimated order that the true order also puts above the system there. In [-1, 1]; differences at
    the top weigh more than in Kendall's tau; not symmetric. A pair that is tied in the truth counts one
    half, and systems that are tied in the estimate take the mean over all their orders.

    Yilmaz, Aslam & Robertson (SIGIR 2008), Eq. 2.
    """
    truth, estimate = _pair(truth, estimate)
    order = np.argsort(-estimate, kind="stable")
    truth, estimate = truth[order], estimate[order]
    right = (truth[:, None] > truth[None, :]) + 0.5 * (truth[:, None] == truth[None, :])
    begins = np.flatnonzero(np.append(True, np.diff(estimate) != 0))
    total = 0.0
    for begin, end in zip(begins, np.append(begins[1:], len(truth)), strict=True):
        above = right[:begin, begin:end].sum() / (end - begin)
        place = np.arange(end - begin)  # within the tie: on average half of those put above belong there
        total += divided(above + place / 2, begin + place).sum()
    return float(2 * total / (len(truth) - 1) - 1)
