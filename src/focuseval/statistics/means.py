"""The mean over topics, which all scores use."""

from collections.abc import Sequence
from statistics import fmean

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, changes


def column_means(values: Floats) -> Floats:
    """Return the mean (P,) of each column of values (n topics, P), ignoring NaN. The mean of no values is NaN.

    The mean is ``sum(values) / n`` with a sum that is rounded once. A mean depends neither on the order of topics nor
    on other columns, so that equal values always give equal means.
    """
    return np.array([_mean(column) for column in np.asarray(values, dtype=float).T], dtype=float)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)].tolist()
    return fmean(defined) if defined else np.nan


def means_by(scores: pd.DataFrame, keys: Sequence[str], value: str = "value") -> pd.DataFrame:
    """Return a row for each distinct combination of keys, in order of appearance, with its mean (`column_means`)."""
    group = scores.groupby(list(keys), sort=False, observed=True, dropna=False).ngroup().to_numpy()
    order = np.argsort(group, kind="stable")
    begin = np.flatnonzero(changes(group[order]))
    values = np.split(scores[value].to_numpy(dtype=float)[order], begin[1:]) if len(begin) else []
    groups = scores.iloc[order[begin]][list(keys)].reset_index(drop=True)
    return groups.assign(**{value: np.array([_mean(of) for of in values], dtype=float)})
