"""A comparison that a campaign asks for: its tables, figures and section of the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.report import page
from focuseval.report.comparisons import comparison_items, looked_at
from focuseval.report.figures import COMPARISONS, draw
from focuseval.report.items import Analysis, write_tables
from focuseval.report.tables import renamed, shorten, typeset


def make_comparison(
    asked: Mapping[str, Any],
    analysis: Analysis,
    left_out: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
    cautions: Sequence[str],
) -> str:
    """Write the tables and figures of a comparison that a campaign asks for; its section of the report.

    ``asked`` has name, runs, measure, remarks on it, ranked_by, size and settings, the entry in the configuration;
    ``cautions`` are what to be careful with, ``left_out`` is in the columns of `focuseval.campaign.schema.LEFT_OUT`.
    """
    heading = f"{asked['name']}: significant improvements under {asked['measure']}"
    items = comparison_items("", heading, asked["measure"], asked["ranked_by"], asked["settings"])
    write_tables(items, analysis, asked, folder)
    analysis, short = shorten(analysis)
    draw(items, COMPARISONS, analysis, asked, folder)
    link = f"{campaign}/significance/{asked['name']}"
    return page.section(
        f"significance-{campaign}-{asked['name']}",
        f"Significance on {campaign}: {asked['name']}",
        "\n\n".join(
            [
                f"{title}.",
                "Systems compared topic by topic, as the campaign's configuration asks (significance): "
                f"{looked_at(asked['size'])}.",
                *(f"{asked['measure']}: {remark}." for remark in asked["remarks"]),
                *(f"Careful: {typeset(renamed(caution, short))}." for caution in cautions),
            ]
        ),
        [
            *page.shown(items, analysis, asked, folder, link),
            *page.shown_names(short),
            page.shown_left_out(left_out),
        ],
        group="Significance",
        label=f"{campaign}: {asked['name']}",
    )
