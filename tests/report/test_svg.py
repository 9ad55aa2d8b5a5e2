"""Figures in a page: the same drawing in fewer bytes, with text that can be searched and read out."""

import re

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from focuseval.report.figures import STYLE, save_figure
from focuseval.report.svg import inline
from tests.report.test_page import HOSTILE, Page


def drawn(folder, label, runs=3):
    """Return a figure with curves, marks, clipped lines and a legend."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(5, 4), layout="constrained")
        ax = figure.subplots()
        for run in range(runs):
            ax.plot(np.linspace(0, 1, 50), np.linspace(0, 1, 50) ** run, marker="o", label=f"{label} {run}")
        ax.scatter(np.arange(9) / 9, np.arange(9) / 9, alpha=0.5)
        ax.set_ylabel("precision")
        ax.legend()
    save_figure(figure, folder / "f.svg")
    return (folder / "f.svg").read_bytes()


def test_a_figure_in_a_page_has_its_texts_and_no_style(tmp_path):
    svg = drawn(tmp_path, HOSTILE)
    markup = inline(svg, "A figure")
    elements = Page(markup).elements
    assert elements[0][1] | {"role": "img", "aria-label": "A figure"} == elements[0][1]
    assert re.findall(r">(precision)</text>", markup) and markup.count("&lt;script&gt;") == 3
    assert not {"style", "script", "metadata"} & {tag for tag, _ in elements} and "style=" not in markup
    assert len(markup) < 0.7 * len(svg)
    assert not re.search(r"\d\.\d\d", " ".join(re.findall(r' (?:d|x|y|transform)="([^"]*)"', markup)))
    assert len(re.findall("<(?:path|use|text|rect)[ >]", markup)) == len(
        re.findall(rb"<(?:path|use|text|rect)[ >]", svg)
    )


def test_ids_inside_figures_are_unique_and_resolve(tmp_path):
    one, other = (inline(drawn(tmp_path, label, runs), label) for label, runs in (("a", 2), ("b", 3)))
    names = re.findall(r' id="([^"]*)"', one + other)
    assert len(names) == len(set(names)) > 4
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', one + other)) <= set(names)
