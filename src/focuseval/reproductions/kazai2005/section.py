"""The paper's part of the report, for one campaign."""

from collections.abc import Mapping

import pandas as pd

from focuseval.facts import facts_table
from focuseval.report import absent_item, figure_item, findings_item, left_out_item, section, table_item
from focuseval.reproductions.kazai2005.names import DECIMALS, FIGURES, TABLES

#: the paper's campaign, as far as it says, by the names of `focuseval.facts`
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

    def files(name: str, *suffixes: str) -> list[str]:
        return [f"{folder}/{name}.{suffix}" for suffix in suffixes]

    items = [
        table_item("The campaign", "", facts_table({campaign: facts}, _PAPER, "INEX 2005, in the paper"), {}),
        table_item("Tasks", captions["tasks"], tasks, {}),
        findings_item(findings, files("findings", "csv")),
    ]
    for name, heading in TABLES.items():
        if name in tables:
            forms = files(name, "csv", "md", "tex")
            items.append(table_item(heading, captions[name], tables[name], DECIMALS[name], forms))
            if name in ("table1", "sweep"):
                items += _figures(figures, captions, files, ("table1",) if name == "table1" else _SWEEPS)
        else:
            items.append(absent_item(heading, "the campaign has no task with overlap considered."))
    items += _figures(figures, captions, files, ("figure1",))
    for task, svg in graphs.items():
        title_ = f"Graphs of {task}"
        items.append(figure_item(title_, captions["graphs"], svg, files(f"graphs/{task}", "svg", "png")))
    items.append(left_out_item(left_out, files("left_out", "csv")))
    introduction = _INTRODUCTION.format(title=title, tasks=", ".join(correlated))
    return section(f"kazai2005-{campaign}", f"Kazai & Lalmas (2005) on {campaign}", introduction, items)
