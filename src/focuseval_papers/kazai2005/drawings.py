"""Drawings of the paper's figures: Figure 1, and the graphs of all runs."""

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from focuseval.measures.xcg import rank_reached
from focuseval.report.figures import COLOURS, GUIDE, LINE, STYLE
from focuseval.report.parts import Analysis, Drawn
from focuseval.report.parts import Figure as Declared
from focuseval_papers.kazai2005.numbers import SETTING
from focuseval_papers.publication.claims import rows_of
from focuseval_papers.publication.kinds import DASHES, PANEL
from focuseval_papers.publication.paper import Context
from focuseval_papers.report.figures import three_digits

#: for each kind of graph: labels of the x and y axes, and limits of the x axis
_AXES = {
    "ep/gr": ("gain-recall", "effort-precision", (0.0, 1.0)),
    "nxCG": ("rank", "nxCG", (0.0, 1500.0)),
}

#: maximum length of a run's label above a panel, in characters
_LONGEST = 42


@matplotlib.rc_context({**STYLE, "figure.constrained_layout.hspace": 0.06})
def graphs(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw the graphs of all runs, and mark the best and the median run by MAep.

    The panels of a row have equal y axes, which begin at 0.
    """
    of_figure = rows_of(analysis["graphs"], figure=figure.name)
    rows = [
        list(row.groupby(["graph", "panel"], sort=False)) for _, row in of_figure.groupby("row", sort=False)
    ]
    columns = max(map(len, rows))
    size = PANEL[0] * columns, (PANEL[1] + 0.5) * len(rows)
    drawing = Figure(figsize=size, layout="constrained")
    for axes, panels in zip(drawing.subplots(len(rows), columns, squeeze=False), rows, strict=True):
        top = 1.05 * max(max(float(points["value"].max()) for _, points in panels), 0.01)
        for ax in axes[len(panels) :]:
            ax.set_axis_off()
        for ax, ((graph, title), points) in zip(axes, panels, strict=False):
            _draw_runs(ax, points, analysis["means"], title)
            x_label, y_label, x_limits = _AXES[graph]
            ax.set(xlabel=x_label, ylabel=y_label, xlim=x_limits, ylim=(0, top))
    return drawing


def _draw_runs(ax: Axes, points: pd.DataFrame, means: pd.DataFrame, title: str) -> None:
    """Draw a thin line for each run, and mark and name the best and the median run by MAep."""
    lines = points.pivot(index="run", columns="x", values="value")
    setting = points[["task", *SETTING]].iloc[0].to_dict()
    ranked = rows_of(means, measure="MAep", **setting).set_index("run")["value"]
    ranked = ranked.sort_values(ascending=False, kind="stable")
    # all lines form one path with gaps, because matplotlib simplifies only single paths
    every = np.hstack([lines, np.full((len(lines), 1), np.nan)]).ravel()
    ax.plot(np.tile([*lines.columns, np.nan], len(lines)), every, color=LINE, linewidth=0.7, alpha=0.7)
    for i, (name, place) in enumerate({"best": 0, "median": (len(ranked) - 1) // 2}.items()):
        run = ranked.index[place]
        label = f"{name}: {run}"
        ax.plot(lines.columns, lines.loc[run], DASHES[i], color=COLOURS[i], label=label)
        short = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
        at: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
        note = ax.annotate(short, (0, 1), (0, 4 + 11 * i), **at, color=COLOURS[i], fontsize=7.5)
        note.set_in_layout(False)  # the name may be wider than the axes
    ax.set_title(title, pad=6 + 11 * 2, loc="left", fontsize=9)


def figure1(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figure 1: how nxCG and ep follow from the cumulated gains of a run and of the ideal ranking."""
    example = analysis["example"]
    run, ideal = (np.concatenate([[0.0], example[name]]) for name in ("xCG", "xCI"))
    full = int(np.argmax(ideal >= ideal[-1] - 1e-12))
    at = max(1, full // 2)
    level = min(run[min(3 * at, len(run) - 1)], ideal[-1])
    seen_run, seen_ideal = (float(rank_reached(gain[1:], np.array([level]))[0]) for gain in (run, ideal))
    last = int(min(len(run) - 1, max(1.3 * full, 1.15 * seen_run, 2 * at)))
    ranks = np.arange(last + 1)
    of_run = "run {run}, topic {topic}, xCG".format(**example.iloc[0])
    gains = [three_digits(gain) for gain in (run[at], ideal[at], run[at] / ideal[at])]
    point: dict[str, Any] = {"color": "#333333", "markersize": 4, "linestyle": "", "zorder": 3}
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=(7.2, 4.3), layout="constrained")
        ax = drawing.subplots()
        ax.plot(ranks, ideal[: last + 1], color=COLOURS[0], label="ideal ranking, xCI")
        ax.plot(ranks, run[: last + 1], color=COLOURS[1], linestyle="--", label=of_run)
        ax.plot((at, at), (0, ideal[at]), **GUIDE)
        label = "nxCG[{}] = {} / {} = {}".format(at, *gains)
        ax.plot([at, at], [run[at], ideal[at]], marker="o", label=label, **point)
        if level > 0:
            ax.plot((0, seen_run), (level, level), **GUIDE)
            for rank in (seen_ideal, seen_run):
                ax.plot((rank, rank), (0, level), **GUIDE)
            label = f"ep = {seen_ideal:.1f} / {seen_run:.1f} = {three_digits(seen_ideal / seen_run)}"
            ax.plot([seen_ideal, seen_run], [level, level], marker="s", label=label, **point)
        ax.set(xlabel="rank", ylabel="cumulated gain", xlim=(0, last), ylim=(0, 1.12 * ideal[last]))
        drawing.legend(loc="outside lower center", ncols=2)
    return drawing


DRAWN: Drawn = {"figure1": figure1, "graphs": graphs}
