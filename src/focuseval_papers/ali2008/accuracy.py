"""Accuracy: whether SRP and nxCG rank systems alike."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.statistics.correlations import Correlation, pearson, spearman
from focuseval_papers.ali2008.study import LABEL
from focuseval_papers.publication.claims import stacked

#: labels of the measures: forms of SRP, and forms of nxCG with which they are compared; the paper compares the first
#: form of SRP with the first form of nxCG
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: the two possible divisors of SRP@k: the length of the list (Section 6 of the paper), or k
DIVISORS = "length", "k"


#: number of best systems whose rankings are also correlated separately
BEST = 10

#: columns of the result of `accuracy`
OF_ACCURACY = [
    "part", "cutoff", "statistic", "coefficient", "p_value", "systems",
    "best_ten", "nxCG_from", "nxCG_to", "moved",
]  # fmt: skip


def accuracy(scores: pd.DataFrame, orders: Mapping[int, Correlation] | None = None) -> pd.DataFrame:
    """Test whether SRP and nxCG rank systems alike: Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural (SRP) and reference (nxCG); values are means over topics. The
    result has the columns part, cutoff, statistic, coefficient, p_value and systems.

    In the part *overall*, the coefficient is Spearman's rho between the two measures at one cut-off. The column
    best_ten is rho among the `BEST` systems with the highest reference. Two more columns have the lowest and the
    highest reference.

    In the part *relative*, the coefficient is Pearson's r, over systems, between the two measures' changes in rank
    since the previous cut-off. It is undefined at the first cut-off. The column moved is the number of systems whose
    rank changes under both measures.

    P-values are two-tailed, and NaN if a column is constant. ``orders`` has the values of Spearman's rho that are
    already known, by cut-off.
    """
    scores = scores.sort_values(["cutoff", "run"])
    changes = rank_changes(scores, ["structural", "reference"])
    orders = orders or {}
    rows = []
    for cutoff, at in scores.groupby("cutoff"):
        systems, reference = len(at), at["reference"]
        order = orders.get(int(cutoff)) or spearman(at["structural"], reference)
        best = at.nlargest(BEST, "reference")
        ends = spearman(best["structural"], best["reference"]).coefficient, reference.min(), reference.max()
        rows.append(("overall", cutoff, "spearman", order.coefficient, order.p_value, systems, *ends, np.nan))
        change = changes.loc[at.index].dropna()
        line, moved = pearson(*change.to_numpy().T) if len(change) else None, (change != 0).all(axis=1).sum()
        numbers = (line.r, line.p_value) if line else (np.nan, np.nan)
        rows.append(("relative", cutoff, "pearson", *numbers, systems, *[np.nan] * 3, moved))
    table = pd.DataFrame(rows, columns=OF_ACCURACY)
    return table.sort_values(["part", "cutoff"], ignore_index=True)


def rank_changes(scores: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the changes of each run's rank, by each column, since the previous cut-off; NaN at the first cut-off.

    ``scores`` has the columns run and cutoff, and is sorted by cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """Return the positive correlation of n pairs that has this two-tailed p-value: r = t / sqrt(n - 2 + t²)."""
    from scipy import special

    t = -float(special.stdtrit(n - 2, p_value / 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the result of `accuracy` for every task, structural measure and reference, from means over topics.

    ``mean`` has the columns task, label, cutoff, run, value; ``estimates`` are the correlations of the campaign
    (`correlates`). The additional columns are task, structural, reference and reading. The paper's reading, which uses
    the first structural measure and the first reference, comes first.
    """
    tables = []
    names = {
        (row.group.removesuffix(" runs"), row.a, row.b): Correlation(row.value, row.p_value)
        for row in estimates.itertuples()
    }
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for measure, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={measure: "structural", reference: "reference"})
            of = {"task": task, "structural": measure, "reference": reference}
            orders = {
                k: names[task, LABEL.format(measure, k), LABEL.format(reference, k)]
                for k in pair["cutoff"].unique()
                if (task, LABEL.format(measure, k), LABEL.format(reference, k)) in names
            }
            accuracies = accuracy(pair[["run", "cutoff", "structural", "reference"]], orders)
            tables.append(accuracies.assign(**of, reading=f"{measure} and {reference}"))
    return stacked(tables, ["task", "structural", "reference", "reading", *OF_ACCURACY])
