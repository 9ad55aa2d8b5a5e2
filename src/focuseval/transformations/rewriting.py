"""Transformations that reorder, split, merge, remove or replace results, or change the topics of runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.declaration import RANK, Parameter, Spec, Value
from focuseval.model.arrays import Bools, Ints, changes, ranges, sums_before
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import MEANS, NOT_BETTER, NOT_WORSE, REPORTED, SAME, declared
from focuseval.transformations.lists import (
    Relevance,
    alone,
    as_elements,
    children_of,
    draws,
    generator,
    in_order,
    lengths,
    list_of,
    places,
    random_share,
    rank_of,
    reordered,
    results_at,
)


@declared(
    summary="split every result into two halves",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="split-invariant",
    source="TREC Genomics 2007, where PASSAGE rose by splitting",
)
def halves(results: Results, topics: Sequence[Topic]) -> Results:
    """Split every result of at least two units of text into two halves.

    Tied results are not split, because tied halves would have no order.
    """
    return halve(results, alone(results))


def halve(results: Results, chosen: Bools) -> Results:
    """Split the ``chosen`` results into two passages, except results of fewer than two units of text.

    If the halves differ in length, the second half is longer. New ranks count from 1.
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
    summary="join results that are consecutive both in rank and in their document",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="join-invariant",
    source="the reverse of halves",
)
def joined(results: Results, topics: Sequence[Topic]) -> Results:
    """Merge consecutive, untied results of a list into one passage if each starts where the previous one ends."""
    joinable = alone(results) & (results.start >= 0) & (results.end > results.start)
    opens = changes(list_of(results), results.document)
    opens[1:] |= ~(joinable[1:] & joinable[:-1]) | (results.start[1:] != results.end[:-1])
    first = np.flatnonzero(opens)
    last = np.append(first[1:], len(results)) - 1
    element = np.where(first == last, results.element[first], -1)
    return in_order(results, first, results.start[first], results.end[last], element)


@declared(
    summary="replace every element without text of its own by its children",
    expected=SAME,
    why="a reader sees the same text in the same order",
    trait="unit-invariant",
    source="halves, for elements",
)
def children(results: Results, topics: Sequence[Topic]) -> Results:
    """Replace every element that has no text outside its children by those children that have text, in order.

    Tied elements are not replaced, because tied children would have no order.
    """
    collection, element = topics[0].collection, results.element
    parent, child = children_of(collection, element)
    tiled = alone(results) & (collection.own_text[np.maximum(element, 0)] == 0)
    tiled &= np.bincount(parent, minlength=len(results)) > 0
    parent, child = parent[tiled[parent]], child[tiled[parent]]
    source = np.concatenate([np.flatnonzero(~tiled), parent])
    elements = np.concatenate([np.full(np.count_nonzero(~tiled), -1), child])
    order = np.argsort(source, kind="stable")
    return as_elements(results, collection, source[order], elements[order])


@declared(
    summary="swap neighbours if the second has new relevant text, and the first has none and is at least as long",
    expected=NOT_WORSE,
    why="relevant text is found earlier, after less reading",
    trait="order-rewarding",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
)
def swapped(results: Results, topics: Sequence[Topic]) -> Results:
    """Swap consecutive results if this brings relevant text forward.

    Two results are swapped if the first has no relevant text, the second has relevant text that is new in the list, the
    second is not longer, and neither is tied.
    """
    relevance = Relevance(topics)
    size, untied, opens = results.end - results.start, alone(results), changes(list_of(results))
    useless = untied & (results.start >= 0) & (relevance.in_results(results) == 0)
    useful = untied & (relevance.new_in_results(results) > 0)
    first = np.flatnonzero(useless[:-1] & useful[1:] & (size[1:] <= size[:-1]) & ~opens[1:])
    order = np.arange(len(results))
    order[first], order[first + 1] = first + 1, first
    return reordered(results, order)


