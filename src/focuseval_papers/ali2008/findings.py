"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pandas as pd

from focuseval.report.items import Analysis
from focuseval.statistics.estimates import Quantity, Sample, lowest
from focuseval.statistics.findings import Comparison, Finding, given
from focuseval.statistics.weighted import mean_of, ratio_of, spearman_of
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL
from focuseval_papers.ali2008.accuracy import REFERENCE, STRUCTURAL
from focuseval_papers.ali2008.fidelity import MOMENTS, rho_of, version
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Draw

#: the paper's tasks, by the names of `focuseval.measures.rules`
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

#: the version that is expected to be the worst
LAST = EXPECTED[-1]

#: "the expected ranking" is that of most lists
MOST = 0.5

#: how perturbed: in full, or a share of the ranks in many draws
IN_FULL, IN_PART = "in full", "in part"


#: why some comparisons cannot fail
_RULE = "A run in which results overlap breaks the rules of the Focused task, and is not scored."
_NO_OVERLAP = "Runs for Relevant in Context have no overlap that (iii) could remove: it is the run itself."
_NOTHING = "With all relevant results last none is among the first k, and nothing scores below 0."

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown.

    A p-value is 1 where the correlation is not positive: it then says nothing for the claim.
    """

    table3: pd.DataFrame  #: task, study (overall, relative, fidelity), cutoff, p_value, lists
    worst: pd.DataFrame  #: task, cutoff, p_value of the topic with the highest one, topics
    means: pd.DataFrame  #: task, label (MASRP, nxCG, precision), cutoff, run, value
    by_topic: pd.DataFrame  #: task, cutoff, perturbed (in full, in part), topic, a column for each version
    #: task, cutoff, topic, lists, as_expected, and moments of the ranks of the middle four
    orders: pd.DataFrame
    repeated: pd.DataFrame  #: task, results, overlapping, same_document
    draw: Draw | None = None  #: draws systems and topics; None for printed numbers


def _positive(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(
        p_value=table["p_value"].where((table["coefficient"] > 0) | table["p_value"].isna(), 1.0)
    )


def evidence(analysis: Analysis, draw: Draw) -> Evidence:
    """The evidence of a campaign, from frames of its analysis (`focuseval_papers.ali2008.paper`)."""
    fidelity = analysis["fidelity"]
    of_topics = _positive(fidelity[fidelity["level"] == "topic"]).groupby(["task", "cutoff"])["p_value"]
    by_topic = [
        analysis["by_topic"].assign(perturbed=IN_FULL),
        analysis["by_topic_in_part"].assign(perturbed=IN_PART),
    ]
    return Evidence(
        _positive(analysis["table3"]),
        of_topics.agg(p_value="max", topics="size").reset_index(),
        analysis["means"],
        pd.concat(by_topic, ignore_index=True),
        analysis["orders_by_topic"],
        analysis["repeated"],
        draw,
    )


def printed_evidence(table3: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (Table 3 as it stands in `config/published`).

    The text reads every low p-value as agreement, so the coefficients behind them are positive.
    """
    of_part = {part: of for of, part in PARTS.items()}
    task, study = zip(*(of_part[part] for part in table3["part"]), strict=True)
    return Evidence(
        table3.assign(task=task, study=study, lists=0),
        pd.DataFrame(columns=["task", "cutoff", "p_value", "topics"]),
        pd.DataFrame(columns=["task", "label", "cutoff", "run", "value"]),
        pd.DataFrame(columns=["task", "cutoff", "perturbed", "topic"]),
        pd.DataFrame(columns=["task", "cutoff", "topic"]),
        pd.DataFrame(columns=["task", "results", "overlapping", "same_document"]),
    )


def _only(table: pd.DataFrame, column: str, otherwise: float = _NAN, **where: object) -> float:
    """The number of the first row that has these values; another one if there is none."""
    found = rows_of(table, **where)
    return float(found[column].iloc[0]) if len(found) else otherwise


