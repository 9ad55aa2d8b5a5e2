"""Judgements made of others: passages left out or moved, documents renumbered, elements judged by what is left."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from focuseval.model.arrays import Bools, Ints, is_among
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic


def passages_of(topic: Topic) -> int:
    """How many relevant passages a topic has: as they were marked, or else highlights."""
    if topic.spans is not None:
        return len(topic.spans)
    return 0 if topic.highlights is None else len(topic.highlights.document)


def with_passages(topic: Topic, kept: Bools) -> Topic:
    """The topic with some of its relevant passages (`passages_of`)."""
    if topic.spans is not None:
        spans = topic.spans.among(kept)
        return replace(topic, spans=spans, highlights=spans.text())
    return topic if topic.highlights is None else replace(topic, highlights=topic.highlights.among(kept))


def in_documents(topic: Topic, number: Ints) -> Topic:
    """The topic whose gold, but for judged elements, is in documents of other numbers, without those of -1."""
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
        kept = number[topic.assessed] >= 0
        grade = None if topic.grade is None else topic.grade[kept]
        topic = replace(topic, assessed=number[topic.assessed[kept]], grade=grade)
    return topic


def moved(topic: Topic, move: Callable[[Ints, Ints], Ints]) -> Topic:
    """The topic whose passages and entry points are where ``move(documents, points)`` puts them; none is empty."""
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


def judged_anew(topic: Topic) -> Topic:
    """The topic whose elements are as specific as its relevant passages make them, where these judge elements.

    On the scale ``highlights`` that is every element with relevant text; on that of INEX 2005 it is those of them that
    were judged, and one that holds no more relevant text than the judged element inside it is no more exhaustive.
    """
    marks, collection = topic.highlights, topic.collection
    if marks is None or not len(topic.element) or topic.scale not in ("inex2005", "highlights"):
        return topic
    row, held = collection.highlighted(marks.document, marks.start, marks.end)
    if topic.scale == "highlights":
        exhaustivity = np.full(len(row), 2.0)
    else:
        known, place = is_among(row, topic.element)
        row, held, exhaustivity = row[known], held[known], topic.exhaustivity[place[known]]
        for i in range(len(row) - 2, -1, -1):
            if row[i + 1] < collection.last[row[i]] and held[i] == held[i + 1]:
                exhaustivity[i] = exhaustivity[i + 1]
    specificity = np.minimum(held / np.maximum(collection.size[row], 1), 1.0)
    return replace(topic, element=row, exhaustivity=exhaustivity, specificity=specificity)
