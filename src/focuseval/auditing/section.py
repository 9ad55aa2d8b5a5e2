"""The audit of a campaign: tables, figures, cards and a section of the report."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.auditing.cards import SHOWN, to_markdown_cards
from focuseval.auditing.findings import BREAKS, UNBROKEN
from focuseval.errors import counted, extra
from focuseval.measures.declaration import parts_of
from focuseval.model.arrays import Floats
from focuseval.report import page
from focuseval.report.figures import COLOURS, STYLE, draw
from focuseval.report.parts import Analysis, Drawn, Item, Table, write_tables
from focuseval.report.parts import Figure as Declared
from focuseval.report.tables import write_table

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def matrix(findings: pd.DataFrame) -> pd.DataFrame:
    """Return a table of the audit's verdicts, with measures as rows and transformations as columns.

    If there is a breach, a cell contains the percentage of cases that break the property, and the size of the largest
    breach. If no case breaks the property, the cell contains ``not broken in`` and the number of cases. Without a
    verdict, the cell contains ``-``.
    """
    cells = np.select(
        [findings["verdict"] == UNBROKEN, findings["verdict"] == BREAKS],
        [
            "not broken in " + findings["tried"].astype(str),
            [
                f"{100 * broken / max(tried, 1):.0f} %, {largest:.2g}"
                for broken, tried, largest in findings[["broken", "tried", "largest"]].itertuples(index=False)
            ],
        ],
        "-",
    )
    with_cells = findings.assign(cell=cells)
    order = list(dict.fromkeys(findings["transformation"]))
    wide = with_cells.pivot(index="measure", columns="transformation", values="cell")
    return wide.loc[list(dict.fromkeys(findings["measure"])), order].reset_index().rename_axis(columns=None)


def chosen_by(analysis: Analysis) -> pd.DataFrame:
    """Return a table of criteria for choosing a measure, with a row for each measure.

    Without statistics (`focuseval.auditing.campaign.analyse`), the only criterion is the number of unbroken
    properties.
    """
    findings = analysis["findings"]
    decided = findings[findings["verdict"].isin([UNBROKEN, BREAKS])]
    unbroken = decided["verdict"] == UNBROKEN
    by = decided.assign(kept=unbroken, cases=decided["tried"] * unbroken).groupby("measure", sort=False)
    table = by.agg(
        properties=("kept", "size"), not_broken=("kept", "sum"), cases=("cases", "sum")
    ).reset_index()
    if "power" not in analysis:
        return table
    power = analysis["power"].pivot(index="measure", columns="test", values="told_apart")
    power = power.add_prefix("told_apart_")
    steady = analysis["stability"].sort_values("topics").groupby("measure").last()
    steady = steady.rename(columns={"topics": "of_topics"})[["of_topics", "swap_rate", "tau"]]
    pool = analysis["pool"].groupby("measure")[["largest_fall", "ranks"]].max().add_prefix("pool_")
    for part in (power, steady, analysis["needed"].set_index("measure")[["by_swaps", "by_tau"]], pool):
        table = table.merge(part.reset_index(), on="measure", how="left")
    return table


def breaches(analysis: Analysis) -> pd.DataFrame:
    """Return a table of all breaches, with a row for each measure and transformation."""
    breaks = analysis["findings"][analysis["findings"]["verdict"] == BREAKS]
    columns = ["measure", *(name for name in SHOWN if name != "verdict")]
    return breaks[columns].reset_index(drop=True)


#: the tables and figures that every audit has
ITEMS: tuple[Item, ...] = (
    Declared(
        "matrix",
        "Measures and transformations",
        "A row for each measure, a column for each transformation of its runs. A blue disc means that the score "
        "changed as expected in every case tried, which is no proof. An orange square gives the per cent of changed "
        "lists in which it did not. A small grey dot means that nothing is expected, or that no case could be decided. "
        "The files of the table also have the largest breach.",
    ),
    Table(
        "matrix",
        "Measures and transformations, with the largest breach",
        "",
        lambda frames, _: matrix(frames["findings"]),
    ),
    Table(
        "breaches",
        "Breaches",
        "Every property that a measure lacks on this campaign: the pairs of scores tried and broken, the largest "
        "breach, and the mean change with its 95 % interval over topics. The measure's card has the smallest example "
        "of each breach.",
        lambda frames, _: breaches(frames),
        {"largest": 4, "mean_change": 4, "low": 4, "high": 4},
    ),
    Table(
        "chosen_by",
        "Criteria for choosing a measure",
        "The number of properties that could be decided, of properties without a breach, and of cases. The share of "
        "pairs of systems that differ significantly at .05 by each test (discriminative power). The swap rate and "
        "Kendall's tau between the rankings on two halves of the topics, and the fewest topics with at most 5 % swaps "
        "and with a tau of at least .9 (empty: more than could be tried). The largest fall of a run that is scored "
        "without its own contribution to the pool, in score and in ranks.",
        lambda frames, _: chosen_by(frames),
        {
            "told_apart_bootstrap": 3,
            "told_apart_randomisation": 3,
            "swap_rate": 3,
            "tau": 3,
            "by_swaps": 0,
            "by_tau": 0,
            "pool_largest_fall": 4,
        },
    ),
)

#: the tables and figures of an audit with enough runs and topics
STATISTICS: tuple[Item, ...] = (
    Declared(
        "levels",
        "Discriminative power",
        "Achieved significance levels: the two-tailed p-values of all pairs of systems (randomisation test, not "
        "corrected) in rising order, a line for each measure. The further to the right a line crosses .05, the "
        "more pairs the measure distinguishes. Labels go from the most to the least discriminating measure.",
    ),
    Declared(
        "stability",
        "How many topics are needed",
        "Kendall's tau between the rankings of systems on two sets of topics that share no topic, by the size of the "
        "sets. Lines are means over random splits. Bands contain the middle 95 % of splits for the highest and the "
        "lowest labelled measure.",
    ),
    Declared(
        "agreement",
        "A map of measures",
        "Measures that rank systems alike are near each other. Distances approximate 1 - tau in a plane (classical "
        "scaling). The legend explains the numbers, and colours are families. The table has Kendall's tau, and the AP "
        "correlation of the ranking by the second measure with the ranking by the first as the truth. 95 % intervals "
        "are over topics, drawn with replacement.",
    ),
    Table(
        "agreement",
        "Agreement",
        "",
        decimals=dict.fromkeys(["tau", "tau_low", "tau_high", "tau_ap", "tau_ap_low", "tau_ap_high"], 3),
    ),
)


def items(analysis: Analysis) -> list[Item]:
    """Return the tables and figures of an audit."""
    return [*ITEMS, *(STATISTICS if "levels" in analysis else ())]


def make_audit(analysis: Analysis, folder: Path, campaign: str, title: str) -> str:
    """Write the tables, figures and cards of a campaign's audit. Return its section of the report."""
    declared_items = items(analysis)
    write_tables(declared_items, analysis, None, folder)
    draw(declared_items, DRAWN, analysis, None, folder)
    write_cards(analysis, folder / "cards")
    notes = [f"Statistics on rankings of systems are missing: {why}." for why in analysis["undecided"]["why"]]
    refused = len(analysis["refused"])
    if refused:
        notes.append(
            f"{counted(refused, 'measure')} cannot be computed on this campaign; refused.csv has the reasons."
        )
    write_table(analysis["refused"], folder / "refused.csv", {})
    return page.section(
        f"audit-{campaign}",
        f"Audit of measures on {campaign}",
        "\n\n".join(
            [
                f"{title}.",
                "Every measure is tried on runs that are transformed. After a transformation, the score should be the "
                "same, no better, no worse, or the highest. The folder cards next to the tables has a card for each "
                "measure.",
                *notes,
            ]
        ),
        page.shown(declared_items, analysis, None, folder, f"audit/{campaign}"),
        group="Audit of measures",
        label=campaign,
    )


