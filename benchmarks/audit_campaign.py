"""The topics and runs that `focuseval.audit` has of its own: ``src/focuseval/auditing/campaign.json``.

    python benchmarks/audit_campaign.py

writes it anew: the topics of `SEEDS`, which ``audit_topics.py`` chooses, some made by hand, and some without gold.
"""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.auditing.examples import positions
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection, Words
from focuseval.model.intervals import merge
from focuseval.model.judgements import TOO_SMALL, Highlights, Spans, Topic
from focuseval.model.results import Results

#: the seeds of its topics: of 20,000, three that break what hardly any does; of 800, those which together break most
#: (audit_topics.py)
SEEDS = (
    *(12275, 1328, 17500, 638, 191, 297, 46, 307, 388, 557, 357, 242, 227, 390, 97, 310),
    *(521, 284, 534, 35, 309, 440, 463, 80, 171, 233, 211, 221, 303, 719, 8, 173),
)

#: documents of a topic, topics without gold, and results of a list at most
DOCUMENTS, WITHOUT_GOLD, LONGEST = 4, 3, 14

#: runs that answer two topics alone, one of them without gold
SHORT = 8

_TAGS = ("article", "sec", "p", "it")
_RUNS = (
    *("elements", "elements, tied", "elements, apart", "passages", "passages, tied", "passages, apart"),
    *(f"passages, two topics, {number}" for number in range(1, SHORT + 1)),
)

#: topics that chance seldom brings: documents (depth and own text of their elements), and gold in them (document,
#: start, end): halves; a section, and little elsewhere; what stands on several levels
_MADE = (
    ([[(0, 10), (1, 45), (1, 45)]], [(0, 10, 55), (0, 55, 100)]),
    (
        [[(0, 90), (1, 10)], [(0, 40)], [(0, 40)], [(0, 40)]],
        [(0, 90, 100), (1, 0, 2), (2, 5, 7), (3, 10, 12)],
    ),
    ([[(0, 25), (1, 80), (2, 10)]], [(0, 0, 25), (0, 105, 115)]),
)

_TEXT = "sun ra in wind sno w cloud fog ha il sto rm "

#: document, start and end of a relevant passage; depth and own text of a document's elements; the documents of a topic
#: and its relevant passages, None where they are drawn; document, row (-1 of a passage), start and end of a result
_Mark = tuple[int, int, int]
_Elements = list[tuple[int, int]]
_Made = tuple[list[_Elements], list[_Mark] | None]
_Place = tuple[int, int, int, int]


def campaign(seeds: Sequence[int] = SEEDS) -> tuple[list[Topic], Results]:
    """Topics and runs, the same for the same seeds: a topic for each, some made by hand, and some without gold.

    Documents are articles of sections, paragraphs and phrases, some of them long, some without structure. Topics have
    relevant passages with aspects and best entry points, which overlap, touch and cut words, and all elements that hold
    such text are judged on INEX 2005's scale: specificity is the share of relevant text, exhaustivity grows with how
    much there is. Runs return elements or passages, each with ties in one run and without overlap, document by
    document, in another; some answer two topics.
    """
    made: list[_Made] = [*(([], None) for _ in seeds), *_MADE, *(([], []) for _ in range(WITHOUT_GOLD))]
    streams = [np.random.default_rng(seed) for seed in (*seeds, *range(len(made) - len(seeds)))]
    documents: list[_Elements] = []
    for rng, (given, _) in zip(streams, made, strict=True):
        documents += [*given, *(_elements_of(rng) for _ in range(DOCUMENTS - len(given)))]
    collection = _collection(documents)
    topics = [_topic(streams[number], collection, number, marks) for number, (_, marks) in enumerate(made)]
    return topics, _results(streams, topics)


