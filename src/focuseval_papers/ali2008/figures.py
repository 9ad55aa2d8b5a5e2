"""The paper's figures: summary graphs, ranks of systems, fidelity by topic and step by step."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from focuseval.model.arrays import Ints
from focuseval.report.figures import COLOURS, GUIDE, INK, LINE, SOFT, STYLE
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL
from focuseval_papers.ali2008.accuracy import REFERENCE, STRUCTURAL
from focuseval_papers.ali2008.book_trees import figure2, figure3
from focuseval_papers.ali2008.examples import by_node, figure_1, figure_5
from focuseval_papers.ali2008.fidelity import version
from focuseval_papers.ali2008.findings import HEADINGS
from focuseval_papers.ali2008.summary_graphs import laid_out, tree
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context

#: p-values below this are drawn there
_SMALLEST = 1e-100

#: what a p-value is held against
_LEVEL = 0.05


def _places(drawn: pd.DataFrame) -> dict[int, tuple[float, float]]:
    """Where each partition is drawn: depth to the right, leaves below each other."""
    return {part: (x, y) for part, (y, x) in laid_out(drawn["partition"], drawn["upper"], -1).items()}


def _tasks(table: pd.DataFrame) -> list[str]:
    """The tasks of a table, in the paper's order."""
    return [task for task in HEADINGS if task in set(table["task"])]


def _most_cutoffs(table: pd.DataFrame) -> int:
    """How many cut-offs the task with the most of them has."""
    return int(table.groupby("task")["cutoff"].nunique().max())


def _panels(axes: Any, table: pd.DataFrame) -> Iterator[tuple[Axes, str, int, pd.DataFrame]]:
    """Axes for each task (row) and cut-off (column), both, and their part of the table; axes without any are off."""
    for row, task in zip(axes, _tasks(table), strict=True):
        parts = list(table[table["task"] == task].groupby("cutoff"))
        for ax in row[len(parts) :]:
            ax.set_axis_off()
        for ax, (cutoff, part) in zip(row, parts, strict=False):
            yield ax, task, cutoff, part


def _draw_tree(ax: Axes, drawn: pd.DataFrame) -> None:
    """A summary graph on axes; see `summary_graph`."""
    places = _places(drawn)
    largest = float(drawn["pi"].max())
    for row in drawn.to_dict("records"):
        x, y = places[row["partition"]]
        if row["upper"] >= 0:
            x0, y0 = places[row["upper"]]
            ax.plot(
                [x0, x0 + 0.42, x],
                [y0, y, y],
                color="#C9D3E3",
                linewidth=0.6 + 4.4 * row["share"],
                zorder=1,
                solid_joinstyle="round",
            )
        ax.scatter(x, y, s=12 + 220 * row["pi"] / largest, color=COLOURS[0], linewidths=0, zorder=2)
        leaf = not (drawn["upper"] == row["partition"]).any()
        tag = row.get("label") or row["path"].rpartition("/")[2]
        share = f"{row['pi']:.3f}" + (f"  +{row['hidden']}" if row["hidden"] else "")
        if leaf:
            texts = [(f"{tag}  {share}", (10, 0), "left", "center")]
        else:
            texts = [(tag, (0, 9), "center", "bottom"), (share, (0, -9), "center", "top")]
        for text, offset, across, along in texts:
            ax.annotate(
                text,
                (x, y),
                xytext=offset,
                textcoords="offset points",
                ha=across,
                va=along,
                fontsize=8,
                color=INK,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85},
                zorder=3,
            )
    depth = max(x for x, _ in places.values())
    ax.set_xlim(-0.07 * depth, 1.16 * depth)
    ax.set_ylim(max(y for _, y in places.values()) + 0.7, min(y for _, y in places.values()) - 1.0)
    ax.set_axis_off()


def summary_graph(panels: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    """Summary graphs of label paths: trees of partitions, one panel below the other.

    A panel is a title and what `summary_graphs.tree` has of a summary. A circle's area is pi, a line's width the
    weight of its edge; ``+3`` counts partitions below one that are not drawn.
    """
    rows = [max(y for _, y in _places(drawn).values()) for _, drawn in panels]
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = Figure(figsize=(11.5, 0.48 * sum(rows) + 0.9 * len(panels)), layout="constrained")
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=[n + 1.5 for n in rows])[:, 0]
        for ax, (title, drawn) in zip(axes, panels, strict=True):
            _draw_tree(ax, drawn)
            ax.set_title(title, loc="left")
    return figure


