"""Correlations of measures over runs, over topics, or over single values.

A *column* contains the values of a set of runs under a measure. The members of a column are runs, topics or single
values. Columns of one group share their members, which are resampled together. A number that is computed from several
correlations of a group therefore has an interval and a most influential member
(`focuseval_papers.publication.estimates`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import listed
from focuseval.model.arrays import Floats, Ints
from focuseval.report import page
from focuseval.report.parts import Analysis, Drawn, Item, Table, write_tables
from focuseval.report.parts import Figure as Declared
from focuseval.statistics import correlations
from focuseval.statistics.correlations import COEFFICIENTS, OVER
from focuseval.statistics.means import means_by
from focuseval_papers.publication.estimates import (
    Estimate,
    Sample,
    Statistic,
    kendalls_of,
    pearson_of,
    spearman_of,
)

#: a heat map is drawn for at most this many columns
MOST_DRAWN = 15

Pair = tuple[str, str]


@dataclass(frozen=True)
class Column:
    """A set of runs and the measure whose scores are correlated, with a label that is unique in the group."""

    label: str
    runs: str
    measure: str  #: the canonical name of the measure
    #: the campaign of the runs: "campaign", or "earlier" for the campaign in the setting ``earlier``
    of: str = "campaign"


@dataclass(frozen=True)
class Group:
    """A group of columns; ``pairs`` contains the labels of each two columns to correlate."""

    name: str
    columns: Sequence[Column]
    pairs: Sequence[Pair]
    #: whether members are sorted by name, so that resamples do not depend on the order of the scores
    by_name: bool = False


@dataclass(frozen=True)
class Correlations:
    """The correlations that a campaign or a paper requests under one name."""

    name: str
    coefficients: Sequence[str]  #: names of coefficients, from `COEFFICIENTS`
    over: str  #: the kind of members, which is a key of `OVER`: runs, topics or values
    groups: Sequence[Group]
    resamples: int
    seed: int
    #: the number of members to keep, with the highest values in the first column; None keeps all
    top: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, which `from_dict` reads."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Correlations":
        """Restore correlations from the result of `as_dict`."""
        groups = [
            Group(
                one["name"],
                [Column(**column) for column in one["columns"]],
                [(a, b) for a, b in one["pairs"]],
                one["by_name"],
            )
            for one in values["groups"]
        ]
        return cls(**{**values, "groups": groups})


def all_pairs(labels: Iterable[str]) -> list[Pair]:
    """Return every pair of labels, with the later label first, as in printed tables of correlations."""
    return [(b, a) for a, b in combinations(labels, 2)]


#: the columns of a table of `correlate` that readers see; further columns store the resamples
COLUMNS = [
    "group", "a", "b", "coefficient", "over", "n", "value", "p_value", "low", "high",
    "influential", "without", "ties_a", "ties_b",
]  # fmt: skip
_EVIDENCE = ["drawn_over", "members", "resamples", "seed", "drawn", "left_out"]


def correlate(declared: Correlations, scores: Callable[[Column], pd.DataFrame]) -> pd.DataFrame:
    """Compute the correlations that a campaign or a paper requests, and return them as a table.

    ``scores`` returns the scores of a `Column` as a table of run, topic and value. The result has a row for each group,
    pair of labels (a, b) and coefficient. Its further fields (`COLUMNS`) are

    - over, n: the kind and the number of members;
    - value, p_value: the coefficient and its two-tailed p-value;
    - low, high: the limits of the 95 % interval;
    - influential, without: the member whose removal changes the coefficient most, and the coefficient after this
      removal;
    - ties_a, ties_b: under each label, the share of pairs of members with equal values.

    More fields store the resamples (`estimates_of`). Members without a value in a `Column` of the group are left out. A
    group of fewer than two members has no row. If members are single values, topics are resampled with the values of
    all runs.
    """
    rows = [row for group in declared.groups for row in _correlated(declared, group, scores)]
    return pd.DataFrame(rows, columns=[*COLUMNS, *_EVIDENCE])


def _correlated(
    declared: Correlations, group: Group, scores: Callable[[Column], pd.DataFrame]
) -> Iterator[tuple[Any, ...]]:
    columns = values_of(
        declared.over, {column.label: scores(column) for column in group.columns}, declared.top
    )
    if group.by_name:
        columns = columns.sort_index()
    pairs = [(a, b) for a, b in group.pairs if a in columns and b in columns]
    if len(columns) < 2 or not pairs:
        return
    cluster = columns.index.get_level_values(-1)
    sample = Sample(
        group.name,
        tuple(map(str, cluster.unique())),
        "runs" if declared.over == "runs" else "topics",
        declared.resamples,
        declared.seed,
    )
    member = pd.Index(sample.members).get_indexer(cluster.astype(str))
    numbers = columns.to_numpy(float).T
    place = {label: number for number, label in enumerate(columns.columns)}
    ties = dict(zip(columns.columns, map(_tied, numbers), strict=True))
    for coefficient in declared.coefficients:
        places = [(place[a], place[b]) for a, b in pairs]
        estimates = _estimates(coefficient, sample, member, numbers, places)
        for (a, b), estimate in zip(pairs, estimates, strict=True):
            p_value = getattr(correlations, coefficient)(columns[a], columns[b]).p_value
            yield (
                *(group.name, a, b, coefficient, declared.over, len(columns), estimate.value, p_value),
                *(*estimate.interval, *estimate.influential, ties[a], ties[b]),
                *(sample.over, list(sample.members), sample.resamples, sample.seed),
                *(estimate.drawn, estimate.without[sample]),
            )


def values_of(over: str, scores: Mapping[str, pd.DataFrame], top: int | None = None) -> pd.DataFrame:
    """Arrange scores in a table of members (rows) and labels of ``scores`` (columns), without incomplete rows.

    ``over`` is the kind of members: runs, topics or values. With ``top``, only the ``top`` members with the highest
    values in the first column are kept.
    """
    keys = {"runs": ["run"], "topics": ["topic"], "values": ["run", "topic"]}[over]
    columns = {}
    for label, table in scores.items():
        part = table.astype({"run": str, "topic": str})
        if len(keys) == 1:
            part = means_by(part, keys)
        columns[label] = part.set_index(keys)["value"]
    wide = pd.DataFrame(columns).dropna()
    order = next(iter(columns.values())).index
    wide = wide.loc[order[order.isin(wide.index)]]
    if top is not None:
        wide = wide.sort_values(wide.columns[0], ascending=False, kind="stable").iloc[:top]
    return wide


def _estimates(
    coefficient: str, sample: Sample, member: Ints, columns: Floats, pairs: Sequence[tuple[int, int]]
) -> list[Estimate]:
    """Estimate a correlation coefficient for pairs of columns, given as indices into ``columns``.

    ``columns`` has the shape (C, n), for C columns of n values. ``member`` contains the index of each value's member in
    the sample. Several values may belong to one member, such as the values of all runs on a topic.
    """

    def each(statistic: Statistic) -> Statistic:
        return (
            statistic if len(member) == len(sample.members) else lambda weights: statistic(weights[:, member])
        )

    if coefficient == "kendall":  # one call for all pairs is faster here
        return sample.estimates(each(kendalls_of(columns, pairs)))
    statistic = {"pearson": pearson_of, "spearman": spearman_of}[coefficient]
    return [sample.estimate(each(statistic(columns[a], columns[b]))) for a, b in pairs]


def _tied(values: Floats) -> float:
    """Return the share of equal pairs among all pairs of ``values``."""
    counts = np.unique(values, return_counts=True)[1].astype(float)
    return float((counts * (counts - 1)).sum() / (len(values) * (len(values) - 1)))


def estimates_of(table: pd.DataFrame, coefficient: str = "") -> dict[tuple[str, str, str], Estimate]:
    """Restore the estimated correlations from a table of `correlate`, by group and the two labels (group, a, b).

    ``coefficient`` selects a coefficient if the table has several.
    """
    estimates = {}
    for row in table.to_dict("records"):
        if coefficient and row["coefficient"] != coefficient:
            continue
        members, drawn_over = tuple(map(str, row["members"])), str(row["drawn_over"])
        sample = Sample(row["group"], members, drawn_over, int(row["resamples"]), int(row["seed"]))
        drawn, left_out = (np.asarray(row[name], dtype=float) for name in ("drawn", "left_out"))
        key = str(row["group"]), str(row["a"]), str(row["b"])
        estimates[key] = Estimate(float(row["value"]), drawn, {sample: left_out})
    return estimates


def make_correlations(
    declared: Correlations,
    table: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
    *,
    synthetic: bool = False,
) -> str:
    """Write the table and the figure of correlations into a folder, and return their section of the report.

    If ``synthetic`` is true, the files state that the campaign is synthetic.
    """
    from focuseval.report.figures import draw  # slow, because it imports Matplotlib
    from focuseval_papers.report.figures import HeatMapPanel, heat_maps

    coefficients = [COEFFICIENTS[name] for name in declared.coefficients]
    over = f"over {declared.over} ({OVER[declared.over]})"
    analysis: Analysis = {"correlations": table[COLUMNS]}

    def drawn(*_: Any) -> Any:
        maps = []
        for (group, coefficient), part in table.groupby(["group", "coefficient"], sort=False):
            labels = list(dict.fromkeys([*part["b"], *part["a"]]))
            values = pd.DataFrame(np.where(np.eye(len(labels)), 1.0, np.nan), labels, labels)
            for row in part.itertuples():
                values.loc[row.a, row.b] = values.loc[row.b, row.a] = row.value
            title = ([group] if len(declared.groups) > 1 else []) + (
                [COEFFICIENTS[coefficient]] if len(coefficients) > 1 else []
            )
            maps.append(HeatMapPanel(", ".join(title), values))
        return heat_maps(maps, coefficients[0] if len(coefficients) == 1 else "coefficient")

    decimals = dict.fromkeys(["value", "low", "high", "ties_a", "ties_b"], 2)
    caption = (
        f"{listed(coefficients)} {over}, with 95 % intervals. Ties are the share of pairs with equal values. "
        "The CSV file also has the most influential member, and each coefficient without this member."
    )
    without_influence = partial(pd.DataFrame.drop, columns=["influential", "without"])
    items: list[Item] = [
        Table("correlations", declared.name, caption, decimals=decimals, show=without_influence)
    ]
    figures: Drawn = {}
    if len(table) > 0 and max(len(group.columns) for group in declared.groups) <= MOST_DRAWN:
        items.insert(0, Declared("map", f"{declared.name} as a map", f"{listed(coefficients)} {over}."))
        figures = {"map": drawn}
    write_tables(items, analysis, declared, folder, campaign if synthetic else "")
    draw(items, figures, analysis, declared, folder, campaign if synthetic else "")
    return page.section(
        f"correlations-{campaign}-{declared.name}",
        f"Correlations on {campaign}: {declared.name}",
        f"{title}.",
        page.shown(items, analysis, declared, folder, f"{campaign}/correlations/{declared.name}"),
        group="Correlations",
        label=f"{campaign}: {declared.name}",
    )