def findings(known: Evidence, cutoffs: Mapping[str, Sequence[int]]) -> list[Finding]:
    """The paper's findings as checks on one body of evidence, at the cut-offs of each task.

    Thresholds are the paper's. Where it says "low cut-offs", all but the highest are meant; where it gives
    no cut-off, every one must do.
    """
    thorough, focused, in_context = (list(cutoffs[task]) for task in HEADINGS)
    low, deep = thorough[:-1], thorough[-1]
    shared = sorted(set(thorough) & set(focused))

    def below(task: str, study: str, k: int, relation: str, bound: float) -> Comparison:
        """A p-value of Table 3 beside a bound."""
        where: dict[str, Any] = {"task": task, "study": study, "cutoff": k}
        n = int(_only(known.table3, "lists", 0, **where))
        return Comparison(f"p at k = {k}", _only(known.table3, "p_value", **where), relation, bound, n=n)

    def sample(task: str, over: str, members: Iterable[str]) -> Sample | None:
        names = sorted(set(members))
        return known.draw(f"{task} {over}", names, over) if known.draw and names else None

    def agreement(label: str, k: int) -> Quantity:
        """Rho of the systems of the Thorough task under a measure and nxCG."""
        part = known.means[(known.means["task"] == THOROUGH) & (known.means["cutoff"] == k)]
        runs = sample(THOROUGH, "runs", part["run"])
        if runs is None:
            return _NAN
        wide = part.pivot(index="run", columns="label", values="value").loc[list(runs.members)]
        return runs.estimate(spearman_of(wide[label].to_numpy(), wide[REFERENCE[0]].to_numpy()))

    def order(task: str, k: int) -> list[Comparison]:
        """What else there is to an order than rho over six versions, of which two are the ends."""
        part = known.orders[(known.orders["task"] == task) & (known.orders["cutoff"] == k)]
        topics = sample(task, "topics", part["topic"])
        middle: Quantity = _NAN
        share: Quantity = _NAN
        if topics is not None:
            part = part.set_index("topic").loc[list(topics.members)]
            middle = topics.estimate(rho_of(part[list(MOMENTS)].to_numpy(float)))
            share = topics.estimate(
                ratio_of(part["as_expected"].to_numpy(float), part["lists"].to_numpy(float))
            )
        return [
            Comparison(f"ρ of the middle four at k = {k}", middle, ">", 0.0),
            Comparison(f"share of lists in the expected order at k = {k}", share, ">", MOST),
        ]

    overlap = same = float("nan")
    of_focused = known.repeated[known.repeated["task"] == FOCUSED]
    if len(of_focused):
        total = float(of_focused["results"].sum())
        overlap = float(of_focused["overlapping"].sum()) / total
        same = float(of_focused["same_document"].sum()) / total

    def no_lower(task: str, better: str, worse: str) -> list[Comparison]:
        """That one version does not score below another one, perturbed in full and in part."""
        found = []
        for perturbed in (IN_FULL, IN_PART):
            of_task = (known.by_topic["task"] == task) & (known.by_topic["perturbed"] == perturbed)
            part = known.by_topic[of_task]
            topics = sample(task, "topics", part["topic"])
            gains: list[Quantity] = [_NAN]
            if topics is not None:
                gains = [
                    topics.estimate(
                        mean_of((at[better] - at[worse]).loc[list(topics.members)].to_numpy(float))
                    )
                    for _, at in part.set_index("topic").groupby("cutoff")
                ]
            what = f"{HEADINGS[task]}, {perturbed}: {version(better)} less {version(worse)}"
            reason = ""
            if task == IN_CONTEXT and {better, worse} == {"iii", ORIGINAL}:
                reason = _NO_OVERLAP
            elif worse == LAST and len(part) and not part[LAST].any():
                reason = _NOTHING
            found.append(Comparison(what, lowest(gains), "≥", 0.0, given=reason))
        return found

    def change(perturbed: str) -> list[Comparison]:
        rises = EXPECTED.index(perturbed) < EXPECTED.index(ORIGINAL)
        return no_lower(THOROUGH, *((perturbed, ORIGINAL) if rises else (ORIGINAL, perturbed)))

    return [
        Finding(
            "thorough-agrees",
            "7.2, Table 3 A",
            "In the Thorough task, SRP and nxCG rank systems alike at low cut-offs.",
            f"Spearman's rho over systems is positive with p < {CORRELATED} at every cut-off but the highest "
            "(p counts as 1 where rho is not positive).",
            [below(THOROUGH, "overall", k, "<", CORRELATED) for k in low],
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
                    agreement(STRUCTURAL[0], k),
                    ">",
                    agreement("precision", k),
                )
                for k in low
            ],
        ),
        Finding(
            "thorough-not-deep",
            "7.2, Table 3 A",
            "At the highest cut-off of the Thorough task the correlation is gone.",
            f"p is at least {CORRELATED} there.",
            [below(THOROUGH, "overall", deep, "≥", CORRELATED)],
        ),
        Finding(
            "focused-disagrees",
            "7.2, Table 3 B",
            "In the Focused task, SRP and nxCG do not rank systems alike.",
            f"p is above {CORRELATED} at every cut-off.",
            [below(FOCUSED, "overall", k, ">", CORRELATED) for k in focused],
        ),
        Finding(
            "discrepancy-in-focused",
            "7.2",
            "SRP and nxCG differ more in the Focused task than in the Thorough task.",
            "p of the Focused task is above that of the Thorough task at the cut-offs that both have.",
            [
                Comparison(
                    f"p at k = {k}: Focused | Thorough",
                    below(FOCUSED, "overall", k, ">", 0).left,
                    ">",
                    below(THOROUGH, "overall", k, ">", 0).left,
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
            [below(FOCUSED, "relative", k, "<", CHANGED) for k in focused[1:]],
        ),
        Finding(
            "redundancy-without-overlap",
            "7.2",
            "Focused runs have no overlap, and are redundant all the same: they return several elements of a "
            "document, which nxCG does not see.",
            f"Of the first {focused[-1]} results of all Focused runs none shares text with one before it, and "
            "some belong to a document that was returned before.",
            [
                *given(_RULE, [Comparison("share of overlapping results", overlap, "≤", 0.0)]),
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
                    _only(known.worst, "p_value", task=THOROUGH, cutoff=k),
                    "<",
                    FAITHFUL,
                    n=int(_only(known.worst, "topics", 0, task=THOROUGH, cutoff=k)),
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
            [below(IN_CONTEXT, "fidelity", k, "<", FAITHFUL_IN_CONTEXT) for k in in_context],
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
            "draws of runs perturbed in part. Shown is the lowest of the mean differences over the cut-offs.",
            [comparison for name in EXPECTED if name != ORIGINAL for comparison in change(name)],
        ),
        Finding(
            "expected-order",
            "7.1",
            "The perturbed runs of both tasks score (i) ≥ (iii) ≥ S0 ≥ (iv) ≥ (v) ≥ (ii).",
            "Mean SRP over runs and topics never rises along the expected order, at any cut-off, in full and in "
            "part. Shown is the lowest of the mean differences over the cut-offs for each step.",
            [
                comparison
                for task in FIDELITY
                for better, worse in pairwise(EXPECTED)
                for comparison in no_lower(task, better, worse)
            ],
        ),
    ]
