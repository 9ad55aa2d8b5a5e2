"""Judgements and results survive writing, field by field."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.errors import InputError
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results, among_first
from focuseval.model.vocabulary import SCALES
from focuseval_papers.workflow.store import load_results, load_topics, write_results, write_topics
from tests.campaign.alike import plain_results, plain_topic
from tests.trees import random_collection

#: names of topics and runs: anything that can be written as UTF-8
NAMES = st.one_of(
    st.sampled_from(["1", "007", "7", "", " ", "NaN", "None", "all", "é", "主題"]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8),
)
FLOATS = st.floats(allow_nan=False, width=64)


def collection_of(seed):
    return random_collection(np.random.default_rng(seed), documents=4)[0]


@st.composite
def campaigns(draw):
    collection = collection_of(draw(st.integers(0, 20)))
    documents = len(collection.names)
    topics = []
    for name in draw(st.lists(NAMES, unique=True, max_size=4)):
        element = np.array(draw(st.lists(st.integers(0, len(collection) - 1), unique=True)), dtype=np.int64)
        element.sort()
        values = st.lists(FLOATS, min_size=len(element), max_size=len(element)).map(np.array)
        spans = st.tuples(st.integers(0, documents - 1), st.integers(0, 50), st.integers(1, 9))
        highlights = None
        if draw(st.booleans()):
            document, start, length = (
                np.array(draw(st.lists(spans, max_size=4)), dtype=np.int64).reshape(-1, 3).T
            )
            highlights = Highlights(*merge(document, start, start + length))
        points = st.dictionaries(st.integers(0, documents - 1), st.integers(0, 99))
        assessed = draw(st.none() | st.lists(st.integers(0, documents - 1), unique=True).map(sorted))
        grade = None
        if assessed is not None and draw(st.booleans()):
            grade = np.array(
                draw(st.lists(st.integers(-2, 9), min_size=len(assessed), max_size=len(assessed)))
            )
        topics.append(
            Topic(
                name,
                draw(st.sampled_from(SCALES)),
                collection,
                element,
                draw(values).astype(float),
                draw(values).astype(float),
                highlights,
                entry_point=draw(st.none() | points),
                assessed=None if assessed is None else np.array(assessed, dtype=np.int64),
                grade=None if grade is None else grade.astype(np.int64),
                coverage=draw(st.tuples(FLOATS, FLOATS, FLOATS, FLOATS)),
            )
        )
    return collection, topics


@settings(max_examples=10)
@given(campaigns())
def test_topics_survive_writing(drawn_campaign):
    collection, topics = drawn_campaign
    with TemporaryDirectory() as name:
        folder = Path(name) / "assessments"
        write_topics(topics, folder)
        loaded = load_topics(folder, collection)
        some = [topic.name for topic in topics[::2]]
        chosen = load_topics(folder, collection, some)
        with pytest.raises(InputError, match="topic 'none of them' is not assessed; "):
            load_topics(folder, collection, ["none of them", *some])
    assert [plain_topic(topic) for topic in loaded] == [plain_topic(topic) for topic in topics]
    assert [topic.name for topic in chosen] == some
    for topic in loaded:
        assert topic.collection is collection
        assert topic.element.dtype.kind == "i" and topic.exhaustivity.dtype == float
        if topic.highlights is not None:
            assert topic.highlights.document.dtype == topic.highlights.start.dtype == np.int64


@st.composite
def results(draw):
    collection = collection_of(draw(st.integers(0, 20)))
    runs = draw(st.lists(NAMES, unique=True, max_size=3))  # results may be empty
    topics = draw(st.lists(NAMES, unique=True, min_size=1, max_size=3))
    lists = [(run, topic) for run in range(len(runs)) for topic in range(len(topics))]
    # every run has a result, since readers know no other runs
    kept = [pair for pair in lists if pair[1] == pair[0] % len(topics) or draw(st.booleans())]
    rows = []
    for run, topic in kept:
        for rank in range(1, draw(st.integers(1, 4)) + 1):
            element = draw(st.integers(-2, len(collection) - 1))
            if element >= 0:
                document = int(collection.document_of(np.array([element]))[0])
                start, end = int(collection.start[element]), int(collection.end[element])
            else:  # a passage, or a result that is not in the collection
                document = draw(st.integers(-1, len(collection.names) - 1))
                start, end = (-18, 0) if document < 0 or element < -1 else (3, 9)
            score = draw(st.just(float("nan")) | FLOATS)
            rows.append((run, topic, rank, document, max(element, -1), start, end, score))
    *columns, score = np.array(rows, dtype=float).reshape(-1, 8).T
    returned = Results(
        pd.Index(runs, dtype=object), pd.Index(topics), *(c.astype(np.int64) for c in columns), score
    )
    if runs and draw(st.booleans()):
        line = np.array(draw(st.lists(st.integers(1, 10**6), min_size=len(returned), max_size=len(returned))))
        sources = [
            draw(st.sampled_from(["a.txt", "b.txt"])) for _ in runs
        ]  # two runs may have the same source
        returned = replace(returned, line=line, sources=sources)
    return collection, returned


@settings(max_examples=20)
@given(results(), st.integers(1, 5))
def test_results_survive_writing(drawn_results, size):
    collection, written = drawn_results
    with TemporaryDirectory() as name:
        path = Path(name) / "runs.parquet"
        write_results(written, collection, path)
        loaded = load_results(path, collection)
        assert plain_results(loaded) == plain_results(written)
        narrow = ("run", "topic", "rank", "document", "element", "start", "end")
        assert {getattr(loaded, column).dtype for column in narrow} == {np.dtype(np.int32)}
        cut = load_results(path, collection, size=size)
    kept = among_first(written.run, written.topic, size)
    columns = ("run", "topic", "rank", "document", "element", "start", "end", "score")
    expected = replace(written, **{column: getattr(written, column)[kept] for column in columns})
    if written.line is not None:
        expected = replace(expected, line=written.line[kept])
    assert plain_results(cut) == plain_results(expected)
