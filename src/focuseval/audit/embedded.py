"""A small campaign for audits without data: short documents, what is relevant in them, and runs that vary."""

import numpy as np
import pandas as pd

from focuseval.audit.cases import positions
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.intervals import merge
from focuseval.model.judgements import TOO_SMALL, Highlights, Spans, Topic
from focuseval.model.results import Results
from focuseval.model.words import Words

#: documents, topics, and results of a list at most
DOCUMENTS, TOPICS, LONGEST = 14, 24, 7

_TAGS = ("article", "sec", "p", "it")
_RUNS = ("elements", "elements, tied", "elements, apart", "passages", "passages, tied", "passages, apart")
#: depth and own text of the elements of documents that chance seldom brings
_MADE = (
    [(0, 10), (1, 45), (1, 45)],
    [(0, 90), (1, 10)],
    [(0, 40)],
    [(0, 40)],
    [(0, 40)],
    [(0, 25), (1, 80), (2, 10)],
)
#: what topics find relevant in them (document among these, start, end): halves; a section, and little elsewhere; what
#: stands on several levels
_MARKED = (
    [(0, 10, 55), (0, 55, 100)],
    [(1, 90, 100), (2, 0, 2), (3, 5, 7), (4, 10, 12)],
    [(5, 0, 25), (5, 105, 115)],
)

_TEXT = "sun ra in wind sno w cloud fog ha il sto rm "


def embedded(seed: int = 0) -> tuple[list[Topic], Results]:
    """Topics and runs, the same for the same seed.

    Documents are articles of sections, paragraphs and phrases, some of them long, some
    without structure. Topics have relevant passages with
    aspects and best entry points, and all elements that hold such text are judged on INEX 2005's scale: specificity is
    the share of relevant text, exhaustivity grows with how much there is. Runs return elements
    or passages, each with ties in one run and without overlap, document by document, in another.
    """
    rng = np.random.default_rng(seed)
    collection = _collection(rng)
    topics = [_topic(rng, collection, f"t{number}") for number in range(1, TOPICS + 1)]
    for number, marks in enumerate(_MARKED, start=TOPICS + 1):
        placed = [(DOCUMENTS + document, start, end) for document, start, end in marks]
        topics.append(_judged(rng, collection, f"t{number}", placed))
    return topics, _results(rng, topics)


def _collection(rng: np.random.Generator) -> Collection:
    parent: list[int] = []
    depth: list[int] = []
    start: list[int] = []
    end: list[int] = []
    first = [0]
    for elements in [*(_elements_of(rng) for _ in range(DOCUMENTS)), *_MADE]:
        above, cursor = [-1], 0
        for level, size in elements:
            del above[level + 1 :]
            parent.append(above[level])
            depth.append(level)
            start.append(cursor)
            end.append(cursor)
            above.append(len(parent) - 1)
            cursor += size
            for inside in above[1:]:
                end[inside] = cursor
        first.append(len(parent))
    above_each, depths = np.array(parent), np.array(depth)
    last = np.array([_last(depth, row, first) for row in range(len(parent))])
    sizes = [end[root] for root in first[:-1]]
    texts = [(_TEXT * (size // len(_TEXT) + 2))[number : number + size] for number, size in enumerate(sizes)]
    return Collection(
        names=pd.Index([f"d{number}" for number in range(1, len(first))]),
        first=np.array(first),
        last=last,
        tag=depths,
        tags=pd.Index(_TAGS),
        parent=above_each,
        depth=depths,
        start=np.array(start),
        end=np.array(end),
        position=positions(above_each, depths),
        words=Words(lambda documents: [(i, texts[i]) for i in documents.tolist()]),
    )


def _elements_of(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Depth and own text of elements in preorder: an article of sections, paragraphs and phrases, or one alone."""
    scale = int(rng.choice([1, 1, 1, 40]))
    elements = [(0, int(rng.integers(0, 2)) * scale)]
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        elements.append((1, int(rng.integers(0, 2)) * scale))
        for _ in range(int(rng.integers(1, 4))):
            for level in (2, 3) if rng.random() < 0.3 else (2,):
                elements.append((level, int(rng.integers(2, 9)) * scale))
    return elements if len(elements) > 1 else [(0, int(rng.integers(5, 30)) * scale)]


def _last(depth: list[int], row: int, first: list[int]) -> int:
    stop = next(point for point in first if point > row)
    return next((r for r in range(row + 1, stop) if depth[r] <= depth[row]), stop)


def _topic(rng: np.random.Generator, collection: Collection, name: str) -> Topic:
    documents = np.sort(rng.permutation(DOCUMENTS)[: int(rng.integers(1, 6))])
    marks = list(dict.fromkeys(mark for one in documents for mark in _marks(rng, collection, int(one))))
    return _judged(rng, collection, name, marks) if marks else _topic(rng, collection, name)


def _judged(
    rng: np.random.Generator, collection: Collection, name: str, marks: list[tuple[int, int, int]]
) -> Topic:
    """A topic with these relevant passages."""
    document, start, end = np.array(marks).T
    text = Highlights(*merge(document, start, end))
    element, held = collection.highlighted(text.document, text.start, text.end)
    aspects = ["|".join(sorted(set(rng.choice(["a", "b", "c"], 2).tolist()))) for _ in marks]
    return Topic(
        name,
        "inex2005",
        collection,
        element,
        _exhaustivity(held),
        held / collection.size[element],
        text,
        entry_point={int(d): int(text.start[text.document == d][0]) for d in np.unique(text.document)},
        assessed=np.sort(np.append(np.unique(document), _free(rng, document))),
        spans=Spans(document, start, end, aspects),
    )


def _marks(rng: np.random.Generator, collection: Collection, document: int) -> list[tuple[int, int, int]]:
    """Relevant passages of a document: elements, pieces of them, or all its sections."""
    low, high = collection.first[document], collection.first[document + 1]
    rows = np.arange(low, high)
    sections = rows[collection.depth[low:high] == 1]
    all_of_it = len(sections) > 1 and rng.random() < 0.3
    chosen = sections if all_of_it else rng.choice(rows, int(rng.integers(1, 3)))
    marks = []
    for row in chosen.tolist():
        start, end = int(collection.start[row]), int(collection.end[row])
        if not all_of_it:
            kind = rng.random()
            if kind < 0.25:
                start, end = sorted(rng.integers(start, end + 1, 2).tolist())
            elif kind < 0.5:
                end = min(end, start + max((end - start) // 8, 1))
        if end > start:
            marks.append((document, start, end))
    return marks


def _free(rng: np.random.Generator, documents: Ints) -> Ints:
    """Documents that are assessed though nothing in them is relevant."""
    return rng.permutation(np.setdiff1d(np.arange(DOCUMENTS), documents))[:2]


def _exhaustivity(held: Floats) -> Floats:
    """2 for half or more of the most relevant text that an element holds, `?` for a tenth or less of it, else 1."""
    share = held / held.max()
    return np.select([share >= 0.5, share > 0.1], [2.0, 1.0], TOO_SMALL)


def _results(rng: np.random.Generator, topics: list[Topic]) -> Results:
    rows: list[list[int]] = []
    for run, name in enumerate(_RUNS):
        for number, topic in enumerate(topics):
            found = _elements(rng, topic) if name.startswith("elements") else _passages(rng, topic)
            if name.endswith("apart"):
                found = _apart(found)
            tied = name.endswith("tied")
            drawn = np.append(1, rng.integers(0, 2, len(found) - 1))
            rank = np.cumsum(drawn) if tied else np.arange(1, len(found) + 1)
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
