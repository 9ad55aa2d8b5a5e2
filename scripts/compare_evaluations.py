"""Write a table of all evaluations of public campaigns, and its section of the report."""

from pathlib import Path

from focuseval.files import write_text
from focuseval.report.parts import read_analysis
from focuseval.report.tables import write_table
from focuseval_papers.publication.overview import make_overview, overview
from focuseval_papers.publication.paper import load
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    inputs, out = snakemake.input, snakemake.output
    folders = zip(snakemake.params.publications, map(Path, inputs.papers), strict=True)
    table = overview((load(name), read_analysis(folder / "analysis")) for name, folder in folders)
    write_table(table, Path(out.table), {})
    write_text(out.section, make_overview(table, "evaluations/overview.csv"))
