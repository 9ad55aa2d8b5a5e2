"""What is read from many draws of perturbed runs: means, bands, and statistics of curves with their intervals.

Arrays have a row for each moving probability of `MOVING` and a column for each draw; the ideal run, of which there is
one, stands in every column.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats
from focuseval.statistics.significance import mean_intervals
from focuseval.transformations.perturbed_runs import IDEAL, MOVING, name_of

#: the recall above which strongly perturbed runs are looked at, and where curves are compared
HIGH, NEAR, FAR = 0.6, 0.1, 0.9

#: values this close are equal
ROUNDING = 1e-9

#: the statistics, by the name of the finding that rests on them
FALLS = {"EPRUM": "fall of EPRUM", "MAep": "fall of MAep"}
KEPT, TAIL, STEEPEST = "kept", "tail", "steepest"
REWARD, SIBLINGS_FALL, SIBLINGS_REWARD = "reward", "fall of siblings", "reward of siblings"


def runs_drawn(stem: str, draws: int) -> pd.DataFrame:
    """Columns m, draw (from 1), by the names of runs; the ideal run has m 0 and draw 1."""
    known = {name_of(m, draw, stem): (m, draw) for m in MOVING for draw in range(1, draws + 1)}
    table = pd.DataFrame.from_dict(known, orient="index", columns=["m", "draw"])
    table.loc[IDEAL, "draw"] = 1
    return table.astype({"m": float, "draw": int})


def by_draw(values: pd.DataFrame) -> Floats:
    """(10, D) the column value of a table with the columns m, draw, value."""
    wide = values.pivot(index="m", columns="draw", values="value").reindex(index=list(MOVING))
    found = wide.to_numpy(float, copy=True)
    found[0] = found[0, 0]
    return found


def curves_by_draw(points: pd.DataFrame) -> tuple[Floats, Floats]:
    """(R,) recall, and (10, D, R) precision, of a table with the columns m, draw, recall, precision."""
    wide = points.pivot(index=["m", "draw"], columns="recall", values="precision")
    recall, draws = wide.columns.to_numpy(float), int(wide.index.get_level_values("draw").max())
    found = np.full((len(MOVING), draws, len(recall)), np.nan)
    for at, m in enumerate(MOVING):
        found[at] = wide.loc[m].to_numpy(float)
    return recall, found


def with_bands(values: pd.DataFrame, keys: Sequence[str], column: str) -> pd.DataFrame:
    """The mean of a column over draws, and the lowest and highest of them: columns ``keys``, mean, lowest, highest."""
    found = values.groupby(list(keys), sort=False)[column].agg(["mean", "min", "max"]).reset_index()
    return found.rename(columns={"min": "lowest", "max": "highest"})


def statistics(
    averages: pd.DataFrame, curves: pd.DataFrame, siblings: pd.DataFrame
) -> dict[tuple[str, str, float], Floats]:
    """Every statistic that a finding rests on, in each draw (D,): by statistic, metric and moving probability.

    ``averages`` and ``siblings`` have the columns label, m, draw, value; ``curves`` metric, m, draw, recall, precision.
    Falls are from the m before to this one. Rewards are differences to EPRUM without navigation, and of siblings to
    EPRUM with navigation up and down the tree only.
    """
    average = {label: by_draw(part) for label, part in averages.groupby("label")}
    near = {label: by_draw(part) for label, part in siblings.groupby("label")}
    found: dict[tuple[str, str, float], Floats] = {}
    for at, m in enumerate(MOVING[1:], start=1):
        for label, name in FALLS.items():
            found[name, label, m] = average[label][at - 1] - average[label][at]
        found[REWARD, "EPRUM", m] = average["EPRUM"][at] - average["EPRUM_standard"][at]
        of_siblings = near["EPRUM_distance"]
        found[SIBLINGS_FALL, "EPRUM_distance", m] = of_siblings[at - 1] - of_siblings[at]
        found[SIBLINGS_REWARD, "EPRUM_distance", m] = of_siblings[at] - near["EPRUM"][at]
    for metric, part in curves.groupby("metric"):
        recall, precision = curves_by_draw(part)
        near_at, far_at = (int(np.argmin(np.abs(recall - level))) for level in (NEAR, FAR))
        high = recall > HIGH + ROUNDING
        for at, m in enumerate(MOVING):
            one = precision[at]
            found[KEPT, str(metric), m] = one[:, far_at] / one[:, near_at]
            found[TAIL, str(metric), m] = one[:, high].mean(axis=1)
            found[STEEPEST, str(metric), m] = (one[:, :-1] - one[:, 1:]).max(axis=1)
    for name in (KEPT, STEEPEST):
        for m in MOVING[1:]:
            found[name, "EPRUM − EP/GR", m] = found[name, "EPRUM", m] - found[name, "EP/GR", m]
    return found


def intervals(found: Mapping[tuple[str, str, float], Floats], resamples: int, seed: int) -> pd.DataFrame:
    """The means of statistics over draws with their 95 % bootstrap intervals.

    Columns statistic, metric, m, draws, mean, low, high; the limits are NaN of a single draw.
    """
    values = np.stack(list(found.values()), axis=1)
    low, high = mean_intervals(values, resamples=resamples, seed=seed)
    table = pd.DataFrame(list(found), columns=["statistic", "metric", "m"])
    return table.assign(draws=len(values), mean=values.mean(axis=0), low=low, high=high)
