"""The worked examples of papers, which need no campaign, and their sections of the report."""

from pathlib import Path

from focuseval.files import write_atomically
from focuseval.jobs import job
from focuseval.papers.paper import load
from focuseval.papers.worked_examples import make_examples

with job(snakemake.output, snakemake.log[0]):
    for name, section in zip(snakemake.params.papers, snakemake.output.sections, strict=True):
        text = make_examples(load(name), Path(section).parent)
        with write_atomically(section) as out:
            out.write(text)
