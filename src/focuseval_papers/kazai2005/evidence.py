"""The numbers that findings are checked on: of a campaign with what they rest on, or as the paper prints them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.statistics.estimates import Estimate, Quantity, Sample, mean_of_defined
from focuseval.statistics.findings import FEWEST_RUNS
from focuseval.statistics.weighted import kendalls_of, ratio_of
from focuseval_papers.publication.paper import Draw

#: the ten measures of Table 1 in its order: fixed cut-offs, then overall performance
AT_CUTOFF = ("MAnxCG[10]", "MAnxCG[25]", "MAnxCG[50]", "nxCG[10]", "nxCG[25]", "nxCG[50]")
OVERALL = ("MAep", "iMAep", "Q", "R")
MEASURES = (*AT_CUTOFF, *OVERALL)

#: quantisations in the order of Table 2
QUANTISATIONS = ("strict", "gen", "genLifted")

#: Kendall's tau by the pair of measures, or of quantisations
Taus = Mapping[frozenset[str], Quantity]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty where unknown."""

    table1: Taus
    table2: Taus
    measures: Mapping[tuple[str, str], Taus] = field(default_factory=dict)  #: by task and quantisation
    #: columns task, quantisation, overlap, level, measure, topics, lowest, highest
    ideal: pd.DataFrame = field(default_factory=pd.DataFrame)
    #: the share of lists that score differently when they are turned around, by measure
    turned: Mapping[str, Quantity] = field(default_factory=dict)
    #: columns task, overlap, measure, highest: of any run on any topic, and values, of how many
    highest: pd.DataFrame = field(default_factory=pd.DataFrame)


def campaign_evidence(
    means: pd.DataFrame, ideal: pd.DataFrame, turned: pd.DataFrame, highest: pd.DataFrame, draw: Draw
) -> Evidence:
    """The evidence of a campaign, without its correlations where a task has fewer than `FEWEST_RUNS` runs.

    ``means`` has the columns task, quantisation, measure, run, value, of the tasks that are correlated. The runs of
    each task are drawn by themselves.
    """
    shares = _turned(turned, draw)
    if means.groupby("task")["run"].nunique().lt(FEWEST_RUNS).any():
        return Evidence({}, {}, {}, ideal, shares, highest)
    measures, quantisations = by_measures(means, draw), by_quantisations(means, draw)
    return Evidence(
        averaged(list(measures.values())), averaged(quantisations), measures, ideal, shares, highest
    )


def by_measures(means: pd.DataFrame, draw: Draw) -> dict[tuple[str, str], Taus]:
    """Kendall's tau between rankings by two measures, for every task and quantisation."""
    return {
        (task, q): taus
        for task, part, sample in _tasks(means, draw)
        for q, taus in _taus(part, "quantisation", "measure", MEASURES, sample).items()
    }


def by_quantisations(means: pd.DataFrame, draw: Draw) -> list[Taus]:
    """Kendall's tau between rankings under two quantisations, for every task and measure."""
    return [
        taus
        for _, part, sample in _tasks(means, draw)
        for taus in _taus(part, "measure", "quantisation", QUANTISATIONS, sample).values()
    ]


def _tasks(means: pd.DataFrame, draw: Draw) -> Iterator[tuple[str, pd.DataFrame, Sample]]:
    """Every task, its means, and its runs as they are drawn."""
    for task, part in means.groupby("task", sort=False):
        yield str(task), part, draw(str(task), list(part["run"].unique()), "runs")


def with_intervals(table: pd.DataFrame, taus: Taus) -> pd.DataFrame:
    """Table 1 or 2, a pair in its first two columns, with low, high, influential_run and without_it."""
    pairs = (frozenset(pair) for pair in table.iloc[:, :2].itertuples(index=False, name=None))
    rows = []
    for pair in pairs:
        found = taus.get(pair)
        rows.append(
            (*found.interval, *found.influential)
            if isinstance(found, Estimate)
            else (np.nan, np.nan, "", np.nan)
        )
    return table.assign(**pd.DataFrame(rows, columns=["low", "high", "influential_run", "without_it"]))


def _turned(turned: pd.DataFrame, draw: Draw) -> dict[str, Quantity]:
    """`Evidence.turned` from the columns topic, measure, lists, changed."""
    sums = turned.groupby(["measure", "topic"], sort=False)[["lists", "changed"]].sum().astype(float)
    topics = draw("turned topics", list(turned["topic"].unique()), "topics")
    found: dict[str, Quantity] = {}
    for measure in turned["measure"].unique():
        of = sums.loc[measure].reindex(topics.members, fill_value=0.0)
        found[str(measure)] = topics.estimate(ratio_of(of["changed"].to_numpy(), of["lists"].to_numpy()))
    return found


def _taus(part: pd.DataFrame, each: str, by: str, names: Sequence[str], sample: Sample) -> dict[str, Taus]:
    """Kendall's tau between rankings of a task's runs, of every pair of ``names`` in a column ``by``.

    By the values of the column ``each``; the resamples are gone through once for all of them.
    """
    columns = part.pivot(index="run", columns=[each, by], values="value").loc[list(sample.members)]
    known = {label: number for number, label in enumerate(columns.columns)}
    asked = [
        (value, pair)
        for value in part[each].unique()
        for pair in combinations([name for name in names if (value, name) in known], 2)
    ]
    if not asked:
        return {}
    places = [(known[value, a], known[value, b]) for value, (a, b) in asked]
    found: dict[str, dict[frozenset[str], Quantity]] = {}
    estimates = sample.estimates(kendalls_of(columns.to_numpy().T, places))
    for (value, pair), tau in zip(asked, estimates, strict=True):
        found.setdefault(str(value), {})[frozenset(pair)] = tau
    return dict(found)


def averaged(tables: Sequence[Taus]) -> Taus:
    """The mean of each pair over several tables, of those where it is defined."""
    pairs = dict.fromkeys(pair for table in tables for pair in table)
    return {pair: mean_of_defined(table[pair] for table in tables if pair in table) for pair in pairs}


def printed_evidence(table1: pd.DataFrame, table2: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it: its two tables, a pair's two columns and kendall_tau."""

    def taus(table: pd.DataFrame) -> Taus:
        pairs = map(frozenset, table.iloc[:, :2].itertuples(index=False, name=None))
        return dict(zip(pairs, table["kendall_tau"].astype(float), strict=True))

    return Evidence(taus(table1), taus(table2))
