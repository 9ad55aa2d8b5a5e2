"""The part of the report on Ali et al. (2008) and one campaign."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.report import left_out
from focuseval.reproductions.ali2008.names import HEADINGS
from focuseval.reproductions.ali2008.section import ali2008_section

with job(snakemake):

    def by_name(paths):
        return {Path(path).stem: Path(path) for path in paths}

    def read_json(path):
        return json.loads(Path(path).read_text(encoding="utf-8"))

    accounts = {HEADINGS[task]: [read_json(path)] for task, path in snakemake.params.left_out.items()}
    lost = left_out(accounts)
    lost.to_csv(snakemake.output.left_out, index=False)
    text = ali2008_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        facts=read_json(snakemake.input.facts),
        tasks=list(snakemake.params.left_out),
        settings=snakemake.params.settings,
        tables={name: pd.read_csv(path) for name, path in by_name(snakemake.input.tables).items()},
        figures={name: path.read_bytes() for name, path in by_name(snakemake.input.figures).items()},
        captions={name: path.read_text("utf-8") for name, path in by_name(snakemake.input.captions).items()},
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/ali2008",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
