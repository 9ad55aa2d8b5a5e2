"""The graph of the workflow's rules as a picture, from left to right: docs/workflow.svg.

    snakemake --rulegraph | python docs/rulegraph.py

A box is a rule and an arrow an artefact that one rule makes and another reads; arrows that follow from others are left
out.
"""

import re
import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from focuseval.report.figures import STYLE, save_figure

#: rules that only name what is asked for
TARGETS = {"all", "report"}

Edges = dict[str, set[str]]


def read_graph(text: str) -> Edges:
    """Read the rules of a graph in the language of Graphviz, and which rules each is followed by."""
    label = dict(re.findall(r'(\d+)\[label = "(\w+)"', text))
    edges: Edges = {name: set() for name in sorted(label.values()) if name not in TARGETS}
    for before, after in re.findall(r"(\d+) -> (\d+)", text):
        if label[before] in edges and label[after] in edges:
            edges[label[before]].add(label[after])
    return edges


def followers(edges: Edges, name: str) -> set[str]:
    """Return all rules that depend on a rule, directly or not."""
    return edges[name].union(*(followers(edges, after) for after in edges[name]))


def reduced(edges: Edges) -> Edges:
    """Leave out the arrows that follow from others."""
    return {
        name: {one for one in after if not any(one in followers(edges, other) for other in after - {one})}
        for name, after in edges.items()
    }


def columns_of(edges: Edges) -> list[list[str]]:
    """Put rules into columns, each right before what first reads it, and those of a column near what they need."""
    behind: dict[str, int] = {}
    while len(behind) < len(edges):
        for name, after in edges.items():
            if name not in behind and after <= behind.keys():
                behind[name] = 1 + max((behind[other] for other in after), default=-1)
    found: list[list[str]] = []
    place: dict[str, float] = {}
    for number in range(max(behind.values()), -1, -1):
        names = [name for name in edges if behind[name] == number]
        near = {name: [place[other] for other in place if name in edges[other]] for name in names}
        names.sort(key=lambda name: (sum(near[name]) / max(len(near[name]), 1), name))
        place |= {name: row - (len(names) - 1) / 2 for row, name in enumerate(names)}
        found.append(names)
    return found


@matplotlib.rc_context(STYLE)
def draw(edges: Edges) -> Figure:
    """Draw the rules."""
    edges = reduced(edges)
    columns = columns_of(edges)
    rows = max(map(len, columns))
    figure = Figure(figsize=(1.4 * len(columns), 0.7 * rows + 0.3), layout="constrained")
    ax = figure.subplots()
    ax.set(xlim=(-0.55, len(columns) - 0.45), ylim=(rows / 2 + 0.1, -rows / 2 - 0.1))
    ax.set_axis_off()
    places = {
        name: (x, y - (len(names) - 1) / 2) for x, names in enumerate(columns) for y, name in enumerate(names)
    }
    for name, after in edges.items():
        for other in sorted(after):
            (x, y), (to_x, to_y) = places[name], places[other]
            curve = {"arrowstyle": "-|>", "color": "#888888", "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
            bend = "arc3,rad=" + ("0" if to_x - x == 1 else f"{0.12 if to_y >= y else -0.12}")
            ax.annotate(
                "",
                (to_x - 0.43, to_y),
                (x + 0.43, y),
                arrowprops={**curve, "connectionstyle": bend},
                zorder=1,
            )
    for name, (x, y) in places.items():
        look = {"boxstyle": "round,pad=0,rounding_size=0.08", "fc": "#EAF2F8", "ec": "#0072B2", "lw": 1.0}
        ax.add_patch(FancyBboxPatch((x - 0.43, y - 0.36), 0.86, 0.72, zorder=2, **look))
        ax.text(x, y, name.replace("_", "\n"), ha="center", va="center", fontsize=8.5, zorder=3)
    return figure


if __name__ == "__main__":
    save_figure(draw(read_graph(sys.stdin.read())), Path(__file__).with_name("workflow.svg"))
