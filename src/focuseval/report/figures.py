"""Figures for people: one look, colours that colour-blind readers tell apart, the same bytes every time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import counted, extra
from focuseval.files import replacing
from focuseval.model.arrays import Bools, Floats
from focuseval.report.items import FIGURE_FORMS, Analysis, Drawn, Item
from focuseval.report.items import Figure as Declared

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.ticker import MaxNLocator, MultipleLocator

#: Okabe and Ito's colours without the yellow, which vanishes on white
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_LINES = ("-", "--", "-.", ":")

#: colours of words, of words that matter less, and of lines among many
INK, SOFT, LINE = "#1d2433", "#5b6475", "#9AA3B2"

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same letters everywhere
    "font.size": 10,
    "text.parse_math": False,  # a dollar in a name is one
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "lines.linewidth": 1.8,
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "svg.hashsalt": "focuseval",
    "svg.fonttype": "path",
}

#: what data are held against: equal values, a level, zero
GUIDE: dict[str, Any] = {"color": "#333333", "linewidth": 1.3, "linestyle": (0, (4, 2.5))}

#: width of one panel and height of a figure, in inches
_PANEL = (4.2, 3.9)


#: legend entry -> (recall, precision)
Curves = dict[str, tuple[Floats, Floats]]

#: legend entry -> lowest and highest precision at the recall of the curve
Bands = dict[str, tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Scatter:
    """One panel of a scatter plot: n systems under two measurements."""

    title: str
    x_label: str
    y_label: str
    x: Floats  #: (n,)
    y: Floats  #: (n,)
    of: str = "run"  #: what a point is


def entry(name: str) -> str:
    """A name as a legend has it: matplotlib would leave out one that begins with an underscore."""
    return f" {name}" if name.startswith("_") else name


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    # Not pyplot: it keeps every figure alive, and wants a screen on some machines.
    figure = Figure(figsize=(_PANEL[0] * count, _PANEL[1]), layout="constrained")
    axes = figure.subplots(1, count, squeeze=False)[0]
    return figure, list(axes)


def recall_precision(panels: Mapping[str, Curves]) -> Figure:
    """Recall/precision graphs, one panel per entry, by title."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(panels))
        for ax, (title, curves) in zip(axes, panels.items(), strict=True):
            for i, (label, (recall, precision)) in enumerate(curves.items()):
                ax.plot(recall, precision, _LINES[i % 4], color=COLOURS[i % len(COLOURS)], label=entry(label))
            ax.set(title=title, xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
            ax.xaxis.set_major_locator(MultipleLocator(0.2))
            ax.yaxis.set_major_locator(MultipleLocator(0.2))
            ax.legend(loc="best")
    return figure


def graded_curves(
    panels: Mapping[str, Curves],
    axes_labels: Mapping[str, tuple[str, str]],
    legend: str,
    bands: Mapping[str, Bands] | None = None,
) -> Figure:
    """Recall/precision graphs of runs in an order, from light to dark, with one legend for all panels.

    Panels by title, with the labels of their axes; each has the same curves, by legend entry, and may have bands
    around them.
    """
    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(panels))
        for ax, (title, curves) in zip(axes, panels.items(), strict=True):
            shades = matplotlib.colormaps["viridis"](np.linspace(0, 0.92, len(curves)))
            for shade, (label, (recall, precision)) in zip(shades, curves.items(), strict=True):
                if bands is not None:
                    low, high = bands[title][label]
                    ax.fill_between(recall, low, high, color=shade, alpha=0.18, linewidth=0)
                ax.plot(recall, precision, color=shade, label=label, clip_on=False, linewidth=1.6)
            x_label, y_label = axes_labels[title]
            ax.set(title=title, xlabel=x_label, ylabel=y_label, xlim=(0, 1), ylim=(0, 1.02))
            ax.xaxis.set_major_locator(MultipleLocator(0.2))
            ax.yaxis.set_major_locator(MultipleLocator(0.2))
        figure.legend(*axes[0].get_legend_handles_labels(), title=legend, loc="outside right center")
    return figure


def scatter_plots(panels: Sequence[Scatter]) -> Figure:
    """Scatter plots with the regression line of y on x, Pearson's r, and the diagonal of equal values."""
    from focuseval.statistics.correlations import pearson

    with matplotlib.rc_context(STYLE):
        figure, axes = _panels(len(panels))
        for ax, panel in zip(axes, panels, strict=True):
            line = pearson(panel.x, panel.y)
            top = 1.06 * float(max(panel.x.max(), panel.y.max())) or 1.0
            ends = np.array([0.0, top])
            ax.plot(ends, ends, **GUIDE, label="equal values")
            ax.plot(
                ends,
                line.intercept + line.slope * ends,
                color=COLOURS[1],
                linewidth=1.4,
                label=f"regression, r = {line.r:.3f}".replace("-", "\N{MINUS SIGN}"),
            )
            few = len(panel.x) <= 100
            # The points lie on the edge of the axes at 0, so they are not clipped there.
            ax.scatter(
                panel.x,
                panel.y,
                s=24 if few else 9,
                color=COLOURS[0],
                alpha=0.75 if few else 0.35,
                linewidths=0,
                clip_on=False,
                zorder=3,
                label=f"{panel.of} (n = {len(panel.x)})",
            )
            ax.set(
                title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label, xlim=(0, top), ylim=(0, top)
            )
            ax.set_aspect("equal")
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_major_locator(MaxNLocator(6))
            ax.legend(loc="best", handlelength=1.4)
    return figure


