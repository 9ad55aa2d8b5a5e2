"""Full and ideal recall-bases of every topic, quantisation and method, and how large they are."""

from pathlib import Path

from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_topics
from focuseval.papers.kazai2005.analysis import recall_base_summary
from focuseval.papers.kazai2005.names import QUANTISATIONS
from focuseval.recallbase import IDEAL_METHODS, recall_bases

with job(snakemake):
    collection = load_collection(snakemake.input.elements, snakemake.params.campaign["unit"])
    topics = load_topics(Path(snakemake.input.judgements[0]).parent, collection)
    bases = recall_bases(topics, QUANTISATIONS, tuple(IDEAL_METHODS))
    schema.write(bases, schema.RECALL_BASES, snakemake.output.bases)
    recall_base_summary(topics, bases).to_csv(snakemake.output.summary, index=False)
