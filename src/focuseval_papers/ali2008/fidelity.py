"""The fidelity of SRP: whether SRP ranks perturbed versions of a run in the expected order.

Arrays have the shape (L, V): L lists in V versions, in the order of `EXPECTED` (best first).
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

#: SRP values are equal if they differ by at most this much (floating-point rounding)
ROUNDING = 1e-12

#: all versions except the best and the worst, which alone could cause a correlation
MIDDLE = slice(1, -1)

_WITH_ORIGINAL = [pair for pair in combinations(EXPECTED, 2) if ORIGINAL in pair]

#: pairs of versions to compare, better version first: neighbours in the expected order, and pairs with the original
PAIRS = tuple(dict.fromkeys([*pairwise(EXPECTED), *_WITH_ORIGINAL]))

#: input of a study: task, cut-off, and SRP as a table or an array
Studied = tuple[str, int, Any]

#: columns of each study's table, besides task and cutoff
FRAMES = {
    "fidelity": ["level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"],
    "steps": ["step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%", "holds_%"],
    "by_topic": ["topic", *EXPECTED],
    "versions": list(EXPECTED),
    "by_draw": ["draw", "coefficient", "middle", "as_expected", *EXPECTED],
}


def version(name: str) -> str:
    """Return the paper's name of a version of the runs, such as ``S0`` (the original runs) or ``(i)``."""
    return name if name == ORIGINAL else f"({name})"


def observed_orders(values: Floats) -> Floats:
    """Rank the versions (columns) of each list (row) by SRP; the version with the highest SRP has rank 1.

    Versions with equal SRP get the mean of their ranks.
    """
    rounded = np.round(values, 12)
    one, other = rounded[:, :, None], rounded[:, None, :]
    ranks: Floats = (other > one).sum(axis=2) + ((other == one).sum(axis=2) + 1) / 2
    return ranks


def agreement(orders: Floats) -> Correlation:
    """Return Spearman's rho between the expected order and the observed ranks ``orders``, over all lists."""
    lists, versions = orders.shape
    return spearman(np.tile(np.arange(versions), lists), orders.ravel())


def as_expected(values: Floats) -> Bools:
    """Return, for each list (row), whether no version has a higher SRP than the versions before it."""
    return np.asarray((np.diff(values, axis=1) <= ROUNDING).all(axis=1))


def fidelity(wide: pd.DataFrame) -> pd.DataFrame:
    """Test whether SRP ranks perturbed runs in the expected order, as in Figure 6 and part C of Table 3.

    ``wide`` has a row for each list (run and topic), and a column of SRP for each version. The result has one row for
    all lists together, one for each topic, and one for each run.
    """
    values = wide[list(EXPECTED)].to_numpy(float)
    whole, middle, expected = observed_orders(values), observed_orders(values[:, MIDDLE]), as_expected(values)
    groups: list[tuple[str, str, Any]] = [("overall", "all", slice(None))]
    for level in ("topic", "run"):
        groups += [(level, str(name), rows) for name, rows in wide.groupby(level=level).indices.items()]
    rows = []
    for level, name, lists in groups:
        rhos = [agreement(orders[lists]) for orders in (whole, middle)]
        numbers = [number for rho in rhos for number in (rho.coefficient, rho.p_value)]
        rows.append((level, name, *numbers, len(expected[lists]), float(expected[lists].mean())))
    return pd.DataFrame(rows, columns=FRAMES["fidelity"])


def topics_in_order(by_divisor: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Count the topics in which SRP does not rank versions in the expected order, for each divisor of SRP (Figure 6).

    Versions are in the expected order if rho is positive and its p-value is below 0.05. ``by_divisor`` has a result
    of `fidelity` for each divisor.
    """
    table = pd.concat([frame.assign(divisor=name) for name, frame in by_divisor.items()])
    keys, of_topics = ["task", "cutoff", "divisor"], table[table["level"] == "topic"]
    in_order = (of_topics["coefficient"] > 0) & (of_topics["p_value"] < 0.05)
    counts = (~in_order).groupby([of_topics[key] for key in keys]).agg(["size", "sum"])
    counts = counts.rename(columns={"size": "topics", "sum": "not_in_order"})
    overall = table.loc[table["level"] == "overall", [*keys, "coefficient"]]
    return overall.join(counts, on=keys).sort_values(["task", "cutoff"], kind="stable", ignore_index=True)


def fidelity_steps(wide: pd.DataFrame) -> pd.DataFrame:
    """Compare SRP of each version of runs with SRP of the next, worse version in the expected order.

    ``wide`` has a row for each list (run and topic), and a column of SRP for each version. The column holds_% is the
    percentage of lists in which the better version scores at least as high.
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
    """Return the mean difference in SRP between the versions of each pair in `PAIRS`, with a 95 % interval over topics.

    ``by_topic`` has the mean SRP of each topic and version.
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
    """Return SRP of each topic (row) and version (column), averaged over runs."""
    return wide.groupby(level="topic")[list(EXPECTED)].mean().reset_index()


def by_draw(values: Floats) -> pd.DataFrame:
    """Measure, for each draw, how well the observed order of versions agrees with the expected order.

    ``values`` has the shape (draws, lists, versions).
    """
    rows = [
        (
            draw,
            *(agreement(observed_orders(part)).coefficient for part in (srp, srp[:, MIDDLE])),
            *(as_expected(srp).mean(), *srp.mean(axis=0)),
        )
        for draw, srp in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=FRAMES["by_draw"])


def apply_study(studied: Sequence[Studied], name: str, study: Callable[[Any], pd.DataFrame]) -> pd.DataFrame:
    """Apply a study to each task and cut-off, and join the results.

    ``name`` is the key of the study's columns in `FRAMES`.
    """
    tables = [study(srp).assign(task=task, cutoff=cutoff) for task, cutoff, srp in studied]
    return stacked(tables, ["task", "cutoff", *FRAMES[name]])
