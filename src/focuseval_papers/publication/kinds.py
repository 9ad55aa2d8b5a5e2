"""Functions that draw figures, one for each kind that `focuseval_papers.publication.declaration` declares."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import extra
from focuseval.files import write_text
from focuseval.model.arrays import Floats
from focuseval.report import page
from focuseval.report.figures import COLOURS, COMPARISONS, GUIDE, STYLE, both_ends, draw, entry
from focuseval.report.parts import Analysis, Drawn, write_tables
from focuseval.report.parts import Figure as Declared
from focuseval.report.tables import number
from focuseval.statistics.correlations import pearson
from focuseval_papers.publication.claims import Words, filled, rows_of
from focuseval_papers.publication.declaration import (
    Curves,
    Dots,
    DotsPanel,
    HeatMap,
    Scatter,
    ShownItem,
    Slopes,
)
from focuseval_papers.publication.paper import Publication, load, module_of
from focuseval_papers.report import figures

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, MultipleLocator, PercentFormatter

#: the width and the height of a panel, in inches
PANEL = (3.2, 3.1)

#: the dash patterns of lines, which are used in turn
DASHES = ("-", "--", "-.", ":")


def _panels(spec: Scatter | Curves | HeatMap | Slopes, frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the title and the rows of ``frame`` for each panel; without column ``spec.panel``, there is one panel."""
    if spec.panel not in frame:
        return [("", frame)]
    return [(str(title), part) for title, part in frame.groupby(spec.panel, sort=False)]


def _row_of_panels(count: int) -> tuple[Figure, list[Axes]]:
    """Return a figure with axes for ``count`` panels, at most three in a row."""
    across = count if count < 4 else 2 if count == 4 else 3
    down = -(-count // across)
    # unlike `Figure`, Pyplot keeps each figure in memory, and requires a screen on some machines
    figure = Figure(figsize=(PANEL[0] * across, PANEL[1] * down), layout="constrained")
    return figure, figures.axes_of(figure, count, down, across)


def _label(text: str, part: pd.DataFrame, words: Words) -> str:
    """Return the label of an axis, which is ``text``, or the value of the column that ``text`` names."""
    is_text = text in part and not pd.api.types.is_numeric_dtype(part[text])
    return str(part[text].iloc[0]) if is_text else filled(text, words)


def dots(spec: Dots, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Draw panels with a line for each row of a frame; on a line, each series has a point and perhaps whiskers."""
    panels = [(panel, rows_of(analysis[panel.frame or frame], **panel.where)) for panel in spec.panels]
    if spec.each:
        panels = [(panel, part) for panel, rows in panels for _, part in rows.groupby(spec.each, sort=False)]
    rows = [[spec.rows.format_map(row) for row in part.to_dict("records")] for _, part in panels]
    names = [list(dict.fromkeys(each)) for each in rows]
    across, most = min(len(panels), 4), max(map(len, names))
    down = -(-len(panels) // across)
    shared = all(each == names[0] for each in names)
    with matplotlib.rc_context(STYLE):
        left, wide, high = (1.0, 1.7, 0.2) if spec.each else (4.2, 2.8, 0.36)
        size = (left + wide * across, high * (most + 4.5) * down)
        figure = Figure(figsize=size, layout="constrained")
        axes = figures.axes_of(figure, len(panels), down, across, sharey=shared)
        for ax, (panel, part), of_row, known in zip(axes, panels, rows, names, strict=True):
            places = pd.Series([known.index(row) for row in of_row], part.index, dtype=float)
            _dots_panel(ax, spec, panel, part, places)
            ax.set_yticks(range(len(known)), known)
            title = panel.title.format_map(part.iloc[0])
            ax.set(title=title, xlabel=filled(panel.x_label, words), ylim=(len(known) - 0.4, -0.6))
            both_ends(ax, len(known))
            if spec.each:
                ax.xaxis.set_major_locator(MaxNLocator(3))
        entries = [entry for ax in axes for entry in zip(*ax.get_legend_handles_labels(), strict=True)]
        legend = {label: handle for handle, label in entries}
        if legend:
            figure.legend(legend.values(), legend.keys(), loc="outside lower center", ncols=2 * across)
    return figure


def _dots_panel(ax: Axes, spec: Dots, panel: DotsPanel, part: pd.DataFrame, places: pd.Series) -> None:
    if spec.span:
        points = part[[series.value for series in panel.series]]
        ax.hlines(places, points.min(axis=1), points.max(axis=1), color="#CCCCCC", linewidth=1.4)
    if panel.guide is not None:
        ax.axvline(part[panel.guide].iloc[0] if isinstance(panel.guide, str) else panel.guide, **GUIDE)
    for place, (series, colour) in enumerate(zip(panel.series, COLOURS, strict=False)):
        chosen = rows_of(part, **series.where)
        offset = 0.16 * (place - (len(panel.series) - 1) / 2) if spec.apart else 0.0
        at = places[chosen.index] + offset
        if series.low:
            ax.hlines(at, chosen[series.low], chosen[series.high], color=colour, linewidth=2.2, alpha=0.45)
        look: dict[str, Any] = {"s": 32, "marker": series.mark, "color": colour, "zorder": 3}
        look |= {"linewidths": 1.5 if series.mark == "x" else 0, "clip_on": False}
        # the label "_" keeps a series out of the legend
        ax.scatter(chosen[series.value], at, label=series.label or "_", **look)
    if panel.from_zero:
        ax.set_xlim(left=0)
    if spec.percent:
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)


@matplotlib.rc_context(STYLE)
def scatter(spec: Scatter, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Draw scatter plots of two measures, with the regression line, Pearson's r, and the diagonal of equal values."""
    panels = _panels(spec, rows_of(analysis[frame], **spec.where))
    figure, axes = _row_of_panels(len(panels))
    for ax, (title, part) in zip(axes, panels, strict=True):
        x, y = part[spec.x].to_numpy(), part[spec.y].to_numpy()
        line, top = pearson(x, y), 1.06 * float(max(x.max(), y.max())) or 1.0
        ends = np.array([0.0, top])
        ax.plot(ends, ends, **GUIDE, label="equal values")
        slope: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1.4, "label": "regression"}
        ax.plot(ends, line.intercept + line.slope * ends, **slope)
        look: dict[str, Any] = {"color": COLOURS[0], "linewidths": 0, "zorder": 3}
        look |= {"s": 24, "alpha": 0.75} if len(x) <= 100 else {"s": 9, "alpha": 0.35}
        # ``clip_on=False`` prevents points at 0 from being cut at the edge of the axes
        ax.scatter(x, y, clip_on=False, label=spec.of, **look)
        x_label, y_label = (_label(text, part, words) for text in (spec.x_label, spec.y_label))
        ax.set(
            title=f"{title}\nn = {len(x)}, r = {number(line.r, 3)}".strip(), xlabel=x_label, ylabel=y_label
        )
        ax.set(xlim=(0, top), ylim=(0, top), aspect="equal")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(4))
    legend = axes[0].get_legend_handles_labels()
    figure.legend(*legend, loc="outside lower center", ncols=3 if len(axes) > 1 else 1)
    return figure


