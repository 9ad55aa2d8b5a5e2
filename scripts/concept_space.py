"""Documents, topics and assessments from the concept-space model, and topics that ask for a structure."""

from pathlib import Path

from focuseval_papers.synthetic.campaign_files import write_campaign, write_structured
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow.configuration import StructureSettings
from focuseval_papers.workflow.jobs import job

if __name__ == "__main__":  # processes that this one starts import it
    with job(snakemake.output, snakemake.log[0]):
        out, params = snakemake.output, snakemake.params
        chosen = settings(**params.settings)
        write_campaign(chosen, Path(out.collection).parent, processes=snakemake.threads)
        Path(out.structured).mkdir()
        if params.structured:
            structure = StructureSettings.model_validate(params.structured)
            write_structured(chosen, structure, Path(out.assessments_2005), Path(out.structured))
