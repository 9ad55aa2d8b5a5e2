"""The studies of Section 7: accuracy and fidelity, as pure functions from tidy scores to tables."""

from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.simulation.perturbations import EXPECTED
from focuseval.statistics import pearson, spearman


def accuracy(scores: pd.DataFrame) -> pd.DataFrame:
    """Does SRP order systems as nxCG does? Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural, reference: the means over topics of the two measures
    at each cut-off, for every run. Returns part, cutoff, statistic, coefficient, p_value, systems: *overall*,
    Spearman's rho of the two columns at one cut-off; *relative*, Pearson's r of the changes of a system's
    rank from the cut-off before (not defined at the first one). Two-tailed p-values; NaN where a column is
    constant.
    """
    rows = []
    before: pd.DataFrame | None = None
    for cutoff, at in scores.sort_values(["cutoff", "run"]).groupby("cutoff"):
        at = at.set_index("run")[["structural", "reference"]]
        found = spearman(at["structural"], at["reference"])
        rows.append(("overall", cutoff, "spearman", found.coefficient, found.p_value, len(at)))
        ranks = at.rank(ascending=False)
        coefficient = p_value = np.nan
        if before is not None:
            change = (ranks - before).dropna()
            line = pearson(change["structural"], change["reference"])
            coefficient, p_value = line.r, line.p_value
        rows.append(("relative", cutoff, "pearson", coefficient, p_value, len(at)))
        before = ranks
    table = pd.DataFrame(rows, columns=["part", "cutoff", "statistic", "coefficient", "p_value", "systems"])
    return table.sort_values(["part", "cutoff"], ignore_index=True)


def observed_orders(scores: pd.DataFrame) -> pd.DataFrame:
    """The rank of each perturbation among the six versions of a run, for every run and topic.

    ``scores`` has the columns run, topic, perturbation (the names of `EXPECTED`), value. Adds the columns
    expected (1 … 6) and observed (1 for the highest value, equal values share their mean rank).
    """
    expected = {name: i for i, name in enumerate(EXPECTED, start=1)}
    known = scores[scores["perturbation"].isin(expected)]
    by_list = known.groupby(["run", "topic"])["value"]
    return known.assign(
        expected=known["perturbation"].map(expected).astype(float),
        observed=by_list.rank(ascending=False, method="average"),
    )


def fidelity(scores: pd.DataFrame) -> pd.DataFrame:
    """Does SRP put perturbed runs in the expected order? Figure 6 and Table 3, C.

    ``scores`` as for `observed_orders`, at one cut-off. Spearman's rho between expected and observed ranks,
    pooled over all runs and topics, over the runs of each topic (Figure 6), and over the topics of each run.
    Returns level (overall, topic, run), name, coefficient, p_value (two-tailed), lists (pairs of run and
    topic), as_expected (the share of lists whose values never rise along the expected order).
    """
    ranks = observed_orders(scores)
    wide = ranks.pivot(index=["run", "topic"], columns="perturbation", values="value")[list(EXPECTED)]
    holds = (wide.diff(axis=1).iloc[:, 1:] <= 1e-12).all(axis=1)

    def row(
        level: str, name: str, part: pd.DataFrame, lists: pd.Series
    ) -> tuple[str, str, float, float, int, float]:
        found = spearman(part["expected"], part["observed"])
        return level, name, found.coefficient, found.p_value, len(lists), float(lists.mean())

    rows = [row("overall", "all", ranks, holds)]
    for level in ("topic", "run"):
        lists = dict(list(holds.groupby(level=level)))
        rows += [row(level, str(name), part, lists[name]) for name, part in ranks.groupby(level)]
    return pd.DataFrame(rows, columns=["level", "name", "coefficient", "p_value", "lists", "as_expected"])


def fidelity_steps(scores: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order by itself: which of its inequalities hold.

    ``scores`` as for `observed_orders`. Returns better, worse (neighbours in `EXPECTED`), mean_better,
    mean_worse (over runs and topics), and the shares of lists where the first is higher, equal, lower.
    """
    wide = scores.pivot(index=["run", "topic"], columns="perturbation", values="value")
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        higher, lower = float((gain > 1e-12).mean()), float((gain < -1e-12).mean())
        equal = float((gain.abs() <= 1e-12).mean())
        rows.append((better, worse, wide[better].mean(), wide[worse].mean(), higher, equal, lower))
    columns = ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"]
    return pd.DataFrame(rows, columns=columns)
