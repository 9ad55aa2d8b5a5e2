"""Figure 4, and the scatter plots of Section 7's correlations."""

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from focuseval.report.figures import COLOURS, STYLE, Bands, Curves, Scatter, graded_curves, scatter_plots
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval_papers.piwowarski2006.findings import METRICS
from focuseval_papers.piwowarski2006.paper import top_ranked
from focuseval_papers.publication.paper import Context

#: the metrics of runs of siblings, as a legend has them
_NEARBY = {"EPRUM_distance": "EPRUM (distance)", "EPRUM": "EPRUM (up and down)", "MAep": "MAep"}

#: what the axes of the two panels show
_AXES = {"EPRUM": ("recall level", "precision"), "EP/GR": ("gain-recall", "effort-precision")}


def figure4(curves: pd.DataFrame) -> Figure:
    """EPRUM and EP/GR of perturbed runs: a curve for each moving probability, with a band from draw to draw."""
    panels: dict[str, Curves] = {}
    bands: dict[str, Bands] = {}
    for metric in METRICS:
        panels[metric], bands[metric] = {}, {}
        for m, part in curves[curves["metric"] == metric].groupby("m"):
            panels[metric][f"{m:.1f}"] = (part["recall"].to_numpy(), part["mean"].to_numpy())
            bands[metric][f"{m:.1f}"] = (part["lowest"].to_numpy(), part["highest"].to_numpy())
    return graded_curves(panels, _AXES, "m", bands)


def siblings(bands: pd.DataFrame) -> Figure:
    """Average precision of runs of siblings against the probability to be replaced: a line for each metric."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        ax = figure.subplots()
        for colour, marker, (label, name) in zip(COLOURS, "os^", _NEARBY.items(), strict=False):
            part = bands[bands["label"] == label].sort_values("m")
            ax.fill_between(part["m"], part["lowest"], part["highest"], color=colour, alpha=0.2, linewidth=0)
            ax.plot(part["m"], part["mean"], color=colour, marker=marker, label=name, clip_on=False)
        ax.set(xlabel="probability that an ideal element is replaced, m", ylabel="average precision")
        ax.set(xlim=(0, 0.9), ylim=(0, 1.05))
        ax.legend()
    return figure


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
    "siblings": lambda figure, analysis, _: siblings(analysis["siblings"]),
    "figure4": lambda figure, analysis, _: figure4(analysis["curves"]),
    "scatter": _drawn_scatter,
}
