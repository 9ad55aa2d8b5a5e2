"""Simulated and perturbed runs of a campaign under its main measures, next to its own: a section of the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.report import page
from focuseval.report.parts import Item, Table, write_tables
from focuseval.statistics.means import means_by


def variants(scores: pd.DataFrame, asked: Mapping[str, Any]) -> pd.DataFrame:
    """Return a row for each kind of run and measure: how many runs, and the mean, lowest and highest of their means.

    ``scores`` has the columns runs, run, name and value; ``asked`` has made_by (what makes each set, by its name) and
    measures. Draws of one perturbation, ``moved-0.3.1``, count as runs of one kind, ``moved-0.3``. Columns runs, kind,
    measure, count, mean, lowest, highest.
    """
    part = scores[scores["name"].isin(asked["measures"])].astype({"runs": str, "run": str, "name": str})
    means = means_by(part, ["runs", "run", "name"])
    made_by = means["runs"].map(asked["made_by"])
    drawn = made_by.isin(["moved", "siblings"])
    kind = means["run"].where(~drawn, means["run"].str.replace(r"\.\d+$", "", regex=True))
    kind = kind.where(made_by != "", "own runs")
    kind = kind.where(drawn | made_by.isin(["perfect", "ancestors", "ideal", ""]), made_by)
    grouped = means.assign(kind=kind).groupby(["runs", "kind", "name"], sort=False)["value"]
    table = grouped.agg(count="size", mean="mean", lowest="min", highest="max").reset_index()
    return table.rename(columns={"name": "measure"})


def make_variants(
    scores: pd.DataFrame,
    asked: Mapping[str, Any],
    left_out: pd.DataFrame,
    folder: Path,
    campaign: str,
    title: str,
) -> str:
    """Write the table of `variants` into a folder; its section of the report."""
    table = variants(scores, asked)
    caption = (
        "Means over topics. Of kinds with several runs or draws the mean, the lowest and the highest. A measure "
        "that is sound puts the ideal runs first, and perturbed runs below those they were made of."
    )
    decimals = dict.fromkeys(["mean", "lowest", "highest"], 4)
    items: Sequence[Item] = [Table("variants", "Simulated and perturbed runs", caption, decimals=decimals)]
    analysis = {"variants": table}
    write_tables(items, analysis, asked, folder)
    return page.section(
        f"variants-{campaign}",
        f"Simulated and perturbed runs on {campaign}",
        f"{title}.",
        [
            *page.shown(items, analysis, asked, folder, f"{campaign}/comparisons/variants"),
            page.shown_left_out(left_out),
        ],
        group="Simulated and perturbed runs",
        label=campaign,
    )
