"""The kinds of figures that papers are drawn with: scatter plots, curves, graphs of many runs, heat maps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import extra
from focuseval.model.arrays import Floats
from focuseval.report.figures import COLOURS, GUIDE, LINE, STYLE, entry
from focuseval.report.tables import number
from focuseval.statistics.correlations import pearson

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.ticker import MaxNLocator, MultipleLocator

_LINES = ("-", "--", "-.", ":")

#: width and height of one panel, in inches: three stand beside each other on a page as they are
_PANEL, _WIDEST = (3.2, 3.1), 9.7

#: characters of a name over a panel
_LONGEST = 42


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


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    """Panels beside each other, three in a row, or two and two."""
    across = count if count < 4 else 2 if count == 4 else 3
    down = -(-count // across)
    # Not pyplot: it keeps every figure alive, and wants a screen on some machines.
    figure = Figure(figsize=(_PANEL[0] * across, _PANEL[1] * down), layout="constrained")
    axes = list(figure.subplots(down, across, squeeze=False).flat)
    for ax in axes[count:]:
        figure.delaxes(ax)
    return figure, axes[:count]


def _unit_axes(ax: Axes, title: str, x_label: str, y_label: str) -> None:
    """Both axes from 0 to 1, with room for lines on top."""
    ax.set(title=title, xlabel=x_label, ylabel=y_label, xlim=(0, 1), ylim=(0, 1.02))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(0.2))


@matplotlib.rc_context(STYLE)
def recall_precision(
    panels: Mapping[str, Curves],
    axes_labels: Mapping[str, tuple[str, str]],
    shaded: str = "",
    bands: Mapping[str, Bands] | None = None,
) -> Figure:
    """Recall/precision graphs with one legend for all panels; lines of one name look alike in all of them.

    Panels by title, with the labels of their axes, and curves by legend entry, which may have bands around them. Where
    the legend has a heading, ``shaded``, curves are in an order, from light to dark.
    """
    figure, axes = _panels(len(panels))
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    shades = matplotlib.colormaps["viridis"](np.linspace(0, 0.92, len(names)))
    for ax, (title, curves) in zip(axes, panels.items(), strict=True):
        for label, (recall, precision) in curves.items():
            i = names.index(label)
            colour, line = (shades[i], "-") if shaded else (COLOURS[i % len(COLOURS)], _LINES[i % 4])
            if bands is not None:
                low, high = bands[title][label]
                ax.fill_between(recall, low, high, color=colour, alpha=0.18, linewidth=0)
            ax.plot(recall, precision, line, color=colour, label=entry(label), clip_on=False, linewidth=1.6)
        _unit_axes(ax, title, *axes_labels[title])
    drawn = [entries for ax in axes for entries in zip(*ax.get_legend_handles_labels(), strict=True)]
    legend = {label: handle for handle, label in drawn}
    figure.set_figwidth(figure.get_figwidth() + 0.5 + 0.08 * max(map(len, [shaded, *names])))
    figure.legend(legend.values(), legend.keys(), title=shaded or None, loc="outside right center")
    return figure


@matplotlib.rc_context(STYLE)
def scatter_plots(panels: Sequence[Scatter]) -> Figure:
    """Scatter plots with the regression line of y on x, Pearson's r, and the diagonal of equal values."""
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
    figure = Figure(figsize=(_PANEL[0] * columns, (_PANEL[1] + 0.5) * len(grid)), layout="constrained")
    axes = figure.subplots(len(grid), columns, squeeze=False)
    for row, panels in zip(axes, grid, strict=True):
        top = 1.05 * max(max(float(panel.lines.max()) for panel in panels), 0.01)
        for ax in row[len(panels) :]:
            ax.set_axis_off()
        for ax, panel in zip(row, panels, strict=False):
            # one path with gaps, which is simplified
            ends = np.full((len(panel.lines), 1), np.nan)
            every = np.hstack([panel.lines, ends]).ravel(), np.tile([*panel.x, np.nan], len(panel.lines))
            ax.plot(every[1], every[0], color=LINE, linewidth=0.7, alpha=0.7)
            for i, (label, line) in enumerate(panel.marked.items()):
                ax.plot(panel.x, panel.lines[line], _LINES[i % 4], color=COLOURS[i], label=label)
                place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
                short = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
                said = ax.annotate(short, (0, 1), (0, 4 + 11 * i), **place, color=COLOURS[i], fontsize=7.5)
                said.set_in_layout(False)  # it may be wider than its axes
            ax.set_title(panel.title, pad=6 + 11 * len(panel.marked), loc="left", fontsize=9)
            ax.set(xlabel=panel.x_label, ylabel=panel.y_label, xlim=panel.x_limits, ylim=(0, top))
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


def ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever has the higher contrast (WCAG 2) on an RGB colour: 4.58 at least."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return "black" if (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05) ** 2 > 0.0525 else "white"


@matplotlib.rc_context({**STYLE, "axes.grid": False})
def heat_maps(panels: Sequence[HeatMap], label: str, limits: tuple[float, float] | None = None) -> Figure:
    """Heat maps, every cell with its number; light is low, dark is high. Wide ones stand below each other.

    Colours reach from the first to the second of ``limits``, and numbers have three digits; of correlations, which have
    no limits, from the lowest (0.9 at most) to 1, with two decimals. Of a symmetric map one half is drawn.
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
    across, down = (1, len(panels)) if width * len(panels) > _WIDEST else (len(panels), 1)
    figure = Figure(figsize=(width * across + 0.8, height * down + 0.2), layout=layout)
    axes = list(figure.subplots(down, across, squeeze=False).flat)
    for ax, panel in zip(axes, panels, strict=True):
        values = panel.values.to_numpy(float)
        twice = len(values) == len(values.T) and np.array_equal(values, values.T, equal_nan=True)
        drawn = np.tri(len(values), dtype=bool) if twice else np.ones(values.shape, dtype=bool)
        image = ax.imshow(np.where(drawn, values, np.nan), cmap="Blues", vmin=low, vmax=high)
        for row, column in np.argwhere(drawn):
            value = values[row, column]
            shade = "black" if np.isnan(value) else ink_on(image.to_rgba(value)[:3])
            ax.text(column, row, text_of(value), ha="center", va="center", fontsize=8.5, color=shade)
        ax.set_xticks(range(values.shape[1]), panel.values.columns, rotation=45, ha="right", fontsize=8.5)
        ax.set_yticks(range(values.shape[0]), panel.values.index, fontsize=8.5)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    figure.colorbar(image, ax=axes, label=label, shrink=0.85, pad=0.02).outline.set_visible(False)
    return figure
