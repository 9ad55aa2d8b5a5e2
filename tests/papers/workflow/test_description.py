"""Numbers of assessments and runs against their definition, counted element by element."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.model.elements import Collection
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.description import assessed, returned
from tests.papers.made import results_of
from tests.trees import Node, random_collection

GRADES = {"inex2002": (0, 1, 2, 3), "inex2003": (0, 1, 2, 3), "inex2005": (-1, 0, 1, 2)}


def _topics(rng: np.random.Generator, collection: Collection, elements: int, scale: str) -> list[Topic]:
    found = []
    for name in ("1", "2", "3"):
        rows = np.flatnonzero(rng.random(elements) < 0.6)
        e = rng.choice(GRADES[scale], len(rows)).astype(float)
        s = rng.choice([0.0, 0.4, 1.0] if scale == "inex2005" else [0.0, 1, 2, 3], len(rows))
        found.append(Topic(name, scale, collection, rows, e, s, None))
    return found


def test_passages_are_counted_with_their_documents() -> None:
    """Documents of 10 and 20 characters; a document of two topics counts twice."""
    columns = [np.array(column) for column in ([-1, -1], [1, 2], [0, 0], [0, 0])]
    intervals = np.array([1, 1]), np.array([0, 0]), np.array([10, 20])
    index = pd.Index(["a", "b"]), np.array([0, 1, 2])
    collection = Collection(*index, *columns, pd.Index(["article"]), *intervals)
    passages = [([0, 1, 1], [0, 2, 8], [10, 4, 9]), ([1], [0], [8])]
    topics = [
        Topic(str(n), "highlights", collection, np.array([1]), np.array([2.0]), np.array([0.4]), of)
        for n, of in enumerate(Highlights(*map(np.array, columns)) for columns in passages)
    ]
    found = assessed(topics)
    assert found["elements per document"] == found["mean depth of an element"] == 1
    assert found["passages a relevant document"] == 4 / 3
    assert found["with one passage, % of relevant documents"] == pytest.approx(200 / 3)
    assert found["median length of a passage"] == 5  # of 10, 2, 1 and 8
    assert found["mean length of a passage"] == 21 / 4
    assert found["median of highlighted text, % of a relevant document"] == 40  # of 100, 15 and 40
    assert found["above 90 % highlighted, % of relevant documents"] == pytest.approx(100 / 3)


@pytest.mark.parametrize("scale", GRADES)
@pytest.mark.parametrize("seed", range(3))
def test_relevant_elements_are_counted(scale: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=4)
    topics = _topics(rng, collection, len(nodes), scale)
    best = (2, 1) if scale == "inex2005" else (3, 3)
    judged = [
        (topic.name, nodes[row], e, s)
        for topic in topics
        for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True)
        if e != 0 and s > 0
    ]
    specific = [node for _, node, _, s in judged if s == best[1]]
    both = [name for name, _, e, s in judged if (e, s) == best]
    documents = {(name, node.document) for name, node, _, _ in judged}
    found = assessed(topics)
    assert found["topics"] == 3
    assert found["relevant documents a topic"] == len(documents) / 3
    assert found["relevant elements a topic"] == len(judged) / 3
    assert found["relevant elements a relevant document"] == pytest.approx(len(judged) / len(documents))
    assert found["highly specific elements"] == len(specific)
    assert found["highly specific, % of relevant elements"] == pytest.approx(
        100 * len(specific) / len(judged)
    )
    inner = sum(node.parent is not None for node in specific)
    assert found["no whole documents, % of highly specific elements"] == pytest.approx(
        100 * inner / len(specific) if specific else np.nan, nan_ok=True
    )
    assert found["highly exhaustive and specific elements a topic"] == len(both) / 3
    assert found["topics without such an element"] == 3 - len(set(both))
    assert ("too small, % of relevant elements" in found) == (scale == "inex2005")
    if scale == "inex2005":
        small = sum(e == -1 for _, _, e, _ in judged)
        assert found["too small, % of relevant elements"] == pytest.approx(100 * small / len(judged))
        # under strict every score is equal, so the highest of those that nest are ideal
        strict = [(name, node) for name, node, e, s in judged if (e, s) == best]
        outer = [
            node
            for name, node in strict
            if not any(other == name and _above(higher, node) for other, higher in strict)
        ]
        assert found["ideal elements a topic, strict"] == pytest.approx(len(outer) / 3)


def _above(higher: Node, node: Node) -> bool:
    at = node.parent
    while at is not None and at is not higher:
        at = at.parent
    return at is not None


def test_without_a_collection_only_whole_documents_are_known_to_overlap() -> None:
    """Two documents of unknown size; the second has a path below it, and a passage stands in it."""
    columns = {"names": pd.Index(["x", "y"]), "first": [0, 1, 3], "parent": [-1, -1, 1], "last": [1, 3, 3]}
    columns |= {"depth": [0, 0, 1], "tag": [0, 0, 0], "position": [1, 1, 1], "start": [0, 0, 0]}
    known = {name: value if name == "names" else np.array(value) for name, value in columns.items()}
    collection = Collection(**known, tags=pd.Index([""]), end=np.full(3, -1), complete=False)
    rows = [
        *((0, 0, 1, 0, 0, 0, -1), (0, 0, 2, 1, 1, 0, -1), (0, 0, 3, 0, 0, 0, -1), (0, 0, 4, 0, 0, 0, -1)),
        *((1, 0, 1, 0, 0, 0, -1), (1, 0, 2, 1, 1, 0, -1)),
        *((2, 0, 1, 0, 0, 0, -1), (2, 0, 2, 1, 2, 0, -1)),
        *((3, 0, 1, 1, -1, 5, 9), (3, 0, 2, 1, 1, 0, -1)),
    ]
    names = ["again", "once", "paths", "passage"]
    results = Results(pd.Index(names), pd.Index(["1"]), *np.array(rows).T, np.zeros(len(rows)))
    table = returned(results, collection).set_index("run")
    assert table["length"].isna().all()
    assert table["overlapping"].tolist()[:2] == [0.5, 0] and table.at["passage", "overlapping"] == 0.5
    assert np.isnan(table.at["paths", "overlapping"])
    assert table["documents"].tolist() == [1, 1, 0.5, 0.5]


def test_without_elements_nothing_is_counted() -> None:
    collection, nodes = random_collection(np.random.default_rng(3))
    topics = _topics(np.random.default_rng(4), collection, len(nodes), "inex2003")
    unknown = replace(collection, complete=False)
    assert assessed([]) == {}
    assert assessed([replace(topic, scale="grades") for topic in topics]) == {}
    assert assessed([replace(topic, collection=unknown) for topic in topics]) == {}


@pytest.mark.parametrize("seed", range(3))
def test_runs_are_what_their_lists_return(seed: int) -> None:
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=4)
    lists = {
        (run, topic): rng.permutation(len(nodes))[: int(rng.integers(1, 9))].tolist()
        for run in "ab"
        for topic in "123"
        if (run, topic) != ("b", "3")
    } | {("none", "1"): []}
    results = results_of(lists, collection)
    table = returned(results, collection).set_index("run")
    assert list(table.index) == ["a", "b", "none"]
    for run in "ab":
        own = [rows for (of, _), rows in lists.items() if of == run]
        returned_rows = [row for rows in own for row in rows]
        seen = sum(
            bool(nodes[row].text & frozenset().union(*(nodes[other].text for other in rows[:place])))
            for rows in own
            for place, row in enumerate(rows)
        )
        assert table.loc[run, "results"] == pytest.approx(len(returned_rows) / len(own))
        assert table.loc[run, "overlapping"] == pytest.approx(seen / len(returned_rows))
        roots = sum(nodes[row].parent is None for row in returned_rows)
        assert table.loc[run, "documents"] == pytest.approx(roots / len(returned_rows))
        assert table.loc[run, "length"] == pytest.approx(
            np.mean([len(nodes[row].text) for row in returned_rows])
        )
    assert table.loc["none"].tolist()[0] == 0 and np.isnan(table.loc["none", "length"])
