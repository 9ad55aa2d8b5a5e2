"""The paper's part of the report, for one campaign."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from focuseval.campaign.facts import facts_table
from focuseval.papers.kamps2007.analysis import as_shown
from focuseval.papers.kamps2007.names import COMPARISONS, DECIMALS
from focuseval.present.comparisons import comparison_items, how_tested
from focuseval.present.page import (
    Shown,
    figure_files,
    figure_item,
    findings_item,
    left_out_item,
    section,
    table_files,
    table_item,
)

#: the paper's campaign, by the names of `focuseval.campaign.facts`
_PAPER = {"assessed topics": 111, "runs": 20}


def kamps2007_section(
    campaign: str,
    title: str,
    *,
    asked: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, float],
    tables: Mapping[str, pd.DataFrame],
    figure: bytes,
    captions: Mapping[str, str],
    compared: Mapping[str, Mapping[str, Any]],
    findings: pd.DataFrame,
    left_out: pd.DataFrame,
    folder: str,
) -> str:
    """The section on one campaign.

    ``asked`` are the two comparisons as they were asked for, ``compared`` what `comparison_items` takes of
    them (systems, counts, matrix, intervals, folder), both by the names of `COMPARISONS`; ``tables`` are
    summary and orders, ``figure`` is the SVG of the orders; ``folder`` is where their files are, seen from
    the report.
    """
    one = asked["kamps2007-table1"]
    introduction = (
        f"{title}.\n\nThe best {one['top']} of the campaign's runs by MAgP (the paper: the best 20 of INEX "
        f"2006), numbered by their rank under it, compared pair by pair by {how_tested(one)}. The paper does "
        "not say which variant of the bootstrap it used; ours is in docs/measures.md. Numbers "
        "differ from the printed ones because the data differ; whether the findings hold on these data is "
        "checked below."
    )

    items: list[Shown] = [
        table_item("The campaign", "", facts_table({campaign: facts}, _PAPER, "INEX 2006, in the paper"), {}),
        findings_item(findings, [f"{folder}/findings.csv"]),
        *(
            table_item(
                heading, captions[name], table, DECIMALS.get(name, {}), table_files(f"{folder}/{name}")
            )
            for name, heading, table in (
                ("summary", "Numbers of the text", as_shown(tables["summary"])),
                ("orders", "Orders of the systems", tables["orders"]),
            )
        ),
        figure_item(
            "Orders under MAgP and MAP", captions["figure"], figure, figure_files(f"{folder}/orders")
        ),
    ]
    for name, (_, heading) in COMPARISONS.items():
        items += comparison_items(asked[name], heading, **compared[name])
    items.append(left_out_item(left_out, [f"{folder}/left_out.csv"]))
    return section(f"kamps2007-{campaign}", f"Kamps et al. (2007) on {campaign}", introduction, items)