def _collection(documents: Sequence[_Elements]) -> Collection:
    """The collection of documents whose elements have this depth and so much text of their own, in preorder."""
    depths, own = np.array([element for elements in documents for element in elements]).T
    first = np.cumsum([0, *map(len, documents)])
    parent, last = np.full(len(depths), -1), np.full(len(depths), len(depths))
    above: list[int] = []
    for row, level in enumerate(depths.tolist()):
        last[above[level:]] = row
        del above[level:]
        parent[row] = above[-1] if above else -1
        above.append(row)
    before = np.append(0, np.cumsum(own))
    begin = np.repeat(before[first[:-1]], np.diff(first))  # of the document
    start, end = before[:-1] - begin, before[last] - begin
    sizes = end[first[:-1]].tolist()
    texts = [(_TEXT * (size // len(_TEXT) + 2))[size % len(_TEXT) :][:size] for size in sizes]
    return Collection(
        names=pd.Index([f"d{number}" for number in range(1, len(first))]),
        first=first,
        last=last,
        tag=depths,
        tags=pd.Index(_TAGS),
        parent=parent,
        depth=depths,
        start=start,
        end=end,
        position=positions(parent, depths),
        words=Words(lambda documents: [(i, texts[i]) for i in documents.tolist()]),
    )


def _elements_of(rng: np.random.Generator) -> _Elements:
    """Depth and own text of elements in preorder: an article of sections, paragraphs and phrases, or one alone."""
    scale = int(rng.choice([1, 1, 1, 40]))
    elements = [(0, int(rng.integers(0, 2)) * scale)]
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        elements.append((1, int(rng.integers(0, 2)) * scale))
        for _ in range(int(rng.integers(1, 4))):
            for level in (2, 3) if rng.random() < 0.3 else (2,):
                elements.append((level, int(rng.integers(2, 9)) * scale))
    return elements if len(elements) > 1 else [(0, int(rng.integers(5, 30)) * scale)]


def _documents(number: int) -> Ints:
    """The documents of a topic."""
    return np.arange(DOCUMENTS) + DOCUMENTS * number


def _topic(rng: np.random.Generator, collection: Collection, number: int, marks: list[_Mark] | None) -> Topic:
    """A topic with these relevant passages (documents counted among its own), or some that are drawn."""
    own = _documents(number)
    if marks is None:
        documents, marks = np.sort(rng.permutation(own)[: int(rng.integers(1, DOCUMENTS + 1))]), []
        while not marks:
            marks = [mark for one in documents for mark in _marks(rng, collection, int(one))]
    else:
        marks = [(int(own[document]), start, end) for document, start, end in marks]
    document, start, end = np.array(list(dict.fromkeys(marks)), dtype=np.int64).reshape(-1, 3).T
    text = Highlights(*merge(document, start, end))
    element, held = collection.highlighted(text.document, text.start, text.end)
    return Topic(
        f"t{number + 1}",
        "inex2005",
        collection,
        element,
        _exhaustivity(held),
        held / collection.size[element],
        text,
        entry_point={int(d): int(text.start[text.document == d][0]) for d in np.unique(text.document)},
        assessed=np.union1d(document, rng.choice(_documents(number))),
        spans=Spans(document, start, end, ["|".join(rng.permutation(["a", "b", "c"])[:2]) for _ in document]),
    )


def _marks(rng: np.random.Generator, collection: Collection, document: int) -> list[_Mark]:
    """Relevant passages of a document: all its sections, or elements and pieces of them; others that meet these."""
    rows = np.arange(*collection.first[[document, document + 1]])
    sections = rows[collection.depth[rows] == 1]
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
            while rng.random() < 0.4:
                begin = [start, end, int(rng.integers(start, end + 1))][int(rng.integers(0, 3))]
                stop = min(begin + int(rng.integers(1, end - start + 2)), _size(collection, document))
                if stop > begin:
                    start, end = begin, stop
                    marks.append((document, start, end))
    return marks


def _exhaustivity(held: Floats) -> Floats:
    """2 for half or more of the most relevant text that an element holds, `?` for a tenth or less of it, else 1."""
    share = held / held.max(initial=1)
    return np.select([share >= 0.5, share > 0.1], [2.0, 1.0], TOO_SMALL)


def _results(streams: Sequence[np.random.Generator], topics: Sequence[Topic]) -> Results:
    """The runs; random numbers of a topic's lists come from its stream."""
    rows: list[list[int]] = []
    with_gold = len(topics) - WITHOUT_GOLD
    for run, name in enumerate(_RUNS):
        answered = list(range(len(topics)))
        if "two topics" in name:
            answered = [run % with_gold, with_gold + run % WITHOUT_GOLD]
        for number in answered:
            rng, topic = streams[number], topics[number]
            found = (_elements if name.startswith("elements") else _passages)(rng, topic, _documents(number))
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


def _elements(rng: np.random.Generator, topic: Topic, documents: Ints) -> list[_Place]:
    """Some elements: relevant ones, those around, and any."""
    collection = topic.collection
    rows = np.arange(*collection.first[[documents[0], documents[-1] + 1]])
    near = collection.with_ancestors(topic.element)
    choices = [choice for choice in (topic.element, near, rows) if len(choice)]
    found = [int(rng.choice(choices[int(rng.integers(0, len(choices)))])) for _ in range(_length(rng))]
    of = collection.document_of(np.array(found)).tolist()
    return [
        (d, row, int(collection.start[row]), int(collection.end[row]))
        for d, row in zip(of, found, strict=True)
    ]


def _passages(rng: np.random.Generator, topic: Topic, documents: Ints) -> list[_Place]:
    """Some passages: gold, what is near it, what meets one before it, and any."""
    collection, gold = topic.collection, topic.spans
    assert gold is not None  # topics here have them
    found: list[_Place] = []
    for _ in range(_length(rng)):
        kind = rng.random()
        if found and kind < 0.3:  # again, behind it, or sharing text with it
            document, _, start, end = found[int(rng.integers(0, len(found)))]
            if kind > 0.1:
                start = end if kind < 0.2 else int(rng.integers(start, end))
                end = start + int(rng.integers(1, 12))
            end = min(end, _size(collection, document))
        elif len(gold) and kind < 0.5:
            one = int(rng.integers(0, len(gold)))
            document, start, end = int(gold.document[one]), int(gold.start[one]), int(gold.end[one])
        else:
            document = int(rng.choice(gold.document if len(gold) and kind < 0.85 else documents))
            points = np.append(
                _points(collection, gold, document), rng.integers(0, _size(collection, document) + 1, 2)
            )
            start, end = sorted(rng.choice(points, 2).tolist())
        if end > start:
            found.append((document, -1, start, end))
    return found or _passages(rng, topic, documents)


def _length(rng: np.random.Generator) -> int:
    """How many results are drawn for a list: few as a rule."""
    return int(rng.integers(1, rng.choice([4, 8, LONGEST + 1])))


def _size(collection: Collection, document: int) -> int:
    return int(collection.end[collection.first[document]])


def _points(collection: Collection, gold: Spans, document: int) -> Ints:
    """Where anything begins or ends in a document."""
    rows = slice(*collection.first[[document, document + 1]])
    mine = gold.document == document
    parts = collection.start[rows], collection.end[rows], gold.start[mine], gold.end[mine]
    return np.unique(np.concatenate(parts))


def _apart(found: list[_Place]) -> list[_Place]:
    """Those that share no text with one before them, documents one after another."""
    kept: list[_Place] = []
    for one in found:
        if all(one[0] != other[0] or one[3] <= other[2] or other[3] <= one[2] for other in kept):
            kept.append(one)
    documents = list(dict.fromkeys(one[0] for one in kept))
    return sorted(kept, key=lambda one: documents.index(one[0]))


def columns(of: object, *names: str) -> dict[str, list]:
    """Some columns of numbers by their names."""
    return {name: np.asarray(getattr(of, name)).tolist() for name in names}


def text(topics: Sequence[Topic], results: Results) -> str:
    """The campaign as JSON."""
    collection, place = topics[0].collection, ("document", "start", "end")
    assert collection.words is not None
    of_topics = {
        topic.name: {
            **columns(topic, "element", "exhaustivity", "specificity", "assessed"),
            "highlights": columns(topic.highlights, *place),
            "entry_point": topic.entry_point,
            "spans": columns(topic.spans, *place),
            "aspects": [*map(str, topic.spans.aspects)] if topic.spans else [],
        }
        for topic in topics
    }
    whole = {
        "tags": [*collection.tags],
        "texts": [*collection.words.texts(np.arange(len(collection.names))).values()],
        "collection": columns(
            collection, "first", "parent", "last", "depth", "tag", "position", "start", "end"
        ),
        "topics": of_topics,
        "runs": [*results.runs],
        "results": columns(results, "run", "topic", "rank", "element", *place),
    }
    return json.dumps(whole) + "\n"


if __name__ == "__main__":
    path = Path(str(files("focuseval").joinpath("auditing/campaign.json")))
    path.write_text(text(*campaign()), encoding="utf-8")
