"""The same text in the same order, cut otherwise: in halves, joined, as the children of elements."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Bools, sums_before
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import SAME, declared
from focuseval.transformations.lists import alone, as_elements, children_of, in_order, list_of


@declared(
    summary="every result as its two halves, one behind the other",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="split-invariant",
    source="TREC Genomics 2007, where PASSAGE rose by splitting",
)
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


@declared(
    summary="results that follow each other, in rank and in their document, as one",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="join-invariant",
    source="the other way about of halves",
)
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


@declared(
    summary="every element that has no text of its own as its children",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="unit-invariant",
    source="halves, for elements",
)
def children(results: Results, topics: Sequence[Topic]) -> Results:
    """Every element that has no text but its children's as these, in their order; none that shares its rank."""
    collection, element = topics[0].collection, results.element
    of, child = children_of(collection, element)
    of, child = of[collection.size[child] > 0], child[collection.size[child] > 0]
    tiled = alone(results) & (collection.own_text[np.maximum(element, 0)] == 0)
    tiled &= np.bincount(of, minlength=len(results)) > 0
    of, child = of[tiled[of]], child[tiled[of]]
    source = np.concatenate([np.flatnonzero(~tiled), of])
    made = np.concatenate([np.full(np.count_nonzero(~tiled), -1), child])
    order = np.argsort(source, kind="stable")
    return as_elements(results, collection, source[order], made[order])


TRANSFORMATIONS = (halves, joined, children)
