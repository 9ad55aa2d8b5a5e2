import re

import numpy as np
import pandas as pd
import pytest
from matplotlib import image

from focuseval.report.figures import (
    STYLE,
    Bundle,
    HeatMap,
    Scatter,
    bundles,
    drawn_by_topic,
    drawn_intervals,
    drawn_matrix,
    graded_curves,
    heat_maps,
    recall_precision,
    save_figure,
    scatter_plots,
)
from focuseval.report.items import Figure

X = np.linspace(0.01, 1, 100)


def graphs():
    return recall_precision(
        {"one": {"perfect": (X, 1 - X), "ancestors": (X, 1 - X / 2)}, "two": {"a": (X, X)}}
    )


def scatters():
    return scatter_plots([Scatter("t", "x", "y", np.array([0.1, 0.2, 0.4]), np.array([0.2, 0.1, 0.3]))])


def bundle():
    lines = np.stack([1 - X, 1 - X**2])
    return bundles([[Bundle("t", "x", "y", X, lines, {"best": 1}, (0, 1))]])


def heat():
    table = pd.DataFrame([[1.0, -0.25], [np.nan, 1.0]], index=["a", "b"], columns=["a", "b"])
    return heat_maps([HeatMap("t", table)], "τ")


def test_a_heat_map_has_every_number_and_a_scale() -> None:
    panel, bar = heat().axes
    assert [text.get_text() for text in panel.texts] == ["1.00", "−0.25", "–", "1.00"]
    assert bar.get_ylabel() == "τ"


def test_a_bundle_marks_lines() -> None:
    [axes] = bundle().axes
    assert len(axes.lines) == 3
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["best"]


@pytest.mark.parametrize("draw", [graphs, scatters, bundle, heat])
@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_the_same_figure_is_the_same_bytes(tmp_path, draw, suffix: str) -> None:
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    save_figure(draw(), first)
    save_figure(draw(), second)
    assert first.read_bytes() == second.read_bytes()


def compared(names: list[str], mean: np.ndarray, significant: np.ndarray) -> dict[str, pd.DataFrame]:
    """A comparison as `focuseval.statistics.comparisons.frames` has it."""
    ranks = [str(i + 1) for i in range(len(names))]
    matrix = pd.DataFrame(np.where(significant, "*", "-"), columns=ranks)
    systems = pd.DataFrame(
        {"label": ranks, "run": names, "mean": mean, "low": mean - 0.1, "high": mean + 0.2}
    )
    return {
        "matrix": matrix.assign(rank=ranks, run=names),
        "systems": systems.assign(level=0.95),
        "counts": pd.DataFrame({"topics": [9]}),
    }


def test_the_matrix_marks_significant_pairs_and_only_the_triangle() -> None:
    significant = np.zeros((3, 3), dtype=bool)
    significant[0, 1:] = True
    analysis = compared(["b", "c", "a"], np.zeros(3), significant)
    axes = drawn_matrix(Figure("matrix", "title", ""), analysis, None).axes[0]
    marked, others = (found.get_offsets().tolist() for found in axes.collections)
    assert marked == [[1, 0], [2, 0]]  # column, row
    assert others == [[2, 1]]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3"]
    rows = [label.get_text().split() for label in axes.get_yticklabels()]
    assert rows == [["b", "1"], ["c", "2"], ["a", "3"]]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the best on top


def test_intervals_reach_from_low_to_high() -> None:
    analysis = compared(["2", "1"], np.array([0.3, 0.25]), np.zeros((2, 2), dtype=bool))
    axes = drawn_intervals(Figure("intervals", "MAgP: means", ""), analysis, None).axes[0]
    rows = [label.get_text().split() for label in axes.get_yticklabels()]
    assert rows == [["2", "1"], ["1", "2"]] and [text.get_text() for text in axes.texts] == ["run  rank"]
    lines, points = axes.collections
    ends = [segment[:, 0].tolist() for segment in lines.get_segments()]
    assert np.allclose(ends, [[0.2, 0.5], [0.15, 0.45]])
    assert points.get_offsets().tolist() == [[0.3, 0], [0.25, 1]]
    assert axes.get_xlabel() == "MAgP, mean over 9 topics, 95 % interval"


def topics_of(values: np.ndarray, topics: list[str], runs: list[str]) -> dict[str, pd.DataFrame]:
    index = pd.MultiIndex.from_product([topics, runs], names=["topic", "run"])
    return {"topics": pd.DataFrame({"value": values.ravel()}, index).reset_index()}


LONG = "hybrid-reranked-with-parents"
MEASURE = "nxCG(quantisation=gen,overlap=off,fetch_browse=element)@1500"


