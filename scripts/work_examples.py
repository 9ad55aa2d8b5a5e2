"""Write the worked examples of a paper, which need no campaign, and their section of the report."""

from pathlib import Path

from focuseval.files import write_text
from focuseval_papers.publication.kinds import make_examples
from focuseval_papers.publication.paper import load
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    folder = Path(snakemake.output.folder)
    folder.mkdir(parents=True)
    write_text(folder / "section.html", make_examples(load(snakemake.wildcards.paper), folder))
