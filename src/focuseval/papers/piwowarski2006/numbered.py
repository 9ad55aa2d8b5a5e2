"""The numbered items of Piwowarski & Dupret (2006)."""

from focuseval.papers.numbered import Numbered

_EPRUM, _LAW = "focuseval.measures.eprum", "focuseval.measures.poisson_binomial"

NUMBERED = (
    Numbered("Section 2", "the list of five documents", f"{_EPRUM}.inverse_length", ("examples/numbers",)),
    Numbered(
        "Figure 1",
        "a user session",
        f"{_EPRUM}.discover",
        ("examples/session",),
        "its drawing: the text does not say which steps a user takes inside the document",
    ),
    Numbered(
        "Figure 2",
        "steps between three elements, and the probabilities that they add up to",
        "focuseval.measures.navigation.reach_of_steps",
        ("examples/numbers",),
    ),
    Numbered("Hypothesis 3.1", "navigations are independent", f"{_LAW}.discover", ("examples/numbers",)),
    Numbered("Equation 1", "P(x in S_k), the noisy or", f"{_LAW}.discover", ("examples/numbers",)),
    Numbered(
        "Section 3.3",
        "the parametric model",
        "focuseval.measures.navigation.distance",
        ("campaign/siblings",),
    ),
    Numbered("Figure 3", "the list (c, d, a)", f"{_EPRUM}.discover", ("examples/table1",)),
    Numbered("Table 1", "the situations of Section 4", f"{_EPRUM}.inverse_length", ("examples/table1",)),
    Numbered("Equation 2", "ML, the rank at which a recall is reached", f"{_EPRUM}.search_length"),
    Numbered("Equation 3", "E[ML*] by its definition", f"{_EPRUM}.search_length", ("examples/numbers",)),
    Numbered("Equation 4", "E[ML*] by P(F_k < r)", f"{_EPRUM}.search_length", ("examples/numbers",)),
    Numbered("Equation 5", "E[A / ML]", f"{_EPRUM}.inverse_length", ("examples/table1", "examples/numbers")),
    Numbered("Equation 6", "F_k as a sum", f"{_LAW}.mixtures"),
    Numbered("Equation 7", "the law of F_k", f"{_LAW}.pmf", ("examples/normal_law",)),
    Numbered(
        "Section 5",
        "the normal law in its place",
        f"{_LAW}.normal_at_least",
        ("examples/normal_law", "campaign/laws"),
    ),
    Numbered(
        "Figure 4",
        "EPRUM and EP/GR of perturbed runs",
        "focuseval.transformations.perturbed_runs.perturbed_runs",
        ("campaign/figure4", "campaign/perturbed"),
    ),
    Numbered(
        "Section 7",
        "correlations of average precision",
        "focuseval.papers.piwowarski2006.paper.correlations",
        ("campaign/correlation", "campaign/scatter"),
    ),
    Numbered(
        "Section 7",
        "an ideal element replaced by a sibling",
        "focuseval.transformations.sibling_runs.replaced",
        ("campaign/siblings",),
    ),
)
