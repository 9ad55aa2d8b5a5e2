"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.papers.ali2008.accuracy import WITHOUT_SUMMARY
from focuseval.present.items import Analysis
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

#: "the expected ranking" is that of most lists
MOST = 0.5

#: how perturbed: in full, or a share of the ranks in many draws
IN_FULL, IN_PART = "in full", "in part"


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown.

    A p-value is 1 where the correlation is not positive: it then says nothing for the claim.
    """

    table3: (
        pd.DataFrame
    )  #: task, study (overall, relative, fidelity), cutoff, coefficient, p_value, middle_ρ, as_expected_%
    topics: pd.DataFrame  #: task, cutoff, p_value of the topic with the highest one
    gains: pd.DataFrame  #: task, cutoff, perturbed (in full, in part), better, worse, gain, low, high
    settings: pd.DataFrame  #: task, summary, cutoff, with_nxCG: rho of SRP and nxCG by settings of SRP
    repeated: pd.DataFrame  #: task, results, overlapping, same_document


def _positive(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(
        p_value=table["p_value"].where((table["coefficient"] > 0) | table["p_value"].isna(), 1.0)
    )


def evidence(analysis: Analysis) -> Evidence:
    """The evidence of a campaign, from frames of its analysis (`focuseval.papers.ali2008.paper`)."""
    fidelity = analysis["fidelity"]
    by_topic = _positive(fidelity[fidelity["level"] == "topic"])
    worst = by_topic.groupby(["task", "cutoff"])["p_value"].max().reset_index()
    gains = pd.concat(
        [
            analysis["gains"].assign(perturbed=IN_FULL),
            analysis["gains_in_part"].assign(perturbed=IN_PART),
        ],
        ignore_index=True,
    )
    return Evidence(_positive(analysis["table3"]), worst, gains, analysis["settings"], analysis["repeated"])


def printed_evidence(table3: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (Table 3 as it stands in `config/published`).

    The text reads every low p-value as agreement, so the coefficients behind them are positive.
    """
    of_part = {part: of for of, part in PARTS.items()}
    task, study = zip(*(of_part[part] for part in table3["part"]), strict=True)
    unknown = ["coefficient", "middle_ρ", "as_expected_%"]
    return Evidence(
        table3.assign(task=task, study=study, **dict.fromkeys(unknown, float("nan"))),
        pd.DataFrame(columns=["task", "cutoff", "p_value"]),
        pd.DataFrame(columns=["task", "cutoff", "perturbed", "better", "worse", "gain", "low", "high"]),
        pd.DataFrame(columns=["task", "summary", "cutoff", "with_nxCG"]),
        pd.DataFrame(columns=["task", "results", "overlapping", "same_document"]),
    )


def _only(table: pd.DataFrame, column: str, **where: object) -> float:
    """The number of the first row that has these values; NaN if there is none."""
    found = table[(table[list(where)] == list(where.values())).all(axis=1)]
    return float(found[column].iloc[0]) if len(found) else float("nan")


