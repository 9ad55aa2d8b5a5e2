"""A small campaign for audits without data: short documents, what is relevant in them, and runs that vary."""

import numpy as np
import pandas as pd

from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection
from focuseval.model.intervals import merge
from focuseval.model.judgements import TOO_SMALL, Highlights, Spans, Topic
from focuseval.model.results import Results
from focuseval.model.words import Words

#: documents, topics, and results of a list at most
DOCUMENTS, TOPICS, LONGEST = 10, 32, 7

_TAGS = ("article", "sec", "p", "it")
_RUNS = ("elements", "elements, tied", "elements, apart", "passages", "passages, tied", "passages, apart")
_TEXT = "sun ra in wind sno w cloud fog ha il sto rm "


def embedded(seed: int = 0) -> tuple[list[Topic], Results]:
    """Topics and runs, the same for the same seed.

    Documents are articles of sections, paragraphs and phrases, some of them long. Topics have relevant passages with
    aspects and best entry points, and all elements that hold such text are judged on INEX 2005's scale: specificity is
    the share of relevant text, exhaustivity (drawn) never falls from an element to its parent. Runs return elements
    or passages, each with ties in one run and without overlap, document by document, in another.
    """
    rng = np.random.default_rng(seed)
    collection = _collection(rng)
    topics = [_topic(rng, collection, f"t{number}") for number in range(1, TOPICS + 1)]
    return topics, _results(rng, topics)


