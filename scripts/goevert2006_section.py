"""The part of the report on Gövert et al. (2006) and one campaign."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.report import left_out
from focuseval.reproductions.goevert2006.section import goevert2006_section

with job(snakemake):

    def by_name(paths):
        return {Path(path).stem: Path(path) for path in paths}

    accounts = {
        name: [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
        for name, paths in snakemake.params.left_out.items()
    }
    lost = left_out(accounts)
    lost.to_csv(snakemake.output.left_out, index=False)
    text = goevert2006_section(
        snakemake.wildcards.campaign,
        snakemake.params.title,
        facts={Path(p).parent.name: json.loads(Path(p).read_text()) for p in snakemake.input.facts},
        result_sets=snakemake.params.result_sets,
        tables={
            name: pd.read_csv(path, dtype={"run": str})
            for name, path in by_name(snakemake.input.tables).items()
        },
        figures={name: path.read_bytes() for name, path in by_name(snakemake.input.figures).items()},
        captions={name: path.read_text("utf-8") for name, path in by_name(snakemake.input.captions).items()},
        synthetic=snakemake.params.synthetic,
        findings=pd.read_csv(snakemake.input.findings),
        left_out=lost,
        folder=f"{snakemake.wildcards.campaign}/goevert2006",
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
