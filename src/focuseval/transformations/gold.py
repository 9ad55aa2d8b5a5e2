"""Transformations that remove, move or replace judgements."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from focuseval.errors import InputError
from focuseval.measures.declaration import Parameter, existing_file
from focuseval.model.arrays import Bools, Ints
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic, judged_anew, with_passages
from focuseval.transformations.declaration import JUDGEMENTS, MEANS, REPORTED, declared
from focuseval.transformations.lists import generator, random_share


def passages_of(topic: Topic) -> int:
    """Return the number of a topic's spans, or of its highlights if it has no spans."""
    if topic.spans is not None:
        return len(topic.spans)
    return 0 if topic.highlights is None else len(topic.highlights.document)


def in_documents(topic: Topic, number: Ints) -> Topic:
    """Renumber the documents in all judgements of a topic except its judged elements.

    ``number`` has the new index of each document, or -1 to remove the judgements of this document.
    """
    if (marks := topic.highlights) is not None:
        marks = marks.among(number[marks.document] >= 0)
        topic = replace(topic, highlights=replace(marks, document=number[marks.document]))
    if (spans := topic.spans) is not None:
        spans = spans.among(number[spans.document] >= 0)
        topic = replace(topic, spans=replace(spans, document=number[spans.document]))
    if topic.entry_point is not None:
        points = {int(number[d]): at for d, at in topic.entry_point.items() if number[d] >= 0}
        topic = replace(topic, entry_point=points)
    if topic.assessed is not None:
        inside = number[topic.assessed] >= 0
        grade = None if topic.grade is None else topic.grade[inside]
        topic = replace(topic, assessed=number[topic.assessed[inside]], grade=grade)
    return topic


def moved(topic: Topic, move: Callable[[Ints, Ints], Ints]) -> Topic:
    """Move the passages and the entry points of a topic to other offsets in their documents.

    ``move`` takes documents and offsets, and returns new offsets. Empty highlights are removed, empty spans are
    kept, and highlights that touch are merged.
    """
    if (marks := topic.highlights) is not None:
        start, end = move(marks.document, marks.start), move(marks.document, marks.end)
        topic = replace(topic, highlights=Highlights(*merge(marks.document, start, end)))
    if (spans := topic.spans) is not None:
        start, end = move(spans.document, spans.start), move(spans.document, spans.end)
        topic = replace(topic, spans=replace(spans, start=start, end=end))
    if topic.entry_point is not None:
        documents = np.array(list(topic.entry_point), dtype=np.int64)
        points = move(documents, np.array(list(topic.entry_point.values()), dtype=np.int64))
        topic = replace(topic, entry_point=dict(zip(documents.tolist(), points.tolist(), strict=True)))
    return topic


@declared(
    summary="move every relevant passage by some characters",
    expected=REPORTED,
    why="how much a score depends on where an assessor began to mark",
    trait="judgement-robust",
    source="noise in judgements",
    parameters=(Parameter("by", 10.0, "number of units", low=-1e6, high=1e6),),
    over=MEANS,
    changes=JUDGEMENTS,
)
def shifted(topics: Sequence[Topic], *, by: float) -> list[Topic]:
    """Move relevant passages and entry points ``by`` units of text (back if negative) within their documents.

    Judgements of elements that were derived from highlights are derived again. Topics without highlights do not change.
    """
    return [_shifted(topic, int(by)) for topic in topics]


def _shifted(topic: Topic, by: int) -> Topic:
    collection = topic.collection
    size = collection.end[collection.root(np.arange(len(collection.names)))]

    def move(document: Ints, point: Ints) -> Ints:
        later = np.maximum(point + by, 0)
        return np.where(size[document] >= 0, np.minimum(later, size[document]), later)

    if topic.highlights is None:
        return topic
    topic = moved(topic, move)
    if (spans := topic.spans) is not None:
        topic = replace(topic, spans=spans.among(spans.end > spans.start))
    return judged_anew(topic) if topic.scale == "highlights" else topic


@declared(
    summary="leave out some relevant passages or elements",
    expected=REPORTED,
    why="how much a score depends on missing judgements",
    trait="judgement-robust",
    source="noise in judgements",
    parameters=(
        Parameter("share", 0.1, "share of relevant items that are left out", low=0, high=1),
        Parameter("seed", 0.0, "seed of the random choice"),
    ),
    over=MEANS,
    changes=JUDGEMENTS,
)
def fewer_judgements(topics: Sequence[Topic], *, share: float, seed: float) -> list[Topic]:
    """Remove a random share of each topic's relevant passages and judged elements, but not all of them.

    Judgements of elements that were derived from highlights are derived again. If documents have grades, a random share
    of the grades above 0 becomes 0 instead.
    """
    return [_thinned(topic, share, generator(int(seed), topic.name)) for topic in topics]


def _thinned(topic: Topic, share: float, rng: np.random.Generator) -> Topic:
    if topic.grade is not None and topic.assessed is not None:
        grade = topic.grade.copy()
        grade[random_share(np.flatnonzero(grade > 0), share, rng)] = 0
        return replace(topic, grade=grade)
    topic = with_passages(topic, _remaining(passages_of(topic), share, rng))
    if topic.scale == "highlights" and len(topic.element):
        return judged_anew(topic)
    return topic.judging(_remaining(len(topic.element), share, rng))


def _remaining(count: int, share: float, rng: np.random.Generator) -> Bools:
    """Return a mask of the items, out of ``count``, that remain after a random share is removed."""
    return ~np.isin(np.arange(count), random_share(np.arange(count), share, rng))


@declared(
    summary="replace the judgements by those of another file",
    expected=REPORTED,
    why="how much a score depends on the assessor",
    trait="judgement-robust",
    source="Voorhees (SIGIR 1998)",
    parameters=(Parameter("file", "", "assessments of the same topics", reader=existing_file),),
    over=MEANS,
    changes=JUDGEMENTS,
)
def second_assessor(topics: Sequence[Topic], *, file: str) -> list[Topic]:
    """Replace the judgements of each topic by the judgements of another assessor, which are in ``file``.

    Topics that are not in the file are unchanged. Raises InputError without a file, and for documents or elements that
    are not in the collection.
    """
    from focuseval.campaign.assembly import Inputs, assemble_topics

    if not file:
        raise InputError.of("second-assessor", "no file is given", "write second-assessor(file=PATH)")
    if not topics:
        return []
    collection = topics[0].collection
    judged, _ = assemble_topics(file, collection, Inputs(unit=collection.unit))
    by_name = {topic.name: topic for topic in judged}
    return [by_name.get(topic.name, topic) for topic in topics]
