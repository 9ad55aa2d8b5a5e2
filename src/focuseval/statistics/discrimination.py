"""Discriminative power: how many pairs of systems a measure tells apart on given topics.

Sakai, Evaluating Evaluation Metrics Based on the Bootstrap (SIGIR 2006). High power is no merit by itself: it says
how surely a measure orders systems, not whether in the right order.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats
from focuseval.statistics.significance import TESTS

#: the tests whose significance levels are achieved; both draw topics, and take nothing for normal
DRAWN = ("bootstrap", "randomisation")


def achieved_levels(
    tables: Mapping[str, pd.DataFrame],
    *,
    tests: Sequence[str] = DRAWN,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """The two-tailed p-value of every pair of systems under every measure, in rising order.

    ``tables`` have a row per topic and a column per run, no value missing. Columns measure, test, run, other, place
    (1 for the surest pair), p (not corrected, as in the source: it is the share of pairs that is read).
    """
    parts = []
    for measure, table in tables.items():
        pairs = list(combinations(map(str, table.columns), 2))
        values = table.to_numpy(dtype=float)
        first, second = np.triu_indices(values.shape[1], k=1)
        change = values[:, first] - values[:, second]
        for test in tests:
            p: Floats = TESTS[test](change, resamples, seed, two_tailed=True)
            order = np.argsort(p, kind="stable")
            run, other = zip(*(pairs[i] for i in order), strict=True) if pairs else ((), ())
            columns = {"run": run, "other": other, "place": np.arange(1, len(p) + 1), "p": p[order]}
            parts.append(pd.DataFrame({"measure": measure, "test": test, **columns}))
    return pd.concat(parts, ignore_index=True)


def discriminative_power(levels: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """The share of pairs told apart at a level, from `achieved_levels`: columns measure, test, pairs, told_apart.

    ``told_apart = |{pairs: p <= alpha}| / |pairs|``, in [0, 1]; more is surer.
    """
    by = levels.assign(apart=levels["p"] <= alpha).groupby(["measure", "test"], sort=False)["apart"]
    return by.agg(pairs="size", told_apart="mean").reset_index()
