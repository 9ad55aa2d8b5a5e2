"""The part of the report on Kamps et al. (2007) and one campaign."""

from pathlib import Path

import pandas as pd
from files import pictures, read_json, tables, texts
from job import job

from focuseval.papers.kamps2007.names import COMPARISONS
from focuseval.papers.kamps2007.section import kamps2007_section
from focuseval.present.left_out import left_out

with job(snakemake):
    campaign, given = snakemake.wildcards.campaign, snakemake.input

    def compared(name):
        folder = Path(given.facts).parent / "significance" / name
        return {
            **tables([folder / "systems.csv", folder / "counts.csv"]),
            **pictures([folder / "matrix.svg", folder / "intervals.svg"]),
            "folder": f"{campaign}/significance/{name}",
        }

    accounts = [read_json(path) for path in given.left_out]
    lost = left_out({"runs": accounts})
    lost.to_csv(snakemake.output.left_out, index=False)
    text = kamps2007_section(
        campaign,
        snakemake.params.title,
        asked=snakemake.params.asked,
        facts=read_json(given.facts),
        tables=tables([given.summary, given.orders]),
        figure=Path(given.figure).read_bytes(),
        captions=texts(given.captions),
        compared={name: compared(name) for name in COMPARISONS},
        findings=pd.read_csv(given.findings),
        left_out=lost,
        folder=f"{campaign}/kamps2007",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
