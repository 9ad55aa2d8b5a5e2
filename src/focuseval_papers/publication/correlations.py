"""Correlations of measures over runs, over topics, or over their single values: declared, computed, stored, read.

What is correlated are *columns*: the values of sets of runs under measures. Columns of one group have the same members,
which are drawn together, so that an interval and the most influential member follow for every number that is computed
of several correlations, too (`focuseval_papers.publication.estimates`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.files import replacing
from focuseval.model.arrays import Floats
from focuseval.report import page
from focuseval.report.figures import draw
from focuseval.report.parts import Analysis, Drawn, Item, Table, write_tables
from focuseval.report.parts import Figure as Declared
from focuseval.statistics.correlations import COEFFICIENTS, OVER
from focuseval.statistics.means import means_by
from focuseval_papers.publication.estimates import Estimate, Sample, kendalls_of, pearson_of, spearman_of

Pair = tuple[str, str]


@dataclass(frozen=True)
class Column:
    """Values of a set of runs under a measure, by a label that no other column of the group has."""

    label: str
    runs: str  #: the name of the set of runs
    measure: str  #: canonical name
    of: str = "campaign"  #: whose runs: "campaign", or "earlier"


@dataclass(frozen=True)
class Group:
    """Columns with the same members, and the pairs of them that are correlated, by their labels."""

    name: str
    columns: Sequence[Column]
    pairs: Sequence[Pair]


@dataclass(frozen=True)
class Correlations:
    """Correlations that a campaign or a paper asks for."""

    name: str
    coefficient: str  #: one of `COEFFICIENTS`
    over: str  #: one of `OVER`
    groups: Sequence[Group]
    resamples: int
    seed: int

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, which `from_dict` reads."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Correlations":
        """Read what `as_dict` returned."""
        groups = [
            Group(one["name"], [Column(**c) for c in one["columns"]], [(a, b) for a, b in one["pairs"]])
            for one in values["groups"]
        ]
        return cls(**{**values, "groups": groups})


def all_pairs(labels: Iterable[str]) -> list[Pair]:
    """Return every pair of labels, the one that comes later first, as tables print them."""
    return [(b, a) for a, b in combinations(labels, 2)]


#: columns of a table of correlations; the resamples and what each is without one of its members are lists
COLUMNS = [
    *("group", "a", "b", "coefficient", "over", "n", "value", "low", "high"),
    *("influential", "without", "ties_a", "ties_b"),
]
_EVIDENCE = ["members", "resamples", "seed", "drawn", "left_out"]


def correlate(asked: Correlations, scores: Callable[[Column], pd.DataFrame]) -> pd.DataFrame:
    """Compute correlations; ``scores`` returns the rows of a column, with run, topic and value.

    Columns of `COLUMNS`: value is the coefficient, low and high are the limits of its 95 % interval, influential is the
    member without which it changes most, and without what it is then; ties is the share of pairs of members that tie.
    Behind them stands what an estimate is made of again (`estimates_of`). Members without a value under one of the
    columns are left out; a group of fewer than two members has no row.
    """
    tables = [_correlated(asked, group, scores) for group in asked.groups]
    return pd.concat([pd.DataFrame(columns=[*COLUMNS, *_EVIDENCE]), *tables], ignore_index=True)


def _correlated(asked: Correlations, group: Group, scores: Callable[[Column], pd.DataFrame]) -> pd.DataFrame:
    columns = values_of(asked.over, {column.label: scores(column) for column in group.columns})
    pairs = [(a, b) for a, b in group.pairs if a in columns and b in columns]
    if len(columns) < 2 or not pairs:
        return pd.DataFrame(columns=[*COLUMNS, *_EVIDENCE])
    over = "topics" if asked.over == "topics" else asked.over
    sample = Sample(group.name, tuple(map(str, columns.index)), over, asked.resamples, asked.seed)
    numbers = columns.to_numpy(float).T
    place = {label: number for number, label in enumerate(columns.columns)}
    estimates = estimates_of_pairs(
        asked.coefficient, sample, numbers, [(place[a], place[b]) for a, b in pairs]
    )
    ties = dict(zip(columns.columns, map(_tied, numbers), strict=True))
    rows = []
    for (a, b), found in zip(pairs, estimates, strict=True):
        about = (group.name, a, b, asked.coefficient, asked.over, len(columns))
        rows.append(
            (
                *about,
                found.value,
                *found.interval,
                *found.influential,
                *(ties[a], ties[b]),
                *(list(sample.members), sample.resamples, sample.seed, found.drawn, found.without[sample]),
            )
        )
    return pd.DataFrame(rows, columns=[*COLUMNS, *_EVIDENCE])


def values_of(over: str, scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row for each member that has a value in every column, and a column for each label."""
    keys = {"runs": ["run"], "topics": ["topic"], "values": ["run", "topic"]}[over]
    columns = {}
    for label, table in scores.items():
        part = table.astype({"run": str, "topic": str})
        if len(keys) == 1:
            part = means_by(part, keys)
        columns[label] = part.set_index(keys)["value"]
    wide = pd.DataFrame(columns).dropna()
    order = next(iter(columns.values())).index if columns else wide.index
    wide = wide.loc[order[order.isin(wide.index)]]
    if over == "values":
        wide.index = pd.Index([f"{run} {topic}" for run, topic in wide.index])
    return wide