@declared(
    name="reversed",
    summary="reverse every list",
    expected=REPORTED,
    why="how much the order matters",
    trait="order",
    source="Kazai & Lalmas 2005, Section 3: measures of ranks",
)
def reversed_lists(results: Results, topics: Sequence[Topic]) -> Results:
    """Reverse the order of results in every list."""
    last = np.cumsum(lengths(results)) - 1
    return reordered(results, last[list_of(results)] - places(results))


@declared(
    name="random",
    summary="shuffle every list",
    expected=REPORTED,
    why="how much the order matters",
    trait="order",
    source="a baseline without knowledge",
    parameters=(Parameter("seed", 0.0, "seed of the random order"),),
)
def shuffled(results: Results, topics: Sequence[Topic], *, seed: float) -> Results:
    """Shuffle the results of every list."""
    return reordered(results, np.lexsort((draws(results, int(seed)), list_of(results))))


@declared(
    summary="reorder results that share a rank",
    expected=SAME,
    why="results of one rank have no order",
    trait="tie-invariant",
    source="Gövert et al. 2006, Eq. 6-9: weak orders",
)
def ties(results: Results, topics: Sequence[Topic]) -> Results:
    """Reverse the order of results that share a rank."""
    return reordered(results, np.lexsort((-np.arange(len(results)), rank_of(results))))


def _expected_of_cut(spec: Spec[Any, Any], values: Mapping[str, Value]) -> str:
    ranked = spec.declared_cutoff is not None and spec.declared_cutoff.kind is RANK
    of_articles = spec.declared_cutoff is not None and spec.declared_cutoff.summary == "article rank"
    within = ranked and not of_articles and spec.cutoff is not None and spec.cutoff <= float(values["k"])
    return SAME if within else REPORTED


@declared(
    summary="keep the first k results of every list",
    expected=SAME,
    why="a measure at a rank up to k reads no further; for other measures, the loss is reported",
    trait="cut-off-true",
    source="docs/measures.md: lists are cut before anything else",
    parameters=(Parameter("k", 10.0, "number of results", low=1, high=10**6),),
    expects=_expected_of_cut,
)
def cut(results: Results, topics: Sequence[Topic], *, k: float) -> Results:
    """Keep only the first ``k`` results of every list."""
    return results_at(results, places(results) < int(k))


@declared(
    summary="keep only the first result of each document",
    expected=REPORTED,
    why="how much the later results of a document matter",
    trait="reads-on",
    source="Ali et al. 2008, Eq. 7",
)
def first_of_document(results: Results, topics: Sequence[Topic]) -> Results:
    """Keep only the first result from each document in every list."""
    return results_at(results, _first_of(results, results.document), ranked=True)


@declared(
    summary="replace every result by its whole document",
    expected=REPORTED,
    why="how much focus matters",
    trait="focus",
    source="Kamps et al. 2007: article retrieval as a baseline",
)
def documents(results: Results, topics: Sequence[Topic]) -> Results:
    """Replace every result by its whole document. A document occurs once in a list, in place of its first result."""
    collection = topics[0].collection
    first = _first_of(results, results.document)
    document = results.document[first]
    root = np.where(document >= 0, collection.root(np.maximum(document, 0)), -1)
    return as_elements(results, collection, first, root)


@declared(
    summary="replace every element by its leaves",
    expected=REPORTED,
    why="how much the size of results matters",
    trait="focus",
    source="Piwowarski & Dupret 2006: small elements",
    parameters=(Parameter("size", 1500.0, "maximum length of a list", low=1, high=10**6),),
)
def leaves(results: Results, topics: Sequence[Topic], *, size: float) -> Results:
    """Replace every element by its leaves that have text, if any, in order. Cut each list after ``size`` results."""
    collection = topics[0].collection
    row = np.arange(len(collection))
    leaf = np.flatnonzero((collection.last == row + 1) & (collection.size > 0))
    element = np.maximum(results.element, 0)
    low = np.searchsorted(leaf, element)
    count = np.searchsorted(leaf, collection.last[element]) - low
    inside = (results.element >= 0) & (count > 0)
    count = np.where(inside, count, 1)
    sofar = np.cumsum(count) - count
    sofar -= sofar[places(results) == 0][list_of(results)]
    count = np.clip(int(size) - sofar, 0, count)
    source = np.repeat(np.arange(len(results)), count)
    leaf_of = np.full(len(source), -1)
    leaf_of[inside[source]] = leaf[ranges(count, low)[inside[source]]]
    return as_elements(results, collection, source, leaf_of)


