"""Estimates: numbers from a sample of runs or topics, with their values in resamples and without each member.

A statistic is a function of weights, which say how often each member of the sample counts. One call computes its value,
its bootstrap distribution and its jackknife. For the value, every member counts once. For the bootstrap, members are
drawn with replacement. For the jackknife, each member is left out once. Every number that is computed from statistics
therefore has an interval and a most influential member.

Weights have the shape (R, n), with a row for each of R values and a column for each of n members. The results have the
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
    """A sample of runs or topics, from which members are drawn with replacement.

    Resamples depend only on the name, the number of members and the seed. They are reproducible on any machine. Samples
    with different names have independent resamples.
    """

    name: str  #: the name, which is unique in an analysis
    members: tuple[str, ...]
    over: str  #: the kind of members, such as "runs" or "topics"
    resamples: int
    seed: int

    def tail(self, level: float) -> float:
        """Return the share of resamples below the lower limit, and above the upper limit, of an interval at a level.

        The result is NaN for one topic, and for fewer than `FEWEST_RUNS` runs. Correlations of so few runs are all near
        1 or -1.
        """
        n = len(self.members)
        return expanded(level, n) if n >= (FEWEST_RUNS if self.over == "runs" else 2) else float("nan")

    @cached_property
    def weights(self) -> Floats:
        """Return rows of members' weights: one for the sample, one for each resample, and one without each member."""
        n = len(self.members)
        drawn = times_drawn(n, self.resamples, [self.seed, crc32(self.name.encode())])
        return np.vstack([np.ones((1, n)), drawn, 1.0 - np.eye(n)])

    def estimate(self, statistic: Callable[[Floats], Floats]) -> "Estimate":
        """Estimate a number by ``statistic``, which returns a value for each row of members' weights."""
        return self.estimates(lambda weights: statistic(weights)[:, None])[0]

    def estimates(self, statistics: Callable[[Floats], Floats]) -> list["Estimate"]:
        """Estimate several numbers by ``statistics``, which returns a row of numbers for each row of weights."""
        values = statistics(self.weights)
        begin = 1 + self.resamples
        return [Estimate(float(c[0]), c[1:begin], {self: c[begin:]}) for c in np.ascontiguousarray(values.T)]


@dataclass(frozen=True, eq=False)
class Estimate:
    """A number computed from samples, its value in each resample, and its value without each member of a sample."""

    value: float
    drawn: Floats  #: the value in each resample
    #: for each sample, the value without each of its members
    without: Mapping[Sample, Floats]

    @property
    def n(self) -> int:
        """Return the total number of members of all samples."""
        return sum(len(sample.members) for sample in self.without)

    @property
    def over(self) -> str:
        """Return what the samples consist of, such as "runs", or "runs and topics" for a sample of each kind."""
        return " and ".join(dict.fromkeys(sample.over for sample in self.without))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Return the bootstrap interval of the number at the level `LEVEL`."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> tuple[float, float]:
        """Return the bootstrap percentile interval at a level, widened for small samples.

        The limits are NaN if a sample has too few members (`Sample.tail`). Resamples in which the number is undefined
        do not count.
        """
        defined = self.drawn[~np.isnan(self.drawn)]
        tail = np.min([sample.tail(level) for sample in self.without])  # NaN if a sample has too few members
        if np.isnan(self.value) or not len(defined) or np.isnan(tail):
            return float("nan"), float("nan")
        low, high = np.quantile(defined, [tail, 1 - tail])
        return float(low), float(high)

    @property
    def influential(self) -> tuple[str, float]:
        """Return the member whose removal changes the number most, and the number after this removal.

        The result is ``("", NaN)`` if the number is undefined after every removal.
        """
        name, value = "", float("nan")
        for sample, without in self.without.items():
            change = np.abs(without - self.value)
            if np.isnan(change).all():
                continue
            # if the largest changes differ only by floating-point rounding, the first of these members is chosen
            most = int(np.flatnonzero(change >= np.nanmax(change) * (1 - 1e-9))[0])
            if not name or change[most] > abs(value - self.value):
                name, value = sample.members[most], float(without[most])
        return name, value


#: a number that claims can use: an estimate, or a plain number without a sample
Quantity = Estimate | float


def value_of(quantity: Quantity) -> float:
    """Return a quantity as a plain number."""
    return quantity.value if isinstance(quantity, Estimate) else float(quantity)


