"""Element tables of documents whose text is not at hand: what is known from assessments and runs."""

from focuseval_papers.workflow.artefacts import known_of, reading_of
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.element_tables import write_known
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    params = snakemake.params
    reading = reading_of(CampaignSettings.model_validate(params.campaign))
    write_known(known_of(params.assessments, params.runs, reading), snakemake.output[0])
