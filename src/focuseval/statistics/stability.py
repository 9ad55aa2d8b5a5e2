"""Stability: would other topics order the systems the same way, and how many topics does that take?

Topics are split at random into two sets of equal size that share none, and systems are ordered on each (Buckley &
Voorhees, SIGIR 2000; Voorhees & Buckley, SIGIR 2002).
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.statistics.correlations import orders_of, taus
from focuseval.statistics.significance import TOLERANCE

#: what is asked of a measure before one says that so many topics are enough
FEW_SWAPS, HIGH_TAU = 0.05, 0.9


def sizes_of(topics: int, step: int = 5) -> list[int]:
    """Numbers of topics that two sets without a common topic can have: 5, 10 … and half of all."""
    half = topics // 2
    return sorted({*range(step, half + 1, step), half} - {0})


def stability(
    tables: Mapping[str, pd.DataFrame], *, splits: int = 200, seed: int = 0, level: float = 0.95
) -> pd.DataFrame:
    """How often two sets of topics disagree about systems, for every measure and size of the sets.

    ``tables`` have a row per topic and a column per run, no value missing; all measures see the same splits of
    equal topics. Columns measure, topics (in each set), swap_rate, tau, low, high.

    ``swap_rate``: of all pairs of systems and all splits, the share where one set has one system ahead and the other
    set the other; in [0, 1], lower is better. ``tau``: Kendall's tau-b between the orders on the two sets, the mean
    over splits where it is defined, with the range of the middle ``level`` of splits; in [-1, 1], higher is better.
    Two halves of all topics are each other's complement, and disagree more than sets from more topics would, where
    systems hardly differ. No rows for fewer than two topics, NaN for fewer than two runs.
    """
    rows = []
    for measure, table in tables.items():
        values = table.to_numpy(dtype=float)
        for size in sizes_of(len(values)):
            one, other = (part @ values / size for part in _halves(len(values), size, splits, seed))
            swaps, taus = _compared(one, other)
            known = taus[~np.isnan(taus)]
            tails = (1 - level) / 2
            low, high = np.quantile(known, [tails, 1 - tails]) if len(known) else (np.nan, np.nan)
            mean = known.mean() if len(known) else np.nan
            rows.append((measure, size, swaps, mean, low, high))
    return pd.DataFrame(rows, columns=["measure", "topics", "swap_rate", "tau", "low", "high"])


def _halves(topics: int, size: int, splits: int, seed: int) -> tuple[Floats, Floats]:
    """Which topics are in either set of each split: two of (B, n), 0 or 1."""
    order = np.random.default_rng([seed, size]).random((splits, topics)).argsort(axis=1)
    place = order.argsort(axis=1)
    return (place < size).astype(float), ((place >= size) & (place < 2 * size)).astype(float)


def _compared(one: Floats, other: Floats) -> tuple[float, Floats]:
    """The swap rate, and tau-b of each split, of means (B, R) on the two sets."""
    first, second = (orders_of(means, TOLERANCE) for means in (one, other))
    agreed = first * second
    return float((agreed < 0).mean()) if agreed.size else np.nan, taus(first, second)


def topics_needed(found: pd.DataFrame) -> pd.DataFrame:
    """The fewest topics at which a measure is stable, from `stability`: columns measure, by_swaps, by_tau, tried.

    ``by_swaps``: the swap rate is at most `FEW_SWAPS` from there on; ``by_tau``: tau is at least `HIGH_TAU`. NaN where
    even the largest sets that could be tried (``tried``) do not suffice: nothing is extrapolated.
    """
    rows = []
    for measure, part in found.groupby("measure", sort=False):
        part = part.sort_values("topics")
        size = part["topics"].to_numpy()
        enough = (
            _from(size, part["swap_rate"].to_numpy() <= FEW_SWAPS),
            _from(size, part["tau"].to_numpy() >= HIGH_TAU),
        )
        rows.append((measure, *enough, size[-1]))
    return pd.DataFrame(rows, columns=["measure", "by_swaps", "by_tau", "tried"])


def _from(size: Ints, holds: Bools) -> float:
    """The first size from which on it always holds; NaN if there is none."""
    fails = np.flatnonzero(~holds)
    first = int(fails[-1]) + 1 if len(fails) else 0
    return float(size[first]) if first < len(size) else np.nan
