"""Documents, topics and assessments from the concept-space model."""

from pathlib import Path

from focuseval.jobs import job
from focuseval.synthetic.campaign_files import write_campaign
from focuseval.synthetic.concept_settings import settings

if __name__ == "__main__":  # processes that this one starts import it
    with job(snakemake.output, snakemake.log[0]):
        folder = Path(snakemake.output.collection).parent
        write_campaign(settings(**snakemake.params.settings), folder, processes=snakemake.threads)
