"""Tests of differences between systems, corrections for multiple comparisons, and confidence intervals.

Tests compare systems topic by topic. All random resamples depend on a seed and are shared by all pairs of systems, so
that results do not depend on the order of pairs. Scoring does not import this module, because SciPy is slow to start.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

#: largest relative rounding error: numbers that differ by at most this share count as equal
TOLERANCE = 1e-12

#: largest number of resampled means that are in memory at once
BLOCK = 1 << 21

#: largest number of topics for which the randomisation test enumerates all 2^n combinations of signs
EXACT_TOPICS = 16


def rounding(*numbers: ArrayLike) -> Floats:
    """Return the largest difference that rounding can cause: `TOLERANCE` times the largest number in each place."""
    return TOLERANCE * np.max(np.abs(np.broadcast_arrays(*numbers)), axis=0)


def difference(first: ArrayLike, second: ArrayLike, *others: ArrayLike) -> Floats:
    """Return the second numbers minus the first, or 0 where they differ only by rounding.

    ``others`` are numbers from which both numbers were computed. If these are larger, rounding errors are larger.
    """
    change = np.subtract(second, first)
    return np.where(np.abs(change) <= rounding(first, second, *others), 0.0, change)


def order_of(first: ArrayLike, second: ArrayLike, *others: ArrayLike) -> Floats:
    """Return the sign of `difference`: 1 where the second number is higher, -1 where it is lower."""
    return np.sign(difference(first, second, *others))


def times_drawn(topics: int, resamples: int, seed: int | Sequence[int]) -> Floats:
    """Return how often each of n topics occurs in each of B resamples with replacement (B, n)."""
    times = np.empty((resamples, topics))
    for part, drawn in _drawn(topics, topics, resamples, seed):
        drawn += topics * np.arange(len(drawn))[:, None]
        times[part] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
    return times


def _drawn(
    below: int, topics: int, resamples: int, seed: int | Sequence[int]
) -> Iterator[tuple[slice, Ints]]:
    """Yield a (B, n) array of random integers from 0 to ``below`` - 1 in blocks of rows, to bound memory."""
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // max(1, topics))
    for begin in range(0, resamples, rows):
        part = slice(begin, min(begin + rows, resamples))
        yield part, generator.integers(0, below, size=(part.stop - begin, topics))


def flips_of(topics: int, resamples: int, seed: int) -> tuple[Ints, bool]:
    """Return B assignments (B, n), and whether these are all 2^n. A 1 means that a topic's systems are exchanged."""
    if topics <= EXACT_TOPICS:
        return np.arange(1 << topics)[:, None] >> np.arange(topics) & 1, True
    flips = np.empty((resamples, topics), dtype=np.int8)
    for part, drawn in _drawn(2, topics, resamples, seed):
        flips[part] = drawn
    return flips, False


def of_subsets(sums: Floats, flips: Ints, total: Floats, *, exact: bool) -> tuple[Floats, Ints, int]:
    """Return sums over nonempty subsets of topics, their sizes, and the number of subsets including empty subsets.

    ``sums`` (B, …) are the sums over the topics for which ``flips`` (B, n) is 1. Unless ``exact``, the complements of
    these subsets and the set of all topics are added. The test counts the empty set as the observation.
    """
    size = flips.sum(axis=1, dtype=int)
    if not exact:
        sums = np.concatenate([sums, total - sums, total[None]])
        size = np.concatenate([size, flips.shape[1] - size, [flips.shape[1]]])
    return sums[size > 0], size[size > 0], len(size) + (not exact)


def on_grid(values: Floats) -> Floats:
    """Round values (n, …) to a grid on which sums of n values are exact in any order.

    Each column (…) has a grid for its magnitude.
    """
    unit = np.ldexp(1.0, np.frexp(np.abs(values).max(axis=0, initial=0.0) * len(values))[1] - 52)
    return np.round(values / unit) * unit


