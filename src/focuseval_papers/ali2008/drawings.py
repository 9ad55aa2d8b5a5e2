"""The paper's figures: document trees, structural summaries, and the fidelity of SRP by topic."""

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from focuseval.report.figures import COLOURS, INK, LINE, SOFT, STYLE, logarithmic
from focuseval.report.parts import Analysis, Drawn
from focuseval.report.parts import Figure as Declared
from focuseval_papers.ali2008.examples import JOINED, LEFT, RIGHT, SINGLETONS, by_node, figure_1
from focuseval_papers.ali2008.summaries import tree
from focuseval_papers.publication.claims import rows_of
from focuseval_papers.publication.paper import Context

_BARE = {**STYLE, "axes.grid": False}


def tree_layout(node: pd.Series, parent: pd.Series, root: int) -> dict[int, tuple[float, float]]:
    """Return the horizontal position and the depth of each node in a drawing of a tree.

    ``parent`` lists the parent of each node in ``node``. The parent of a root is ``root``.
    """
    children = node.groupby(parent).agg(list).to_dict()
    places: dict[int, tuple[float, float]] = {}
    leaves = 0

    def place(at: int, depth: int) -> float:
        nonlocal leaves
        below = [place(child, depth + 1) for child in children.get(at, [])]
        if not below:
            leaves += 1
        across = (below[0] + below[-1]) / 2 if below else float(leaves)
        places[at] = (across, float(depth))
        return across

    for first in children[root]:
        place(first, 0)
    return places


def _note(ax: Axes, text: str, at: tuple[float, float], offset: tuple[float, float], **look: Any) -> None:
    """Draw a text on a white box, next to a point.

    ``look`` styles the text, and its item ``pad`` styles the box.
    """
    box = {"facecolor": "white", "edgecolor": "none", **look.pop("pad")}
    ax.annotate(text, at, xytext=offset, textcoords="offset points", bbox=box, **look)


def _draw_nodes(
    ax: Axes, table: pd.DataFrame, results: Sequence[Sequence[int]], text: Callable[[Any], str] | None
) -> None:
    """Draw the document tree in ``table``, with the nodes and edges of ``results`` in blue.

    ``text`` returns the text below a node; without it, nodes have no text.
    """
    places = {node: (x, -y) for node, (x, y) in tree_layout(table["node"], table["parent"], 0).items()}
    returned = {node for nodes in results for node in nodes}
    for row in table.itertuples():
        x, y = places[row.node]
        blue = row.node in returned
        if row.parent:
            x0, y0 = places[row.parent]
            joined = any({row.node, row.parent} <= set(nodes) for nodes in results)
            ax.plot([x0, x], [y0, y], color=COLOURS[0] if joined else "#C9D3E3", linewidth=1.6, zorder=1)
        colour = COLOURS[0] if blue else "white" if text else "#EEF1F6"
        ax.scatter(x, y, s=190, color=colour, edgecolors=COLOURS[0] if blue else LINE, zorder=2)
        if blue or text:
            ink = "white" if blue else INK
            ax.annotate(str(row.node), (x, y), ha="center", va="center", fontsize=7.5, color=ink, zorder=3)
        if text:
            look = {"ha": "center", "va": "top", "fontsize": 7.5, "color": SOFT, "zorder": 2}
            _note(ax, text(row), (x, y), (0, -11), pad={"pad": 0.4}, **look)
    ax.set_xlim(0.4, max(x for x, _ in places.values()) + 0.6)
    ax.set_ylim(min(y for _, y in places.values()) - 0.55, 0.4)
    ax.set_axis_off()


