"""Figures for people: one look, colours that colour-blind readers tell apart, the same bytes every time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import counted, extra
from focuseval.files import replacing
from focuseval.model.arrays import Floats
from focuseval.report.items import FIGURE_FORMS, Analysis, Drawn, Item
from focuseval.report.items import Figure as Declared
from focuseval.report.tables import number

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


def _unit_axes(ax: Axes, title: str, x_label: str, y_label: str) -> None:
    """Both axes from 0 to 1, with room for lines on top."""
    ax.set(title=title, xlabel=x_label, ylabel=y_label, xlim=(0, 1), ylim=(0, 1.02))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(0.2))


@matplotlib.rc_context(STYLE)
def recall_precision(panels: Mapping[str, Curves]) -> Figure:
    """Recall/precision graphs, one panel per entry, by title."""
    figure, axes = _panels(len(panels))
    for ax, (title, curves) in zip(axes, panels.items(), strict=True):
        for i, (label, (recall, precision)) in enumerate(curves.items()):
            ax.plot(recall, precision, _LINES[i % 4], color=COLOURS[i % len(COLOURS)], label=entry(label))
        _unit_axes(ax, title, "recall", "precision")
        ax.legend(loc="best")
    return figure


@matplotlib.rc_context(STYLE)
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
    figure, axes = _panels(len(panels))
    for ax, (title, curves) in zip(axes, panels.items(), strict=True):
        shades = matplotlib.colormaps["viridis"](np.linspace(0, 0.92, len(curves)))
        for shade, (label, (recall, precision)) in zip(shades, curves.items(), strict=True):
            if bands is not None:
                low, high = bands[title][label]
                ax.fill_between(recall, low, high, color=shade, alpha=0.18, linewidth=0)
            ax.plot(recall, precision, color=shade, label=label, clip_on=False, linewidth=1.6)
        _unit_axes(ax, title, *axes_labels[title])
    figure.legend(*axes[0].get_legend_handles_labels(), title=legend, loc="outside right center")
    return figure


@matplotlib.rc_context(STYLE)
def scatter_plots(panels: Sequence[Scatter]) -> Figure:
    """Scatter plots with the regression line of y on x, Pearson's r, and the diagonal of equal values."""
    from focuseval.statistics.correlations import pearson

    figure, axes = _panels(len(panels))
    for ax, panel in zip(axes, panels, strict=True):
        line = pearson(panel.x, panel.y)
        top = 1.06 * float(max(panel.x.max(), panel.y.max())) or 1.0
        ends = np.array([0.0, top])
        ax.plot(ends, ends, **GUIDE, label="equal values")
        regression = line.intercept + line.slope * ends
        label = f"regression, r = {number(line.r, 3)}"
        ax.plot(ends, regression, color=COLOURS[1], linewidth=1.4, label=label)
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
        ax.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label, xlim=(0, top), ylim=(0, top))
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


@matplotlib.rc_context({**STYLE, "figure.constrained_layout.hspace": 0.06})
def bundles(grid: Sequence[Sequence[Bundle]]) -> Figure:
    """Graphs of many runs in rows of panels; y from 0, the same in all panels of a row."""
    columns = max(len(row) for row in grid)
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
            ax.set(xlabel=panel.x_label, ylabel=panel.y_label, xlim=panel.x_limits, ylim=(0, top))
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
    return number(value, "#.3g" if 0 < abs(value) < 1 else ".2f")


@matplotlib.rc_context({**STYLE, "axes.grid": False})
def heat_maps(panels: Sequence[HeatMap], label: str, limits: tuple[float, float] | None = None) -> Figure:
    """Heat maps, every cell with its number; light is low, dark is high. Wide ones stand below each other.

    Colours reach from the first to the second of ``limits``, and numbers have three digits; of correlations, which have
    no limits, from the lowest (0.9 at most) to 1, with two decimals.
    """
    rows, columns = (max(panel.values.shape[axis] for panel in panels) for axis in (0, 1))
    height, width = (max(3.6, 0.52 * cells + 1.4) for cells in (rows, columns))
    text_of = three_digits
    if limits is None:
        text_of = partial(number, form=2)
        known = np.concatenate([panel.values.to_numpy(float).ravel() for panel in panels])
        limits = float(min(np.floor(10 * np.nanmin(known, initial=0.9)) / 10, 0.9)), 1.0
    low, high = limits
    layout = ConstrainedLayoutEngine(h_pad=0.12)
    across, down = (1, len(panels)) if width > 1.4 * height else (len(panels), 1)
    figure = Figure(figsize=(width * across + 0.8, height * down + 0.2), layout=layout)
    axes = list(figure.subplots(down, across, squeeze=False).flat)
    for ax, panel in zip(axes, panels, strict=True):
        values = panel.values.to_numpy(float)
        image = ax.imshow(values, cmap="Blues", vmin=low, vmax=high)
        for (row, column), value in np.ndenumerate(values):
            shade = "white" if value > low + 0.5 * (high - low) else "#222222"
            ax.text(column, row, text_of(value), ha="center", va="center", fontsize=7.5, color=shade)
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


