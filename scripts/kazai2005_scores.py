"""One task of Kazai & Lalmas (2005): scores, graphs, what the ideal ranking scores, one list's gains."""

import json
from pathlib import Path

from files import write_json
from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.papers.kazai2005 import analysis
from focuseval.papers.kazai2005.names import kind_of
from focuseval.scoring import score
from focuseval.tasks import INEX2005

with job(snakemake):
    campaign, task = snakemake.params.campaign, snakemake.wildcards.task
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    results = load_results(Path(snakemake.input.results), collection)
    specs = [spec for name in INEX2005[task].measures() for spec in parse_specs(name, MEASURES)]
    rule = "focused" if kind_of(task) == "focussed" else "thorough"
    scores = score(topics, results, specs, task=rule, lenient=campaign["lenient"])
    table = scores.as_asked().assign(campaign=campaign["name"], task=task)
    schema.write(table, schema.TASK_SCORES, snakemake.output.scores)
    write_json(scores.left_out(), snakemake.output.left_out)

    analysis.curves(topics, results, specs).to_csv(snakemake.output.curves, index=False)
    mean = analysis.means(table)
    mean.to_csv(snakemake.output.means, index=False)
    ideal = analysis.ideal_performance(topics, specs)
    ideal.assign(task=task).to_csv(snakemake.output.ideal, index=False)
    turned = analysis.turned_around(topics, results, specs)
    turned.assign(task=task).to_csv(snakemake.output.turned, index=False)
    best = analysis.best_runs(mean).query("quantisation == 'gen'")["best_run"].iloc[0]
    analysis.example(topics, results, specs, best).to_csv(snakemake.output.example, index=False)
    about = {"task": task, "runs": len(results.runs), "topics": len(topics)}
    Path(snakemake.output.about).write_text(json.dumps(about) + "\n", encoding="utf-8")
