"""Every numbered item of the paper, and what of it is not numbered but can be looked up: where it is here."""

import pandas as pd

_XCG = "focuseval.measures.xcg"
_TASKS = "focuseval.tasks"

#: item, what it is, where it is here
_ITEMS = (
    (
        "Section 2",
        "how the ideal recall-base is chosen",
        'focuseval.recallbase, method "paper"; table recall_bases',
    ),
    ("Equation 1", "strict quantisation", "quantisation=strict"),
    ("Equation 2", "generalised quantisation", "quantisation=gen"),
    ("Equation 3", "generalised quantisation with lifted exhaustivity", "quantisation=genLifted"),
    ("Equation 4", "cumulated gain xCG", f"{_XCG}.Curve.cumulated; Figure 1"),
    ("Equation 5", "nxCG", "measure nxCG; table runs, graphs"),
    ("Equation 6", "MAnxCG", "measure MAnxCG; table runs"),
    (
        "Equation 7",
        "relevance value of what may have been seen",
        f"{_XCG}.gains, overlap=on, alpha, own_text",
    ),
    ("Equation 8", "dependency normalisation", f"{_XCG}.gains, overlap=on"),
    ("Equation 9", "gain in Focussed tasks", f"{_XCG}.gains, overlap=on"),
    ("Equation 10", "gain in Thorough tasks", f"{_XCG}.gains, overlap=off"),
    ("Equation 11", "effort-precision", "measure ep; Figure 1, graphs"),
    ("Equation 12", "gain-recall", "measure ep, its cut-off; Figure 1, graphs"),
    ("Section 3.3", "mean average effort-precision", "measures MAep and iMAep; table runs"),
    ("Equation 13", "Q", "measure Q; table runs; docs/errata.md has its denominator"),
    ("Equation 14", "R", "measure R; table runs; docs/errata.md has its denominator"),
    (
        "Figure 1",
        "nxCG and effort-precision",
        "figure figure1, drawn from a run: the paper's is a sketch without data",
    ),
    (
        "Section 4",
        "ep/gr and nxCG graphs of every task",
        "figure graphs-CO.Focussed and its like; figure structured for COS and CAS tasks",
    ),
    ("Section 5", "EvalJ", "no copy of it was at hand: docs/measures.md says where numbers may differ"),
    ("Section 6", "topics and pools of the COS tasks", f"{_TASKS}.COS_TOPICS, COS_POOLS"),
    ("Section 6.1", "settings of CO.Focussed, COS.Focussed", f"{_TASKS}.INEX2005; table tasks"),
    ("Section 6.2", "settings of CO.Thorough, COS.Thorough", f"{_TASKS}.INEX2005; table tasks"),
    (
        "Section 6.3",
        "settings and levels of CO.FetchBrowse, COS.FetchBrowse",
        "fetch_browse=article, fetch_browse=element; table best",
    ),
    (
        "Section 6.3",
        "example of the articles of a run",
        f"{_XCG}.derive_articles; tests/measures/test_xcg.py",
    ),
    ("Section 6.4", "settings of SSCAS, SVCAS, VSCAS, VVCAS", f"{_TASKS}.INEX2005; table tasks"),
    ("Table 1", "correlation of the measures", "table table1, figure map"),
    ("Table 2", "correlation of the quantisation functions", "table table2"),
)


def numbered() -> pd.DataFrame:
    """Columns item, what, where: a measure's name or parameter, a table or figure of the report, or a module."""
    return pd.DataFrame(_ITEMS, columns=["item", "what", "where"])
