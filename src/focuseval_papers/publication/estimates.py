"""Estimates: numbers from a sample of runs or topics, with their values in resamples and without each member.

A statistic is a function of weights, which say how often each member of the sample counts. One call computes the value
of the statistic (every member counts once), its bootstrap distribution (members are drawn with replacement) and its
jackknife (each member is left out once). Every number that is computed from statistics therefore has an interval and a
most influential member.

Weights have the shape (R, n): a row for each value of the statistic, and a column for each member. Results have the
shape (R,). A row of ones gives the value for the sample. A row that counts how often each member is drawn gives the
value for a resample. A row with one 0 gives the value without that member. An undefined value is NaN.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from zlib import crc32

import numpy as np

from focuseval.model.arrays import Floats
from focuseval.statistics.correlations import FEWEST_RUNS, orders_of
from focuseval.statistics.significance import expanded, times_drawn

#: the confidence level of intervals
LEVEL = 0.95


@dataclass(frozen=True)
class Sample:
    """A sample of runs or topics, from which resamples of the same size are drawn with replacement.

    The resamples of samples with different names are independent. They depend only on the name, the number of members
    and the seed, and are the same on any machine.
    """

    name: str  #: the name of the sample, which is unique in an analysis
    members: tuple[str, ...]
    over: str  #: the kind of members, such as "runs" or "topics"
    resamples: int
    seed: int

    def tail(self, level: float) -> float:
        """Return the share of resamples outside each limit of the interval at a level; NaN for too few members.

        One topic is too few for an interval. Fewer than `FEWEST_RUNS` runs are too few, because all their correlations
        are near 1 or -1.
        """
        n = len(self.members)
        return expanded(level, n) if n >= (FEWEST_RUNS if self.over == "runs" else 2) else float("nan")

    @cached_property
    def weights(self) -> Floats:
        """Return the weights of n members, of shape (1 + B + n, n).

        The rows are the sample itself, its B resamples, and the sample without each of its members.
        """
        n = len(self.members)
        drawn = times_drawn(n, self.resamples, [self.seed, crc32(self.name.encode())])
        return np.vstack([np.ones((1, n)), drawn, 1.0 - np.eye(n)])

    def estimate(self, statistic: Callable[[Floats], Floats]) -> "Estimate":
        """Estimate a statistic, which takes weights of shape (R, n) and returns values of shape (R,)."""
        return self.estimates(lambda weights: statistic(weights)[:, None])[0]

    def estimates(self, statistics: Callable[[Floats], Floats]) -> list["Estimate"]:
        """Estimate C statistics at once; ``statistics`` takes weights of shape (R, n) and returns values (R, C)."""
        values = statistics(self.weights)
        begin = 1 + self.resamples
        return [Estimate(float(c[0]), c[1:begin], {self: c[begin:]}) for c in np.ascontiguousarray(values.T)]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number from one or several samples, with its value in every resample and without each member."""

    value: float
    drawn: Floats  #: the values in B resamples, of shape (B,)
    #: for each sample of n members, the values without its first, second, ... member, of shape (n,)
    without: Mapping[Sample, Floats]

    @property
    def n(self) -> int:
        """Return the total number of members of the samples."""
        return sum(len(sample.members) for sample in self.without)

    @property
    def over(self) -> str:
        """Return the kind of the members, such as "runs", or "runs and topics" for samples of both."""
        return " and ".join(dict.fromkeys(sample.over for sample in self.without))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Return the interval at `LEVEL`."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> tuple[float, float]:
        """Return the bootstrap percentile interval at a level, widened for the size of the smallest sample.

        The limits are NaN for too few members (`Sample.tail`). Resamples in which the number is undefined are left out,
        such as resamples in which a correlated measure is constant.
        """
        defined = self.drawn[~np.isnan(self.drawn)]
        tail = np.min([sample.tail(level) for sample in self.without])  # NaN if a sample has too few members
        if np.isnan(self.value) or not len(defined) or np.isnan(tail):
            return float("nan"), float("nan")
        low, high = np.quantile(defined, [tail, 1 - tail])
        return float(low), float(high)

    @property
    def influential(self) -> tuple[str, float]:
        """Return the member whose removal changes the number most, and the number after the removal.

        The result is ``("", NaN)`` if the number is undefined whichever member is removed.
        """
        name, value = "", float("nan")
        for sample, without in self.without.items():
            change = np.abs(without - self.value)
            if np.isnan(change).all():
                continue
            # changes that differ only by rounding errors count as equal, so that the first such member is chosen
            most = int(np.flatnonzero(change >= np.nanmax(change) * (1 - 1e-9))[0])
            if not name or change[most] > abs(value - self.value):
                name, value = sample.members[most], float(without[most])
        return name, value


#: a number that claims can use: an estimate, or a plain number, which has no sample
Quantity = Estimate | float


def value_of(quantity: Quantity) -> float:
    """Return a quantity as a plain number."""
    return quantity.value if isinstance(quantity, Estimate) else float(quantity)


def combined(function: Callable[..., Floats], *parts: Quantity) -> Quantity:
    """Apply a function to quantities; if one of them is an estimate, the result is an estimate.

    The function must also work on arrays, element by element.
    """
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
    """Return ``first - second``."""
    return combined(np.subtract, first, second)


