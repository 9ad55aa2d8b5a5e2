"""What the kinds of figures of papers show; that no text of them is cut is held in `tests/report/test_figures.py`."""

import matplotlib
import numpy as np
import pandas as pd
import pytest

from focuseval_papers.report.figures import (
    Bundle,
    HeatMap,
    Scatter,
    bundles,
    heat_maps,
    ink_on,
    recall_precision,
    scatter_plots,
    three_digits,
)
from tests.report.test_figures import X


def test_a_heat_map_has_every_number_and_a_scale() -> None:
    table = pd.DataFrame([[1.0, -0.25], [np.nan, 0.0241]], index=["a", "b"], columns=["a", "b"])
    texts = {}
    for limits in (None, (0.0, 2.0)):
        panel, bar = heat_maps([HeatMap("t", table)], "τ", limits).axes
        texts[limits] = [text.get_text() for text in panel.texts]
        assert bar.get_ylabel() == "τ" and panel.images[0].get_clim() == (limits or (-0.3, 1.0))
    assert list(texts.values()) == [["1.00", "−0.25", "–", "0.02"], ["1.00", "−0.250", "–", "0.0241"]]
    assert [three_digits(value) for value in (0.0, 1.25, 0.5)] == ["0.00", "1.25", "0.500"]


def test_numbers_of_a_heat_map_are_read_on_every_colour() -> None:
    for colour in matplotlib.colormaps["Blues"](np.linspace(0, 1, 200))[:, :3]:
        linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
        lights = sorted((linear @ [0.2126, 0.7152, 0.0722], float(ink_on(colour) == "white")))
        assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
    assert (ink_on((1, 1, 1)), ink_on((0, 0, 0))) == ("black", "white")


def test_of_a_symmetric_map_one_half_is_drawn() -> None:
    table = pd.DataFrame([[1.0, 0.5], [0.5, 1.0]], index=["a", "b"], columns=["a", "b"])
    panel, _ = heat_maps([HeatMap("t", table)], "τ").axes
    assert [text.get_text() for text in panel.texts] == ["1.00", "0.50", "1.00"]
    assert np.isnan(panel.images[0].get_array().filled(np.nan)[0, 1])


def test_the_regression_line_and_coefficient_are_those_of_the_points() -> None:
    x, y = np.array([0.1, 0.2, 0.4]), np.array([0.3, 0.2, 0.25])
    axes = scatter_plots([Scatter("t", "x", "y", x, y)]).axes[0]
    (line,) = (found for found in axes.lines if str(found.get_label()).startswith("regression"))
    slope, intercept = np.polyfit(x, y, 1)
    at, drawn = line.get_data()
    assert drawn == pytest.approx(intercept + slope * np.asarray(at))
    assert line.get_label() == f"regression, r = −{abs(np.corrcoef(x, y)[0, 1]):.3f}"


def test_curves_are_drawn_as_given() -> None:
    panels = {"one": {"perfect": (X, 1 - X)}, "two": {"perfect": (X, X), "a": (X, X)}}
    figure = recall_precision(panels, dict.fromkeys(panels, ("recall", "precision")))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["perfect", "a"]
    first, second = (axes.lines[0] for axes in figure.axes)
    assert first.get_color() == second.get_color() != figure.axes[1].lines[1].get_color()
    assert np.array_equal(first.get_xdata(), X) and np.array_equal(first.get_ydata(), 1 - X)
    axes = bundles([[Bundle("t", "x", "y", X, np.stack([1 - X, 1 - X**2]), {"best": 1}, (0, 1))]]).axes[0]
    assert np.array_equal(axes.lines[1].get_ydata(), 1 - X**2) and axes.lines[1].get_label() == "best"
