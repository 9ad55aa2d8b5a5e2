"""The paper's two orders of systems beside each other, and its comparisons."""

from collections.abc import Mapping

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from focuseval.report.figures import COLOURS, COMPARISONS, STYLE
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval_papers.publication.paper import Context


def _order(ax: Axes, title: str, map_rank: Mapping[int, int]) -> None:
    """One panel: a line from each system's rank under MAgP to that under MAP."""
    for rank, other in map_rank.items():
        rises = other < rank
        colour = COLOURS[0] if rises else COLOURS[1] if other > rank else "#777777"
        ax.plot([0, 1], [rank, other], color=colour, linewidth=1.3, alpha=0.85)
        ax.scatter([0, 1], [rank, other], s=14, color=colour, linewidths=0, zorder=3)
        ax.text(-0.06, rank, str(rank), ha="right", va="center", fontsize=8.5)
        ax.text(1.06, other, str(rank), ha="left", va="center", fontsize=8.5)
    ax.set(xlim=(-0.2, 1.2), ylim=(len(map_rank) + 0.7, 0.3), yticks=[])
    ax.set_xticks([0, 1], ["order of MAgP", "order of MAP"])
    ax.tick_params(length=0)
    ax.set_title(title)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def rank_orders(here: Mapping[int, int], printed: Mapping[int, int]) -> Figure:
    """Rank under MAP by rank under MAgP, of the campaign and as printed."""
    with matplotlib.rc_context(STYLE):
        height = 0.22 * max(len(here), len(printed)) + 1.1
        figure = Figure(figsize=(8.0, height), layout=ConstrainedLayoutEngine(wspace=0.12))
        axes = figure.subplots(1, 2)
        for ax, title, ranks in zip(axes, ("here", "printed"), (here, printed), strict=True):
            _order(ax, title, ranks)
    return figure


def _drawn_orders(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    def ranks(frame: pd.DataFrame) -> dict[int, int]:
        return dict(zip(frame["MAgP_rank"].tolist(), frame["MAP_rank"].tolist(), strict=True))

    return rank_orders(ranks(analysis["orders"]), ranks(analysis["printed_orders"]))


DRAWN: Drawn = {"orders": _drawn_orders, **COMPARISONS}
