"""Fidelity: whether SRP puts perturbed runs in the expected order.

Arrays of shape (L, V) have the values of L lists in V versions, in the order that the paper expects (`EXPECTED`), best
first.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats
from focuseval.statistics.correlations import Correlation, spearman
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import difference, mean_intervals
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL
from focuseval_papers.publication.claims import stacked

#: SRP values that differ by no more than this are equal; the difference is a rounding error
ROUNDING = 1e-12

#: the versions without the best and the worst one, which alone would cause a correlation
MIDDLE = slice(1, -1)

_WITH_ORIGINAL = [pair for pair in combinations(EXPECTED, 2) if ORIGINAL in pair]

#: pairs of versions, of which the first should be better: neighbours in the expected order, and the original with every
#: other version
PAIRS = tuple(dict.fromkeys([*pairwise(EXPECTED), *_WITH_ORIGINAL]))

#: the input of a study: the task, the cut-off, and SRP (a table of runs and topics by version, or an array of draws)
Studied = tuple[str, int, Any]

#: the columns of the tables of both studies, by name of the table; each table also has the columns task and cutoff
FRAMES = {
    "fidelity": ["level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"],
    "steps": ["step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%", "holds_%"],
    "by_topic": ["topic", *EXPECTED],
    "versions": list(EXPECTED),
    "by_draw": ["draw", "coefficient", "middle", "as_expected", *EXPECTED],
}


def version(name: str) -> str:
    """Return the name of a version as the paper writes it, such as S0 or (i)."""
    return name if name == ORIGINAL else f"({name})"


def observed_orders(values: Floats) -> Floats:
    """Return the rank of each version's SRP within its list, an array of shape (L, V); rank 1 has the highest value.

    Values that agree to twelve decimals share their mean rank.
    """
    rounded = np.round(values, 12)
    one, other = rounded[:, :, None], rounded[:, None, :]
    ranks: Floats = (other > one).sum(axis=2) + ((other == one).sum(axis=2) + 1) / 2
    return ranks


def agreement(orders: Floats) -> Correlation:
    """Return Spearman's rho between the expected order and the ranks of `observed_orders`, pooled over all lists."""
    lists, versions = orders.shape
    return spearman(np.tile(np.arange(versions), lists), orders.ravel())


def as_expected(values: Floats) -> Bools:
    """Return for each of L lists whether SRP never rises along the expected order, an array of shape (L,)."""
    return np.asarray((np.diff(values, axis=1) <= ROUNDING).all(axis=1))


def fidelity(wide: pd.DataFrame) -> pd.DataFrame:
    """Test whether SRP puts perturbed runs in the expected order: Figure 6 and Table 3, C.

    ``wide`` has an index of run and topic, and the versions (`EXPECTED`) as columns of SRP at one cut-off. The
    statistic is Spearman's rho between expected and observed ranks. It is pooled over all runs and topics, over the
    runs of each topic (Figure 6), and over the topics of each run. The result has the columns level (overall, topic,
    run), name, coefficient, p_value (two-tailed), middle and middle_p (coefficient and p-value of the middle four
    versions), lists (pairs of run and topic), and as_expected (the share of lists whose values never rise along the
    expected order).
    """
    values = wide[list(EXPECTED)].to_numpy(float)
    whole, middle, expected = observed_orders(values), observed_orders(values[:, MIDDLE]), as_expected(values)
    groups: list[tuple[str, str, Any]] = [("overall", "all", slice(None))]
    for level in ("topic", "run"):
        groups += [(level, str(name), of) for name, of in wide.groupby(level=level).indices.items()]
    rows = []
    for level, name, of in groups:
        rhos = [agreement(orders[of]) for orders in (whole, middle)]
        numbers = [number for rho in rhos for number in (rho.coefficient, rho.p_value)]
        rows.append((level, name, *numbers, len(expected[of]), float(expected[of].mean())))
    return pd.DataFrame(rows, columns=FRAMES["fidelity"])


