"""The figures of an audit: what measures do, how surely they tell systems apart, and which are alike."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.auditing.findings import BREAKS, UNBROKEN
from focuseval.errors import extra
from focuseval.measures.declaration import parts_of
from focuseval.model.arrays import Floats
from focuseval.report.figures import COLOURS, STYLE
from focuseval.report.items import Analysis, Drawn
from focuseval.report.items import Figure as Declared

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: measures whose lines are named in a graph of all
NAMED = 6

_SOFT = "#B8BEC9"


def drawn_matrix(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Measures × transformations: discs are not broken, squares are, in so many per cent of cases, dots say nothing."""
    findings = analysis["findings"]
    measures = list(dict.fromkeys(findings["measure"]))
    transformations = list(dict.fromkeys(findings["transformation"]))
    column = findings["transformation"].map(transformations.index).to_numpy()
    row = findings["measure"].map(measures.index).to_numpy()
    kept, breaks = (findings["verdict"] == verdict for verdict in (UNBROKEN, BREAKS))
    style = {**STYLE, "axes.grid": False}
    with matplotlib.rc_context(style):
        size = 0.34 * len(transformations) + 3.2, 0.26 * len(measures) + 2.2
        drawing = Figure(figsize=size, layout="constrained")
        ax = drawing.subplots()
        ax.scatter(column[kept], row[kept], s=70, color=COLOURS[0], linewidths=0, label="not broken")
        ax.scatter(
            column[breaks], row[breaks], s=150, marker="s", color=COLOURS[1], linewidths=0, label="breaks"
        )
        silent = ~(kept | breaks)
        ax.scatter(column[silent], row[silent], s=5, color=_SOFT, linewidths=0, label="no verdict")
        for place in np.flatnonzero(breaks):
            share = 100 * findings["broken"].iloc[place] / max(findings["tried"].iloc[place], 1)
            text = f"{share:.0f}" if share >= 1 else "<1"
            ax.text(column[place], row[place], text, ha="center", va="center", fontsize=7, color="white")
        ax.set_xticks(range(len(transformations)), transformations, rotation=90)
        ax.set_yticks(range(len(measures)), measures)
        ax.set(xlim=(-0.7, len(transformations) - 0.3), ylim=(len(measures) - 0.4, -0.6))
        ax.xaxis.tick_top()
        ax.tick_params(length=0, labelsize=8)
        ax.spines[:].set_visible(False)
        drawing.legend(loc="outside lower center", ncols=3)
    return drawing


def _spread(order: Sequence[str], count: int = NAMED) -> list[str]:
    """Some names of an order, evenly spread, the first and the last among them."""
    places = np.unique(np.linspace(0, len(order) - 1, min(count, len(order))).round().astype(int))
    return [order[place] for place in places]


def _graph(
    lines: dict[str, tuple[Floats, Floats]], order: Sequence[str], level: float, said: str
) -> tuple[Figure, Axes, list[str]]:
    """All lines thin and grey, some of an order in colours, and a level; what is named."""
    drawing, named = Figure(figsize=(8.4, 4.2), layout="constrained"), _spread(order)
    ax = drawing.subplots()
    for name, (x, y) in lines.items():
        if name not in named:
            ax.plot(x, y, color=_SOFT, linewidth=0.6, zorder=1)
    for name, colour in zip(named, COLOURS, strict=False):
        ax.plot(*lines[name], color=colour, label=name, zorder=2)
    ax.axhline(level, color="#333333", linewidth=1, linestyle="--")
    drawing.legend(loc="outside right upper", title=said)
    return drawing, ax, named


