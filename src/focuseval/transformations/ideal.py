"""Runs made from the judgements alone: the perfect answers, in the order of their worth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.measures import recall_base as recallbase
from focuseval.measures.declaration import Parameter
from focuseval.measures.quantisation import (
    PRECALL_QUANTISATIONS,
    QUANTISATIONS,
    Quantisation,
    on_four_points,
    quantised,
)
from focuseval.model.arrays import Floats, Ints, ranges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, as_results, by_score
from focuseval.transformations.declaration import BEST, JUDGEMENTS, declared
from focuseval.transformations.relevance import most_specific, relevant_text

#: names of quantisations, of the four-point scales and of those with continuous specificity
_NAMES = tuple(dict.fromkeys([*QUANTISATIONS, *PRECALL_QUANTISATIONS]))

#: scales on which specificity has the values 0 to 3
FOUR_POINTS = ("inex2002", "inex2003")

#: what an ideal run may be made of
KINDS = ("passages", "spans", "documents", "elements", "all-elements", "perfect", "specific")


@declared(
    summary="the answers that the judgements hold, in the order of their worth",
    expected=BEST,
    why="no run can answer better than the judgements do",
    trait="ideal-highest",
    source="Kazai & Lalmas 2005, Section 2; Gövert et al. 2006, Section 4.1",
    parameters=(
        Parameter(
            "kind",
            "elements",
            "passages: relevant text, each piece once; spans: as marked, overlaps kept; documents; elements: the "
            "ideal recall-base; all-elements: the full one; perfect: of specificity 3; specific: relevant without a "
            "relevant one inside",
            choices=KINDS,
        ),
        Parameter("quantisation", "gen", "from (e, s) to a score", choices=_NAMES),
        Parameter(
            "method", "paper", "how ideal elements are chosen", choices=tuple(recallbase.IDEAL_METHODS)
        ),
    ),
    of=JUDGEMENTS,
)
def ideal(results: Results, topics: Sequence[Topic], *, kind: str, quantisation: str, method: str) -> Results:
    """One run, ``ideal``; topics without an answer of this kind have no list."""
    if kind in ("passages", "spans"):
        return _of_passages(topics, kind)
    return as_results(
        pd.concat([by_score(one, *_chosen(one, kind, quantisation, method)) for one in topics]).assign(
            run="ideal"
        ),
        topics[0].collection,
    )


def _chosen(topic: Topic, kind: str, quantisation: str, method: str) -> tuple[Ints, Floats]:
    """Rows of elements that are ideal answers, and their scores."""
    collection = topic.collection
    if kind == "documents":
        if topic.grade is not None:
            assert topic.assessed is not None  # graded documents are listed
            good = topic.grade > 0
            return collection.root(topic.assessed[good]), topic.grade[good].astype(float)
        document, place = np.unique(relevant_text(topic).document, return_inverse=True)
        text = relevant_text(topic)
        return collection.root(document), np.bincount(place, text.end - text.start).astype(float)
    if kind == "perfect":
        return perfect_elements(on_four_points(topic))
    if kind == "specific":
        row = most_specific(topic)
        place = np.searchsorted(topic.element, row)
        return row, topic.exhaustivity[place] * topic.specificity[place]
    score = quantised(topic, quantisation, _table(topic, quantisation))
    row, score = topic.element[score > 0], score[score > 0]
    if kind == "elements":
        chosen = recallbase.ideal(collection, row, score, method)
        row, score = row[chosen], score[chosen]
    return row, score


def perfect_elements(topic: Topic) -> tuple[Ints, Floats]:
    """Rows of the relevant elements of specificity 3, and their exhaustiveness (Gövert et al. 2006, Section 4.1).

    Raises InputError for a scale on which specificity has no value 3.
    """
    if topic.scale not in FOUR_POINTS:
        told = f"assessments on the scale {topic.scale}"
        expected = f"one of {', '.join(FOUR_POINTS)}: simulated runs need specificity 0-3"
        raise InputError(Problem(f"topic {topic.name}", "", told, expected))
    best = (topic.specificity == 3) & (topic.exhaustivity > 0)
    return topic.element[best], topic.exhaustivity[best]


def _table(topic: Topic, quantisation: str) -> dict[str, Quantisation]:
    """The quantisations among which one of this name is for the topic's scale."""
    known = QUANTISATIONS.get(quantisation)
    on_scale = known is not None and topic.scale in known.scales
    return QUANTISATIONS if on_scale or quantisation not in PRECALL_QUANTISATIONS else PRECALL_QUANTISATIONS


def _of_passages(topics: Sequence[Topic], kind: str) -> Results:
    """The relevant passages of each topic in document order: as they were marked, or as text that no two share."""
    parts = []
    for number, topic in enumerate(topics):
        marked = topic.spans if kind == "spans" and topic.spans is not None else relevant_text(topic)
        document, start, end = marked.document, marked.start, marked.end
        parts.append(np.array([np.full(len(document), number), document, start, end]))
    topic_of, document, start, end = np.concatenate(parts, axis=1)
    return Results(
        runs=pd.Index(["ideal"], dtype=object),
        topics=pd.Index([topic.name for topic in topics], dtype=object),
        run=np.zeros(len(topic_of), dtype=np.int64),
        topic=topic_of,
        rank=ranges(np.bincount(topic_of, minlength=len(topics)), 1),
        document=document,
        element=np.full(len(topic_of), -1),
        start=start,
        end=end,
        score=np.full(len(topic_of), np.nan),
    )
