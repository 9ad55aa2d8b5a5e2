"""The same text in the same order, cut otherwise: in halves, joined, as the children of elements."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Bools, ranges, sums_before
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import SAME, Transformation
from focuseval.transformations.lists import alone, in_order, list_of


def halves(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result of two characters or more as its two halves (`halve`).

    Results that share a rank stay whole: pieces of them would have no order.
    """
    return halve(results, alone(results))


def halve(results: Results, chosen: Bools) -> Results:
    """Chosen results of two characters or more as two halves, the first of which is not the longer one.

    Ranks count from 1 in the order of the results. Halves are passages, whatever was cut.
    """
    half = (results.end - results.start) // 2
    cut = chosen & (half > 0) & (results.start >= 0)
    times = 1 + cut
    first = sums_before(times)[:-1]
    source = np.repeat(np.arange(len(results)), times)
    start, end = results.start[source].copy(), results.end[source].copy()
    end[first[cut]] = start[first[cut]] + half[cut]
    start[first[cut] + 1] = end[first[cut]]
    return in_order(results, source, start, end, np.where(cut[source], -1, results.element[source]))


def joined(results: Results, topics: Sequence[Topic]) -> Results:
    """Results that follow each other in rank and in the text of one document, as one passage; none that are tied."""
    follows = np.zeros(len(results), dtype=bool)
    number, solid = list_of(results), (results.start >= 0) & (results.end > results.start)
    follows[1:] = (
        (number[1:] == number[:-1])
        & (results.document[1:] == results.document[:-1])
        & (results.start[1:] == results.end[:-1])
        & solid[1:]
        & solid[:-1]
        & alone(results)[1:]
        & alone(results)[:-1]
    )
    first = np.flatnonzero(~follows)
    last = np.append(first[1:], len(results)) - 1
    element = np.where(first == last, results.element[first], -1)
    return in_order(results, first, results.start[first], results.end[last], element)


def children(results: Results, topics: Sequence[Topic]) -> Results:
    """Every element that has no text but its children's as these, in their order; none that shares its rank."""
    collection = topics[0].collection
    row = np.flatnonzero(collection.parent >= 0)
    row = row[(collection.size[row] > 0)]
    row = row[np.argsort(collection.parent[row], kind="stable")]
    above = collection.parent[row]
    element = results.element
    low, high = (np.searchsorted(above, element, side=side) for side in ("left", "right"))
    tiled = (
        alone(results) & (element >= 0) & (collection.own_text[np.maximum(element, 0)] == 0) & (high > low)
    )
    count = np.where(tiled, high - low, 1)
    source = np.repeat(np.arange(len(results)), count)
    child = row[np.minimum(ranges(count, low), len(row) - 1)] if len(row) else element[source]
    cut = tiled[source]
    return in_order(
        results,
        source,
        np.where(cut, collection.start[child], results.start[source]),
        np.where(cut, collection.end[child], results.end[source]),
        np.where(cut, child, element[source]),
    )


HALVES = Transformation(
    name="halves",
    summary="every result as its two halves, one behind the other",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="split-invariant",
    source="TREC Genomics 2007, where PASSAGE rose by splitting",
    make=halves,
)
JOINED = Transformation(
    name="joined",
    summary="results that follow each other, in rank and in their document, as one",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="join-invariant",
    source="the other way about of halves",
    make=joined,
)
CHILDREN = Transformation(
    name="children",
    summary="every element that has no text of its own as its children",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="unit-invariant",
    source="halves, for elements",
    make=children,
)

TRANSFORMATIONS = (HALVES, JOINED, CHILDREN)
