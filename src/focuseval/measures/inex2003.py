"""inex2003: recall and precision that see component size (``s``), and overlap as well (``o``)."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures.curves import RECALL_LEVELS, at_ranks, interpolated
from focuseval.measures.declaration import LEVEL, RANK, Cutoff, Measure, Parameter
from focuseval.measures.quantisation import quantised_dimensions
from focuseval.model.arrays import Floats, Ints, divided
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RecallBase:
    """What a topic offers, J judged elements."""

    element: Ints  #: (J,) sorted rows
    exh: Floats  #: (J,)
    spec: Floats  #: (J,)
    recall: float  #: what recall is divided by
    numerator: float  #: what the numerator of precision could collect in the whole collection
    denominator: float | None  #: size of the whole collection, None if it is not known


@dataclass(frozen=True, eq=False)
class Points:
    """Recall and precision at the end of each rank, and the sums that the tail goes on from."""

    recall: Floats  #: (L,) non-decreasing
    precision: Floats  #: (L,)
    collected: float  #: numerator of precision after the last result
    read: float  #: denominator of precision after the last result
    base: RecallBase


def retrievable(collection: Collection, rows: Ints, worth: Floats) -> float:
    """The most that whole, non-overlapping elements can collect: rel^U of the virtual root.

    ``rel(c) = worth(c)`` for a leaf, else the sum over its children of
    ``max(rel(child), worth(c) |child| / |c|)``; Gövert et al. (2006), Eq. 14-17. An element's own
    text is one more leaf child. A zero-size element is worth 0: there is nothing of it to retrieve.

    Shapes: rows (J,) sorted; worth (J,), for exh in [0, 1] or for spec in units; others are worth 0.
    """
    if len(rows) == 0:
        return 0.0
    active = collection.with_ancestors(rows)
    size = collection.size[active].astype(float)
    best = np.zeros(len(active))
    best[np.searchsorted(active, rows)] = worth
    best[size == 0] = 0.0
    density = divided(best, size)
    # With its own text as a child, an element's shares add up to its worth; a child that is
    # better on its own adds what it has above its share.
    depth = collection.depth[active]
    parent = collection.parent[active]
    for level in range(int(depth.max()), 0, -1):
        child = np.flatnonzero(depth == level)
        above = np.searchsorted(active, parent[child])
        np.add.at(best, above, np.maximum(best[child] - density[above] * size[child], 0.0))
    return float(best[parent < 0].sum())


def prepare(topic: Topic, *, variant: str, quantisation: str) -> RecallBase | None:
    """Denominators of recall, and the sums over the whole collection; None if nothing is exhaustive.

    ``s``: sums over all judged elements (Eq. 12) and over all elements of the collection.
    ``o``: rel^U of the virtual root (Eq. 18), its counterpart for spec, and the collection's text.
    """
    exh, spec = quantised_dimensions(topic, quantisation)
    if not (exh > 0).any():
        return None
    collection = topic.collection
    relevant_text = spec * collection.size[topic.element]
    if variant == "s":
        recall, numerator = float(exh.sum()), float(relevant_text.sum())
        denominator = float(collection.total_size)
    else:
        recall = retrievable(collection, topic.element, exh)
        numerator = retrievable(collection, topic.element, relevant_text)
        denominator = float(collection.text_size)
    if recall == 0:
        return None
    return RecallBase(
        topic.element, exh, spec, recall, numerator, denominator if collection.complete else None
    )


def trace(base: RecallBase, results: ResultList, *, variant: str) -> Points:
    """Recall and precision after each rank.

    ``s`` (Eq. 12, 13): ``sum exh / sum exh of all``, ``sum spec size / sum size``.
    ``o`` (Eq. 18, 19): the same with the new part of each result, its text less the text of all
    results before it: ``sum exh new/size / rel^U``, ``sum spec new / sum new``.
    """
    judged, place = results.found_among(base.element)
    judged &= results.resolved & ~results.repeats
    exh = np.where(judged, base.exh[place], 0.0)
    spec = np.where(judged, base.spec[place], 0.0)
    size = results.size.astype(float)
    if variant == "s":
        read, returned = size, exh
    else:
        read = results.new_text.astype(float)
        returned = exh * divided(read, size)
    worth = spec * read

    ends = results.last_of_rank
    recall = np.cumsum(returned)[ends] / base.recall
    collected, text = np.cumsum(worth)[ends], np.cumsum(read)[ends]
    return Points(recall, divided(collected, text), float(worth.sum()), float(read.sum()), base)


def precision_at(points: Points, recall: Floats) -> Floats:
    """Precision at recall x by Salton's interpolation: the highest precision at any recall >= x.

    After the last result the rest of the collection is read as one stretch, from the reached recall
    to 1 and from the reached sums to those of the whole collection, in proportion. Without the
    collection there is no such tail, and precision beyond the reached recall is 0.

    Shapes: recall (P,), in [0, 1]; result (P,), in [0, 1], higher is better.
    """
    found = interpolated(points.precision, points.recall, recall)
    base = points.base
    if base.denominator is None:
        return found
    reached = float(points.recall[-1]) if len(points.recall) else 0.0
    to_go = 1.0 - reached
    part = np.clip((recall - reached) / to_go, 0.0, 1.0) if to_go > 0 else np.zeros(len(recall))
    more = max(base.numerator - points.collected, 0.0)
    unread = max(base.denominator - points.read, 0.0)
    # Along the stretch precision only rises or only falls: its best is at one of the two ends.
    for phi in (part, np.ones(len(recall))):
        text = points.read + phi * unread
        tail = divided(points.collected + phi * more, text)
        found = np.maximum(found, tail)
    return found


def average_precision(points: Points) -> float:
    """Mean precision over recall 0.01, 0.02 … 1.00. In [0, 1], higher is better."""
    return float(precision_at(points, RECALL_LEVELS).mean())


def recall_at_ranks(points: Points, ranks: Ints) -> Floats:
    """(P,) recall after the first k ranks: Eq. 12 (``s``), Eq. 18 (``o``). From 0, higher is better."""
    return at_ranks(points.recall, ranks)


def recall_of_all(points: Points) -> float:
    """Recall after the last rank, 0 of an empty list; range as for `recall_at_ranks`."""
    return float(points.recall[-1]) if len(points.recall) else 0.0


INEX2003 = Measure(
    name="inex2003",
    summary="average precision over recall 0.01 … 1.00 by text (INEX 2003 metric); @x: precision at recall x",
    paper="Gövert et al. 2006, Eq. 12-19",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=(
        Parameter("variant", "o", "s: component size; o: size and overlap", choices=("s", "o")),
        Parameter("quantisation", "strict", "of each dimension", choices=("strict", "generalised")),
    ),
    cutoffs=(Cutoff(LEVEL, "recall", precision_at, tuple(RECALL_LEVELS)),),
    needs=frozenset({"judgements", "elements", "tree", "sizes"}),
)

RECALL = replace(
    INEX2003,
    name="inex2003.recall",
    summary="recall by text, @k: after the first k ranks (INEX 2003 metric); o can exceed 1 where elements nest",
    paper="Gövert et al. 2006, Eq. 12, 18",
    value=recall_of_all,
    cutoffs=(Cutoff(RANK, "rank", recall_at_ranks),),
    claims=frozenset({"tail"}),
    bounds=(0.0, float("inf")),
)

MEASURES = (INEX2003, RECALL)
