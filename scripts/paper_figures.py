"""The figures of a paper on a campaign, as SVG and PNG."""

from pathlib import Path

from focuseval.jobs import job
from focuseval.papers.drawing import make_figures
from focuseval.papers.paper import load

with job(snakemake.output, snakemake.log[0]):
    paper = load(snakemake.params.paper)
    context = paper.context(snakemake.params.context)
    make_figures(paper, context, Path(snakemake.input.analysis).parent)
