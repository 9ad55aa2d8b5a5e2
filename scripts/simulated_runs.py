"""The perfect and the ancestors run of Gövert et al. (2006), Section 4.1."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_topics, write_results
from focuseval.quantisation import on_four_points
from focuseval.transformations.as_results import as_results
from focuseval.transformations.simulated_runs import ancestors, perfect

with job(snakemake):
    collection = load_collection(snakemake.input.elements, snakemake.params.unit)
    folder = Path(snakemake.input.judgements[0]).parent
    topics = [on_four_points(topic) for topic in load_topics(folder, collection)]
    runs = {"perfect": perfect(topics), "ancestors": ancestors(topics)}
    write_results(as_results(runs, collection), collection, Path(snakemake.output[0]))
