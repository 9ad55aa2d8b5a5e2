"""Where the numbered items of Ali, Kazai, Consens & Lalmas (2008) are."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.statistics.findings import Finding
from focuseval_papers.ali2008.findings import findings, printed_evidence
from focuseval_papers.ali2008.paper import AliSettings
from focuseval_papers.publication.listed import Numbered

_STRUCTURAL, _SUMMARIES = "measures/test_structural.py", "measures/test_structural_summaries.py"
_LITERAL = f"{_STRUCTURAL}::test_agrees_with_a_literal_implementation"
_EXAMPLES, _STUDIES = "papers/test_ali2008.py", "papers/test_ali2008_studies.py"
_IN_PART = "papers/test_ali2008_in_part.py"

NUMBERED = (
    Numbered(
        "Definition 3.1-3.3",
        "tree retrieval: trees and induced subtrees as results",
        ("measures.structural:units",),
        tests=(f"{_STRUCTURAL}::test_ranks_fall_apart_into_connected_trees",),
    ),
    Numbered(
        "Definition 4.1",
        "the probability to see a node from another (Eq. 2)",
        ("measures.browsing:Browsing",),
        tests=(f"{_STRUCTURAL}::test_pair_wise_probabilities_agree_with_a_literal_implementation",),
    ),
    Numbered(
        "Theorem 4.3",
        "the probability to have seen a tree from another (Eq. 5)",
        ("measures.structural:not_seen",),
        tests=(_LITERAL,),
    ),
    Numbered("Eq. 1", "structural relevance", ("measures.structural:sr",), tests=(_LITERAL,)),
    Numbered("Eq. 2", "navigation between nodes", ("measures.browsing:Browsing",), tests=(_LITERAL,)),
    Numbered("Eq. 3-6", "navigation between trees", ("measures.structural:not_seen",), tests=(_LITERAL,)),
    Numbered(
        "Eq. 7-8",
        "the steady state of a summary",
        ("measures.structural_summary:steady_state",),
        tests=(f"{_SUMMARIES}::test_power_iteration_agrees_with_equation_8_on_symmetric_weights",),
    ),
    Numbered("Eq. 9", "the relevance of a tree", ("measures.structural:trace",), tests=(_LITERAL,)),
    Numbered(
        "Example 4.2",
        "three nodes, one after the other",
        ("focuseval_papers.ali2008.examples:examples",),
        ("examples",),
        note="it has no numbers: its values here are for p = 0.5 and for the p* summary",
    ),
    Numbered(
        "Example 4.4",
        "two trees of the book",
        ("focuseval_papers.ali2008.examples:tree_redundancy",),
        ("examples",),
        (f"{_EXAMPLES}::test_example_4_4",),
    ),
    Numbered(
        "Example 5.1",
        "a visit to node 7",
        ("focuseval_papers.ali2008.examples:examples",),
        ("examples",),
        (f"{_EXAMPLES}::test_table_1_and_what_was_printed",),
    ),
    Numbered(
        "Example 6.1",
        "SRP of two trees",
        ("focuseval_papers.ali2008.examples:examples",),
        ("examples",),
        (f"{_EXAMPLES}::test_example_6_1_and_what_was_printed",),
    ),
    Numbered(
        "Figure 1",
        "the extract of a book",
        ("focuseval_papers.ali2008.examples:FIGURE_1",),
        ("figure2",),
        (f"{_EXAMPLES}::test_figure_1_has_the_lengths_and_numbers_of_figure_2",),
    ),
    Numbered(
        "Figure 2",
        "the book as a tree",
        ("focuseval_papers.ali2008.examples:figure_2",),
        ("figure2",),
        (
            f"{_EXAMPLES}::test_figure_1_has_the_lengths_and_numbers_of_figure_2",
            f"{_EXAMPLES}::test_the_trees_of_figures_2_to_4",
        ),
    ),
    Numbered(
        "Figure 3",
        "trees that model approaches to retrieval",
        ("focuseval_papers.ali2008.examples:SINGLETONS", "focuseval_papers.ali2008.examples:JOINED"),
        ("figure3",),
        (f"{_EXAMPLES}::test_the_trees_of_figures_2_to_4",),
        note="which nodes the paper draws, and those of a second document, are not in its text",
    ),
    Numbered(
        "Figure 4",
        "two subtrees of the book",
        ("focuseval_papers.ali2008.examples:LEFT", "focuseval_papers.ali2008.examples:RIGHT"),
        ("figure3",),
        (f"{_EXAMPLES}::test_the_trees_of_figures_2_to_4", f"{_EXAMPLES}::test_example_4_4"),
    ),
    Numbered(
        "Figure 5",
        "two summaries of the book",
        ("measures.structural_summary:summarise", "focuseval_papers.ali2008.examples:figure_5"),
        ("figure5",),
        (f"{_EXAMPLES}::test_the_summaries_of_figure_5", f"{_EXAMPLES}::test_the_partitions_of_figure_5"),
    ),
    Numbered(
        "Figure 6",
        "fidelity by topic",
        ("focuseval_papers.ali2008.fidelity:fidelity",),
        ("figure6",),
        (f"{_EXAMPLES}::test_fidelity",),
    ),
    Numbered(
        "Table 1",
        "steady state of the summary p*",
        ("focuseval_papers.ali2008.examples:table_1",),
        ("table1",),
        (f"{_EXAMPLES}::test_table_1_and_what_was_printed",),
    ),
    Numbered(
        "Table 2",
        "steady state of the summary p*|c",
        ("focuseval_papers.ali2008.examples:table_2",),
        ("table2", "table2_weights"),
        (f"{_EXAMPLES}::test_table_2",),
    ),
    Numbered(
        "Table 3",
        "p-values of SRP across tasks",
        ("focuseval_papers.ali2008.tables:table3", "focuseval_papers.ali2008.accuracy:masrp_by_setting"),
        ("table3", "settings", "orders"),
        (f"{_STUDIES}::test_table_3", f"{_IN_PART}::test_every_setting_of_srp_at_once"),
    ),
    Numbered(
        "Section 7.1",
        "the perturbed runs",
        ("transformations.perturbations", "focuseval_papers.ali2008.partly:perturbed"),
        ("versions", "gains", "draws", "in_part"),
        (
            "transformations/test_perturbations.py::test_agrees_with_a_literal_implementation",
            f"{_IN_PART}::test_lists_perturbed_in_part_score_as_each_would_by_itself",
        ),
    ),
)


def claims(printed: Mapping[str, pd.DataFrame]) -> Sequence[Finding]:
    """The findings on the printed numbers, at the cut-offs of the paper."""
    return findings(printed_evidence(printed["ali2008_table3"]), AliSettings().cutoffs)
