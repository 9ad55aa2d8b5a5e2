"""Statistics of a sample whose members count as often as weights say: means and correlations.

Weights are (R, n), a row for each time that the statistic is computed; results are (R,). With weights of 1 they are
the statistics of `correlations`; with the numbers of times that members are drawn, those of a bootstrap resample; with
one weight of 0, those without that member. NaN where a statistic is not defined.
"""

from collections.abc import Callable, Sequence

import numpy as np

from focuseval.model.arrays import Floats
from focuseval.statistics.correlations import orders_of

#: weights (R, n) to values (R,)
Statistic = Callable[[Floats], Floats]


def _ratio(above: Floats, below: Floats) -> Floats:
    """Quotients, NaN where there is nothing to divide by."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)


def mean_of(values: Floats) -> Statistic:
    """The mean of values (n,), of those that are defined."""
    return ratio_of(np.where(np.isnan(values), 0.0, values), 1.0 - np.isnan(values))


def ratio_of(above: Floats, below: Floats) -> Statistic:
    """The sum of one column (n,) divided by that of another."""
    return lambda weights: _ratio(weights @ above, weights @ below)


def _pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """r of columns that are the same in every row (n,), or not (R, n)."""
    total = weights.sum(axis=1, keepdims=True)

    def centred(values: Floats) -> tuple[Floats, Floats]:
        """Distances from the mean, and the sum of their squares: 0 where rounding is all that is left."""
        values = np.broadcast_to(values, weights.shape)
        distance = values - (weights * values).sum(axis=1, keepdims=True) / total
        squares = (weights * distance**2).sum(axis=1)
        return distance, np.where(squares > 1e-24 * (weights * values**2).sum(axis=1), squares, 0.0)

    (a, of_a), (b, of_b) = centred(x), centred(y)
    return np.clip(_ratio((weights * a * b).sum(axis=1), np.sqrt(of_a * of_b)), -1.0, 1.0)


def pearson_of(x: Floats, y: Floats) -> Statistic:
    """Pearson's r of two columns (n,)."""
    return lambda weights: _pearson(weights, x, y)


def ranks_of(weights: Floats, values: Floats) -> Floats:
    """(R, n) mean ranks of values (n,) of which each stands as often as it counts."""
    below = (values[:, None] < values[None, :]).astype(float)
    same = (values[:, None] == values[None, :]).astype(float)
    return weights @ below + (weights @ same + 1) / 2


def spearman_of(x: Floats, y: Floats) -> Statistic:
    """Spearman's rho of two columns (n,): Pearson's r of the mean ranks in each resample."""
    return lambda weights: _pearson(weights, ranks_of(weights, x), ranks_of(weights, y))


def pairs_of(weights: Floats) -> Floats:
    """(R, n(n-1)/2) how often each pair of two different members counts, in the order of `numpy.triu_indices`."""
    first, second = np.triu_indices(weights.shape[1], k=1)
    return weights[:, first] * weights[:, second]


def kendall_of(x: Floats, y: Floats) -> Statistic:
    """Kendall's tau-b of two columns (n,).

    A member that is drawn twice is no pair with itself: tau of a resample is over pairs of different members.
    """
    return lambda weights: kendalls_of(np.stack([x, y]), [(0, 1)])(weights)[:, 0]


def kendalls_of(columns: Floats, pairs: Sequence[tuple[int, int]]) -> Statistic:
    """Kendall's tau-b of pairs of columns: weights (R, n) to (R, P), from (C, n) and the places of P pairs.

    ``tau_b = sum w s_x s_y / sqrt(sum w |s_x| * sum w |s_y|)`` over pairs of members, w how often the pair counts, s
    in which order it stands (-1, 0 or 1).
    """
    # whole numbers, which single precision adds up without rounding
    order = orders_of(columns).T.astype(np.float32)
    first, second = (list(places) for places in zip(*pairs, strict=True))

    def statistics(weights: Floats) -> Floats:
        counted = pairs_of(weights.astype(np.float32))
        ordered = (counted @ np.abs(order)).astype(float)
        above = (counted @ (order[:, first] * order[:, second])).astype(float)
        return _ratio(above, np.sqrt(ordered[:, first] * ordered[:, second]))

    return statistics


def share_of_pairs(marked: Floats) -> Statistic:
    """The share of all pairs of different members that are marked: (n(n-1)/2,) of 0 and 1, as `pairs_of` has them."""

    def share(weights: Floats) -> Floats:
        pairs = pairs_of(weights)
        return _ratio(pairs @ marked, pairs.sum(axis=1))

    return share
