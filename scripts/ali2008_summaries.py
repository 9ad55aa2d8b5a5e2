"""Structural summaries of a collection: partitions with their probabilities, and the edges of the graphs."""

from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.summaries import summary_tables

with job(snakemake):
    collection = load_collection(snakemake.input.elements, snakemake.params.campaign["unit"])
    partitions, edges = summary_tables(collection, snakemake.params.summaries)
    schema.write(partitions, schema.PARTITIONS, snakemake.output.partitions)
    schema.write(edges, schema.SUMMARY_EDGES, snakemake.output.edges)
