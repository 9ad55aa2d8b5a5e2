"""Score a set of runs under the measures of one metric; write the scores, and what scoring left out."""

from pathlib import Path

from focuseval.measures.declaration import parse_specs
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.jobs import job, optional_place
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.scoring import measures_of, score_runs
from focuseval_papers.workflow.store import load_collection, named_documents, results_of_set, topics_of_set

with job(snakemake.output, snakemake.log[0]):
    inputs, params, out = snakemake.input, snakemake.params, snakemake.output
    runs, measures = RunSet(**params.runs), measures_of([snakemake.wildcards.metric.partition("~")[0]])
    specs = {name: parse_specs(name, measures) for name in params.measures}
    every = [spec for of in specs.values() for spec in of]
    documents = None
    if not any("collection" in spec.needs for spec in every):
        documents = named_documents(Path(inputs.assessments[0]).parent, Path(inputs.runs))
    texts, folder = optional_place(inputs.texts, params.inside["texts"]), Path(inputs.collection[0]).parent
    collection = load_collection(folder, params.unit, texts=texts, documents=documents)
    topics = topics_of_set(runs, inputs.assessments, collection, inputs.recall_bases)
    results = results_of_set(runs, inputs.runs, collection, topics, made=True)
    requested = [spec for name, of in specs.items() if name not in params.optional for spec in of]
    optional = [spec for name in params.optional for spec in specs[name]]
    scores, left_out = score_runs(
        runs,
        topics,
        results,
        requested,
        optional,
        campaign=snakemake.wildcards.campaign,
        lenient=params.lenient,
        options=params.options,
    )
    schema.write(scores, schema.SCORES, out.scores)
    schema.write(left_out, schema.LEFT_OUT, out.left_out)
