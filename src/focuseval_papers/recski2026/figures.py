"""Systems with their intervals, beside their differences from the first; and under several averages."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from focuseval.present.figures import COLOURS, GUIDE, STYLE
from focuseval.present.items import Drawn

#: the averages of `focuseval_papers.recski2026.analysis.averages`, and the shapes of their points
_AVERAGES = {
    "micro": ("pooled, as published", "o"),
    "macro": ("mean over all queries", "s"),
    "macro_with_gold": ("mean over queries with gold", "D"),
    "where_relevant": ("pooled, relevant chunks alone", "^"),
}


def forest(compared: pd.DataFrame) -> Figure:
    """F1 with intervals on the left, how far each system is behind the first on the right, with intervals."""
    places = np.arange(len(compared))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 0.36 * len(compared) + 1.2), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        left.hlines(places, compared["low"], compared["high"], color=COLOURS[0], linewidth=2.2, alpha=0.45)
        left.scatter(compared["F1"], places, s=30, color=COLOURS[0], linewidths=0, zorder=3)
        left.axvline(compared["F1"].iloc[0], **GUIDE)
        left.set(
            title="F1 over words", xlabel="F1, 95 % interval over queries", ylim=(len(compared) - 0.4, -0.6)
        )
        left.set_yticks(places, compared["system"])
        behind, at = compared.iloc[1:], places[1:]
        apart = (behind["difference_low"] > 0).to_numpy()
        for chosen, colour, shape, label in (
            (~apart, COLOURS[1], "o", "0 is in the interval"),
            (apart, COLOURS[0], "s", "0 is not in the interval"),
        ):
            part = behind[chosen]
            right.hlines(
                at[chosen],
                part["difference_low"],
                part["difference_high"],
                color=colour,
                linewidth=2.2,
                alpha=0.45,
            )
            right.scatter(
                part["difference"],
                at[chosen],
                s=30,
                marker=shape,
                color=colour,
                linewidths=0,
                zorder=3,
                label=label,
            )
        right.axvline(0, **GUIDE)
        right.set(title="Behind the first", xlabel="difference of F1, queries drawn in pairs")
        right.legend(loc="upper right")
        for ax in (left, right):
            ax.tick_params(axis="y", length=0)
            ax.grid(axis="y", visible=False)
    return figure


def several_averages(averages: pd.DataFrame) -> Figure:
    """A line for each system, a point for its F1 under each average."""
    places = np.arange(len(averages))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.6, 0.36 * len(averages) + 1.6), layout="constrained")
        ax = figure.subplots()
        columns = list(_AVERAGES)
        ax.hlines(
            places,
            averages[columns].min(axis=1),
            averages[columns].max(axis=1),
            color="#CCCCCC",
            linewidth=1.4,
        )
        for number, (column, (label, shape)) in enumerate(_AVERAGES.items()):
            ax.scatter(
                averages[column],
                places,
                s=36,
                marker=shape,
                color=COLOURS[number],
                linewidths=0,
                zorder=3,
                label=label,
            )
        ax.set_yticks(places, averages["system"])
        ax.set(xlabel="F1 over words", ylim=(len(averages) - 0.4, -0.6))
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="y", visible=False)
        figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


DRAWN: Drawn = {
    "intervals": lambda figure, analysis, _: forest(analysis["compared"]),
    "averages": lambda figure, analysis, _: several_averages(analysis["averages"]),
}
