"""Runs of the retrieval systems over a campaign's own text, for every kind of run that its tasks ask for."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from focuseval.campaign.collection_store import document_texts, load_collection
from focuseval.campaign.configuration import BaselineSettings, CampaignSettings
from focuseval.formats.topics import read_topics
from focuseval.model.as_results import as_results
from focuseval.model.results import Results, joined
from focuseval.retrieval.search import build_index, retrieve_all
from focuseval.retrieval.systems import SYSTEMS, systems_for

#: what the names of baselines begin with that stand beside submitted runs
BESIDE = "baseline."


def beside(submitted: Results, made: Results) -> Results:
    """Submitted runs, and baselines beside them, which say in their names that they are such."""
    return joined(submitted, replace(made, runs=BESIDE + made.runs))


def baselines(
    campaign: CampaignSettings,
    kinds: Mapping[str, int | None],
    source: str | Path,
    topics: str | Path,
    elements: str | Path,
) -> Iterator[tuple[str, Results]]:
    """Each kind of run (`focuseval.retrieval.systems.systems_for`) with the results of so many systems.

    ``kinds`` says how many of the campaign's systems make runs of a kind, the first ones; None for all.
    ``source`` is the collection, ``topics`` the file or folder of its topics, ``elements`` its element tables.
    Raises InputError for documents or topics that cannot be read.
    """
    settings = campaign.baselines or BaselineSettings()
    words = load_collection(elements, "words")
    index = build_index(
        document_texts(source), words, sections=settings.sections, paragraphs=settings.paragraphs
    )
    asked = read_topics(topics)
    if campaign.query_type:
        asked = asked[asked["query_type"] == campaign.query_type]
    collection = load_collection(elements, campaign.unit)
    for kind, count in kinds.items():
        systems = systems_for(kind, SYSTEMS[: settings.systems])[:count]
        runs = retrieve_all(index, words, asked, systems, size=min(settings.results, campaign.size))
        yield kind, as_results(runs, collection)
