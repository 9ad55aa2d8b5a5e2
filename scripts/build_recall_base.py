"""Write the full recall-base of every topic under a quantisation, with the ideal elements under every method."""

from pathlib import Path

from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.store import load_collection, load_topics, write_recall_base

with job(snakemake.output, snakemake.log[0]):
    collection = load_collection(Path(snakemake.input.collection[0]).parent, snakemake.params.unit)
    topics = load_topics(Path(snakemake.input.assessments[0]).parent, collection)
    write_recall_base(topics, snakemake.wildcards.quantisation, Path(snakemake.output[0]))
