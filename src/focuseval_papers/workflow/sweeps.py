"""A measure over values of its parameters and cut-offs: every value, every point, and where the order of runs changes.

A *point* is one combination of values, and a *dimension* what has several. Values of parameters and cut-offs are
text here, as they stand in names of measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Spec, format_value
from focuseval.model.arrays import Floats
from focuseval.model.judgements import ALL
from focuseval.scoring.score import Scores
from focuseval.statistics.correlations import kendall

#: the column of cut-offs
CUTOFF = "cutoff"

#: differences of means up to this are none
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Sweep:
    """All runs under one measure at every point."""

    #: every value: run, topic (`ALL` for the mean over topics, which stands first), measure, a column for each of the
    #: measure's parameters, cutoff ("" for none), value
    table: pd.DataFrame
    points: Mapping[tuple[str, ...], Mapping[str, str]]  #: by point: its measure, parameters and cutoff
    #: by point: the means of the runs, NaN where the measure has no value on any topic
    means: Mapping[tuple[str, ...], "pd.Series[float]"]
    dimensions: Mapping[str, Sequence[str]]  #: the values of each in their order, by the name of its column
    reference: Mapping[str, str]  #: the point that others are held against
    higher_is_better: bool

    def along(self, name: str, at: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
        """The means of the runs (rows) at each value (columns) of a dimension, all else at the reference or ``at``."""
        keys = {value: {**self.reference, **at, name: value} for value in self.dimensions[name]}
        return pd.DataFrame({value: self.means[tuple(key.values())] for value, key in keys.items()})

    def ranks(self, means: "pd.Series[float]") -> "pd.Series[float]":
        """The rank of each run, 1 for the best; ties share the smaller one."""
        return means.rank(ascending=not self.higher_is_better, method="min")

    def at_points(self) -> pd.DataFrame:
        """The points, and at each what the runs' means are, and how they are ranked.

        measure, parameters and cutoff; runs; mean, lowest and highest of their means; kendall_tau with their ranking at
        the reference; pairs of runs, and pairs_changed, how many of them stand in another order than there.
        """
        there = self.means[tuple(self.reference.values())]
        rows = [
            {**self.points[key], "runs": len(of), "mean": of.mean(), "lowest": of.min(), "highest": of.max()}
            | _alike(there, of)
            for key, of in self.means.items()
        ]
        return pd.DataFrame(rows)

    def order(self) -> pd.DataFrame:
        """Where the order of runs changes: a row for each step of one dimension from a value to the next.

        measure, parameters and cutoff before the step; changes (the dimension), from, to; kendall_tau of the two
        rankings; pairs of runs, and pairs_changed; best_before and best_after; and the run that moves most, if any
        does: moves_most, rank_before, rank_after.
        """
        rows = []
        for place, (name, values) in enumerate(self.dimensions.items()):
            following = dict(pairwise(values))
            for key, before in self.means.items():
                if to := following.get(key[place]):
                    after = self.means[*key[:place], to, *key[place + 1 :]]
                    step = {**self.points[key], "changes": name, "from": key[place], "to": to}
                    rows.append(step | _alike(before, after) | self._moved(before, after))
        return pd.DataFrame(rows).astype({"rank_before": "Int64", "rank_after": "Int64"})

    def _moved(self, before: "pd.Series[float]", after: "pd.Series[float]") -> dict[str, Any]:
        names = ("best_before", "best_after", "moves_most", "rank_before", "rank_after")
        first, then = self.ranks(before), self.ranks(after)
        if first.isna().any() or then.isna().any():
            return dict.fromkeys(names)
        moved = (then - first).abs()
        most = moved.idxmax()
        moves = (most, first[most], then[most]) if moved[most] else (None,) * 3
        return dict(zip(names, (first.idxmin(), then.idxmin(), *moves), strict=True))


def sweep_of(scores: pd.DataFrame, specs: Sequence[Spec], parameters: Sequence[str]) -> Sweep:
    """A sweep from ``scores`` (columns of `focuseval.scoring.score.Scores.per_topic`), and the measure at its points.

    ``specs`` are all combinations of values of these ``parameters`` and of cut-offs; scores of other measures are left
    out. The reference is where each parameter has its default, or else, as the cut-off, the middle of its values.
    """
    measure, known = specs[0].measure, {spec.name: spec for spec in specs}
    points = pd.DataFrame(
        {
            "measure": measure.name,
            **{p.name: format_value(spec.parameters[p.name]) for p in measure.parameters},
            CUTOFF: spec.behind.kind.write(spec.cutoff) if spec.behind else "",
        }
        for spec in specs
    )
    part = scores[scores["name"].isin(known)]
    found = pd.concat([Scores(part, known).means(), part], ignore_index=True)
    about = (
        points.astype("category").take(pd.Index(list(known)).get_indexer(found["name"])).set_axis(found.index)
    )
    table = pd.concat([found[["run", "topic"]].astype(str), about, found["value"]], axis=1)
    values = {name: list(points[name].unique()) for name in [*parameters, CUTOFF]}
    dimensions = {name: of for name, of in values.items() if len(of) > 1}
    defaults = {p.name: format_value(p.default) for p in measure.parameters}
    mean = table[table["topic"] == ALL]
    runs = mean["run"].unique()
    by_point = {
        key: of.set_index("run")["value"] for key, of in mean.groupby(list(dimensions), observed=True)
    }
    return Sweep(
        table,
        {tuple(row[name] for name in dimensions): row for row in points.to_dict("records")},
        {key: by_point.get(key, pd.Series(np.nan, runs)).loc[runs] for key in product(*dimensions.values())},
        dimensions,
        {
            name: defaults[name] if defaults.get(name) in of else of[len(of) // 2]
            for name, of in dimensions.items()
        },
        measure.higher_is_better,
    )


def order_changed(a: Floats, b: Floats) -> int:
    """How many pairs of runs stand in another order under ``b`` than under ``a``, both (n,); ties are no order."""
    high, low = np.triu_indices(len(a), k=1)
    before, after = a[high] - a[low], b[high] - b[low]
    return int(((before * after < 0) & (np.minimum(np.abs(before), np.abs(after)) > _EQUAL)).sum())


def tau_matrix(means: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau-b between the columns of a table with a row for each run; NaN for one run, and where all tie."""
    taus = [[_alike(means[a], means[b])["kendall_tau"] for b in means] for a in means]
    return pd.DataFrame(taus, index=means.columns, columns=means.columns)


def _alike(before: "pd.Series[float]", after: "pd.Series[float]") -> dict[str, float]:
    """How alike two rankings of the same runs are."""
    a, b = before.to_numpy(), after.to_numpy()
    tau = kendall(a, b).coefficient if len(a) > 1 else float("nan")
    return {"kendall_tau": tau, "pairs": len(a) * (len(a) - 1) // 2, "pairs_changed": order_changed(a, b)}