def figure2(_: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figure 2: the tree of the example document, with the nodes that match the query in blue."""
    table = analysis["figure2"]
    with matplotlib.rc_context(_BARE):
        figure = Figure(figsize=(10.5, 4.4), layout="constrained")
        shaded = [[node] for node in table.loc[table["shaded"], "node"]]
        _draw_nodes(figure.subplots(), table, shaded, lambda row: f"{row.tag}\n[{row.length}]")
    return figure


def figure3(_: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figures 3 and 4: the tree of Figure 2, with results in blue."""
    panels = (
        ("Figure 3 (a): three results, nodes 4, 15 and 16", SINGLETONS),
        ("Figure 3 (b): one result, the tree that joins them", (JOINED,)),
        ("Figure 4: t_l", (LEFT,)),
        ("Figure 4: t_r", (RIGHT,)),
    )
    with matplotlib.rc_context(_BARE):
        figure = Figure(figsize=(10.5, 5.6), layout="constrained")
        for ax, (title, results) in zip(figure.subplots(2, 2).flat, panels, strict=True):
            _draw_nodes(ax, analysis["figure2"], results, None)
            ax.set_title(title, loc="left", fontsize=9.5)
    return figure


def _places(drawn: pd.DataFrame) -> dict[int, tuple[float, float]]:
    """Return the position of each partition of a summary in a drawing that has its root on the left."""
    return {part: (x, y) for part, (y, x) in tree_layout(drawn["partition"], drawn["upper"], -1).items()}


def _draw_summary(ax: Axes, drawn: pd.DataFrame) -> None:
    """Draw the partitions of a structural summary as a tree."""
    places = _places(drawn)
    most = float(drawn["pi"].max())
    for row in drawn.to_dict("records"):
        x, y = places[row["partition"]]
        if row["upper"] >= 0:
            x0, y0 = places[row["upper"]]
            line: dict[str, Any] = {"color": "#C9D3E3", "linewidth": 0.6 + 4.4 * row["share"], "zorder": 1}
            ax.plot([x0, x0 + 0.42, x], [y0, y, y], solid_joinstyle="round", **line)
        ax.scatter(x, y, s=12 + 220 * row["pi"] / most, color=COLOURS[0], linewidths=0, zorder=2)
        leaf = not (drawn["upper"] == row["partition"]).any()
        tag = row.get("label") or row["path"].rpartition("/")[2]
        share = f"{row['pi']:.3f}" + (f"  +{row['hidden']}" if row["hidden"] else "")
        texts = [(tag, (0, 9), "center", "bottom"), (share, (0, -9), "center", "top")]
        if leaf:
            texts = [(f"{tag}  {share}", (10, 0), "left", "center")]
        for text, offset, across, along in texts:
            look = {"ha": across, "va": along, "fontsize": 8, "color": INK, "zorder": 3}
            _note(ax, text, (x, y), offset, pad={"pad": 0.6, "alpha": 0.85}, **look)
    depth = max(x for x, _ in places.values())
    ax.set_xlim(-0.07 * depth, 1.16 * depth)
    ax.set_ylim(max(y for _, y in places.values()) + 0.7, min(y for _, y in places.values()) - 1.0)
    ax.set_axis_off()


def summary_graph(panels: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    """Draw structural summaries as trees of partitions, one panel below the other.

    Each panel has a title and a result of `focuseval_papers.ali2008.summaries.tree`. Larger circles have a higher pi,
    and wider lines have a larger weight.
    """
    rows = [max(y for _, y in _places(drawn).values()) for _, drawn in panels]
    with matplotlib.rc_context(_BARE):
        figure = Figure(figsize=(11.4, 0.48 * sum(rows) + 0.9 * len(panels)), layout="constrained")
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=[n + 1.5 for n in rows])[:, 0]
        for ax, (title, table) in zip(axes, panels, strict=True):
            _draw_summary(ax, table)
            ax.set_title(title, loc="left")
    return figure


def figure5(_: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figure 5: the structural summaries p*, weighted by extent, and p*|c, weighted by length."""
    panels = []
    for title, name, expression, weight in (
        ("p*, weighted by extent (Table 1)", "p*", "p*", "extent"),
        (
            "p*|c, weighted by length (Table 2, with the lengths of Figure 1)",
            *("p*|c", "pc*", "length"),  # the paper names this summary p*|c, but draws pc*
        ),
    ):
        summary, pi = by_node(figure_1(), expression, weight)[:2]
        of_node = {
            int(node): f"{row.sid} {row.path.rpartition('/')[2]} {{{row.extent.replace(' ', ', ')}}}"
            for row in rows_of(analysis["figure5"], summary=name).itertuples()
            for node in row.extent.split()
        }
        drawn = tree(summary, pi, weight)
        first = [int(np.flatnonzero(summary.partition == part)[0]) + 1 for part in drawn["partition"]]
        panels.append((title, drawn.assign(label=[of_node[node] for node in first])))
    return summary_graph(panels)


def graph(_: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw the structural summary p* of a campaign's documents."""
    edges, weight = context.settings.edges, context.settings.weight
    partitions = rows_of(analysis["summaries"], summary="incoming", edges=edges, weight=weight)
    title = f"p*, {edges} edges weighted by {weight}: {partitions['partitions'].item():,} partitions"
    return summary_graph([(title, analysis["graph"])])


def figure6(_: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figure 6 for each task: the p-value of each topic, and its share of lists in the expected order.

    Topics are sorted by value. A p-value is drawn as 1 if the correlation is not positive.
    """
    tasks = rows_of(analysis["fidelity"], level="topic").groupby("task", sort=False)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 3.5 * tasks.ngroups), layout=ConstrainedLayoutEngine(hspace=0.08))
        axes = figure.subplots(tasks.ngroups, 2, squeeze=False)
        for (left, right), (task, of_task) in zip(axes, tasks, strict=True):
            for i, (cutoff, part) in enumerate(of_task.groupby("cutoff")):
                place = np.arange(1, len(part) + 1)
                p = part["p_value"].where(part["coefficient"] > 0, 1.0).clip(lower=1e-100)
                # later lines are thinner, so that coinciding lines remain visible
                thin = max(1.0, 3.0 - 0.7 * i)
                style: dict[str, Any] = {"color": COLOURS[i % len(COLOURS)], "label": f"k = {cutoff}"}
                style |= {"marker": "o", "markersize": 1 + 1.5 * thin, "linewidth": thin, "clip_on": False}
                left.plot(place, np.sort(p), **style)
                right.plot(place, 100 * np.sort(part["as_expected"])[::-1], **style)
            left.axhline(0.05, color=SOFT, linewidth=1, linestyle="--", label="p = 0.05")
            logarithmic(left)
            left.set(title=f"{task}: p-value by topic", ylabel="p-value")
            left.set_ylim(top=1)
            right.set(title=f"{task}: lists in the expected order", ylabel="% of the runs", ylim=(0, 102))
            for ax in (left, right):
                ax.set_xlabel("topics, sorted")
                ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            right.legend(*left.get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(1.02, 1))
    return figure


DRAWN: Drawn = {draw.__name__: draw for draw in (figure6, graph, figure2, figure3, figure5)}
