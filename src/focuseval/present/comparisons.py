"""How a comparison of systems is shown in the report."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from focuseval.present.page import Shown, ShownFigure, ShownTable, figure_files, section, table_files
from focuseval.present.tables import escape_latex
from focuseval.statistics.significance import Significance

#: the decimals that systems are shown with
DECIMALS = {"mean": 4, "low": 4, "high": 4}

_TESTS = {
    "bootstrap": "the bootstrap (one-tailed, {resamples} resamples)",
    "randomisation": "the paired randomisation test (one-tailed, {resamples} draws, or all where they are few)",
    "t-test": "the paired t-test (one-tailed)",
}


def how_tested(asked: Mapping[str, Any]) -> str:
    """The test of a comparison in words, from its entry in the configuration."""
    corrected = ", corrected for the number of pairs after Holm" if asked["correction"] == "holm" else ""
    return f"{_TESTS[asked['test']].format(**asked)} at level {asked['alpha']:g}{corrected}"


def comparison_items(
    asked: Mapping[str, Any],
    heading: str,
    systems: pd.DataFrame,
    counts: pd.DataFrame,
    matrix: bytes,
    intervals: bytes,
    folder: str,
) -> list[Shown]:
    """The matrix, the intervals with their table, and the counts under every test.

    ``asked`` is the comparison's entry in the configuration; ``systems`` and ``counts`` are tables of
    `focuseval.statistics.comparisons.Comparison`, ``matrix`` and ``intervals`` SVG; ``folder`` is where the files are,
    seen from the report.
    """
    chosen = counts[counts["test"] == asked["test"]].iloc[0]
    under = asked.get("ranked_by") or asked["measure"]
    caption = (
        f"A disc stands where the system of the row improves significantly on that of the column, a dot where it "
        f"does not: {chosen['significant']} of {chosen['pairs']} pairs on {chosen['topics']} topics, by "
        f"{how_tested(asked)}. Systems stand in the order of {asked['measure']} and have the number of their "
        f"rank under {under}."
    )
    name, measure = asked["name"], asked["measure"]
    return [
        ShownFigure(
            f"{name}.matrix",
            heading,
            caption,
            matrix,
            [
                *figure_files(f"{folder}/matrix"),
                *(f"{folder}/{file}" for file in ("matrix.txt", "matrix.tex", "pairs.csv")),
            ],
        ),
        ShownTable(
            f"{name}.counts",
            f"{measure}: significant pairs under every test",
            "",
            counts,
            {},
            [f"{folder}/counts.csv"],
        ),
        ShownFigure(
            f"{name}.intervals",
            f"{measure}: means with confidence intervals",
            f"Means over topics with their 95 % intervals (percentiles of {asked['resamples']} bootstrap "
            "resamples of the topics). Overlap of two intervals says nothing about a difference that is "
            "consistent from topic to topic: the matrix does.",
            intervals,
            figure_files(f"{folder}/intervals"),
        ),
        ShownTable(
            f"{name}.systems",
            f"{measure}: systems",
            "",
            systems,
            DECIMALS,
            table_files(f"{folder}/systems"),
        ),
    ]


def significance_section(campaign: str, title: str, items: Sequence[Shown]) -> str:
    """The section on the comparisons that a campaign asks for itself."""
    introduction = (
        f"{title}.\n\nSystems compared topic by topic, as the campaign's configuration asks (significance)."
    )
    return section(
        f"significance-{campaign}",
        f"Significance on {campaign}",
        introduction,
        items,
        group="Significance",
        label=campaign,
    )


def _triangle(
    found: Significance, labels: Sequence[str] | None, mark: str
) -> tuple[list[str], list[list[str]]]:
    """Names of the rows and columns, and the cells."""
    names = found.systems if labels is None else [str(label) for label in labels]
    if len(names) != len(found.systems):
        raise ValueError(f"{len(found.systems)} labels are wanted, one per system; got {len(names)}")
    places = range(len(names))
    cells = [
        ["" if column <= row else mark if found.significant[row, column] else "-" for column in places]
        for row in places
    ]
    return names, cells


def significance_text(found: Significance, labels: Sequence[str] | None = None) -> str:
    """The triangle of significant improvements as text: ``*`` where the row improves on the column, or ``-``.

    ``labels`` replace the systems' names, in rank order: Kamps' Table 2 labels them by their rank under
    another measure.
    """
    names, cells = _triangle(found, labels, "*")
    side = max(map(len, names))
    widths = [max(len(name), 1) for name in names]
    lines = [" ".join([" " * side, *(name.rjust(width) for name, width in zip(names, widths, strict=True))])]
    for name, row in zip(names, cells, strict=True):
        marks = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(" ".join([name.rjust(side), *marks]).rstrip())
    return "\n".join(lines) + "\n"


def significance_latex(found: Significance, labels: Sequence[str] | None = None) -> str:
    """The triangle of significant improvements as a LaTeX ``tabular``: a star where the row improves."""
    names, cells = _triangle(found, labels, r"$\star$")
    names = [escape_latex(name) for name in names]
    lines = [rf"\begin{{tabular}}{{r{'c' * len(names)}}}", " & ".join(["", *names]) + r" \\", r"\hline"]
    lines += [" & ".join([name, *row]) + r" \\" for name, row in zip(names, cells, strict=True)]
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"
