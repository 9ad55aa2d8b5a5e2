"""Runs compared by counts that are added up over topics (``average=micro``): intervals and tests.

What is drawn are topics, as for means, with all that was counted on them: a resampled number is that of the drawn
topics' counts added up. The values of topics are no sample of it, as their mean is another number.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Floats, Ints
from focuseval.statistics.significance import Differences

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

    def interval(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """The intervals of the numbers, as those of differences: lower and upper limits (R,)."""
        return self._less(np.zeros_like(self.counts), self.counts).interval(level, resamples, seed, test)

    def differences(self, first: Sequence[int] | Ints, second: Sequence[int] | Ints) -> Differences:
        """Pairs of runs, by their places: the second run's number less the first one's.

        As these numbers are no means, the randomisation test may reject 0 where an interval holds it, or the other way
        round (1 to 2 % of comparisons); there is no t-test of them.
        """
        return self._less(self.counts[:, first], self.counts[:, second])

    def _less(self, first: Floats, second: Floats) -> Differences:
        def number(sums: Floats, sizes: object) -> Floats:
            return self.number(sums[..., 1, :]) - self.number(sums[..., 0, :])

        values = np.stack([first, second], axis=2)
        return Differences(values, values[:, :, ::-1], number)


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


def of_runs(pooled: Pooled | None, table: pd.DataFrame, runs: Sequence[str]) -> Pooled | None:
    """What was counted of some of the runs that a ``table`` has, in this order; None of a measure that is a mean."""
    if pooled is None:
        return None
    return replace(pooled, counts=pooled.counts[:, table.columns.get_indexer(pd.Index(runs))])
