"""The paper's figures: topics and components as circles, and the tree of Figure 4."""

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from focuseval.report.figures import COLOURS, INK, STYLE
from focuseval.report.parts import Analysis, Drawn
from focuseval.report.parts import Figure as Declared
from focuseval_papers.goevert2006.examples import BEST, CONCEPTS, figure4_tree
from focuseval_papers.publication.paper import Context


def lens(distance: float, first: float, second: float) -> float:
    """Return the area that two circles share, given the distance of their centres and their radii."""
    if distance >= first + second:
        return 0.0
    if distance <= abs(first - second):
        return float(np.pi * min(first, second) ** 2)
    sectors = 0.0
    for one, other in ((first, second), (second, first)):
        angle = np.arccos((distance**2 + one**2 - other**2) / (2 * distance * one))
        sectors += one**2 * (angle - np.sin(2 * angle) / 2)
    return float(sectors)


def centre_distance(first: float, second: float, shared: float) -> float:
    """Return the distance of two circles' centres at which the circles share the area ``shared``, from their radii."""
    low, high = abs(first - second), first + second
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if lens(middle, first, second) > shared else (low, middle)
    return low


def _circles(ax: Axes, exh: float, spec: float) -> None:
    """Draw a topic (dashed, with an area of 1) and a component as circles that overlap by the area ``exh``."""
    topic, component = np.sqrt(1 / np.pi), np.sqrt((exh / spec if spec else 1.0) / np.pi)
    distance = centre_distance(topic, component, exh) if spec else topic + component + 0.1
    left, right = -topic, distance + component
    middle = (min(left, distance - component) + max(right, topic)) / 2
    ax.add_patch(Circle((distance - middle, 0), component, facecolor=COLOURS[0], alpha=0.35, edgecolor=INK))
    ax.add_patch(Circle((-middle, 0), topic, fill=False, edgecolor=INK, linestyle="--", linewidth=1.5))
    ax.set(xlim=(-1.35, 1.35), ylim=(-1.1, 1.1), aspect="equal")
    ax.axis("off")


def venn(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw Figure 1 or 2: a topic and a component as circles, for combinations of exhaustiveness and specificity."""
    with matplotlib.rc_context(STYLE):
        if figure.name == "figure1":
            drawing = Figure(figsize=(4.6, 3.2), layout="constrained")
            ax = drawing.subplots()
            _circles(ax, 2 / 3, 1 / 3)
            ax.set_title("exh = 2/3, spec = 1/3")
            ax.text(-1.3, -1.0, "dashed: topic    filled: component", fontsize=9.5)
            return drawing
        drawing = Figure(figsize=(7.2, 6.0), layout="constrained")
        cells = set(analysis["combinations"][["exh", "spec"]].itertuples(index=False, name=None))
        for (row, column), ax in np.ndenumerate(drawing.subplots(4, 4)):
            exh, spec = 3 - int(row), int(column)
            if (exh, spec) in cells:
                _circles(ax, exh / 3, spec / 3)
            else:
                ax.set(xlim=(-1.35, 1.35), ylim=(-1.1, 1.1), aspect="equal")
                ax.text(0, 0, "–", ha="center", va="center", color="#777777")
                ax.axis("off")
            if column == 0:
                ax.text(-0.08, 0.5, f"exh {exh}", transform=ax.transAxes, ha="right", va="center")
            if row == 3:
                ax.text(0.5, -0.08, f"spec {spec}", transform=ax.transAxes, ha="center", va="top")
    return drawing


def tree_of_figure4(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw the components of Figure 4 as boxes; the best components have a double border."""
    collection = figure4_tree()
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=(7.0, 3.0), layout="constrained")
        ax = drawing.subplots()
        for row, concepts in enumerate(CONCEPTS):
            begin, level = float(collection.start[row]) + 0.6, -float(collection.depth[row])
            width = float(collection.size[row]) - 1.2
            fill = COLOURS[0] if row in BEST else "#ffffff"
            ax.add_patch(Rectangle((begin, level), width, 0.62, facecolor=fill, alpha=0.3, linewidth=0))
            ax.add_patch(Rectangle((begin, level), width, 0.62, fill=False, edgecolor=INK))
            if row in BEST:
                corner = begin + 0.7, level + 0.06
                ax.add_patch(Rectangle(corner, width - 1.4, 0.5, fill=False, edgecolor=INK))
            tag = collection.tags[collection.tag[row]]
            text = f"{tag}: {concepts}, relᵁ {analysis['figure4']['rel_U'].iloc[row]:g}"
            ax.text(begin + width / 2, level + 0.31, text, ha="center", va="center")
        ax.set(
            xlim=(-1, 101), ylim=(-2.3, 0.8), xlabel="text of the article, in per cent of its size", yticks=[]
        )
        ax.grid(visible=False)
        ax.spines["left"].set_visible(False)
    return drawing


DRAWN: Drawn = {"venn": venn, "figure4": tree_of_figure4}
