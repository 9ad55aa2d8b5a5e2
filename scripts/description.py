"""What a campaign's assessments and runs are like, in numbers: tables, and a section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.report.campaigns import campaign_section
from focuseval.report.tables import write_table
from focuseval_papers.synthetic.concept_settings import calibration
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.description import assessed, returned
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import ALL
from focuseval_papers.workflow.store import load_collection, load_results, load_topics

with job(snakemake.output, snakemake.log[0]):
    given, out = snakemake.input, snakemake.output
    campaign = CampaignSettings.model_validate(snakemake.params.campaign)
    collection = load_collection(given.elements, campaign.unit)
    stands_for = (campaign.scale or "inex2003") if campaign.synthetic else None
    numbers = calibration(assessed(load_topics(Path(given.judgements, ALL), collection)), stands_for)
    files = sorted(Path(given.runs).glob("*.parquet"))
    tables = [returned(load_results(file, collection), collection) for file in files]
    systems = pd.concat(tables, keys=[file.stem for file in files], names=["runs"]).reset_index(level=0)
    write_table(numbers, Path(out.calibration), {})
    write_table(systems, Path(out.population), {})
    write_text(
        out.section, campaign_section(campaign.name, campaign.heading, campaign.unit, numbers, systems)
    )
