"""The paper's part of the report, for one campaign."""

from collections.abc import Mapping

import pandas as pd

from focuseval.campaign.facts import facts_table
from focuseval.papers.kazai2005.names import DECIMALS, FIGURES, SWEEPS, TABLES
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

#: the paper's campaign, as far as it says, by the names of `focuseval.campaign.facts`
_PAPER = {"assessed topics": 29, "results per topic and run": 1_500}

_INTRODUCTION = (
    "{title}.\n\nTables 1 and 2 average over the tasks that the campaign has of the eight that the paper "
    "averages over ({tasks}), and over the quantisations and measures. Numbers differ from the printed ones "
    "because the data differ; whether the paper's findings hold on these data is checked below."
)


def kazai2005_section(
    campaign: str,
    title: str,
    *,
    facts: Mapping[str, float],
    tasks: pd.DataFrame,
    correlated: list[str],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, bytes],
    graphs: Mapping[str, bytes],
    captions: Mapping[str, str],
    findings: pd.DataFrame,
    left_out: pd.DataFrame,
    folder: str,
) -> str:
    """The section on one campaign: its tasks, findings, tables, figures, and what was left out.

    ``tasks`` from `tables.tasks_table`; ``correlated`` names the tasks that Tables 1 and 2 average over;
    tables, figures (SVG) and captions by the names of their files, ``graphs`` by task; ``folder`` is where
    those are, seen from the report.
    """

    def drawn(*names: str) -> list[Shown]:
        return [
            figure_item(FIGURES[name], captions[name], figures[name], figure_files(f"{folder}/{name}"))
            for name in names
            if name in figures
        ]

    def shown(name: str) -> Shown:
        if name not in tables:
            return absent_item(TABLES[name], "the campaign has no task whose runs overlap.")
        forms = table_files(f"{folder}/{name}")
        return table_item(TABLES[name], captions[name], tables[name], DECIMALS[name], forms)

    items: list[Shown] = [
        table_item("The campaign", "", facts_table({campaign: facts}, _PAPER, "INEX 2005, in the paper"), {}),
        table_item("Tasks", captions["tasks"], tasks, {}),
        findings_item(findings, [f"{folder}/findings.csv"]),
        shown("table1"),
        *drawn("map"),
        shown("table2"),
        *drawn("figure1"),
        *(
            figure_item(f"Graphs of {task}", captions["graphs"], svg, figure_files(f"{folder}/graphs/{task}"))
            for task, svg in graphs.items()
        ),
        shown("best"),
        shown("recall_bases"),
        *drawn(*SWEEPS),
        shown("sweep"),
    ]
    items.append(left_out_item(left_out, [f"{folder}/left_out.csv"]))
    introduction = _INTRODUCTION.format(title=title, tasks=", ".join(correlated))
    return section(f"kazai2005-{campaign}", f"Kazai & Lalmas (2005) on {campaign}", introduction, items)