def topics_in_order(of_divisors: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the numbers of Figure 6 for each divisor of SRP.

    The input is the result of `fidelity` for every task and cut-off. The columns are task, cutoff, divisor, coefficient
    (of all lists), topics and not_in_order (topics whose rho is not positive with p < 0.05).
    """
    table = pd.concat([frame.assign(divisor=name) for name, frame in of_divisors.items()])
    keys, of_topics = ["task", "cutoff", "divisor"], table[table["level"] == "topic"]
    in_order = (of_topics["coefficient"] > 0) & (of_topics["p_value"] < 0.05)
    counts = (~in_order).groupby([of_topics[key] for key in keys]).agg(["size", "sum"])
    counts = counts.rename(columns={"size": "topics", "sum": "not_in_order"})
    overall = table.loc[table["level"] == "overall", [*keys, "coefficient"]]
    return overall.join(counts, on=keys).sort_values(["task", "cutoff"], kind="stable", ignore_index=True)


def fidelity_steps(wide: pd.DataFrame) -> pd.DataFrame:
    """Compare the two versions at each step of the expected order, and count the lists that keep the order.

    ``wide`` is as in `fidelity`. The columns are step, mean_better and mean_worse (means of SRP over runs and topics),
    and four percentages of lists. In these lists, the version expected to be better is higher, equal, lower, or not
    lower.
    """
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        shares = (gain > ROUNDING).mean(), (gain.abs() <= ROUNDING).mean(), (gain < -ROUNDING).mean()
        step = f"{version(better)} ≥ {version(worse)}"
        in_percent = [100 * float(share) for share in (*shares, sum(shares[:2]))]
        rows.append((step, wide[better].mean(), wide[worse].mean(), *in_percent))
    return pd.DataFrame(rows, columns=FRAMES["steps"])


def gains(by_topic: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """Return the mean difference in SRP over topics for each of the `PAIRS` of versions, with its interval.

    ``by_topic`` has the values of both studies; its column perturbed names the study. The columns of the result are
    task, cutoff, perturbed, difference, mean, low and high. The last two are the limits of the 95 % interval over
    topics (`mean_intervals`).
    """
    keys = ["perturbed", "task", "cutoff"]
    tables = []
    for key, part in by_topic.groupby(keys, sort=False):
        better, worse = (part[list(side)].to_numpy(float) for side in zip(*PAIRS, strict=True))
        gain = difference(worse, better)
        low, high = mean_intervals(gain, resamples=resamples, seed=seed)
        columns = {"mean": column_means(gain), "low": low, "high": high}
        names = [f"{version(better)} − {version(worse)}" for better, worse in PAIRS]
        tables.append(
            pd.DataFrame({"difference": names, **columns}).assign(**dict(zip(keys, key, strict=True)))
        )
    return stacked(tables, ["task", "cutoff", "perturbed", "difference", "mean", "low", "high"])


def by_topic(wide: pd.DataFrame) -> pd.DataFrame:
    """Return the mean SRP over runs for each topic, with a column for each version."""
    return wide.groupby(level="topic")[list(EXPECTED)].mean().reset_index()


def by_draw(values: Floats) -> pd.DataFrame:
    """Return the agreement with the expected order in each draw, one row for each draw.

    The columns are draw, coefficient, middle and as_expected (as in `fidelity`), and the mean SRP of each version.
    ``values`` has the shape (D, L, V): draws, lists, versions.
    """
    rows = [
        (
            draw,
            *(agreement(observed_orders(of)).coefficient for of in (one, one[:, MIDDLE])),
            *(as_expected(one).mean(), *one.mean(axis=0)),
        )
        for draw, one in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=FRAMES["by_draw"])


def together(studied: Sequence[Studied], name: str, study: Callable[[Any], pd.DataFrame]) -> pd.DataFrame:
    """Apply a study to all tasks and cut-offs, and return all results in one table.

    ``name`` is the name of the study's columns in `FRAMES`; the table also has the columns task and cutoff.
    """
    tables = [study(of).assign(task=task, cutoff=cutoff) for task, cutoff, of in studied]
    return stacked(tables, ["task", "cutoff", *FRAMES[name]])
