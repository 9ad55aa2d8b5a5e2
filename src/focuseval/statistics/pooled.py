"""Runs compared by counts that are added up over topics (``average=micro``): intervals and tests.

What is drawn are topics, as for means, with all that was counted on them: the resampled number is that of the
drawn topics' counts added up. Values of topics are no sample of it: their mean is another number.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.statistics.significance import BLOCK, EXACT_TOPICS, TOLERANCE, score_table, times_drawn

#: (…) numbers of (…, 4) counts, by the names of measures
Pools = Mapping[str, Callable[[Floats], Floats]]


@dataclass(frozen=True, eq=False)
class Pooled:
    """What was counted of R runs on n topics, and the number that added counts are read as."""

    counts: Floats  #: (n topics, R runs, 4)
    number: Callable[[Floats], Floats]

    @property
    def numbers(self) -> Floats:
        """(R,) the number of each run."""
        return self.number(self.counts.sum(axis=0))

    def of_runs(self, runs: Sequence[int] | Ints) -> "Pooled":
        """The same of some of the runs."""
        return replace(self, counts=self.counts[:, np.asarray(runs)])

    def of_topics(self, topics: Bools | Ints) -> "Pooled":
        """The same of some of the topics."""
        return replace(self, counts=self.counts[topics])

    def resampled(self, resamples: int, seed: int) -> Floats:
        """(B, R) the number of each run on B resamples of the topics."""
        topics, runs, kinds = self.counts.shape
        added = times_drawn(topics, resamples, seed) @ self.counts.reshape(topics, -1)
        return self.number(added.reshape(resamples, runs, kinds))

    def p_values(
        self, test: str | None, first: Ints, second: Ints, resamples: int, seed: int, *, two_tailed: bool
    ) -> Floats:
        """(P,) p-values of the second run being above the first, or, two-tailed, of both being different.

        ``bootstrap`` and ``randomisation`` are those of `focuseval.statistics.significance`: of means of differences
        there, of differences of pooled numbers here; the randomisation test exchanges what was counted of both
        runs on a topic. NaN without a test, and for the t-test, which is one of means.
        """
        if test == "bootstrap":
            drawn = self.resampled(resamples, seed)
            change = drawn[:, second] - drawn[:, first]
            below, above = (change <= TOLERANCE).sum(axis=0), (change >= -TOLERANCE).sum(axis=0)
            if two_tailed:
                return np.minimum(2 * (1 + np.minimum(below, above)) / (1 + resamples), 1.0)
            return (1 + below) / (1 + resamples)
        if test == "randomisation":
            return self._randomised(first, second, resamples, seed, two_tailed)
        return np.full(len(first), np.nan)

    def _randomised(self, first: Ints, second: Ints, resamples: int, seed: int, two_tailed: bool) -> Floats:
        topics = len(self.counts)
        exact = topics <= EXACT_TOPICS
        if exact:
            flips = np.arange(1 << topics)[:, None] >> np.arange(topics) & 1
        else:
            flips = np.random.default_rng(seed).integers(0, 2, size=(resamples, topics))
        side = np.abs if two_tailed else np.positive
        total, numbers = self.counts.sum(axis=0), self.numbers
        reached = np.empty(len(first), dtype=np.int64)
        for pairs in _blocks(len(first), 4 * len(flips)):
            a, b = first[pairs], second[pairs]
            moved = flips.astype(float) @ (self.counts[:, a] - self.counts[:, b]).reshape(topics, -1)
            moved = moved.reshape(len(flips), len(a), -1)
            change = self.number(total[b] + moved) - self.number(total[a] - moved)
            observed = side(numbers[b] - numbers[a]) - TOLERANCE
            reached[pairs] = np.count_nonzero(side(change) >= observed, axis=0)
        return reached / len(flips) if exact else (1 + reached) / (1 + resamples)


def _blocks(columns: int, each: int) -> Iterator[slice]:
    """Columns some at a time, ``each`` of so many numbers."""
    width = max(1, BLOCK // each)
    return (slice(begin, begin + width) for begin in range(0, columns, width))


def pooled_of(scores: pd.DataFrame, measure: str, table: pd.DataFrame, pools: Pools) -> Pooled | None:
    """What was counted, in the topics and runs of a measure's ``table``; None of a measure that is a mean.

    ``scores`` has the columns of `focuseval.scoring.Scores.per_topic`.
    """
    if measure not in pools:
        return None
    part = scores[scores["name"] == measure].astype({"run": str, "topic": str})
    by_place = part.set_index(["topic", "run"])[list(COUNTS)]
    rows = pd.MultiIndex.from_product([table.index, table.columns])
    counts = by_place.loc[rows].to_numpy(dtype=float)
    return Pooled(counts.reshape(len(table.index), len(table.columns), len(COUNTS)), pools[measure])


def score_table_of(scores: pd.DataFrame, measure: str, pools: Pools) -> tuple[pd.DataFrame, Pooled | None]:
    """Topics × runs of one measure (`score_table`), and what was counted, where counts are pooled."""
    table = score_table(scores, measure)
    return table, pooled_of(scores, measure, table, pools)
