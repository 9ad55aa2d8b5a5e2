"""Where the numbered items of Kamps, Lalmas & Pehcevski (2007) are. The paper numbers no equation."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.statistics.findings import Finding
from focuseval_papers.kamps2007.findings import findings, printed_evidence
from focuseval_papers.publication.listed import Numbered

_MEASURES, _PAPER = "measures/test_inex2006.py", "papers/test_kamps2007.py"
_SIGNIFICANCE = "statistics/test_significance.py"

NUMBERED = (
    Numbered(
        "Table 1",
        "significant improvements for MAgP",
        ("statistics.comparisons:compare",),
        ("table1_matrix", "table1_counts"),
        (
            f"{_PAPER}::test_every_table_and_figure_can_be_made",
            f"{_PAPER}::test_captions_have_the_printed_counts",
        ),
        "the printed count is in the caption; the marks of the printed cells are not part of the text",
    ),
    Numbered(
        "Table 2",
        "significant improvements for MAP, systems numbered by their rank under MAgP",
        ("statistics.comparisons:compare",),
        ("table2_matrix", "table2_counts", "orders"),
        (
            f"{_PAPER}::test_systems_keep_their_numbers_under_the_other_measure",
            f"{_PAPER}::test_the_printed_order_has_the_printed_tau",
        ),
        "as Table 1; the printed order of systems stands beside ours",
    ),
    Numbered(
        "Section 2.1",
        "precision, recall and F-score of an article (not numbered)",
        ("measures.relevant_in_context:f_score",),
        tests=(f"{_MEASURES}::test_worked_example", f"{_MEASURES}::test_perfect_passages"),
    ),
    Numbered(
        "Section 2.2",
        "generalised precision and recall, AgP, MAgP (not numbered)",
        ("measures.generalised",),
        tests=(f"{_MEASURES}::test_worked_example", f"{_MEASURES}::test_map_is_trec_eval_s"),
    ),
    Numbered(
        "Section 3",
        "the bootstrap test: one-tailed, 0.05, 1,000 resamples",
        ("statistics.significance:paired_bootstrap",),
        ("summary",),
        (f"{_SIGNIFICANCE}::test_bootstrap_against_a_loop",),
        "the paper does not say which variant of the bootstrap it used",
    ),
    Numbered(
        "Section 3",
        "112 and 95 of 190 pairs; the rank correlation 0.674; the upsets",
        ("focuseval_papers.kamps2007.paper:summary", "focuseval_papers.kamps2007.paper:correlation"),
        ("summary", "correlation", "orders"),
        (f"{_PAPER}::test_numbers_stand_beside_the_printed_ones",),
    ),
)


def claims(printed: Mapping[str, pd.DataFrame]) -> Sequence[Finding]:
    """The findings on the printed numbers."""
    return findings(printed_evidence(printed["kamps2007"]))
