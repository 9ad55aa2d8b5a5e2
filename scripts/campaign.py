"""Judgements and runs of a campaign on its element tables, and all that is told of its files."""

from functools import partial
from itertools import chain
from pathlib import Path

from focuseval.campaign import notices
from focuseval.campaign.collection_read import contradictions
from focuseval.errors import in_campaign
from focuseval.formats.parsed import files_of
from focuseval_papers.retrieval.baselines import baselines, beside
from focuseval_papers.workflow.artefacts import (
    keeping_rules,
    submitted,
    topics_kept,
    write_judgements,
    write_runs,
    write_told,
)
from focuseval_papers.workflow.configuration import CampaignSettings
from focuseval_papers.workflow.jobs import job, tell
from focuseval_papers.workflow.runsets import ALL, KIND_OF_TASK, SUBMITTED, Ruled
from focuseval_papers.workflow.store import load_collection

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    out = {name: Path(path) for name, path in snakemake.output.items()}
    campaign = CampaignSettings.model_validate(params.campaign)
    collection = load_collection(given.elements, campaign.unit, texts=given.texts or None)
    files = dict.fromkeys([*params.assessments.values(), *params.runs.values()])
    elsewhere = contradictions(files_of(files), collection)
    # it may be why files are refused
    tell(campaign.name, [problem.line(in_campaign) for problem in elsewhere], snakemake.log[0])
    told = [notices.notes(Path(path).read_text(encoding="utf-8").splitlines()) for path in given.imported]
    kept = topics_kept(campaign, given.topics)
    runs = submitted(campaign, params.runs, collection, told, kept)
    made = partial(
        baselines,
        campaign,
        source=given.texts,
        topics=given.topics,
        elements=given.elements,
        collection=collection,
        structured_topics=params.structured_topics,
        told=told,
        threads=snakemake.threads,
    )
    if campaign.beside:
        [(_, others)] = made({KIND_OF_TASK[campaign.task]: None})
        runs = ((name, beside(own, others) if name == SUBMITTED else own) for name, own in runs)
    if retrieved := {kind: count for kind, count in params.kinds.items() if kind not in params.runs}:
        runs = chain(runs, made(retrieved))
    if campaign.pool_depth:  # the assessments need all runs at once
        runs = list(runs)
    of_pool = [results for _, results in runs] if campaign.pool_depth else ()
    judged = write_judgements(
        campaign, params.assessments, collection, out["judgements"], told, of_pool, kept
    )
    topics = judged[ALL]
    if not campaign.lenient:
        runs = keeping_rules(runs, judged, [Ruled(*one) for one in params.ruled])
    write_runs(runs, collection, topics, out["runs"], out["facts"])
    lines = write_told(told, Path(given.elements), out["told"], out["rejected"], elsewhere)
    tell(campaign.name, lines, snakemake.log[0])
