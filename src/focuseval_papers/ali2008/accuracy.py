"""The accuracy of structural relevance in precision (SRP): whether SRP and nxCG rank systems alike."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.statistics.correlations import Correlation, pearson, spearman
from focuseval_papers.ali2008.study import LABEL
from focuseval_papers.publication.claims import stacked

#: labels of the measures that are compared: forms of SRP, and forms of nxCG. The paper compares the first form of each
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: the possible divisors of SRP@k: the length of the list (as in Section 6 of the paper), or k
DIVISORS = "length", "k"


#: number of best systems for which rho is also computed separately
BEST = 10

#: columns of the table that `accuracy` returns
ACCURACY_COLUMNS = [
    "part", "cutoff", "statistic", "coefficient", "p_value", "systems",
    "best_ten", "nxCG_from", "nxCG_to", "moved",
]  # fmt: skip


def accuracy(scores: pd.DataFrame, orders: Mapping[int, Correlation] | None = None) -> pd.DataFrame:
    """Test whether SRP and nxCG rank systems alike: parts A and B of Table 3.

    ``scores`` has the columns run, cutoff, structural (SRP) and reference (nxCG), whose values are means over topics.
    ``orders`` maps a cut-off to the rank correlation that the campaign stores; others are computed. The result has the
    columns `ACCURACY_COLUMNS`, and two rows for each cut-off.

    In the row *overall*, the coefficient is Spearman's rho between SRP and nxCG. The column best_ten has rho over the
    `BEST` systems under nxCG. The columns nxCG_from and nxCG_to have the lowest and the highest nxCG of any system.

    In the row *relative*, the coefficient is Pearson's r between the changes in rank under SRP and under nxCG since the
    previous cut-off. It is undefined at the first cut-off. The column moved has the number of systems whose rank
    changes under both measures.

    P-values are two-tailed. They are NaN if all systems have the same value.
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
    """Return how far each run moves in the ranking under each measure since the previous cut-off.

    ``scores`` has the columns run and cutoff and the measures ``columns``, and is sorted by cut-off. Changes are NaN at
    the first cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """Return the positive correlation of ``n`` pairs whose two-tailed p-value is ``p_value``.

    The correlation is t / sqrt(n - 2 + t²), where t is the quantile of Student's t-distribution.
    """
    from scipy import special

    t = -float(special.stdtrit(n - 2, p_value / 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """Test, for each task, whether each form of SRP ranks systems like each form of nxCG.

    ``mean`` has means over topics in the columns task, label, cutoff, run and value. ``estimates`` are the correlations
    that the campaign stores. In each task, the pair of forms that the paper compares comes first. The result has these
    columns, and those of `accuracy`:

    - ``task``
    - ``structural``, ``reference``: labels of the two forms
    - ``reading``: name of this pair of forms
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
