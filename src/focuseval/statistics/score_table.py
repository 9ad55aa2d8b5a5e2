"""Scores of runs on topics by one measure, which are averaged or pooled over topics.

Tests and intervals resample topics. A pooled measure (``average=micro``) is not a mean over topics. Its value on a
resample is computed from counts, which are summed over the topics of the resample.
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
    """Return the scores by one measure, with a row for each topic and a column for each run.

    Raises ValueError if a run has no score on a topic.
    """
    part = per_topic[per_topic["name"] == measure].astype({"run": str, "topic": str})
    table = part.pivot(index="topic", columns="run", values="value")
    table = table.loc[part["topic"].unique(), part["run"].unique()]
    if table.isna().to_numpy().any():
        lacking = ", ".join(str(run) for run in table.columns[table.isna().any()])
        raise ValueError(
            f"{measure} has no scores of {lacking} on topics of other runs; average over assessed topics"
        )
    return table


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of R runs on n topics by one measure. ``lower`` states whether lower scores are better."""

    values: pd.DataFrame  #: a row for each topic and a column for each run, without missing values
    lower: bool = False
    counts: Floats | None = None  #: the four counts of a pooled measure for each topic and run: (n, R, 4)
    number: Callable[[Floats], Floats] | None = None  #: computes a pooled measure from its counts

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return [str(run) for run in self.values]

    @cached_property
    def numbers(self) -> Floats:
        """The overall score of each run: the mean over topics or, for pooled measures, the value of summed counts."""
        if self.counts is None or self.number is None:
            return column_means(self.values.to_numpy(dtype=float))
        return self.number(self.counts.sum(axis=0))

    @property
    def ranked(self) -> list[str]:
        """The runs, best first. Ties keep their order."""
        runs = self.runs
        return [runs[i] for i in np.argsort(self.numbers if self.lower else -self.numbers, kind="stable")]

    def among(self, runs: Sequence[str]) -> "ScoreTable":
        """Return a table of only these ``runs``, in this order."""
        place = self.values.columns.get_indexer(pd.Index(runs))
        counts = None if self.counts is None else self.counts[:, place]
        return replace(self, values=self.values.iloc[:, place], counts=counts)

    def intervals(
        self, level: float, resamples: int, seed: int, test: str | None = "randomisation"
    ) -> tuple[Floats, Floats]:
        """Return the lower and upper limits of the interval of each overall score (`mean_intervals`)."""
        return self.differences(None, np.arange(len(self.runs))).interval(level, resamples, seed, test)

    def differences(self, first: Sequence[int] | Ints | None, second: Sequence[int] | Ints) -> Differences:
        """Return the differences between the overall scores of pairs of runs: second minus first.

        ``first`` and ``second`` have the indexes of the runs. If ``first`` is None, 0 is subtracted. Pooled measures
        have no t-test or Wilcoxon test, and their interval and the randomisation test may disagree.
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
    """Return a table of scores for each measure.

    ``pools`` has the function that computes a pooled measure from its counts. ``lower`` has the measures for which
    lower is better. Topics are sorted, so that resamples do not depend on the order of files. Raises ValueError if a
    run has no score on a topic.
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
