"""The part of the report on Piwowarski & Dupret (2006) and one campaign."""

from pathlib import Path

import pandas as pd
from files import pictures, read_json, tables, texts
from job import job

from focuseval.papers.piwowarski2006.section import piwowarski2006_section
from focuseval.present.left_out import left_out

with job(snakemake):
    accounts = {name: [read_json(snakemake.input[name])] for name in ("perturbed", "submitted")}
    lost = left_out({f"{name} runs": account for name, account in accounts.items()})
    lost.to_csv(snakemake.output.left_out, index=False)
    text = piwowarski2006_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        snakemake.params.task,
        facts=read_json(snakemake.input.facts),
        tables=tables(snakemake.input.tables),
        figures=pictures(snakemake.input.figures),
        captions=texts(snakemake.input.captions),
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/piwowarski2006",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
