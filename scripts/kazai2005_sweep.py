"""One point of the sweep, an ideal method and a treatment of own text, under every alpha."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics
from focuseval.papers.kazai2005.analysis import sweep

with job(snakemake):
    point, grid = snakemake.params.point, snakemake.params.grid
    collection = load_collection(snakemake.input.elements, snakemake.params.campaign["unit"])
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    results = load_results(Path(snakemake.input.results), collection)
    table = sweep(topics, results, **point, **grid)
    table.assign(**point).to_csv(snakemake.output[0], index=False)
