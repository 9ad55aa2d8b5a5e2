"""The study of fidelity: does SRP put perturbed runs in the expected order?

Its arrays have the six versions of L lists in the order that the paper expects (`EXPECTED`), best first.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats
from focuseval.statistics.correlations import Correlation, spearman
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import mean_intervals
from focuseval.statistics.weighted import Statistic
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL
from focuseval_papers.ali2008.partly import Units, perturbed
from focuseval_papers.publication.frames import stacked

#: differences up to this are rounding
ROUNDING = 1e-12

_AT = ["task", "cutoff"]

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


def version(name: str) -> str:
    """How a version is written: S0, (i)."""
    return name if name == ORIGINAL else f"({name})"


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
    return np.asarray((np.diff(values, axis=1) <= ROUNDING).all(axis=1))


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

    ``by_topic`` from `fidelity_studies` or `partly_studies`. Returns task, cutoff, better, worse (of `PAIRS`), gain
    (the mean of better less worse), low, high: its 95 % interval over topics (`mean_intervals`).
    """
    tables = []
    for (task, cutoff), part in by_topic.groupby(_AT, sort=False):
        better, worse = (part[list(side)].to_numpy(float) for side in zip(*PAIRS, strict=True))
        low, high = mean_intervals(better - worse, resamples=resamples, seed=seed)
        table = pd.DataFrame(PAIRS, columns=["better", "worse"]).assign(task=task, cutoff=cutoff)
        tables.append(table.assign(gain=column_means(better - worse), low=low, high=high))
    return stacked(tables, [*_AT, "better", "worse", "gain", "low", "high"])


#: what `rho_of` needs to know of the pairs of ranks (x, y) of each topic: their number, sums and sums of products
MOMENTS = ("pairs", "x", "y", "xx", "yy", "xy")


def orders_by_topic(wide: pd.DataFrame) -> pd.DataFrame:
    """What the order of the lists of each topic adds to the numbers of all.

    ``wide`` as for `fidelity`. Returns topic, lists, as_expected (how many lists never rise along the expected order),
    and `MOMENTS` of the expected ranks and the observed ones of the middle four versions; observed ranks are those
    among all lists, as Spearman's rho has them.
    """
    from scipy.stats import rankdata

    values = wide[list(EXPECTED)].to_numpy(float)
    middle = observed_orders(values[:, MIDDLE])
    y = rankdata(middle).reshape(middle.shape)
    x = np.broadcast_to(np.arange(middle.shape[1], dtype=float), middle.shape)
    columns = {
        "lists": np.ones(len(wide)),
        "as_expected": as_expected(values).astype(float),
        **dict(
            zip(MOMENTS, (column.sum(axis=1) for column in (x**0, x, y, x * x, y * y, x * y)), strict=True)
        ),
    }
    topic = wide.index.get_level_values("topic")
    return pd.DataFrame(columns).groupby(topic).sum().rename_axis("topic").reset_index()


def rho_of(moments: Floats) -> Statistic:
    """Pearson's r of pairs of ranks, from `MOMENTS` of each topic (n, 6): Spearman's rho of the topics that count."""

    def statistic(weights: Floats) -> Floats:
        pairs, x, y, xx, yy, xy = (weights @ moments).T
        with np.errstate(divide="ignore", invalid="ignore"):
            found = (pairs * xy - x * y) / np.sqrt((pairs * xx - x * x) * (pairs * yy - y * y))
        return np.where(np.isfinite(found), found, np.nan)

    return statistic


def fidelity_studies(scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The study of runs perturbed in full, for every task and cut-off.

    ``scores`` has the columns task, cutoff, run, topic, perturbation, value. Returns, with the columns task and
    cutoff: fidelity (`fidelity`), steps (`fidelity_steps`), orders_by_topic, by_topic (topic, and a column for each
    version: mean SRP over runs), versions (version, value: mean SRP).
    """
    known = scores.astype({"run": str, "topic": str, "cutoff": int, "value": float})
    names = ("fidelity", "steps", "orders_by_topic", "by_topic", "versions")
    found: dict[str, list[pd.DataFrame]] = {name: [] for name in names}
    for task, of_task in known.groupby("task", sort=False):
        for cutoff, part in of_task.groupby("cutoff"):
            wide = part.pivot(index=["run", "topic"], columns="perturbation", values="value")
            mean = wide.mean().rename("value").rename_axis("version").reset_index()
            of_versions = wide.groupby(level="topic")[list(EXPECTED)].mean().reset_index()
            tables = fidelity(wide), fidelity_steps(wide), orders_by_topic(wide), of_versions, mean
            for name, table in zip(names, tables, strict=True):
                found[name].append(table.assign(task=task, cutoff=cutoff))
    return {name: stacked(tables, [*_AT, *_COLUMNS[name]]) for name, tables in found.items()}


_COLUMNS = {
    "fidelity": [
        *("level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"),
    ],
    "steps": ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"],
    "orders_by_topic": ["topic", "lists", "as_expected", *MOMENTS],
    "by_topic": ["topic", *EXPECTED],
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
) -> dict[str, pd.DataFrame]:
    """The study of runs perturbed in part, in many draws, for every task with `Units`.

    Returns, with the columns task and cutoff: draws (draw, version, value: mean SRP), orders (draw, coefficient,
    middle, as_expected: of all lists, as in `fidelity`), by_topic (as in `fidelity_studies`, means over runs, draws).
    """
    found: dict[str, list[pd.DataFrame]] = {"draws": [], "orders": [], "by_topic": []}
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
            by_topic = of_lists.groupby(topic).mean().rename_axis("topic").reset_index()
            found["by_topic"].append(by_topic.assign(**where))
    return {name: stacked(tables, [*_AT, *_COLUMNS[name]]) for name, tables in found.items()}
