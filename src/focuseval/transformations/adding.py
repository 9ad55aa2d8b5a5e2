"""Results that are added: irrelevant ones, a relevant one, unjudged ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from focuseval.measures.declaration import Parameter, Spec, Value
from focuseval.model.arrays import Bools, Ints, changes, distinct, is_among, place_in_group
from focuseval.model.intervals import covered, merge
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_BETTER, NOT_WORSE, SAME, Transformation
from focuseval.transformations.lists import lengths, list_of, places, with_added
from focuseval.transformations.relevance import Relevance, most_specific, relevant_text


def irrelevant(results: Results, topics: Sequence[Topic], *, where: str, document: str) -> Results:
    """Every list with a result of which no text is relevant, and none was returned: at its end, or in front of it.

    That is a whole document without relevant text, or a piece of a relevant ``document``: in lists of elements the
    largest element without relevant text, in lists with passages what stands between relevant ones; of those the first.
    """
    at_end, relevance = where == "end", Relevance(topics)
    if document == "irrelevant":
        barren = [_without(topic, relevant_text(topic).document) for topic in topics]
        return _with_documents(results, relevance, barren, 1, at_end=at_end)
    size = len(relevance.collection.names) + 1
    read = merge(list_of(results) * size + results.document, results.start, results.end)

    def barren_and_new(list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Bools:
        known = covered(*read, list_ * size + document, start, end)
        return (relevance.held(topic, document, start, end) == 0) & (known == 0)

    choices = [(_barren_elements(topic, relevance, i), _between(topic)) for i, topic in enumerate(topics)]
    return _with_first(results, relevance, choices, barren_and_new, at_end=at_end)


def unjudged(results: Results, topics: Sequence[Topic], *, count: float) -> Results:
    """Every list with so many whole documents at its end of which the assessments say nothing."""
    return _with_documents(
        results, Relevance(topics), [_unjudged(one) for one in topics], int(count), at_end=True
    )


def relevant(results: Results, topics: Sequence[Topic]) -> Results:
    """Every list with a result at its end of which all text is relevant, and none was returned.

    Lists of elements get the most specific relevant element that is the most exhaustive, lists with passages a relevant
    passage; of those the first.
    """
    relevance = Relevance(topics)

    def whole_and_new(list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Bools:
        return relevance.unread(results, list_, topic, document, start, end) == end - start

    choices = [(_whole_elements(topic, relevance, i), _passages(topic)) for i, topic in enumerate(topics)]
    return _with_first(results, relevance, choices, whole_and_new, at_end=True)


def _with_first(
    results: Results,
    relevance: Relevance,
    choices: Sequence[tuple[Ints, Ints]],
    fits: Callable[[Ints, Ints, Ints, Ints, Ints], Bools],
    *,
    at_end: bool,
) -> Results:
    """Every list with the first of its topic's choices that fits: one of elements, or of passages where it holds some.

    Choices are columns of document, row, start and end; ``fits`` is asked of lists, topics, documents, starts and ends.
    """
    if not len(results):
        return results
    of = relevance.of(results)[results.bounds[:-1]]
    with_passages = np.bincount(list_of(results), (results.element < 0) & (results.start >= 0)) > 0
    list_, column = [], []
    for i, kinds in enumerate(choices):
        for kind, columns in enumerate(kinds):
            lists = np.flatnonzero((of == i) & (with_passages == bool(kind)))
            list_.append(np.repeat(lists, columns.shape[1]))
            column.append(np.tile(columns, len(lists)))
    at, columns = np.concatenate(list_), np.concatenate(column, axis=1)
    document, _, start, end = columns
    fitting = np.flatnonzero(fits(at, of[at], document, start, end))
    fitting = fitting[np.argsort(at[fitting], kind="stable")]
    fitting = fitting[changes(at[fitting])]  # the first of each list
    beside = results.bounds[1:] - 1 if at_end else results.bounds[:-1]
    return _at_ends(results, beside[at[fitting]], columns[:, fitting], at_end=at_end)


def _whole_elements(topic: Topic, relevance: Relevance, number: int) -> Ints:
    """Document, row, start and end of most specific relevant elements without other text, the most exhaustive first."""
    row, collection = most_specific(topic), topic.collection
    document = collection.document_of(row)
    start, end = collection.start[row], collection.end[row]
    of = np.full(len(row), number)
    worth = relevance.exhaustivity(of, row)
    best = topic.specificity.max(initial=0.0)
    whole = (topic.specificity[np.searchsorted(topic.element, row)] == best) & (end > start)
    whole &= relevance.held(of, document, start, end) == end - start
    order = np.flatnonzero(whole)[np.argsort(-worth[whole], kind="stable")]
    return np.array([document, row, start, end])[:, order]


def _passages(topic: Topic) -> Ints:
    """Document, row (-1), start and end of relevant passages."""
    text = relevant_text(topic)
    return np.array([text.document, np.full(len(text.document), -1), text.start, text.end])


def _barren_elements(topic: Topic, relevance: Relevance, number: int) -> Ints:
    """Document, row, start and end of the elements without relevant text that lie in one with some."""
    collection = topic.collection
    document = collection.document_of(np.arange(len(collection)))
    row = np.flatnonzero(np.isin(document, relevant_text(topic).document))
    document, start, end = document[row], collection.start[row], collection.end[row]
    barren = relevance.held(np.full(len(row), number), document, start, end) == 0
    largest = barren & (end > start) & ~np.isin(collection.parent[row], row[barren])
    return np.array([document, row, start, end])[:, largest]


def _between(topic: Topic) -> Ints:
    """Document, row (-1), start and end of the text before each relevant passage, and behind the last of a document."""
    text, collection = relevant_text(topic), topic.collection
    last = np.append(text.document[1:] != text.document[:-1], True)[: len(text.document)]
    behind = np.where(changes(text.document), 0, np.roll(text.end, 1))
    document = np.concatenate([text.document, text.document[last]])
    start = np.concatenate([behind, text.end[last]])
    end = np.concatenate([text.start, collection.end[collection.root(text.document[last])]])
    return np.array([document, np.full(len(document), -1), start, end])[:, end > start]


def _without(topic: Topic, documents: Ints) -> Ints:
    """The documents with text that are none of these."""
    collection = topic.collection
    rest = np.setdiff1d(np.arange(len(collection.names)), documents)
    return rest[collection.size[collection.root(rest)] > 0]


def _unjudged(topic: Topic) -> Ints:
    judged = [topic.collection.document_of(topic.element), relevant_text(topic).document]
    if topic.assessed is not None:
        judged.append(topic.assessed)
    return _without(topic, np.concatenate(judged))


def _with_documents(
    results: Results, relevance: Relevance, choices: Sequence[Ints], count: int, *, at_end: bool
) -> Results:
    """Every list with ``count`` whole documents, the first of its topic's ``choices`` that it does not hold."""
    if not len(results):
        return results
    collection, number, of = relevance.collection, list_of(results), relevance.of(results)
    ends = np.cumsum(lengths(results)) - 1
    size = len(collection.names)
    held = distinct((number * size + results.document)[results.document >= 0])
    several = np.bincount(held // size, minlength=len(ends))  # documents that each list holds
    of_list = of[ends]
    enough = [choice[: int(several[of_list == i].max(initial=0)) + count] for i, choice in enumerate(choices)]
    offered = np.array([len(enough[i]) if i >= 0 else 0 for i in of_list], dtype=np.int64)
    list_ = np.repeat(np.arange(len(ends)), offered)
    document = np.concatenate([np.empty(0, dtype=np.int64), *(enough[i] for i in of_list if i >= 0)])
    free = ~is_among(list_ * size + document, held)[0]
    list_, document = list_[free], document[free]
    first = place_in_group(list_) < count
    list_, document = list_[first], document[first]
    row = collection.root(document)
    columns = np.array([document, row, collection.start[row], collection.end[row]])
    begins = ends - lengths(results) + 1
    return _at_ends(results, (ends if at_end else begins)[list_], columns, at_end=at_end)


def _at_ends(results: Results, beside: Ints, columns: Ints, *, at_end: bool) -> Results:
    """The results with others (document, element, start and end) behind, or before, results beside; ties are kept."""
    document, element, start, end = columns
    sides = np.full(len(beside), at_end)
    made = with_added(
        results, beside, document=document, element=element, start=start, end=end, behind=sides, anew=False
    )
    # What stood there keeps its ranks; what was added behind, or what stands behind what was added, comes later.
    number = list_of(made)
    added = np.bincount(list_of(results)[beside], minlength=number[-1] + 1)
    place = places(made)
    if at_end:
        later = np.maximum(place - (lengths(made) - added)[number] + 1, 0)
        return replace(made, rank=made.rank + later, score=np.full(len(made), np.nan), line=None)
    lowest = made.rank[place == 0][number]
    rank = np.where(place < added[number], lowest + place, made.rank + added[number])
    return replace(made, rank=rank, score=np.full(len(made), np.nan), line=None)


def _of_unjudged(spec: Spec[Any, Any], values: Mapping[str, Value]) -> str:
    return SAME if "tail" in spec.measure.claims else NOT_BETTER


IRRELEVANT = Transformation(
    name="irrelevant",
    summary="every list with one result more that holds nothing relevant",
    expected=NOT_BETTER,
    why="there is more to read, and nothing to find in it",
    trait="noise-averse",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
    make=irrelevant,
    parameters=(
        Parameter("where", "end", "at the end of the list, or in front of it", choices=("end", "front")),
        Parameter(
            "document",
            "irrelevant",
            "irrelevant: a whole document without relevant text; relevant: a piece of one that has some",
            choices=("irrelevant", "relevant"),
        ),
    ),
)
RELEVANT = Transformation(
    name="relevant",
    summary="every list with one result more at its end, all of it relevant and none of it seen before",
    expected=NOT_WORSE,
    why="more is found, and nothing else is read",
    trait="relevance-rewarding",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
    make=relevant,
)
UNJUDGED = Transformation(
    name="unjudged",
    summary="every list with results more at its end of which the assessments say nothing",
    expected=NOT_BETTER,
    why="they count as not relevant; measures that claim it do not see them",
    trait="tail-invariant",
    source="docs/measures.md, what may be claimed",
    make=unjudged,
    parameters=(Parameter("count", 5.0, "how many", low=1, high=1000),),
    expects=_of_unjudged,
)

TRANSFORMATIONS = (IRRELEVANT, RELEVANT, UNJUDGED)
