"""The part of the report on Piwowarski & Dupret (2006) and one campaign."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.report import left_out
from focuseval.reproductions.piwowarski2006.section import piwowarski2006_section

with job(snakemake):

    def by_name(paths):
        return {Path(path).stem: Path(path) for path in paths}

    def read_json(path):
        return json.loads(Path(path).read_text(encoding="utf-8"))

    accounts = {name: [read_json(snakemake.input[name])] for name in ("perturbed", "submitted")}
    lost = left_out({f"{name} runs": account for name, account in accounts.items()})
    lost.to_csv(snakemake.output.left_out, index=False)
    text = piwowarski2006_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        snakemake.params.task,
        facts=read_json(snakemake.input.facts),
        tables={name: pd.read_csv(path) for name, path in by_name(snakemake.input.tables).items()},
        figures={name: path.read_bytes() for name, path in by_name(snakemake.input.figures).items()},
        captions={name: path.read_text("utf-8") for name, path in by_name(snakemake.input.captions).items()},
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/piwowarski2006",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
