"""Elements above and below the results: added behind or before them, or put in their place."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Bools, Ints, changes, distinct
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_BETTER, NOT_WORSE, declared
from focuseval.transformations.lists import (
    as_elements,
    children_of,
    lengths,
    list_of,
    places,
    places_of,
    with_added,
    with_ancestors,
)
from focuseval.transformations.relevance import Relevance


@declared(
    summary="the elements around the results, as results of their own",
    expected=NOT_BETTER,
    why="they hold no relevant text that is not returned anyway",
    trait="ancestor-proof",
    source="Gövert et al. 2006, Section 4.1",
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
def ancestors(results: Results, topics: Sequence[Topic], *, where: str, new: str) -> Results:
    """Every list with the ancestors of its elements: in one rank behind it, or each right before its result.

    Without ``new`` only those that hold no relevant text but the list's (behind) or the result's (before).
    """
    relevance = Relevance(topics)
    return (_behind if where == "behind" else _before)(results, relevance, new == "on")


def _behind(results: Results, relevance: Relevance, new: bool) -> Results:
    """All ancestors in one rank behind each list, in document order; those in the list keep their place there."""
    collection, number = relevance.collection, list_of(results)
    known = results.element >= 0
    keys = with_ancestors(number[known], results.element[known], collection.parent)
    returned = distinct(number[known] * len(collection) + results.element[known])
    list_, element = np.divmod(np.setdiff1d(keys, returned, assume_unique=True), len(collection))
    last = results.bounds[1:] - 1
    added = places_of(collection, element)
    if not new:
        topic, (document, _, start, end) = relevance.of(results)[last[list_]], added
        nothing = relevance.unread(results, list_, topic, document, start, end) == 0
        list_, added = list_[nothing], added[:, nothing]
    made = with_added(results, last[list_], added, anew=False)
    is_added = places(made) >= lengths(results)[list_of(made)]
    score = np.where(is_added, np.nan, made.score)
    return replace(made, rank=made.rank + is_added, score=score, line=None)


def _before(results: Results, relevance: Relevance, new: bool) -> Results:
    """The ancestors of each result right before it, the outermost first; each once in a list."""
    collection, number = relevance.collection, list_of(results)
    known = np.flatnonzero(results.element >= 0)
    row: Ints = known
    element: Ints = results.element[known]
    found: list[tuple[Ints, Ints]] = [(known[:0], known[:0])]
    while len(row):
        found.append((row, element))
        above: Ints = collection.parent[element]
        row, element = row[above >= 0], above[above >= 0]
        if not new:
            same = _answers(results, relevance, row, element, np.less_equal)
            row, element = row[same], element[same]
    # What was returned before does not come again.
    row, element = (np.concatenate(parts[::-1]) for parts in zip(*found, strict=True))
    is_added = np.arange(len(row)) < len(row) - len(known)
    keys = number[row] * len(collection) + element
    order = np.lexsort((row, keys))
    first = np.zeros(len(keys), dtype=bool)
    first[order] = changes(keys[order])
    first &= is_added
    return with_added(results, row[first], places_of(collection, element[first]), behind=False)


def _answers(results: Results, relevance: Relevance, row: Ints, element: Ints, as_much: np.ufunc) -> Bools:
    """Whether elements hold as much relevant text as results (rows), and are ``as_much`` exhaustive as these."""
    topic = relevance.of(results)[row]
    document, _, start, end = places_of(relevance.collection, element)
    held = relevance.held(topic, document, start, end)
    worth, own = (relevance.exhaustivity(topic, one) for one in (element, results.element[row]))
    alike: Bools = (held == relevance.in_results(results)[row]) & as_much(worth, own)
    return alike


@declared(
    summary="every result replaced by its parent, where that holds no other relevant text",
    expected=NOT_BETTER,
    why="the same relevant text stands among more that is not",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved up",
)
def parents(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result replaced by its parent, where that holds no other relevant text and answers no more."""
    relevance = Relevance(topics)
    parent = relevance.collection.parent
    row = np.flatnonzero((results.element >= 0) & (parent[np.maximum(results.element, 0)] >= 0))
    return _replaced(results, relevance, row, parent[results.element[row]], np.less_equal)


@declared(
    summary="every relevant result replaced by the child that holds all its relevant text",
    expected=NOT_WORSE,
    why="the same relevant text stands among less that is not",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved down",
)
def best_child(results: Results, topics: Sequence[Topic]) -> Results:
    """Every relevant result replaced by the child that holds all its relevant text, where one answers as much."""
    relevance = Relevance(topics)
    element = np.where(relevance.in_results(results) > 0, results.element, -1)
    return _replaced(results, relevance, *children_of(relevance.collection, element), np.greater_equal)


def _replaced(results: Results, relevance: Relevance, row: Ints, element: Ints, as_much: np.ufunc) -> Results:
    """The results with elements in the place of those (rows) which they answer for (`_answers`)."""
    fitting = _answers(results, relevance, row, element, as_much)
    made = np.full(len(results), -1)
    made[row[fitting]] = element[fitting]
    everything = np.arange(len(results))
    return replace(as_elements(results, relevance.collection, everything, made), rank=results.rank)


TRANSFORMATIONS = (ancestors, parents, best_child)