@dataclass(frozen=True, eq=False)
class Bundle:
    """One panel of graphs: a thin line for each of n runs, some of them marked."""

    title: str
    x_label: str
    y_label: str
    x: Floats  #: (P,)
    lines: Floats  #: (n, P)
    marked: Mapping[str, int]  #: legend entry -> line
    x_limits: tuple[float, float]


def bundles(grid: Sequence[Sequence[Bundle]]) -> Figure:
    """Graphs of many runs in rows of panels; y from 0, the same in all panels of a row."""
    columns = max(len(row) for row in grid)
    with matplotlib.rc_context({**STYLE, "figure.constrained_layout.hspace": 0.06}):
        figure = Figure(figsize=(_PANEL[0] * columns, 3.9 * len(grid)), layout="constrained")
        axes = figure.subplots(len(grid), columns, squeeze=False)
        for row, panels in zip(axes, grid, strict=True):
            top = 1.05 * max(max(float(panel.lines.max()) for panel in panels), 0.01)
            for ax in row[len(panels) :]:
                ax.set_axis_off()
            for ax, panel in zip(row, panels, strict=False):
                ax.plot(panel.x, panel.lines.T, color=LINE, linewidth=0.7, alpha=0.7)
                for i, (label, line) in enumerate(panel.marked.items()):
                    ax.plot(panel.x, panel.lines[line], _LINES[i % 4], color=COLOURS[i], label=entry(label))
                ax.set_title(panel.title, pad=6 + 13 * len(panel.marked))  # over the legend
                ax.set(
                    xlabel=panel.x_label,
                    ylabel=panel.y_label,
                    xlim=panel.x_limits,
                    ylim=(0, top),
                )
                ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, fontsize=8)
    return figure


@dataclass(frozen=True, eq=False)
class HeatMap:
    """One panel of a heat map: values in rows and columns with names."""

    title: str
    values: pd.DataFrame
    x_label: str = ""
    y_label: str = ""


def three_digits(value: float) -> str:
    """A number in a figure, with three digits that say something: 0.0243 beside 0.0241, 1.25."""
    form = "#.3g" if 0 < abs(value) < 1 else ".2f"
    return f"{value:{form}}"


def heat_maps(panels: Sequence[HeatMap], label: str, limits: tuple[float, float] | None = None) -> Figure:
    """Heat maps, every cell with its number; light is low, dark is high. Wide ones stand below each other.

    Colours reach from the first to the second of ``limits``, and numbers have three digits; of correlations, which have
    no limits, from the lowest (0.9 at most) to 1, with two decimals.
    """
    rows, columns = (max(panel.values.shape[axis] for panel in panels) for axis in (0, 1))
    height, width = (max(3.6, 0.52 * cells + 1.4) for cells in (rows, columns))
    text_of: Callable[[float], str] = three_digits
    if limits is None:
        text_of = "{:.2f}".format
        known = np.concatenate([panel.values.to_numpy(float).ravel() for panel in panels])
        limits = float(min(np.floor(10 * np.nanmin(known, initial=0.9)) / 10, 0.9)), 1.0
    low, high = limits
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        layout = ConstrainedLayoutEngine(h_pad=0.12)
        across, down = (1, len(panels)) if width > 1.4 * height else (len(panels), 1)
        figure = Figure(figsize=(width * across + 0.8, height * down + 0.2), layout=layout)
        axes = list(figure.subplots(down, across, squeeze=False).flat)
        for ax, panel in zip(axes, panels, strict=True):
            values = panel.values.to_numpy(float)
            image = ax.imshow(values, cmap="Blues", vmin=low, vmax=high)
            for (row, column), value in np.ndenumerate(values):
                text = "–" if np.isnan(value) else text_of(value).replace("-", "\N{MINUS SIGN}")
                shade = "white" if value > low + 0.5 * (high - low) else "#222222"
                ax.text(column, row, text, ha="center", va="center", fontsize=7.5, color=shade)
            ax.set_xticks(range(values.shape[1]), panel.values.columns, rotation=45, ha="right", fontsize=8.5)
            ax.set_yticks(range(values.shape[0]), panel.values.index, fontsize=8.5)
            ax.tick_params(length=0)
            for spine in ax.spines.values():
                spine.set_visible(False)
            ax.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
        figure.colorbar(image, ax=axes, label=label, shrink=0.85, pad=0.02).outline.set_visible(False)
    return figure


