"""The part of the report on Gövert et al. (2006) and one campaign."""

from pathlib import Path

import pandas as pd
from files import pictures, read_json, tables, texts
from job import job

from focuseval.papers.goevert2006.section import goevert2006_section
from focuseval.present.left_out import left_out

with job(snakemake):
    accounts = {
        name: [read_json(path) for path in paths] for name, paths in snakemake.params.left_out.items()
    }
    lost = left_out(accounts)
    lost.to_csv(snakemake.output.left_out, index=False)
    text = goevert2006_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        facts={Path(p).parent.name: read_json(p) for p in snakemake.input.facts},
        result_sets=snakemake.params.result_sets,
        tables=tables(snakemake.input.tables, dtype={"run": str}),
        figures=pictures(snakemake.input.figures),
        captions=texts(snakemake.input.captions),
        synthetic=snakemake.params.synthetic,
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/goevert2006",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
