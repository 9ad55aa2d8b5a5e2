"""Tests of differences between systems, corrections for multiple comparisons, and confidence intervals.

Tests compare systems topic by topic. Random resamples depend only on a seed, so that results do not depend on the order
of pairs. SciPy is imported only by functions that need it, because it is slow to import.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

#: the maximum relative rounding error; numbers that differ by at most this count as equal
TOLERANCE = 1e-12

#: the maximum number of resampled means that are in memory at once
BLOCK = 1 << 21

#: with at most this number n of topics, the randomisation test enumerates all 2^n combinations of signs
EXACT_TOPICS = 16


def rounding(*numbers: ArrayLike) -> Floats:
    """Return the largest difference that rounding can cause between ``numbers``, which are arrays of equal shape.

    At each position, this is `TOLERANCE` times the largest absolute value.
    """
    return TOLERANCE * np.max(np.abs(np.broadcast_arrays(*numbers)), axis=0)


def difference(first: ArrayLike, second: ArrayLike, *others: ArrayLike) -> Floats:
    """Return ``second`` minus ``first``, or 0 where they differ only by rounding.

    ``others`` are numbers from which ``first`` and ``second`` were computed. Larger numbers have larger rounding
    errors.
    """
    change = np.subtract(second, first)
    return np.where(np.abs(change) <= rounding(first, second, *others), 0.0, change)


def order_of(first: ArrayLike, second: ArrayLike, *others: ArrayLike) -> Floats:
    """Return 1 where ``second`` is higher than ``first``, -1 where it is lower, and 0 where they are equal.

    Numbers are equal if they differ only by rounding (`difference`).
    """
    return np.sign(difference(first, second, *others))


def times_drawn(topics: int, resamples: int, seed: int | Sequence[int]) -> Floats:
    """Draw resamples of topics with replacement. Return how often each topic (column) is in each resample (row)."""
    times = np.empty((resamples, topics))
    for part, integers in _random_integers(topics, topics, resamples, seed):
        integers += topics * np.arange(len(integers))[:, None]
        times[part] = np.bincount(integers.ravel(), minlength=integers.size).reshape(integers.shape)
    return times


def _random_integers(
    below: int, topics: int, resamples: int, seed: int | Sequence[int]
) -> Iterator[tuple[slice, Ints]]:
    """Draw random integers below ``below``, with a row for each resample and a column for each topic.

    To limit memory, this yields blocks of rows. A block is a slice, and the integers in these rows.
    """
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // max(1, topics))
    for begin in range(0, resamples, rows):
        part = slice(begin, min(begin + rows, resamples))
        yield part, generator.integers(0, below, size=(part.stop - begin, topics))


def flips_of(topics: int, resamples: int, seed: int) -> tuple[Ints, bool]:
    """Return assignments for the randomisation test, and whether they are all possible assignments.

    Each row is an assignment. A 1 means that the two systems are exchanged on the topic in this column.
    """
    if topics <= EXACT_TOPICS:
        return np.arange(1 << topics)[:, None] >> np.arange(topics) & 1, True
    flips = np.empty((resamples, topics), dtype=np.int8)
    for part, integers in _random_integers(2, topics, resamples, seed):
        flips[part] = integers
    return flips, False


def subset_sums(sums: Floats, flips: Ints, total: Floats, *, exact: bool) -> tuple[Floats, Ints, int]:
    """Return sums over nonempty subsets of topics, the sizes of these subsets, and the number of all subsets.

    Each row of ``flips`` marks a subset with 1, and the same row of ``sums`` has the sum over it. ``total`` is the sum
    over all topics. Unless ``exact``, the complements of the subsets and the set of all topics are added. The number of
    all subsets includes empty subsets.
    """
    size = flips.sum(axis=1, dtype=int)
    if not exact:
        sums = np.concatenate([sums, total - sums, total[None]])
        size = np.concatenate([size, flips.shape[1] - size, [flips.shape[1]]])
    return sums[size > 0], size[size > 0], len(size) + (not exact)


def on_grid(values: Floats) -> Floats:
    """Round the values of each column to a grid on which their sum is exact in any order."""
    unit = np.ldexp(1.0, np.frexp(np.abs(values).max(axis=0, initial=0.0) * len(values))[1] - 52)
    return np.round(values / unit) * unit


def limits_of(numbers: Floats, count: int, level: float, rounding: Floats) -> Floats:
    """Return a lower and an upper limit for each column, with the share (1 - level) / 2 of numbers beyond each limit.

    Each column has ``count`` numbers. Numbers that are missing in ``numbers`` count as beyond either limit. Limits are
    NaN if the missing numbers exceed this share, and if the limits differ by at most the ``rounding`` of the column.
    """
    place = int((1 - level) / 2 * count + 1e-9) - (count - len(numbers))
    if place < 0:
        return np.full((2, numbers.shape[1]), np.nan)
    in_order = np.array(numbers.T, order="C")
    in_order.sort()  # faster than `numpy.partition`, because rows are contiguous in memory
    limits: Floats = in_order.T[[place, -1 - place]]
    limits[np.abs(limits) <= rounding] = 0.0
    limits[:, limits[1] - limits[0] <= rounding] = np.nan
    return limits


@dataclass(frozen=True, eq=False)
class Differences:
    """Differences between the scores of P pairs of runs on n topics, which can be computed for any set of topics.

    A difference is the score of the second run minus the score of the first run. Scores of pooled measures are computed
    from sums of counts.
    """

    values: Floats  #: values for each topic and pair, which can be summed over topics: (n, P, …)
    exchanged: Floats  #: the values if the two runs of each pair are exchanged: (n, P, …)
    #: computes the difference of each pair from the sums of values over a set of topics, and the size of the set
    number: Callable[[Floats, Any], Floats]
    #: the largest rounding error in the difference of each pair: (P,)
    rounding: Floats

    @classmethod
    def of_means(cls, change: Floats, rounding: Floats | None = None) -> "Differences":
        """Return the differences between means over topics.

        ``change`` has the second run's score minus the first run's, for each topic (row) and pair (column).
        ``rounding`` has the rounding error of each change. By default, it is computed from the changes.
        """
        rounding = TOLERANCE * np.abs(change) if rounding is None else rounding
        return cls(change, -change, _mean_of, rounding.sum(axis=0) / max(1, len(change)))

    def turned(self) -> "Differences":
        """Return the differences with the two runs of each pair exchanged."""
        return replace(self, values=self.exchanged, exchanged=self.values)

    def strongest(self, side: Floats) -> Ints:
        """Return, for each pair, the topic that contributes most to a difference with the sign ``side``.

        This is the first topic without which the difference times ``side`` is lowest.
        """
        rest = self.values.sum(axis=0) - self.values
        differences = self.number(rest, len(rest) - 1) * side
        return np.argmax(differences <= differences.min(axis=0) + self.rounding, axis=0)

    def without(self, topics: Ints) -> "Differences":
        """Return the differences after one topic is left out for each pair.

        ``topics`` has the index of this topic for each pair.
        """
        rest = np.arange(len(self.values) - 1)[:, None]
        rows, pairs = rest + (rest >= topics), np.arange(self.values.shape[1])
        return replace(self, values=self.values[rows, pairs], exchanged=self.exchanged[rows, pairs])

    @property
    def difference(self) -> Floats:
        """The difference of each pair on all topics, or NaN if there are no topics."""
        return self.number(self.values.sum(axis=0), len(self.values))

    def interval(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """Return the lower and upper limits of each pair's interval (`mean_intervals`).

        For pooled measures, tests that need means are replaced by randomisation.
        """
        if len(self.values) < 2:
            nothing = np.full(self.values.shape[1], np.nan)
            return nothing, nothing
        used_test = TESTS[test or "randomisation"]
        if used_test.only_means and not self.are_means:
            used_test = TESTS["randomisation"]
        return used_test.interval(self, level, resamples, seed)

    def p_values(self, test: str | None, resamples: int, seed: int, *, two_tailed: bool = False) -> Floats:
        """Return each pair's p-value for a difference above 0 or, if ``two_tailed``, not equal to 0.

        ``test`` is one of `TESTS`. P-values are NaN if ``test`` is None, and for pooled measures if the test needs
        means.
        """
        if test is None or (TESTS[test].only_means and not self.are_means):
            return np.full(self.values.shape[1], np.nan)
        return TESTS[test].p_values(self, resamples, seed, two_tailed)

    @property
    def are_means(self) -> bool:
        """Whether scores are means over topics, which is false for pooled measures."""
        return self.values.ndim == 2

    def resampled(self, resamples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
        """Yield the differences on resamples of the topics, in blocks of pairs.

        A block is a slice of pairs, and an array with a row for each resample and a column for each of these pairs.
        """
        for pairs, sums in self.sums(times_drawn(len(self.values), resamples, seed)):
            yield pairs, self.number(sums, len(self.values))

    def sums(self, weights: Floats) -> Iterator[tuple[slice, Floats]]:
        """Yield weighted sums of values over topics, in blocks of pairs.

        A block is a slice of pairs, and an array with their sums for each row of ``weights``.
        """
        values = on_grid(self.values)
        for pairs in self.blocks(len(weights)):
            yield pairs, np.tensordot(weights, values[:, pairs], 1)

    def blocks(self, rows: int) -> Iterator[slice]:
        """Yield slices of pairs that are small enough for ``rows`` rows of numbers to fit in memory."""
        width = max(1, BLOCK // (rows * int(np.prod(self.values.shape[2:]))))
        return (slice(begin, begin + width) for begin in range(0, self.values.shape[1], width))


def _randomisation(data: Differences, resamples: int, seed: int, two_tailed: bool) -> Floats:
    """Return each pair's p-value by the randomisation test (`p_values`)."""
    p = np.full(data.values.shape[1], np.nan)
    flips, exact = flips_of(len(data.values), resamples, seed)
    side, observed = np.abs if two_tailed else np.positive, data.difference
    moves = on_grid(data.exchanged - data.values)
    for pairs in data.blocks(len(flips)):
        moved = np.tensordot(flips.astype(float), moves[:, pairs], 1)
        differences = side(data.number(data.values[:, pairs].sum(axis=0) + moved, len(data.values)))
        reached = np.count_nonzero(differences >= side(observed[pairs]) - data.rounding[pairs], axis=0)
        p[pairs] = reached / len(flips) if exact else (1 + reached) / (1 + len(flips))
    return p