def _lowest(gains: pd.DataFrame, task: str, perturbed: str, better: str, worse: str) -> float:
    """The lowest lower limit of a difference over the cut-offs."""
    where = {"task": task, "perturbed": perturbed, "better": better, "worse": worse}
    found = gains[(gains[list(where)] == list(where.values())).all(axis=1)]
    return float(found["low"].min(skipna=False)) if len(found) else float("nan")


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
        return _only(known.table3, "p_value", task=task, study=study, cutoff=k)

    def order(task: str, k: int) -> list[Comparison]:
        """What else there is to an order than rho over six versions, of which two are the ends."""
        middle, share = (
            _only(known.table3, column, task=task, study="fidelity", cutoff=k)
            for column in ("middle_ρ", "as_expected_%")
        )
        return [
            Comparison(f"ρ of the middle four at k = {k}", middle, ">", 0.0),
            Comparison(f"share of lists in the expected order at k = {k}", share / 100, ">", MOST),
        ]

    overlap = same = float("nan")
    of_focused = known.repeated[known.repeated["task"] == FOCUSED]
    if len(of_focused):
        total = float(of_focused["results"].sum())
        overlap = float(of_focused["overlapping"].sum()) / total
        same = float(of_focused["same_document"].sum()) / total

    def no_lower(task: str, better: str, worse: str) -> list[Comparison]:
        """That one version does not score below another one, perturbed in full and in part."""
        return [
            Comparison(
                f"{HEADINGS[task]}, {perturbed}: {_name(better)} less {_name(worse)}, lower limit",
                _lowest(known.gains, task, perturbed, better, worse),
                "≥",
                0.0,
            )
            for perturbed in (IN_FULL, IN_PART)
        ]

    def change(version: str) -> list[Comparison]:
        rises = EXPECTED.index(version) < EXPECTED.index(ORIGINAL)
        return no_lower(THOROUGH, *((version, ORIGINAL) if rises else (ORIGINAL, version)))

    precision = next(iter(WITHOUT_SUMMARY))
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
            "agreement-through-redundancy",
            "7, 7.2, Table 3 A",
            "SRP is accurate: it evaluates systems that return redundant results as nxCG does.",
            "What SRP takes off for redundancy is what makes it agree: at every cut-off but the highest of the "
            "Thorough task, rho with nxCG (overlap punished) is higher than that of SRP without redundancy, which "
            "is graded precision.",
            [
                Comparison(
                    f"ρ at k = {k}: SRP | precision",
                    _only(known.table3, "coefficient", task=THOROUGH, study="overall", cutoff=k),
                    ">",
                    _only(known.settings, "with_nxCG", task=THOROUGH, cutoff=k, summary=precision),
                )
                for k in low
            ],
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
            "In the Thorough task, SRP orders the six versions of a run as expected rather than not, topic by topic.",
            f"Spearman's rho of expected and observed ranks, over the runs of a topic, is positive with p < "
            f"{FAITHFUL} for every topic. The ranks of one list are not independent, as this p takes them to be.",
            [
                Comparison(
                    f"highest p of a topic at k = {k}",
                    _only(known.topics, "p_value", task=THOROUGH, cutoff=k),
                    "<",
                    FAITHFUL,
                )
                for k in thorough
            ],
        ),
        Finding(
            "order-thorough",
            "7.3, Figure 6",
            "In the Thorough task, the expected order is that of the runs, and not only of its two ends.",
            "Spearman's rho of the middle four versions, between relevant results first (i) and last (ii), is "
            f"positive, and more than {MOST:.0%} of the lists never rise along the expected order, at every cut-off.",
            [comparison for k in thorough for comparison in order(THOROUGH, k)],
        ),
        Finding(
            "fidelity-in-context",
            "7.3, Table 3 C",
            "In the Relevant in Context task, with clusters as trees, the six versions stand in the expected order "
            "rather than not, beyond doubt.",
            f"Pooled over topics and runs, rho is positive with p < {FAITHFUL_IN_CONTEXT:g} at every cut-off. Such "
            "a p says as much about the number of lists as about the order.",
            [
                Comparison(f"p at k = {k}", p(IN_CONTEXT, "fidelity", k), "<", FAITHFUL_IN_CONTEXT)
                for k in in_context
            ],
        ),
        Finding(
            "order-in-context",
            "7.3, Table 3 C",
            "In the Relevant in Context task, the expected order is that of the runs, and not only of its two ends.",
            "As for the Thorough task, at every cut-off.",
            [comparison for k in in_context for comparison in order(IN_CONTEXT, k)],
        ),
        Finding(
            "changes-predicted",
            "7.3",
            "The change of SRP against the original run is as predicted for each perturbation.",
            "Mean SRP over runs and topics: not below the original for (i) and (iii), not above it for (iv), (v) "
            "and (ii), at every cut-off of the Thorough task, for runs perturbed in full and for the means of the "
            "draws of runs perturbed in part. The 95 % interval over topics of each difference must not reach below "
            "0; shown is the lowest of its lower limits over the cut-offs.",
            [comparison for version in EXPECTED if version != ORIGINAL for comparison in change(version)],
        ),
        Finding(
            "expected-order",
            "7.1",
            "The perturbed runs of both tasks score (i) ≥ (iii) ≥ S0 ≥ (iv) ≥ (v) ≥ (ii).",
            "Each step by itself, as for the changes: the 95 % interval of its mean difference does not reach below "
            "0 at any cut-off, in full and in part.",
            [
                comparison
                for task in FIDELITY
                for better, worse in pairwise(EXPECTED)
                for comparison in no_lower(task, better, worse)
            ],
        ),
    ]