def _with_extents(drawn: pd.DataFrame, partition: Ints, known: pd.DataFrame) -> pd.DataFrame:
    """What is drawn of a summary of the document of Figure 1, labelled by number, tag and extent."""
    of_node = {node: row for row in known.itertuples() for node in map(int, row.extent.split())}
    first = {int(part): of_node[int(np.flatnonzero(partition == part)[0]) + 1] for part in drawn["partition"]}
    labels = [
        f"{first[part].sid} {first[part].path.rpartition('/')[2]} {{{first[part].extent.replace(' ', ', ')}}}"
        for part in drawn["partition"]
    ]
    return drawn.assign(label=labels)


def figure5_panels() -> list[tuple[str, pd.DataFrame]]:
    """The two summaries of Figure 5 for pictures: title, and what is drawn.

    p* with extents, p*|c (as Figure 5 has it, ``pc*``) with lengths.
    """
    numbered = {name: part for name, part in figure_5().groupby("summary")}
    panels = []
    for title, expression, edges, weight, known in (
        ("p*, weighted by extent (Table 1)", "p*", "descendant", "extent", numbered["p*"]),
        (
            "p*|c, weighted by length (Table 2, with the lengths of Figure 1)",
            *("pc*", "child", "length", numbered["p*|c"]),
        ),
    ):
        summary, pi, _ = by_node(figure_1(), expression, edges, weight)
        panels.append((title, _with_extents(tree(summary, pi, weight), summary.partition, known)))
    return panels


def accuracy_figure(mean: pd.DataFrame, accuracies: pd.DataFrame) -> Figure:
    """The rank of every system under SRP and under nxCG: a panel per task and cut-off.

    ``mean`` and ``accuracies`` from `focuseval_papers.ali2008.paper`, by the paper's reading.
    """
    structural, reference = STRUCTURAL[0], REFERENCE[0]
    paper = rows_of(accuracies, structural=structural, reference=reference, part="overall")
    rows, columns = len(_tasks(paper)), _most_cutoffs(paper)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(2.75 * columns, 3.1 * rows), layout=ConstrainedLayoutEngine(hspace=0.1))
        axes = figure.subplots(rows, columns, squeeze=False)
        for ax, task, cutoff, part in _panels(axes, paper):
            at = rows_of(mean, task=task, cutoff=cutoff)
            ranks = at.pivot(index="run", columns="label", values="value").rank(ascending=False)
            ends = (0.0, len(ranks) + 1.0)
            ax.plot(ends, ends, **GUIDE)
            ax.scatter(ranks[structural], ranks[reference], s=14, color=COLOURS[0], alpha=0.8, linewidths=0)
            ax.set(xlim=ends, ylim=ends, xlabel="rank under SRP", ylabel="rank under nxCG")
            rho = part["coefficient"].item()
            ax.set_title(f"{HEADINGS[task]}, k = {cutoff}\nρ = {rho:.3f}", fontsize=9.5)
            ax.set_aspect("equal")
    return figure


def fidelity_figure(fidelities: pd.DataFrame) -> Figure:
    """Figure 6 for each task: p-value and share of lists in the expected order by topic, a line per cut-off.

    Topics are sorted by what is shown. A p-value is drawn as 1 where the correlation is not positive.
    """
    by_topic = fidelities[fidelities["level"] == "topic"]
    tasks = _tasks(by_topic)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 3.5 * len(tasks)), layout=ConstrainedLayoutEngine(hspace=0.08))
        axes = figure.subplots(len(tasks), 2, squeeze=False)
        for (left, right), task in zip(axes, tasks, strict=True):
            of_task = by_topic[by_topic["task"] == task]
            for i, (cutoff, part) in enumerate(of_task.groupby("cutoff")):
                place = np.arange(1, len(part) + 1)
                p = part["p_value"].where(part["coefficient"] > 0, 1.0).clip(lower=_SMALLEST)
                thin = max(1.0, 3.0 - 0.7 * i)  # lines that coincide are all seen
                style: dict[str, Any] = {
                    "color": COLOURS[i % len(COLOURS)],
                    "marker": "o",
                    "markersize": 1 + 1.5 * thin,
                    "linewidth": thin,
                    "label": f"k = {cutoff}",
                }
                left.plot(place, np.sort(p), **style)
                right.plot(place, 100 * np.sort(part["as_expected"])[::-1], **style)
            left.axhline(_LEVEL, color=SOFT, linewidth=1, linestyle="--")
            left.annotate(
                f"{_LEVEL:g}",
                (1, _LEVEL),
                xytext=(0, -3),
                textcoords="offset points",
                va="top",
                fontsize=8.5,
                color=SOFT,
            )
            left.set(yscale="log", title=f"{HEADINGS[task]}: p-value by topic", ylabel="p-value")
            left.set_ylim(top=10)
            right.set(
                title=f"{HEADINGS[task]}: lists in the expected order", ylabel="% of the runs", ylim=(0, 102)
            )
            for ax in (left, right):
                ax.set_xlabel("topics, sorted")
                ax.xaxis.set_major_locator(MaxNLocator(integer=True))
            left.legend(loc="best", ncols=2, fontsize=8.5)
    return figure


