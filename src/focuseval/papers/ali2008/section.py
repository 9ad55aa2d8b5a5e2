"""The paper's parts of the report: the worked examples, and the studies on one campaign."""

from collections.abc import Mapping

import pandas as pd

from focuseval.campaign.facts import facts_table
from focuseval.papers.ali2008.names import (
    DECIMALS,
    EXAMPLE_FIGURES,
    EXAMPLE_TABLES,
    FIGURES,
    HEADINGS,
    TABLES,
)
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

#: the paper's campaign of the study of accuracy, as far as it says, by the names of `focuseval.campaign.facts`
_PAPER = {"assessed topics": 114, "runs": 26}

#: the order on the page: tables and figures of the studies, then of the summaries
_ORDER = (
    *(("table", "table3"), ("figure", "accuracy"), ("table", "readings"), ("table", "repeated")),
    *(("figure", "figure6"), ("figure", "held"), ("table", "versions"), ("table", "steps")),
    *(("table", "summaries"), ("figure", "graph"), ("table", "partitions")),
)

_EXAMPLES = (
    "The paper's worked examples, computed from the document of its Figure 1 by the same functions that score "
    "runs. Several printed numbers do not follow from the printed equations; the last column says why, and "
    "docs/errata.md has the arithmetic."
)


def examples_section(
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, bytes],
    captions: Mapping[str, str],
    folder: str,
) -> str:
    """The section on the examples: tables, and the summaries of Figure 1 as pictures (SVG) by file name."""

    items: list[Shown] = [
        table_item(
            heading, captions[name], tables[name], DECIMALS.get(name, {}), table_files(f"{folder}/{name}")
        )
        for name, heading in EXAMPLE_TABLES.items()
    ]
    items += [
        figure_item(
            heading,
            captions[name],
            figures[name],
            [*figure_files(f"{folder}/{name}"), f"{folder}/figure1.xml"],
        )
        for name, heading in EXAMPLE_FIGURES.items()
    ]
    return section("ali2008-examples", "Ali et al. (2008): the worked examples", _EXAMPLES, items)


def ali2008_section(
    campaign: str,
    title: str,
    *,
    facts: Mapping[str, float],
    tasks: list[str],
    settings: Mapping[str, str],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, bytes],
    captions: Mapping[str, str],
    findings: pd.DataFrame,
    left_out: pd.DataFrame,
    folder: str,
) -> str:
    """The section on one campaign: findings, Table 3, perturbed runs, summaries, and what was left out.

    ``tasks`` are those that the campaign has, ``settings`` those of SRP; tables, figures (SVG) and
    captions by the names of their files; ``folder`` is where those are, seen from the report.
    """
    has = ", ".join(HEADINGS[task] for task in tasks)
    set_to = ", ".join(f"{key} {value}" for key, value in settings.items())
    introduction = (
        f"{title}.\n\nStructural relevance in precision (SRP) by {set_to}. Tasks: {has}. Numbers differ from "
        "the printed ones because documents, topics and systems differ; whether the paper's findings hold on "
        "them is checked below."
    )

    def item(kind: str, name: str) -> Shown:
        held, headings = (tables, TABLES) if kind == "table" else (figures, FIGURES)
        if name not in held:
            return absent_item(headings[name], "the campaign has no runs of the task.")
        if kind == "table":
            paths = table_files(f"{folder}/{name}")
            return table_item(TABLES[name], captions[name], tables[name], DECIMALS[name], paths)
        return figure_item(FIGURES[name], captions[name], figures[name], figure_files(f"{folder}/{name}"))

    items: list[Shown] = [
        table_item("The campaign", "", facts_table({campaign: facts}, _PAPER, "INEX 2006, in the paper"), {}),
        findings_item(findings, [f"{folder}/findings.csv"]),
        *(item(*each) for each in _ORDER),
        left_out_item(left_out, [f"{folder}/left_out.csv"]),
    ]
    return section(f"ali2008-{campaign}", f"Ali et al. (2008) on {campaign}", introduction, items)