@declared(
    summary="replace every element by an ancestor, such as a paragraph by its section",
    expected=REPORTED,
    why="which reading unit a measure prefers",
    trait="reading-unit",
    source="a larger reading unit",
    parameters=(Parameter("levels", 1.0, "levels up the tree", low=1, high=100),),
)
def wider(results: Results, topics: Sequence[Topic], *, levels: float) -> Results:
    """Replace every element by its ancestor ``levels`` levels up, or by the root if there are fewer levels.

    In each list, only the first of several equal elements is kept.
    """
    parent = topics[0].collection.parent
    element = results.element.copy()
    for _ in range(int(levels)):
        row = np.flatnonzero(element >= 0)
        above = parent[element[row]]
        if not (above >= 0).any():
            break
        element[row] = np.where(above >= 0, above, element[row])
    first = _first_of(results, element)
    return as_elements(results, topics[0].collection, first, element[first])


def _first_of(results: Results, values: Ints) -> Ints:
    """Return the rows of results whose value is negative, or does not occur earlier in the list."""
    # each combination of a list and a value (from -1 to the largest value) has its own key
    keys = list_of(results) * (int(values.max(initial=0)) + 2) + values
    return np.flatnonzero((values < 0) | ~pd.Index(keys).duplicated())


#: the name of the topic that `more_topics` adds
ADDED = "added by focuseval"


@declared(
    summary="leave out some topics of every run",
    expected=NOT_BETTER,
    why="unanswered topics score 0, so a run cannot gain by silence",
    trait="silence-proof",
    source="docs/measures.md: the mean is over all assessed topics",
    parameters=(
        Parameter("share", 0.5, "share of topics that are left out", low=0, high=1),
        Parameter("seed", 0.0, "seed of the random choice"),
    ),
    over=MEANS,
)
def fewer_topics(results: Results, topics: Sequence[Topic], *, share: float, seed: float) -> Results:
    """Remove a random share of the topics of each run, but not all of them."""
    is_kept = np.ones((len(results.runs), len(results.topics)), dtype=bool)
    for run, name in enumerate(results.runs):
        own = np.unique(results.topic[results.run == run])
        is_kept[run, random_share(own, share, generator(int(seed), str(name)))] = False
    return results_at(results, is_kept[results.run, results.topic])


@declared(
    summary="add results for a topic that is not assessed",
    expected=SAME,
    why="topics that are not assessed are ignored",
    trait="topic-true",
    source="docs/measures.md: the mean is over all assessed topics",
    over=MEANS,
)
def more_topics(results: Results, topics: Sequence[Topic]) -> Results:
    """Add a topic that is not assessed to every run, with the results of the run's first topic."""
    first = np.full(len(results.runs), len(results.topics))
    np.minimum.at(first, results.run, results.topic)
    repeated = np.flatnonzero(results.topic == first[results.run])
    row = np.concatenate([np.arange(len(results)), repeated])
    added = np.arange(len(row)) >= len(results)
    # lists that are added follow the other lists of their run
    order = np.lexsort((added, results.run[row]))
    results_of_topics = results_at(results, row[order])
    return replace(
        results_of_topics,
        topic=np.where(added[order], len(results.topics), results_of_topics.topic),
        topics=pd.Index([*map(str, results.topics), ADDED], dtype=object),
    )
