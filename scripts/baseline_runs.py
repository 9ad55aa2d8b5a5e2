"""Runs of retrieval systems over a campaign's own text, a file for each kind of run."""

from pathlib import Path

from job import job

from focuseval.campaign.collection_store import document_texts, load_collection
from focuseval.campaign.store import write_results
from focuseval.formats.topics import read_topics
from focuseval.retrieval.search import build_index, retrieve_all
from focuseval.retrieval.systems import SYSTEMS, systems_for
from focuseval.transformations.as_results import as_results

with job(snakemake):
    campaign = snakemake.params.campaign
    settings = campaign["baselines"]
    elements = snakemake.input.elements
    words = load_collection(elements, "words")
    index = build_index(
        document_texts(snakemake.input.collection),
        words,
        sections=settings["sections"],
        paragraphs=settings["paragraphs"],
    )
    topics = read_topics(snakemake.input.topics)
    if campaign["query_type"]:
        topics = topics[topics["query_type"] == campaign["query_type"]]
    systems = SYSTEMS[: settings["systems"]]
    collection = load_collection(elements, campaign["unit"])
    for kind, path in zip(snakemake.params.kinds, snakemake.output, strict=True):
        runs = retrieve_all(index, words, topics, systems_for(kind, systems), size=settings["results"])
        write_results(as_results(runs, collection), collection, Path(path))
