"""Write a page with the audits of all campaigns."""

from pathlib import Path

from focuseval.campaign.tables import versions
from focuseval.files import write_text
from focuseval.report.page import page
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    sections = [
        (Path(folder) / "section.html").read_text(encoding="utf-8") for folder in snakemake.input.folders
    ]
    write_text(snakemake.output[0], page(sections, versions()))
