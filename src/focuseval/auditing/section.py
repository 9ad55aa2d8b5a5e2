"""The audit of a campaign: its tables, figures, cards and section of the report."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.auditing.cards import SHOWN, to_markdown_cards
from focuseval.auditing.figures import DRAWN
from focuseval.auditing.findings import BREAKS, UNBROKEN
from focuseval.errors import counted
from focuseval.report import page
from focuseval.report.figures import draw
from focuseval.report.items import Analysis, Figure, Item, Table, write_tables
from focuseval.report.tables import write_table


def matrix(findings: pd.DataFrame) -> pd.DataFrame:
    """Measures × transformations: ``not broken`` in so many cases, the share that breaks and by how much, or ``-``."""
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
    named = findings.assign(cell=cells)
    order = list(dict.fromkeys(findings["transformation"]))
    wide = named.pivot(index="measure", columns="transformation", values="cell")
    return wide.loc[list(dict.fromkeys(findings["measure"])), order].reset_index().rename_axis(columns=None)


def chosen_by(analysis: Analysis) -> pd.DataFrame:
    """One row a measure, what it is chosen by: properties not broken, power, swaps and tau of half the topics, pool.

    Without the statistics of `focuseval.auditing.campaign.analyse` there are only the properties.
    """
    findings = analysis["findings"]
    decided = findings[findings["verdict"].isin([UNBROKEN, BREAKS])]
    kept = decided["verdict"] == UNBROKEN
    by = decided.assign(kept=kept, cases=decided["tried"] * kept).groupby("measure", sort=False)
    table = by.agg(
        properties=("kept", "size"), not_broken=("kept", "sum"), cases=("cases", "sum")
    ).reset_index()
    if "power" not in analysis:
        return table
    power = (
        analysis["power"]
        .pivot(index="measure", columns="test", values="told_apart")
        .add_prefix("told_apart_")
    )
    steady = analysis["stability"].sort_values("topics").groupby("measure").last()
    steady = steady.rename(columns={"topics": "of_topics"})[["of_topics", "swap_rate", "tau"]]
    pool = analysis["pool"].groupby("measure")[["largest_fall", "ranks"]].max().add_prefix("pool_")
    for part in (power, steady, analysis["needed"].set_index("measure")[["by_swaps", "by_tau"]], pool):
        table = table.merge(part.reset_index(), on="measure", how="left")
    return table


def breaches(analysis: Analysis) -> pd.DataFrame:
    """Every breach: measure, transformation, expected, tried, broken, largest, mean change with its interval."""
    breaks = analysis["findings"][analysis["findings"]["verdict"] == BREAKS]
    columns = ["measure", *(name for name in SHOWN if name != "verdict")]
    return breaks[columns].reset_index(drop=True)


#: what is shown of every audit
ITEMS: tuple[Item, ...] = (
    Figure(
        "matrix",
        "What measures do",
        "A row for each measure, a column for each transformation of its runs. A blue disc: the score did what it "
        "should in every case tried, which is no proof; an orange square with a number: it did not on so many per "
        "cent of the lists that changed; a small grey dot: nothing is expected, or nothing could be decided here. The "
        "files of the table have the largest breach, too.",
    ),
    Table(
        "matrix",
        "What measures do, with the largest breach",
        "",
        lambda found, _: matrix(found["findings"]),
    ),
    Table(
        "breaches",
        "Breaches",
        "Every property that a measure does not have here: pairs of scores tried and broken, the largest breach, "
        "and the mean change with its 95 % interval over topics. The smallest example of each is on the measure's "
        "card.",
        lambda found, _: breaches(found),
        {"largest": 4, "mean_change": 4, "low": 4, "high": 4},
    ),
    Table(
        "chosen_by",
        "What measures are chosen by",
        "Properties that were decided, those that no case broke, and in how many cases; pairs of systems told "
        "apart at .05 by either test (discriminative power); swap rate and Kendall's tau between the orders on two "
        "halves of the topics, and the fewest topics at which swaps are at most 5 % and tau is at least .9 (empty: "
        "more than could be tried); the largest fall of a run that is scored without what it alone brought to the "
        "pool, and by how many ranks.",
        lambda found, _: chosen_by(found),
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

#: what is shown where there are runs enough for statistics
STATISTICS: tuple[Item, ...] = (
    Figure(
        "levels",
        "Discriminative power",
        "Achieved significance levels: the two-tailed p-values of all pairs of systems (randomisation test, not "
        "corrected) in rising order, a line for each measure. The further to the right a line crosses .05, the "
        "more pairs the measure tells apart. Named are measures from the most to the least discriminating one.",
    ),
    Figure(
        "stability",
        "How many topics does one need?",
        "Kendall's tau between the orders of systems on two sets of topics that share none, by their size, the "
        "mean over random splits; the band is that of the middle 95 % of splits of the upper and the lowest "
        "measure named.",
    ),
    Figure(
        "agreement",
        "A map of measures",
        "Measures that order systems alike are near each other: distances are 1 - tau as far as a plane can show "
        "them (classical scaling). The numbers are explained beside the map; colours are families. The table has "
        "Kendall's tau and the AP-correlation (of the order by the second measure with that by the first as the truth) "
        "with 95 % intervals, topics drawn with replacement.",
    ),
    Table(
        "agreement",
        "Agreement",
        "",
        decimals=dict.fromkeys(["tau", "tau_low", "tau_high", "tau_ap", "tau_ap_low", "tau_ap_high"], 3),
    ),
)


def items(analysis: Analysis) -> list[Item]:
    """What is shown of an audit, as far as there is something to show."""
    return [*ITEMS, *(STATISTICS if "levels" in analysis else ())]


def make_audit(analysis: Analysis, folder: Path, campaign: str, title: str) -> str:
    """Write the tables, figures and cards of a campaign's audit into a folder; its section of the report."""
    shown = items(analysis)
    write_tables(shown, analysis, None, folder)
    draw(shown, DRAWN, analysis, None, folder)
    write_cards(analysis, folder / "cards")
    told = [f"Nothing is said of how measures order systems: {why}." for why in analysis["undecided"]["why"]]
    refused = len(analysis["refused"])
    if refused:
        told.append(
            f"{counted(refused, 'measure')} cannot be computed on this campaign; refused.csv says why."
        )
    write_table(analysis["refused"], folder / "refused.csv", {})
    return page.section(
        f"audit-{campaign}",
        f"Audit of measures on {campaign}",
        "\n\n".join(
            [
                f"{title}.",
                "What do measures say of runs whose worth is known? Every measure is tried on runs that are "
                "transformed in ways after which its score should be the same, no better, no worse or highest. A card "
                "for each measure is in the folder cards beside the tables.",
                *told,
            ]
        ),
        page.shown(shown, analysis, None, folder, f"audit/{campaign}"),
        group="Audit of measures",
        label=campaign,
    )


def write_cards(analysis: Analysis, folder: Path) -> None:
    """A card for each measure, as Markdown: what was tried, what it does, and the smallest example of each breach."""
    folder.mkdir(parents=True, exist_ok=True)
    for measure, found in analysis["findings"].groupby("measure", sort=False):
        (folder / card_file(str(measure))).write_text(to_markdown_cards(found), encoding="utf-8")


def card_file(measure: str) -> str:
    """The name of the file of a measure's card: ``nxCG_quantisation-gen_at-10.md`` of ``nxCG(quantisation=gen)@10``."""
    plain = measure.replace("=", "-").replace(")@", "_at-").replace("@", "_at-")
    return re.sub(r"[(),]+", "_", plain).strip("_") + ".md"
