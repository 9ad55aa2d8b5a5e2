"""The declared kinds of figures (`focuseval_papers.publication.declaration`): each draws frames of an analysis."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import extra
from focuseval.files import write_text
from focuseval.model.arrays import Floats
from focuseval.report import page
from focuseval.report.figures import COLOURS, COMPARISONS, GUIDE, STYLE, draw
from focuseval.report.items import Analysis, Drawn, read_analysis, write_tables
from focuseval.report.items import Figure as Declared
from focuseval_papers.publication.catalogue import drawings_module, load
from focuseval_papers.publication.claims import Words, filled
from focuseval_papers.publication.declaration import Curves, Dots, DotsPanel, HeatMap, Scatter, Slopes
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context, Publication
from focuseval_papers.report import figures

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter


def _panels(
    spec: Scatter | Curves | HeatMap | Slopes, frame: pd.DataFrame
) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each panel by its title, in the order in which they come; all rows where none is named."""
    if spec.panel not in frame:
        yield "", frame
        return
    for title, part in frame.groupby(spec.panel, sort=False):
        yield str(title), part


def _label(text: str, part: pd.DataFrame, words: Words) -> str:
    """The label of an axis: a text, or what the column of that name has."""
    is_text = text in part and not pd.api.types.is_numeric_dtype(part[text])
    return str(part[text].iloc[0]) if is_text else filled(text, words)


