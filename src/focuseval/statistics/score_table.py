"""Scores of runs on topics under one measure: a mean over topics, or the number of counts that are added up over them.

What is drawn are topics, with all that was counted on them (``average=micro``): a resampled number is that of the drawn
topics' counts added up. The values of topics are no sample of it, as their mean is another number.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.measures.declaration import COUNTS
from focuseval.model.arrays import Floats, Ints
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import Differences, rounding


def score_table(per_topic: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Topics × runs of one measure, from the tidy table of `focuseval.scoring.score.Scores`.

    Raises ValueError if a run lacks a topic: tests compare systems topic by topic.
    """
    part = per_topic[per_topic["name"] == measure].astype({"run": str, "topic": str})
    table = part.pivot(index="topic", columns="run", values="value")
    table = table.loc[part["topic"].unique(), part["run"].unique()]
    if table.isna().to_numpy().any():
        lacking = ", ".join(str(run) for run in table.columns[table.isna().any()])
        raise ValueError(f"{measure}: {lacking} lack topics that others have: average over assessed topics")
    return table


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of R runs on n topics under one measure; ``lower`` if lower is better."""

    values: pd.DataFrame  #: a row for each topic, a column for each run, no value missing
    lower: bool = False
    counts: Floats | None = None  #: (n, R, 4) what was counted, where counts are added up over topics
    number: Callable[[Floats], Floats] | None = None  #: from counts (…, 4) to values (…)

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return [str(run) for run in self.values]

    @cached_property
    def numbers(self) -> Floats:
        """(R,) the number of each run: its mean over topics, or that of the added counts."""
        if self.counts is None or self.number is None:
            return column_means(self.values.to_numpy(dtype=float))
        return self.number(self.counts.sum(axis=0))

    @property
    def ranked(self) -> list[str]:
        """The runs from the best on; equal ones keep their order."""
        runs = self.runs
        return [runs[i] for i in np.argsort(self.numbers if self.lower else -self.numbers, kind="stable")]

    def among(self, runs: Sequence[str]) -> "ScoreTable":
        """Return the table of some runs, in this order."""
        place = self.values.columns.get_indexer(pd.Index(runs))
        counts = None if self.counts is None else self.counts[:, place]
        return replace(self, values=self.values.iloc[:, place], counts=counts)

    def intervals(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """The intervals of the numbers, as in `focuseval.statistics.significance.mean_intervals`: limits (R,)."""
        return self.differences(None, np.arange(len(self.runs))).interval(level, resamples, seed, test)

    def differences(self, first: Sequence[int] | Ints | None, second: Sequence[int] | Ints) -> Differences:
        """Pairs of runs, by their places: the second run's number less the first one's, or less nothing.

        As numbers of added counts are no means, the randomisation test may reject 0 where an interval holds it, or the
        other way round (1 to 2 % of comparisons); there is no t-test of them.
        """
        number = self.number
        if self.counts is None or number is None:
            values = self.values.to_numpy(dtype=float)
            after = values[:, second]
            before = np.zeros_like(after) if first is None else values[:, first]
            return Differences.of_means(after - before, rounding(before, after))

        def less(sums: Floats, sizes: object) -> Floats:
            return number(sums[..., 1, :]) - number(sums[..., 0, :])

        more = self.counts[:, second]
        both = np.stack([np.zeros_like(more) if first is None else self.counts[:, first], more], axis=2)
        return Differences(both, both[:, :, ::-1], less, rounding(*number(both.sum(axis=0)).T))


def score_tables(
    per_topic: pd.DataFrame,
    measures: Iterable[str],
    pools: Mapping[str, Callable[[Floats], Floats]],
    lower: Collection[str],
) -> dict[str, ScoreTable]:
    """The scores under each measure, from `focuseval.scoring.score.Scores.per_topic`.

    ``pools`` are the numbers that added counts are read as, by the names of measures; of those in ``lower`` a lower
    value is better. Topics are sorted, so that their order in a file does not change what is drawn. Raises ValueError
    if a run lacks a topic that others have.
    """
    tables = {}
    for measure in map(str, measures):
        values, counts = score_table(per_topic, measure).sort_index(), None
        if measure in pools:
            part = per_topic[per_topic["name"] == measure].astype({"run": str, "topic": str})
            places = pd.MultiIndex.from_product([values.index, values.columns])
            counts = part.set_index(["topic", "run"])[list(COUNTS)].loc[places].to_numpy(dtype=float)
            counts = counts.reshape(*values.shape, len(COUNTS))
        tables[measure] = ScoreTable(values, measure in lower, counts, pools.get(measure))
    return tables
