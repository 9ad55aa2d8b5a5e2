"""The accuracy of structural relevance in precision (SRP): whether SRP and nxCG rank systems alike."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.statistics.correlations import Correlation, pearson, spearman
from focuseval_papers.ali2008.study import LABEL
from focuseval_papers.publication.claims import stacked

#: labels of the compared forms of SRP and of nxCG; the paper compares the first form of each
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: divisors of SRP@k: the length of the list (as in Section 6 of the paper), or k
DIVISORS = "length", "k"


#: rho is also computed over this number of best systems
BEST = 10

#: columns of the table that `accuracy` returns
ACCURACY_COLUMNS = [
    "part", "cutoff", "statistic", "coefficient", "p_value", "systems",
    "best_ten", "nxCG_from", "nxCG_to", "moved",
]  # fmt: skip


def accuracy(scores: pd.DataFrame, orders: Mapping[int, Correlation] | None = None) -> pd.DataFrame:
    """Correlate the measures SRP and nxCG over systems, as in parts A and B of Table 3.

    ``scores`` has the columns run, cutoff, structural (SRP) and reference (nxCG). ``orders`` maps a cut-off to the rank
    correlation that the campaign stores.
    """
    scores = scores.sort_values(["cutoff", "run"])
    changes = rank_changes(scores, ["structural", "reference"])
    orders = orders or {}
    rows = []
    for cutoff, part in scores.groupby("cutoff"):
        systems, reference = len(part), part["reference"]
        order = orders.get(int(cutoff)) or spearman(part["structural"], reference)
        best = part.nlargest(BEST, "reference")
        ends = spearman(best["structural"], best["reference"]).coefficient, reference.min(), reference.max()
        rows.append(("overall", cutoff, "spearman", order.coefficient, order.p_value, systems, *ends, np.nan))
        change = changes.loc[part.index].dropna()
        line, moved = pearson(*change.to_numpy().T) if len(change) else None, (change != 0).all(axis=1).sum()
        numbers = (line.r, line.p_value) if line else (np.nan, np.nan)
        rows.append(("relative", cutoff, "pearson", *numbers, systems, *[np.nan] * 3, moved))
    table = pd.DataFrame(rows, columns=ACCURACY_COLUMNS)
    return table.sort_values(["part", "cutoff"], ignore_index=True)


def rank_changes(scores: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the change in each run's rank since the previous cut-off, for each measure in ``columns``.

    ``scores`` must be sorted by cut-off. Changes are NaN at the first cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """Return the positive correlation of ``n`` pairs whose two-tailed p-value is ``p_value``."""
    from scipy import special

    t = -float(special.stdtrit(n - 2, p_value / 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """Correlate each variant of the measure SRP with each variant of nxCG over systems, for each task.

    ``mean`` has the columns task, label, cutoff, run and value. ``estimates`` are the correlations that the campaign
    stores.
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
            keys = {"task": task, "structural": measure, "reference": reference}
            orders = {
                k: names[task, LABEL.format(measure, k), LABEL.format(reference, k)]
                for k in pair["cutoff"].unique()
                if (task, LABEL.format(measure, k), LABEL.format(reference, k)) in names
            }
            accuracies = accuracy(pair[["run", "cutoff", "structural", "reference"]], orders)
            tables.append(accuracies.assign(**keys, reading=f"{measure} and {reference}"))
    return stacked(tables, ["task", "structural", "reference", "reading", *ACCURACY_COLUMNS])