def _ranked_rows(ax: Axes, runs: Sequence[str], ranks: Sequence[str]) -> None:
    """Names the rows by runs and their ranks, with a heading: a run may be called by a number, too."""
    # figure spaces are as wide as digits
    names = [f"{run}   {rank:\N{FIGURE SPACE}>3}" for run, rank in zip(runs, ranks, strict=True)]
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, labelsize=8.5)
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate("run  rank", (0, 1), (-3.5, 3.5), **place, ha="right", fontsize=8.5, color="#555555")


def significance_matrix(significant: Bools, runs: Sequence[str], ranks: Sequence[str], title: str) -> Figure:
    """The triangle of significant improvements: a disc where the row's system improves on the column's.

    ``significant`` (S, S) whether the row improves significantly on the column, ``runs`` and their ``ranks`` (S,) in
    the order of the matrix. A small dot stands where the pair was tested and does not differ significantly.
    """
    count = len(runs)
    side = 0.26 * count + 1.0
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(side + 0.4 + 0.07 * max(map(len, runs)), side), layout="constrained")
        ax = figure.subplots()
        row, column = np.triu_indices(count, k=1)
        marked = significant[row, column]
        for place in range(count):  # only the triangle has a grid
            ax.plot([place, count - 1], [place, place], color="#E4E4E4", linewidth=0.6)
            ax.plot([place, place], [0, place], color="#E4E4E4", linewidth=0.6)
        ax.scatter(column[marked], row[marked], s=70, color=COLOURS[0], linewidths=0, zorder=3)
        ax.scatter(column[~marked], row[~marked], s=7, color="#999999", linewidths=0, zorder=3)
        ax.set(xlim=(-0.6, count - 0.4), ylim=(count - 0.4, -0.6))
        ax.set_title(title)
        ax.grid(visible=False)
        ax.set_xticks(range(count), ranks)
        ax.xaxis.tick_top()
        ax.tick_params(axis="x", length=0, labelsize=8.5)
        _ranked_rows(ax, runs, ranks)
        ax.spines[:].set_visible(False)
        ax.set_aspect("equal")
    return figure


def intervals(
    low: Floats, mean: Floats, high: Floats, runs: Sequence[str], ranks: Sequence[str], x_label: str
) -> Figure:
    """Means with their confidence intervals, one line per system, the first on top; arrays (S,)."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 0.24 * len(runs) + 1.1), layout="constrained")
        ax = figure.subplots()
        places = np.arange(len(runs))
        ax.hlines(places, low, high, color=COLOURS[0], linewidth=2.2, alpha=0.45)
        ax.scatter(mean, places, s=26, color=COLOURS[0], linewidths=0, zorder=3)
        _ranked_rows(ax, runs, ranks)
        ax.set(xlabel=x_label, ylim=(len(runs) - 0.4, -0.6))
        ax.grid(axis="y", visible=False)
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as SVG or PNG, by the suffix of ``path``; equal figures give equal bytes.

    The picture is as large as all that is drawn: titles and labels that are wider than their axes are not cut.
    """
    metadata = {".svg": {"Date": None, "Creator": None}, ".png": {"Software": None}}[path.suffix]
    with matplotlib.rc_context(STYLE), replacing(path) as unfinished:
        figure.savefig(
            unfinished,
            format=path.suffix[1:],
            metadata=metadata,
            bbox_inches="tight",
            pad_inches=0.08,
        )


def draw(items: Sequence[Item], drawn: Drawn, analysis: Analysis, context: object, folder: Path) -> None:
    """Draw every figure in every form."""
    for item in items:
        if isinstance(item, Declared):
            figure = drawn[item.drawn or item.name](item, analysis, context)
            for form in FIGURE_FORMS:
                save_figure(figure, folder / f"{item.name}.{form}")


def drawn_matrix(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """The matrix of a comparison (`focuseval.report.comparisons`)."""
    matrix = analysis[figure.name]
    significant = matrix.drop(columns=["rank", "run"]).to_numpy() == "*"
    return significance_matrix(significant, matrix["run"].tolist(), matrix["rank"].tolist(), figure.title)


def drawn_intervals(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """The means of a comparison with their intervals (`focuseval.report.comparisons`)."""
    stem = figure.name.removesuffix("intervals")
    systems, topics = analysis[f"{stem}systems"], analysis[f"{stem}counts"]["topics"].iloc[0]
    measure = figure.title.partition(":")[0]
    low, mean, high = (systems[column].to_numpy() for column in ("low", "mean", "high"))
    runs, ranks = systems["run"].tolist(), systems["label"].tolist()
    level = f"{100 * systems['level'].iloc[0]:g} %"
    x_label = f"{measure}, mean over {counted(topics, 'topic')}, {level} interval"
    return intervals(low, mean, high, runs, ranks, x_label)


#: what draws the figures of a comparison
COMPARISONS: Drawn = {"matrix": drawn_matrix, "intervals": drawn_intervals}
