"""The paper's figures: Figure 1, the graphs of each task, and heat maps of correlations."""

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from focuseval.campaign.tasks import INEX2005, structured
from focuseval.measures.xcg import rank_reached
from focuseval.report.figures import COLOURS, GUIDE, STYLE, Bundle, HeatMap, bundles, heat_maps, three_digits
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval_papers.kazai2005.evidence import MEASURES
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context

#: axes of the two kinds of graph: labels, and the limits of x
_AXES = {
    "ep/gr": ("gain-recall", "effort-precision", (0.0, 1.0)),
    "nxCG": ("rank", "nxCG", (0.0, 1500.0)),
}


def graphs(curves: pd.DataFrame, mean: pd.DataFrame, kinds: list[str]) -> Figure:
    """The graphs of one task: a row per kind of graph and level, a column per quantisation.

    ``curves`` has the columns quantisation, overlap, level, graph, run, x, value, ``mean`` those of `means`.
    The best and the median run by MAep under the setting are marked.
    """
    levels = list(dict.fromkeys(curves[["overlap", "level"]].itertuples(index=False, name=None)))
    grid = []
    for kind in kinds:
        for overlap, level in levels:
            row = []
            part = rows_of(curves, graph=kind, overlap=overlap, level=level)
            for q, panel in part.groupby("quantisation", sort=False):
                setting = ", ".join([str(q), f"{level} level"] if level else [str(q)]) + (
                    "" if level == "article" else f", overlap {overlap}"
                )
                ranked = rows_of(mean, quantisation=q, overlap=overlap, level=level)
                row.append(_panel(setting, kind, panel, ranked))
            grid.append(row)
    return bundles(grid)


def structured_graphs(curves: pd.DataFrame, mean: pd.DataFrame) -> Figure:
    """The graphs under gen of the tasks on topics that ask for a structure, a row per task.

    As `graphs`; of a task that reports no nxCG, the graphs of both levels, with overlap considered.
    """
    curves = curves[(curves["quantisation"] == "gen") & curves["task"].map(structured)]
    grid = []
    for task, of in curves.groupby("task", sort=False):
        row = []
        for (graph, overlap, level), part in of.groupby(["graph", "overlap", "level"], sort=False):
            if level == "element" and overlap == "off":
                continue
            ranked = rows_of(mean, task=task, quantisation="gen", overlap=overlap, level=level)
            row.append(_panel(f"{task}, {level} level" if level else str(task), graph, part, ranked))
        grid.append(row)
    return bundles(grid)


def _panel(title: str, graph: str, points: pd.DataFrame, mean: pd.DataFrame) -> Bundle:
    """The graph of all runs, with the best and the median run by MAep marked.

    ``points`` has the columns run, x, value, ``mean`` the columns measure, run, value.
    """
    lines = points.pivot(index="run", columns="x", values="value")
    ranked = mean[mean["measure"] == "MAep"].set_index("run")["value"]
    ranked = ranked.sort_values(ascending=False, kind="stable")
    places = {"best": ranked.index[0], "median": ranked.index[(len(ranked) - 1) // 2]}
    marked = {f"{name} by MAep: {run}": lines.index.get_loc(run) for name, run in places.items()}
    x_label, y_label, x_limits = _AXES[graph]
    return Bundle(title, x_label, y_label, lines.columns.to_numpy(float), lines.to_numpy(), marked, x_limits)


def _guide(ax: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    ax.plot(x, y, **GUIDE)


def figure1(example: pd.DataFrame) -> Figure:
    """Figure 1: cumulated gain of a run and of the ideal ranking, with nxCG at a rank and ep at a gain.

    ``example`` has the columns run, topic, rank, xCG, xCI. The rank is where half of the ideal elements
    could have been seen; the gain is that of the run at three times this rank, or the most it reaches. Both numbers
    stand in the legend, where no curve is in their way.
    """
    run, ideal = (np.concatenate([[0.0], example[name]]) for name in ("xCG", "xCI"))
    full = int(np.argmax(ideal >= ideal[-1] - 1e-12))
    at = max(1, full // 2)
    level = min(run[min(3 * at, len(run) - 1)], ideal[-1])
    seen_run, seen_ideal = (float(rank_reached(gain[1:], np.array([level]))[0]) for gain in (run, ideal))
    last = int(min(len(run) - 1, max(1.3 * full, 1.15 * seen_run, 2 * at)))
    ranks = np.arange(last + 1)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 4.3), layout="constrained")
        ax = figure.subplots()
        ax.plot(ranks, ideal[: last + 1], color=COLOURS[0], label="ideal ranking, xCI")
        ax.plot(
            ranks,
            run[: last + 1],
            color=COLOURS[1],
            linestyle="--",
            label=f"run {example['run'].iloc[0]}, topic {example['topic'].iloc[0]}, xCG",
        )
        _guide(ax, (at, at), (0, ideal[at]))
        gains = [three_digits(gain) for gain in (run[at], ideal[at], run[at] / ideal[at])]
        point: dict[str, Any] = {"color": "#333333", "markersize": 4, "linestyle": "", "zorder": 3}
        told = "nxCG[{}] = {} / {} = {}".format(at, *gains)
        ax.plot([at, at], [run[at], ideal[at]], marker="o", label=told, **point)
        if level > 0:
            _guide(ax, (0, seen_run), (level, level))
            for rank in (seen_ideal, seen_run):
                _guide(ax, (rank, rank), (0, level))
            told = f"ep = {seen_ideal:.1f} / {seen_run:.1f} = {three_digits(seen_ideal / seen_run)}"
            ax.plot([seen_ideal, seen_run], [level, level], marker="s", label=told, **point)
        ax.set(xlabel="rank", ylabel="cumulated gain", xlim=(0, last), ylim=(0, 1.12 * ideal[last]))
        figure.legend(loc="outside upper left", ncols=2)
    return figure


def square(averages: pd.DataFrame, names: list[str], value: str) -> pd.DataFrame:
    """A table of pairs as a square with 1 on its diagonal."""
    matrix = pd.DataFrame(float("nan"), index=names, columns=names)
    for name in names:
        matrix.loc[name, name] = 1.0
    for row in averages.to_dict("records"):
        a, b = row["measure_a"], row["measure_b"]
        matrix.loc[a, b] = matrix.loc[b, a] = row[value]
    return matrix


def table1_map(table1: pd.DataFrame) -> Figure:
    """Table 1 computed and as printed, side by side."""
    names = list(MEASURES)
    maps = [
        HeatMap("computed here", square(table1, names, "kendall_τ")),
        HeatMap("as printed", square(table1, names, "printed")),
    ]
    return heat_maps(maps, "Kendall's τ")


def _drawn_graphs(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    task = figure.name.removeprefix("graphs-")
    curves, mean = (analysis[name][analysis[name]["task"] == task] for name in ("curves", "means"))
    return graphs(curves, mean, [name for name in ("ep/gr", "nxCG") if name in INEX2005[task].metrics])


DRAWN: Drawn = {
    "map": lambda figure, analysis, context: table1_map(analysis["table1"]),
    "figure1": lambda figure, analysis, context: figure1(analysis["example"]),
    "graphs": _drawn_graphs,
    "structured": lambda figure, analysis, context: structured_graphs(analysis["curves"], analysis["means"]),
}
