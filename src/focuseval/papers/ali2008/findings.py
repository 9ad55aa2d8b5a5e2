"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL

#: the paper's tasks, by the names of `focuseval.rules`
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"
HEADINGS = {THOROUGH: "Thorough", FOCUSED: "Focused", IN_CONTEXT: "Relevant in Context"}

#: the tasks of the two studies
ACCURACY, FIDELITY = (THOROUGH, FOCUSED), (THOROUGH, IN_CONTEXT)

#: the parts of Table 3 by task and part of a study, in its order
PARTS = {
    (THOROUGH, "overall"): "A",
    (FOCUSED, "overall"): "B overall",
    (FOCUSED, "relative"): "B relative",
    (IN_CONTEXT, "fidelity"): "C",
    (THOROUGH, "relative"): "not printed",
    (THOROUGH, "fidelity"): "not printed",
}

#: below this, the paper speaks of a correlation; of the change of ranks; of fidelity in each task
CORRELATED, CHANGED, FAITHFUL, FAITHFUL_IN_CONTEXT = 0.1, 0.03, 0.05, 1e-29


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown.

    A p-value is 1 where the correlation is not positive: it then says nothing for the claim.
    """

    table3: pd.DataFrame  #: task, study (overall, relative, fidelity), cutoff, p_value
    topics: pd.DataFrame  #: task, cutoff, p_value of the topic with the highest one
    versions: pd.DataFrame  #: task, cutoff, version, value: mean SRP over runs and topics
    repeated: pd.DataFrame  #: task, results, overlapping, same_document


def _positive(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(
        p_value=table["p_value"].where((table["coefficient"] > 0) | table["p_value"].isna(), 1.0)
    )


def evidence(
    table3: pd.DataFrame, fidelity: pd.DataFrame, versions: pd.DataFrame, repeated: pd.DataFrame
) -> Evidence:
    """The evidence of a campaign, from frames of its analysis (`focuseval.papers.ali2008.paper`)."""
    by_topic = _positive(fidelity[fidelity["level"] == "topic"])
    worst = by_topic.groupby(["task", "cutoff"])["p_value"].max().reset_index()
    return Evidence(_positive(table3)[["task", "study", "cutoff", "p_value"]], worst, versions, repeated)


def printed_evidence(table3: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (Table 3 as it stands in `config/published`).

    The text reads every low p-value as agreement, so the coefficients behind them are positive.
    """
    of_part = {part: of for of, part in PARTS.items()}
    task, study = zip(*(of_part[part] for part in table3["part"]), strict=True)
    return Evidence(
        table3.assign(task=task, study=study)[["task", "study", "cutoff", "p_value"]],
        pd.DataFrame(columns=["task", "cutoff", "p_value"]),
        pd.DataFrame(columns=["task", "cutoff", "version", "value"]),
        pd.DataFrame(columns=["task", "results", "overlapping", "same_document"]),
    )


def _p(table: pd.DataFrame, task: str, study: str, cutoff: int) -> float:
    found = table[(table["task"] == task) & (table["study"] == study) & (table["cutoff"] == cutoff)]
    return float(found["p_value"].iloc[0]) if len(found) else float("nan")


def _highest_of_topics(topics: pd.DataFrame, task: str, cutoff: int) -> float:
    found = topics[(topics["task"] == task) & (topics["cutoff"] == cutoff)]
    return float(found["p_value"].iloc[0]) if len(found) else float("nan")


def _least_gain(versions: pd.DataFrame, task: str, better: str, worse: str) -> float:
    """The smallest difference of two versions' mean SRP over the cut-offs."""
    part = versions[versions["task"] == task]
    wide = part.pivot(index="cutoff", columns="version", values="value")
    return float((wide[better] - wide[worse]).min()) if len(wide) else float("nan")


def _name(version: str) -> str:
    return version if version == ORIGINAL else f"({version})"


