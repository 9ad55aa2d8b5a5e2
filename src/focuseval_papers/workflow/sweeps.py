"""Sweeps show how scores and rankings of runs change with the parameters and the cut-off of a measure.

A *dimension* is a parameter, or the cut-off, with several values. A *point* is a combination of values. Values are
texts, as in names of measures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from textwrap import fill
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import counted, extra
from focuseval.measures.declaration import Spec, format_value
from focuseval.model.arrays import Floats
from focuseval.model.judgements import ALL
from focuseval.report import page
from focuseval.report.figures import COLOURS, LINE, STYLE, draw, entry
from focuseval.report.parts import Absent, Analysis, Drawn, Item, Table, write_tables
from focuseval.report.parts import Figure as Declared
from focuseval.report.tables import number
from focuseval.scoring.score import Scores
from focuseval.statistics.correlations import tau
from focuseval_papers.report.figures import HeatMapPanel, heat_maps
from focuseval_papers.report.tables import degenerate

with extra("plots"):
    import matplotlib
    from matplotlib.figure import Figure


#: name of the column that contains cut-offs
CUTOFF = "cutoff"

#: means that differ by at most this much count as equal, because of floating-point rounding
_EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class Sweep:
    """The scores of all runs under one measure at every point: a combination of parameter values and a cut-off."""

    #: all scores, in the columns run, topic, measure, the parameters, cutoff ("" for none) and value; rows with the
    #: topic `ALL` contain means over topics
    table: pd.DataFrame
    points: Mapping[tuple[str, ...], Mapping[str, str]]  #: the measure, parameters and cut-off of each point
    #: the mean of each run at each point; NaN if the measure has no value on any topic
    means: Mapping[tuple[str, ...], "pd.Series[float]"]
    #: the values of each dimension in order; a dimension is a column of ``table``
    dimensions: Mapping[str, Sequence[str]]
    reference: Mapping[str, str]  #: the point with which all other points are compared
    higher_is_better: bool

    def along(self, name: str, at: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
        """Return the mean of each run (row) at each value (column) of the dimension ``name``: a parameter or cut-off.

        Every other dimension has its value in ``at``, or else its value at the reference point.
        """
        keys = {value: {**self.reference, **at, name: value} for value in self.dimensions[name]}
        return pd.DataFrame({value: self.means[tuple(key.values())] for value, key in keys.items()})

    def ranks(self, means: "pd.Series[float]") -> "pd.Series[float]":
        """Return the rank of each run, from 1 for the best; tied runs share the smallest rank."""
        return means.rank(ascending=not self.higher_is_better, method="min")

    def at_points(self) -> pd.DataFrame:
        """Summarise the scores at each point, and compare its ranking of runs with the ranking at the reference point.

        The columns are measure, the parameters, cutoff, runs, mean, lowest, highest, kendall_tau, pairs and
        pairs_changed.
        """
        at_reference = self.means[tuple(self.reference.values())]
        rows = []
        for key, means in self.means.items():
            summary = {"mean": means.mean(), "lowest": means.min(), "highest": means.max()}
            compared = _compare_rankings(at_reference, means)
            rows.append({**self.points[key], "runs": len(means), **summary, **compared})
        return pd.DataFrame(rows)

    def order(self) -> pd.DataFrame:
        """Compare the rankings of runs before and after each step (row) from one value of a dimension to the next.

        The columns describe the step, the agreement of the two rankings, and the runs that are best or move most.
        """
        rows = []
        for place, (name, values) in enumerate(self.dimensions.items()):
            following = dict(pairwise(values))
            for key, before in self.means.items():
                if to := following.get(key[place]):
                    after = self.means[*key[:place], to, *key[place + 1 :]]
                    step = {**self.points[key], "changes": name, "from": key[place], "to": to}
                    rows.append(step | _compare_rankings(before, after) | self._moves(before, after))
        return pd.DataFrame(rows).astype({"rank_before": "Int64", "rank_after": "Int64"})

    def _moves(self, before: "pd.Series[float]", after: "pd.Series[float]") -> dict[str, Any]:
        names = ("best_before", "best_after", "moves_most", "rank_before", "rank_after")
        first, then = self.ranks(before), self.ranks(after)
        if first.isna().any() or then.isna().any():
            return dict.fromkeys(names)
        distance = (then - first).abs()
        most = distance.idxmax()
        moves = (most, first[most], then[most]) if distance[most] else (None,) * 3
        return dict(zip(names, (first.idxmin(), then.idxmin(), *moves), strict=True))


def sweep_of(scores: pd.DataFrame, specs: Sequence[Spec], parameters: Sequence[str]) -> Sweep:
    """Make a sweep from ``scores``, which have the columns of `focuseval.scoring.score.Scores.per_topic`.

    ``specs`` are the points of the sweep. The reference point has each parameter's default value if the sweep includes
    this value, and the middle value of every other dimension.
    """
    measure, by_name = specs[0].measure, {spec.name: spec for spec in specs}
    points = pd.DataFrame(
        {
            "measure": measure.name,
            **{p.name: format_value(spec.parameters[p.name]) for p in measure.parameters},
            CUTOFF: spec.declared_cutoff.kind.write(spec.cutoff) if spec.declared_cutoff else "",
        }
        for spec in specs
    )
    part = scores[scores["name"].isin(by_name)]
    means = pd.concat([Scores(part, by_name).means(), part], ignore_index=True)
    about = (
        points.astype("category")
        .take(pd.Index(list(by_name)).get_indexer(means["name"]))
        .set_axis(means.index)
    )
    table = pd.concat([means[["run", "topic"]].astype(str), about, means["value"]], axis=1)
    values = {name: list(points[name].unique()) for name in [*parameters, CUTOFF]}
    dimensions = {name: several for name, several in values.items() if len(several) > 1}
    defaults = {p.name: format_value(p.default) for p in measure.parameters}
    mean = table[table["topic"] == ALL]
    runs = mean["run"].unique()
    by_point = {
        key: rows.set_index("run")["value"] for key, rows in mean.groupby(list(dimensions), observed=True)
    }
    return Sweep(
        table,
        {tuple(row[name] for name in dimensions): row for row in points.to_dict("records")},
        {key: by_point.get(key, pd.Series(np.nan, runs)).loc[runs] for key in product(*dimensions.values())},
        dimensions,
        {
            name: defaults[name] if defaults.get(name) in several else several[len(several) // 2]
            for name, several in dimensions.items()
        },
        measure.higher_is_better,
    )


def order_changed(a: Floats, b: Floats) -> int:
    """Count the pairs of runs that are in a different order under ``a`` and ``b``; tied pairs do not count."""
    high, low = np.triu_indices(len(a), k=1)
    before, after = a[high] - a[low], b[high] - b[low]
    return int(((before * after < 0) & (np.minimum(np.abs(before), np.abs(after)) > _EQUAL)).sum())


def tau_matrix(means: pd.DataFrame) -> pd.DataFrame:
    """Return Kendall's tau-b for each pair of columns of means; NaN if there is only one run, or if all runs tie."""
    taus = [[_tau(means[a], means[b]) for b in means] for a in means]
    return pd.DataFrame(taus, index=means.columns, columns=means.columns)


