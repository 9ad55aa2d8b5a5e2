"""Read the assessments of a campaign, or of one of its tasks, and write the assessed topics."""

from pathlib import Path

from focuseval.campaign.collection_read import contradictions
from focuseval.errors import in_campaign
from focuseval.formats.parsed import files_of
from focuseval_papers.workflow.artefacts import read_assessments, topics_kept
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.jobs import job, log_messages, optional_place, place
from focuseval_papers.workflow.notices import write_notices
from focuseval_papers.workflow.store import load_collection, load_results, write_topics

with job(snakemake.output, snakemake.log[0]):
    inputs, params, task = snakemake.input, snakemake.params, snakemake.wildcards.task
    campaign = CampaignSettings.model_validate(params.campaign)
    texts, paths = (
        optional_place(inputs.texts, params.inside["texts"]),
        place(inputs.assessments, params.inside["assessments"]),
    )
    collection = load_collection(Path(inputs.collection[0]).parent, campaign.unit, texts=texts)
    problems = contradictions(files_of([paths]), collection)
    # contradictions are printed first, because they may explain why a file is refused
    log_messages(campaign.name, [problem.line(in_campaign) for problem in problems], snakemake.log[0])
    runs = [load_results(Path(path), collection) for path in inputs.runs]
    kept = topics_kept(campaign, optional_place(inputs.topics, params.inside["topics"]))
    topics, notices = read_assessments(campaign, task, paths, collection, runs, kept)
    write_topics(topics, Path(snakemake.output.topics).parent)
    lines = write_notices(notices, Path(snakemake.output.notices), problems)
    log_messages(campaign.name, lines, snakemake.log[0])
