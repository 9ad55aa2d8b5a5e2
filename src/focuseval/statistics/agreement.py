"""Agreement: do two measures order systems alike?"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, divided, place_in_group
from focuseval.statistics.correlations import orders_of, taus
from focuseval.statistics.significance import TOLERANCE, expanded, times_drawn


def agreement(
    tables: Mapping[str, pd.DataFrame], *, resamples: int = 200, seed: int = 0, level: float = 0.95
) -> pd.DataFrame:
    """Correlations of the orders of systems by every two measures.

    ``tables`` have a row per topic and a column per run, the same of both under all measures, no value missing; systems
    are ordered by means over topics. A row for each ordered pair of measures: measure, other, tau (Kendall's tau-b),
    tau_low, tau_high, tau_ap (of the order by ``other`` with the order by ``measure`` as the truth; Yilmaz et al.,
    SIGIR 2008), tau_ap_low, tau_ap_high. Intervals are expanded bootstrap percentiles (`expanded`), topics drawn with
    replacement, the same for all measures. In [-1, 1]; 1 is the same order. NaN where a measure has all systems equal;
    a single topic gives no interval.
    """
    names = list(tables)
    values = np.stack([table.to_numpy(dtype=float) for table in tables.values()])  # (M, n, R)
    topics = values.shape[1]
    weights = np.vstack([np.ones(topics), times_drawn(topics, resamples, seed)]) / topics
    found = [_correlations(means) for means in np.einsum("bn,mnr->bmr", weights, values)]
    tau, tau_ap = (np.stack(part) for part in zip(*found, strict=True))
    tail = 100 * expanded(level, topics) if topics > 1 else None
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
    """(P,) lower and upper percentiles of resamples (B, P), of those that are defined; NaN without a tail."""
    none = np.isnan(drawn).all(axis=0)
    limits = np.full((2, drawn.shape[1]), np.nan)
    if tail is not None:
        limits[:, ~none] = np.nanpercentile(drawn[:, ~none], [tail, 100 - tail], axis=0)
    return limits[0], limits[1]


def _correlations(means: Floats) -> tuple[Floats, Floats]:
    """(M, M) tau-b, and tau_AP by truth and estimate, of the means (M, R) of R systems."""
    count = means.shape[1]
    difference = means[:, :, None] - means[:, None, :]
    sign = np.sign(np.where(np.abs(difference) <= TOLERANCE, 0.0, difference))
    order = orders_of(means, TOLERANCE)
    tau = taus(order[:, None], order)
    # tau_AP is linear in what the truth says of the pairs that the estimate orders, each weighing 1 / (rank - 1)
    truth = (1 + sign) / 2
    higher, same = (sign > 0).sum(axis=1), (sign == 0).sum(axis=1)  # of the others, above and beside each
    inverse = np.append(0.0, np.cumsum(1 / np.arange(1, count)))  # sums of 1 / (rank - 1)
    upto = inverse[np.minimum(higher + same, count) - 1] - inverse[np.maximum(higher - 1, 0)]
    first = higher == 0  # 1 / 0 of the first rank counts nothing
    weight = np.where(first, inverse[same - 1], upto) / same
    ordered = (sign > 0) * weight[:, None, :]
    tied = np.zeros(len(means))
    for measure in range(len(means)):
        begins = higher[measure]
        inside = _place_in_tie(begins)
        tied[measure] = divided(inside / 2, begins + inside).sum()
    flat = len(means), count * count
    right = truth.reshape(flat) @ ordered.reshape(flat).T + tied
    ap = 2 * right / max(count - 1, 1) - 1
    return tau, np.where(np.isnan(tau), np.nan, ap)


def _place_in_tie(begins: np.ndarray) -> np.ndarray:
    """0, 1, 2 … among those of equal rank, by the ranks at which ties begin."""
    order = np.argsort(begins, kind="stable")
    place = np.empty(len(begins), dtype=np.int64)
    place[order] = place_in_group(begins[order])
    return place
