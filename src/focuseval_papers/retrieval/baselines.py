"""Runs of the retrieval systems on the text of a campaign, for each kind of task."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.campaign.tasks import INEX2005
from focuseval.errors import InputError
from focuseval.formats.documents import read_in_parts, text_and_borders
from focuseval.formats.inex import of_query_type, read_topics
from focuseval.formats.xml_elements import Document
from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection, assemble
from focuseval.model.parallel import in_parallel
from focuseval.model.results import Results, as_results
from focuseval.transformations.lists import stacked
from focuseval_papers.retrieval.search import (
    Castitle,
    parse_castitle,
    retrieve_all,
    retrieve_structured,
    structured_systems,
)
from focuseval_papers.retrieval.systems import (
    SYSTEMS,
    WORD,
    NumberedTexts,
    Terms,
    index_terms,
    number_texts,
    population,
    systems_for,
    terms_of_texts,
)
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import BaselineSettings, CampaignSettings
from focuseval_papers.workflow.store import in_unit

#: systems that can rank chunks as if they were documents: they rank whole articles without a length prior
CHUNK_SYSTEMS = tuple(one for one in SYSTEMS if one.elements == "article" and one.prior == 0)


def retrieve_chunks(texts: Sequence[str], topics: pd.DataFrame, *, size: int) -> pd.DataFrame:
    """Rank chunks with `CHUNK_SYSTEMS`, and return at most ``size`` results for each system and topic.

    ``topics`` has the columns topic and title. The columns of the result are run, topic, rank (from 1), chunk (an index
    into ``texts``) and score.
    """
    count = len(texts)
    names = [f"{number:0{len(str(count))}}" for number in range(count)]
    words = np.array([len(WORD.findall(text)) for text in texts], dtype=np.int32)
    zeros, ones = np.zeros(count, dtype=np.int32), np.ones(count, dtype=np.int32)
    columns: dict[str, Ints] = {
        "parent": zeros - 1,
        "last": ones,
        "depth": zeros,
        "tag": zeros,
        "position": ones,
        "word_start": zeros,
        "word_end": words,
    }
    collection = assemble(names, ones.astype(np.int64), columns, ["chunk"], "words")
    terms = terms_of_texts([number_texts(zip(names, texts, strict=True))], collection)
    index = index_terms(terms, collection)
    retrieved = retrieve_all(index, collection, topics, CHUNK_SYSTEMS, size=size)
    return retrieved.rename(columns={"document": "chunk"})[["run", "topic", "rank", "chunk", "score"]]


#: the prefix that marks baselines among submitted runs
BESIDE = "baseline."


#: the number of bytes of XML that are read at a time
PART_BYTES = 1 << 23


def with_baselines(submitted: Results, baselines: Results) -> Results:
    """Combine submitted runs with baseline runs, whose names get the prefix `BESIDE`."""
    return stacked([submitted, replace(baselines, runs=BESIDE + baselines.runs)])


def read_terms(source: str | Path, collection: Collection, threads: int = 1) -> Terms:
    """Read the files ``source`` of a collection, and return the term (stemmed word) of each of its words.

    The unit of ``collection`` must be words. ``threads`` is the number of processes. Raises InputError for documents
    that cannot be read, or that are not the documents of ``collection``.
    """
    # files may have more documents than the collection, because a lenient reader may have left some out
    documents = read_in_parts(source, set(collection.names), PART_BYTES)
    return terms_of_texts(in_parallel(_numbered, documents, threads), collection)


def write_terms(terms: Terms, path: Path) -> None:
    """Write terms to a file with a row for each word of the collection (`schema.TERMS`)."""
    number = pa.array(terms.number, pa.int32(), mask=terms.number < 0)
    column = pa.DictionaryArray.from_arrays(number, pa.array(terms.names, pa.string()))
    schema.write(pa.table({"term": column}), schema.TERMS, path)


def load_terms(path: Path) -> Terms:
    """Read the terms that `write_terms` wrote."""
    column = schema.read(path, schema.TERMS)["term"].unify_dictionaries()
    parts = [chunk.indices.fill_null(-1).to_numpy() for chunk in column.chunks]
    names = column.chunk(0).dictionary.to_pylist() if parts else []
    return Terms(names, np.concatenate([np.empty(0, dtype=np.int32), *parts]))


def retrieve_runs(
    campaign: CampaignSettings,
    kind: str,
    count: int | None,
    terms: Terms,
    topics: str | Path,
    elements: str | Path,
    collection: Collection,
    *,
    threads: int = 1,
) -> tuple[Results, list[Notice]]:
    """Return the runs of the retrieval systems for one kind of task, and notices about systems without results.

    - ``kind``: a kind of `focuseval_papers.retrieval.systems.systems_for`, or a task of INEX 2005 on structured titles
    - ``count``: how many systems to use, beginning with the first; None for all
    - ``terms``: the terms of the collection
    - ``topics``: the file or folder of the topics
    - ``elements``: the folder of the element tables
    - ``collection``: the collection that was loaded from these tables, in the campaign's unit
    - ``threads``: the number of processes

    Raises InputError for topics that cannot be read, and for a task without topics.
    """
    settings = campaign.baselines or BaselineSettings()
    words = in_unit(collection, elements, "words")
    index = index_terms(terms, words, sections=settings.sections, paragraphs=settings.paragraphs)
    size = min(settings.results, campaign.size or settings.results)
    systems: Sequence[Any] = population(settings.systems, settings.elements)
    if kind in INEX2005:
        queries, titles = _with_castitle(topics, kind)
        systems = structured_systems(kind, systems, settings.structured_systems)[:count]
        alike = (settings.sections, settings.paragraphs)
        runs = retrieve_structured(index, words, queries, titles, kind, systems, alike=alike, size=size)
    else:
        queries = read_topics(topics)
        if campaign.query_type:
            queries = of_query_type(queries, campaign.query_type, topics)
        systems = systems_for(kind, systems)[:count]
        runs = retrieve_all(index, words, queries, systems, size=size, threads=threads)
    return as_results(runs, collection), _without_results([system.name for system in systems], runs)


def _without_results(systems: Sequence[str], runs: pd.DataFrame) -> list[Notice]:
    """Return a notice that names the systems without results; ``[]`` if all systems have results."""
    returned = set(runs["run"].unique())
    empty = [name for name in systems if name not in returned]
    way = "if they return sections or paragraphs, name the tags in `sections` and `paragraphs`"
    return notices.notes(
        [f"baselines: these systems return nothing and are left out: {', '.join(empty)}; {way}"]
        if empty
        else []
    )


def _numbered(documents: list[Document]) -> NumberedTexts:
    return number_texts((one.name, _text(one)) for one in documents)


def _text(document: Document) -> str:
    """Return the text of a document, with a blank at every tag that separates words."""
    text, borders = text_and_borders(document)
    return " ".join(text[start:end] for start, end in pairwise([0, *borders.tolist(), len(text)]))


def _with_castitle(path: str | Path, task: str) -> tuple[pd.DataFrame, list[Castitle]]:
    """Return the topics with structured titles for a task of INEX 2005, and their parsed titles."""
    fields = read_topics(path)
    fields = fields[(fields["castitle"] != "") & fields["query_type"].isin(["", INEX2005[task].query_type])]
    if fields.empty:
        expected = f"expected topics with <castitle> for {task}"
        raise InputError.of(str(path), "no topic asks for a structure", expected)
    return fields, [
        parse_castitle(title, str(path), f"topic {topic}")
        for topic, title in zip(fields["topic"], fields["castitle"], strict=True)
    ]
