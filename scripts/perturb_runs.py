"""Make perturbed runs: move or replace the elements of ideal rankings, or change other runs."""

from pathlib import Path

from focuseval_papers.simulation import perturb
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, results_of_set, topics_of_set, write_results

with job(snakemake.output, snakemake.log[0]):
    inputs, runs = snakemake.input, RunSet(**snakemake.params.runs)
    collection = load_collection(Path(inputs.collection[0]).parent, snakemake.params.unit)
    topics = topics_of_set(runs, inputs.assessments, collection, inputs.recall_bases)
    results = results_of_set(runs, inputs.runs, collection, topics) if inputs.runs else None
    write_results(perturb(runs, topics, results), collection, Path(snakemake.output[0]))
