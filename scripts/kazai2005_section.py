"""The part of the report on Kazai & Lalmas (2005) and one campaign."""

from pathlib import Path

import pandas as pd
from files import pictures, read_json, tables, texts
from job import job

from focuseval.papers.kazai2005.names import CORRELATED
from focuseval.papers.kazai2005.section import kazai2005_section
from focuseval.papers.kazai2005.tables import tasks_table
from focuseval.present.left_out import left_out

with job(snakemake):
    about = pd.DataFrame([read_json(path) for path in snakemake.input.about])
    accounts = {
        task: [read_json(path)] for task, path in zip(about["task"], snakemake.input.left_out, strict=True)
    }
    lost = left_out(accounts)
    lost.to_csv(snakemake.output.left_out, index=False)
    text = kazai2005_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        facts=read_json(snakemake.input.facts),
        tasks=tasks_table(about, snakemake.params.absent),
        correlated=[task for task in about["task"] if task in CORRELATED],
        tables=tables(snakemake.input.tables),
        figures=pictures(snakemake.input.figures),
        graphs=pictures(snakemake.input.graphs),
        captions=texts(snakemake.input.captions),
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/kazai2005",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
