"""Numbers of a sample of runs or of topics: with what they are in resamples of it, and without each of its members.

A statistic is a function of weights: how often each member of the sample counts. One call gives its value (every
member once), its bootstrap distribution (members drawn with replacement) and its jackknife (each member left out),
so that intervals and influence follow for whatever is computed of such numbers.

Weights are (R, n), a row for each time that the statistic is computed; results are (R,). With weights of 1 they are
the statistics of `correlations`; with the numbers of times that members are drawn, those of a bootstrap resample; with
one weight of 0, those without that member. NaN where a statistic is not defined.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np

from focuseval.model.arrays import Floats
from focuseval.statistics.correlations import FEWEST_RUNS, orders_of
from focuseval.statistics.significance import expanded, times_drawn

#: share between the limits of an interval
LEVEL = 0.95


@dataclass(frozen=True)
class Sample:
    """Runs or topics, and B resamples of them: as many draws as members, with replacement.

    Samples of different names are drawn independently of each other; a sample is the same for one seed on any machine.
    """

    name: str  #: unique within one analysis
    members: tuple[str, ...]
    over: str  #: name of the members: "runs", "topics"
    resamples: int
    seed: int

    def tail(self, level: float) -> float:
        """The share of the resamples below the interval at a level, and above it; NaN of too few members.

        These are fewer than `FEWEST_RUNS` runs, of which every correlation is near 1 or -1, or a single topic.
        """
        n = len(self.members)
        return expanded(level, n) if n >= (FEWEST_RUNS if self.over == "runs" else 2) else float("nan")

    @cached_property
    def weights(self) -> Floats:
        """(1 + B + n, n): every member once, then B resamples, then every member but one."""
        n = len(self.members)
        drawn = times_drawn(n, self.resamples, [self.seed, crc32(self.name.encode())])
        return np.vstack([np.ones((1, n)), drawn, 1.0 - np.eye(n)])

    def estimate(self, statistic: Callable[[Floats], Floats]) -> "Estimate":
        """Estimate a statistic, from weights (R, n) to values (R,), on the sample."""
        return self.estimates(lambda weights: statistic(weights)[:, None])[0]

    def estimates(self, statistics: Callable[[Floats], Floats]) -> list["Estimate"]:
        """Estimate C statistics, from weights (R, n) to values (R, C), on the sample."""
        values = statistics(self.weights)
        begin = 1 + self.resamples
        return [Estimate(float(c[0]), c[1:begin], {self: c[begin:]}) for c in np.ascontiguousarray(values.T)]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number of one or several samples, which arithmetic keeps together with its resamples and its jackknife."""

    value: float
    drawn: Floats  #: (B,) in each resample
    without: Mapping[Sample, Floats]  #: (n,) for each sample: the number without each of its members

    @property
    def n(self) -> int:
        """The number of members of all samples."""
        return sum(len(sample.members) for sample in self.without)

    @property
    def over(self) -> str:
        """The name of the members."""
        return " and ".join(dict.fromkeys(sample.over for sample in self.without))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The interval at `LEVEL`."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> tuple[float, float]:
        """The expanded bootstrap percentile interval at a level, of as many members as the smallest sample has.

        NaN of too few members (`Sample.tail`). Resamples in which the number is not defined (a correlation of what is
        constant) are left out.
        """
        defined = self.drawn[~np.isnan(self.drawn)]
        tail = np.min([sample.tail(level) for sample in self.without])  # NaN if one is
        if np.isnan(self.value) or not len(defined) or np.isnan(tail):
            return float("nan"), float("nan")
        low, high = np.quantile(defined, [tail, 1 - tail])
        return float(low), float(high)

    @property
    def influential(self) -> tuple[str, float]:
        """The member without which the number changes most, and what it is then; ("", NaN) if it is not defined."""
        name, value = "", float("nan")
        for sample, without in self.without.items():
            change = np.abs(without - self.value)
            if np.isnan(change).all():
                continue
            # the first of members with equal changes up to rounding
            most = int(np.flatnonzero(change >= np.nanmax(change) * (1 - 1e-9))[0])
            if not name or change[most] > abs(value - self.value):
                name, value = sample.members[most], float(without[most])
        return name, value


#: a number, with or without what it rests on
Quantity = Estimate | float


def value_of(quantity: Quantity) -> float:
    """The number itself."""
    return quantity.value if isinstance(quantity, Estimate) else float(quantity)


def combined(function: Callable[..., Floats], *parts: Quantity) -> Quantity:
    """A function of numbers that works element by element on arrays; an estimate if one of them is."""
    estimates = [part for part in parts if isinstance(part, Estimate)]
    value = float(function(*map(value_of, parts)))
    if not estimates:
        return value
    samples = dict.fromkeys(sample for part in estimates for sample in part.without)

    def of(part: Quantity, sample: Sample) -> Floats | float:
        return part.without.get(sample, part.value) if isinstance(part, Estimate) else part

    return Estimate(
        value,
        np.asarray(function(*(part.drawn if isinstance(part, Estimate) else part for part in parts))),
        {sample: np.asarray(function(*(of(part, sample) for part in parts))) for sample in samples},
    )


def difference(first: Quantity, second: Quantity) -> Quantity:
    """The first number less the second."""
    return combined(np.subtract, first, second)


def ratio(above: Quantity, below: Quantity) -> Quantity:
    """One number divided by another, NaN where that is 0."""
    return combined(lambda a, b: np.where(b == 0, np.nan, a / np.where(b == 0, 1.0, b)), above, below)


def lowest(parts: Iterable[Quantity]) -> Quantity:
    """The lowest of some numbers, NaN if one is; in each resample the lowest of that resample."""
    return _over_parts(np.min, parts)


def highest(parts: Iterable[Quantity]) -> Quantity:
    """The highest of some numbers, NaN if one is; in each resample the highest of that resample."""
    return _over_parts(np.max, parts)


def mean(parts: Iterable[Quantity]) -> Quantity:
    """The mean of some numbers, NaN if one is."""
    return _over_parts(np.mean, parts)


def mean_of_defined(parts: Iterable[Quantity]) -> Quantity:
    """The mean of those numbers that are defined, in each resample of those defined there; NaN if none is."""

    def over(values: Floats, axis: int) -> Floats:
        defined = ~np.isnan(values)
        count = defined.sum(axis=axis)
        total = np.where(defined, values, 0.0).sum(axis=axis)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    return _over_parts(over, parts)


def _over_parts(reduce: Callable[..., Floats], parts: Iterable[Quantity]) -> Quantity:
    parts = list(parts)
    if not parts:
        return float("nan")
    return combined(lambda *values: reduce(np.stack(np.broadcast_arrays(*values)), axis=0), *parts)


#: weights (R, n) to values (R,)
Statistic = Callable[[Floats], Floats]


def _ratio(above: Floats, below: Floats) -> Floats:
    """Return quotients, NaN for a division by 0."""
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
    """Return (R, n) mean ranks of values (n,) with multiplicities."""
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
