"""The mean over topics, computed in the same way for all scores."""

from collections.abc import Sequence
from statistics import fmean

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, changes


def column_means(values: Floats) -> Floats:
    """Return the mean of each column of values, ignoring NaN, or NaN if a column has no other values.

    Sums are rounded only once, so that means do not depend on the order of the rows.
    """
    return np.array([_mean(column) for column in np.asarray(values, dtype=float).T], dtype=float)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)].tolist()
    return fmean(defined) if defined else np.nan


def means_by(scores: pd.DataFrame, keys: Sequence[str], value: str = "value") -> pd.DataFrame:
    """Return the mean of the column ``value`` for each group of rows with equal ``keys``.

    Groups are in order of appearance. NaN is ignored, as in `column_means`.
    """
    group = scores.groupby(list(keys), sort=False, observed=True, dropna=False).ngroup().to_numpy()
    order = np.argsort(group, kind="stable")
    begin = np.flatnonzero(changes(group[order]))
    values = np.split(scores[value].to_numpy(dtype=float)[order], begin[1:]) if len(begin) else []
    groups = scores.iloc[order[begin]][list(keys)].reset_index(drop=True)
    return groups.assign(**{value: np.array([_mean(part) for part in values], dtype=float)})
