"""The paper's part of the report, for one campaign."""

from collections.abc import Mapping

import pandas as pd

from focuseval.campaign.facts import facts_table
from focuseval.papers.goevert2006.names import DECIMALS, FIGURES, TABLES
from focuseval.present.page import (
    Shown,
    absent_item,
    figure_files,
    figure_item,
    findings_item,
    left_out_item,
    section,
    table_files,
    table_item,
)

#: the paper's campaign (Sections 5 and 6, Table 1), by the names of `focuseval.campaign.facts`
_PAPER = {
    "documents": 12_107,
    "elements": 8_000_000,
    "elements per document": 1_532,
    "mean depth of an element": 6.9,
    "assessed topics": 36,
    "judged elements": 106_997,
    "relevant elements": 26_446,
    "runs": 56,
    "results per topic and run": 1_500,
}


_SIZE = (
    "The paper's numbers of elements contradict each other: 12,107 documents of 1,532 elements are 18.5 million, not 8 "
    "million (docs/errata.md)."
)

#: tables of more runs are folded away
_MOST_RUNS = 20

_BY_CONSTRUCTION = (
    "This campaign is synthetic, and its shares agree by construction: those of the articles are set to the "
    "printed ones, and the settings of the other elements were fitted to them. The findings on Table 1 are "
    "no evidence here."
)


def goevert2006_section(
    campaign: str,
    title: str,
    *,
    facts: Mapping[str, Mapping[str, float]],
    result_sets: Mapping[str, tuple[str, int] | None],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, bytes],
    captions: Mapping[str, str],
    synthetic: bool,
    findings: pd.DataFrame,
    left_out: pd.DataFrame,
    folder: str,
) -> str:
    """The section on one campaign: its size, findings, tables, figures, and what was left out.

    ``facts`` by campaign (its own, then the earlier one's); ``result_sets`` by name, None for one that
    the campaign has not; tables, figures (SVG) and captions by the names of their files; ``synthetic``
    tells of a campaign that was made after Table 1; ``folder`` is where the files are, seen from the report.
    """
    roles = [
        f"{name} is {of[0]} cut at {of[1]} results" if of else f"{name} is not available"
        for name, of in result_sets.items()
    ]
    introduction = (
        f"{title}.\n\nThe paper's names of result sets are kept, so that its numbers can stand beside: "
        f"{'; '.join(roles)}. Numbers differ from the printed ones because the data differ; whether the "
        "paper's findings hold on these data is checked below."
    )

    def table(name: str) -> Shown:
        caption = captions[name]
        if synthetic and name == "table1":
            caption = f"{caption}\n\n{_BY_CONSTRUCTION}"
        fold = f"All {len(tables[name])} runs" if name == "runs" and len(tables[name]) > _MOST_RUNS else ""
        paths = table_files(f"{folder}/{name}")
        return table_item(TABLES[name], caption, tables[name], DECIMALS[name], paths, fold)

    runs, *others = map(table, TABLES)
    items: list[Shown] = [
        table_item("The campaign", _SIZE, facts_table(facts, _PAPER, "INEX 2003, in the paper"), {}),
        runs,
        findings_item(findings, [f"{folder}/findings.csv"]),
        *others,
    ]
    for name, heading in FIGURES.items():
        if name in figures:
            items.append(
                figure_item(heading, captions[name], figures[name], figure_files(f"{folder}/{name}"))
            )
        else:
            items.append(absent_item(heading, "it shows a result set that the campaign has not."))
    items.append(left_out_item(left_out, [f"{folder}/left_out.csv"]))
    return section(f"goevert2006-{campaign}", f"Gövert et al. (2006) on {campaign}", introduction, items)
