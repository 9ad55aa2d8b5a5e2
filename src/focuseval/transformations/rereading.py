"""Text that is returned again: in the same result, in a larger one, in a smaller one."""

from collections.abc import Sequence

import numpy as np

from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Bools, Ints, changes
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_BETTER, declared
from focuseval.transformations.lists import children_of, lengths, taken, with_added
from focuseval.transformations.relevance import Relevance


@declared(
    summary="every result again",
    expected=NOT_BETTER,
    why="nothing new is read, and reading again takes time",
    trait="repeat-proof",
    source="Gövert et al. 2006, Section 1: systems must not gain by returning text again",
    parameters=(
        Parameter(
            "where",
            "behind",
            "behind: right behind each; end: the whole list at its end",
            choices=("behind", "end"),
        ),
    ),
)
def twice(results: Results, topics: Sequence[Topic], *, where: str) -> Results:
    """Every result again: right behind it, or the whole list again at its end."""
    if where == "behind":
        return taken(results, np.repeat(np.arange(len(results)), 2), ranked=True)
    length = lengths(results)
    first = np.cumsum(length) - length
    at = np.arange(2 * len(results)) - np.repeat(2 * first, 2 * length)
    return taken(results, np.repeat(first, 2 * length) + at % np.repeat(length, 2 * length), ranked=True)


@declared(
    summary="behind every result its text again in a larger one, that holds no other relevant text",
    expected=NOT_BETTER,
    why="nothing relevant is new, and other text is read",
    trait="nesting-proof",
    source="Kazai & Lalmas 2005, Section 3.1: overlapping results",
)
def larger(results: Results, topics: Sequence[Topic]) -> Results:
    """Behind every result its text in a larger one: its parent, or a passage of twice its size around it.

    Only where the larger one holds no relevant text but the result's, and answers no more by its judgement.
    """
    relevance = Relevance(topics)
    collection, topic = relevance.collection, relevance.of(results)
    element = np.where(results.element >= 0, collection.parent[np.maximum(results.element, 0)], -1)
    size = results.end - results.start
    documents = np.maximum(results.document, 0)
    start = np.maximum(results.start - size // 2, 0)
    end = np.minimum(results.end + size - size // 2, collection.end[collection.root(documents)])
    row, is_element = np.maximum(element, 0), results.element >= 0
    start = np.where(is_element, collection.start[row], start)
    end = np.where(is_element, collection.end[row], end)
    held = relevance.held(topic, results.document, start, end)
    fitting = _known(results) & (end - start > size) & (held == relevance.in_results(results))
    fitting &= relevance.exhaustivity(topic, element) <= relevance.exhaustivity(topic, results.element)
    return _with(results, fitting & ((element >= 0) | ~is_element), element, start, end)


@declared(
    summary="behind every result a part of its text again",
    expected=NOT_BETTER,
    why="nothing new is read",
    trait="nesting-proof",
    source="Kazai & Lalmas 2005, Section 3.1: overlapping results",
)
def smaller(results: Results, topics: Sequence[Topic]) -> Results:
    """Behind every result a part of its text: its first child with text, or the first half of a passage."""
    collection = topics[0].collection
    of, child = children_of(collection, results.element)
    of, child = of[collection.size[child] > 0], child[collection.size[child] > 0]
    of, child = of[changes(of)], child[changes(of)]
    half = (results.end - results.start) // 2
    fitting = _known(results) & (results.element < 0) & (half > 0)
    fitting[of] = _known(results)[of]
    element, start, end = np.full(len(results), -1), results.start.copy(), results.start + half
    element[of], start[of], end[of] = child, collection.start[child], collection.end[child]
    return _with(results, fitting, element, start, end)


def _known(results: Results) -> Bools:
    return (results.start >= 0) & (results.document >= 0) & (results.end > results.start)


def _with(results: Results, chosen: Bools, element: Ints, start: Ints, end: Ints) -> Results:
    """Every chosen result with another one of its document right behind it."""
    places = np.array([results.document, element, start, end])
    return with_added(results, np.flatnonzero(chosen), places[:, chosen])


TRANSFORMATIONS = (twice, larger, smaller)
