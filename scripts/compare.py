"""Which systems of a campaign differ under one measure: tables, figures, and their section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.report.notices import of_files
from focuseval.report.systems import make_comparison
from focuseval.statistics.comparisons import compare_as_asked
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    scores = schema.read(snakemake.input.scores, schema.SCORES).to_pandas()
    analysis, cautions = compare_as_asked(scores, snakemake.params.asked)
    left_out = schema.read(snakemake.input.left_out, schema.LEFT_OUT).to_pandas()
    told = of_files(schema.read(snakemake.input.told, schema.TOLD).to_pandas())
    of_runs = left_out[left_out["runs"].astype(str) == snakemake.params.asked["runs"]]
    text = make_comparison(
        snakemake.params.asked,
        analysis,
        pd.concat([told, of_runs], ignore_index=True),
        Path(snakemake.output.section).parent,
        snakemake.wildcards.campaign,
        snakemake.params.title,
        cautions,
    )
    write_text(snakemake.output.section, text)
