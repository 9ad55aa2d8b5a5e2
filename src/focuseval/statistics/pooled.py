"""Runs compared by counts that are added up over topics (``average=micro``): intervals and tests.

What is drawn are topics, as for means, with all that was counted on them: a resampled number is that of the drawn
topics' counts added up. The values of topics are no sample of it, as their mean is another number.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Floats, Ints
from focuseval.statistics.significance import Differences, without_one

#: (…) numbers of (…, 4) counts, by the names of measures
Pools = Mapping[str, Callable[[Floats], Floats]]


@dataclass(frozen=True, eq=False)
class PooledDifferences(Differences):
    """P pairs of runs on n topics, of which counts are added up: the second run's number less the first one's.

    As these numbers are no means, the randomisation test may reject 0 where an interval holds it, or the other way
    round (1 to 2 % of comparisons); there is no t-test of them.
    """

    first: Floats  #: (n topics, P pairs, 4)
    second: Floats
    read: Callable[[Floats], Floats]  #: (…) numbers of (…, 4) counts

    @cached_property
    def values(self) -> Floats:
        """(n, P, 2, 4) the counts of both runs."""
        return np.stack([self.first, self.second], axis=2)

    def number(self, sums: Floats, sizes: Ints | int) -> Floats:
        """The second run's number less the first one's."""
        return self.read(sums[..., 1, :]) - self.read(sums[..., 0, :])

    def exchanged(self, flips: Ints, pairs: slice) -> Floats:
        """What was counted on a topic is the other run's where runs change places."""
        counts = self.values[:, pairs]
        moved = np.tensordot(flips.astype(float), counts[:, :, ::-1] - counts, 1)
        return self.number(counts.sum(axis=0) + moved, len(counts))

    def strongest(self, side: Floats) -> Ints:
        """(P,) the topic without which a difference falls most, in the direction of ``side``."""
        rest = self.values.sum(axis=0) - self.values
        return np.argmin(self.number(rest, len(rest) - 1) * side, axis=0)

    def without(self, topics: Ints) -> "PooledDifferences":
        """The same of all topics but one of each pair."""
        first, second = (without_one(counts, topics) for counts in (self.first, self.second))
        return PooledDifferences(first, second, self.read)

    def turned(self) -> "PooledDifferences":
        """The first run's numbers less the second one's."""
        return PooledDifferences(self.second, self.first, self.read)


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


def pooled_tables(
    scores: pd.DataFrame, tables: Mapping[str, pd.DataFrame], pools: Pools
) -> dict[str, Pooled]:
    """What was counted, as in `pooled_of`, of those measures of several tables whose counts are added up."""
    counted = {name: pooled_of(scores, table, name, pools) for name, table in tables.items()}
    return {name: found for name, found in counted.items() if found is not None}