def _collection(rng: np.random.Generator) -> Collection:
    parent: list[int] = []
    depth: list[int] = []
    start: list[int] = []
    end: list[int] = []
    first = [0]
    for _ in range(DOCUMENTS):
        scale = int(rng.choice([1, 1, 1, 40]))
        root, cursor = len(parent), 0
        above = [-1]
        for level in _levels(rng):
            del above[level + 1 :]
            row = len(parent)
            parent.append(above[level])
            depth.append(level)
            start.append(cursor)
            end.append(cursor)
            above.append(row)
            cursor += int(rng.integers(2, 9)) * scale if level >= 2 else int(rng.integers(0, 2)) * scale
            for inside in above[1:]:
                end[inside] = cursor
        first.append(len(parent))
        assert parent[root] == -1
    above_each, depths = np.array(parent), np.array(depth)
    last = np.array([_last(depth, row, first) for row in range(len(parent))])
    sizes = [end[root] for root in first[:-1]]
    texts = [(_TEXT * (size // len(_TEXT) + 2))[number : number + size] for number, size in enumerate(sizes)]
    return Collection(
        names=pd.Index([f"d{number}" for number in range(1, DOCUMENTS + 1)]),
        first=np.array(first),
        last=last,
        tag=depths,
        tags=pd.Index(_TAGS),
        parent=above_each,
        depth=depths,
        start=np.array(start),
        end=np.array(end),
        position=_positions(above_each, depths),
        words=Words(lambda documents: [(i, texts[i]) for i in documents.tolist()]),
    )


def _levels(rng: np.random.Generator) -> list[int]:
    """The depths of a document's elements in preorder: an article, sections, paragraphs, phrases."""
    levels = [0]
    for _ in range(int(rng.integers(1, 4))):
        levels.append(1)
        for _ in range(int(rng.integers(1, 4))):
            levels += [2, *([3] if rng.random() < 0.3 else [])]
    return levels


def _last(depth: list[int], row: int, first: list[int]) -> int:
    stop = next(point for point in first if point > row)
    return next((r for r in range(row + 1, stop) if depth[r] <= depth[row]), stop)


def _positions(parent: Ints, tag: Ints) -> Ints:
    """The place of each element among its siblings of one tag, from 1."""
    frame = pd.DataFrame({"parent": parent, "tag": tag})
    place = frame.groupby(["parent", "tag"]).cumcount().to_numpy() + 1
    return np.where(parent < 0, 1, place)


def _topic(rng: np.random.Generator, collection: Collection, name: str) -> Topic:
    documents = np.sort(rng.permutation(DOCUMENTS)[: int(rng.integers(1, 4))])
    marks: list[tuple[int, int, int]] = []
    for document in documents:
        low, high = collection.first[document], collection.first[document + 1]
        for _ in range(int(rng.integers(1, 3))):
            row = int(rng.integers(low, high))
            start, end = int(collection.start[row]), int(collection.end[row])
            if rng.random() < 0.4:  # not an element, but a piece of it
                start, end = sorted(rng.integers(start, end + 1, 2).tolist())
            if end > start and (document, start, end) not in marks:
                marks.append((int(document), start, end))
    if not marks:
        return _topic(rng, collection, name)
    document, start, end = np.array(marks).T
    text = Highlights(*merge(document, start, end))
    element, held = collection.highlighted(text.document, text.start, text.end)
    aspects = ["|".join(sorted(set(rng.choice(["a", "b", "c"], 2).tolist()))) for _ in marks]
    return Topic(
        name,
        "inex2005",
        collection,
        element,
        _exhaustivity(rng, collection, element),
        held / collection.size[element],
        text,
        entry_point={int(d): int(text.start[text.document == d][0]) for d in np.unique(text.document)},
        assessed=np.sort(np.append(np.unique(document), _free(rng, documents))),
        spans=Spans(document, start, end, aspects),
    )


def _free(rng: np.random.Generator, documents: Ints) -> Ints:
    """Documents that are assessed though nothing in them is relevant."""
    return rng.permutation(np.setdiff1d(np.arange(DOCUMENTS), documents))[:2]


def _exhaustivity(rng: np.random.Generator, collection: Collection, element: Ints) -> np.ndarray:
    """Drawn for elements; no less for the parents of elements, which hold all that these do."""
    drawn = rng.choice([0.5, 1.0, 1.0, 2.0], len(element))
    for place in range(len(element) - 1, -1, -1):
        above = np.searchsorted(element, collection.parent[element[place]])
        if collection.parent[element[place]] >= 0:
            drawn[above] = max(drawn[above], drawn[place])
    return np.where(drawn == 0.5, TOO_SMALL, drawn)


def _results(rng: np.random.Generator, topics: list[Topic]) -> Results:
    rows: list[list[int]] = []
    for run, name in enumerate(_RUNS):
        for number, topic in enumerate(topics):
            found = _elements(rng, topic) if name.startswith("elements") else _passages(rng, topic)
            if name.endswith("apart"):
                found = _apart(found)
            tied = name.endswith("tied")
            rank = np.cumsum(rng.integers(0, 2, len(found))) + 1 if tied else np.arange(1, len(found) + 1)
            rows += [[run, number, int(r), *one] for r, one in zip(rank, found, strict=True)]
    run_of, topic_of, rank, document, element, start, end = np.array(rows).T
    return Results(
        runs=pd.Index(_RUNS, dtype=object),
        topics=pd.Index([topic.name for topic in topics], dtype=object),
        run=run_of,
        topic=topic_of,
        rank=rank,
        document=document,
        element=element,
        start=start,
        end=end,
        score=np.full(len(rows), np.nan),
    )


def _elements(rng: np.random.Generator, topic: Topic) -> list[tuple[int, int, int, int]]:
    """Document, row, start and end of some elements: relevant ones, those around, and any."""
    collection = topic.collection
    assert topic.assessed is not None  # topics here list their documents
    count = int(rng.integers(1, LONGEST + 1))
    near = collection.with_ancestors(topic.element)
    inside = np.flatnonzero(np.isin(collection.document_of(np.arange(len(collection))), topic.assessed))
    choices = (topic.element, near, inside, np.arange(len(collection)))
    row = np.array([int(rng.choice(choices[int(rng.integers(0, 4))])) for _ in range(count)])
    return list(
        zip(
            collection.document_of(row).tolist(),
            row.tolist(),
            collection.start[row].tolist(),
            collection.end[row].tolist(),
            strict=True,
        )
    )


def _passages(rng: np.random.Generator, topic: Topic) -> list[tuple[int, int, int, int]]:
    """Document, -1, start and end of some passages, most of them near relevant text."""
    collection, text = topic.collection, topic.highlights
    assert text is not None  # topics here have highlights
    found = []
    for _ in range(int(rng.integers(1, LONGEST + 1))):
        if rng.random() < 0.7:
            mark = int(rng.integers(0, len(text.document)))
            document, points = int(text.document[mark]), [int(text.start[mark]), int(text.end[mark])]
            points += rng.integers(0, int(collection.end[collection.first[document]]) + 1, 2).tolist()
            start, end = sorted(rng.choice(points, 2).tolist())
        else:
            document = int(rng.integers(0, DOCUMENTS))
            size = int(collection.end[collection.first[document]])
            start, end = sorted(rng.integers(0, size + 1, 2).tolist())
        if end > start:
            found.append((document, -1, start, end))
            if rng.random() < 0.2 and end < collection.end[collection.first[document]]:
                found.append((document, -1, end, int(collection.end[collection.first[document]])))
    return found or _passages(rng, topic)


def _apart(found: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """Those that share no text with one before them, documents one after another."""
    kept: list[tuple[int, int, int, int]] = []
    for one in found:
        if all(one[0] != other[0] or one[3] <= other[2] or other[3] <= one[2] for other in kept):
            kept.append(one)
    documents = list(dict.fromkeys(one[0] for one in kept))
    return sorted(kept, key=lambda one: documents.index(one[0]))
