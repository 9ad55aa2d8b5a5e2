"""The analysis of a paper on a campaign, its tables and its findings."""

from pathlib import Path

import pandas as pd

from focuseval_papers.publication.paper import Material, load, make_tables
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    paper = load(snakemake.params.paper)
    context = paper.context(snakemake.params.context)
    printed = {Path(path).stem: pd.read_csv(path) for path in snakemake.input.printed}
    folder = Path(snakemake.output.analysis).parent
    make_tables(paper, Material(context, folder.parent, printed), folder)
