"""The study of fidelity: does SRP put perturbed runs in the expected order?

Its arrays have the six versions of L lists in the order that the paper expects (`EXPECTED`), best first.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats
from focuseval.papers.ali2008.frames import stacked
from focuseval.papers.ali2008.partly import Units, perturbed
from focuseval.statistics.correlations import Correlation, spearman
from focuseval.statistics.significance import mean_intervals
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL

#: differences up to this are rounding
ROUNDING = 1e-12

#: the versions between the best and the worst one, which alone would make a correlation
MIDDLE = slice(1, -1)

#: what is expected to be no worse than what: neighbours in the expected order, and each version beside the original
PAIRS = tuple(
    dict.fromkeys(
        [
            *pairwise(EXPECTED),
            *((version, ORIGINAL) for version in EXPECTED[: EXPECTED.index(ORIGINAL)]),
            *((ORIGINAL, version) for version in EXPECTED[EXPECTED.index(ORIGINAL) + 1 :]),
        ]
    )
)


def observed_orders(values: Floats) -> Floats:
    """(L, V) ranks among the versions of each list, 1 for the highest value of SRP (L, V).

    Values that agree to twelve decimals are equal, and share their mean rank.
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(-np.round(values, 12), axis=1)
    return ranks


def agreement(values: Floats) -> Correlation:
    """Spearman's rho of the expected and the observed ranks of all versions of all lists (L, V), pooled."""
    lists, versions = values.shape
    return spearman(np.tile(np.arange(versions), lists), observed_orders(values).ravel())


def as_expected(values: Floats) -> Bools:
    """(L,) whether SRP never rises along the expected order."""
    return (np.diff(values, axis=1) <= ROUNDING).all(axis=1)


def fidelity(wide: pd.DataFrame) -> pd.DataFrame:
    """Does SRP put perturbed runs in the expected order? Figure 6 and Table 3, C.

    ``wide`` has an index of run and topic, and SRP of the versions (`EXPECTED`) as columns, at one cut-off. Spearman's
    rho between expected and observed ranks, pooled over all runs and topics, over the runs of each topic (Figure 6),
    and over the topics of each run. Returns level (overall, topic, run), name, coefficient, p_value (two-tailed),
    middle and middle_p (the same of the middle four versions alone), lists (pairs of run and topic), as_expected (the
    share of lists whose values never rise along the expected order).
    """
    wide = wide[list(EXPECTED)]
    groups = [("overall", "all", wide)]
    groups += [(of, str(name), part) for of in ("topic", "run") for name, part in wide.groupby(level=of)]
    rows = []
    for level, name, part in groups:
        values = part.to_numpy(float)
        whole, middle = agreement(values), agreement(values[:, MIDDLE])
        share = float(as_expected(values).mean())
        rhos = whole.coefficient, whole.p_value, middle.coefficient, middle.p_value
        rows.append((level, name, *rhos, len(values), share))
    of = ["coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"]
    return pd.DataFrame(rows, columns=["level", "name", *of])


