"""Figures show the numbers, cut no text, and have equal bytes if they are equal."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import image, rc_context
from matplotlib.figure import Figure as Drawing
from matplotlib.font_manager import get_font_names

from focuseval.report.figures import (
    MORE_LETTERS,
    STYLE,
    drawn_by_topic,
    drawn_matrix,
    save_figure,
)
from focuseval.report.parts import Figure
from focuseval_papers.kazai2005 import drawings as kazai
from focuseval_papers.publication import kinds
from focuseval_papers.publication.declaration import Curves, Scatter
from focuseval_papers.report.figures import HeatMapPanel, heat_maps
from tests.figure_text import figure_text
from tests.snapshots import check

X = np.linspace(0.01, 1, 100)
LONG = "hybrid-reranked-with-parents"
MEASURE = "nxCG(quantisation=gen,overlap=off,fetch_browse=element)@1500"


def compared(names, significant):
    """Return a comparison in the form of `focuseval.statistics.comparisons.frames`."""
    ranks = [str(i + 1) for i in range(len(names))]
    matrix = pd.DataFrame(np.where(significant, "*", "-"), columns=ranks)
    return {"matrix": matrix.assign(rank=ranks, run=names)}


def figures_of(count, name=LONG, measure=MEASURE):
    """Return the figures of a number of systems, by default with long names of systems and measure."""
    names = [f"{name}-{i}" for i in range(count)]
    table = pd.DataFrame(np.eye(count), names, names)
    values = np.linspace(0.1, 0.9, count)
    lines = pd.concat(
        pd.DataFrame({"line": name, "x": X, "y": 1 - X * value})
        for name, value in zip(names, values, strict=True)
    )
    lines = lines.assign(panel=measure, low=lines["y"] - 0.1, high=lines["y"] + 0.1)
    points = pd.DataFrame({"panel": measure, "x": values, "y": values[::-1]})
    labels = {"x": "x", "y": "y", "x_label": measure, "y_label": measure}
    first = {"frame": lines[lines["line"].isin(names[:7])]}
    setting = {"task": "t", **dict.fromkeys(kazai.SETTING, "-")}
    of_runs = lines.rename(columns={"line": "run", "y": "value"}).assign(figure="f", graph="nxCG", **setting)
    of_runs = pd.concat([of_runs.assign(row=1), of_runs.assign(row=1, panel="other"), of_runs.assign(row=2)])
    means = pd.DataFrame({"run": names, "measure": "MAep", "value": values[::-1], **setting})
    index = pd.MultiIndex.from_product([["_$\\frac{$", "$2$", "3"], names], names=["topic", "run"])
    analysis = compared(names, table.to_numpy() > 2)
    analysis["topics"] = pd.DataFrame({"value": np.tile(values, 3)}, index).reset_index()
    return {
        "matrix": lambda: drawn_matrix(Figure("matrix", measure, ""), analysis, None),
        "by topic": lambda: drawn_by_topic(
            Figure("topics", f"{measure}: topic by topic", ""), analysis, None
        ),
        "heat maps": lambda: heat_maps([HeatMapPanel(measure, table)] * 2, "τ"),
        "scatter plots": lambda: kinds.scatter(Scatter(**labels), {"frame": points}, "frame", {}),
        "graphs": lambda: kinds.curves(Curves(**labels), first, "frame", {}),
        "graded": lambda: kinds.curves(
            Curves(low="low", high="high", shaded="m", **labels), first, "frame", {}
        ),
        "graphs of runs": lambda: kazai.graphs(
            Figure("f", "", ""), {"graphs": of_runs, "means": means}, None
        ),
    }


KINDS = list(figures_of(1))


@pytest.mark.parametrize("count", [2, 20])
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_is_cut(tmp_path, kind, count):
    figure = figures_of(count)[kind]()
    save_figure(figure, tmp_path / "f.png")
    pixels = image.imread(tmp_path / "f.png")
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        assert (edge == 1).all()  # the edge is white
    assert (pixels < 1).any() and b"Software" not in (tmp_path / "f.png").read_bytes()
    figure.draw_without_rendering()
    drawn = figure.get_tightbbox()  # in inches, with titles, labels and legends
    height, width = (size / STYLE["savefig.dpi"] for size in pixels.shape[:2])
    assert drawn.width < width and drawn.height < height


@pytest.mark.parametrize("kind", KINDS)
def test_equal_figures_are_equal_bytes_without_a_date(tmp_path, kind):
    for suffix in (".svg", ".png"):
        first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
        for path in (first, second):
            save_figure(figures_of(3)[kind](), path)
        assert first.read_bytes() == second.read_bytes() and b"<dc:date>" not in first.read_bytes()


def test_special_characters_in_names():
    """Names with dollars are no formulas; a legend shows names that start with an underscore."""
    figures = figures_of(4, "_low$\\frac{$high", "$m_1^$")
    texts = [f"--- {kind}\n{figure_text(make())}" for kind, make in figures.items()]
    check("".join(texts), Path(__file__).with_name("snapshots") / "figures.txt")


def test_names_of_chinese_japanese_and_korean_letters_are_drawn(tmp_path, recwarn):
    if not {*MORE_LETTERS} & {*get_font_names()}:
        pytest.skip("no font with these letters is installed")
    for name, title in (("figure", "検索システム 검색 系统 abc"), ("plain", "abc")):
        with rc_context(STYLE):
            drawn = Drawing()
            drawn.suptitle(title)
        for form in ("svg", "png"):
            save_figure(drawn, tmp_path / f"{name}.{form}")
    # other figures name only the font that every installation has
    assert "font-family: 'DejaVu Sans';" in (tmp_path / "plain.svg").read_text(encoding="utf-8")
    assert not [each for each in recwarn if "missing from font" in str(each.message)]
    assert "検索システム 검색 系统 abc" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
