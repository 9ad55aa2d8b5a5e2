"""Criteria for choosing a measure: discriminative power, stability, and agreement with other measures.

Discriminative power is the share of system pairs that differ significantly (Sakai, SIGIR 2006). High power is no merit
by itself, because it does not show that the order is right. A measure is stable if other topics would give the same
order of systems. To test stability, two disjoint sets of equal size are drawn from the topics, and systems are ordered
on each set (Buckley & Voorhees, SIGIR 2000; Voorhees & Buckley, SIGIR 2002). Two measures agree if they give the same
order.
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

#: the tests whose significance levels are compared; both resample topics, and neither assumes normality
DRAWN = ("bootstrap", "randomisation")


def achieved_levels(
    tables: Mapping[str, pd.DataFrame],
    *,
    tests: Sequence[str] = DRAWN,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the two-tailed p-value of every pair of systems under every measure, sorted by p-value.

    ``tables`` have a row per topic and a column per run, without missing values. The columns of the result are measure,
    test, run, other, place (1 for the smallest p-value) and p, which is not corrected, as in the source.
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
    """Return the share of significant pairs from `achieved_levels`: columns measure, test, pairs, told_apart.

    ``told_apart = |{pairs: p <= alpha}| / |pairs|``, in [0, 1].
    """
    by = levels.assign(apart=levels["p"] <= alpha).groupby(["measure", "test"], sort=False)["apart"]
    return by.agg(pairs="size", told_apart="mean").reset_index()


#: the confidence level of intervals
LEVEL = 0.95

#: a number of topics is sufficient if the swap rate is at most the first limit, and tau is at least the second
FEW_SWAPS, HIGH_TAU = 0.05, 0.9


def sizes_of(topics: int) -> list[int]:
    """Return the sizes of topic sets to try: 5, 10 … and half of all topics, so that two disjoint sets exist."""
    half = topics // 2
    return sorted({*range(5, half + 1, 5), half} - {0})


def stability(tables: Mapping[str, pd.DataFrame], *, splits: int = 200, seed: int = 0) -> pd.DataFrame:
    """Measure how often two sets of topics disagree about the order of systems, for every measure and set size.

    ``tables`` have a row per topic and a column per run, without missing values. All measures share the splits. The
    columns of the result are measure, topics (in each set), swap_rate, tau, low, high.

    ``swap_rate`` is the share of system pairs, over all splits, whose order differs between the sets. It is in [0, 1],
    and lower is better. ``tau`` is the mean of Kendall's tau-b between the orders on the two sets, over splits with a
    tau. It is in [-1, 1], and higher is better. In the middle 95 % of the splits, tau is from ``low`` to ``high``.

    If systems hardly differ, two halves of the topics disagree too often, because each half is the complement of the
    other. Sets of the same size from more topics would disagree less. There are no rows for fewer than two topics.
    Values are NaN for fewer than two runs.
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
    """Split topics at random B times. Return an array (B, n) for each of the two sets: 1 for its topics, else 0."""
    order = np.random.default_rng([seed, size]).random((splits, topics)).argsort(axis=1)
    place = order.argsort(axis=1)
    return (place < size).astype(float), ((place >= size) & (place < 2 * size)).astype(float)


def topics_needed(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the smallest number of topics with which each measure is stable, from the table of `stability`.

    The columns are measure, by_swaps, by_tau and tried. For sets of at least ``by_swaps`` topics, the swap rate is at
    most `FEW_SWAPS`. For sets of at least ``by_tau`` topics, tau is at least `HIGH_TAU`. Both are NaN if the largest
    sets do not suffice. ``tried`` is the size of the largest sets.
    """
    rows = []
    for measure, part in pairs.groupby("measure", sort=False):
        part = part.sort_values("topics")
        size = part["topics"].to_numpy()
        enough = (
            _from(size, part["swap_rate"].to_numpy() <= FEW_SWAPS),
            _from(size, part["tau"].to_numpy() >= HIGH_TAU),
        )
        rows.append((measure, *enough, size[-1]))
    return pd.DataFrame(rows, columns=["measure", "by_swaps", "by_tau", "tried"])


def _from(size: Ints, holds: Bools) -> float:
    """Return the smallest size such that the condition holds for it and all larger sizes, or NaN."""
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
    """Return correlations between the orders of systems by every two measures.

    ``tables`` have a row per topic and a column per run, equal for all measures, without missing values. Systems are
    ordered by means over topics, best first. Lower is better for measures in ``lower``. Each ordered pair of measures
    has a row. The columns are measure, other, tau (Kendall's tau-b), tau_low, tau_high, tau_ap, tau_ap_low and
    tau_ap_high. tau_ap rates the order by ``other`` against the order by ``measure`` (Yilmaz et al., SIGIR 2008).

    Correlations are in [-1, 1]; 1 means equal orders. Intervals are expanded bootstrap percentiles (`expanded`) over
    topics. All measures share the resamples. Values are NaN if a measure scores all systems equally. Intervals are NaN
    for a single topic.
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
    apart = first != second
    first, second = first[apart], second[apart]
    columns: dict[str, Any] = {"measure": [names[i] for i in first], "other": [names[i] for i in second]}
    for name, drawn in (("tau", tau), ("tau_ap", tau_ap)):
        pairs = drawn[:, first, second]
        low, high = _percentiles(pairs[1:], tail)
        columns |= {name: pairs[0], f"{name}_low": low, f"{name}_high": high}
    return pd.DataFrame(columns)


def _percentiles(drawn: Floats, tail: float | None) -> tuple[Floats, Floats]:
    """Return the lower and upper percentiles of each column of ``drawn`` (B, P), ignoring NaN; NaN without a tail."""
    none = np.isnan(drawn).all(axis=0)
    limits = np.full((2, drawn.shape[1]), np.nan)
    if tail is not None:
        limits[:, ~none] = np.nanpercentile(drawn[:, ~none], [tail, 100 - tail], axis=0)
    return limits[0], limits[1]


def _correlations(means: Floats) -> tuple[Floats, Floats]:
    """Return tau-b (M, M) and tau_AP (M, M) between measures, from the means (M, R) of R systems.

    Each row of tau_AP has one measure as the truth, each column one measure as the estimate.
    """
    count = means.shape[1]
    sign = order_of(means[:, None, :], means[:, :, None])
    order = orders_of(means)
    tau = taus(order[:, None], order)
    # each pair that the estimate orders adds its truth (1, 1/2 or 0) to tau_AP, with the weight 1 / (rank - 1)
    truth = (1 + sign) / 2
    # for each system, how many systems score higher and how many tie with it (including itself)
    higher, same = (sign > 0).sum(axis=1), (sign == 0).sum(axis=1)
    inverse = np.append(0.0, np.cumsum(1 / np.arange(1, count)))  # cumulative sums of 1 / (rank - 1)
    upto = inverse[np.minimum(higher + same, count) - 1] - inverse[np.maximum(higher - 1, 0)]
    first = higher == 0  # the first rank does not count, because 1 / (rank - 1) is undefined there
    weight = np.where(first, inverse[same - 1], upto) / same
    ordered = (sign > 0) * weight[:, None, :]
    # the position of a system within its tie is its rank minus the first rank of the tie; ranks begin with 0
    rank = np.arange(count)
    tied = divided((rank - np.sort(higher, axis=1)) / 2, rank + np.zeros_like(higher)).sum(axis=1)
    flat = len(means), count * count
    right = truth.reshape(flat) @ ordered.reshape(flat).T + tied
    ap = 2 * right / max(count - 1, 1) - 1
    return tau, np.where(np.isnan(tau), np.nan, ap)
