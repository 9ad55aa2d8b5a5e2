"""Where the numbered items of Kazai & Lalmas (2005) are."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.campaign.tasks import INEX2005
from focuseval.statistics.findings import Finding
from focuseval_papers.kazai2005.evidence import QUANTISATIONS, printed_evidence
from focuseval_papers.kazai2005.findings import findings
from focuseval_papers.publication.listed import Numbered

_XCG, _PAPER = "measures/test_xcg.py", "papers/test_kazai2005.py"
_EQUATIONS = f"{_XCG}::test_measures_agree_with_their_equations"
_WORKED = f"{_XCG}::test_worked_measures"

NUMBERED = (
    Numbered(
        "Eq. 1-3",
        "the quantisation functions strict, gen and genLifted",
        ("measures.quantisation:quantised",),
        tests=(f"{_XCG}::test_gains_agree_with_the_literal_recursion",),
    ),
    Numbered("Eq. 4", "cumulated gain", ("measures.xcg:Curve",), tests=(_EQUATIONS, _WORKED)),
    Numbered("Eq. 5", "nxCG", ("measures.xcg:nxcg",), ("best", "runs"), (_EQUATIONS, _WORKED)),
    Numbered("Eq. 6", "MAnxCG", ("measures.xcg:ma_nxcg",), ("runs",), (_EQUATIONS, _WORKED)),
    Numbered(
        "Eq. 7",
        "the relevance value of an element of which something was seen",
        ("measures.xcg:gains",),
        tests=(
            f"{_XCG}::test_gains_agree_with_the_literal_recursion",
            f"{_XCG}::test_worked_gains_before_normalisation",
        ),
    ),
    Numbered(
        "Eq. 8-9",
        "dependency normalisation, the gain of a result",
        ("measures.xcg:gains",),
        tests=(f"{_XCG}::test_worked_normalisation",),
    ),
    Numbered(
        "Eq. 10",
        "the gain of a result where overlap is ignored",
        ("measures.xcg:gains",),
        tests=(f"{_XCG}::test_overlap_off_is_alpha_zero_without_capping",),
    ),
    Numbered(
        "Eq. 11", "effort-precision", ("measures.xcg:effort_precision",), ("figure1",), (_EQUATIONS, _WORKED)
    ),
    Numbered("Eq. 12", "gain-recall", ("measures.xcg:effort_precision",), tests=(_EQUATIONS,)),
    Numbered(
        "Eq. 13",
        "Q",
        ("measures.xcg:q",),
        ("runs",),
        tests=(_EQUATIONS, f"{_XCG}::test_q_and_r_are_ntcirevals_on_real_gains"),
    ),
    Numbered(
        "Eq. 14",
        "R",
        ("measures.xcg:r",),
        ("runs",),
        tests=(_EQUATIONS, f"{_XCG}::test_q_and_r_are_ntcirevals_on_real_gains"),
    ),
    Numbered(
        "Figure 1",
        "nxCG and effort-precision, from the curves of a run and of the ideal ranking",
        ("focuseval_papers.kazai2005.analysis:example",),
        ("figure1",),
        (f"{_PAPER}::test_an_example_is_a_list_of_the_best_run",),
        "on a run of the campaign: the figure has no numbers",
    ),
    Numbered(
        "Table 1",
        "correlation of the measures",
        ("focuseval_papers.kazai2005.analysis:measure_correlations",),
        ("table1", "map"),
        (f"{_PAPER}::test_findings_on_scores",),
    ),
    Numbered(
        "Table 2",
        "correlation of the quantisation functions",
        ("focuseval_papers.kazai2005.analysis:quantisation_correlations",),
        ("table2",),
        (f"{_PAPER}::test_findings_on_scores",),
    ),
    Numbered(
        "Section 2",
        "the ideal recall-base",
        ("measures.recall_base:ideal",),
        ("recall_bases",),
        (
            "measures/test_recall_base.py::test_ideal_elements_are_those_of_the_literal_choice",
            f"{_XCG}::test_worked_ideal_recall_base",
        ),
    ),
    Numbered(
        "Section 3.3",
        "MAep and iMAep, linear interpolation",
        ("measures.xcg:maep", "measures.xcg:imaep"),
        ("best", "runs"),
        (_EQUATIONS, _WORKED),
    ),
    Numbered(
        "Section 4",
        "the graphs and measures that were reported",
        ("focuseval_papers.kazai2005.analysis:curves",),
        ("runs",),
        note="a figure of graphs for each CO task, and one of the COS and CAS tasks",
    ),
    Numbered(
        "Section 6",
        "the ten tasks and their settings",
        ("campaign.tasks:INEX2005",),
        ("tasks",),
        ("campaign/test_tasks.py::test_the_tasks_are_those_of_the_paper",),
    ),
    Numbered(
        "Section 5",
        "EvalJ, the program",
        note="no copy of it was at hand: docs/measures.md says where numbers may differ from it",
    ),
    Numbered(
        "Section 6.3",
        "Fetch and Browse: articles, and elements within them",
        ("measures.xcg:derive_articles",),
        ("best",),
        (f"{_XCG}::test_fetch_and_browse_agrees_with_its_definition",),
    ),
)


def claims(printed: Mapping[str, pd.DataFrame]) -> Sequence[Finding]:
    """The findings on the printed numbers."""
    evidence = printed_evidence(printed["kazai2005_table1"], printed["kazai2005_table2"])
    tasks = [name for name in INEX2005 if not name.endswith("FetchBrowse")]
    return findings(evidence, [(task, q) for task in tasks for q in QUANTISATIONS])
