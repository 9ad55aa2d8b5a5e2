"""A drawing of the paper's two rankings of systems."""

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from focuseval.report.figures import COLOURS, STYLE
from focuseval.report.parts import Analysis, Drawn
from focuseval.report.parts import Figure as Declared
from focuseval_papers.publication.paper import Context


def rank_orders(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """Draw lines from each system's rank under MAgP to its rank under MAP, for the campaign and for the paper."""
    panels = {"here": analysis["orders"], "printed": analysis["printed_orders"]}
    with matplotlib.rc_context(STYLE):
        height = 0.22 * max(map(len, panels.values())) + 1.1
        drawing = Figure(figsize=(8.0, height), layout=ConstrainedLayoutEngine(wspace=0.12))
        for ax, (title, orders) in zip(drawing.subplots(1, 2), panels.items(), strict=True):
            for rank, other in orders[["MAgP_rank", "MAP_rank"]].to_numpy().tolist():
                colour = COLOURS[0] if other < rank else COLOURS[1] if other > rank else "#777777"
                ax.plot([0, 1], [rank, other], color=colour, linewidth=1.3, alpha=0.85)
                ax.scatter([0, 1], [rank, other], s=14, color=colour, linewidths=0, zorder=3)
                ax.text(-0.06, rank, str(rank), ha="right", va="center", fontsize=8.5)
                ax.text(1.06, other, str(rank), ha="left", va="center", fontsize=8.5)
            ax.set(xlim=(-0.2, 1.2), ylim=(len(orders) + 0.7, 0.3), yticks=[], title=title)
            ax.set_xticks([0, 1], ["order of MAgP", "order of MAP"])
            ax.tick_params(length=0)
            ax.grid(visible=False)
            ax.spines[:].set_visible(False)
    return drawing


DRAWN: Drawn = {"orders": rank_orders}
