"""Judgements that might as well have been otherwise: passages that begin elsewhere, judgements that are missing."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.errors import InputError, Problem
from focuseval.measures.declaration import Parameter, existing_file
from focuseval.model.arrays import Ints
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic
from focuseval.transformations.declaration import JUDGEMENTS, MEANS, REPORTED, Transformation
from focuseval.transformations.seeds import generator


def shifted(topics: Sequence[Topic], *, by: float) -> list[Topic]:
    """Relevant passages and entry points that begin and end so many units later, in their documents.

    Elements that were judged because of highlights are judged anew.
    """
    return [_shifted(topic, int(by)) for topic in topics]


def _shifted(topic: Topic, by: int) -> Topic:
    collection = topic.collection
    size = collection.end[collection.root(np.arange(len(collection.names)))]

    def moved(document: Ints, point: Ints) -> Ints:
        known = size[document] >= 0
        later = np.maximum(point + by, 0)
        return np.where(known, np.minimum(later, size[document]), later)

    if topic.highlights is None:
        return topic
    marks, spans, entered = topic.highlights, topic.spans, topic.entry_point
    if spans is not None:
        start, end = (moved(spans.document, point) for point in (spans.start, spans.end))
        spans = replace(spans, start=start, end=end).among(end > start)
    if entered is not None:
        document = np.array(list(entered), dtype=np.int64)
        points = moved(document, np.array(list(entered.values()), dtype=np.int64))
        entered = dict(zip(document.tolist(), points.tolist(), strict=True))
    start, end = (moved(marks.document, point) for point in (marks.start, marks.end))
    return _judged_anew(
        replace(
            topic, highlights=Highlights(*merge(marks.document, start, end)), spans=spans, entry_point=entered
        )
    )


def fewer_judgements(topics: Sequence[Topic], *, share: float, seed: float) -> list[Topic]:
    """Topics that lack a share of their relevant passages, or of their judged elements; each keeps one at least."""
    return [_thinned(topic, share, generator(int(seed), topic.name)) for topic in topics]


def _thinned(topic: Topic, share: float, rng: np.random.Generator) -> Topic:
    if topic.grade is not None and topic.assessed is not None:
        grade = topic.grade.copy()
        grade[_lost(np.flatnonzero(grade > 0), share, rng)] = 0
        return replace(topic, grade=grade)
    if topic.spans is not None and topic.highlights is not None:
        kept = np.ones(len(topic.spans), dtype=bool)
        kept[_lost(np.arange(len(kept)), share, rng)] = False
        spans = topic.spans.among(kept)
        topic = replace(topic, spans=spans, highlights=spans.text())
    elif topic.highlights is not None:
        kept = np.ones(len(topic.highlights.document), dtype=bool)
        kept[_lost(np.arange(len(kept)), share, rng)] = False
        topic = replace(topic, highlights=topic.highlights.among(kept))
    if topic.scale == "highlights" and len(topic.element):
        return _judged_anew(topic)
    kept = np.ones(len(topic.element), dtype=bool)
    kept[_lost(np.arange(len(kept)), share, rng)] = False
    return topic.judging(kept)


def second_assessor(topics: Sequence[Topic], *, file: str) -> list[Topic]:
    """The topics as someone else judged them: those of a file of assessments; a topic that is not in it stays.

    Raises InputError for a file that cannot be read onto the collection.
    """
    from focuseval.campaign.assembly import Reading, assemble_topics

    if not file:
        raise InputError(Problem("second-assessor", "file", "none", "give second-assessor(file=PATH)"))
    if not topics:
        return []
    collection = topics[0].collection
    judged, _ = assemble_topics(file, collection, Reading(unit=collection.unit))
    others = {topic.name: topic for topic in judged}
    return [others.get(topic.name, topic) for topic in topics]


def _lost(places: Ints, share: float, rng: np.random.Generator) -> Ints:
    return rng.permutation(places)[: min(round(share * len(places)), max(len(places) - 1, 0))]


def _judged_anew(topic: Topic) -> Topic:
    """The topic with elements as its highlights judge them, where they were judged so."""
    marks, collection = topic.highlights, topic.collection
    if topic.scale != "highlights" or marks is None or not len(topic.element):
        return topic
    row, held = collection.highlighted(marks.document, marks.start, marks.end)
    return replace(
        topic, element=row, exhaustivity=np.full(len(row), 2.0), specificity=held / collection.size[row]
    )


SHIFTED = Transformation(
    name="shifted",
    summary="judgements whose relevant passages begin and end some characters later",
    expected=REPORTED,
    why="how much a score depends on where an assessor began to mark",
    trait="judgement-robust",
    source="noise in judgements",
    make=shifted,
    parameters=(Parameter("by", 10.0, "units", low=-1e6, high=1e6),),
    over=MEANS,
    changes=JUDGEMENTS,
)
FEWER_JUDGEMENTS = Transformation(
    name="fewer-judgements",
    summary="judgements that lack a share of what is relevant",
    expected=REPORTED,
    why="how much a score depends on judgements that may be missing",
    trait="judgement-robust",
    source="noise in judgements",
    make=fewer_judgements,
    parameters=(
        Parameter("share", 0.1, "of what is relevant that is left out", low=0, high=1),
        Parameter("seed", 0.0, "of what is drawn"),
    ),
    over=MEANS,
    changes=JUDGEMENTS,
)
SECOND_ASSESSOR = Transformation(
    name="second-assessor",
    summary="the judgements of another file of assessments, topic by topic",
    expected=REPORTED,
    why="how much a score depends on who judged",
    trait="judgement-robust",
    source="Voorhees (SIGIR 1998)",
    make=second_assessor,
    parameters=(Parameter("file", "", "assessments of the same topics", reader=existing_file),),
    over=MEANS,
    changes=JUDGEMENTS,
)

TRANSFORMATIONS = (SHIFTED, FEWER_JUDGEMENTS, SECOND_ASSESSOR)
