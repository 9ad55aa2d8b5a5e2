"""Audit the measures on a campaign: write tables, figures, cards, and a section of the report."""

from pathlib import Path

from focuseval.auditing.campaign import analyse, variants
from focuseval.auditing.section import make_audit
from focuseval.files import write_text
from focuseval.measures import MEASURES, parse_specs
from focuseval.report.parts import write_analysis
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.jobs import job, optional_place
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, load_results, topics_of_set

with job(snakemake.output, snakemake.log[0]):
    inputs, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.folder)
    unit = CampaignSettings.model_validate(params.campaign).unit
    texts = optional_place(inputs.texts, params.inside["texts"])
    collection = load_collection(Path(inputs.collection[0]).parent, unit, texts=texts)
    analysis = analyse(
        topics_of_set(RunSet(**params.runs), inputs.assessments, collection),
        load_results(Path(inputs.runs), collection, size=params.size),
        [spec for name in variants(MEASURES) for spec in parse_specs(name, MEASURES)],
        **params.settings,
    )
    folder.mkdir(parents=True)
    write_analysis(analysis, folder / "analysis")
    section = make_audit(analysis, folder, snakemake.wildcards.campaign, params.title)
    write_text(folder / "section.html", section)