@matplotlib.rc_context(STYLE)
def drawn_levels(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Achieved significance levels by the share of pairs, a line for each measure."""
    levels, power = (analysis[name].query("test == 'randomisation'") for name in ("levels", "power"))
    order = power.sort_values("told_apart", ascending=False, kind="stable")["measure"].tolist()
    lines = {
        str(name): (100 * part["place"].to_numpy() / len(part), part["p"].to_numpy())
        for name, part in levels.groupby("measure", sort=False)
    }
    drawing, ax, _ = _graph(lines, order, 0.05, "most to least power")
    ax.text(1, 0.053, "p = .05", ha="left", va="bottom", fontsize=8.5)
    ax.set(xlabel="pairs of systems, surest first (%)", ylabel="p-value", xlim=(0, 100), ylim=(0, 0.3))
    return drawing


@matplotlib.rc_context(STYLE)
def drawn_stability(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Kendall's tau between the orders on two sets of topics, by their size."""
    found = analysis["stability"]
    largest = found[found["topics"] == found["topics"].max()].dropna(subset="tau")
    order = largest.sort_values("tau", ascending=False, kind="stable")["measure"].tolist()
    parts = {str(name): part for name, part in found.groupby("measure", sort=False)}
    lines = {name: (part["topics"].to_numpy(), part["tau"].to_numpy()) for name, part in parts.items()}
    drawing, ax, named = _graph(lines, order, 0.9, "highest to lowest")
    for name in {named[0], named[-1]} if named else ():
        part, colour = parts[name], COLOURS[named.index(name) % len(COLOURS)]
        ax.fill_between(part["topics"], part["low"], part["high"], color=colour, alpha=0.12, linewidth=0)
    y_label = "Kendall's tau between the two orders"
    ax.set(xlabel="topics in each of two sets", ylabel=y_label, ylim=(None, 1))
    return drawing


def places(agreement: pd.DataFrame) -> pd.DataFrame:
    """(M, 2) measures in a plane, by classical scaling of the distances 1 - tau: measure, x, y.

    Torgerson's method: the two largest eigenvectors of the doubly centred squared distances, each as long as the root
    of its eigenvalue, with the sign that makes the largest coordinate positive. Measures without a defined tau are
    left out.
    """
    tau = agreement.pivot(index="measure", columns="other", values="tau")
    order = [name for name in dict.fromkeys(agreement["measure"]) if tau.loc[name].notna().any()]
    tau = tau.loc[order, order]
    distance = 1 - tau.to_numpy(copy=True)
    np.fill_diagonal(distance, 0.0)
    squares = np.nan_to_num(distance, nan=1.0) ** 2
    centre = np.eye(len(order)) - 1 / max(len(order), 1)
    values, vectors = np.linalg.eigh(-centre @ squares @ centre / 2)
    points = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0))
    points = points * np.sign(points[np.abs(points).argmax(axis=0), range(points.shape[1])])
    return pd.DataFrame({"measure": order, "x": points[:, 0], "y": points[:, 1]})


def drawn_map(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """A map of measures, by numbers; families have colours and marks."""
    found = places(analysis["agreement"])
    stem = found["measure"].map(lambda name: parts_of(name).measure.partition(".")[0])
    families = list(dict.fromkeys(stem))
    marks = "osD^vP*"
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=(11, 0.155 * max(len(found), 40) + 1), layout="constrained")
        ax = drawing.subplots()
        for number, family in enumerate(families):
            mine = (stem == family).to_numpy()
            colour, mark = COLOURS[number % len(COLOURS)], marks[number // len(COLOURS) % len(marks)]
            ax.scatter(
                found["x"][mine], found["y"][mine], s=70, color=colour, marker=mark, alpha=0.55, linewidths=0
            )
        for place, row in enumerate(found.itertuples(), start=1):
            ax.annotate(str(place), (row.x, row.y), ha="center", va="center", fontsize=7)
        ax.set(xlabel="first dimension of 1 - tau", ylabel="second dimension")
        ax.set_aspect("equal", adjustable="datalim")
        listed = [f"{place:>3} {name}" for place, name in enumerate(found["measure"], start=1)]
        half = -(-len(listed) // 2)
        for column in range(2):
            text = "\n".join(listed[column * half : (column + 1) * half])
            drawing.text(1.01 + 0.36 * column, 0.5, text, fontsize=7, va="center", family="DejaVu Sans Mono")
    return drawing


DRAWN: Drawn = {
    "matrix": drawn_matrix,
    "levels": drawn_levels,
    "stability": drawn_stability,
    "agreement": drawn_map,
}
