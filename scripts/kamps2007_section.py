"""The part of the report on Kamps et al. (2007) and one campaign."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.report import left_out
from focuseval.reproductions.kamps2007.names import COMPARISONS
from focuseval.reproductions.kamps2007.section import kamps2007_section

with job(snakemake):
    campaign, given = snakemake.wildcards.campaign, snakemake.input

    def compared(name):
        folder = Path(given.facts).parent / "significance" / name
        return {
            **{table: pd.read_csv(folder / f"{table}.csv") for table in ("systems", "counts")},
            **{figure: (folder / f"{figure}.svg").read_bytes() for figure in ("matrix", "intervals")},
            "folder": f"{campaign}/significance/{name}",
        }

    accounts = [json.loads(Path(path).read_text(encoding="utf-8")) for path in given.left_out]
    lost = left_out({"runs": accounts})
    lost.to_csv(snakemake.output.left_out, index=False)
    text = kamps2007_section(
        campaign,
        snakemake.params.title,
        asked=snakemake.params.asked,
        facts=json.loads(Path(given.facts).read_text(encoding="utf-8")),
        tables={"summary": pd.read_csv(given.summary), "orders": pd.read_csv(given.orders)},
        figure=Path(given.figure).read_bytes(),
        captions={Path(path).stem: Path(path).read_text(encoding="utf-8") for path in given.captions},
        compared={name: compared(name) for name in COMPARISONS},
        findings=pd.read_csv(given.findings),
        left_out=lost,
        folder=f"{campaign}/kamps2007",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
