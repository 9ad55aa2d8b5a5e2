"""What the report shows of sweeps: values over alpha and cut-offs, where the order of runs changes, all points."""

from collections.abc import Sequence

import pandas as pd

from focuseval.errors import counted
from focuseval.present.degenerate import degenerate
from focuseval.present.items import Absent, Analysis, Figure, Item, Table
from focuseval_papers.kazai2005.sweep import AT_RANK, WHOLE, grid, named, values_at
from focuseval_papers.publication.paper import Context


def _warn(analysis: Analysis, context: Context) -> list[str]:
    return degenerate(named(values_at(analysis["swept"], context)), ["name", "alpha"])


_RUNS = (
    "The runs are those of the Thorough task, scored with overlap considered: Focussed runs return no text twice, so "
    "that alpha does not matter to them."
)
_AT_REFERENCE = "with the reference's ideal method and own text (the first of the configuration)"


def sweep_items(context: Context) -> list[Item]:
    """Values over alpha and cut-offs, where the order of runs changes, and how alike rankings are."""
    sweep = context.settings.sweep
    decimals = {"MAep": 4, **{f"@{rank}": 4 for rank in sweep.cutoffs}}
    maps = [
        *((f"sweep-{measure}", measure, "over alpha and cut-offs") for measure in AT_RANK),
        ("sweep-whole", ", ".join(WHOLE[:-1]) + f" and {WHOLE[-1]}", "over alpha"),
    ]
    shown: list[Item] = [
        Table(
            "sweep-values",
            "Sweep: means over alpha and cut-offs",
            f"The mean over all runs of {' and '.join(AT_RANK)} at each rank, {_AT_REFERENCE}. {_RUNS}",
            lambda analysis, context: _means(analysis["swept"], context, AT_RANK, ["measure"]),
            decimals,
        ),
        Table(
            "sweep-whole",
            "Sweep: means over alpha",
            f"The mean over all runs of the measures of the whole list, {_AT_REFERENCE}.",
            lambda analysis, context: _means(analysis["swept"], context, WHOLE, []),
            dict.fromkeys(WHOLE, 4),
        ),
        *(
            Figure(
                name,
                f"Sweep: {measures} {over}",
                f"The mean over all runs, and the best run by MAep at the first alpha, {_AT_REFERENCE}. Below stands "
                "every run.",
                "sweep-map",
            )
            for name, measures, over in maps
        ),
        Table(
            "sweep-runs",
            "Sweep: every run",
            "MAep and nxCG of each run over alpha and cut-offs. The CSV has every run under every measure at every "
            "point of the sweep: ideal, own_text, alpha, measure, cutoff (empty for a measure of the whole list), run, "
            "value.",
            "swept",
            decimals,
            show=lambda swept: _means(swept, context, (AT_RANK[0], WHOLE[0]), ["run"]),
            fold=lambda table: f"{counted(table['run'].nunique(), 'run')}, {counted(len(table), 'row')}",
        ),
        Figure(
            "sweep-lines",
            "Sweep: runs over alpha",
            f"A line for each run {_AT_REFERENCE}: above its value, below its rank. Where lines cross, the order of "
            "two runs changes. Marked are the best runs at the first and at the last alpha.",
        )
        if len(sweep.alphas) > 1
        else Absent("Sweep: runs over alpha", "the sweep has a single alpha."),
        Table(
            "sweep-order",
            "Sweep: where the order of runs changes",
            f"From one alpha or cut-off to the next, {_AT_REFERENCE}: Kendall's τ of the two rankings, how many of all "
            "pairs of runs change places, which run is best, and the run that moves most, with its ranks.",
            "sweep_order",
            {"τ": 3},
            fold=lambda table: f"All {len(table)} steps",
            warn=_warn,
        ),
        *_alike(),
        Table(
            "sweep",
            "Sweep: all points",
            "Every point of the sweeps, for each measure and cut-off: mean, lowest and highest value of the runs, "
            "Kendall's τ with the ranking at the reference point (the first ideal method and own text, and the last "
            "alpha, of the configuration), and how many pairs of runs stand in another order than there. The cut-off "
            "is empty for a measure of the whole list.",
            decimals={"alpha": 2, "mean": 4, "lowest": 4, "highest": 4, "τ": 3},
            fold=lambda table: f"All {len(table)} points",
        ),
    ]
    return shown


def _means(swept: pd.DataFrame, context: Context, measures: Sequence[str], index: list[str]) -> pd.DataFrame:
    """`grid` of some measures, at the reference's ideal and own_text."""
    values = values_at(swept, context)
    return grid(values[values["measure"].isin(measures)], index)


def _alike() -> list[Item]:
    return [
        Figure(
            "alpha",
            "Sweep over alpha",
            "How alike runs are ranked under two values of alpha, from a user who does not mind seeing text again "
            f"(0) to one for whom it is worth nothing (1): Kendall's τ, {_AT_REFERENCE}.",
        ),
        Figure(
            "cutoff",
            "Sweep over cut-offs",
            "How alike runs are ranked by nxCG at two cut-offs, and by MAep: Kendall's τ at the reference point.",
        ),
        Figure(
            "ideal",
            "Sweep over ideal recall-bases and own text",
            "How alike runs are ranked under two methods that choose ideal elements, and two treatments of own text: "
            "Kendall's τ at the reference's alpha.",
        ),
    ]
