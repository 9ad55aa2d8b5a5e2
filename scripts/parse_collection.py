"""Write tables of every document and every element of a campaign."""

from pathlib import Path

from focuseval_papers.workflow.artefacts import add_notices, collection_of_code, named_collection, reading_of
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.element_tables import build_collection, write_known
from focuseval_papers.workflow.jobs import job, log_messages, place

if __name__ == "__main__":  # worker processes import this script, and must not run the job again
    with job(snakemake.output, snakemake.log[0]):
        inputs, params = snakemake.input, snakemake.params
        folder = Path(snakemake.output.documents).parent
        campaign = CampaignSettings.model_validate(params.campaign)
        if params.kind == "documents":
            source = place(inputs.collection, params.inside["collection"])
            build_collection(source, folder, jobs=snakemake.threads, lenient=campaign.lenient)
        elif params.kind == "code":
            collection_of_code(Path(inputs.imported), folder)
        else:
            assessments, runs = (
                [*map(place, inputs[key], params.inside[key])] for key in ("assessments", "runs")
            )
            write_known(named_collection(assessments, runs, reading_of(campaign)), folder)
        lines = add_notices(Path(snakemake.output.notices), inputs.imported)
        log_messages(campaign.name, lines, snakemake.log[0])
