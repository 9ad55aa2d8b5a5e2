"""Every system on every topic, as a figure."""

from collections.abc import Sequence

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats
from focuseval.report.figures import COLOURS, STYLE, entry
from focuseval.report.items import Analysis
from focuseval.report.items import Figure as Declared

with extra("plots"):
    import matplotlib
    from matplotlib.figure import Figure

#: runs up to which each has a colour and a mark of its own
_MANY = len(COLOURS) - 1

#: topics up to which each has a line of text; of more, as many share the same height
_NAMED_TOPICS = 100


def by_topic(values: Floats, topics: Sequence[str], runs: Sequence[str], x_label: str) -> Figure:
    """Values of runs (n topics, S runs), a line for each topic, the first on top; runs stand in rank order.

    Up to six runs have a colour and a mark each; of more, the best and the median one are marked.
    """
    places = np.arange(len(topics))
    marked = dict(enumerate(runs))
    if len(runs) > _MANY:
        middle = (len(runs) - 1) // 2
        marked = {0: f"best: {runs[0]}", middle: f"median: {runs[middle]}"}
    with matplotlib.rc_context(STYLE):
        height = 0.2 * min(len(topics), _NAMED_TOPICS) + 0.6 + 0.2 * len(marked)
        figure = Figure(figsize=(6.8, max(height, 1.6)), layout="constrained")
        ax = figure.subplots()
        ax.hlines(places, values.min(axis=1), values.max(axis=1), color="#C3C9D3", linewidth=1.2)
        if len(marked) < len(runs):
            others = np.delete(values, list(marked), axis=1)
            for column in others.T:
                ax.scatter(column, places, s=14, color="#6B7585", linewidths=0, alpha=0.7, clip_on=False)
        for number, (run, label) in enumerate(marked.items()):
            ax.scatter(
                values[:, run],
                places,
                s=30,
                marker="osD^vP"[number],
                color=COLOURS[number],
                linewidths=0,
                alpha=0.85,
                clip_on=False,
                zorder=3,
                label=entry(label),
            )
        if len(topics) > _NAMED_TOPICS:
            ax.set_yticks([])
            ax.set_ylabel(f"{len(topics):,} topics")
        else:
            ax.set_yticks(places, topics)
            ax.set_ylabel("topic")
        ax.set(xlabel=x_label, ylim=(len(topics) - 0.4, -0.6), xlim=(min(0.0, float(values.min())), None))
        ax.tick_params(axis="y", length=0, labelsize=8)
        ax.grid(axis="y", visible=False)
        figure.legend(loc="outside upper left", ncols=1 if len(marked) < 3 else 2)
    return figure


def drawn_by_topic(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Values of a campaign's systems on its topics (`focuseval.report.systems`)."""
    table = analysis["topics"]
    topics, runs = (list(table[name].unique()) for name in ("topic", "run"))
    values = table["value"].to_numpy().reshape(len(topics), len(runs))
    return by_topic(values, topics, runs, figure.title.rpartition(":")[0])
