"""A sweep that a campaign asks for: its tables, figures and section of the report."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from textwrap import fill

import numpy as np
import pandas as pd

from focuseval.errors import counted, extra
from focuseval.model.judgements import ALL
from focuseval.report import page
from focuseval.report.figures import COLOURS, STYLE, draw
from focuseval.report.items import Absent, Analysis, Drawn, Item, Table, write_tables
from focuseval.report.items import Figure as Declared
from focuseval_papers.report.degenerate import degenerate
from focuseval_papers.report.figures import HeatMap, heat_maps
from focuseval_papers.workflow.sweeps import CUTOFF, Sweep, tau_matrix

with extra("plots"):
    import matplotlib
    from matplotlib.figure import Figure

#: how lines are told apart
_LOOKS = [{"color": colour, "linestyle": line} for line in ("-", "--", ":") for colour in COLOURS]


def _shown(sweep: Sweep) -> list[str]:
    """The one or two dimensions that maps and lines are of: the first, and cut-offs or else the second."""
    first, *others = sweep.dimensions
    return [first, *(others[-1:] if CUTOFF in others else others[:1])]


def _said(*names: str) -> str:
    *others, last = ("cut-off" if name == CUTOFF else name for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def value_maps(sweep: Sweep, label: str) -> Figure:
    """The mean over runs, and the best run at the first values, over one or two dimensions."""
    *rows, column = _shown(sweep)
    at = [{name: value} for name in rows for value in sweep.dimensions[name]] or [{}]
    parts = [sweep.along(column, point) for point in at]
    best = sweep.ranks(parts[0].iloc[:, 0]).fillna(np.inf).idxmin()
    values = {"mean over runs": [part.mean() for part in parts]}
    values[fill(str(best), 36)] = [part.loc[best] for part in parts]
    if rows:
        labels = pd.Index(sweep.dimensions[rows[0]])
        maps = {title: pd.DataFrame(found, index=labels) for title, found in values.items()}
    else:
        maps = {"": pd.DataFrame({title: found for title, [found] in values.items()}).T}
    top = max(float(found.max().max()) for found in maps.values())
    panels = [HeatMap(title, found, _said(column), *rows) for title, found in maps.items()]
    return heat_maps(panels, label, (0.0, top if top > 0 else 1.0))


@matplotlib.rc_context(STYLE)
def run_lines(sweep: Sweep, label: str) -> Figure:
    """A line for each run over one or two dimensions: its value, and its rank, behind which stands its name."""
    shown, runs = _shown(sweep), sweep.table["run"].unique()
    size = 9 if len(runs) <= 25 else 8
    width, height = 8.6 + 0.0085 * size * max(map(len, runs)), max(2.6, 0.019 * size * len(runs)) + 0.9
    figure = Figure(figsize=(width, height * len(shown)), layout="constrained")
    axes = figure.subplots(len(shown), 2, squeeze=False)
    for (left, right), name in zip(axes, shown, strict=True):
        means = sweep.along(name)
        ranks = means.apply(sweep.ranks)
        last = ranks.iloc[:, -1].rank(method="first")  # tied runs have their names below each other
        for run, look in zip(runs, cycle(_LOOKS), strict=False):
            for ax, lines in ((left, means), (right, ranks)):
                ax.plot(lines.columns, lines.loc[run], linewidth=1.1, marker=".", markersize=4, **look)
            place = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
            right.annotate(run, (1, last[run]), (6, 0), **place, fontsize=size, color=look["color"])
        for ax in (left, right):
            ax.tick_params(axis="x", rotation=45 if sum(map(len, means)) > 20 else 0)
            ax.set_xlabel(_said(name))
        left.set(ylabel=f"{label}, mean over topics", ylim=(min(0, left.get_ylim()[0]), None))
        right.set(ylabel="rank", ylim=(len(runs) + 0.5, 0.5), yticks=[1, *range(5, len(runs) + 1, 5)])
    return figure


def rankings_alike(sweep: Sweep) -> Figure:
    """Kendall's tau between the rankings of runs at every two values of each dimension."""
    maps = [HeatMap(_said(name), tau_matrix(sweep.along(name))) for name in sweep.dimensions]
    return heat_maps(maps, "Kendall's τ")


def _at_reference(table: pd.DataFrame, sweep: Sweep, *free: str) -> pd.DataFrame:
    """The rows of a table where all dimensions but the ``free`` ones are at the reference."""
    fixed = {name: value for name, value in sweep.reference.items() if name not in free}
    return table[(table[list(fixed)] == pd.Series(fixed)).all(axis=1)]


