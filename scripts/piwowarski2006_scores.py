"""Scores of perturbed or submitted runs under EPRUM and EP/GR, and what was left out."""

from pathlib import Path

from files import write_json
from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures import eprum, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.scoring import score

with job(snakemake):
    campaign = snakemake.params.campaign
    known = {measure.name: measure for measure in (*eprum.MEASURES, *xcg.MEASURES)}
    specs = [spec for name in snakemake.params.measures for spec in parse_specs(name, known)]
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    results = load_results(Path(snakemake.input.results), collection)
    scores = score(topics, results, specs)
    table = scores.as_asked().assign(campaign=campaign["name"], task=snakemake.params.task)
    schema.write(table, schema.TASK_SCORES, snakemake.output.scores)
    write_json(scores.left_out(), snakemake.output.left_out)
