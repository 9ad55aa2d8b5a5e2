"""One task of the study of accuracy: SRP and nxCG of every run, and what its results repeat."""

from pathlib import Path

from files import write_json
from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures.declaration import parse_specs
from focuseval.measures.structural import MEASURES as SR
from focuseval.measures.xcg import MEASURES as XCG
from focuseval.papers.ali2008.names import accuracy_measures
from focuseval.papers.ali2008.studies import repeated
from focuseval.scoring import score

with job(snakemake):
    campaign, task = snakemake.params.campaign, snakemake.wildcards.kind
    cutoffs = snakemake.params.cutoffs
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    results = load_results(Path(snakemake.input.results), collection)
    names = accuracy_measures(snakemake.params.settings, cutoffs)
    known = {measure.name: measure for measure in (*SR, *XCG)}
    specs = [spec for name in names for spec in parse_specs(name, known)]
    scores = score(topics, results, specs, task=task, lenient=campaign["lenient"])
    table = scores.as_asked().assign(campaign=campaign["name"], task=task)
    schema.write(table, schema.TASK_SCORES, snakemake.output.scores)
    write_json(scores.left_out(), snakemake.output.left_out)
    repeated(results, max(cutoffs)).assign(task=task).to_csv(snakemake.output.repeated, index=False)
