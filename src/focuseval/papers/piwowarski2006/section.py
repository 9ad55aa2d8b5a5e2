"""The paper's parts of the report: the worked examples, and one campaign."""

from collections.abc import Mapping

import pandas as pd

from focuseval.campaign.facts import facts_table
from focuseval.papers.piwowarski2006.names import DECIMALS, EXAMPLES, FIGURES, TABLES
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

#: the paper's campaign (Section 7), by the names of `focuseval.campaign.facts`
_PAPER = {"assessed topics": 29, "runs": 45}

_EXAMPLES = (
    "The paper's examples need no campaign: every number that it prints follows from the probabilities that it "
    "gives, or does not; then a note says why, and the errata have the arithmetic."
)

_INTRODUCTION = (
    "{title}.\n\nThe runs are those of the task {task}. Both metrics have the same ideal elements, and users "
    "navigate by the ratio of lengths (Section 7). Numbers differ from the printed ones because the data "
    "differ; whether the paper's findings hold on these data is checked below."
)


def examples_section(tables: Mapping[str, pd.DataFrame], captions: Mapping[str, str], folder: str) -> str:
    """The section on the worked examples: tables and captions by the names of their files."""
    items = [
        table_item(heading, captions[name], tables[name], DECIMALS[name], table_files(f"{folder}/{name}"))
        for name, heading in EXAMPLES.items()
    ]
    heading = "Piwowarski & Dupret (2006), worked examples"
    return section("piwowarski2006-examples", heading, _EXAMPLES, items)


def piwowarski2006_section(
    campaign: str,
    title: str,
    task: str,
    *,
    facts: Mapping[str, float],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, bytes],
    captions: Mapping[str, str],
    findings: pd.DataFrame,
    left_out: pd.DataFrame,
    folder: str,
) -> str:
    """The section on one campaign: its size, findings, figures, tables, and what was left out.

    Tables, figures (SVG) and captions by the names of their files; ``folder`` is where those are, seen
    from the report.
    """

    def drawn(name: str) -> Shown:
        files = figure_files(f"{folder}/{name}")
        return figure_item(FIGURES[name], captions[name], figures[name], files)

    def shown(name: str) -> Shown:
        files = table_files(f"{folder}/{name}")
        return table_item(TABLES[name], captions[name], tables[name], DECIMALS[name], files)

    items: list[Shown] = [
        table_item("The campaign", "", facts_table({campaign: facts}, _PAPER, "INEX 2005, in the paper"), {}),
        findings_item(findings, [f"{folder}/findings.csv"]),
        drawn("figure4"),
        shown("perturbed"),
        drawn("scatter"),
        shown("correlation"),
        left_out_item(left_out, [f"{folder}/left_out.csv"]),
    ]
    introduction = _INTRODUCTION.format(title=title, task=task)
    return section(
        f"piwowarski2006-{campaign}", f"Piwowarski & Dupret (2006) on {campaign}", introduction, items
    )
