"""Figure 4, and the scatter plots of Section 7's correlations."""

import pandas as pd
from matplotlib.figure import Figure

from focuseval.papers.paper import Context
from focuseval.papers.piwowarski2006.findings import METRICS
from focuseval.papers.piwowarski2006.paper import top_ranked
from focuseval.present.figures import Curves, Scatter, graded_curves, scatter_plots
from focuseval.present.items import Analysis, Drawn
from focuseval.present.items import Figure as Declared

#: what the axes of the two panels show
_AXES = {"EPRUM": ("recall level", "precision"), "EP/GR": ("gain-recall", "effort-precision")}


def figure4(curves: pd.DataFrame) -> Figure:
    """EPRUM and EP/GR of perturbed runs: a curve for each moving probability."""
    panels = {}
    for metric in METRICS:
        lines: Curves = {}
        for m, part in curves[curves["metric"] == metric].groupby("m"):
            lines[f"{m:.1f}"] = (part["recall"].to_numpy(), part["precision"].to_numpy())
        panels[metric] = lines
    return graded_curves(panels, _AXES, "m")


def scatter(values: pd.DataFrame, top: int) -> Figure:
    """EPRUM and MAep of every run and topic under one quantisation: all, the top ranked, the others."""
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    chosen = top_ranked(x, y, "both", top)
    parts = {
        "All values": chosen | ~chosen,
        f"The {chosen.sum()} top ranked values": chosen,
        "The other values": ~chosen,
    }
    return scatter_plots(
        [
            Scatter(title, "MAP of EPRUM", "MAP of EP/GR (MAep)", x[which], y[which], "run and topic")
            for title, which in parts.items()
            if which.sum() > 1
        ]
    )


def _drawn_scatter(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    found, settings = analysis["values"], context.settings
    return scatter(found[found["quantisation"] == settings.quantisations[0]], settings.top)


DRAWN: Drawn = {
    "figure4": lambda figure, analysis, _: figure4(analysis["curves"]),
    "scatter": _drawn_scatter,
}