@matplotlib.rc_context(STYLE)
def drawn_matrix(declared: Declared, analysis: Analysis, context: object) -> Figure:
    """The triangle of significant improvements: a disc where the row's system improves on the column's.

    It is drawn from the frame ``matrix`` of `focuseval.statistics.comparisons.frames`. A small dot stands where the
    pair was tested and does not differ significantly.
    """
    matrix = analysis[declared.name]
    runs, ranks = matrix["run"].tolist(), matrix["rank"].tolist()
    significant = matrix.drop(columns=["rank", "run"]).to_numpy() == "*"
    count = len(runs)
    side = 0.26 * count + 1.0
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
    ax.set_title(declared.title)
    ax.grid(visible=False)
    ax.set_xticks(range(count), ranks)
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0, labelsize=8.5)
    _ranked_rows(ax, runs, ranks)
    ax.spines[:].set_visible(False)
    ax.set_aspect("equal")
    return figure


@matplotlib.rc_context(STYLE)
def drawn_intervals(declared: Declared, analysis: Analysis, context: object) -> Figure:
    """Means with their confidence intervals, one line per system, the first on top.

    It is drawn from the frames ``systems`` and ``counts`` of `focuseval.statistics.comparisons.frames`.
    """
    stem = declared.name.removesuffix("intervals")
    systems, topics = analysis[f"{stem}systems"], analysis[f"{stem}counts"]["topics"].iloc[0]
    measure, level = declared.title.partition(":")[0], f"{100 * systems['level'].iloc[0]:g} %"
    figure = Figure(figsize=(6.4, 0.24 * len(systems) + 1.1), layout="constrained")
    ax = figure.subplots()
    places = np.arange(len(systems))
    ax.hlines(places, systems["low"], systems["high"], color=COLOURS[0], linewidth=2.2, alpha=0.45)
    ax.scatter(systems["mean"], places, s=26, color=COLOURS[0], linewidths=0, zorder=3)
    _ranked_rows(ax, systems["run"].tolist(), systems["label"].tolist())
    x_label = f"{measure}, mean over {counted(topics, 'topic')}, {level} interval"
    ax.set(xlabel=x_label, ylim=(len(systems) - 0.4, -0.6))
    ax.grid(axis="y", visible=False)
    return figure


#: runs up to which each has a colour and a mark of its own
_MANY = len(COLOURS) - 1

#: topics up to which each has a line of text; of more, as many share the same height
_NAMED_TOPICS = 100


@matplotlib.rc_context(STYLE)
def drawn_by_topic(declared: Declared, analysis: Analysis, context: object) -> Figure:
    """Values of a campaign's systems (`focuseval.report.systems`), a line for each topic, the first on top.

    Up to six runs have a colour and a mark each; of more, the best and the median one are marked.
    """
    table = analysis["topics"]
    topics, runs = (list(table[name].unique()) for name in ("topic", "run"))  # runs in rank order
    values = table["value"].to_numpy().reshape(len(topics), len(runs))
    x_label = declared.title.rpartition(":")[0]
    places = np.arange(len(topics))
    marked = dict(enumerate(runs))
    if len(runs) > _MANY:
        middle = (len(runs) - 1) // 2
        marked = {0: f"best: {runs[0]}", middle: f"median: {runs[middle]}"}
    height = 0.2 * min(len(topics), _NAMED_TOPICS) + 0.6 + 0.2 * len(marked)
    figure = Figure(figsize=(6.8, max(height, 1.6)), layout="constrained")
    ax = figure.subplots()
    ax.hlines(places, values.min(axis=1), values.max(axis=1), color="#C3C9D3", linewidth=1.2)
    if len(marked) < len(runs):
        for column in np.delete(values, list(marked), axis=1).T:
            ax.scatter(column, places, s=14, color="#6B7585", linewidths=0, alpha=0.7, clip_on=False)
    for colour, mark, (run, label) in zip(COLOURS, "osD^vP", marked.items(), strict=False):
        look: dict[str, Any] = {"color": colour, "marker": mark, "label": entry(label), "zorder": 3}
        ax.scatter(values[:, run], places, s=30, linewidths=0, alpha=0.85, clip_on=False, **look)
    if len(topics) > _NAMED_TOPICS:
        ax.set_yticks([])
        ax.set_ylabel(f"{len(topics):,} topics")
    else:
        ax.set_yticks(places, topics)
        ax.set_ylabel("topic")
    ax.set(xlabel=x_label, ylim=(len(topics) - 0.4, -0.6), xlim=(min(0.0, float(values.min())), None))
    ax.tick_params(axis="y", length=0, labelsize=8)
    ax.grid(axis="y", visible=False)
    figure.legend(loc="outside upper left", ncols=1 if len(marked) < 3 else 2)
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


#: what draws the figures of a comparison
COMPARISONS: Drawn = {"matrix": drawn_matrix, "intervals": drawn_intervals}