def _tau(before: "pd.Series[float]", after: "pd.Series[float]") -> float:
    return tau(before, after) if len(before) > 1 else float("nan")


def _compare_rankings(before: "pd.Series[float]", after: "pd.Series[float]") -> dict[str, float]:
    """Return Kendall's tau of two rankings of runs, the number of pairs of runs, and the number of reordered pairs."""
    changed = order_changed(before.to_numpy(), after.to_numpy())
    pairs = len(before) * (len(before) - 1) // 2
    return {"kendall_tau": _tau(before, after), "pairs": pairs, "pairs_changed": changed}


#: marker shapes of the best runs at the reference; the lines of all other runs are grey
_MARKS = "osD^v"


def _axes_of(sweep: Sweep) -> list[str]:
    """Return the one or two dimensions that figures show: the first, and the cut-offs or else the second."""
    first, *others = sweep.dimensions
    return [first, *(others[-1:] if CUTOFF in others else others[:1])]


def _listed(*names: str) -> str:
    *others, last = ("cut-off" if name == CUTOFF else name for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def value_maps(sweep: Sweep, label: str) -> Figure:
    """Draw maps of scores: the mean over runs, and the score of the run that is best at the first point."""
    *rows, column = _axes_of(sweep)
    at = [{name: value} for name in rows for value in sweep.dimensions[name]] or [{}]
    parts = [sweep.along(column, point) for point in at]
    best = sweep.ranks(parts[0].iloc[:, 0]).fillna(np.inf).idxmin()
    values = {"mean over runs": [part.mean() for part in parts]}
    values[fill(str(best), 36)] = [part.loc[best] for part in parts]
    if rows:
        labels = pd.Index(sweep.dimensions[rows[0]])
        maps = {title: pd.DataFrame(values_of_map, index=labels) for title, values_of_map in values.items()}
    else:
        maps = {"": pd.DataFrame({title: values_of_map for title, [values_of_map] in values.items()}).T}
    top = max(float(values_of_map.max().max()) for values_of_map in maps.values())
    panels = [
        HeatMapPanel(title, values_of_map, _listed(column), *rows) for title, values_of_map in maps.items()
    ]
    return heat_maps(panels, label, (0.0, top if top > 0 else 1.0))


@matplotlib.rc_context(STYLE)
def run_lines(sweep: Sweep, label: str) -> Figure:
    """Draw the scores and the ranks of runs against one or two dimensions, with the best runs in colour."""
    shown, reference = _axes_of(sweep), sweep.ranks(sweep.means[tuple(sweep.reference.values())])
    ranked = reference.sort_values(kind="stable").index
    figure = Figure(figsize=(7.2, 2.9 * len(shown) + 0.8), layout="constrained")
    axes = figure.subplots(len(shown), 2, squeeze=False)
    for (left, right), name in zip(axes, shown, strict=True):
        means = sweep.along(name)
        for ax, lines in ((left, means), (right, means.apply(sweep.ranks))):
            ax.plot(lines.columns, lines.loc[ranked[len(_MARKS) :]].T, color=LINE, linewidth=0.7)
            for run, colour, mark in zip(ranked, COLOURS, _MARKS, strict=False):
                look: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4, "linewidth": 1.5}
                ax.plot(lines.columns, lines.loc[run], label=entry(fill(run, 40)), clip_on=False, **look)
            ax.tick_params(axis="x", rotation=45 if sum(map(len, means)) > 20 else 0)
            ax.set_xlabel(_listed(name))
        left.set(ylabel=f"{label}, mean over topics", ylim=(min(0, left.get_ylim()[0]), None))
        right.set(
            ylabel="rank",
            ylim=(len(ranked) + 0.5, 0.5),
            yticks=[1, *range(5, len(ranked) + 1, 5)] if len(ranked) > 10 else range(1, len(ranked) + 1),
        )
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def rankings_alike(sweep: Sweep) -> Figure:
    """Draw a map for each dimension: Kendall's tau between the rankings of runs at every two values."""
    maps = [HeatMapPanel(_listed(name), tau_matrix(sweep.along(name))) for name in sweep.dimensions]
    return heat_maps(maps, "Kendall's τ")


