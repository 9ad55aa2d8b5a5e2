"""The declared kinds of figures: what is drawn of a frame."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from focuseval_papers.publication import kinds
from focuseval_papers.publication.declaration import Curves, Dots, HeatMap, Scatter
from focuseval_papers.workflow.settings import validated

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


def dots(**spec: Any) -> Figure:
    document = {"rows": "system {system}", **spec}
    return kinds.dots(validated(Dots, document, "figure"), {"frame": ROWS}, "frame", WORDS)


def test_dots_have_a_row_for_each_name_and_a_point_for_each_series() -> None:
    series = [
        {"value": "value", "low": "low", "high": "high", "where": {"measure": "P"}, "label": "precision"},
        {"value": "value", "where": {"measure": "R"}, "label": "recall", "mark": "s"},
    ]
    figure = dots(
        panels=[{"x_label": "score, {level}", "title": "T", "series": series, "guide": 0.5}], apart=True
    )
    [ax] = figure.axes
    assert ax.get_xlabel() == "score, 95 %" and ax.get_title() == "T"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["system b", "system a"]
    whiskers, precision, recall = ax.collections
    assert [line.tolist() for line in whiskers.get_segments()] == [
        [[0.1, -0.08], [0.3, -0.08]],
        [[0.3, 0.92], [0.5, 0.92]],
    ]
    assert precision.get_offsets().tolist() == [[0.2, -0.08], [0.4, 0.92]]
    assert recall.get_offsets().tolist() == [[0.6, 0.08], [0.8, 1.08]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["precision", "recall"]
    assert ax.lines[0].get_xdata() == [0.5, 0.5]


def test_dots_in_panels_share_their_rows_where_these_are_the_same() -> None:
    panels = [
        {"x_label": name, "where": {"measure": name}, "series": [{"value": "value"}], "guide": "value"}
        for name in "PR"
    ]
    left, right = dots(panels=panels, span=True, percent=True).axes
    assert len(left.get_yticklabels()) == 2 and not right.get_yticklabels()
    assert right.lines[0].get_xdata() == [0.6, 0.6]  # of the first row
    other = dots(panels=[*panels, {"x_label": "x", "where": {"system": "a"}, "series": [{"value": "value"}]}])
    assert not other.legends and len(other.axes) == 3


def test_scatter_curves_and_heat_maps_have_panels_in_the_order_of_rows() -> None:
    frame = pd.DataFrame(
        {
            "panel": ["second", "second", "first", "first"],
            "label": ["up"] * 4,
            "x": [0.1, 0.4, 0.2, 0.3],
            "y": [0.2, 0.3, 0.1, 0.5],
            "line": ["l", "l", "m", "m"],
        }
    )
    scatter = validated(Scatter, {"x_label": "across, {level}", "y_label": "label"}, "figure")
    drawn = kinds.scatter(scatter, {"frame": frame}, "frame", WORDS)
    assert [ax.get_title() for ax in drawn.axes] == ["second", "first"]
    assert drawn.axes[0].get_xlabel() == "across, 95 %" and drawn.axes[0].get_ylabel() == "up"
    assert drawn.axes[1].collections[0].get_offsets().tolist() == [[0.2, 0.1], [0.3, 0.5]]
    [line] = (one for one in drawn.axes[1].lines if str(one.get_label()).startswith("regression"))
    slope, intercept = np.polyfit([0.2, 0.3], [0.1, 0.5], 1)
    assert line.get_ydata() == pytest.approx(intercept + slope * np.asarray(line.get_xdata()))
    assert line.get_label() == "regression, r = 1.000"
    document = {"x": "x", "y": "y", "low": "x", "high": "y", "shaded": "m", "where": {"panel": "first"}}
    curves = kinds.curves(validated(Curves, document, "figure"), {"frame": frame}, "frame", WORDS)
    [ax] = curves.axes
    assert ax.lines[0].get_xydata().tolist() == [[0.2, 0.1], [0.3, 0.5]] and len(ax.collections) == 1
    assert [text.get_text() for text in curves.legends[0].get_texts()] == ["m"]
    both = validated(Curves, {"x": "x", "y": "y"}, "figure")
    drawn = kinds.curves(both, {"frame": pd.concat([frame, frame.assign(panel="first")])}, "frame", WORDS)
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["l", "m"]
    first, second = drawn.axes  # lines of one name look alike
    assert first.lines[0].get_color() == second.lines[1].get_color() != second.lines[0].get_color()
    map_of = validated(
        HeatMap, {"row": "line", "column": "x", "value": "y", "label": "τ", "limits": [0.0, 1.0]}, "f"
    )
    heat = kinds.heat_map(map_of, {"frame": frame}, "frame", WORDS)
    assert [ax.get_title() for ax in heat.axes[:2]] == ["second", "first"]
    assert [text.get_text() for text in heat.axes[0].texts] == ["0.200", "0.300"]
