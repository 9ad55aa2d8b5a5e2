"""The paper's figures: recall/precision graphs of the simulated runs, scatter plots of all runs."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from focuseval.present.figures import Curves, Scatter, recall_precision, scatter_plots
from focuseval.present.items import Analysis, Drawn
from focuseval.present.items import Figure as Declared
from focuseval_papers.goevert2006.drawings import tree_of_figure4, venn
from focuseval_papers.goevert2006.findings import ANCESTORS, PERFECT
from focuseval_papers.goevert2006.graphs import GRAPHS, SCATTERS, Setting, labels_of
from focuseval_papers.publication.paper import Context

_KEYS = ["metric", "quantisation", "result_set"]


def _graphs(
    curves: pd.DataFrame, simulated: pd.DataFrame, metric: str, quantisations: Sequence[str]
) -> dict[str, Curves]:
    """Recall/precision graphs of the simulated runs, one panel per quantisation."""
    panels: dict[str, Curves] = {}
    average = simulated.set_index(["metric", "quantisation", "run"])["average_precision"]
    lines = curves.set_index(["metric", "quantisation", "run"])[["recall", "precision"]].sort_index()
    for quantisation in quantisations:
        panel = panels.setdefault(f"{metric}, {quantisation}", {})
        for run in (PERFECT, ANCESTORS):
            line = lines.loc[[(metric, quantisation, run)]]
            label = f"{run} run, average {average[metric, quantisation, run]:.2f}"
            panel[label] = (line["recall"].to_numpy(), line["precision"].to_numpy())
    return panels


def _scatter(columns: pd.DataFrame, context: Context, x: Setting, y: Setting) -> Scatter:
    """Average precision of all runs under two settings."""
    both = columns[[x, y]].dropna().to_numpy()
    title, across, up = labels_of(context, x, y)
    return Scatter(title, f"average precision, {across}", f"average precision, {up}", both[:, 0], both[:, 1])


def _drawn_graphs(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    metric, wanted = GRAPHS[figure.name]
    known = [q for q in wanted if q in context.settings.quantisations]
    return recall_precision(_graphs(analysis["curves"], analysis["simulated"], metric, known))


def _drawn_scatter(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    average = analysis["average_precision"]
    columns = average.pivot_table(index="run", columns=_KEYS, values="average_precision", sort=False)
    panels = [(x, y) for x, y in SCATTERS[figure.name] if x in columns and y in columns]
    return scatter_plots([_scatter(columns, context, x, y) for x, y in panels])


DRAWN: Drawn = {"graphs": _drawn_graphs, "scatter": _drawn_scatter, "venn": venn, "figure4": tree_of_figure4}