def _randomisation_interval(
    data: Differences, level: float, resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Return the limits of each pair's interval by the randomisation test (`mean_intervals`)."""
    limits = np.full((2, data.values.shape[1]), np.nan)
    flips, exact = flips_of(len(data.values), resamples, seed)
    for pairs, sums in data.sums(flips.astype(float)):
        sums, sizes, count = subset_sums(sums, flips, data.values[:, pairs].sum(axis=0), exact=exact)
        limits[:, pairs] = limits_of(data.number(sums, sizes), count, level, data.rounding[pairs])
    return limits[0], limits[1]


def _bootstrap(data: Differences, resamples: int, seed: int, two_tailed: bool) -> Floats:
    """Return each pair's p-value by the bootstrap (`p_values`)."""
    p = np.full(data.values.shape[1], np.nan)
    for pairs, differences in data.resampled(resamples, seed):
        below = np.count_nonzero(differences <= data.rounding[pairs], axis=0)
        p[pairs] = (1 + below) / (1 + len(differences))
        if two_tailed:
            above = np.count_nonzero(differences >= -data.rounding[pairs], axis=0)
            p[pairs] = np.minimum(2 * (1 + np.minimum(below, above)) / (1 + len(differences)), 1.0)
    return p


def _bootstrap_interval(data: Differences, level: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return the limits of each pair's interval by the bootstrap (`mean_intervals`)."""
    limits = np.full((2, data.values.shape[1]), np.nan)
    for pairs, differences in data.resampled(resamples, seed):
        limits[:, pairs] = limits_of(differences, 1 + resamples, level, data.rounding[pairs])
    return limits[0], limits[1]


def _mean_of(sums: Floats, sizes: Any) -> Floats:
    return sums / (sizes[:, None] if isinstance(sizes, np.ndarray) else sizes or np.nan)


def _t_test(data: Differences, _resamples: int, _seed: int, two_tailed: bool) -> Floats:
    """Return each pair's p-value by the t-test (`p_values`)."""
    with extra("full"):
        from scipy import stats

    p_value = np.where(np.abs(data.values.mean(axis=0)) <= data.rounding, 1.0, np.nan)
    spread = np.ptp(data.values, axis=0) > data.rounding
    if spread.any():
        alternative = "two-sided" if two_tailed else "greater"
        p_value[spread] = stats.ttest_1samp(data.values[:, spread], 0, alternative=alternative).pvalue
    return p_value


def _t_interval(data: Differences, level: float, _resamples: int, _seed: int) -> tuple[Floats, Floats]:
    """Return the limits of each pair's interval by the t-test (`mean_intervals`)."""
    with extra("full"):
        from scipy import special

    n, mean = len(data.values), data.values.mean(axis=0)
    half = special.stdtrit(n - 1, (1 + level) / 2) * data.values.std(axis=0, ddof=1) / np.sqrt(n)
    half[np.ptp(data.values, axis=0) <= data.rounding] = np.nan
    return mean - half, mean + half


def _wilcoxon(data: Differences, _resamples: int, _seed: int, two_tailed: bool) -> Floats:
    """Return each pair's p-value by Wilcoxon's signed-rank test (`p_values`)."""
    p = np.ones(data.values.shape[1])
    for pair, (change, rounding) in enumerate(zip(data.values.T, data.rounding, strict=True)):
        change = change[np.abs(change) > rounding]
        doubled = _doubled_ranks(np.abs(change), rounding)
        law = _law_of_rank_sums(tuple(sorted(doubled.tolist())))
        least = int(doubled[change > 0].sum())
        above, below = law[least:].sum(), law[: least + 1].sum()
        p[pair] = min(2 * min(above, below), 1.0) if two_tailed else above
    return p


def _wilcoxon_interval(data: Differences, level: float, _resamples: int, _seed: int) -> tuple[Floats, Floats]:
    """Return the limits of each pair's interval by Wilcoxon's test (`mean_intervals`)."""
    n, limits = len(data.values), np.full((2, data.values.shape[1]), np.nan)
    below = np.cumsum(_law_of_rank_sums(tuple(range(2, 2 * n + 1, 2)))[::2])
    place = int(np.searchsorted(below, (1 - level) / 2 * (1 + TOLERANCE), side="right"))
    first, second = np.triu_indices(n)
    for pair in np.flatnonzero(np.ptp(data.values, axis=0) > data.rounding) if place else ():
        averages = np.sort(data.values[first, pair] + data.values[second, pair]) / 2
        limits[:, pair] = averages[[place - 1, -place]]
    return limits[0], limits[1]


def _doubled_ranks(sizes: Floats, rounding: float) -> Ints:
    """Return twice the rank of each number, which is an integer even if tied numbers share their mean rank.

    Rank 1 is the lowest. Numbers are tied if they differ by at most ``rounding``.
    """
    order = np.argsort(sizes, kind="stable")
    opens = np.diff(sizes[order], prepend=-np.inf) > rounding
    tie, first = np.cumsum(opens) - 1, np.flatnonzero(opens)
    last = np.append(first[1:], len(sizes)) - 1
    ranks = np.empty(len(sizes), dtype=np.int64)
    ranks[order] = (first + last + 2)[tie] if len(sizes) else 0
    return ranks


@lru_cache(maxsize=64)
def _law_of_rank_sums(ranks: tuple[int, ...]) -> Floats:
    """Return the probabilities of the sums 0, 1, 2 … of ``ranks`` if each rank is included with probability 1/2."""
    law = np.ones(1)
    for rank in ranks:
        longer = np.zeros(len(law) + rank)
        longer[: len(law)] += law / 2
        longer[rank:] += law / 2
        law = longer
    return law


@dataclass(frozen=True)
class Test:
    """A test of significance: functions for p-values and intervals, and texts for reports."""

    #: computes p-values from differences, the number of resamples, the seed, and whether the test is two-tailed
    p_values: Callable[[Differences, int, int, bool], Floats]
    #: computes the limits of intervals from differences, the level, the number of resamples and the seed
    interval: Callable[[Differences, float, int, int], tuple[Floats, Floats]]
    #: computes the smallest possible p-value from the number of topics, the number of resamples, and 1 or 2 tails
    smallest: Callable[[int, int, int], float]
    title: str  #: the name of the test in sentences
    report: str  #: the name of the test in the report, as a template with ``{tails}`` and ``{resamples}``
    resampling: str = ""  #: a text about resampling, as a template with ``{resamples}`` and ``{seed}``
    only_means: bool = False  #: whether the test needs means over topics, and thus excludes pooled measures


TESTS = {
    "bootstrap": Test(
        _bootstrap,
        _bootstrap_interval,
        lambda topics, resamples, tails: tails / (1 + resamples),  # two-tailed p is twice the smaller tail
        "bootstrap test",
        "the bootstrap ({tails}, {resamples:,} resamples)",
        ", {resamples:,} resamples, seed {seed}",
    ),
    "randomisation": Test(
        _randomisation,
        _randomisation_interval,
        lambda topics, resamples, tails: (
            tails / 2**topics
            if topics <= EXACT_TOPICS
            else 1 / (1 + resamples)  # two-tailed tests compare absolute means, so that p is not doubled
        ),
        "randomisation test",
        "the paired randomisation test ({tails}, {resamples:,} draws, or all where they are few)",
        f", {{resamples:,}} resamples (all 2^n for up to {EXACT_TOPICS} topics), seed {{seed}}",
    ),
    "t-test": Test(
        _t_test,
        _t_interval,
        lambda topics, resamples, tails: 0.0,
        "t-test",
        "the paired t-test ({tails})",
        only_means=True,
    ),
    "wilcoxon": Test(
        _wilcoxon,
        _wilcoxon_interval,
        lambda topics, resamples, tails: tails / 2**topics,
        "Wilcoxon signed-rank test",
        "the Wilcoxon signed-rank test ({tails})",
        only_means=True,
    ),
}

#: the tests that are included in every table of pairs
IN_TABLES = ("bootstrap", "randomisation", "t-test")


def p_values(
    differences: Floats, test: str, resamples: int = 1000, seed: int = 0, *, two_tailed: bool = False
) -> Floats:
    """Test whether mean differences are above 0 or, if ``two_tailed``, not equal to 0. Return a p-value for each pair.

    ``differences`` have a row for each topic and a column for each pair of systems. ``test`` is one of

    - ``bootstrap``: topics are drawn with replacement, B times; ``p = (1 + #{b: mean of resample b <= 0}) / (1 + B)``.
      The two-tailed p-value is twice the smaller of the p-values for both directions, but at most 1. It is at most 0.05
      if the 95 % percentile interval excludes 0. Differences are not shifted to a mean of 0 (Kamps et al., SIGIR 2007,
      Section 3).
    - ``randomisation``: under the null hypothesis, each difference has a random sign. For at most 16 topics, all 2^n
      combinations of signs are enumerated: ``p = #{mean >= observed} / 2^n``. For more topics, B combinations are
      drawn: ``p = (1 + #{mean >= observed}) / (1 + B)``. Two-tailed tests compare absolute means (Smucker, Allan &
      Carterette, CIKM 2007).
    - ``t-test``: the paired t-test. If all differences are 0, p is 1. If they are equal but not 0, p is NaN.
    - ``wilcoxon``: the absolute values of all differences except 0 are ranked, and the ranks of positive differences
      are summed. Under the null hypothesis, signs are random. Ties share their mean rank, and the distribution is exact
      even with ties (Wilcoxon, Biometrics Bulletin 1, 1945).
    """
    return Differences.of_means(differences).p_values(test, resamples, seed, two_tailed=two_tailed)


def holm(p_values: Floats) -> Floats:
    """Correct p-values for multiple comparisons (Holm 1979).

    If p_(k) is the k-th smallest of m p-values, p_(i) becomes ``max_(k<=i) min(1, (m - k + 1) p_(k))``.
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(len(p_values))
    factors = np.arange(len(p_values), 0, -1)
    adjusted[order] = np.maximum.accumulate(np.minimum(factors * p_values[order], 1.0))
    return adjusted


def mean_intervals(
    values: Floats,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    test: str | None = "randomisation",
) -> tuple[Floats, Floats]:
    """Return confidence intervals for means over topics: the lower limits and the upper limits.

    ``values`` have a row for each of n topics. Each column gives an interval, which contains the means that the
    two-tailed ``test`` does not reject at 1 - ``level``. Thus the interval of a mean difference excludes 0 if and only
    if p <= 1 - ``level``. ``test`` is one of

    - ``randomisation``, also for None: from the m-th lowest to the m-th highest mean over all 2^n - 1 nonempty subsets
      of topics, where m = floor(2^n (1 - level) / 2). For more than 16 topics, only the random subsets of the test and
      their complements are used (Hartigan, JASA 64, 1969). Limits are within the range of the values.
    - ``t-test``: ``mean -+ t s / sqrt(n)``, with n - 1 degrees of freedom.
    - ``bootstrap``: percentiles of the means of resamples. These intervals are too narrow for few topics.
    - ``wilcoxon``: an interval for the pseudo-median instead of the mean. It is from the m-th lowest to the m-th
      highest of the n (n + 1) / 2 averages of two values, where a value may be averaged with itself (Hodges & Lehmann,
      Ann. Math. Stat. 34, 1963). Here, m - 1 is the highest rank sum that the test rejects as too low. The test drops
      values of 0, but the interval does not. Therefore, if values tie, the interval may contain 0 although the test
      rejects, or exclude 0 although the test does not reject.

    Limits are NaN for a single topic, for equal values, and if the test cannot reject. For example, randomisation
    cannot reject at the level 0.95 with fewer than 6 topics.
    """
    return Differences.of_means(values).interval(level, resamples, seed, test)


def expanded(level: float, members: int) -> float:
    """Return the share of resamples to leave beyond each limit of a bootstrap interval that is not too narrow.

    For n ``members`` of the sample, the share is ``Phi(-t sqrt(n / (n - 1)))``, where t is the quantile of Student's t
    distribution at (1 + level) / 2 for n - 1 degrees of freedom. Such intervals are as wide as those of a t-test,
    unlike plain percentiles (Hesterberg, The American Statistician 69, 2015, "expanded percentile interval").
    """
    with extra("full"):
        from scipy import special

    t = special.stdtrit(members - 1, (1 + level) / 2)
    return float(special.ndtr(-t * np.sqrt(members / (members - 1))))
