"""Transformations that add results to lists, or replace elements by their parents or children."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from focuseval.measures.declaration import Parameter, Spec, Value
from focuseval.model.arrays import Bools, Ints, changes, distinct, is_among, place_in_group, ranges
from focuseval.model.elements import with_ancestors
from focuseval.model.intervals import covered, merge
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_BETTER, NOT_WORSE, SAME, declared
from focuseval.transformations.lists import (
    Relevance,
    as_elements,
    children_of,
    lengths,
    list_of,
    most_specific,
    places,
    places_of,
    relevant_text,
    results_at,
    with_added,
)


def _expected_of_unjudged(spec: Spec[Any, Any], values: Mapping[str, Value]) -> str:
    return SAME if "tail" in spec.measure.claims else NOT_BETTER


@declared(
    summary="add an irrelevant result to every list",
    expected=NOT_BETTER,
    why="there is more to read, and nothing more to find",
    trait="noise-averse",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
    parameters=(
        Parameter("where", "end", "at the end or the front of the list", choices=("end", "front")),
        Parameter(
            "document",
            "irrelevant",
            "irrelevant: a whole document without relevant text; relevant: an irrelevant part of a relevant document",
            choices=("irrelevant", "relevant"),
        ),
    ),
)
def irrelevant(results: Results, topics: Sequence[Topic], *, where: str, document: str) -> Results:
    """Add an irrelevant result with new text at the end (``where=end``) or the front (``where=front``) of every list.

    With ``document=irrelevant``, the result is a whole document without relevant text. With ``document=relevant``, it
    is a passage before, between or after the relevant passages of a document. Lists without passages instead get an
    outermost element without relevant text in such a document. Lists for which no result is new do not change.
    """
    at_end, relevance = where == "end", Relevance(topics)
    if document == "irrelevant":
        documents = [_documents_except(topic, relevant_text(topic).document) for topic in topics]
        return _add_documents(results, relevance, documents, 1, at_end=at_end)
    size = len(relevance.collection.names) + 1
    read = merge(list_of(results) * size + results.document, results.start, results.end)

    def irrelevant_and_new(list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Bools:
        earlier = covered(*read, list_ * size + document, start, end)
        return (relevance.size_in(topic, document, start, end) == 0) & (earlier == 0)

    choices = [(_irrelevant_elements(topic, relevance, i), _gaps(topic)) for i, topic in enumerate(topics)]
    return _add_first(results, relevance, choices, irrelevant_and_new, at_end=at_end)


@declared(
    summary="append unjudged results to every list",
    expected=NOT_BETTER,
    why="unjudged results count as not relevant; some measures promise to ignore them",
    trait="tail-invariant",
    source="docs/measures.md, what may be claimed",
    parameters=(Parameter("count", 5.0, "number of results", low=1, high=1000),),
    expects=_expected_of_unjudged,
)
def unjudged(results: Results, topics: Sequence[Topic], *, count: float) -> Results:
    """Append to every list up to ``count`` whole documents that are unjudged and not in the list."""
    choices = [_documents_except(topic, topic.judged_documents) for topic in topics]
    return _add_documents(results, Relevance(topics), choices, int(count), at_end=True)


@declared(
    summary="append a result of new, relevant text to every list",
    expected=NOT_WORSE,
    why="more relevant text is found, and no other text is read",
    trait="relevance-rewarding",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
)
def relevant(results: Results, topics: Sequence[Topic]) -> Results:
    """Add a completely relevant result with new text to the end of every list.

    Lists with passages get the first relevant passage that is completely new. Other lists get a completely new element,
    the most exhaustive among the relevant elements of the highest specificity that have no relevant descendants.
    """
    relevance = Relevance(topics)

    def whole_and_new(list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Bools:
        return relevance.unread(results, list_, topic, document, start, end) == end - start

    choices = [(_whole_elements(topic, relevance, i), _passages(topic)) for i, topic in enumerate(topics)]
    return _add_first(results, relevance, choices, whole_and_new, at_end=True)


def _add_first(
    results: Results,
    relevance: Relevance,
    choices: Sequence[tuple[Ints, Ints]],
    fits: Callable[[Ints, Ints, Ints, Ints, Ints], Bools],
    *,
    count: int = 1,
    at_end: bool,
) -> Results:
    """Add to every list the first ``count`` candidates that fit it, at its end or (without ``at_end``) at its front.

    ``choices`` contains the candidate elements and the candidate passages of each topic (`places_of`). Lists with
    passages get passages, and other lists get elements. ``fits`` takes the indexes of lists, topics and documents, and
    the starts and ends of candidates. It returns whether each candidate fits its list.
    """
    if not len(results):
        return results
    topic_of = relevance.of(results)[results.bounds[:-1]]
    with_passages = np.bincount(list_of(results), (results.element < 0) & (results.start >= 0)) > 0
    added = []
    for i, kinds in enumerate(choices):
        for kind, columns in enumerate(kinds):
            lists = np.flatnonzero((topic_of == i) & (with_passages == bool(kind)))
            added.append((np.repeat(lists, columns.shape[1]), np.tile(columns, len(lists))))
    at, columns = (np.concatenate(parts, axis=-1) for parts in zip(*added, strict=True))
    document, _, start, end = columns
    fitting = np.flatnonzero(fits(at, topic_of[at], document, start, end))
    fitting = fitting[np.argsort(at[fitting], kind="stable")]
    fitting = fitting[place_in_group(at[fitting]) < count]
    ends = results.bounds[1:] - 1 if at_end else results.bounds[:-1]
    return _at_ends(results, ends[at[fitting]], columns[:, fitting], at_end=at_end)


def _whole_elements(topic: Topic, relevance: Relevance, number: int) -> Ints:
    """Return the completely relevant elements of the highest specificity, in the form of `places_of`.

    Elements with relevant descendants are left out. The most exhaustive come first. ``number`` is the topic's index.
    """
    places = places_of(topic.collection, most_specific(topic))
    document, row, start, end = places
    numbers = np.full(len(row), number)
    worth = relevance.exhaustivity(numbers, row)
    best = topic.specificity.max(initial=0.0)
    whole = (topic.specificity[np.searchsorted(topic.element, row)] == best) & (end > start)
    whole &= relevance.size_in(numbers, document, start, end) == end - start
    order = np.flatnonzero(whole)[np.argsort(-worth[whole], kind="stable")]
    return places[:, order]


def _passages(topic: Topic) -> Ints:
    """Return the relevant passages, in the form of `places_of` with -1 as element."""
    text = relevant_text(topic)
    return np.array([text.document, np.full(len(text.document), -1), text.start, text.end])


def _irrelevant_elements(topic: Topic, relevance: Relevance, number: int) -> Ints:
    """Return the outermost elements without relevant text in relevant documents, in the form of `places_of`.

    ``number`` is the index of the topic.
    """
    collection = topic.collection
    document = collection.document_of(np.arange(len(collection)))
    places = places_of(collection, np.flatnonzero(np.isin(document, relevant_text(topic).document)))
    document, row, start, end = places
    is_irrelevant = relevance.size_in(np.full(len(row), number), document, start, end) == 0
    largest = is_irrelevant & (end > start) & ~np.isin(collection.parent[row], row[is_irrelevant])
    return places[:, largest]


def _gaps(topic: Topic) -> Ints:
    """Return the text before, between and after relevant passages, in the form of `places_of` with -1 as element."""
    text, collection = relevant_text(topic), topic.collection
    last = np.roll(changes(text.document), -1)
    gap_start = np.where(changes(text.document), 0, np.roll(text.end, 1))
    document = np.concatenate([text.document, text.document[last]])
    start = np.concatenate([gap_start, text.end[last]])
    end = np.concatenate([text.start, collection.end[collection.root(text.document[last])]])
    return np.array([document, np.full(len(document), -1), start, end])[:, end > start]


def _documents_except(topic: Topic, documents: Ints) -> Ints:
    """Return the indexes of all documents that have text, except ``documents``."""
    collection = topic.collection
    rest = np.setdiff1d(np.arange(len(collection.names)), documents)
    return rest[collection.size[collection.root(rest)] > 0]


def _add_documents(
    results: Results, relevance: Relevance, choices: Sequence[Ints], count: int, *, at_end: bool
) -> Results:
    """Add to every list the first ``count`` documents among its topic's ``choices`` that the list does not contain."""
    if not len(results):
        return results
    size, number, topic_of = len(relevance.collection.names), list_of(results), relevance.of(results)
    returned = distinct((number * size + results.document)[results.document >= 0])
    count_in = np.bincount(returned // size, minlength=number[-1] + 1)  # documents in each list
    of_list = topic_of[results.bounds[:-1]]
    columns = []
    for i, documents in enumerate(choices):
        candidates = documents[: int(count_in[of_list == i].max(initial=0)) + count]
        columns.append(places_of(relevance.collection, relevance.collection.root(candidates)))

    def is_new(list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Bools:
        return ~is_among(list_ * size + document, returned)[0]

    alternatives = [(one, one) for one in columns]
    return _add_first(results, relevance, alternatives, is_new, count=count, at_end=at_end)


def _at_ends(results: Results, row: Ints, columns: Ints, *, at_end: bool) -> Results:
    """Insert new results (`places_of`) next to results in the rows ``row``, which are the last or first of a list."""
    longer = with_added(results, row, columns, after=at_end, anew=False)
    # results before an added result keep their ranks; added results and the results after them get later ranks
    number = list_of(longer)
    added = np.bincount(list_of(results)[row], minlength=number[-1] + 1)
    place = places(longer)
    if at_end:
        rank = longer.rank + np.maximum(place - (lengths(longer) - added)[number] + 1, 0)
    else:
        lowest = longer.rank[place == 0][number]
        rank = np.where(place < added[number], lowest + place, longer.rank + added[number])
    return replace(longer, rank=rank, score=np.full(len(longer), np.nan), line=None)


@declared(
    summary="repeat every result",
    expected=NOT_BETTER,
    why="nothing new is read, and rereading takes time",
    trait="repeat-proof",
    source="Gövert et al. 2006, Section 1: systems must not gain by returning text again",
    parameters=(
        Parameter(
            "where",
            "after",
            "after: right after each result; end: the whole list at its end",
            choices=("after", "end"),
        ),
    ),
)
def twice(results: Results, topics: Sequence[Topic], *, where: str) -> Results:
    """Repeat every result directly after it (``where=after``), or every list at its end (``where=end``)."""
    if where == "after":
        return results_at(results, np.repeat(np.arange(len(results)), 2), ranked=True)
    length, first = lengths(results), results.bounds[:-1]
    return results_at(results, ranges(np.repeat(length, 2), np.repeat(first, 2)), ranked=True)


@declared(
    summary="after every result, insert a larger result that contains it and no further relevant text",
    expected=NOT_BETTER,
    why="no new relevant text is read, but other text is",
    trait="nesting-proof",
    source="Kazai & Lalmas 2005, Section 3.1: overlapping results",
)
def larger(results: Results, topics: Sequence[Topic]) -> Results:
    """Add, after every result, a larger result that contains it: an element's parent, or a passage of twice the size.

    The larger result must be longer, but neither contain more relevant text nor be more exhaustive.
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
    relevant_size = relevance.size_in(topic, results.document, start, end)
    fitting = _is_passage(results) & (end - start > size) & (relevant_size == relevance.in_results(results))
    fitting &= relevance.exhaustivity(topic, element) <= relevance.exhaustivity(topic, results.element)
    return _add_after(results, fitting & ((element >= 0) | ~is_element), element, start, end)


@declared(
    summary="after every result, repeat a part of its text",
    expected=NOT_BETTER,
    why="nothing new is read",
    trait="nesting-proof",
    source="Kazai & Lalmas 2005, Section 3.1: overlapping results",
)
def smaller(results: Results, topics: Sequence[Topic]) -> Results:
    """Add, after every result, a part of it: an element's first child that has text, or a passage's first half."""
    collection = topics[0].collection
    parent, child = children_of(collection, results.element)
    parent, child = parent[changes(parent)], child[changes(parent)]
    half = (results.end - results.start) // 2
    fitting = _is_passage(results) & (results.element < 0) & (half > 0)
    fitting[parent] = _is_passage(results)[parent]
    element, start, end = np.full(len(results), -1), results.start.copy(), results.start + half
    element[parent], start[parent], end[parent] = child, collection.start[child], collection.end[child]
    return _add_after(results, fitting, element, start, end)


def _is_passage(results: Results) -> Bools:
    """Return whether each result, which may be an element, is resolved and contains text."""
    return (results.start >= 0) & (results.document >= 0) & (results.end > results.start)


def _add_after(results: Results, chosen: Bools, element: Ints, start: Ints, end: Ints) -> Results:
    """Add, after every ``chosen`` result, a result in the same document with the given element, start and end."""
    places = np.array([results.document, element, start, end])
    return with_added(results, np.flatnonzero(chosen), places[:, chosen])


@declared(
    summary="add the ancestors of the results",
    expected=NOT_BETTER,
    why="their relevant text is returned anyway",
    trait="ancestor-proof",
    source="Gövert et al. 2006, Section 4.1",
    parameters=(
        Parameter(
            "where",
            "after",
            "after: at one rank after the list; before: each right before its result",
            choices=("after", "before"),
        ),
        Parameter(
            "new",
            "off",
            "off: only ancestors without other relevant text; on: all",
            choices=("off", "on"),
        ),
    ),
    expects=lambda spec, values: "reported" if values["new"] == "on" else NOT_BETTER,
)
def ancestors(results: Results, topics: Sequence[Topic], *, where: str, new: str) -> Results:
    """Add the ancestors of elements, at one rank after the list (``where=after``) or directly before each element.

    With ``new=off``, an ancestor at the end is left out if it has relevant text that no result contains. An ancestor
    before an element is left out if it has more relevant text than the element, or is more exhaustive.
    """
    relevance = Relevance(topics)
    return (_append_ancestors if where == "after" else _add_before)(results, relevance, new == "on")


def _append_ancestors(results: Results, relevance: Relevance, new: bool) -> Results:
    """Add, at the end of each list, the ancestors that it does not contain. They are tied and in document order."""
    collection, number = relevance.collection, list_of(results)
    resolved = results.element >= 0
    returned = number[resolved] * len(collection) + results.element[resolved]
    keys = with_ancestors(returned, collection.parent)
    list_, element = np.divmod(np.setdiff1d(keys, returned), len(collection))
    last = results.bounds[1:] - 1
    added = places_of(collection, element)
    if not new:
        topic, (document, _, start, end) = relevance.of(results)[last[list_]], added
        nothing = relevance.unread(results, list_, topic, document, start, end) == 0
        list_, added = list_[nothing], added[:, nothing]
    longer = with_added(results, last[list_], added, anew=False)
    is_added = places(longer) >= lengths(results)[list_of(longer)]
    score = np.where(is_added, np.nan, longer.score)
    return replace(longer, rank=longer.rank + is_added, score=score, line=None)


def _add_before(results: Results, relevance: Relevance, new: bool) -> Results:
    """Add, before each result, its ancestors that do not occur earlier in the list, outermost first."""
    collection, number = relevance.collection, list_of(results)
    resolved = np.flatnonzero(results.element >= 0)
    row: Ints = resolved
    element: Ints = results.element[resolved]
    pairs: list[tuple[Ints, Ints]] = [(resolved[:0], resolved[:0])]
    while len(row):
        pairs.append((row, element))
        above: Ints = collection.parent[element]
        row, element = row[above >= 0], above[above >= 0]
        if not new:
            same = _suffices(results, relevance, row, element, np.less_equal)
            row, element = row[same], element[same]
    row, element = (np.concatenate(parts[::-1]) for parts in zip(*pairs, strict=True))
    keys = number[row] * len(collection) + element
    order = np.lexsort((row, keys))
    first = np.sort(order[changes(keys[order])])
    added = first[first < len(row) - len(resolved)]  # the last entries of `row` are results in the list
    return with_added(results, row[added], places_of(collection, element[added]), after=False)


def _suffices(results: Results, relevance: Relevance, row: Ints, element: Ints, as_much: np.ufunc) -> Bools:
    """Return whether each ``element`` can replace the result at the same index of ``row``.

    Their amounts of relevant text must be equal. ``as_much`` compares the element's exhaustivity with the result's.
    """
    topic = relevance.of(results)[row]
    document, _, start, end = places_of(relevance.collection, element)
    relevant_size = relevance.size_in(topic, document, start, end)
    worth, own = (relevance.exhaustivity(topic, one) for one in (element, results.element[row]))
    alike: Bools = (relevant_size == relevance.in_results(results)[row]) & as_much(worth, own)
    return alike


@declared(
    summary="replace every result by its parent, if the parent contains no other relevant text",
    expected=NOT_BETTER,
    why="the same relevant text comes with more irrelevant text",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved up",
)
def parents(results: Results, topics: Sequence[Topic]) -> Results:
    """Replace every element by its parent if the parent has no further relevant text and is not more exhaustive."""
    relevance = Relevance(topics)
    parent = relevance.collection.parent
    row = np.flatnonzero((results.element >= 0) & (parent[np.maximum(results.element, 0)] >= 0))
    return _replace(results, relevance, row, parent[results.element[row]], np.less_equal)


@declared(
    summary="replace every relevant result by the child that contains all its relevant text",
    expected=NOT_WORSE,
    why="the same relevant text comes with less irrelevant text",
    trait="specificity-rewarding",
    source="Piwowarski & Dupret 2006, Section 7: moved down",
)
def best_child(results: Results, topics: Sequence[Topic]) -> Results:
    """Replace every relevant element by a child with the same relevant text, if the child is at least as exhaustive."""
    relevance = Relevance(topics)
    element = np.where(relevance.in_results(results) > 0, results.element, -1)
    return _replace(results, relevance, *children_of(relevance.collection, element), np.greater_equal)


def _replace(results: Results, relevance: Relevance, row: Ints, element: Ints, as_much: np.ufunc) -> Results:
    """Replace each result in ``row`` by the ``element`` at the same index if `_suffices` is true. Keep ranks."""
    fitting = _suffices(results, relevance, row, element, as_much)
    replacement = np.full(len(results), -1)
    replacement[row[fitting]] = element[fitting]
    everything = np.arange(len(results))
    return replace(as_elements(results, relevance.collection, everything, replacement), rank=results.rank)
