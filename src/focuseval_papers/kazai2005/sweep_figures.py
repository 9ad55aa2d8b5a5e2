"""The figures of sweeps: values over alpha and cut-offs, runs over alpha, and how alike rankings are."""

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from focuseval.present.figures import COLOURS, LINE, STYLE, HeatMap, heat_maps
from focuseval.present.items import Analysis, Drawn
from focuseval.present.items import Figure as Declared
from focuseval.statistics.correlations import kendall
from focuseval_papers.kazai2005.sweep import (
    AT_RANK,
    WHOLE,
    best_run,
    cutoff,
    label,
    named,
    reference,
    values_at,
)
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context


def _wide(values: pd.DataFrame, columns: str) -> pd.DataFrame:
    """Means over runs: alphas in rows, the highest on top; measures or cut-offs in columns."""
    table = values.pivot_table(index="alpha", columns=columns, values="value", sort=False)
    table = table.sort_index(ascending=False)
    table.index = pd.Index([f"{alpha:g}" for alpha in table.index])
    table.columns = table.columns.astype(str)
    return table


def value_maps(values: pd.DataFrame, columns: str, run: str) -> Figure:
    """The mean over runs and one run, at every alpha and every cut-off (or under every measure of ``columns``)."""
    x_label = "rank of the cut-off" if columns == "cutoff" else ""
    panels = [
        HeatMap(title, _wide(part, columns), x_label, "alpha")
        for title, part in (("mean over runs", values), (run, values[values["run"] == run]))
    ]
    top = max(float(np.nanmax(panel.values)) for panel in panels)
    named = values["measure"].unique()
    return heat_maps(panels, named[0] if len(named) == 1 else "value", (0.0, top or 1.0))


def alpha_lines(values: pd.DataFrame, measures: list[str]) -> Figure:
    """A line for each run over alpha, a column for each measure: above its value, below its rank (1 is the best).

    ``values`` has the columns name (of the measure), alpha, run, value.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(4.4 * len(measures), 6.6), layout="constrained")
        axes = figure.subplots(2, len(measures), squeeze=False, sharex=True)
        for (above, below), measure in zip(axes.T, measures, strict=True):
            lines = values[values["name"] == measure].pivot(index="alpha", columns="run", values="value")
            ranks = lines.rank(axis=1, ascending=False, method="min")
            best = {end: str(lines.loc[end].idxmax()) for end in (lines.index[0], lines.index[-1])}
            for ax, drawn in ((above, lines), (below, ranks)):
                ax.plot(drawn.index, drawn.to_numpy(), color=LINE, linewidth=0.8, alpha=0.8)
                for i, (end, run) in enumerate(best.items()):
                    named = f"best at alpha {end:g}: {run}"
                    ax.plot(drawn.index, drawn[run], ("-", "--")[i], color=COLOURS[i], label=named)
            above.set_title(measure, pad=34)
            above.set(ylabel=f"{measure}, mean over topics", ylim=(0, None))
            above.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, fontsize=8)
            below.set(xlabel="alpha", ylabel="rank", xlim=(lines.index[0], lines.index[-1]))
            below.set_ylim(len(lines.columns) + 0.5, 0.5)
            below.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    return figure


def tau_matrix(columns: pd.DataFrame) -> pd.DataFrame:
    """Kendall's tau between all columns of a table with a row per run."""
    names = list(columns)
    values = [columns[name].to_numpy() for name in names]
    if len(columns) < 2:
        return pd.DataFrame(float("nan"), index=names, columns=names)
    return pd.DataFrame(
        [[kendall(a, b).coefficient for b in values] for a in values], index=names, columns=names
    )


def _columns(swept: pd.DataFrame, measure: str, keys: list[str]) -> pd.DataFrame:
    """Runs × points, for the points of a sweep that differ in ``keys``."""
    part = swept[swept["name"] == measure]
    return part.pivot_table(index="run", columns=keys, values="value", sort=False)


def alpha_map(swept: pd.DataFrame, cutoff: int) -> Figure:
    """Kendall's tau between the rankings of runs under every two alphas (one ideal method and own_text)."""
    maps = []
    for measure in ("MAep", label("nxCG", cutoff)):
        columns = _columns(swept, measure, ["alpha"])
        columns.columns = pd.Index([f"{alpha:.2f}" for alpha in columns.columns])
        maps.append(HeatMap(f"{measure}, by alpha", tau_matrix(columns)))
    return heat_maps(maps, "Kendall's τ")


def cutoff_map(swept: pd.DataFrame) -> Figure:
    """Kendall's tau between the rankings of runs by nxCG at every two cut-offs and by MAep (one alpha)."""
    part = swept[swept["measure"].isin([AT_RANK[0], WHOLE[0]])]
    columns = part.pivot_table(index="run", columns="name", values="value", sort=False)
    names = [name for name in dict.fromkeys(part["name"]) if name != "MAep"]
    return heat_maps(
        [HeatMap("nxCG at cut-offs, and MAep", tau_matrix(columns[[*names, "MAep"]]))], "Kendall's τ"
    )


def ideal_map(swept: pd.DataFrame, cutoff: int) -> Figure:
    """Kendall's tau between the rankings of runs under every two ideal methods and own_text (one alpha)."""
    maps = []
    for measure in ("MAep", label("nxCG", cutoff)):
        columns = _columns(swept, measure, ["own_text", "ideal"])
        columns.columns = pd.Index([f"{ideal}, {own_text}" for own_text, ideal in columns.columns])
        maps.append(HeatMap(measure, tau_matrix(columns)))
    return heat_maps(maps, "Kendall's τ")


def _drawn_map(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    swept = analysis["swept"]
    values, measure = values_at(swept, context), figure.name.removeprefix("sweep-")
    chosen, columns = ([measure], "cutoff") if measure in AT_RANK else (WHOLE, "measure")
    return value_maps(values[values["measure"].isin(chosen)], columns, best_run(swept, context))


def _drawn_lines(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    values = named(values_at(analysis["swept"], context))
    return alpha_lines(values, ["MAep", label("nxCG", cutoff(context))])


def _drawn_cutoff(figure: Declared, analysis: Analysis, context: Context) -> Figure:
    ideal, own_text, alpha = reference(context)
    return cutoff_map(named(rows_of(analysis["swept"], ideal=ideal, own_text=own_text, alpha=alpha)))


DRAWN: Drawn = {
    "sweep-map": _drawn_map,
    "sweep-lines": _drawn_lines,
    "alpha": lambda figure, analysis, context: alpha_map(
        named(values_at(analysis["swept"], context)), cutoff(context)
    ),
    "cutoff": _drawn_cutoff,
    "ideal": lambda figure, analysis, context: ideal_map(
        named(rows_of(analysis["swept"], alpha=reference(context)[2])), cutoff(context)
    ),
}