def of_systems(kind: str, count: int, name: str = LONG, measure: str = MEASURE):
    """A figure of a number of systems with long names, under a measure with a long name."""
    names = [f"{name}-{i}" for i in range(count)]
    table = pd.DataFrame(np.eye(count), names, names)
    values = np.linspace(0.1, 0.9, count)
    curves = {name: (X, 1 - X * value) for name, value in zip(names[:7], values, strict=False)}
    lines = np.stack([1 - X * value for value in values])
    marked = {name: i for i, name in enumerate(names[:4])}
    comparison = compared(names, values, table.to_numpy() > 2)
    return {
        "matrix": lambda: drawn_matrix(Figure("matrix", measure, ""), comparison, None),
        "intervals": lambda: drawn_intervals(Figure("intervals", f"{measure}: means", ""), comparison, None),
        "heat maps": lambda: heat_maps([HeatMap(measure, table)] * 2, "τ"),
        "scatter plots": lambda: scatter_plots([Scatter(measure, measure, measure, values, values[::-1])]),
        "graphs": lambda: recall_precision({measure: curves}),
        "graded": lambda: graded_curves({measure: curves}, {measure: (measure, measure)}, "m"),
        "bundles": lambda: bundles([[Bundle(measure, measure, measure, X, lines, marked, (0, 1))]]),
        "by topic": lambda: drawn_by_topic(
            Figure("topics", f"{measure}: topic by topic", ""),
            topics_of(np.tile(values, (3, 1)), ["_$\\frac{$", "$2$", "3"], names),
            None,
        ),
    }[kind]()


FIGURES = (
    "matrix",
    "intervals",
    "heat maps",
    "scatter plots",
    "graphs",
    "graded",
    "bundles",
    "by topic",
)


@pytest.mark.parametrize("count", [2, 4, 20])
@pytest.mark.parametrize("kind", FIGURES)
def test_no_text_is_cut(tmp_path, kind: str, count: int) -> None:
    figure = of_systems(kind, count)
    save_figure(figure, tmp_path / "f.png")
    pixels = image.imread(tmp_path / "f.png")
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 1).all()  # white all around
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox()  # in inches: titles, labels, legends and all else
    height, width = (size / STYLE["savefig.dpi"] for size in pixels.shape[:2])
    assert drawn.width < width
    assert drawn.height < height


@pytest.mark.parametrize("kind", FIGURES)
def test_names_are_drawn_as_they_are(tmp_path, kind: str) -> None:
    """With dollars, of which a formula could not be made, and with an underscore in front, as in no legend."""
    figure = of_systems(kind, 3, "_low$\\frac{$high", "$m_1^$")
    save_figure(figure, tmp_path / "f.svg")
    legends = [*figure.legends, *(legend for axes in figure.axes if (legend := axes.get_legend()))]
    if kind in ("graphs", "bundles", "by topic"):
        entries = [text.get_text().strip() for legend in legends for text in legend.get_texts()]
        assert entries == [f"_low$\\frac{{$high-{i}" for i in range(3)]


def test_files_carry_no_date_and_no_program(tmp_path) -> None:
    save_figure(graphs(), tmp_path / "f.svg")
    save_figure(graphs(), tmp_path / "f.png")
    assert "<dc:date>" not in (tmp_path / "f.svg").read_text(encoding="utf-8")
    assert b"Software" not in (tmp_path / "f.png").read_bytes()


def test_every_panel_has_labelled_axes_and_a_legend() -> None:
    for figure in (graphs(), scatters()):
        for axes in figure.axes:
            assert axes.get_xlabel() and axes.get_ylabel() and axes.get_title()
            assert axes.get_legend() is not None


def test_the_regression_line_and_coefficient_are_those_of_the_points() -> None:
    axes = scatters().axes[0]
    line = next(found for found in axes.lines if found.get_label().startswith("regression"))
    x, y = line.get_data()
    slope, intercept = np.polyfit([0.1, 0.2, 0.4], [0.2, 0.1, 0.3], 1)
    assert y == pytest.approx(intercept + slope * np.asarray(x))
    written = float(re.search(r"r = (\S+)", line.get_label())[1])
    assert written == pytest.approx(np.corrcoef([0.1, 0.2, 0.4], [0.2, 0.1, 0.3])[0, 1], abs=5e-4)


def test_curves_are_drawn_as_given() -> None:
    first = graphs().axes[0].lines[0]
    assert np.array_equal(first.get_xdata(), X) and np.array_equal(first.get_ydata(), 1 - X)


def test_a_picture_is_not_empty(tmp_path) -> None:
    save_figure(scatters(), tmp_path / "f.png")
    pixels = image.imread(tmp_path / "f.png")
    assert pixels.shape[0] > 400 and pixels.shape[1] > 400
    assert len(np.unique(pixels.reshape(-1, pixels.shape[-1]), axis=0)) > 20