def findings(known: Evidence, cutoffs: Mapping[str, Sequence[int]]) -> list[Finding]:
    """The paper's findings as checks on one body of evidence, at the cut-offs of each task.

    Thresholds are the paper's. Where it says "low cut-offs", all but the highest are meant; where it gives
    no cut-off, every one must do.
    """
    thorough, focused, in_context = (list(cutoffs[task]) for task in HEADINGS)
    low, deep = thorough[:-1], thorough[-1]
    shared = sorted(set(thorough) & set(focused))

    def p(task: str, study: str, k: int) -> float:
        return _p(known.table3, task, study, k)

    overlap = same = float("nan")
    of_focused = known.repeated[known.repeated["task"] == FOCUSED]
    if len(of_focused):
        total = float(of_focused["results"].sum())
        overlap = float(of_focused["overlapping"].sum()) / total
        same = float(of_focused["same_document"].sum()) / total

    def steps(task: str) -> list[Comparison]:
        return [
            Comparison(
                f"{HEADINGS[task]}, {_name(better)} less {_name(worse)}",
                _least_gain(known.versions, task, better, worse),
                "≥",
                0.0,
            )
            for better, worse in pairwise(EXPECTED)
        ]

    def change(version: str) -> Comparison:
        rises = EXPECTED.index(version) < EXPECTED.index(ORIGINAL)
        pair = (version, ORIGINAL) if rises else (ORIGINAL, version)
        return Comparison(
            f"{_name(pair[0])} less {_name(pair[1])}",
            _least_gain(known.versions, THOROUGH, *pair),
            "≥",
            0.0,
        )

    return [
        Finding(
            "thorough-agrees",
            "7.2, Table 3 A",
            "In the Thorough task, SRP and nxCG rank systems alike at low cut-offs.",
            f"Spearman's rho over systems is positive with p < {CORRELATED} at every cut-off but the highest "
            "(p counts as 1 where rho is not positive).",
            [Comparison(f"p at k = {k}", p(THOROUGH, "overall", k), "<", CORRELATED) for k in low],
        ),
        Finding(
            "thorough-not-deep",
            "7.2, Table 3 A",
            "At the highest cut-off of the Thorough task the correlation is gone.",
            f"p is at least {CORRELATED} there.",
            [Comparison(f"p at k = {deep}", p(THOROUGH, "overall", deep), "≥", CORRELATED)],
        ),
        Finding(
            "focused-disagrees",
            "7.2, Table 3 B",
            "In the Focused task, SRP and nxCG do not rank systems alike.",
            f"p is above {CORRELATED} at every cut-off.",
            [Comparison(f"p at k = {k}", p(FOCUSED, "overall", k), ">", CORRELATED) for k in focused],
        ),
        Finding(
            "discrepancy-in-focused",
            "7.2",
            "SRP and nxCG differ more in the Focused task than in the Thorough task.",
            "p of the Focused task is above that of the Thorough task at the cut-offs that both have.",
            [
                Comparison(
                    f"p at k = {k}: Focused | Thorough",
                    p(FOCUSED, "overall", k),
                    ">",
                    p(THOROUGH, "overall", k),
                )
                for k in shared
            ],
        ),
        Finding(
            "changes-agree",
            "7.2, Table 3 B",
            "In the Focused task, the two measures change the rank of a system in the same way from one "
            "cut-off to the next.",
            f"Pearson's r of the changes is positive with p < {CHANGED} at every cut-off but the lowest, which "
            "has none before it (the 0 printed there is no value).",
            [Comparison(f"p at k = {k}", p(FOCUSED, "relative", k), "<", CHANGED) for k in focused[1:]],
        ),
        Finding(
            "redundancy-without-overlap",
            "7.2",
            "Focused runs have no overlap, and are redundant all the same: they return several elements of a "
            "document, which nxCG does not see.",
            f"Of the first {focused[-1]} results of all Focused runs none shares text with one before it, and "
            "some belong to a document that was returned before.",
            [
                Comparison("share of overlapping results", overlap, "≤", 0.0),
                Comparison("share of results from a document returned before", same, ">", 0.0),
            ],
        ),
        Finding(
            "fidelity-thorough",
            "7.3, Figure 6",
            "In the Thorough task, perturbed runs stand in the expected order, topic by topic.",
            f"Spearman's rho of expected and observed ranks, over the runs of a topic, is positive with p < "
            f"{FAITHFUL} for every topic. The ranks of one list are not independent, as this p takes them to be.",
            [
                Comparison(
                    f"highest p of a topic at k = {k}",
                    _highest_of_topics(known.topics, THOROUGH, k),
                    "<",
                    FAITHFUL,
                )
                for k in thorough
            ],
        ),
        Finding(
            "fidelity-in-context",
            "7.3, Table 3 C",
            "In the Relevant in Context task, with clusters as trees, the expected order is met beyond doubt.",
            f"Pooled over topics and runs, rho is positive with p < {FAITHFUL_IN_CONTEXT:g} at every cut-off. Such "
            "a p says as much about the number of lists as about the order.",
            [
                Comparison(f"p at k = {k}", p(IN_CONTEXT, "fidelity", k), "<", FAITHFUL_IN_CONTEXT)
                for k in in_context
            ],
        ),
        Finding(
            "changes-predicted",
            "7.3",
            "The change of SRP against the original run is as predicted for each perturbation.",
            "Mean SRP over runs and topics: not below the original for (i) and (iii), not above it for (iv), (v) "
            "and (ii), at every cut-off of the Thorough task. Shown is the smallest difference over the cut-offs.",
            [change(version) for version in EXPECTED if version != ORIGINAL],
        ),
        Finding(
            "expected-order",
            "7.1",
            "The perturbed runs of both tasks score (i) ≥ (iii) ≥ S0 ≥ (iv) ≥ (v) ≥ (ii).",
            "Mean SRP over runs and topics never rises along the expected order, at any cut-off. Shown is the "
            "smallest difference over the cut-offs for each step.",
            [comparison for task in FIDELITY for comparison in steps(task)],
        ),
    ]
