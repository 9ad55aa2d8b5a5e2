"""The part of the report on the comparisons that a campaign itself asks for."""

from pathlib import Path

from files import pictures, tables
from job import job

from focuseval.present.comparisons import comparison_items, significance_section

with job(snakemake):
    campaign = snakemake.wildcards.campaign
    items = []
    for asked in snakemake.params.asked:
        folder = Path(snakemake.output[0]).parent / asked["name"]
        items += comparison_items(
            asked,
            f"{asked['name']}: significant improvements under {asked['measure']}",
            **tables([folder / "systems.csv", folder / "counts.csv"]),
            **pictures([folder / "matrix.svg", folder / "intervals.svg"]),
            folder=f"{campaign}/significance/{asked['name']}",
        )
    text = significance_section(campaign, snakemake.params.title, items)
    Path(snakemake.output[0]).write_text(text, encoding="utf-8")
