"""Assessments as judged elements and highlighted passages on the element tables."""

from pathlib import Path

from job import job

from focuseval.campaign import topics_of
from focuseval.campaign_store import save_topics
from focuseval.collection_store import load_collection
from focuseval.errors import InputError
from focuseval.formats.assessments import read_assessments

with job(snakemake.log[0]):
    campaign = snakemake.params.campaign
    collection = load_collection(snakemake.input.elements[0], campaign["unit"])
    raw = read_assessments([Path(snakemake.input.assessments)], scale=campaign.get("scale"))
    topics, problems = topics_of(raw, collection, coverage=campaign["coverage"])
    if problems and not campaign["lenient"]:
        raise InputError(problems)
    save_topics(topics, *map(Path, snakemake.output))
