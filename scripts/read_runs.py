"""Read the submitted runs of a campaign, or of one of its tasks."""

from pathlib import Path

from focuseval.campaign.collection_read import contradictions
from focuseval.errors import in_campaign
from focuseval.formats.parsed import files_of
from focuseval_papers.retrieval.baselines import with_baselines
from focuseval_papers.workflow.artefacts import read_runs, topics_kept
from focuseval_papers.workflow.campaign_settings import CampaignSettings, paths_of
from focuseval_papers.workflow.jobs import job, log_messages, optional_place, place
from focuseval_papers.workflow.notices import write_notices
from focuseval_papers.workflow.store import load_collection, load_results, write_results

with job(snakemake.output, snakemake.log[0]):
    inputs, params, name = snakemake.input, snakemake.params, snakemake.wildcards.runs
    campaign = CampaignSettings.model_validate(params.campaign)
    texts = optional_place(inputs.texts, params.inside["texts"])
    paths = [place(path, params.inside["runs"]) for path in paths_of(inputs.runs)]
    collection = load_collection(Path(inputs.collection[0]).parent, campaign.unit, texts=texts)
    problems = contradictions(files_of(paths), collection)
    # contradictions are printed first, because they may explain why a file is refused
    log_messages(campaign.name, [problem.line(in_campaign) for problem in problems], snakemake.log[0])
    kept = topics_kept(campaign, optional_place(inputs.topics, params.inside["topics"]))
    results, notices = read_runs(campaign, name, paths, collection, kept)
    if inputs.retrieved:
        results = with_baselines(results, load_results(Path(inputs.retrieved), collection))
    write_results(results, collection, Path(snakemake.output.runs))
    lines = write_notices([notices], Path(snakemake.output.notices), problems)
    log_messages(campaign.name, lines, snakemake.log[0])