@matplotlib.rc_context(STYLE)
def curves(spec: Curves, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Draw panels of lines with a common legend, and bands if the lines have limits; axes go from 0 to 1.

    Lines differ in shade if ``spec.shaded`` contains a heading for the legend, and otherwise in colour and dash
    pattern.
    """
    panels = _panels(spec, rows_of(analysis[frame], **spec.where))
    figure, axes = _row_of_panels(len(panels))
    names = list(dict.fromkeys(name for _, panel in panels for name in panel[spec.line]))
    shades = matplotlib.colormaps["viridis"](np.linspace(0, 0.92, len(names)))
    legend = {}
    for ax, (title, panel) in zip(axes, panels, strict=True):
        for name, part in panel.groupby(spec.line, sort=False):
            i, label = names.index(name), entry(str(name))
            colour, line = (shades[i], "-") if spec.shaded else (COLOURS[i % len(COLOURS)], DASHES[i % 4])
            if spec.low:
                limits = part[spec.low], part[spec.high]
                ax.fill_between(part[spec.x], *limits, color=colour, alpha=0.18, linewidth=0)
            look: dict[str, Any] = {"color": colour, "clip_on": False, "linewidth": 1.6}
            [legend[label]] = ax.plot(part[spec.x], part[spec.y], line, label=label, **look)
        x_label, y_label = (_label(text, panel, words) for text in (spec.x_label, spec.y_label))
        ax.set(title=title, xlabel=x_label, ylabel=y_label)
        ax.set(xlim=(0, 1), ylim=(0, 1.02))  # leaves room for lines at 1
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MultipleLocator(0.2))
    figure.set_figwidth(figure.get_figwidth() + 0.5 + 0.08 * max(map(len, [spec.shaded, *map(str, names)])))
    figure.legend(legend.values(), legend.keys(), title=spec.shaded or None, loc="outside right center")
    return figure


def heat_map(spec: HeatMap, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Draw heat maps from light (low) to dark (high), with rows and columns in the order of the frame."""
    maps = []
    for title, part in _panels(spec, analysis[frame]):
        wide = part.pivot(index=spec.row, columns=spec.column, values=spec.value)
        values = wide.loc[part[spec.row].unique(), part[spec.column].unique()]
        maps.append(figures.HeatMapPanel(title, values, spec.x_label))
    limits = None if spec.limits is None else (spec.limits[0], spec.limits[1])
    return figures.heat_maps(maps, filled(spec.label, words), limits)


def slopes(spec: Slopes, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Draw systems under two measures, with whiskers, and a line between the two values of a system.

    Each axis goes from 0 to the end of the highest whisker under its measure.
    """
    sides = spec.left, spec.right
    panels = {
        title: part[(part[[side.rank for side in sides]] <= spec.most).any(axis=1)]
        for title, part in _panels(spec, analysis[frame])
    }
    with matplotlib.rc_context(STYLE):
        rows = min(max(map(len, panels.values())), 2 * spec.most)
        size = (8.6, (0.21 * rows + 0.9) * len(panels))
        figure = Figure(figsize=size, layout="constrained")
        for ax, (title, part) in zip(
            figure.subplots(len(panels), squeeze=False)[:, 0], panels.items(), strict=True
        ):
            within = part[spec.name].str.replace(f"{title}/", "") if title else part[spec.name]
            _slopes_panel(ax, spec, part.assign(**{spec.name: within}), 0.8 / rows)
            ax.set(title=title, xlim=(-1.6, 2.6), ylim=(-0.03, 1.06), yticks=[])
            ax.set_xticks([0, 1], [filled(side.label, words) for side in sides])
            for label, place in zip(ax.get_xticklabels(), ("right", "left"), strict=True):
                label.set_horizontalalignment(place)
            ax.tick_params(length=0)
            ax.grid(visible=False)
            ax.spines[:].set_visible(False)
    return figure


def _slopes_panel(ax: Axes, spec: Slopes, part: pd.DataFrame, apart: float) -> None:
    ends = []
    for x, side in enumerate((spec.left, spec.right)):
        numbers = part[[side.value, side.low, side.high]]
        highest = np.nanmax(numbers.to_numpy()) or 1.0  # avoids a division by 0 if all values are 0
        value, low, high = (numbers / highest).to_numpy().T
        ends.append(value)
        ax.vlines([x] * len(part), low, high, color=COLOURS[0], linewidth=1.2, alpha=0.35)
        ax.scatter([x] * len(part), value, s=14, color=COLOURS[0], linewidths=0, zorder=3)
        labels = [f"{row[spec.name]}  {row[side.value]:.3f}" for _, row in part.iterrows()]
        away = 2 * x - 1
        for text, at, place in zip(labels, value, spread(value, apart), strict=True):
            ax.plot([x + 0.03 * away, x + 0.09 * away], [at, place], color="#BBBBBB", linewidth=0.7)
            ax.text(x + 0.11 * away, place, text, ha="left" if x else "right", va="center", fontsize=7.5)
    for one, other, before, after in zip(*ends, part[spec.left.rank], part[spec.right.rank], strict=True):
        colour = COLOURS[0] if after < before else COLOURS[1] if after > before else "#777777"
        ax.plot([0, 1], [one, other], color=colour, linewidth=1.2, alpha=0.8)


def spread(places: Floats, apart: float) -> Floats:
    """Move the positions of labels (0 to about 1) so that neighbours are at least ``apart`` from each other.

    The order of the labels does not change.
    """
    order = np.argsort(places, kind="stable")
    steps = apart * np.arange(len(places))
    moved = np.maximum.accumulate(places[order] - steps) + steps
    top = np.minimum(moved, 1.03 - steps[::-1])
    return top[np.argsort(order)]


_KINDS: dict[str, Callable[..., Figure]] = {
    "dots": dots,
    "scatter": scatter,
    "curves": curves,
    "heat_map": heat_map,
    "slopes": slopes,
}


def drawings(name: str) -> Drawn:
    """Return the functions that draw the figures of the publication ``name``, by the name of the figure.

    A module ``drawings`` of the publication may add functions.
    """
    own, publication = module_of(name, "drawings"), load(name)

    def of_kind(item: ShownItem, kind: str, figure: Declared, analysis: Analysis, context: Any) -> Figure:
        words = publication.words_of(context) if context else {}
        return _KINDS[kind](getattr(item, kind), analysis, item.frame or figure.name, words)

    declared = publication.declared.all_shown
    of_kinds = {
        each.figure: partial(of_kind, each, kind)
        for each in declared
        for kind in _KINDS
        if getattr(each, kind)
    }
    compared = COMPARISONS if any(each.comparison for each in declared) else {}
    return {**(import_module(own).DRAWN if own else {}), **of_kinds, **compared}


def make_examples(paper: Publication, folder: Path) -> str:
    """Write the worked examples of a paper into a folder, and return their section of the report."""
    declared, items = paper.declared.examples, paper.examples
    if declared is None or paper.worked is None:
        raise ValueError(f"{paper.name} has no worked examples")
    analysis = paper.worked(paper.declared)
    for name, text in paper.texts.items():
        write_text(folder / name, text)
    write_tables(items, analysis, None, folder)
    draw(items, drawings(paper.name), analysis, None, folder)
    return page.section(
        f"{paper.name}-examples",
        f"{paper.declared.title}: worked examples",
        declared.introduction,
        page.shown(items, analysis, None, folder, paper.name),
        group=paper.declared.title,
        label="worked examples",
    )
