"""Runs compared by counts that are added up over topics (``average=micro``): intervals and tests.

What is drawn are topics, as for means, with all that was counted on them: a resampled number is that of the drawn
topics' counts added up. The values of topics are no sample of it, as their mean is another number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Floats, Ints
from focuseval.statistics.significance import (
    BLOCK,
    bootstrap_p_values,
    flips_of,
    limits_of,
    of_subsets,
    randomisation_p_values,
    times_drawn,
)

#: (…) numbers of (…, 4) counts, by the names of measures
Pools = Mapping[str, Callable[[Floats], Floats]]


@dataclass(frozen=True, eq=False)
class PooledDifferences:
    """P pairs of runs on n topics, of which counts are added up: the second run's number less the first one's."""

    first: Floats  #: (n topics, P pairs, 4)
    second: Floats
    number: Callable[[Floats], Floats]

    @property
    def difference(self) -> Floats:
        """(P,) the second run's number less the first one's."""
        return self._of(self.first.sum(axis=0), self.second.sum(axis=0))

    def _of(self, first: Floats, second: Floats) -> Floats:
        return self.number(second) - self.number(first)

    def _blocks(self, rows: int) -> Iterator[slice]:
        """Pairs some at a time, of which so many numbers of each count are kept in memory."""
        width = max(1, BLOCK // (rows * len(COUNTS)))
        return (slice(begin, begin + width) for begin in range(0, self.first.shape[1], width))

    def _resampled(self, resamples: int, seed: int) -> Iterator[tuple[slice, Floats]]:
        """(B, P) differences on B resamples of the topics, some pairs at a time."""
        drawn = times_drawn(len(self.first), resamples, seed)
        for pairs in self._blocks(resamples):
            yield (
                pairs,
                self._of(*(np.tensordot(drawn, side[:, pairs], 1) for side in (self.first, self.second))),
            )

    def interval(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """The intervals of the differences: lower and upper limits (P,); NaN for one topic.

        They are made as in `focuseval.statistics.significance.mean_intervals`: of the numbers of resamples for
        ``bootstrap``, else of those of subsets of the topics. As these numbers are no means, the randomisation test may
        reject 0 where the interval holds it, or the other way round (1 to 2 % of comparisons).
        """
        limits = np.full((2, self.first.shape[1]), np.nan)
        if len(self.first) < 2:
            return limits[0], limits[1]
        if test == "bootstrap":
            for pairs, change in self._resampled(resamples, seed):
                limits[:, pairs] = limits_of(change, 1 + resamples, level)
            return limits[0], limits[1]
        flips, exact = flips_of(len(self.first), resamples, seed)
        for pairs in self._blocks(2 * len(flips)):
            counts = np.stack([self.first[:, pairs], self.second[:, pairs]], axis=1)
            sums = np.tensordot(flips.astype(float), counts, 1)
            sums, _, count = of_subsets(sums, flips, counts.sum(axis=0), exact=exact)
            limits[:, pairs] = limits_of(self._of(sums[:, 0], sums[:, 1]), count, level)
        return limits[0], limits[1]

    def p_values(self, test: str | None, resamples: int, seed: int, *, two_tailed: bool = False) -> Floats:
        """(P,) p-values of differences above 0, or of any with ``two_tailed``.

        ``bootstrap`` and ``randomisation`` as in `focuseval.statistics.significance`, where the differences
        are those of numbers, and not means of topics' differences; the randomisation test exchanges what was
        counted of both runs on a topic. NaN without a test, and for the t-test, which is one of means.
        """
        found = np.full(self.first.shape[1], np.nan)
        if test == "bootstrap":
            for pairs, change in self._resampled(resamples, seed):
                found[pairs] = bootstrap_p_values(change, two_tailed=two_tailed)
        elif test == "randomisation":
            flips, exact = flips_of(len(self.first), resamples, seed)
            observed = self.difference
            for pairs in self._blocks(len(flips)):
                first, second = self.first[:, pairs], self.second[:, pairs]
                moved = np.tensordot(flips.astype(float), first - second, 1)
                change = self._of(first.sum(axis=0) - moved, second.sum(axis=0) + moved)
                tails = {"exact": exact, "two_tailed": two_tailed}
                found[pairs] = randomisation_p_values(change, observed[pairs], **tails)
        return found

    def strongest(self, side: Floats) -> Ints:
        """(P,) the topic without which a difference falls most, in the direction of ``side``."""
        rest = (counts.sum(axis=0) - counts for counts in (self.first, self.second))
        return np.argmin(self._of(*rest) * side, axis=0)

    def without(self, topics: Ints) -> "PooledDifferences":
        """The same of all topics but one of each pair."""
        first, second = (without_one(counts, topics) for counts in (self.first, self.second))
        return replace(self, first=first, second=second)

    def turned(self) -> "PooledDifferences":
        """The first run's numbers less the second one's."""
        return replace(self, first=self.second, second=self.first)


def without_one(values: Floats, topics: Ints) -> Floats:
    """(n - 1, P, …) values of all n topics but one of each of P pairs: the (P,) topics are left out."""
    kept = np.arange(len(values) - 1)[:, None]
    return values[kept + (kept >= topics), np.arange(values.shape[1])]


@dataclass(frozen=True, eq=False)
class Pooled:
    """What was counted of R runs on n topics, and the number that added counts are read as."""

    counts: Floats  #: (n topics, R runs, 4)
    number: Callable[[Floats], Floats]

    @property
    def numbers(self) -> Floats:
        """(R,) the number of each run."""
        return self.number(self.counts.sum(axis=0))

    def interval(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """The intervals of the numbers, as those of differences: lower and upper limits (R,)."""
        nothing = PooledDifferences(np.zeros_like(self.counts), self.counts, self.number)
        return nothing.interval(level, resamples, seed, test)

    def differences(self, first: Sequence[int] | Ints, second: Sequence[int] | Ints) -> PooledDifferences:
        """Pairs of runs, by their places."""
        return PooledDifferences(self.counts[:, first], self.counts[:, second], self.number)


def pooled_of(scores: pd.DataFrame, table: pd.DataFrame, measure: str, pools: Pools) -> Pooled | None:
    """What was counted on the topics and of the runs of a measure's ``table``; None of a measure that is a mean.

    ``scores`` has the columns of `focuseval.scoring.score.Scores.per_topic`, ``table`` is `score_table` of it.
    """
    if measure not in pools:
        return None
    part = scores[scores["name"] == measure].astype({"run": str, "topic": str})
    places = pd.MultiIndex.from_product([table.index, table.columns])
    counts = part.set_index(["topic", "run"])[list(COUNTS)].loc[places].to_numpy(dtype=float)
    return Pooled(counts.reshape(*table.shape, len(COUNTS)), pools[measure])
