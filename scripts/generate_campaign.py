"""Generate the documents, topics and assessments of a synthetic campaign from the concept-space model."""

from pathlib import Path

from focuseval_papers.synthetic.campaign_files import write_campaign, write_structured
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow.campaign_settings import StructureSettings
from focuseval_papers.workflow.jobs import job

if __name__ == "__main__":  # worker processes import this script, and must not run the job again
    with job(snakemake.output, snakemake.log[0]):
        folder, params = Path(snakemake.output.folder), snakemake.params
        chosen = settings(**params.settings)
        folder.mkdir(parents=True, exist_ok=True)
        write_campaign(chosen, folder, processes=snakemake.threads)
        if params.structured:
            structure = StructureSettings.model_validate(params.structured)
            write_structured(chosen, structure, folder / "assessments-2005", folder / "structured")
