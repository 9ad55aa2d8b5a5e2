"""Where the numbered items of Gövert et al. (2006) are."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.findings import Finding
from focuseval_papers.goevert2006.evidence import printed_evidence
from focuseval_papers.goevert2006.findings import findings
from focuseval_papers.goevert2006.settings import EARLIER, LONG, SHORT
from focuseval_papers.publication.listed import Numbered

_PRECALL, _INEX = "measures/test_precall.py", "measures/test_inex2003.py"
_LITERAL = "test_agrees_with_a_literal_implementation"
_PAPER = "papers/test_goevert2006.py"
_EXAMPLES = "papers/test_goevert2006_examples.py"
_AS_PRINTED = (f"{_PAPER}::test_tables_have_the_layout_of_the_paper",)

NUMBERED = (
    Numbered(
        "Eq. 1",
        "exhaustiveness and specificity in the concept space",
        shown=("figure1",),
        tests=(f"{_EXAMPLES}::test_circles_share_what_they_should",),
        note="read from assessments, not computed: a collection's concepts are not known",
    ),
    Numbered(
        "Eq. 2-5",
        "strict and generalised quantisation of each dimension",
        ("quantisation:quantised_dimensions",),
        tests=(f"{_INEX}::{_LITERAL}",),
    ),
    Numbered(
        "Eq. 6-7",
        "precall: precision as the probability of relevance, at any recall",
        ("measures.precall:precision_at",),
        tests=(f"{_PRECALL}::{_LITERAL}", f"{_PRECALL}::test_a_tie_is_worth_its_expectation"),
    ),
    Numbered(
        "Eq. 8-9",
        "strict and generalised quantisation of both dimensions together",
        ("quantisation:quantised",),
        ("combinations",),
        (f"{_EXAMPLES}::test_combinations_are_those_that_make_sense",),
    ),
    Numbered(
        "Eq. 10-11",
        "recall and precision of documents",
        tests=(f"{_INEX}::test_equal_sizes_without_overlap_are_classical",),
        note="what Eq. 12-19 are without overlap and with equal sizes",
    ),
    Numbered(
        "Eq. 12-13",
        "recall and precision by size (2003s)",
        ("measures.inex2003:trace",),
        tests=(f"{_INEX}::{_LITERAL}",),
    ),
    Numbered(
        "Eq. 14-17",
        "rel^U, the most relevant concepts without overlap",
        ("measures.inex2003:retrievable",),
        ("figure4",),
        (f"{_INEX}::{_LITERAL}", f"{_INEX}::test_seven_concepts_of_figure_4"),
    ),
    Numbered(
        "Eq. 18-19",
        "recall and precision by size and overlap (2003o)",
        ("measures.inex2003:trace",),
        tests=(f"{_INEX}::{_LITERAL}", f"{_INEX}::test_recall_above_1_by_the_papers_own_equations"),
    ),
    Numbered(
        "Figure 1",
        "a component and a topic in the concept space",
        ("focuseval_papers.goevert2006.drawings:venn",),
        ("figure1",),
        (f"{_EXAMPLES}::test_every_example_is_made",),
    ),
    Numbered(
        "Figure 2",
        "combinations of exhaustiveness and specificity",
        ("focuseval_papers.goevert2006.drawings:venn", "focuseval_papers.goevert2006.examples:combinations"),
        ("figure2", "combinations"),
        (f"{_EXAMPLES}::test_combinations_are_those_that_make_sense",),
    ),
    Numbered(
        "Figure 3",
        "simulated runs under INEX 2002",
        ("transformations.simulated_runs:perfect", "transformations.simulated_runs:ancestors"),
        ("figure3", "simulated"),
        (f"{_PAPER}::test_simulated_table_stands_beside_the_captions",),
    ),
    Numbered(
        "Figure 4",
        "rel^U worked: seven concepts",
        ("focuseval_papers.goevert2006.examples:figure4",),
        ("figure4",),
        (f"{_EXAMPLES}::test_seven_concepts_by_equation_14",),
        "the figure's own tree is not part of the text: ours has what the text says of it",
    ),
    Numbered(
        "Figure 5",
        "simulated runs under INEX 2003s",
        shown=("figure5", "simulated"),
        tests=(f"{_PAPER}::test_curves_are_means_over_topics_by_recall",),
    ),
    Numbered(
        "Figure 6",
        "simulated runs under INEX 2003o",
        shown=("figure6", "simulated"),
        tests=(f"{_PAPER}::test_curves_are_means_over_topics_by_recall",),
    ),
    Numbered(
        "Figure 7",
        "a CO topic",
        ("formats.topics:read_topics",),
        tests=("formats/test_topics.py::test_topics_of_all_years",),
        note="the form of a topic file, which is read; the report shows no topic of INEX 2003",
    ),
    Numbered(
        "Figure 8",
        "INEX 2003o at two sizes",
        ("focuseval_papers.goevert2006.graphs:SCATTERS",),
        ("figure8",),
        (f"{_PAPER}::test_scatter_plots_show_every_run",),
    ),
    Numbered(
        "Figure 9",
        "strict and generalised, 2002 runs",
        ("focuseval_papers.goevert2006.graphs:SCATTERS",),
        ("figure9",),
    ),
    Numbered(
        "Figure 10",
        "INEX 2003s and INEX 2003o",
        ("focuseval_papers.goevert2006.graphs:SCATTERS",),
        ("figure10",),
    ),
    Numbered(
        "Figure 11",
        "INEX 2002 and INEX 2003o",
        ("focuseval_papers.goevert2006.graphs:SCATTERS",),
        ("figure11",),
    ),
    Numbered(
        "Table 1",
        "assessments by exhaustiveness and specificity, with the row of sums",
        ("focuseval_papers.goevert2006.items:table1",),
        ("table1",),
        (f"{_PAPER}::test_table1_has_the_layout_and_the_sums_of_the_paper",),
    ),
    Numbered(
        "Table 2",
        "two sizes of result sets",
        ("focuseval_papers.goevert2006.analysis:correlations",),
        ("table2", "correlations"),
        _AS_PRINTED,
    ),
    Numbered(
        "Table 3",
        "strict and generalised",
        ("focuseval_papers.goevert2006.analysis:correlations",),
        ("table3", "correlations"),
        _AS_PRINTED,
    ),
    Numbered(
        "Table 4",
        "INEX 2003s and INEX 2003o",
        ("focuseval_papers.goevert2006.analysis:correlations",),
        ("table4", "correlations"),
        _AS_PRINTED,
    ),
    Numbered(
        "Table 5",
        "INEX 2002 and INEX 2003",
        ("focuseval_papers.goevert2006.analysis:correlations",),
        ("table5", "correlations"),
        _AS_PRINTED,
    ),
    Numbered(
        "Section 4.1",
        "the perfect run and the ancestors run",
        ("transformations.simulated_runs:perfect", "transformations.simulated_runs:ancestors"),
        ("simulated",),
        ("transformations/test_simulated_runs.py::test_ancestors_run_adds_all_ancestors_in_one_rank",),
    ),
    Numbered(
        "Section 4.2",
        "interpolation after Salton, average precision",
        ("measures.inex2003:average_precision", "measures.curves:interpolated"),
        tests=(f"{_INEX}::{_LITERAL}",),
    ),
    Numbered("Section 5.1", "size of the collection", shown=("campaign",), note="the table of the campaign"),
    Numbered(
        "Section 5.3",
        "shares of highly specific components that are no articles, INEX 2003 and INEX 2002",
        ("focuseval_papers.goevert2006.items:section53",),
        ("section53",),
        (f"{_PAPER}::test_section_53_counts_the_highly_specific_elements_that_are_no_articles",),
    ),
)


def claims(printed: Mapping[str, pd.DataFrame]) -> Sequence[Finding]:
    """The findings on the printed numbers."""
    names = ("simulated_runs", "tables2to5", "table1", "section53")
    evidence = printed_evidence(*(printed[f"goevert2006_{name}"] for name in names))
    return findings(evidence, {LONG: "1500 results", SHORT: "100 results", EARLIER: "100 results"})
