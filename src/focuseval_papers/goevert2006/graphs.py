"""What the paper's figures show: which settings stand in which panel, and the declarations of the figures."""

from collections.abc import Collection

from focuseval.present.items import Absent, Figure, Item
from focuseval_papers.goevert2006.settings import EARLIER, LONG, SHORT, heading, length, result_sets
from focuseval_papers.publication.paper import Context

#: metric, quantisation, result set
Setting = tuple[str, str, str]

#: recall/precision graphs: metric, and the quantisations that have a panel
GRAPHS = {
    "figure3": ("INEX 2002", ("generalised",)),
    "figure5": ("INEX 2003s", ("strict", "generalised")),
    "figure6": ("INEX 2003o", ("strict", "generalised")),
}

#: scatter plots: the settings of both axes of each panel
SCATTERS: dict[str, list[tuple[Setting, Setting]]] = {
    "figure8": [(("INEX 2003o", q, SHORT), ("INEX 2003o", q, LONG)) for q in ("strict", "generalised")],
    "figure9": [(("INEX 2003o", "strict", EARLIER), ("INEX 2003o", "generalised", EARLIER))],
    "figure10": [(("INEX 2003s", q, SHORT), ("INEX 2003o", q, SHORT)) for q in ("strict", "generalised")],
    "figure11": [(("INEX 2002", "generalised", SHORT), ("INEX 2003o", "generalised", SHORT))],
}


def labels_of(context: Context, x: Setting, y: Setting) -> tuple[str, str, str]:
    """The title of a panel, which says what its axes have in common, and the labels of both: what differs."""
    common = [
        heading(context, a) if n == 2 else a for n, (a, b) in enumerate(zip(x, y, strict=True)) if a == b
    ]
    own = [next(n for n in range(3) if x[n] != y[n])] * 2
    labels = [length(context, s[n]) if n == 2 else s[n] for s, n in zip((x, y), own, strict=True)]
    return ", ".join(common), labels[0], labels[1]


_OF_SIMULATED = "Recall/precision graphs of the simulated runs under the {}, means over topics."
_OF_RUNS = "Average precision of all runs{}, with the regression line."


def _declared(context: Context) -> tuple[Figure, ...]:
    size = length(context, SHORT)
    return (
        Figure(
            "figure3",
            "Figure 3. Simulated runs under INEX 2002",
            _OF_SIMULATED.format("INEX 2002 metric with generalised quantisation"),
            "graphs",
        ),
        Figure(
            "figure5",
            "Figure 5. Simulated runs under INEX 2003s",
            _OF_SIMULATED.format("INEX 2003 metric that considers component size (2003s)"),
            "graphs",
        ),
        Figure(
            "figure6",
            "Figure 6. Simulated runs under INEX 2003o",
            _OF_SIMULATED.format("INEX 2003 metric that considers component size and overlap (2003o)"),
            "graphs",
        ),
        Figure(
            "figure8",
            "Figure 8. INEX 2003o at two sizes of result sets",
            "Average precision of all runs under INEX 2003o at the two sizes of the result sets. The solid line is the "
            "regression of the vertical on the horizontal axis; the dashed line is where both values are equal.",
            "scatter",
        ),
        Figure(
            "figure9",
            "Figure 9. INEX 2003o, strict and generalised, 2002 runs",
            _OF_RUNS.format(
                " of the 2002 result set under INEX 2003o with strict and with generalised quantisation"
            ),
            "scatter",
        ),
        Figure(
            "figure10",
            "Figure 10. INEX 2003s and INEX 2003o",
            _OF_RUNS.format(f", {size} each, under the two variants of the INEX 2003 metric"),
            "scatter",
        ),
        Figure(
            "figure11",
            "Figure 11. INEX 2002 and INEX 2003o",
            _OF_RUNS.format(f", {size} each, under INEX 2002 and INEX 2003o with generalised quantisation"),
            "scatter",
        ),
    )


def possible(name: str, known: Collection[str], quantisations: Collection[str]) -> bool:
    """Whether a figure can be made of the given result sets and quantisations."""
    if name in GRAPHS:
        return any(q in quantisations for q in GRAPHS[name][1])
    return any(all(q in quantisations and of in known for _, q, of in panel) for panel in SCATTERS[name])


def figures(context: Context) -> list[Item]:
    """The paper's figures, and why one cannot be made."""
    known, quantisations = result_sets(context), context.settings.quantisations
    return [
        figure
        if possible(figure.name, known, quantisations)
        else Absent(figure.title, f"it shows {_shown(figure.name)}, which the campaign has not all.")
        for figure in _declared(context)
    ]


def _shown(name: str) -> str:
    """The quantisations and the result sets, by name, that a figure shows."""
    if name in GRAPHS:
        return " and ".join(GRAPHS[name][1])
    settings = [setting for panel in SCATTERS[name] for setting in panel]
    quantisations, sets = (dict.fromkeys(setting[n] for setting in settings) for n in (1, 2))
    return f"{' and '.join(quantisations)} under result sets named {' and '.join(sets)}"