def _steps_shown(table: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    """The steps through the reference, without the columns of the point."""
    parts = [_at_reference(part, sweep, str(name)) for name, part in table.groupby("changes", sort=False)]
    return pd.concat(parts).loc[:, "changes":]


def _runs_shown(table: pd.DataFrame, sweep: Sweep) -> pd.DataFrame:
    """The means of all runs over the dimensions that are shown: a column for each value of the last."""
    *rows, column = shown = _shown(sweep)
    means = _at_reference(table[table["topic"] == ALL], sweep, *shown).astype(dict.fromkeys(shown, str))
    wide = means.pivot_table(index=["run", *rows], columns=column, values="value", sort=False, dropna=False)
    wide.columns = pd.Index([f"{_said(column)} {value}" for value in wide.columns])
    return wide.reset_index()


def sweep_items(sweep: Sweep, label: str) -> list[Item]:
    """Values over the dimensions, every run as a line, where the order of runs changes, and every point."""
    shown = _shown(sweep)
    over = _said(*shown)
    others = ", all else at the reference" * (len(sweep.dimensions) > len(shown))
    columns = [f"{_said(shown[-1])} {value}" for value in sweep.dimensions[shown[-1]]]
    decimals = {**dict.fromkeys(["mean", "lowest", "highest", *columns], 4), "kendall_tau": 3}
    return [
        Declared(
            "sweep-map",
            f"{label} over {over}",
            f"The mean over all runs, and the run that is best at the first values{others}.",
        ),
        Declared(
            "sweep-lines",
            f"Runs over {over}",
            f"A line for each run over {over}, all else at the reference: its value, and its rank, with its name.",
        ),
        Table(
            "sweep-order",
            "Where the order of runs changes",
            "From one value to the next, all else at the reference: Kendall's τ of the two rankings, how many of all "
            "pairs of runs change places, which run is best, and the run that moves most, with its ranks. The CSV has "
            "every step from every point.",
            decimals=decimals,
            show=lambda table: _steps_shown(table, sweep),
            warn=lambda analysis, _: degenerate(
                analysis["sweep"][analysis["sweep"]["topic"] == ALL], list(sweep.dimensions)
            ),
        ),
        Declared(
            "sweep-alike",
            "How alike rankings are",
            "Kendall's τ between the rankings of runs at every two values, all else at the reference.",
        ),
        Table(
            "sweep-points",
            "Every point",
            "Mean, lowest and highest value of the runs, Kendall's τ with their ranking at the reference, and how many "
            "pairs of runs stand in another order than there.",
            decimals=decimals,
        ),
        Table(
            "sweep",
            "Every run",
            f"The mean of each run over {over}{others}. The CSV has every run on every topic at every point.",
            decimals=decimals,
            show=lambda table: _runs_shown(table, sweep),
        ),
    ]


def make_sweep(
    sweep: Sweep, remarks: Sequence[str], left_out: pd.DataFrame, folder: Path, campaign: str, title: str
) -> str:
    """Write the tables and figures of a sweep into ``folder``, which is named after it; its section of the report.

    ``remarks`` are said of the measure; ``left_out`` is in the columns of `focuseval.campaign.schema.LEFT_OUT`.
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
        Absent("Values", "no topic has anything relevant at any point: see what was left out.")
    ]
    if len(sweep.table):
        analysis = {"sweep": sweep.table, "sweep-points": sweep.at_points(), "sweep-order": sweep.order()}
        items = sweep_items(sweep, measure)
    folder.mkdir(parents=True, exist_ok=True)
    write_tables(items, analysis, sweep, folder)
    draw(items, drawn, analysis, sweep, folder)
    over = f"{measure} over {_said(*sweep.dimensions)}"
    swept = "; ".join(f"{_said(name)} {', '.join(values)}" for name, values in sweep.dimensions.items())
    fixed = {name: value for name, value in point.items() if value and name not in sweep.dimensions}
    points = [
        ", ".join(f"{_said(name)} {value}" for name, value in of.items()) for of in (sweep.reference, fixed)
    ]
    runs, topics = (sweep.table.loc[sweep.table["topic"] != ALL, name].nunique() for name in ("run", "topic"))
    return page.section(
        f"sweeps-{campaign}-{folder.name}",
        f"Sweep on {campaign}: {over}",
        "\n\n".join(
            [
                f"{title}.",
                f"{counted(runs, 'run')} on {counted(topics, 'topic')} under {measure} over {swept}. The reference, "
                f"which other points are held against, is {points[0]}."
                + f" Fixed: {points[1]}."
                * bool(fixed),
                *(f"{measure}: {remark}." for remark in remarks),
            ]
        ),
        [
            *page.shown(items, analysis, sweep, folder, f"{campaign}/sweeps/{folder.name}"),
            page.shown_left_out(left_out),
        ],
        group="Sweeps",
        label=f"{campaign}: {over}",
    )
