"""Every element of every document, as element tables."""

from job import job

from focuseval.campaign.collection_store import build_collection

if __name__ == "__main__":  # processes that this one starts import it
    with job(snakemake):
        build_collection(
            snakemake.input.collection,
            snakemake.output[0],
            jobs=snakemake.threads,
            lenient=snakemake.params.lenient,
        )
