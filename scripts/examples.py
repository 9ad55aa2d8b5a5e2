"""The worked examples of papers, which need no campaign, and their sections of the report."""

from pathlib import Path

from focuseval.files import write_text
from focuseval_papers.publication.kinds import make_examples
from focuseval_papers.publication.paper import load
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    for name, section in zip(snakemake.params.papers, snakemake.output.sections, strict=True):
        text = make_examples(load(name), Path(section).parent)
        write_text(section, text)
