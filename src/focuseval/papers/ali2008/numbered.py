"""The numbered items of Ali et al. (2008)."""

from focuseval.papers.numbered import Numbered

_SR, _SUMMARIES = "focuseval.measures.structural", "focuseval.summaries"
_EXAMPLES = "focuseval.papers.ali2008.examples"

NUMBERED = (
    Numbered("Figure 1", "a book with XML markup", f"{_EXAMPLES}.figure_1", ("examples/figure2",)),
    Numbered("Figure 2", "its tree", f"{_EXAMPLES}.figure_2", ("examples/figure2",)),
    Numbered(
        "Figure 3",
        "trees that model approaches to retrieval",
        f"{_EXAMPLES}.figure_2",
        ("examples/figure3",),
        "the nodes that the paper draws, and the second document: they are not in its text",
    ),
    Numbered("Definition 3.1", "tree retrieval", f"{_SR}.units"),
    Numbered("Definition 3.2", "a tree", "focuseval.model.elements.Collection"),
    Numbered("Definition 3.3", "an induced subtree", f"{_SR}.connected_pieces"),
    Numbered("Equation 1", "SR", f"{_SR}.trace", ("examples/examples",)),
    Numbered("Equation 2", "p(e; f), Definition 4.1", "focuseval.measures.browsing.browsing"),
    Numbered("Example 4.2", "redundancy of a node", f"{_EXAMPLES}.examples", ("examples/examples",)),
    Numbered("Equation 3", "redundancy of nodes", f"{_SR}.elements_not_seen", ("examples/examples",)),
    Numbered("Equation 4", "redundancy of trees", f"{_SR}.not_seen"),
    Numbered("Figure 4", "two subtrees", f"{_EXAMPLES}.figure_2", ("examples/figure3",)),
    Numbered("Theorem 4.3", "user navigation between trees, Equations 5 and 6", f"{_SR}.not_seen"),
    Numbered("Equation 5", "p(t_i; t_j)", f"{_SR}.not_seen", ("examples/examples",)),
    Numbered(
        "Equation 6",
        "the nodes that are seen from one node",
        why_not="a step of the proof: Equation 5 is its sum over the nodes of a tree",
    ),
    Numbered("Example 4.4", "redundancy of a tree", f"{_EXAMPLES}.tree_redundancy", ("examples/examples",)),
    Numbered(
        "Equation 7",
        "p(e; f) by the steady state",
        "focuseval.measures.browsing.browsing",
        ("examples/examples",),
    ),
    Numbered(
        "Equation 8", "the steady state", f"{_SUMMARIES}.steady_state", ("examples/table1", "examples/table2")
    ),
    Numbered("Figure 5", "two summaries", f"{_SUMMARIES}.summarise", ("examples/figure5",)),
    Numbered("Example 5.1", "p(e7; f)", f"{_EXAMPLES}.examples", ("examples/examples",)),
    Numbered("Table 1", "the p* summary", f"{_EXAMPLES}.table_1", ("examples/table1",)),
    Numbered("Equation 9", "relevance of a tree", f"{_SR}.trace"),
    Numbered("Example 6.1", "SRP of two subtrees", f"{_EXAMPLES}.examples", ("examples/examples",)),
    Numbered(
        "Table 2", "the p*|c summary", f"{_EXAMPLES}.table_2", ("examples/table2", "examples/table2_weights")
    ),
    Numbered(
        "Table 3",
        "accuracy and fidelity",
        "focuseval.papers.ali2008.tables.table3",
        ("campaign/table3", "campaign/settings", "campaign/orders"),
    ),
    Numbered(
        "Figure 6", "fidelity by topic", "focuseval.papers.ali2008.fidelity.fidelity", ("campaign/figure6",)
    ),
)
