"""The part of the report on Ali et al. (2008) and one campaign."""

from pathlib import Path

import pandas as pd
from files import pictures, read_json, tables, texts
from job import job

from focuseval.papers.ali2008.names import HEADINGS
from focuseval.papers.ali2008.section import ali2008_section
from focuseval.present.left_out import left_out

with job(snakemake):
    accounts = {HEADINGS[task]: [read_json(path)] for task, path in snakemake.params.left_out.items()}
    lost = left_out(accounts)
    lost.to_csv(snakemake.output.left_out, index=False)
    text = ali2008_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        facts=read_json(snakemake.input.facts),
        tasks=list(snakemake.params.left_out),
        settings=snakemake.params.settings,
        tables=tables(snakemake.input.tables),
        figures=pictures(snakemake.input.figures),
        captions=texts(snakemake.input.captions),
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/ali2008",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