def steps_figure(steps: pd.DataFrame) -> Figure:
    """How often each step of the expected order holds: a panel per task and cut-off, three shares a step."""
    rows, columns = len(_tasks(steps)), _most_cutoffs(steps)
    names = [" ≥ ".join(map(version, pair)) for pair in pairwise(EXPECTED)]
    shares = (
        ("higher", COLOURS[0], "higher, as expected"),
        ("equal", "#D5DBE5", "equal"),
        ("lower", COLOURS[1], "lower"),
    )
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        size = (2.3 * columns + 1.0, 2.25 * rows + 0.5)
        figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(hspace=0.08))
        axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
        for ax, task, cutoff, part in _panels(axes, steps):
            begin = np.zeros(len(names))
            for share, colour, label in shares:
                width = 100 * part[share].to_numpy(float)
                ax.barh(names, width, left=begin, color=colour, height=0.72, label=label)
                begin += width
            ax.set(xlim=(0, 100), xticks=(0, 50, 100), title=f"{HEADINGS[task]}, k = {cutoff}")
            ax.title.set_fontsize(9)
            ax.tick_params(axis="y", length=0)
        axes[0, 0].invert_yaxis()
        for ax in axes[-1]:
            ax.set_xlabel("% of lists")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3)
    return figure


def in_part_figure(versions: pd.DataFrame, draws: pd.DataFrame) -> Figure:
    """Mean SRP of the versions in the expected order, perturbed in full and in part: a panel per task and cut-off.

    ``versions`` and ``draws`` from `focuseval_papers.ali2008.fidelity`; bars go from the lowest draw to the highest.
    """
    rows, columns = len(_tasks(draws)), _most_cutoffs(draws)
    order, places = list(EXPECTED), np.arange(len(EXPECTED))
    names = [version(name) for name in EXPECTED]
    with matplotlib.rc_context(STYLE):
        size = (2.6 * columns + 0.6, 2.6 * rows + 0.5)
        figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(hspace=0.08))
        axes = figure.subplots(rows, columns, squeeze=False)
        for ax, task, cutoff, part in _panels(axes, draws):
            wide = part.pivot(index="draw", columns="version", values="value")[order]
            full = rows_of(versions, task=task, cutoff=cutoff).set_index("version")["value"][order]
            mean = wide.mean()
            ax.axhline(full[ORIGINAL], color=LINE, linewidth=1, linestyle="--")
            ax.plot(places - 0.12, full, "s", color=COLOURS[0], markersize=5, label="in full")
            ax.errorbar(
                places + 0.12,
                mean,
                yerr=np.maximum([mean - wide.min(), wide.max() - mean], 0),  # a mean of equals is rounded
                fmt="o",
                color=COLOURS[1],
                markersize=5,
                capsize=3,
                label=f"in part, {len(wide)} draws",
            )
            title = f"{HEADINGS[task]}, k = {cutoff}"
            ax.set(title=title, xticks=places, xticklabels=names, ylabel="mean SRP")
            ax.title.set_fontsize(9)
            ax.set_ylim(bottom=0)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def _drawn_graph(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    edges, weight = context.settings.edges, context.settings.weight
    known = rows_of(analysis["summaries"], summary="incoming", edges=edges, weight=weight)
    title = f"p*, {edges} edges weighted by {weight}: {known['partitions'].item():,} partitions"
    return summary_graph([(title, analysis["graph"])])


DRAWN: Drawn = {
    "accuracy": lambda _, analysis, context: accuracy_figure(analysis["means"], analysis["accuracy"]),
    "figure6": lambda _, analysis, context: fidelity_figure(analysis["fidelity"]),
    "held": lambda _, analysis, context: steps_figure(analysis["steps"]),
    "in_part": lambda _, analysis, context: in_part_figure(analysis["versions"], analysis["draws_in_part"]),
    "graph": _drawn_graph,
    "figure2": lambda _, analysis, context: figure2(analysis["figure2"]),
    "figure3": lambda _, analysis, context: figure3(analysis["figure2"]),
    "figure5": lambda _, analysis, context: summary_graph(figure5_panels()),
}
