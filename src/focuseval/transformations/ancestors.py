"""Elements above and below the results: added behind or before them, or put in their place."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Ints, changes, distinct, is_among, ranges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_BETTER, NOT_WORSE, Transformation
from focuseval.transformations.lists import in_order, lengths, list_of, with_added
from focuseval.transformations.relevance import Relevance


def ancestors(results: Results, topics: Sequence[Topic], *, where: str, new: str) -> Results:
    """Every list with the ancestors of its elements: in one rank behind it, or each right before its result.

    Without ``new`` only those that hold no relevant text but the list's (behind) or the result's (before).
    """
    relevance = Relevance(topics)
    return (_behind if where == "behind" else _before)(results, relevance, new == "on")


def _behind(results: Results, relevance: Relevance, new: bool) -> Results:
    """All ancestors in one rank behind each list, in document order; those in the list keep their place there."""
    size, number = len(relevance.collection), list_of(results)
    known = results.element >= 0
    returned = distinct(number[known] * size + results.element[known])
    found: list[Ints] = [np.empty(0, dtype=np.int64)]
    keys = returned
    while len(keys):
        above = relevance.collection.parent[keys % size]
        keys = distinct((keys - keys % size + above)[above >= 0])
        found.append(keys)
    added = distinct(np.concatenate(found))
    added = added[~is_among(added, returned)[0]]
    list_, element = np.divmod(added, size)
    ends = np.cumsum(lengths(results)) - 1
    topic, document, start, end = _columns(relevance, results, ends[list_], element)
    if not new:
        kept = relevance.unread(results, list_, topic, document, start, end) == 0
        list_, element, document, start, end = (c[kept] for c in (list_, element, document, start, end))
    behind = np.ones(len(list_), dtype=bool)
    made = with_added(
        results,
        ends[list_],
        document=document,
        element=element,
        start=start,
        end=end,
        behind=behind,
        anew=False,
    )
    extra = np.bincount(list_, minlength=len(ends))
    is_added = np.zeros(len(made), dtype=bool)
    closes = np.cumsum(lengths(results) + extra)
    is_added[ranges(extra, closes - extra)] = True
    score = np.where(is_added, np.nan, made.score)
    return replace(made, rank=made.rank + is_added, score=score, line=None)


def _before(results: Results, relevance: Relevance, new: bool) -> Results:
    """The ancestors of each result right before it, the outermost first; each once in a list."""
    own, worth = relevance.in_results(results), relevance.exhaustivity(relevance.of(results), results.element)
    row: Ints = np.flatnonzero(results.element >= 0)
    element: Ints = results.element[row]
    nothing = np.empty(0, dtype=np.int64)
    beside: list[Ints] = [nothing]
    added: list[Ints] = [nothing]
    while len(row):
        above = relevance.collection.parent[element]
        row, element = row[above >= 0], above[above >= 0]
        if not new:
            topic, document, start, end = _columns(relevance, results, row, element)
            same = relevance.held(topic, document, start, end) == own[row]
            same &= relevance.exhaustivity(topic, element) <= worth[row]
            row, element = row[same], element[same]
        beside.append(row)
        added.append(element)
    row, element = (np.concatenate(parts[::-1]) for parts in (beside, added))
    # What stands there already does not come again.
    size, number = len(relevance.collection), list_of(results)
    known = np.flatnonzero(results.element >= 0)
    keys = np.concatenate([number[known] * size + results.element[known], number[row] * size + element])
    at = np.concatenate([known, row])
    is_added = np.arange(len(keys)) >= len(known)
    order = np.lexsort((np.arange(len(keys)), ~is_added, at, keys))
    first = np.zeros(len(keys), dtype=bool)
    first[order] = changes(keys[order])
    row, element = row[first[len(known) :]], element[first[len(known) :]]
    _, document, start, end = _columns(relevance, results, row, element)
    before = np.zeros(len(row), dtype=bool)
    return with_added(results, row, document=document, element=element, start=start, end=end, behind=before)


def _columns(
    relevance: Relevance, results: Results, row: Ints, element: Ints
) -> tuple[Ints, Ints, Ints, Ints]:
    """Topic of results, and document, start and end of elements."""
    collection = relevance.collection
    topic = relevance.of(results)[row]
    return topic, collection.document_of(element), collection.start[element], collection.end[element]


def parents(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result replaced by its parent, where that holds no other relevant text and answers no more."""
    relevance = Relevance(topics)
    collection = relevance.collection
    above = np.where(results.element >= 0, collection.parent[np.maximum(results.element, 0)], -1)
    row = np.flatnonzero(above >= 0)
    topic, document, start, end = _columns(relevance, results, row, above[row])
    fitting = (relevance.held(topic, document, start, end) == relevance.in_results(results)[row]) & (
        relevance.exhaustivity(topic, above[row]) <= relevance.exhaustivity(topic, results.element[row])
    )
    return _replaced(results, relevance, row[fitting], above[row[fitting]])


def best_child(results: Results, topics: Sequence[Topic]) -> Results:
    """Every relevant result replaced by the child that holds all its relevant text, where one answers as much."""
    relevance = Relevance(topics)
    collection, topic = relevance.collection, relevance.of(results)
    held, worth = relevance.in_results(results), relevance.exhaustivity(topic, results.element)
    child = np.flatnonzero(collection.parent >= 0)
    child = child[np.argsort(collection.parent[child], kind="stable")]
    row = np.flatnonzero((results.element >= 0) & (held > 0))
    low, high = (
        np.searchsorted(collection.parent[child], results.element[row], side=s) for s in ("left", "right")
    )
    of = np.repeat(row, high - low)
    one = child[ranges(high - low, low)]
    _, document, start, end = _columns(relevance, results, of, one)
    fitting = (relevance.held(topic[of], document, start, end) == held[of]) & (
        relevance.exhaustivity(topic[of], one) >= worth[of]
    )
    return _replaced(results, relevance, of[fitting], one[fitting])


def _replaced(results: Results, relevance: Relevance, row: Ints, element: Ints) -> Results:
    """The results with elements in the place of some."""
    collection = relevance.collection
    made, start, end = results.element.copy(), results.start.copy(), results.end.copy()
    made[row], start[row], end[row] = element, collection.start[element], collection.end[element]
    everything = np.arange(len(results))
    return replace(in_order(results, everything, start, end, made), rank=results.rank)


ANCESTORS = Transformation(
    name="ancestors",
    summary="the elements around the results, as results of their own",
    expected=NOT_BETTER,
    why="they hold no relevant text that is not returned anyway",
    trait="ancestor-proof",
    source="Gövert et al. 2006, Section 4.1",
    make=ancestors,
    parameters=(
        Parameter(
            "where",
            "behind",
            "behind: in one rank at the end of the list; before: each right before its result",
            choices=("behind", "before"),
        ),
        Parameter(
            "new",
            "off",
            "off: only those that hold no other relevant text; on: all",
            choices=("off", "on"),
        ),
    ),
    expects=lambda spec, values: "reported" if values["new"] == "on" else NOT_BETTER,
)
PARENTS = Transformation(
    name="parents",
    summary="every result replaced by its parent, where that holds no other relevant text",
    expected=NOT_BETTER,
    why="the same relevant text stands among more that is not",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved up",
    make=parents,
)
BEST_CHILD = Transformation(
    name="best-child",
    summary="every relevant result replaced by the child that holds all its relevant text",
    expected=NOT_WORSE,
    why="the same relevant text stands among less that is not",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved down",
    make=best_child,
)

TRANSFORMATIONS = (ANCESTORS, PARENTS, BEST_CHILD)
