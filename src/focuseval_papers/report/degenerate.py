"""Rankings of runs that say little: too few runs, or many that a measure does not tell apart."""

from collections.abc import Sequence

import pandas as pd

from focuseval.errors import counted
from focuseval.statistics.correlations import FEWEST_RUNS


def degenerate(scores: pd.DataFrame, keys: Sequence[str], value: str = "value") -> list[str]:
    """What to be careful with where runs are ranked by a column, a sentence each.

    ``scores`` has a row for each run in each ranking, and the columns ``keys`` that tell rankings apart. Told are
    rankings of fewer than `FEWEST_RUNS` runs, and those that are mostly ties: with fewer
    distinct values (to 12 decimals) than half of their runs. A correlation with either is unreliable.
    """
    grouped = scores.assign(value=scores[value].round(12)).groupby(list(keys), sort=False, observed=True)
    counts = grouped["value"].agg(runs="size", values="nunique")
    few = counts[counts["runs"] < FEWEST_RUNS]
    tied = counts[(counts["runs"] >= FEWEST_RUNS) & (2 * counts["values"] < counts["runs"])]
    told = []
    if len(few):
        fewest = int(few["runs"].min())
        told.append(f"{counted(fewest, 'run')}: of fewer than {FEWEST_RUNS}, correlations decide nothing.")
    if len(tied):
        worst = tied.iloc[(tied["values"] / tied["runs"]).argmin()]
        where = ", ".join(str(part) for part in (worst.name if len(keys) > 1 else [worst.name]))
        values = int(worst["values"])
        told.append(
            f"{len(tied)} of {counted(len(counts), 'ranking')} {'are' if len(tied) > 1 else 'is'} mostly ties (fewer "
            "distinct values than half of the runs); correlations there are unreliable. "
            f"The worst is {where}: {counted(values, 'value')} for {counted(worst['runs'], 'run')}."
        )
    return told