def write_cards(analysis: Analysis, folder: Path) -> None:
    """Write the audit's findings about each measure to ``folder``, as a card in Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    for measure, findings in analysis["findings"].groupby("measure", sort=False):
        (folder / card_file(str(measure))).write_text(to_markdown_cards(findings), encoding="utf-8")


def card_file(measure: str) -> str:
    """Return the file name of a card, such as ``nxCG_quantisation-gen_at-10.md`` for ``nxCG(quantisation=gen)@10``."""
    plain = measure.replace("=", "-").replace(")@", "_at-").replace("@", "_at-")
    return re.sub(r"[(),]+", "_", plain).strip("_") + ".md"


#: maximum number of labelled lines in a figure
NAMED = 6

_SOFT = "#B8BEC9"


def drawn_matrix(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Draw the verdicts of an audit, with a row for each measure and a column for each transformation.

    A disc marks an unbroken property, and a dot marks a missing verdict. A square marks a broken property and contains
    the percentage of cases that break it.
    """
    findings = analysis["findings"]
    measures = list(dict.fromkeys(findings["measure"]))
    transformations = list(dict.fromkeys(findings["transformation"]))
    column = findings["transformation"].map(transformations.index).to_numpy()
    row = findings["measure"].map(measures.index).to_numpy()
    unbroken, breaks = (findings["verdict"] == verdict for verdict in (UNBROKEN, BREAKS))
    style = {**STYLE, "axes.grid": False}
    with matplotlib.rc_context(style):
        size = 0.34 * len(transformations) + 3.2, 0.26 * len(measures) + 2.2
        drawing = Figure(figsize=size, layout="constrained")
        ax = drawing.subplots()
        ax.scatter(column[unbroken], row[unbroken], s=70, color=COLOURS[0], linewidths=0, label="not broken")
        ax.scatter(
            column[breaks], row[breaks], s=150, marker="s", color=COLOURS[1], linewidths=0, label="breaks"
        )
        silent = ~(unbroken | breaks)
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
    """Return at most ``count`` evenly spaced names from ``order``, including the first and the last."""
    places = np.unique(np.linspace(0, len(order) - 1, min(count, len(order))).round().astype(int))
    return [order[place] for place in places]


