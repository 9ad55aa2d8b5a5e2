"""Reproduce a paper on a campaign: write its analysis, tables, figures and verdicts, and its section of the report."""

from pathlib import Path

import pandas as pd

from focuseval_papers.publication.paper import Material, load, make_tables
from focuseval_papers.publication.section import write_section
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.notices import read_notices

with job(snakemake.output, snakemake.log[0]):
    inputs, folder = snakemake.input, Path(snakemake.output.folder)
    paper = load(snakemake.wildcards.paper)
    context = paper.context(snakemake.params.context)
    printed = {Path(path).stem: pd.read_csv(path) for path in inputs.printed}
    folder.mkdir(parents=True)
    material = Material(paper, context, folder.parent, printed, inputs.scores, inputs.left_out)
    make_tables(paper, material, folder, inputs.draws)
    if snakemake.params.figures:
        write_section(paper, context, folder, inputs.facts, inputs.left_out, read_notices(inputs.notices))