def fidelity_steps(wide: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order by itself: in how many lists it holds.

    ``wide`` as for `fidelity`. Returns better, worse (neighbours in `EXPECTED`), mean_better, mean_worse (over runs
    and topics), and the shares of lists where the first is higher, equal, lower.
    """
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        higher, lower = float((gain > ROUNDING).mean()), float((gain < -ROUNDING).mean())
        equal = float((gain.abs() <= ROUNDING).mean())
        rows.append((better, worse, wide[better].mean(), wide[worse].mean(), higher, equal, lower))
    columns = ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"]
    return pd.DataFrame(rows, columns=columns)


def gains(by_topic: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """Mean differences of versions over topics, with their intervals.

    ``by_topic`` has a row for each topic and a column for each version: means over runs. Returns better, worse (of
    `PAIRS`), gain (the mean of better less worse), low, high: its 95 % bootstrap interval over topics, NaN of one.
    """
    better, worse = (by_topic[list(side)].to_numpy(float) for side in zip(*PAIRS, strict=True))
    low, high = mean_intervals(better - worse, resamples=resamples, seed=seed)
    table = pd.DataFrame(PAIRS, columns=["better", "worse"])
    return table.assign(gain=(better - worse).mean(axis=0), low=low, high=high)


_AT = ["task", "cutoff"]


def fidelity_studies(scores: pd.DataFrame, resamples: int, seed: int) -> dict[str, pd.DataFrame]:
    """The study of runs perturbed in full, for every task and cut-off.

    ``scores`` has the columns task, cutoff, run, topic, perturbation, value. Returns, with the columns task and
    cutoff: fidelity (`fidelity`), steps (`fidelity_steps`), gains (`gains`), versions (version, value: mean SRP).
    """
    known = scores.astype({"run": str, "topic": str, "cutoff": int, "value": float})
    found: dict[str, list[pd.DataFrame]] = {"fidelity": [], "steps": [], "gains": [], "versions": []}
    for task, of_task in known.groupby("task", sort=False):
        for cutoff, part in of_task.groupby("cutoff"):
            wide = part.pivot(index=["run", "topic"], columns="perturbation", values="value")
            mean = wide.mean().rename("value").rename_axis("version").reset_index()
            by_topic = wide.groupby(level="topic").mean()
            for name, table in (
                ("fidelity", fidelity(wide)),
                ("steps", fidelity_steps(wide)),
                ("gains", gains(by_topic, resamples, seed)),
                ("versions", mean),
            ):
                found[name].append(table.assign(task=task, cutoff=cutoff))
    return {name: stacked(tables, [*_AT, *_COLUMNS[name]]) for name, tables in found.items()}


_COLUMNS = {
    "fidelity": [
        *("level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"),
    ],
    "steps": ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"],
    "gains": ["better", "worse", "gain", "low", "high"],
    "versions": ["version", "value"],
    "draws": ["draw", "version", "value"],
    "orders": ["draw", "coefficient", "middle", "as_expected"],
}


def partly_studies(
    units: dict[str, Units],
    cutoffs: dict[str, Sequence[int]],
    *,
    share: float,
    draws: int,
    seed: int,
    resamples: int,
) -> dict[str, pd.DataFrame]:
    """The study of runs perturbed in part, in many draws, for every task with `Units`.

    Returns, with the columns task and cutoff: draws (draw, version, value: mean SRP), orders (draw, coefficient,
    middle, as_expected: of all lists, as in `fidelity`), gains (`gains` of the means over draws).
    """
    found: dict[str, list[pd.DataFrame]] = {"draws": [], "orders": [], "gains": []}
    for task, of_task in units.items():
        ranks = cutoffs[task]
        values = np.empty((draws, len(of_task.lists), len(EXPECTED), len(ranks)))
        for version, draw, reached in perturbed(of_task, ranks, share=share, draws=draws, seed=seed):
            values[slice(None) if draw == 0 else draw - 1, :, EXPECTED.index(version)] = reached
        topic = of_task.lists["topic"].to_numpy()
        for at, cutoff in enumerate(ranks):
            where = {"task": task, "cutoff": cutoff}
            mean = pd.DataFrame(values[..., at].mean(axis=1), columns=list(EXPECTED)).rename_axis("draw")
            long = mean.stack().rename_axis(["draw", "version"]).rename("value").reset_index()
            found["draws"].append(long.assign(**where))
            rows = [
                (
                    draw,
                    agreement(one).coefficient,
                    agreement(one[:, MIDDLE]).coefficient,
                    as_expected(one).mean(),
                )
                for draw, one in enumerate(values[..., at])
            ]
            found["orders"].append(pd.DataFrame(rows, columns=_COLUMNS["orders"]).assign(**where))
            of_lists = pd.DataFrame(values[..., at].mean(axis=0), columns=list(EXPECTED))
            found["gains"].append(gains(of_lists.groupby(topic).mean(), resamples, seed).assign(**where))
    return {name: stacked(tables, [*_AT, *_COLUMNS[name]]) for name, tables in found.items()}
