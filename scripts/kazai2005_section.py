"""The part of the report on Kazai & Lalmas (2005) and one campaign."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.report import left_out
from focuseval.reproductions.kazai2005.names import CORRELATED
from focuseval.reproductions.kazai2005.section import kazai2005_section
from focuseval.reproductions.kazai2005.tables import tasks_table

with job(snakemake):

    def by_name(paths):
        return {Path(path).stem: Path(path) for path in paths}

    def read_json(path):
        return json.loads(Path(path).read_text(encoding="utf-8"))

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
        tables={name: pd.read_csv(path) for name, path in by_name(snakemake.input.tables).items()},
        figures={name: path.read_bytes() for name, path in by_name(snakemake.input.figures).items()},
        graphs={name: path.read_bytes() for name, path in by_name(snakemake.input.graphs).items()},
        captions={name: path.read_text("utf-8") for name, path in by_name(snakemake.input.captions).items()},
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/kazai2005",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
