"""The figures of a paper on a campaign, as SVG and PNG."""

from pathlib import Path

from focuseval_papers.publication.kinds import make_figures
from focuseval_papers.publication.paper import load
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    paper = load(snakemake.params.paper)
    context = paper.context(snakemake.params.context)
    make_figures(paper, context, Path(snakemake.input.analysis).parent)
