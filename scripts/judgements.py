"""Assessments as judged elements and highlighted passages on the element tables."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.placing import topics_of
from focuseval.campaign.store import write_topics
from focuseval.errors import InputError
from focuseval.formats.assessments import read_assessments

with job(snakemake):
    campaign = snakemake.params.campaign
    collection = load_collection(snakemake.input.elements, campaign["unit"])
    raw = read_assessments(snakemake.input.assessments, scale=campaign["scale"])
    topics, problems = topics_of(raw, collection, coverage=tuple(campaign["coverage"]))
    if problems and not campaign["lenient"]:
        raise InputError(problems)
    write_topics(topics, Path(snakemake.output.topics).parent)
