"""How a comparison of systems is shown in the report."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from focuseval.present.page import figure_files, figure_item, section, table_files, table_item

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
) -> list[str]:
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
    return [
        figure_item(
            heading,
            caption,
            matrix,
            [
                *figure_files(f"{folder}/matrix"),
                *(f"{folder}/{name}" for name in ("matrix.txt", "matrix.tex", "pairs.csv")),
            ],
        ),
        table_item(
            f"{asked['measure']}: significant pairs under every test",
            "",
            counts,
            {},
            [f"{folder}/counts.csv"],
        ),
        figure_item(
            f"{asked['measure']}: means with confidence intervals",
            f"Means over topics with their 95 % intervals (percentiles of {asked['resamples']} bootstrap "
            "resamples of the topics). Overlap of two intervals says nothing about a difference that is "
            "consistent from topic to topic: the matrix does.",
            intervals,
            figure_files(f"{folder}/intervals"),
        ),
        table_item(
            f"{asked['measure']}: systems",
            "",
            systems,
            DECIMALS,
            table_files(f"{folder}/systems"),
        ),
    ]


def significance_section(campaign: str, title: str, items: list[str]) -> str:
    """The section on the comparisons that a campaign asks for itself."""
    introduction = (
        f"{title}.\n\nSystems compared topic by topic, as the campaign's configuration asks (significance)."
    )
    return section(f"significance-{campaign}", f"Significance on {campaign}", introduction, items)