def _at_reference(table: pd.DataFrame, sweep: Sweep, *free: str) -> pd.DataFrame:
    """Return the rows of a table at the sweep's reference point; dimensions in ``free`` may have any value."""
    fixed = {name: value for name, value in sweep.reference.items() if name not in free}
    return table[(table[list(fixed)] == pd.Series(fixed)).all(axis=1)]


def _steps_shown(table: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    """Keep the steps of `Sweep.order` whose unchanged dimensions have their values at the reference point."""
    parts = [_at_reference(part, sweep, str(name)) for name, part in table.groupby("changes", sort=False)]
    return pd.concat(parts).loc[:, "changes":]


def _most_changed(table: pd.DataFrame, sweep: Sweep) -> str:
    """Return a sentence on the step that changes the ranking of runs most; "" if no rankings can be compared."""
    steps = table.dropna(subset="kendall_tau")
    most = steps[steps["kendall_tau"] == steps["kendall_tau"].min()]
    if most.empty:
        return ""
    step = pd.concat(
        [_at_reference(most[most["changes"] == name], sweep, name) for name in sweep.dimensions] + [most]
    ).iloc[0]
    if step["kendall_tau"] == 1:
        return "No step changes the ranking of runs."
    fixed = ", ".join(f"{_listed(name)} {step[name]}" for name in sweep.dimensions if name != step["changes"])
    before, after = step["best_before"], step["best_after"]
    best = (
        f"At both, {before} is best."
        if before == after
        else f"{before} is best at the first, {after} at the second."
    )
    return (
        f"The ranking of runs changes most between {_listed(step['changes'])} {step['from']} and {step['to']} "
        f"(τ {number(step['kendall_tau'], 2)}{f', at {fixed}' if fixed else ''}). {best}"
    )


def _runs_shown(table: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    """Return the mean of every run at the points that figures show, with the last dimension in columns."""
    *rows, column = axes = _axes_of(sweep)
    means = _at_reference(table[table["topic"] == ALL], sweep, *axes).astype(dict.fromkeys(axes, str))
    wide = means.pivot_table(index=["run", *rows], columns=column, values="value", sort=False, dropna=False)
    wide.columns = pd.Index([f"{_listed(column)} {value}" for value in wide.columns])
    return wide.reset_index()


def sweep_items(sweep: Sweep, label: str) -> list[Item]:
    """Return the figures and tables in the report's section on a sweep."""
    axes = _axes_of(sweep)
    over = _listed(*axes)
    others = ", with all other settings at the reference" if len(sweep.dimensions) > len(axes) else ""
    columns = [f"{_listed(axes[-1])} {value}" for value in sweep.dimensions[axes[-1]]]
    decimals = {**dict.fromkeys(["mean", "lowest", "highest", *columns], 4), "kendall_tau": 3}
    return [
        Declared(
            "sweep-map",
            f"{label} over {over}",
            f"The mean over all runs, and the score of the run that is best at the first values{others}.",
        ),
        Declared(
            "sweep-lines",
            f"Runs over {over}",
            f"A line for each run over {over}, with all other settings at the reference: the run's score and rank. The "
            "best runs at the reference have colours.",
        ),
        Table(
            "sweep-order",
            "Where the ranking of runs changes",
            "From one value to the next, with all other settings at the reference: Kendall's τ between the two "
            "rankings, the number of pairs of runs that change places, the best run, and the run that moves most, with "
            "its ranks. The CSV file has every step from every point.",
            decimals=decimals,
            show=lambda table: _steps_shown(table, sweep),
            warn=lambda analysis, _: degenerate(
                analysis["sweep"][analysis["sweep"]["topic"] == ALL], list(sweep.dimensions)
            ),
        ),
        Declared(
            "sweep-alike",
            "Agreement of rankings",
            "Kendall's τ between the rankings of runs at each two values, with all other settings at the reference.",
        ),
        Table(
            "sweep-points",
            "Every point",
            "Mean, lowest and highest score of the runs, Kendall's τ with the ranking at the reference, and the number "
            "of pairs of runs that are in another order than at the reference.",
            decimals=decimals,
        ),
        Table(
            "sweep",
            "Every run",
            f"The mean of each run over {over}{others}. The CSV file has every run on every topic at every point.",
            decimals=decimals,
            show=lambda table: _runs_shown(table, sweep),
        ),
    ]


def make_sweep(
    sweep: Sweep,
    remarks: Sequence[str],
    left_out: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
    *,
    synthetic: bool = False,
) -> str:
    """Write the tables and figures of a sweep into ``folder``, and return its section of the report.

    ``remarks`` are remarks on the measure. ``left_out`` has the columns of `focuseval.campaign.tables.LEFT_OUT`. If
    ``synthetic`` is true, the files are marked as files of a synthetic campaign.
    """
    point = dict(next(iter(sweep.points.values())))
    measure = point.pop("measure")
    drawn: Drawn = {
        "sweep-map": lambda *_: value_maps(sweep, measure),
        "sweep-lines": lambda *_: run_lines(sweep, measure),
        "sweep-alike": lambda *_: rankings_alike(sweep),
    }
    analysis: Analysis = {}
    items: list[Item] = [
        Absent("Values", "no topic has relevant content at any point: see what was left out.")
    ]
    if len(sweep.table):
        analysis = {"sweep": sweep.table, "sweep-points": sweep.at_points(), "sweep-order": sweep.order()}
        items = sweep_items(sweep, measure)
    folder.mkdir(parents=True, exist_ok=True)
    write_tables(items, analysis, sweep, folder, campaign if synthetic else "")
    draw(items, drawn, analysis, sweep, folder, campaign if synthetic else "")
    over = f"{measure} over {_listed(*sweep.dimensions)}"
    swept = "; ".join(f"{_listed(name)} {', '.join(values)}" for name, values in sweep.dimensions.items())
    fixed = {name: value for name, value in point.items() if value and name not in sweep.dimensions}
    points = [
        ", ".join(f"{_listed(name)} {value}" for name, value in of.items()) for of in (sweep.reference, fixed)
    ]
    runs, topics = (sweep.table.loc[sweep.table["topic"] != ALL, name].nunique() for name in ("run", "topic"))
    return page.section(
        f"sweeps-{campaign}-{folder.name}",
        f"Sweep on {campaign}: {over}",
        "\n\n".join(
            [
                f"{title}.",
                f"{counted(runs, 'run')} on {counted(topics, 'topic')} under {measure} over {swept}. Other points "
                f"are compared with the reference, {points[0]}." + (f" Fixed: {points[1]}." if fixed else ""),
                *(f"{measure}: {remark}." for remark in remarks),
            ]
        ),
        [
            *page.shown(items, analysis, sweep, folder, f"{campaign}/sweeps/{folder.name}"),
            page.shown_left_out(left_out),
        ],
        group="Sweeps",
        label=f"{campaign}: {over}",
        campaign=campaign,
        lead=_most_changed(analysis["sweep-order"], sweep) if analysis else "",
    )
