"""The tables and figures of the paper on a campaign."""

from collections.abc import Callable, Sequence
from itertools import product

import pandas as pd

from focuseval.report.items import Analysis, Figure, Table
from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.ali2008.accuracy import REFERENCE, STRUCTURAL
from focuseval_papers.ali2008.fidelity import version
from focuseval_papers.ali2008.tables import (
    draws_table,
    gains_table,
    in_words,
    orders_table,
    readings_table,
    repeated_table,
    settings_table,
    steps_table,
    versions_table,
    with_three_decimals,
)
from focuseval_papers.publication.paper import Context


def _shown(
    name: str, make: Callable[[pd.DataFrame], pd.DataFrame]
) -> Callable[[Analysis, Context], pd.DataFrame]:
    """What is shown of one frame of the analysis."""
    return lambda analysis, _: make(analysis[name])


ITEMS: Sequence[Table | Figure] = (
    Table(
        "table3",
        "Table 3. Accuracy and fidelity of SRP",
        "Spearman's ρ, or Pearson's r for the change of ranks from one cut-off to the next, with two-tailed "
        "p-values beside the printed ones. A and B compare the order of systems under SRP (mean of SRP over the "
        "cut-offs up to k) and nxCG with overlap on; lists is the number of systems, low and high are the limits of "
        "the 95 % bootstrap interval of ρ over systems, and without it is ρ without the most influential one. In C, "
        "and for the Thorough task below it, expected and observed ranks of the six versions of a run are pooled "
        "over all lists (pairs of run and topic).\n\nA pooled p-value takes all ranks as independent, which the six "
        "ranks of one list are not, and it falls with the number of lists however weak the order is: below 1e-300 "
        "it is smaller than any number a double can hold. Relevant results first and relevant results last, the two "
        "ends of the expected order, would make a correlation by themselves: middle ρ is that of the four versions "
        "between them. As expected is the share of lists in which SRP never rises along the whole expected order; "
        "read it first.",
        _shown("table3", in_words),
        {"coefficient": 3, "p_value": ".2g", "printed": ".3g", "middle_ρ": 3, "as_expected_%": 1},
    ),
    Figure(
        "accuracy",
        "Ranks of the systems under SRP and nxCG",
        "Every point is a system: its rank under SRP (mean over the cut-offs up to k) and under nxCG with overlap on, "
        "1 being the best. On the dashed line both agree.",
    ),
    Table(
        "readings",
        "Accuracy under other readings of the paper",
        'The paper says which SRP it means ("mean-averaged") and which nxCG (overlap punished, in the Thorough task '
        "too) in half a sentence each. Here are the coefficients of the same study for every combination: MASRP is "
        "the mean of SRP over the cut-offs up to k, SRP the value at k; overlap off is INEX's own setting for the "
        "Thorough task. The first column is that of Table 3; p-values are in analysis/accuracy.parquet beside this "
        "file.",
        _shown("accuracy", readings_table),
        {f"{a} and {b}": 3 for a, b in product(STRUCTURAL, REFERENCE)},
    ),
    Table(
        "settings",
        "Table 3 A and B under every setting of SRP",
        "Spearman's ρ of the order of systems under SRP (mean over the cut-offs up to k) and under nxCG with "
        "overlap on, for every structural summary with its edges and weights. Mean π is the mean over elements of "
        "the factor by which each result of a document lowers what its later ones are worth (Equation 7); like "
        "chosen is the lowest ρ, over tasks and cut-offs, with the order of systems under the setting of the other "
        "tables. The last two rows know neither summary nor navigation: with π = 1 nothing is redundant, and SRP is "
        "graded precision; with π = 0 only the first result of a document counts. Every summary lies between "
        "them.\n\nRead it so: where π = 0 agrees with nxCG as well as the summaries do, Table 3 A and B do not tell "
        "one summary from another, nor from none: all that counts is that later results of a document lose almost "
        "all. Where π = 1 agrees as well, they do not even say that redundancy is evaluated.",
        lambda analysis, _: settings_table(analysis["settings"], analysis["summaries"]),
        show=with_three_decimals,
    ),
    Table(
        "repeated",
        "What the runs repeat",
        "The runs and topics of each task. Of the first results of all lists (up to the highest cut-off; in "
        "Relevant in Context of all results): how many share text with a result before them, and how many come from "
        "a document that a result before them came from. nxCG sees the first, SRP both. In Relevant in Context "
        "every document stands in one cluster: no cluster is redundant, whatever the summary, and SRP is the mean "
        "relevance of the first k clusters.",
        _shown("repeated", repeated_table),
        {"overlapping_%": 1, "same_document_%": 1},
    ),
    Figure(
        "figure6",
        "Figure 6. Fidelity by topic",
        "Left: for every topic, the p-value of Spearman's ρ between expected and observed ranks of the six versions "
        "of all runs, 1 where ρ is not positive; the dashed line is 0.05. Right, which the paper does not show: for "
        "how many of the runs SRP never rises along the expected order. Topics are sorted in each panel and for each "
        "cut-off by themselves.",
    ),
    Figure(
        "held",
        "Perturbed runs: how often each step holds",
        "How often each inequality of the expected order holds over all lists: blue is as expected, grey is equal, "
        "orange is against the expectation. The numbers are in the table below.",
    ),
    Table(
        "versions",
        "Perturbed runs: mean SRP",
        "Mean SRP over all runs and topics of the original runs (S0) and the perturbed ones: (i) relevant results "
        "first, (ii) relevant results last, (iii) overlap removed, (iv) leaves first, (v) mid-branch elements first. "
        "The columns stand in the order that the paper expects, so that numbers should fall from left to right.",
        _shown("versions", versions_table),
        {version(name): 4 for name in EXPECTED},
    ),
    Table(
        "orders",
        "Fidelity of runs perturbed in full and in part",
        "Spearman's ρ of expected and observed ranks, pooled over all lists, of all six versions and of the middle "
        "four, and the share of lists in which SRP never rises along the expected order. In full: every rank is "
        "moved that a perturbation moves, which leaves nothing to chance. In part: only a share of the ranks, drawn "
        "at random; mean, lowest and highest of the draws. (The paper says how ranks are moved, not how many.)",
        lambda analysis, _: orders_table(analysis["fidelity"], analysis["orders_in_part"]),
        dict.fromkeys(("full", "in_part", "lowest", "highest"), 3),
    ),
    Figure(
        "in_part",
        "Mean SRP of runs perturbed in full and in part",
        "The versions from left to right in the order that the paper expects, so that points should fall. Orange: "
        "perturbed in part, mean of the draws, with a bar from the lowest to the highest of them. Blue: in full. The "
        "line is the original.",
    ),
    Table(
        "draws",
        "Perturbed in full and in part: mean SRP",
        "The numbers of the figure: mean SRP over all runs and topics; of runs perturbed in part the mean, the lowest "
        "and the highest of the draws.",
        lambda analysis, _: draws_table(analysis["versions"], analysis["draws_in_part"]),
        dict.fromkeys(("full", "in_part", "lowest", "highest"), 4),
    ),
    Table(
        "gains",
        "Perturbed runs: differences of mean SRP, with intervals",
        "Mean difference of two versions, of which the paper expects the first not to be lower, with its 95 % "
        "interval over topics; of runs perturbed in part the mean over the draws is looked at. The "
        "findings rest on the lower limits.",
        lambda analysis, _: gains_table(analysis["gains"], analysis["gains_in_part"]),
        dict.fromkeys(("mean", "low", "high"), 4),
        fold=lambda table: f"{len(table)} differences",
    ),
    Table(
        "steps",
        "Perturbed runs: each step of the expected order",
        "Every inequality of the expected order by itself: mean SRP of both sides, and the share of lists in which "
        "the first is higher than, equal to or lower than the second.",
        _shown("steps", steps_table),
        {"mean_better": 4, "mean_worse": 4, "higher_%": 1, "equal_%": 1, "lower_%": 1},
    ),
    Table(
        "summaries",
        "Structural summaries",
        "All summaries of the campaign under all settings. Mean π is the mean over elements: by Equation 7 the "
        "probability that an element is not seen on a visit to another one of its document. Where it is small, SRP "
        "gives next to nothing for the second result of a document, whatever it is.",
        decimals={"largest_π": 4, "mean_π": 4},
    ),
    Figure(
        "graph",
        "The summary graph",
        "The 24 partitions of p* with the highest steady-state probability, and all that lie above them. A circle's "
        "area is π (the number below or beside it), a line's width the weight of its edge; +2 counts partitions below "
        "one that are not drawn.",
    ),
    Table(
        "partitions",
        "Partitions where users spend most time",
        "The partitions with the highest steady-state probability under the settings of SRP: elements (extent), "
        "characters of their own text (length), π.",
        decimals={"π": 4},
    ),
)
