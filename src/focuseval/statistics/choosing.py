"""Criteria for choosing a measure: discriminative power, stability, and agreement with other measures.

The discriminative power of a measure is the share of system pairs that differ significantly (Sakai, SIGIR 2006). High
power does not show that systems are ordered correctly. A measure is stable if other topics would give the same order of
systems (Buckley & Voorhees, SIGIR 2000; Voorhees & Buckley, SIGIR 2002). Measures agree if they order the systems in
the same way.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats, Ints, divided
from focuseval.statistics.correlations import orders_of, taus
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import expanded, order_of, times_drawn

#: the default tests, which do not assume that differences are normally distributed
DRAWN = ("bootstrap", "randomisation")


def achieved_levels(
    tables: Mapping[str, pd.DataFrame],
    *,
    tests: Sequence[str] = DRAWN,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Test the difference between every two systems under every measure, and return the p-values.

    Each table has a row for each topic and a column for each run, without missing values. The columns of the result are
    measure, test, run, other, place (1 for the smallest p-value of this measure and test) and p. P-values are
    two-tailed, and not corrected for multiple comparisons (Sakai, SIGIR 2006).
    """
    parts = []
    for measure, table in tables.items():
        pairs = list(combinations(map(str, table.columns), 2))
        first, second = np.triu_indices(table.shape[1], k=1)
        changes = ScoreTable(table).differences(second, first)
        for test in tests:
            p = changes.p_values(test, resamples, seed, two_tailed=True)
            order = np.argsort(p, kind="stable")
            run, other = zip(*(pairs[i] for i in order), strict=True) if pairs else ((), ())
            columns = {"run": run, "other": other, "place": np.arange(1, len(p) + 1), "p": p[order]}
            parts.append(pd.DataFrame({"measure": measure, "test": test, **columns}))
    return pd.concat(parts, ignore_index=True)


