"""Simulate runs from assessments and recall-bases."""

from pathlib import Path

from focuseval_papers.simulation import simulate
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, topics_of_set, write_results

with job(snakemake.output, snakemake.log[0]):
    inputs, runs = snakemake.input, RunSet(**snakemake.params.runs)
    collection = load_collection(Path(inputs.collection[0]).parent, snakemake.params.unit)
    topics = topics_of_set(runs, inputs.assessments, collection, inputs.recall_bases)
    write_results(simulate(runs, topics), collection, Path(snakemake.output[0]))