def ratio(above: Quantity, below: Quantity) -> Quantity:
    """Return ``above / below``; NaN if ``below`` is 0."""
    return combined(lambda a, b: np.where(b == 0, np.nan, a / np.where(b == 0, 1.0, b)), above, below)


def lowest(parts: Iterable[Quantity]) -> Quantity:
    """Return the lowest of some quantities; NaN if one of them is NaN, or if there are none."""
    return _over_parts(np.min, parts)


def highest(parts: Iterable[Quantity]) -> Quantity:
    """Return the highest of some quantities; NaN if one of them is NaN, or if there are none."""
    return _over_parts(np.max, parts)


def mean(parts: Iterable[Quantity]) -> Quantity:
    """Return the mean of some quantities; NaN if one of them is NaN, or if there are none."""
    return _over_parts(np.mean, parts)


def mean_of_defined(parts: Iterable[Quantity]) -> Quantity:
    """Return the mean of the quantities that are not NaN; NaN if there are none."""

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


#: a function that takes weights of shape (R, n) and returns the values of a statistic, of shape (R,)
Statistic = Callable[[Floats], Floats]


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide arrays element by element; the result is NaN unless ``below`` is positive."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)


def mean_of(values: Floats) -> Statistic:
    """Return the mean of n values as a function of weights; values that are NaN do not count."""
    return ratio_of(np.where(np.isnan(values), 0.0, values), 1.0 - np.isnan(values))


def ratio_of(above: Floats, below: Floats) -> Statistic:
    """Return ``sum(above) / sum(below)`` as a function of weights, for two columns of shape (n,)."""
    return lambda weights: _ratio(weights @ above, weights @ below)


def _pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Return Pearson's r of ``x`` and ``y`` in R resamples, for weights of shape (R, n).

    A column of shape (n,) has the same values in all resamples. A column of shape (R, n) has a row for each resample.
    """
    total = weights.sum(axis=1, keepdims=True)

    def centred(values: Floats) -> tuple[Floats, Floats]:
        """Return distances from the mean, and the sum of their squares, or 0 if the sum is only a rounding error."""
        values = np.broadcast_to(values, weights.shape)
        distance = values - (weights * values).sum(axis=1, keepdims=True) / total
        squares = (weights * distance**2).sum(axis=1)
        return distance, np.where(squares > 1e-24 * (weights * values**2).sum(axis=1), squares, 0.0)

    (a, of_a), (b, of_b) = centred(x), centred(y)
    return np.clip(_ratio((weights * a * b).sum(axis=1), np.sqrt(of_a * of_b)), -1.0, 1.0)


def pearson_of(x: Floats, y: Floats) -> Statistic:
    """Return Pearson's r of two columns of shape (n,) as a function of weights."""
    return lambda weights: _pearson(weights, x, y)


def ranks_of(weights: Floats, values: Floats) -> Floats:
    """Return the ranks of n values in R resamples, of shape (R, n); equal values share the mean of their ranks."""
    below = (values[:, None] < values[None, :]).astype(float)
    same = (values[:, None] == values[None, :]).astype(float)
    return weights @ below + (weights @ same + 1) / 2


def spearman_of(x: Floats, y: Floats) -> Statistic:
    """Return Spearman's rho of two columns of shape (n,) as a function of weights; each resample is ranked anew."""
    return lambda weights: _pearson(weights, ranks_of(weights, x), ranks_of(weights, y))


def pairs_of(weights: Floats) -> Floats:
    """Return the weights of all pairs of different members in R resamples, of shape (R, n(n-1)/2).

    Pairs are in the order of `numpy.triu_indices`.
    """
    first, second = np.triu_indices(weights.shape[1], k=1)
    return weights[:, first] * weights[:, second]


def kendall_of(x: Floats, y: Floats) -> Statistic:
    """Return Kendall's tau-b of two columns of shape (n,) as a function of weights.

    A member that is drawn twice does not form a pair with itself.
    """
    return lambda weights: kendalls_of(np.stack([x, y]), [(0, 1)])(weights)[:, 0]


def kendalls_of(columns: Floats, pairs: Sequence[tuple[int, int]]) -> Statistic:
    """Return Kendall's tau-b of P pairs of columns as a function of weights; ``columns`` has the shape (C, n).

    ``tau_b = sum w s_x s_y / sqrt(sum w |s_x| * sum w |s_y|)`` over pairs of members. Here w is the weight of a pair of
    members. In the columns x and y, s_x and s_y say which member is higher (-1 or 1), or that both are equal (0). The
    function returns values of shape (R, P).
    """
    # single precision is exact here, because weights and the signs of differences are small whole numbers
    order = orders_of(columns).T.astype(np.float32)
    first, second = (list(places) for places in zip(*pairs, strict=True))

    def statistics(weights: Floats) -> Floats:
        counted = pairs_of(weights.astype(np.float32))
        ordered = (counted @ np.abs(order)).astype(float)
        above = (counted @ (order[:, first] * order[:, second])).astype(float)
        return _ratio(above, np.sqrt(ordered[:, first] * ordered[:, second]))

    return statistics


def share_of_pairs(marked: Floats) -> Statistic:
    """Return the share of marked pairs of members as a function of weights.

    ``marked`` has 0 or 1 for each pair, in the order of `pairs_of`.
    """

    def share(weights: Floats) -> Floats:
        pairs = pairs_of(weights)
        return _ratio(pairs @ marked, pairs.sum(axis=1))

    return share
