"""The drawing of runs of siblings: average precision against the probability to be replaced."""

import matplotlib
from matplotlib.figure import Figure

from focuseval.report.figures import COLOURS, STYLE
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared
from focuseval_papers.publication.paper import Context

#: the metrics, as a legend has them
_NEARBY = {"EPRUM_distance": "EPRUM (distance)", "EPRUM": "EPRUM (up and down)", "MAep": "MAep"}


def siblings(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    """A line for each metric, with a band from the lowest draw to the highest."""
    table = analysis["siblings"]
    m = table["m"]
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=(6.4, 4.2), layout="constrained")
        ax = drawing.subplots()
        for colour, marker, (label, name) in zip(COLOURS, "os^", _NEARBY.items(), strict=False):
            low, high = table[f"{label}_lowest"], table[f"{label}_highest"]
            ax.fill_between(m, low, high, color=colour, alpha=0.2, linewidth=0)
            ax.plot(m, table[label], color=colour, marker=marker, label=name, clip_on=False)
        ax.set(xlabel="probability that an ideal element is replaced, m", ylabel="average precision")
        ax.set(xlim=(0, 0.9), ylim=(0, 1.05))
        ax.legend()
    return drawing


DRAWN: Drawn = {"siblings": siblings}
