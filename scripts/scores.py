"""Scores of all runs of a campaign under the measures of one family, and what was left out."""

from importlib import import_module
from pathlib import Path

from files import write_json
from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures.declaration import parse_specs
from focuseval.rules import RULES
from focuseval.scoring import score

with job(snakemake):
    campaign = snakemake.params.campaign
    family = import_module(f"focuseval.measures.{snakemake.wildcards.family}")
    known = {measure.name: measure for measure in family.MEASURES}
    specs = [spec for name in snakemake.params.measures for spec in parse_specs(name, known)]
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    topics = load_topics(Path(snakemake.input.judgements[0]).parent, collection)
    results = load_results(Path(snakemake.input.results), collection, size=snakemake.params.size)
    # A task without rules of its own (CO) asks nothing of a run.
    task = campaign["task"] if campaign["task"] in RULES else "thorough"
    scores = score(topics, results, specs, task=task, lenient=campaign["lenient"])
    table = scores.as_asked().assign(campaign=campaign["name"], task=campaign["task"])
    schema.write(table, schema.TASK_SCORES, snakemake.output.scores)
    write_json(scores.left_out(), snakemake.output.left_out)
