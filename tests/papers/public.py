"""Campaigns of public data: from the published files to a paper's material, like the workflow."""

from pathlib import Path

import pytest

from focuseval_papers.publication.paper import Context, Material
from focuseval_papers.publication.requests import requests
from focuseval_papers.workflow.artefacts import named_collection, read_assessments, read_runs, reading_of
from focuseval_papers.workflow.configuration import below, read_campaign_file
from focuseval_papers.workflow.element_tables import build_collection, write_known
from focuseval_papers.workflow.runsets import ALL, SUBMITTED
from focuseval_papers.workflow.sources import load
from focuseval_papers.workflow.store import load_collection, write_results, write_topics
from tests.papers.materials import ROOT, compute, correlate_all, printed, score_paths

#: the folder of real data, if there is one
SHARED = ROOT.parent / "shared/data"


def shared(name):
    """Return the folder of real data, or skip the test if it is absent."""
    if not (SHARED / name).exists():
        pytest.skip(f"../shared/data/{name}, which holds real data, is absent")
    return SHARED / name


def seen_by_papers(campaign):
    """Return a campaign without the settings that papers do not use."""
    return campaign.model_copy(update=dict.fromkeys(("sources", "importer", "papers")))


def material(paper, name, files, folder):
    """A paper's material on the campaign of a file in ``config/campaigns``, with its sources in ``files``."""
    campaign = read_campaign_file(ROOT / f"config/campaigns/{name}.yaml")
    inputs, left = folder / name / "input", folder / name
    load(str(campaign.importer)).write(files, inputs)
    campaign = below(inputs, campaign)
    parts = campaign.parts.items()
    assessments = {ALL: campaign.assessments} | {name: of.assessments for name, of in parts if of.assessments}
    run_files = {SUBMITTED: campaign.runs} | {name: of.runs for name, of in parts if of.runs}
    if campaign.collection:
        build_collection(campaign.collection, left / "collection")
    else:
        elements = named_collection([*assessments.values()], [*run_files.values()], reading_of(campaign))
        write_known(elements, left / "collection")
    collection = load_collection(left / "collection")
    for part, paths in assessments.items():
        topics, _ = read_assessments(campaign, part, paths, collection)
        write_topics(topics, left / "assessments" / part)
    (left / "runs").mkdir()
    for part, paths in run_files.items():
        results, _ = read_runs(campaign, part, paths, collection)
        write_results(results, collection, left / f"runs/{part}.parquet")
    settings = paper.settings()
    requested = requests([name], {name: campaign}, {paper.name: settings}, {paper.name: paper})[name]
    texts = Path(campaign.collection) if campaign.collection else None
    compute(requested, left, unit=campaign.unit, lenient=campaign.lenient, texts=texts)
    correlate_all(requested, {"campaign": left})
    context = Context(campaign, settings)
    return Material(paper, context, left, printed(*paper.declared.printed), score_paths(left))
