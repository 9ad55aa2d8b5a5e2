"""Compute statistics of a campaign's assessments and runs: write tables, and a section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.report.campaigns import campaign_section
from focuseval.report.tables import write_table
from focuseval_papers.synthetic.concept_settings import calibration
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.campaign_size import facts
from focuseval_papers.workflow.description import relevance_statistics, result_statistics
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import RETRIEVED
from focuseval_papers.workflow.store import load_collection, load_results, load_topics

with job(snakemake.output, snakemake.log[0]):
    inputs, out = snakemake.input, snakemake.output
    campaign = CampaignSettings.model_validate(snakemake.params.campaign)
    collection = load_collection(Path(inputs.collection[0]).parent, campaign.unit)
    topics = load_topics(Path(inputs.assessments[0]).parent, collection)
    runs = {Path(path).stem: load_results(Path(path), collection) for path in inputs.runs}
    counted = [
        (name, fact, value)
        for name, results in runs.items()
        for fact, value in facts(collection, topics, results).items()
    ]
    schema.write(pd.DataFrame(counted, columns=schema.FACTS.names), schema.FACTS, out.facts)
    stands_for = (campaign.scale or "inex2003") if campaign.synthetic else None
    numbers = calibration(relevance_statistics(topics), stands_for)
    tables = {
        name.removeprefix(RETRIEVED): result_statistics(results, collection) for name, results in runs.items()
    }
    systems = pd.concat(tables, names=["runs"]).reset_index(level=0)
    write_table(numbers, Path(out.calibration), {})
    write_table(systems, Path(out.population), {})
    section = campaign_section(campaign.name, campaign.heading, campaign.unit, numbers, systems)
    write_text(out.section, section)