def combined(function: Callable[..., Floats], *parts: Quantity) -> Quantity:
    """Apply a function to quantities; the result is an estimate if any quantity is one.

    The function must also accept arrays, and work element by element.
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
    """Return ``above / below``, or NaN if ``below`` is 0."""
    return combined(lambda a, b: np.where(b == 0, np.nan, a / np.where(b == 0, 1.0, b)), above, below)


def lowest(parts: Iterable[Quantity]) -> Quantity:
    """Return the lowest quantity; NaN if there are none, or if any is NaN."""
    return _over_parts(np.min, parts)


def highest(parts: Iterable[Quantity]) -> Quantity:
    """Return the highest quantity; NaN if there are none, or if any is NaN."""
    return _over_parts(np.max, parts)


def mean(parts: Iterable[Quantity]) -> Quantity:
    """Return the mean of the quantities; NaN if there are none, or if any is NaN."""
    return _over_parts(np.mean, parts)


def mean_of_defined(parts: Iterable[Quantity]) -> Quantity:
    """Return the mean of the quantities that are not NaN, or NaN if there are none."""

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


#: takes rows of weights, and returns the value of a statistic for each row
Statistic = Callable[[Floats], Floats]


def _ratio(above: Floats, below: Floats) -> Floats:
    """Divide arrays element by element, with NaN unless ``below`` is positive."""
    return np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)


def mean_of(values: Floats) -> Statistic:
    """Return a function that computes the mean of the values that are not NaN, for rows of their weights."""
    return ratio_of(np.where(np.isnan(values), 0.0, values), 1.0 - np.isnan(values))


def ratio_of(above: Floats, below: Floats) -> Statistic:
    """Return a function that computes the ratio of the weighted sums of two columns, for rows of weights."""
    return lambda weights: _ratio(weights @ above, weights @ below)


def _pearson(weights: Floats, x: Floats, y: Floats) -> Floats:
    """Return Pearson's r of two columns for R rows of weights of n members.

    A column has the shape (n,), or (R, n) if its values depend on the row.
    """
    total = weights.sum(axis=1, keepdims=True)

    def centred(values: Floats) -> tuple[Floats, Floats]:
        """Return the distances from the mean, and the sum of squared distances (0 within rounding error)."""
        values = np.broadcast_to(values, weights.shape)
        distance = values - (weights * values).sum(axis=1, keepdims=True) / total
        squares = (weights * distance**2).sum(axis=1)
        return distance, np.where(squares > 1e-24 * (weights * values**2).sum(axis=1), squares, 0.0)

    (a, of_a), (b, of_b) = centred(x), centred(y)
    return np.clip(_ratio((weights * a * b).sum(axis=1), np.sqrt(of_a * of_b)), -1.0, 1.0)


def pearson_of(x: Floats, y: Floats) -> Statistic:
    """Return a function that computes Pearson's r of two columns, for rows of members' weights."""
    return lambda weights: _pearson(weights, x, y)


def ranks_of(weights: Floats, values: Floats) -> Floats:
    """Return the ranks of values, with a row for each row of weights; tied values get their mean rank."""
    below = (values[:, None] < values[None, :]).astype(float)
    same = (values[:, None] == values[None, :]).astype(float)
    return weights @ below + (weights @ same + 1) / 2


def spearman_of(x: Floats, y: Floats) -> Statistic:
    """Return a function that computes Spearman's rho of two columns, for rows of members' weights."""
    return lambda weights: _pearson(weights, ranks_of(weights, x), ranks_of(weights, y))


def pairs_of(weights: Floats) -> Floats:
    """Return the weights of all pairs of n members in R resamples, of shape (R, n(n-1)/2).

    Pairs are in the order of `numpy.triu_indices`.
    """
    first, second = np.triu_indices(weights.shape[1], k=1)
    return weights[:, first] * weights[:, second]


def kendall_of(x: Floats, y: Floats) -> Statistic:
    """Return a function that computes Kendall's tau-b of two columns, for rows of members' weights.

    A member that is drawn twice does not form a pair with itself.
    """
    return lambda weights: kendalls_of(np.stack([x, y]), [(0, 1)])(weights)[:, 0]


def kendalls_of(columns: Floats, pairs: Sequence[tuple[int, int]]) -> Statistic:
    """Return a function that computes Kendall's tau-b of P pairs of columns, for rows of members' weights.

    ``columns`` contains C columns of n values, in the shape (C, n), and ``pairs`` contains their indices. For R rows of
    weights, the function returns values of shape (R, P). For columns x and y, tau_b is ``sum w s_x s_y / sqrt(sum w
    |s_x| * sum w |s_y|)`` over pairs of members. Here w is the weight of a pair, and s_x and s_y are the signs (-1, 0
    or 1) of its differences in x and y.
    """
    # single precision is exact, because weights and signs of differences are small whole numbers
    order = orders_of(columns).T.astype(np.float32)
    first, second = (list(places) for places in zip(*pairs, strict=True))

    def statistics(weights: Floats) -> Floats:
        counted = pairs_of(weights.astype(np.float32))
        ordered = (counted @ np.abs(order)).astype(float)
        above = (counted @ (order[:, first] * order[:, second])).astype(float)
        return _ratio(above, np.sqrt(ordered[:, first] * ordered[:, second]))

    return statistics


def share_of_pairs(marked: Floats) -> Statistic:
    """Return a function that computes the share of marked pairs of members, for rows of members' weights.

    ``marked`` contains 0 or 1 for each pair, in the order of `pairs_of`.
    """

    def share(weights: Floats) -> Floats:
        pairs = pairs_of(weights)
        return _ratio(pairs @ marked, pairs.sum(axis=1))

    return share