def dots(spec: Dots, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Rows with names, and in each a point for each series, with whiskers where there are limits."""
    parts = [rows_of(analysis[panel.frame or frame], **panel.where) for panel in spec.panels]
    rows = [[spec.rows.format_map(row) for row in part.to_dict("records")] for part in parts]
    names = [list(dict.fromkeys(each)) for each in rows]
    shared = all(each == names[0] for each in names)
    with matplotlib.rc_context(STYLE):
        size = (4.2 + 2.8 * len(parts), 0.36 * max(map(len, names)) + 1.6)
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(1, len(parts), sharey=shared, squeeze=False)[0]
        for ax, panel, part, of_row, known in zip(axes, spec.panels, parts, rows, names, strict=True):
            places = pd.Series([known.index(row) for row in of_row], part.index, dtype=float)
            _dots_panel(ax, spec, panel, part, places)
            ax.set_yticks(range(len(known)), known)
            ax.set(title=panel.title, xlabel=filled(panel.x_label, words), ylim=(len(known) - 0.4, -0.6))
        entries = [entry for ax in axes for entry in zip(*ax.get_legend_handles_labels(), strict=True)]
        legend = {label: handle for handle, label in entries}
        if legend:
            figure.legend(legend.values(), legend.keys(), loc="outside lower center", ncols=2 * len(parts))
    return figure


def _dots_panel(ax: Axes, spec: Dots, panel: DotsPanel, part: pd.DataFrame, places: pd.Series) -> None:
    if spec.span:
        points = part[[series.value for series in panel.series]]
        ax.hlines(places, points.min(axis=1), points.max(axis=1), color="#CCCCCC", linewidth=1.4)
    if panel.guide is not None:
        ax.axvline(part[panel.guide].iloc[0] if isinstance(panel.guide, str) else panel.guide, **GUIDE)
    for number, (series, colour) in enumerate(zip(panel.series, COLOURS, strict=False)):
        chosen = rows_of(part, **series.where)
        offset = 0.16 * (number - (len(panel.series) - 1) / 2) if spec.apart else 0.0
        at = places[chosen.index] + offset
        if series.low:
            ax.hlines(at, chosen[series.low], chosen[series.high], color=colour, linewidth=2.2, alpha=0.45)
        look: dict[str, Any] = {"s": 32, "marker": series.mark, "color": colour, "zorder": 3}
        look["linewidths"] = 1.5 if series.mark == "x" else 0
        # matplotlib leaves labels that begin so out of legends
        ax.scatter(chosen[series.value], at, label=series.label or "_", **look)
    if panel.from_zero:
        ax.set_xlim(left=0)
    if spec.percent:
        ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)


def scatter(spec: Scatter, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Points under two measurements, with the regression line, Pearson's r, and the diagonal of equal values."""
    return figures.scatter_plots(
        [
            figures.Scatter(
                title,
                _label(spec.x_label, part, words),
                _label(spec.y_label, part, words),
                part[spec.x].to_numpy(),
                part[spec.y].to_numpy(),
                spec.of,
            )
            for title, part in _panels(spec, rows_of(analysis[frame], **spec.where))
        ]
    )


def curves(spec: Curves, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Lines from 0 to 1 in panels, or from light to dark, with one legend, and bands."""
    lines: dict[str, figures.Curves] = {}
    bands: dict[str, figures.Bands] = {}
    labels: dict[str, tuple[str, str]] = {}
    for title, panel in _panels(spec, rows_of(analysis[frame], **spec.where)):
        labels[title] = (_label(spec.x_label, panel, words), _label(spec.y_label, panel, words))
        for line, part in panel.groupby(spec.line, sort=False):
            lines.setdefault(title, {})[str(line)] = (part[spec.x].to_numpy(), part[spec.y].to_numpy())
            if spec.low:
                limits = part[spec.low].to_numpy(), part[spec.high].to_numpy()
                bands.setdefault(title, {})[str(line)] = limits
    return figures.recall_precision(lines, labels, spec.shaded, bands or None)


def heat_map(spec: HeatMap, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Numbers in rows and columns, in their order; light is low, dark is high."""
    maps = []
    for title, part in _panels(spec, analysis[frame]):
        wide = part.pivot(index=spec.row, columns=spec.column, values=spec.value)
        maps.append(figures.HeatMap(title, wide.loc[part[spec.row].unique(), part[spec.column].unique()]))
    limits = None if spec.limits is None else (spec.limits[0], spec.limits[1])
    return figures.heat_maps(maps, filled(spec.label, words), limits)


def slopes(spec: Slopes, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Systems under two measures with whiskers, each side from 0 to its highest limit, and a line between both."""
    sides = spec.left, spec.right
    panels = list(_panels(spec, analysis[frame]))
    shown = {
        title: part[(part[[side.rank for side in sides]] <= spec.most).any(axis=1)] for title, part in panels
    }
    with matplotlib.rc_context(STYLE):
        rows = min(max(map(len, shown.values())), 2 * spec.most)
        size = (8.6, (0.21 * rows + 0.9) * len(shown))
        figure = Figure(figsize=size, layout="constrained")
        for ax, (title, part) in zip(
            figure.subplots(len(shown), squeeze=False)[:, 0], shown.items(), strict=True
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
        highest = np.nanmax(numbers.to_numpy()) or 1.0  # all may be 0
        value, low, high = (numbers / highest).to_numpy().T
        ends.append(value)
        ax.vlines([x] * len(part), low, high, color=COLOURS[0], linewidth=1.2, alpha=0.35)
        ax.scatter([x] * len(part), value, s=14, color=COLOURS[0], linewidths=0, zorder=3)
        said = [f"{row[spec.name]}  {row[side.value]:.3f}" for _, row in part.iterrows()]
        away = 2 * x - 1
        for text, at, place in zip(said, value, spread(value, apart), strict=True):
            ax.plot([x + 0.03 * away, x + 0.09 * away], [at, place], color="#BBBBBB", linewidth=0.7)
            ax.text(x + 0.11 * away, place, text, ha="left" if x else "right", va="center", fontsize=7.5)
    for one, other, before, after in zip(*ends, part[spec.left.rank], part[spec.right.rank], strict=True):
        colour = COLOURS[0] if after < before else COLOURS[1] if after > before else "#777777"
        ax.plot([0, 1], [one, other], color=colour, linewidth=1.2, alpha=0.8)


def spread(places: Floats, apart: float) -> Floats:
    """(N,) places from 0 to about 1 in their order, moved up until they are ``apart``, and down again from the top."""
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


def drawn(publication: Publication, own: Drawn) -> Drawn:
    """What draws the figures of a publication, by their names; ``own`` draws those of no declared kind."""

    def of_kind(
        draw: Callable[..., Figure], spec: Any, frame: str
    ) -> Callable[[Declared, Analysis, Any], Figure]:
        def function(figure: Declared, analysis: Analysis, context: Context | None) -> Figure:
            words = publication.words_of(context) if context else {}
            return draw(spec, analysis, frame or figure.name, words)

        return function

    declared = publication.declared.all_shown
    of_kinds = {
        each.figure: of_kind(draw, spec, each.frame)
        for each in declared
        for kind, draw in _KINDS.items()
        if (spec := getattr(each, kind))
    }
    compared = COMPARISONS if any(each.comparison for each in declared) else {}
    return {**own, **of_kinds, **compared}


def drawings(name: str) -> Drawn:
    """What draws the figures of a publication."""
    own = drawings_module(name)
    return drawn(load(name), import_module(own).DRAWN if own else {})


def make_figures(paper: Publication, context: Context, folder: Path) -> None:
    """Draw the figures of a publication, from the analysis in its folder."""
    analysis = read_analysis(folder / "analysis")
    draw(paper.items(context), drawings(paper.name), analysis, context, folder)


def make_examples(paper: Publication, folder: Path) -> str:
    """Write the worked examples of a paper into its folder; their section of the report."""
    worked, items = paper.declared.examples, paper.examples
    if worked is None or paper.examples_of is None:
        raise ValueError(f"{paper.name} has no worked examples")
    analysis = paper.examples_of(paper.declared)
    for name, text in paper.texts.items():
        write_text(folder / name, text)
    write_tables(items, analysis, None, folder)
    draw(items, drawings(paper.name), analysis, None, folder)
    return page.section(
        f"{paper.name}-examples",
        f"{paper.declared.title}: worked examples",
        worked.introduction,
        page.shown(items, analysis, None, folder, paper.name),
        group=paper.declared.title,
        label="worked examples",
    )
