"""One task of the study of fidelity: every run perturbed in five ways, and SRP of all six versions."""

from pathlib import Path

import pandas as pd
from files import write_json
from job import job

from focuseval.campaign import schema
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results, load_topics, write_results
from focuseval.measures.declaration import parse_specs
from focuseval.measures.structural import MEASURES as SR
from focuseval.papers.ali2008.names import TREES, structural
from focuseval.scoring import score
from focuseval.transformations.perturbations import ORIGINAL, first_ranks, versions

with job(snakemake):
    campaign, task = snakemake.params.campaign, snakemake.wildcards.kind
    settings = snakemake.params.settings
    cutoffs = snakemake.params.cutoffs
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    judged = Path(snakemake.input.judgements[0]).parent
    topics = load_topics(judged, collection, snakemake.params.topics)
    results = load_results(Path(snakemake.input.results), collection)
    names = structural("SRP", settings, cutoffs, TREES[task])
    known = {measure.name: measure for measure in SR}
    specs = [spec for name in names for spec in parse_specs(name, known)]
    paths = {Path(path).stem: Path(path) for path in snakemake.output.runs}
    tables = []
    clusters = TREES[task] == "articles"
    for version, found in versions(results, topics, settings["quantisation"], clusters=clusters):
        if version == ORIGINAL:
            rule = {"task": task, "lenient": campaign["lenient"]}
        else:
            rule = {}
            write_results(found, collection, paths[version])
        scores = score(topics, first_ranks(found, max(cutoffs)), specs, **rule)
        tables.append(scores.as_asked().assign(perturbation=version))
        if version == ORIGINAL:
            write_json(scores.left_out(), snakemake.output.left_out)
    table = pd.concat(tables, ignore_index=True).assign(campaign=campaign["name"], task=task)
    schema.write(table, schema.PERTURBED_SCORES, snakemake.output.scores)