def discriminative_power(levels: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Compute the discriminative power of each measure by each test, from the p-values of `achieved_levels`.

    The columns are measure, test, pairs (the number of system pairs) and told_apart (the share with p <= alpha).
    """
    by = levels.assign(differs=levels["p"] <= alpha).groupby(["measure", "test"], sort=False)["differs"]
    return by.agg(pairs="size", told_apart="mean").reset_index()


#: the confidence level of intervals
LEVEL = 0.95

#: the maximum swap rate and the minimum tau of a stable measure
FEW_SWAPS, HIGH_TAU = 0.05, 0.9


def sizes_of(topics: int) -> list[int]:
    """Return the set sizes that `stability` tries: 5, 10, 15 … up to half of ``topics``, and this half, rounded down.

    Two disjoint sets cannot be larger. The list is empty for fewer than two topics.
    """
    half = topics // 2
    return sorted({*range(5, half + 1, 5), half} - {0})


def stability(tables: Mapping[str, pd.DataFrame], *, splits: int = 200, seed: int = 0) -> pd.DataFrame:
    """Estimate how often two disjoint sets of topics order the systems differently, for every measure and set size.

    Each table has a row for each topic and a column for each run, without missing values. For each size, ``splits``
    pairs of sets are drawn, the same for all measures. The columns of the result are

    - measure, and topics (the size of each set);
    - swap_rate: the share of system pairs, over all splits, whose order is reversed between the two sets, in [0, 1];
      ties are not reversed; lower is better;
    - tau: Kendall's tau-b between the orders on the two sets, averaged over the splits in which it is defined, in
      [-1, 1]; higher is better;
    - low and high: the limits of the middle 95 % of tau over splits.

    If systems hardly differ, disjoint sets disagree more often than independent samples of topics would, because topics
    that favour a system in one set are missing in the other. There are no rows for fewer than two topics. Values are
    NaN for fewer than two runs.
    """
    rows = []
    for measure, table in tables.items():
        values = table.to_numpy(dtype=float)
        for size in sizes_of(len(values)):
            one, other = (
                orders_of(part @ values / size) for part in _halves(len(values), size, splits, seed)
            )
            swaps = float((one * other < 0).mean()) if one.size else np.nan
            defined = taus(one, other)
            defined = defined[~np.isnan(defined)]
            tails = (1 - LEVEL) / 2
            low, high = np.quantile(defined, [tails, 1 - tails]) if len(defined) else (np.nan, np.nan)
            mean = defined.mean() if len(defined) else np.nan
            rows.append((measure, size, swaps, mean, low, high))
    return pd.DataFrame(rows, columns=["measure", "topics", "swap_rate", "tau", "low", "high"])


def _halves(topics: int, size: int, splits: int, seed: int) -> tuple[Floats, Floats]:
    """Draw two disjoint random sets of ``size`` topics for each split.

    Returns an array for each of the two sets, with a row for each split and a column for each topic: 1 if the topic is
    in the set, else 0.
    """
    order = np.random.default_rng([seed, size]).random((splits, topics)).argsort(axis=1)
    place = order.argsort(axis=1)
    return (place < size).astype(float), ((place >= size) & (place < 2 * size)).astype(float)


def topics_needed(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest number of topics with which each measure is stable, from the table of `stability`.

    The columns are measure, by_swaps, by_tau and tried. With sets of ``by_swaps`` topics or more, the swap rate is at
    most `FEW_SWAPS`. With sets of ``by_tau`` topics or more, tau is at least `HIGH_TAU`. Both are NaN if ``tried``, the
    largest size in the table, does not suffice.
    """
    rows = []
    for measure, part in pairs.groupby("measure", sort=False):
        part = part.sort_values("topics")
        size = part["topics"].to_numpy()
        sizes = (
            _sufficient_size(size, part["swap_rate"].to_numpy() <= FEW_SWAPS),
            _sufficient_size(size, part["tau"].to_numpy() >= HIGH_TAU),
        )
        rows.append((measure, *sizes, size[-1]))
    return pd.DataFrame(rows, columns=["measure", "by_swaps", "by_tau", "tried"])


def _sufficient_size(size: Ints, holds: Bools) -> float:
    """Return the smallest ``size`` such that ``holds`` is true for it and all larger sizes; NaN if there is none."""
    fails = np.flatnonzero(~holds)
    first = int(fails[-1]) + 1 if len(fails) else 0
    return float(size[first]) if first < len(size) else np.nan


def agreement(
    tables: Mapping[str, pd.DataFrame],
    *,
    lower: Collection[str] = (),
    resamples: int = 200,
    seed: int = 0,
) -> pd.DataFrame:
    """Compute how similarly every two measures order the systems, as rank correlations with intervals.

    Each table has a row for each topic and a column for each run, without missing values. Topics and runs are equal
    in all tables. Systems are ordered by means over topics. ``lower`` contains the measures for which lower is better.

    The columns of the result are measure, other, tau, tau_low, tau_high, tau_ap, tau_ap_low and tau_ap_high. tau is
    Kendall's tau-b. tau_ap compares the order by ``other`` with the order by ``measure``, which counts as the truth
    (Yilmaz et al., SIGIR 2008). Low and high limits are percentiles over bootstrap resamples of the topics.

    Correlations are in [-1, 1]; 1 means equal orders. They are NaN if a measure scores all systems equally. Limits are
    NaN for a single topic.
    """
    names = list(tables)
    signs = np.where([name in lower for name in names], -1.0, 1.0)[:, None, None]
    # the axes of ``values`` are measures, topics and runs
    values = signs * np.stack([table.to_numpy(dtype=float) for table in tables.values()])
    topics = values.shape[1]
    weights = np.vstack([np.ones(topics), times_drawn(topics, resamples, seed)]) / topics
    correlations = [_correlations(means) for means in np.einsum("bn,mnr->bmr", weights, values)]
    tau, tau_ap = (np.stack(part) for part in zip(*correlations, strict=True))
    tail = 100 * expanded(LEVEL, topics) if topics > 1 else None
    first, second = (places.ravel() for places in np.indices((len(names), len(names))))
    different = first != second
    first, second = first[different], second[different]
    columns: dict[str, Any] = {"measure": [names[i] for i in first], "other": [names[i] for i in second]}
    for name, samples in (("tau", tau), ("tau_ap", tau_ap)):
        pairs = samples[:, first, second]
        low, high = _percentiles(pairs[1:], tail)
        columns |= {name: pairs[0], f"{name}_low": low, f"{name}_high": high}
    return pd.DataFrame(columns)


def _percentiles(samples: Floats, tail: float | None) -> tuple[Floats, Floats]:
    """Return the percentiles ``tail`` and 100 - ``tail`` of each column of ``samples``, ignoring NaN.

    Percentiles are NaN if ``tail`` is None, and for columns of only NaN.
    """
    undefined = np.isnan(samples).all(axis=0)
    limits = np.full((2, samples.shape[1]), np.nan)
    if tail is not None:
        limits[:, ~undefined] = np.nanpercentile(samples[:, ~undefined], [tail, 100 - tail], axis=0)
    return limits[0], limits[1]


def _correlations(means: Floats) -> tuple[Floats, Floats]:
    """Return tau-b and tau_AP between all measures, as two matrices.

    ``means`` have a row for each measure and a column for each system. In the matrix of tau_AP, measures in rows are
    the truth, and measures in columns are the estimate.
    """
    count = means.shape[1]
    sign = order_of(means[:, None, :], means[:, :, None])
    order = orders_of(means)
    tau = taus(order[:, None], order)
    # for a pair that the estimate orders, tau_AP counts 1 if the truth has the same order, 1/2 if the truth ties the
    # pair, else 0, weighted by 1 / (rank - 1) for the estimated rank of the lower system, averaged over tied ranks
    truth = (1 + sign) / 2
    # for each system, how many systems score higher, and how many score the same (including the system itself)
    higher, same = (sign > 0).sum(axis=1), (sign == 0).sum(axis=1)
    inverse = np.append(0.0, np.cumsum(1 / np.arange(1, count)))  # at n: summed weights of ranks 2 to n + 1
    upto = inverse[np.minimum(higher + same, count) - 1] - inverse[np.maximum(higher - 1, 0)]
    first = higher == 0  # rank 1 has no weight, because 1 / (rank - 1) is undefined
    weight = np.where(first, inverse[same - 1], upto) / same
    ordered = (sign > 0) * weight[:, None, :]
    # a pair with tied estimates counts as 1/2, with the weight of its worse rank; ranks begin with 0 here
    rank = np.arange(count)
    tied = divided((rank - np.sort(higher, axis=1)) / 2, rank + np.zeros_like(higher)).sum(axis=1)
    flat = len(means), count * count
    right = truth.reshape(flat) @ ordered.reshape(flat).T + tied
    ap = 2 * right / max(count - 1, 1) - 1
    return tau, np.where(np.isnan(tau), np.nan, ap)
