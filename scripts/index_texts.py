"""Index all documents of a campaign: write the terms that retrieval systems search, in text order."""

from pathlib import Path

from focuseval_papers.retrieval.baselines import read_terms, write_terms
from focuseval_papers.workflow.jobs import job, place
from focuseval_papers.workflow.store import load_collection

if __name__ == "__main__":  # worker processes import this script, and must not run the job again
    with job(snakemake.output, snakemake.log[0]):
        inputs = snakemake.input
        collection = load_collection(Path(inputs.collection[0]).parent, "words")
        texts = place(inputs.texts, snakemake.params.inside["texts"])
        write_terms(read_terms(texts, collection, snakemake.threads), Path(snakemake.output[0]))
