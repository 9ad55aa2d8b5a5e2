"""Make the runs of all retrieval systems for one kind of task."""

from pathlib import Path

from focuseval_papers.retrieval.baselines import load_terms, retrieve_runs
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.jobs import job, log_messages, place
from focuseval_papers.workflow.notices import write_notices
from focuseval_papers.workflow.store import load_collection, write_results

if __name__ == "__main__":  # worker processes import this script, and must not run the job again
    with job(snakemake.output, snakemake.log[0]):
        inputs, params = snakemake.input, snakemake.params
        campaign = CampaignSettings.model_validate(params.campaign)
        elements = Path(inputs.collection[0]).parent
        collection = load_collection(elements, campaign.unit)
        results, notices = retrieve_runs(
            campaign,
            snakemake.wildcards.kind,
            params.systems,
            load_terms(Path(inputs.terms)),
            place(inputs.topics, params.inside["topics"]),
            elements,
            collection,
            threads=snakemake.threads,
        )
        write_results(results, collection, Path(snakemake.output.runs))
        log_messages(
            campaign.name, write_notices([notices], Path(snakemake.output.notices)), snakemake.log[0]
        )