def _graph(
    lines: dict[str, tuple[Floats, Floats]], order: Sequence[str], level: float, title: str
) -> tuple[Figure, Axes, list[str]]:
    """Draw a line for each measure, and a dashed line at ``level``. Return figure, axes and labelled measures.

    Only a few lines, evenly spaced in ``order``, are coloured and labelled.
    """
    drawing, labelled = Figure(figsize=(8.4, 4.2), layout="constrained"), _spread(order)
    ax = drawing.subplots()
    for name, (x, y) in lines.items():
        if name not in labelled:
            ax.plot(x, y, color=_SOFT, linewidth=0.6, zorder=1)
    for name, colour in zip(labelled, COLOURS, strict=False):
        ax.plot(*lines[name], color=colour, label=name, zorder=2)
    ax.axhline(level, color="#333333", linewidth=1, linestyle="--")
    drawing.legend(loc="outside right upper", title=title)
    return drawing, ax, labelled


@matplotlib.rc_context(STYLE)
def drawn_levels(figure: Declared, analysis: Analysis, context: object) -> Figure:
    """Draw a line for each measure through the p-values of all pairs of systems, in ascending order."""
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
    """Draw a line for each measure: Kendall's tau between rankings on two sets of topics, by the size of the sets."""
    stability = analysis["stability"]
    largest = stability[stability["topics"] == stability["topics"].max()].dropna(subset="tau")
    order = largest.sort_values("tau", ascending=False, kind="stable")["measure"].tolist()
    parts = {str(name): part for name, part in stability.groupby("measure", sort=False)}
    lines = {name: (part["topics"].to_numpy(), part["tau"].to_numpy()) for name, part in parts.items()}
    drawing, ax, labelled = _graph(lines, order, 0.9, "highest to lowest")
    for name in {labelled[0], labelled[-1]} if labelled else ():
        part, colour = parts[name], COLOURS[labelled.index(name) % len(COLOURS)]
        ax.fill_between(part["topics"], part["low"], part["high"], color=colour, alpha=0.12, linewidth=0)
    y_label = "Kendall's tau between the two orders"
    ax.set(xlabel="topics in each of two sets", ylabel=y_label, ylim=(None, 1))
    return drawing


def places(agreement: pd.DataFrame) -> pd.DataFrame:
    """Place measures in a plane so that distances approximate 1 - tau, by classical scaling (Torgerson).

    The columns are measure, x and y. Measures without a defined tau are left out.
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
    """Draw a map of numbered measures. Each family of measures has its own colour and marker."""
    rows = places(analysis["agreement"])
    stem = rows["measure"].map(lambda name: parts_of(name).measure.partition(".")[0])
    families = list(dict.fromkeys(stem))
    marks = "osD^vP*"
    with matplotlib.rc_context(STYLE):
        drawing = Figure(figsize=(11, 0.155 * max(len(rows), 40) + 1), layout="constrained")
        ax = drawing.subplots()
        for number, family in enumerate(families):
            mine = (stem == family).to_numpy()
            colour, mark = COLOURS[number % len(COLOURS)], marks[number // len(COLOURS) % len(marks)]
            ax.scatter(
                rows["x"][mine], rows["y"][mine], s=70, color=colour, marker=mark, alpha=0.55, linewidths=0
            )
        for place, row in enumerate(rows.itertuples(), start=1):
            ax.annotate(str(place), (row.x, row.y), ha="center", va="center", fontsize=7)
        ax.set(xlabel="first dimension of 1 - tau", ylabel="second dimension")
        ax.set_aspect("equal", adjustable="datalim")
        listed = [f"{place:>3} {name}" for place, name in enumerate(rows["measure"], start=1)]
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
