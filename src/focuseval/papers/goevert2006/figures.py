"""The paper's figures: recall/precision graphs of the simulated runs, scatter plots of all runs."""

from collections.abc import Collection, Sequence

import pandas as pd
from matplotlib.figure import Figure

from focuseval.papers.goevert2006.names import (
    ANCESTORS,
    GRAPHS,
    PERFECT,
    SCATTERS,
    Setting,
    figures_of,
)
from focuseval.present.figures import Curves, Scatter, recall_precision, scatter_plots

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


def _scatter(columns: pd.DataFrame, title: str, x: Setting, y: Setting, labels: tuple[str, str]) -> Scatter:
    """Average precision of all runs under two settings."""
    both = columns[[x, y]].dropna().to_numpy()
    return Scatter(
        title, f"average precision, {labels[0]}", f"average precision, {labels[1]}", both[:, 0], both[:, 1]
    )


def figure(
    name: str,
    *,
    average: pd.DataFrame,
    curves: pd.DataFrame,
    simulated: pd.DataFrame,
    quantisations: Collection[str],
) -> Figure:
    """One of the paper's figures, by the name of its file, with the panels that the quantisations allow.

    ``average`` is `average_precision` by result set, ``simulated`` the same of the simulated runs,
    ``curves`` from `recall_precision_curves`. Raises ValueError for a figure that cannot be made of them.
    """
    if name not in figures_of(average["result_set"].unique(), quantisations):
        raise ValueError(f"{name} cannot be made of these result sets and quantisations")
    if name in GRAPHS:
        metric, wanted = GRAPHS[name]
        return recall_precision(_graphs(curves, simulated, metric, [q for q in wanted if q in quantisations]))
    columns = average.pivot_table(index="run", columns=_KEYS, values="average_precision", sort=False)
    return scatter_plots(
        [_scatter(columns, *p) for p in SCATTERS[name] if p[1] in columns and p[2] in columns]
    )
