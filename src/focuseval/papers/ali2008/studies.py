"""The studies of Section 7: accuracy and fidelity, as pure functions from tidy scores to tables."""

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pandas as pd

from focuseval.model.results import Results
from focuseval.papers.ali2008.names import PARTS, REFERENCE, STRUCTURAL, parts_of
from focuseval.statistics.correlations import pearson, spearman
from focuseval.transformations.perturbations import EXPECTED


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
    expected (1 … 6) and observed (1 for the highest value; values that agree to twelve decimals are equal,
    and share their mean rank).
    """
    expected = {name: i for i, name in enumerate(EXPECTED, start=1)}
    known = scores[scores["perturbation"].isin(expected)]
    by_list = known["value"].round(12).groupby([known["run"], known["topic"]])
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


def labelled(scores: pd.DataFrame) -> pd.DataFrame:
    """Tidy scores with the columns label and cutoff in the place of measure (`names.parts_of`)."""
    measure = scores["measure"].astype(str)
    parts = {name: parts_of(name) for name in measure.unique()}
    return scores.drop(columns="measure").assign(
        label=measure.map({name: label for name, (label, _) in parts.items()}),
        cutoff=measure.map({name: cutoff for name, (_, cutoff) in parts.items()}),
    )


def _stacked(tables: Sequence[pd.DataFrame], columns: Sequence[str]) -> pd.DataFrame:
    """The tables below each other with these columns; an empty table of them if there is none."""
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat(tables, ignore_index=True)[list(columns)]


_KEYS = ["task", "label", "cutoff", "run"]
_READING = ["task", "structural", "reference"]


def means(scores: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Columns task, label, cutoff, run, value: means over topics of tables of tidy scores, one for each task."""
    tables = [
        labelled(table).astype({"task": str, "run": str}).groupby(_KEYS)["value"].mean().reset_index()
        for table in scores
    ]
    return _stacked(tables, [*_KEYS, "value"])


def accuracy_readings(mean: pd.DataFrame) -> pd.DataFrame:
    """`accuracy` of every task, structural measure and reference in a table of `means`.

    Adds the columns task, structural, reference; the paper's reading (the first of each) comes first.
    """
    tables = []
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for structural, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={structural: "structural", reference: "reference"})
            found = accuracy(pair[["run", "cutoff", "structural", "reference"]])
            tables.append(found.assign(task=task, structural=structural, reference=reference))
    columns = ["part", "cutoff", "statistic", "coefficient", "p_value", "systems"]
    return _stacked(tables, [*_READING, *columns])


def fidelity_studies(scores: Sequence[pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """`fidelity`, `fidelity_steps` and mean SRP of every version, for every task and cut-off.

    ``scores`` are tables of `focuseval.campaign.schema.PERTURBED_SCORES`, one for each task. The columns task and
    cutoff are added; means have the columns task, cutoff, version, value.
    """
    orders, steps, versions = [], [], []
    for table in scores:
        known = labelled(table).astype({"task": str, "run": str, "topic": str, "perturbation": str})
        for (task, cutoff), part in known.groupby(["task", "cutoff"]):
            where = {"task": task, "cutoff": cutoff}
            orders.append(fidelity(part).assign(**where))
            steps.append(fidelity_steps(part).assign(**where))
            mean = part.groupby("perturbation")["value"].mean()
            versions.append(mean.rename_axis("version").reset_index().assign(**where))
    at = ["task", "cutoff"]
    order = ["level", "name", "coefficient", "p_value", "lists", "as_expected"]
    step = ["better", "worse", "mean_better", "mean_worse", "higher", "equal", "lower"]
    return (
        _stacked(orders, [*at, *order]),
        _stacked(steps, [*at, *step]),
        _stacked(versions, [*at, "version", "value"]),
    )


def repeated(results: Results, size: int) -> pd.DataFrame:
    """How much the first ``size`` results of each list repeat, in all topics.

    Columns run, results, overlapping (results that share text with one before them), same_document (results
    of a document of which one stands before them).
    """
    totals = {str(run): [0, 0, 0] for run in results.runs}
    for found in results.lists():
        total = totals[found.run]
        first = found.article[:size]
        total[0] += len(first)
        total[1] += int((found.new_text < found.size)[:size].sum())
        total[2] += len(first) - len(np.unique(first))
    rows = [(run, *total) for run, total in totals.items()]
    return pd.DataFrame(rows, columns=["run", "results", "overlapping", "same_document"])


def table3(accuracies: pd.DataFrame, fidelities: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 3: part, task, cutoff, statistic, coefficient, p_value, printed, lists, as_expected_%.

    ``accuracies`` from `accuracy_readings`, of which the paper's reading is taken, ``fidelities`` from
    `fidelity_studies`; ``lists`` is the number of systems, or of pairs of run and topic.
    """
    paper = (accuracies["structural"] == STRUCTURAL[0]) & (accuracies["reference"] == REFERENCE[0])
    pooled = fidelities[fidelities["level"] == "overall"]
    found = pd.concat(
        [
            accuracies[paper].rename(columns={"systems": "lists"}),
            pooled.assign(part="fidelity", statistic="spearman"),
        ],
        ignore_index=True,
    )
    part = [PARTS[key] for key in zip(found["task"], found["part"], strict=True)]
    known = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    table = found.assign(study=found["part"], part=part).merge(known, how="left", on=["part", "cutoff"])
    table["as_expected_%"] = 100 * table["as_expected"].astype(float)
    order = {(task, study): i for i, (task, study) in enumerate(PARTS)}
    place = [order[key] for key in zip(table["task"], table["study"], strict=True)]
    table = table.assign(place=place).sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            *("part", "task", "study", "cutoff", "statistic", "coefficient", "p_value", "printed", "lists"),
            "as_expected_%",
        ]
    ]
