"""Judgements and runs of a campaign on its element tables, and all that is told of its files."""

from focuseval.campaign.artefacts import Artefacts
from focuseval.campaign.configuration import CampaignSettings
from focuseval.jobs import job
from focuseval.retrieval.baselines import baselines

with job(snakemake.output, snakemake.log[0]):
    params, given, out = snakemake.params, snakemake.input, snakemake.output
    campaign = CampaignSettings.model_validate(params.campaign)
    artefacts = Artefacts(campaign, given.elements)
    artefacts.write_judgements(params.judgements, given.assessments, out.judgements)
    if campaign.submitted or campaign.tasks:
        artefacts.write_submitted(params.runs, given.runs, out.runs)
    else:
        artefacts.write_runs(baselines(campaign, params.runs, given.texts, given.topics, given.elements), out.runs)
    artefacts.write_told(out.facts, out.told, out.rejected)
