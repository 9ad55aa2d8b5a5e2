"""How the paper names its metrics, runs, result sets, tables and figures."""

from collections.abc import Collection, Iterable, Sequence

#: the paper's metrics as measures, up to the quantisation, by the paper's names
METRICS = {
    "INEX 2002": "precall(quantisation={})",
    "INEX 2003s": "inex2003(variant=s,quantisation={})",
    "INEX 2003o": "inex2003(variant=o,quantisation={})",
}

#: the simulated runs of Section 4.1
PERFECT, ANCESTORS = "perfect", "ancestors"

#: the paper's result sets: 56 runs of INEX 2003 at two sizes, 49 runs of INEX 2002
LONG, SHORT, EARLIER = "2003 runs (1500)", "2003 runs (100)", "2002 runs (100)"

#: the tables and figures that are made, by the name of their files: the campaign's own runs, then the paper's
TABLES = {
    "runs": "Average precision of the runs",
    "table1": "Table 1. Assessments by exhaustiveness and specificity",
    "table2": "Table 2. Result sets of two sizes",
    "table3": "Table 3. Strict and generalised quantisation",
    "table4": "Table 4. INEX 2003s and INEX 2003o",
    "table5": "Table 5. INEX 2002 and INEX 2003",
    "simulated": "Simulated runs",
}
FIGURES = {
    "figure3": "Figure 3. Simulated runs under INEX 2002",
    "figure5": "Figure 5. Simulated runs under INEX 2003s",
    "figure6": "Figure 6. Simulated runs under INEX 2003o",
    "figure8": "Figure 8. INEX 2003o at two sizes of result sets",
    "figure9": "Figure 9. INEX 2003o, strict and generalised, 2002 runs",
    "figure10": "Figure 10. INEX 2003s and INEX 2003o",
    "figure11": "Figure 11. INEX 2002 and INEX 2003o",
}

ARTICLE, NON_ARTICLE = "article", "non-article"

_CORRELATIONS = {"pearson_r": 5, "printed": 5, "difference": 5, "kendall_τ": 3, "spearman_ρ": 3}

#: the decimals that tables are shown with: as many as the paper prints, where it does
DECIMALS = {
    "runs": {f"{metric} {q}": 4 for metric in METRICS for q in ("strict", "generalised")},
    "table1": {"share_%": 1, "printed_%": 1, "difference_%": 1},
    **dict.fromkeys(("table2", "table3", "table4", "table5"), _CORRELATIONS),
    "simulated": {"average_precision": 4, "printed": 2, "difference": 4},
}


def measures(family: str, quantisations: Sequence[str]) -> list[str]:
    """Names of the paper's measures of one family (``precall`` or ``inex2003``)."""
    return [
        measure.format(quantisation)
        for measure in METRICS.values()
        if measure.startswith(f"{family}(")
        for quantisation in quantisations
    ]


#: metric, quantisation, result set
Setting = tuple[str, str, str]

#: recall/precision graphs: metric, and the quantisations that have a panel
GRAPHS = {
    "figure3": ("INEX 2002", ("generalised",)),
    "figure5": ("INEX 2003s", ("strict", "generalised")),
    "figure6": ("INEX 2003o", ("strict", "generalised")),
}

#: scatter plots: title, both settings and both labels of each panel
SCATTERS: dict[str, list[tuple[str, Setting, Setting, tuple[str, str]]]] = {
    "figure8": [
        (
            f"INEX 2003o, {q}",
            ("INEX 2003o", q, SHORT),
            ("INEX 2003o", q, LONG),
            ("100 results", "1500 results"),
        )
        for q in ("strict", "generalised")
    ],
    "figure9": [
        (
            f"INEX 2003o, {EARLIER}",
            ("INEX 2003o", "strict", EARLIER),
            ("INEX 2003o", "generalised", EARLIER),
            ("strict", "generalised"),
        )
    ],
    "figure10": [
        (f"{q}, {SHORT}", ("INEX 2003s", q, SHORT), ("INEX 2003o", q, SHORT), ("INEX 2003s", "INEX 2003o"))
        for q in ("strict", "generalised")
    ],
    "figure11": [
        (
            f"generalised, {SHORT}",
            ("INEX 2002", "generalised", SHORT),
            ("INEX 2003o", "generalised", SHORT),
            ("INEX 2002", "INEX 2003o"),
        )
    ],
}


def figures_of(result_sets: Iterable[str], quantisations: Collection[str]) -> list[str]:
    """The figures that can be made of the given result sets and quantisations, in the paper's order."""
    known = set(result_sets)

    def possible(name: str) -> bool:
        if name in GRAPHS:
            return any(q in quantisations for q in GRAPHS[name][1])
        return any(
            all(q in quantisations and of in known for _, q, of in (x, y)) for _, x, y, _ in SCATTERS[name]
        )

    return [name for name in FIGURES if possible(name)]
