"""Submitted runs as results on the element tables."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.placing import results_of
from focuseval.campaign.store import write_results
from focuseval.errors import InputError
from focuseval.formats.runs import read_runs

with job(snakemake):
    campaign = snakemake.params.campaign
    lenient = campaign["lenient"]
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    order = {key: campaign[key] for key in ("rank_by", "equal_scores_tie")}
    runs, _ = read_runs(snakemake.input.runs, **order, lenient=lenient)
    results, problems = results_of(runs, collection, size=snakemake.params.size, lenient=lenient)
    if problems and not lenient:
        raise InputError(problems)
    write_results(results, collection, Path(snakemake.output[0]))
