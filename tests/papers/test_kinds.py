"""The declared kinds of figures, drawn from frames."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval_papers.publication import kinds
from focuseval_papers.publication.declaration import Curves, Dots, HeatMap, Scatter
from focuseval_papers.workflow.settings import validated
from tests.figure_text import figure_text
from tests.snapshots import check

WORDS = {"level": "95 %"}
ROWS = pd.DataFrame(
    {
        "system": ["b", "a", "b", "a"],
        "measure": ["P", "P", "R", "R"],
        "value": [0.2, 0.4, 0.6, 0.8],
        "low": [0.1, 0.3, 0.5, 0.7],
        "high": [0.3, 0.5, 0.7, 0.9],
    }
)


def dots(**spec):
    document = {"rows": "system {system}", **spec}
    return kinds.dots(validated(Dots, document, "figure"), {"frame": ROWS}, "frame", WORDS)


def one_panel():
    """Return dots with a row for each name and a point for each series."""
    series = [
        {"value": "value", "low": "low", "high": "high", "where": {"measure": "P"}, "label": "precision"},
        {"value": "value", "where": {"measure": "R"}, "label": "recall", "mark": "s"},
    ]
    panels = [{"x_label": "score, {level}", "title": "T", "series": series, "guide": 0.5}]
    return dots(panels=panels, apart=True)


def several_panels(**more):
    """Return dots in panels, which share their rows if these are equal."""
    panels = [
        {"x_label": name, "where": {"measure": name}, "series": [{"value": "value"}], "guide": "value"}
        for name in "PR"
    ]
    return dots(panels=[*panels, *more.pop("panels", [])], **more)


FRAME = pd.DataFrame(
    {
        "panel": ["second", "second", "first", "first"],
        "label": ["up"] * 4,
        "x": [0.1, 0.4, 0.2, 0.3],
        "y": [0.2, 0.3, 0.1, 0.5],
        "line": ["l", "l", "m", "m"],
    }
)


def drawn(kind, frame, **spec):
    make = {Scatter: kinds.scatter, Curves: kinds.curves, HeatMap: kinds.heat_map}[kind]
    return make(validated(kind, spec, "figure"), {"frame": frame}, "frame", WORDS)


#: one figure has a third panel with other rows; lines of one name look alike in both panels
FIGURES = {
    "dots": one_panel,
    "dots in panels": lambda: several_panels(span=True, percent=True),
    "dots of other rows": lambda: several_panels(
        panels=[{"x_label": "x", "where": {"system": "a"}, "series": [{"value": "value"}]}]
    ),
    "scatter": lambda: drawn(Scatter, FRAME, x_label="across, {level}", y_label="label"),
    "shaded curve": lambda: drawn(
        Curves, FRAME, x="x", y="y", low="x", high="y", shaded="m", where={"panel": "first"}
    ),
    "curves": lambda: drawn(Curves, pd.concat([FRAME, FRAME.assign(panel="first")]), x="x", y="y"),
    "heat map": lambda: drawn(
        HeatMap, FRAME, row="line", column="x", value="y", label="τ", limits=[0.0, 1.0]
    ),
}


def test_figures_of_a_frame_are_as_in_their_snapshots():
    texts = [f"--- {name}\n{figure_text(make())}" for name, make in FIGURES.items()]
    check("".join(texts), Path(__file__).with_name("snapshots") / "kinds.txt")


def test_the_line_in_a_scatter_plot_is_the_regression():
    axes = FIGURES["scatter"]().axes[1]
    [line] = (one for one in axes.lines if str(one.get_label()).startswith("regression"))
    slope, intercept = np.polyfit([0.2, 0.3], [0.1, 0.5], 1)
    assert line.get_ydata() == pytest.approx(intercept + slope * np.asarray(line.get_xdata()))
