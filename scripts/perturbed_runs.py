"""The perturbed runs of Piwowarski & Dupret (2006), Section 7."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_topics, write_results
from focuseval.transformations.perturbed_runs import perturbed_runs

with job(snakemake):
    collection = load_collection(snakemake.input.elements, snakemake.params.unit)
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    runs = perturbed_runs(topics, snakemake.params.quantisation, seed=snakemake.params.seed)
    write_results(runs, collection, Path(snakemake.output[0]))
