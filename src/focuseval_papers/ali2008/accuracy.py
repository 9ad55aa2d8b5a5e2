"""Accuracy: whether SRP orders systems as nxCG does."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.statistics.correlations import Correlation, pearson, spearman
from focuseval_papers.ali2008.study import LABEL
from focuseval_papers.publication.claims import (
    stacked,
)

#: measures of systems in the study: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: divisors of SRP@k: the length of the list, as in Section 6, and k
DIVISORS = "length", "k"


#: number of best systems for which rho is shown separately
BEST = 10

#: columns of `accuracy`
OF_ACCURACY = [
    "part", "cutoff", "statistic", "coefficient", "p_value", "systems",
    "best_ten", "nxCG_from", "nxCG_to", "moved",
]  # fmt: skip


def accuracy(scores: pd.DataFrame, orders: Mapping[int, Correlation] | None = None) -> pd.DataFrame:
    """Test whether SRP orders systems as nxCG does: Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural, reference: the means over topics of the two measures
    at each cut-off, for every run. Returns part, cutoff, statistic, coefficient, p_value, systems: *overall*,
    Spearman's rho of the two columns at one cut-off; *relative*, Pearson's r of the changes of a system's
    rank from the cut-off before (not defined at the first one). Two-tailed p-values; NaN where a column is
    constant. Beside rho are that of the `BEST` systems under the reference (best_ten), and its lowest and highest mean;
    beside r how many systems change rank under both (moved).
    ``orders`` are Spearman's rho by cut-off, as far as they are known.
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
    """Return changes of the rank of each run under some columns from one cut-off to the next; NaN at the first one.

    ``scores`` has the columns run and cutoff, and is sorted by cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """Return the positive coefficient of n pairs with this two-tailed p-value: r = t / sqrt(n - 2 + t²)."""
    from scipy import special

    t = -float(special.stdtrit(n - 2, p_value / 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """`accuracy` of every task, structural measure and reference, from means over topics.

    ``mean`` has the columns task, label, cutoff, run, value; ``estimates`` are the correlations of the campaign
    (`correlates`). Adds the columns task, structural, reference, reading;
    the paper's reading (the first of each) comes first.
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