def limits_of(drawn: Floats, count: int, level: float, rounding: Floats) -> Floats:
    """Return two limits (2, P) such that the share (1 - level) / 2 of ``count`` numbers lies beyond each limit.

    ``drawn`` (B, P) has those of the numbers that are known. Unknown numbers are assumed to be infinite, on both sides.
    Limits are NaN if the unknown numbers fill the tails, or if known numbers differ by at most ``rounding`` (P,).
    """
    place = int((1 - level) / 2 * count + 1e-9) - (count - len(drawn))
    if place < 0:
        return np.full((2, drawn.shape[1]), np.nan)
    in_order = np.array(drawn.T, order="C")
    in_order.sort()  # faster than `numpy.partition`, because rows are contiguous in memory
    limits: Floats = in_order.T[[place, -1 - place]]
    limits[np.abs(limits) <= rounding] = 0.0
    limits[:, limits[1] - limits[0] <= rounding] = np.nan
    return limits


@dataclass(frozen=True, eq=False)
class Differences:
    """P pairs of runs on n topics: the second run's number minus the first's, for any set of topics."""

    values: Floats  #: (n, P, …) values that are summed over topics
    exchanged: Floats  #: (n, P, …) the same values after the two runs of each pair are exchanged
    #: computes the differences (…, P) from the sums (…, P, …) of values and the number of topics
    number: Callable[[Floats, Any], Floats]
    #: (P,) the largest rounding error of a difference, from the numbers that were subtracted
    rounding: Floats

    @classmethod
    def of_means(cls, change: Floats, rounding: Floats | None = None) -> "Differences":
        """Return the differences of means from the ``change`` on each topic (n, P): the second run minus the first.

        ``rounding`` (n, P) has the rounding error of each change (default: computed from the changes).
        """
        rounding = TOLERANCE * np.abs(change) if rounding is None else rounding
        return cls(change, -change, _mean_of, rounding.sum(axis=0) / max(1, len(change)))

    def turned(self) -> "Differences":
        """Return the differences with the two runs of each pair exchanged."""
        return replace(self, values=self.exchanged, exchanged=self.values)

    def strongest(self, side: Floats) -> Ints:
        """Return, for each pair (P,), the first topic whose removal makes the difference times ``side`` lowest."""
        rest = self.values.sum(axis=0) - self.values
        left = self.number(rest, len(rest) - 1) * side
        return np.argmax(left <= left.min(axis=0) + self.rounding, axis=0)

    def without(self, topics: Ints) -> "Differences":
        """Return the differences without one topic per pair; ``topics`` (P,) has the topic to remove from each pair."""
        rest = np.arange(len(self.values) - 1)[:, None]
        rows, pairs = rest + (rest >= topics), np.arange(self.values.shape[1])
        return replace(self, values=self.values[rows, pairs], exchanged=self.exchanged[rows, pairs])

    @property
    def difference(self) -> Floats:
        """The differences on all topics (P,); NaN without topics."""
        return self.number(self.values.sum(axis=0), len(self.values))

    def interval(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """Return lower and upper limits (P,) of the differences, as in `mean_intervals`."""
        if len(self.values) < 2:
            nothing = np.full(self.values.shape[1], np.nan)
            return nothing, nothing
        chosen = TESTS[test or "randomisation"]
        if chosen.of_means and not self.are_means:
            chosen = TESTS["randomisation"]
        return chosen.interval(self, level, resamples, seed)

    def p_values(self, test: str | None, resamples: int, seed: int, *, two_tailed: bool = False) -> Floats:
        """Test with one of `TESTS` whether differences are above 0, or, if ``two_tailed``, other than 0. Return p (P,).

        NaN without a test, and for a test of means on pooled measures.
        """
        if test is None or (TESTS[test].of_means and not self.are_means):
            return np.full(self.values.shape[1], np.nan)
        return TESTS[test].p_values(self, resamples, seed, two_tailed)

    @property
    def are_means(self) -> bool:
        """Return whether the numbers are means over topics, not values of summed counts."""
        return self.values.ndim == 2

    def resampled(self, resamples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
        """Yield the differences (B, P) on B resamples of the topics, in blocks of pairs."""
        for pairs, sums in self.sums(times_drawn(len(self.values), resamples, seed)):
            yield pairs, self.number(sums, len(self.values))

    def sums(self, weights: Floats) -> Iterator[tuple[slice, Floats]]:
        """Yield the sums (B, P, …) of values over topics with B sets of weights (B, n), in blocks of pairs."""
        values = on_grid(self.values)
        for pairs in self.blocks(len(weights)):
            yield pairs, np.tensordot(weights, values[:, pairs], 1)

    def blocks(self, rows: int) -> Iterator[slice]:
        """Yield blocks of pairs for which ``rows`` rows of numbers fit in memory."""
        width = max(1, BLOCK // (rows * int(np.prod(self.values.shape[2:]))))
        return (slice(begin, begin + width) for begin in range(0, self.values.shape[1], width))


def _randomisation(of: Differences, resamples: int, seed: int, two_tailed: bool) -> Floats:
    """Return the p-values (P,) of the randomisation test, as in `p_values`."""
    p = np.full(of.values.shape[1], np.nan)
    flips, exact = flips_of(len(of.values), resamples, seed)
    side, observed = np.abs if two_tailed else np.positive, of.difference
    moves = on_grid(of.exchanged - of.values)
    for pairs in of.blocks(len(flips)):
        moved = np.tensordot(flips.astype(float), moves[:, pairs], 1)
        changed = side(of.number(of.values[:, pairs].sum(axis=0) + moved, len(of.values)))
        reached = np.count_nonzero(changed >= side(observed[pairs]) - of.rounding[pairs], axis=0)
        p[pairs] = reached / len(flips) if exact else (1 + reached) / (1 + len(flips))
    return p


def _randomisation_interval(
    of: Differences, level: float, resamples: int, seed: int
) -> tuple[Floats, Floats]:
    """Return the intervals of the randomisation test, as in `mean_intervals`."""
    limits = np.full((2, of.values.shape[1]), np.nan)
    flips, exact = flips_of(len(of.values), resamples, seed)
    for pairs, sums in of.sums(flips.astype(float)):
        sums, sizes, count = of_subsets(sums, flips, of.values[:, pairs].sum(axis=0), exact=exact)
        limits[:, pairs] = limits_of(of.number(sums, sizes), count, level, of.rounding[pairs])
    return limits[0], limits[1]


def _bootstrap(of: Differences, resamples: int, seed: int, two_tailed: bool) -> Floats:
    """Return the p-values (P,) of the bootstrap, as in `p_values`."""
    p = np.full(of.values.shape[1], np.nan)
    for pairs, drawn in of.resampled(resamples, seed):
        below = np.count_nonzero(drawn <= of.rounding[pairs], axis=0)
        p[pairs] = (1 + below) / (1 + len(drawn))
        if two_tailed:
            above = np.count_nonzero(drawn >= -of.rounding[pairs], axis=0)
            p[pairs] = np.minimum(2 * (1 + np.minimum(below, above)) / (1 + len(drawn)), 1.0)
    return p


def _bootstrap_interval(of: Differences, level: float, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return the intervals of the bootstrap, as in `mean_intervals`."""
    limits = np.full((2, of.values.shape[1]), np.nan)
    for pairs, drawn in of.resampled(resamples, seed):
        limits[:, pairs] = limits_of(drawn, 1 + resamples, level, of.rounding[pairs])
    return limits[0], limits[1]


def _mean_of(sums: Floats, sizes: Any) -> Floats:
    return sums / (sizes[:, None] if isinstance(sizes, np.ndarray) else sizes or np.nan)


def _t_test(of: Differences, _resamples: int, _seed: int, two_tailed: bool) -> Floats:
    """Return the p-values (P,) of the t-test, as in `p_values`."""
    with extra("full"):
        from scipy import stats

    p_value = np.where(np.abs(of.values.mean(axis=0)) <= of.rounding, 1.0, np.nan)
    spread = np.ptp(of.values, axis=0) > of.rounding
    if spread.any():
        alternative = "two-sided" if two_tailed else "greater"
        p_value[spread] = stats.ttest_1samp(of.values[:, spread], 0, alternative=alternative).pvalue
    return p_value


def _t_interval(of: Differences, level: float, _resamples: int, _seed: int) -> tuple[Floats, Floats]:
    """Return the intervals of the t-test, as in `mean_intervals`."""
    with extra("full"):
        from scipy import special

    n, mean = len(of.values), of.values.mean(axis=0)
    half = special.stdtrit(n - 1, (1 + level) / 2) * of.values.std(axis=0, ddof=1) / np.sqrt(n)
    half[np.ptp(of.values, axis=0) <= of.rounding] = np.nan
    return mean - half, mean + half


def _wilcoxon(of: Differences, _resamples: int, _seed: int, two_tailed: bool) -> Floats:
    """Return the p-values (P,) of Wilcoxon's signed-rank test, as in `p_values`."""
    p = np.ones(of.values.shape[1])
    for pair, (change, rounding) in enumerate(zip(of.values.T, of.rounding, strict=True)):
        change = change[np.abs(change) > rounding]
        doubled = _doubled_ranks(np.abs(change), rounding)
        law = _law_of_rank_sums(tuple(sorted(doubled.tolist())))
        least = int(doubled[change > 0].sum())
        above, below = law[least:].sum(), law[: least + 1].sum()
        p[pair] = min(2 * min(above, below), 1.0) if two_tailed else above
    return p


def _wilcoxon_interval(of: Differences, level: float, _resamples: int, _seed: int) -> tuple[Floats, Floats]:
    """Return the intervals of Wilcoxon's test, as in `mean_intervals`."""
    n, limits = len(of.values), np.full((2, of.values.shape[1]), np.nan)
    below = np.cumsum(_law_of_rank_sums(tuple(range(2, 2 * n + 1, 2)))[::2])
    place = int(np.searchsorted(below, (1 - level) / 2 * (1 + TOLERANCE), side="right"))
    first, second = np.triu_indices(n)
    for pair in np.flatnonzero(np.ptp(of.values, axis=0) > of.rounding) if place else ():
        averages = np.sort(of.values[first, pair] + of.values[second, pair]) / 2
        limits[:, pair] = averages[[place - 1, -place]]
    return limits[0], limits[1]


def _doubled_ranks(sizes: Floats, rounding: float) -> Ints:
    """Return twice the mean rank of each number (n,). Numbers that differ only by rounding are tied."""
    order = np.argsort(sizes, kind="stable")
    opens = np.diff(sizes[order], prepend=-np.inf) > rounding
    tie, first = np.cumsum(opens) - 1, np.flatnonzero(opens)
    last = np.append(first[1:], len(sizes)) - 1
    ranks = np.empty(len(sizes), dtype=np.int64)
    ranks[order] = (first + last + 2)[tie] if len(sizes) else 0
    return ranks


@lru_cache(maxsize=64)
def _law_of_rank_sums(ranks: tuple[int, ...]) -> Floats:
    """Return the probabilities of the sums 0, 1 … of ranks (n,), each included with probability 1/2."""
    law = np.ones(1)
    for rank in ranks:
        longer = np.zeros(len(law) + rank)
        longer[: len(law)] += law / 2
        longer[rank:] += law / 2
        law = longer
    return law


@dataclass(frozen=True)
class Test:
    """A test of significance: its p-values, its intervals, and its descriptions."""

    #: computes p-values from differences, the number of resamples, the seed, and whether the test is two-tailed
    p_values: Callable[[Differences, int, int, bool], Floats]
    #: computes the limits of intervals from differences, the level, the number of resamples and the seed
    interval: Callable[[Differences, float, int, int], tuple[Floats, Floats]]
    #: computes the smallest possible p-value from the numbers of topics, resamples and tails
    smallest: Callable[[int, int, int], float]
    title: str  #: the name of the test in sentences
    report: str  #: the name of the test in the report; a template with ``{tails}`` and ``{resamples}``
    drawn: str = ""  #: a description of the resampling; a template with ``{resamples}`` and ``{seed}``
    of_means: bool = False  #: whether the test cannot be used for pooled measures


TESTS = {
    "bootstrap": Test(
        _bootstrap,
        _bootstrap_interval,
        lambda topics, resamples, tails: tails / (1 + resamples),  # two tails are counted separately
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
            else 1 / (1 + resamples)  # two tails are counted together
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
        of_means=True,
    ),
    "wilcoxon": Test(
        _wilcoxon,
        _wilcoxon_interval,
        lambda topics, resamples, tails: tails / 2**topics,
        "Wilcoxon signed-rank test",
        "the Wilcoxon signed-rank test ({tails})",
        of_means=True,
    ),
}

#: names of the tests that tables of pairs always show
IN_TABLES = ("bootstrap", "randomisation", "t-test")


def p_values(
    differences: Floats, test: str, resamples: int = 1000, seed: int = 0, *, two_tailed: bool = False
) -> Floats:
    """Test whether the mean differences (n topics, P pairs) are above 0, or, two-tailed, not 0. Return p-values (P,).

    - ``bootstrap``: topics are drawn with replacement, B times; ``p = (1 + #{b: mean of resample b <= 0}) / (1 + B)``.
      The two-tailed p-value is twice the smaller p-value of both directions, at most 1; it is at most 0.05 if the 95 %
      percentile interval excludes 0. Differences are not shifted to a mean of 0. Kamps et al. (SIGIR 2007), Section 3.
    - ``randomisation``: under the null hypothesis, each difference has a random sign. Up to 16 topics, all 2^n signs
      are enumerated: ``p = #{mean >= observed} / 2^n``. For more topics, B assignments of signs are drawn: ``p = (1 +
      #{mean >= observed}) / (1 + B)``. Two-tailed tests compare absolute means. Smucker, Allan & Carterette (CIKM
      2007).
    - ``t-test``: the paired t-test. If all differences are equal, p is 1 for differences of 0, and NaN for other
      differences.
    - ``wilcoxon``: absolute differences except 0 are ranked, and the ranks of positive differences are summed. Under
      the null hypothesis, signs are random. Ties share their mean rank. The distribution is exact even with ties.
      Wilcoxon (Biometrics Bulletin 1, 1945).
    """
    return Differences.of_means(differences).p_values(test, resamples, seed, two_tailed=two_tailed)


def holm(p_values: Floats) -> Floats:
    """Return p-values corrected for multiple comparisons (Holm 1979): ``max_(k<=i) min(1, (m - k + 1) p_(k))``."""
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
    """Return the intervals of the means of values (n topics, P): lower and upper limits (P,).

    An interval contains the means that the two-tailed test (one of `TESTS`) does not reject at 1 - ``level``. Thus the
    interval of a mean difference excludes 0 if and only if p <= 1 - ``level``.

    - ``randomisation``, also for None: from the m-th lowest to the m-th highest mean over all 2^n - 1 nonempty subsets
      of topics, where m = floor(2^n (1 - level) / 2). For more than 16 topics, only the random subsets of the test and
      their complements are used (Hartigan, JASA 64, 1969). Limits are within the range of the values.
    - ``t-test``: ``mean -+ t s / sqrt(n)``, with n - 1 degrees of freedom.
    - ``bootstrap``: percentiles of the means of resamples, which are too narrow for few topics.
    - ``wilcoxon``: an interval of the pseudo-median instead of the mean. It is from the m-th lowest to the m-th highest
      of the n (n + 1) / 2 averages of two values, each value with itself included (Hodges & Lehmann, Ann. Math. Stat.
      34, 1963). The test drops values of 0 and the interval does not. Therefore, if values tie, the interval may
      contain 0 although the test rejects, or the reverse.

    Limits are NaN for a single topic, for equal values, and if the test cannot reject, as for fewer than 6 topics at
    the level 0.95.
    """
    return Differences.of_means(values).interval(level, resamples, seed, test)


def expanded(level: float, members: int) -> float:
    """Return the share to cut from each end of a bootstrap distribution, for an interval as wide as that of a t-test.

    This tail is ``Phi(-t sqrt(n / (n - 1)))``, where t is the quantile at (1 + level) / 2 for n - 1 degrees of freedom.
    It corrects two errors of percentiles. Resamples vary less than samples, by the factor sqrt((n - 1) / n), and
    percentiles use normal instead of t quantiles (Hesterberg, The American Statistician 69, 2015, "expanded percentile
    interval").
    """
    with extra("full"):
        from scipy import special

    t = special.stdtrit(members - 1, (1 + level) / 2)
    return float(special.ndtr(-t * np.sqrt(members / (members - 1))))
