"""``docs/reproduced.md``, written from what the papers declare.

    python -m focuseval_papers.publication.reproduced docs/reproduced.md

The printed values are read from ``config/published``, so that it is run in the repository.
"""

import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pandas as pd

from focuseval.report.parts import Absent
from focuseval.report.tables import pipe_table
from focuseval_papers.publication.declaration import Numbered
from focuseval_papers.publication.paper import NAMES, Publication, load
from focuseval_papers.publication.section import ON_PRINT

PUBLISHED = Path("config/published")

_HEADINGS = {
    "Eq.": "Equations",
    "Definition": "Definitions and theorems",
    "Hypothesis": "Definitions and theorems",
    "Theorem": "Definitions and theorems",
    "Example": "Examples",
    "Table": "Tables and figures",
    "Figure": "Tables and figures",
    "Section": "Numbers and procedures of the text",
}

_INTRODUCTION = """\
# What is reproduced, and where

<!-- written by `make docs` from src/focuseval_papers/*/publication.yaml: not to be edited here -->

Every numbered item of the five papers: what computes it, where the report shows it (the name of a table or figure in
the paper's section, which is also that of its files in `results/CAMPAIGN/PAPER/`, or in `results/PAPER/` for worked
examples), and which test holds it; or why it is not here. Where a paper contradicts itself, [errata.md](errata.md) has
the arithmetic.

Findings are claims of the text as checks. Each is evaluated on the numbers that the paper prints, where it prints
those that the check needs (the last column), and on every campaign, which the report shows. Where a number decides, the
threshold is the paper's or ours, with the reason; without one, a direction does.
[own-campaign.md](own-campaign.md#verdicts) says how verdicts are reached.
"""


def document(published: Path) -> str:
    """The whole page, from the printed values in a folder."""
    return "\n".join(
        [_INTRODUCTION, *(section(load(name), published) for name in NAMES if load(name).declared.numbered)]
    )


def section(paper: Publication, published: Path) -> str:
    """The part of the page on one publication."""
    printed = {file: pd.read_csv(published / f"{file}.csv") for file in paper.declared.printed}
    parts = [f"## {paper.declared.title}\n"]
    for heading, items in groupby(
        _in_order(paper.declared.numbered), lambda item: _HEADINGS[item.item.split()[0]]
    ):
        rows = [(item.item, item.what, where(item, paper)) for item in items]
        parts.append(f"### {heading}\n\n{pipe_table(('item', 'what', 'where'), rows)}")
    found = []
    for each, claim in zip(paper.claims(printed), paper.declared.findings, strict=True):
        thresholds = "; ".join(f"`{bound}` is {whose}" for bound, whose in claim.thresholds)
        found.append((each.section, each.claim, f"`{each.name}`", thresholds, ON_PRINT[each.verdict]))
    columns = ("section", "claim", "finding", "threshold", "on the printed numbers")
    parts.append(f"### Findings\n\n{pipe_table(columns, found)}")
    return "\n".join(parts)


def _in_order(numbered: Sequence[Numbered]) -> list[Numbered]:
    """Items of one heading together, headings and items in the order in which they come."""
    headings = list(dict.fromkeys(_HEADINGS.values()))
    return sorted(numbered, key=lambda item: headings.index(_HEADINGS[item.item.split()[0]]))


def module_named(name: str) -> str:
    """The whole name of a module: one of the library is named without ``focuseval``, of the reproductions with all."""
    return name if name.startswith("focuseval_papers.") else f"focuseval.{name}"


def where(item: Numbered, paper: Publication) -> str:
    """Where an item is, with links seen from ``docs``."""
    examples = {shown.name for shown in paper.examples if not isinstance(shown, Absent)}
    parts = [_code(code) for code in item.code]
    if item.shown:
        names = ", ".join(f"`{name}`" for name in item.shown)
        parts.append(f"worked examples: {names}" if set(item.shown) <= examples else f"report: {names}")
    named = (test.partition("::") for test in item.tests)
    parts += [f"[`{name}`](../tests/{path})" for path, _, name in named]
    return "; ".join(filter(None, [*parts, item.note]))


def _code(code: str) -> str:
    module, _, name = code.partition(":")
    path = f"../src/{module_named(module).replace('.', '/')}.py"
    return f"[`{module}.{name}`]({path})" if name else f"[`{module}`]({path})"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(document(PUBLISHED), encoding="utf-8")
