"""Where the numbered items of Piwowarski & Dupret (2006) are."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.statistics.findings import Finding
from focuseval_papers.piwowarski2006.findings import findings, printed_evidence
from focuseval_papers.publication.listed import Numbered

_EPRUM, _LAWS = "measures/test_eprum.py", "measures/test_poisson_binomial.py"
_ENUMERATED = f"{_EPRUM}::test_agrees_with_every_navigation_outcome"
_NUMBERS = "papers/test_piwowarski2006.py::test_every_printed_number"
_ANALYSIS = "papers/test_piwowarski2006_analysis.py"

NUMBERED = (
    Numbered(
        "Hypothesis 3.1",
        "users consult the context of a rank independently of what they did before",
        note="every computation rests on it; its effect on an example is among the worked examples",
        shown=("numbers",),
    ),
    Numbered(
        "Eq. 1",
        "the probability to have seen an element after k ranks",
        ("measures.poisson_binomial:discover",),
        tests=(_ENUMERATED, f"{_LAWS}::test_a_tiny_chance_is_not_lost_in_the_noisy_or"),
    ),
    Numbered(
        "Eq. 2-4",
        "the expected search length of an ideal list",
        ("measures.eprum:search_length",),
        tests=(_ENUMERATED,),
    ),
    Numbered(
        "Eq. 5",
        "the expected inverse length of a list, where recall is achieved",
        ("measures.eprum:inverse_length",),
        tests=(_ENUMERATED, f"{_EPRUM}::test_the_moments_give_what_the_distributions_give"),
    ),
    Numbered(
        "Eq. 6-7",
        "the law of the number of elements discovered, exact",
        ("measures.poisson_binomial:pmf", "measures.mixing:mix"),
        tests=(
            _ENUMERATED,
            f"{_LAWS}::test_two_thousand_elements_lose_no_digits",
            f"{_LAWS}::test_sums_over_times_are_right_to_twelve_digits",
        ),
    ),
    Numbered(
        "Figure 1",
        "one user's session on one list",
        ("focuseval_papers.piwowarski2006.examples:session",),
        ("session",),
        ("papers/test_piwowarski2006.py::test_the_session_of_figure_1",),
        note="the structure of its document is in the picture alone, which is not part of the text",
    ),
    Numbered(
        "Figure 2",
        "navigation between three elements",
        ("measures.navigation:clicks",),
        ("numbers",),
        ("measures/test_navigation.py::test_click_logs_give_the_chain_of_figure_2", _NUMBERS),
    ),
    Numbered(
        "Figure 3",
        "three ranks and the elements a and b",
        ("focuseval_papers.piwowarski2006.examples:discovery",),
        ("table1", "numbers"),
        ("papers/test_piwowarski2006.py::test_table_1_by_enumeration", _NUMBERS),
    ),
    Numbered(
        "Figure 4",
        "EPRUM and EP/GR of perturbed runs",
        ("transformations.perturbed_runs:perturbed_runs",),
        ("figure4", "perturbed"),
        (
            f"{_ANALYSIS}::test_averages_and_curves_are_means_over_topics_or_over_draws",
            "transformations/test_perturbed_runs.py::test_the_length_of_a_walk_is_geometric",
        ),
    ),
    Numbered(
        "Table 1",
        "the situations of Section 4",
        ("focuseval_papers.piwowarski2006.examples:table1",),
        ("table1",),
        ("papers/test_piwowarski2006.py::test_table_1_by_enumeration",),
    ),
    Numbered(
        "Section 3.3",
        "navigation by distance",
        ("measures.navigation:distance",),
        tests=(_ENUMERATED,),
    ),
    Numbered(
        "Section 5",
        "a normal law in the place of the exact one",
        ("measures.poisson_binomial:normal_at_least",),
        shown=("normal_law", "laws"),
        tests=(
            f"{_LAWS}::test_the_normal_law_is_exact_below_ten_and_near_from_there",
            "papers/test_piwowarski2006.py::test_the_normal_law_by_the_binomial",
        ),
        note="`distribution=normal` of EPRUM",
    ),
    Numbered(
        "Section 7",
        "navigation by the ratio of lengths",
        ("measures.navigation:length_ratio",),
        tests=(_ENUMERATED,),
    ),
    Numbered(
        "Section 7",
        "an ideal element replaced by one of its siblings",
        ("focuseval_papers.transformations.sibling_runs:replaced",),
        ("siblings",),
        ("transformations/test_perturbed_runs.py::test_siblings_take_the_place_of_elements",),
    ),
    Numbered(
        "Section 7",
        "correlations of EPRUM and EP/GR: .75, around .9, .65",
        ("focuseval_papers.piwowarski2006.paper:correlations",),
        ("correlation", "scatter"),
        (f"{_ANALYSIS}::test_correlations_of_all_values_the_top_and_the_rest",),
    ),
)


def claims(printed: Mapping[str, pd.DataFrame]) -> Sequence[Finding]:
    """The findings on the printed numbers."""
    return findings(printed_evidence(printed["piwowarski2006"]))
