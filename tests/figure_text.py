"""Figures as text: their texts, and the positions of marks and lines to three digits."""

import re
from itertools import chain

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, NullFormatter, ScalarFormatter

MOST = 12  #: the number of points, evenly spread, that are written of longer lines and larger sets of marks


def figure_text(figure):
    """Return everything that a reader sees in a figure."""
    figure.draw_without_rendering()
    check_picture(figure)
    lines = [f"title: {figure.get_suptitle()}"] if figure.get_suptitle() else []
    for axes in figure.axes:
        lines += ["axes", *(f"  {line}" for line in axes_lines(axes))]
    for legend in [*figure.legends, *(of for axes in figure.axes if (of := axes.get_legend()))]:
        lines.append(f"legend: {' | '.join(text.get_text() for text in legend.get_texts())}")
    return "\n".join([*lines, ""])


def check_picture(figure):
    """Assert that a figure has no raw TeX, no legend on its data and no label that is cut."""
    for text in figure.findobj(Text):
        label = text.get_text()
        assert not re.search(r"\\math|\$\\[a-z]+\$", label), f"raw TeX: {label}"
        if label and text.get_visible() and text.get_clip_on() and text.get_clip_box() and text.axes:
            box, axes = text.get_window_extent(), text.axes.get_window_extent().padded(1)
            assert axes.contains(*box.min) and axes.contains(*box.max), f"cut: {label}"
    legends = [*figure.legends, *(of for axes in figure.axes if (of := axes.get_legend()))]
    places = np.concatenate([[(-1.0, -1.0)], *chain.from_iterable(map(drawn_at, figure.axes))])
    for legend in legends:
        box = legend.get_window_extent()
        covered = ((places > box.min) & (places < box.max)).all(axis=1)
        assert not covered.any(), f"a legend on data: {[text.get_text() for text in legend.get_texts()]}"


def drawn_at(axes):
    """Return the (N, 2) pixels of the visible marks and lines of axes."""
    box = axes.get_window_extent()

    def seen(artist, points):
        inside = ((points >= box.min) & (points <= box.max)).all(axis=1)
        return points[inside | (not artist.get_clip_on())]

    lines = [(line, line.get_transform().transform(line.get_xydata())) for line in axes.lines]
    for marks in axes.collections:
        if isinstance(marks, LineCollection):
            lines += [(marks, marks.get_transform().transform(piece)) for piece in marks.get_segments()]
        else:
            offsets = np.ma.getdata(marks.get_offsets())
            yield seen(marks, marks.get_offset_transform().transform(offsets))
    for line, path in lines:
        if not len(path):
            continue
        steps = np.linspace(0, len(path) - 1, 500)
        yield seen(
            line, np.column_stack([np.interp(steps, np.arange(len(path)), column) for column in path.T])
        )


def axes_lines(axes):
    for what, text in {
        "title": axes.get_title() or axes.get_title("left"),
        "x": axes.get_xlabel(),
        "y": axes.get_ylabel(),
        "x ticks": ticks(axes.xaxis),
        "y ticks": ticks(axes.yaxis),
        "texts": " | ".join(text.get_text() for text in axes.texts),
    }.items():
        if text:
            yield f"{what}: {text}"
    yield f"limits: {points([axes.get_xlim(), axes.get_ylim()])}"
    for image in axes.images:
        yield f"image: {points(np.ma.filled(image.get_array(), np.nan))}, {points([image.get_clim()])}"
    for line in axes.lines:
        label = str(line.get_label())
        name = "" if label.startswith("_child") else f" {label}"
        yield f"line {to_hex(line.get_color())}{name}: {points(line.get_xydata())}"
    for marks in axes.collections:
        if isinstance(marks, LineCollection):
            yield from (f"segment: {points(segment)}" for segment in marks.get_segments()[:MOST])
        elif isinstance(marks, PolyCollection):
            yield from (f"area: {points(path.vertices)}" for path in marks.get_paths())
        elif len(offsets := np.ma.getdata(marks.get_offsets())) and offsets.any():
            yield f"marks: {points(offsets)}"


def ticks(axis):
    """Return the names at an axis; the positions of numbers are left to Matplotlib."""
    if isinstance(axis.get_major_locator(), FixedLocator):
        return " | ".join(label.get_text() for label in axis.get_ticklabels())
    written = axis.get_major_formatter()
    return "" if isinstance(written, NullFormatter | ScalarFormatter) else type(written).__name__


def points(rows):
    """Return rows of numbers, or some of them if there are many."""
    if not len(rows):
        return "none"
    table = np.asarray(rows, dtype=float).reshape(len(rows), -1) + 0.0
    some = table[:: 1 + len(table) // MOST]
    texts = ["(" + ", ".join(f"{number:.3g}" for number in row) + ")" for row in some]
    return f"{len(table)}: {' '.join(texts)}" if len(some) < len(table) else " ".join(texts)
