"""The declared kinds of figures (`focuseval_papers.publication.declaration`): each draws frames of an analysis."""

from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from focuseval.report.figures import COLOURS, COMPARISONS, GUIDE, STYLE
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval_papers.publication.claims import Words, filled
from focuseval_papers.publication.declaration import Curves, Dots, DotsPanel, HeatMap, Scatter
from focuseval_papers.publication.declared import Publication
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context
from focuseval_papers.report import figures


def _panels(spec: Scatter | Curves | HeatMap, frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each panel by its title, in the order in which they come."""
    for title, part in frame.groupby(spec.panel, sort=False):
        yield str(title), part


def _label(text: str, part: pd.DataFrame, words: Words) -> str:
    """The label of an axis: a text, or what the column of that name has."""
    return str(part[text].iloc[0]) if text in part else filled(text, words)


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
    """Lines from 0 to 1 in panels, each with its legend, or from light to dark with one legend, and bands."""
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
    if spec.shaded:
        return figures.graded_curves(lines, labels, spec.shaded, bands or None)
    return figures.recall_precision(lines)


def heat_map(spec: HeatMap, analysis: Analysis, frame: str, words: Words) -> Figure:
    """Numbers in rows and columns, in their order; light is low, dark is high."""
    maps = []
    for title, part in _panels(spec, analysis[frame]):
        wide = part.pivot(index=spec.row, columns=spec.column, values=spec.value)
        maps.append(figures.HeatMap(title, wide.loc[part[spec.row].unique(), part[spec.column].unique()]))
    limits = None if spec.limits is None else (spec.limits[0], spec.limits[1])
    return figures.heat_maps(maps, filled(spec.label, words), limits)


_KINDS: dict[str, Callable[..., Figure]] = {
    "dots": dots,
    "scatter": scatter,
    "curves": curves,
    "heat_map": heat_map,
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
