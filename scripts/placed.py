"""Gold and runs that name places in source code as spans, the code's element tables, and what is told of both."""

from pathlib import Path

from focuseval.campaign import notices
from focuseval.errors import in_campaign
from focuseval.files import write_text
from focuseval_papers.workflow.artefacts import write_placed
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    params, told = snakemake.params, Path(snakemake.output.told)
    campaign = CampaignSettings.model_validate(params.campaign)
    found = write_placed(campaign, told.parent, Path(snakemake.output.elements))
    write_text(told, "".join(f"{line}\n" for line in notices.lines(found, naming=in_campaign)))
