"""Figures 2 to 4: the tree of the document of Figure 1, and results in it."""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from focuseval.report.figures import COLOURS, INK, LINE, SOFT, STYLE
from focuseval_papers.ali2008.examples import JOINED, LEFT, RIGHT, SINGLETONS
from focuseval_papers.ali2008.summary_graphs import laid_out


def _draw_nodes(
    ax: Axes, tree: pd.DataFrame, results: Sequence[Sequence[int]], text: Callable[[Any], str] | None
) -> None:
    """A tree on axes with the nodes of results in blue, and a text below each node."""
    places = {node: (x, -y) for node, (x, y) in laid_out(tree["node"], tree["parent"], 0).items()}
    returned = {node for nodes in results for node in nodes}
    for row in tree.itertuples():
        x, y = places[row.node]
        chosen = row.node in returned
        if row.parent:
            x0, y0 = places[row.parent]
            joined = any({row.node, row.parent} <= set(nodes) for nodes in results)
            ax.plot([x0, x], [y0, y], color=COLOURS[0] if joined else "#C9D3E3", linewidth=1.6, zorder=1)
        colour = COLOURS[0] if chosen else "white" if text else "#EEF1F6"
        ax.scatter(x, y, s=190, color=colour, edgecolors=COLOURS[0] if chosen else LINE, zorder=2)
        if chosen or text:
            ink = "white" if chosen else INK
            ax.annotate(str(row.node), (x, y), ha="center", va="center", fontsize=7.5, color=ink, zorder=3)
        if text:
            ax.annotate(
                text(row),
                (x, y),
                xytext=(0, -11),
                textcoords="offset points",
                ha="center",
                va="top",
                fontsize=7.5,
                color=SOFT,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
                zorder=2,
            )
    ax.set_xlim(0.4, max(x for x, _ in places.values()) + 0.6)
    ax.set_ylim(min(y for _, y in places.values()) - 0.55, 0.4)
    ax.set_axis_off()


def figure2(tree: pd.DataFrame) -> Figure:
    """Figure 2: the tree (`focuseval_papers.ali2008.examples.figure_2`), matching nodes in blue."""
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(10.5, 4.4), layout="constrained")
        shaded = [[node] for node in tree.loc[tree["shaded"], "node"]]
        _draw_nodes(figure.subplots(), tree, shaded, lambda row: f"{row.tag}\n[{row.length}]")
    return figure


def figure3(tree: pd.DataFrame) -> Figure:
    """Figures 3 and 4: results that are nodes or trees, in the tree of Figure 2."""
    panels = (
        ("Figure 3 (a): three results, nodes 4, 15 and 16", SINGLETONS),
        ("Figure 3 (b): one result, the tree that joins them", (JOINED,)),
        ("Figure 4: t_l", (LEFT,)),
        ("Figure 4: t_r", (RIGHT,)),
    )
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(10.5, 5.6), layout="constrained")
        for ax, (title, results) in zip(figure.subplots(2, 2).flat, panels, strict=True):
            _draw_nodes(ax, tree, results, None)
            ax.set_title(title, loc="left", fontsize=9.5)
    return figure