def estimates_of_pairs(
    coefficient: str, sample: Sample, columns: Floats, pairs: Sequence[tuple[int, int]]
) -> list[Estimate]:
    """Return a coefficient of pairs of columns (C, n) with its resamples."""
    if coefficient == "kendall":  # the resamples are gone through once for all pairs
        return sample.estimates(kendalls_of(columns, pairs))
    statistic = {"pearson": pearson_of, "spearman": spearman_of}[coefficient]
    return [sample.estimate(statistic(columns[a], columns[b])) for a, b in pairs]


def _tied(values: Floats) -> float:
    """The share of pairs of members with equal values."""
    counts = np.unique(values, return_counts=True)[1].astype(float)
    return float((counts * (counts - 1)).sum() / (len(values) * (len(values) - 1)))


def estimates_of(table: pd.DataFrame) -> dict[tuple[str, str, str], Estimate]:
    """Return the estimates of a table of `correlate`, by group and pair."""
    samples: dict[str, Sample] = {}
    found = {}
    for row in table.to_dict("records"):
        sample = samples.get(row["group"])
        if sample is None:
            members = tuple(map(str, row["members"]))
            sample = Sample(row["group"], members, row["over"], int(row["resamples"]), int(row["seed"]))
            samples[row["group"]] = sample
        drawn, left_out = (np.asarray(row[name], dtype=float) for name in ("drawn", "left_out"))
        key = str(row["group"]), str(row["a"]), str(row["b"])
        found[key] = Estimate(float(row["value"]), drawn, {sample: left_out})
    return found


def write_correlations(table: pd.DataFrame, path: Path) -> None:
    """Write the table with all that estimates are made of."""
    with replacing(path) as unfinished:
        table.to_parquet(unfinished, index=False)


def read_correlations(path: Path) -> pd.DataFrame:
    """Read the table that `write_correlations` wrote."""
    return pd.read_parquet(path)


def make_correlations(
    asked: Correlations, table: pd.DataFrame, folder: Path, campaign: str, title: str
) -> str:
    """Write the table and the figure of correlations into a folder; their section of the report."""
    from focuseval_papers.report.figures import HeatMap, heat_maps  # draws: slow to import

    coefficient = COEFFICIENTS[asked.coefficient]
    caption = f"{coefficient} over {asked.over} ({OVER[asked.over]}), with its 95 % interval"
    analysis: Analysis = {"correlations": table[COLUMNS]}

    def drawn(*_: Any) -> Any:
        maps = []
        for group, part in table.groupby("group", sort=False):
            labels = list(dict.fromkeys([*part["b"], *part["a"]]))
            values = pd.DataFrame(np.eye(len(labels)), labels, labels)
            values[values == 0] = np.nan
            for row in part.itertuples():
                values.loc[row.a, row.b] = values.loc[row.b, row.a] = row.value
            maps.append(HeatMap(str(group) if table["group"].nunique() > 1 else "", values))
        return heat_maps(maps, coefficient)

    decimals = dict.fromkeys(["value", "low", "high", "without", "ties_a", "ties_b"], 2)
    what = f"{caption}, and the one of the {asked.over} without which it changes most; ties are pairs of equal values."
    items: list[Item] = [Table("correlations", asked.name, what, decimals=decimals)]
    figures: Drawn = {}
    if len(table):
        items.insert(0, Declared("map", f"{asked.name} as a map", f"{caption.partition(',')[0]}."))
        figures = {"map": drawn}
    write_tables(items, analysis, asked, folder)
    draw(items, figures, analysis, asked, folder)
    return page.section(
        f"correlations-{campaign}-{asked.name}",
        f"Correlations on {campaign}: {asked.name}",
        f"{title}.",
        page.shown(items, analysis, asked, folder, f"{campaign}/correlations/{asked.name}"),
        group="Correlations",
        label=f"{campaign}: {asked.name}",
    )
