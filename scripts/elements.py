"""Every element of every document, as element tables."""

from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.jobs import job

if __name__ == "__main__":  # processes that this one starts import it
    with job(snakemake.output, snakemake.log[0]):
        build_collection(
            snakemake.input.collection,
            snakemake.output[0],
            jobs=snakemake.threads,
            lenient=snakemake.params.lenient,
        )
