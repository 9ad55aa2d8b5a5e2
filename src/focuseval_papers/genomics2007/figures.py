"""How the measures change when lists are rewritten."""

import matplotlib
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from focuseval.present.figures import COLOURS, GUIDE, STYLE
from focuseval.present.items import Drawn
from focuseval_papers.genomics2007.analysis import MEASURES, VARIANTS

#: shape of the points of each measure, so that nobody has to tell colours apart
_SHAPES = ("o", "s", "D", "^")


def changes(table: pd.DataFrame) -> Figure:
    """A panel for each way of rewriting, a line for each list, a point for each measure (columns of `variants`)."""
    runs = sorted(table["run"].unique())
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.1 * len(VARIANTS), 0.42 * len(runs) + 1.9), layout="constrained")
        axes = figure.subplots(1, len(VARIANTS), sharey=True, squeeze=False)[0]
        for ax, (variant, title) in zip(axes, VARIANTS.items(), strict=True):
            part = table[table["variant"] == variant]
            ax.axvline(0, **GUIDE)
            for number, measure in enumerate(MEASURES):
                found = part[part["measure"] == measure].set_index("run")["change"].reindex(runs)
                # points on the same place would hide each other
                places = [place + 0.16 * (number - (len(MEASURES) - 1) / 2) for place in range(len(runs))]
                ax.scatter(
                    found,
                    places,
                    s=34,
                    marker=_SHAPES[number],
                    color=COLOURS[number],
                    label=measure,
                    zorder=3,
                )
            ax.set(title=title, xlabel="change of the mean", ylim=(len(runs) - 0.5, -0.5))
            ax.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="y", visible=False)
        axes[0].set_yticks(range(len(runs)), runs)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(MEASURES))
    return figure


DRAWN: Drawn = {"changes": lambda figure, analysis, _: changes(analysis["variants"])}
