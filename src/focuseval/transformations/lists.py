"""Tools for transformations: result lists made from other lists, random numbers, and the relevant text of results.

Relevant text is highlighted text. Without highlights, it is the text of relevant elements that have no relevant
descendants. A relevant document with a grade counts as relevant text of size 1.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import InputError
from focuseval.model.arrays import Bools, Floats, Ints, changes, is_among, matches, place_in_group
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered, merge, new_text, project
from focuseval.model.judgements import TOO_SMALL, Highlights, Topic
from focuseval.model.results import COLUMNS, PLACE, Results


def list_of(results: Results) -> Ints:
    """Return, for each result, the index of its list in `Results.lists`."""
    return np.cumsum(changes(results.run, results.topic)) - 1


def rank_of(results: Results) -> Ints:
    """Number the ranks of all lists from 0. Return the number of each result's rank, which tied results share."""
    return np.cumsum(changes(results.run, results.topic, results.rank)) - 1


def alone(results: Results) -> Bools:
    """Return, for each result, whether no other result of its list has the same rank."""
    rank = rank_of(results)
    return np.bincount(rank)[rank] == 1


def lengths(results: Results) -> Ints:
    """Return the number of results in each list."""
    return np.bincount(list_of(results))


def places(results: Results) -> Ints:
    """Return, for each result, its index in its list, from 0."""
    return place_in_group(results.run, results.topic)


def results_at(results: Results, rows: Ints | Bools, *, ranked: bool = False) -> Results:
    """Return the results in ``rows``, in this order. The rows of one list must be contiguous.

    By default, results keep their ranks. If ``ranked`` is true, they are ranked from 1 in the new order, with ties as
    before, and scores and line numbers are removed.
    """
    chosen = replace(
        results,
        **{name: getattr(results, name)[rows] for name in COLUMNS},
        line=None if results.line is None else results.line[rows],
    )
    if not ranked:
        return chosen
    rank = _ranks(results, np.arange(len(results))[rows], list_of(chosen))
    return replace(chosen, rank=rank, score=np.full(len(chosen), np.nan), line=None)


def _ranks(results: Results, source: Ints, number: Ints) -> Ints:
    """Rank new results from 1 in each list. Consecutive results from one tie share a rank if they keep its order.

    For each new result, ``source`` has the row in ``results`` from which it is made, and ``number`` its list's index.
    """
    ranks = rank_of(results)
    alone, ranks = np.bincount(ranks) == 1, ranks[source]
    rank = np.cumsum(changes(number, ranks) | alone[ranks] | (np.diff(source, prepend=-1) < 0))
    first = np.flatnonzero(changes(number))
    return rank - (rank[first] - 1)[number]


def in_order(results: Results, source: Ints, start: Ints, end: Ints, element: Ints) -> Results:
    """Return the results in the rows ``source``, ranked from 1 in this order, with another start, end and element."""
    return replace(results_at(results, source, ranked=True), start=start, end=end, element=element)


def reordered(results: Results, order: Ints) -> Results:
    """Reorder results within their lists. ``order`` has the rows in their new order. Ranks and ties do not move."""
    moved = {name: getattr(results, name)[order] for name in PLACE}
    return replace(results, **moved, score=np.full(len(results), np.nan), line=None)


def as_elements(results: Results, collection: Collection, source: Ints, element: Ints) -> Results:
    """Return the results in the rows ``source``, ranked from 1, each replaced by the ``element`` at the same index.

    An element is a row of the ``collection`` in the result's document. The element -1 keeps the result.
    """
    new, row = element >= 0, np.maximum(element, 0)
    return in_order(
        results,
        source,
        np.where(new, collection.start[row], results.start[source]),
        np.where(new, collection.end[row], results.end[source]),
        np.where(new, element, results.element[source]),
    )


def places_of(collection: Collection, element: Ints) -> Ints:
    """Return the location of each element, as a column with its document, row, start and end (`PLACE`)."""
    places = [collection.document_of(element), element, collection.start[element], collection.end[element]]
    return np.array(places)


def children_of(collection: Collection, element: Ints) -> tuple[Ints, Ints]:
    """Return all pairs of an element and a child that has text: the index in ``element``, and the row of the child.

    The children of an element are in document order. Entries of -1 in ``element`` have no children.
    """
    child = np.flatnonzero((collection.parent >= 0) & (collection.size > 0))
    parent, place = matches(element, collection.parent[child])
    return parent, child[place]


def with_added(
    results: Results, neighbour: Ints, added: Ints, *, after: bool = True, anew: bool = True
) -> Results:
    """Insert each of the ``added`` results (`places_of`) directly after or before the result in row ``neighbour``.

    By default, all results are ranked from 1 in the new order, and an added result is tied with its neighbour only if
    the neighbour was tied before. If ``anew`` is false, ranks do not change, and an added result has its neighbour's.
    """
    row = np.concatenate([np.arange(len(results)), neighbour])
    is_added = np.arange(len(row)) >= len(results)
    # this sort is stable, so that results with the same neighbour keep their order
    order = np.lexsort((is_added == after, row))
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(results, name), column])[order]
        for name, column in zip(PLACE, added, strict=True)
    }
    return replace(results_at(results, row[order], ranked=anew), **columns)


def stacked(results: Sequence[Results]) -> Results:
    """Combine the runs of several `Results` on one collection. Raises InputError if two runs share a name."""
    topics = pd.Index(list(dict.fromkeys(str(name) for one in results for name in one.topics)), dtype=object)
    runs = pd.Index([str(name) for one in results for name in one.runs], dtype=object)
    if runs.has_duplicates:
        found = f"several runs are named {', '.join(map(repr, runs[runs.duplicated()].unique()))}"
        raise InputError.of("runs", found, "rename all but one")
    before = np.cumsum([0, *(len(one.runs) for one in results)])
    run = np.concatenate([one.run + first for one, first in zip(results, before, strict=False)])
    topic = np.concatenate([topics.get_indexer(one.topics)[one.topic] for one in results])
    order = np.lexsort((topic, run))  # this sort is stable, so that results of a list keep their order
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in results])[order] for name in COLUMNS[2:]
    }
    if any(one.sources for one in results):
        lines = [np.full(len(one), -1) if one.line is None else one.line for one in results]
        columns["line"] = np.concatenate(lines)[order]
        columns["sources"] = [source for one in results for source in one.sources or [""] * len(one.runs)]
    return Results(runs, topics, run[order], topic[order], **columns)


def of_runs(results: Results, runs: Ints) -> Results:
    """Return only the results of the ``runs``, which are given by their indexes in ascending order."""
    chosen = results_at(results, np.isin(results.run, runs))
    sources = [results.sources[run] for run in runs] if results.sources else ()
    return replace(chosen, runs=results.runs[runs], run=np.searchsorted(runs, chosen.run), sources=sources)


def names_of_lists(results: Results) -> list[tuple[str, str]]:
    """Return the names of the run and the topic of each list."""
    first = np.flatnonzero(changes(results.run, results.topic))
    return [(str(results.runs[results.run[i]]), str(results.topics[results.topic[i]])) for i in first]


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a random generator whose numbers depend only on ``seed`` and ``names`` (say, of a run and a topic)."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def random_share(places: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Choose a random ``share`` of ``places``, which a transformation then removes, but never all of them."""
    return rng.permutation(places)[: min(round(share * len(places)), max(len(places) - 1, 0))]


def draws(results: Results, seed: int) -> Floats:
    """Draw a random number in [0, 1) for each result, with one `generator` for each run and topic."""
    lists = zip(names_of_lists(results), np.diff(results.bounds).tolist(), strict=True)
    return np.concatenate([np.empty(0), *(generator(seed, *names).random(count) for names, count in lists)])


def most_specific(topic: Topic) -> Ints:
    """Return the rows of relevant elements without relevant descendants, in document order."""
    rows = topic.element[topic.relevant]
    return rows[np.append(rows[1:] >= topic.collection.last[rows[:-1]], True)] if len(rows) else rows


def relevant_text(topic: Topic) -> Highlights:
    """Return the relevant text of a topic as disjoint intervals, sorted by document and start."""
    if topic.grade is not None:
        assert topic.assessed is not None  # topics with grades also list the assessed documents
        document = topic.assessed[topic.grade > 0]
        return Highlights(document, np.zeros_like(document), np.ones_like(document))
    if topic.highlights is not None:
        return topic.highlights
    rows, collection = most_specific(topic), topic.collection
    return Highlights(*merge(collection.document_of(rows), collection.start[rows], collection.end[rows]))


@dataclass(frozen=True, eq=False)
class Relevance:
    """The relevant text of all topics. Methods return how much of this text is in results or other intervals."""

    topics: Sequence[Topic]

    @property
    def collection(self) -> Collection:
        """The collection that all topics share."""
        return self.topics[0].collection

    @cached_property
    def _marks(self) -> tuple[Ints, Ints, Ints]:
        """The relevant text of all topics as three arrays: topic and document as one number (`_group`), start, end."""
        texts = [relevant_text(topic) for topic in self.topics]
        topic = np.repeat(np.arange(len(texts)), [len(text.document) for text in texts])
        document = np.concatenate([text.document for text in texts])
        start, end = (np.concatenate([getattr(text, name) for text in texts]) for name in ("start", "end"))
        return self._group(topic, document), start, end

    def of(self, results: Results) -> Ints:
        """Return, for each result, the index of its topic in `Relevance.topics`, or -1 if the topic is not assessed."""
        number = {topic.name: i for i, topic in enumerate(self.topics)}
        return np.array([number.get(str(name), -1) for name in results.topics], dtype=np.int64)[results.topic]

    def _group(self, topic: Ints, document: Ints) -> Ints:
        """Return a number for each pair (topic, document). Pairs with -1 share a number that has no relevant text."""
        documents = len(self.collection.names) + 1
        resolved = (topic >= 0) & (document >= 0)
        return np.where(resolved, topic * documents + document, len(self.topics) * documents)

    def size_in(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> Ints:
        """Return the size of the relevant text in each interval of a document.

        If documents have grades, the size is 1 for every interval in a relevant document, and 0 for others.
        """
        low, high = self.on_axis(topic, document, start, end)
        return high - low

    def in_results(self, results: Results) -> Ints:
        """Return the size of the relevant text in each result."""
        return self.size_in(self.of(results), results.document, results.start, results.end)

    def on_axis(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Map intervals of documents to an axis that has only relevant text (`project`). Return starts and ends.

        The size of a mapped interval is the size of the relevant text in the original interval.
        """
        if any(one.grade is not None for one in self.topics):
            start, end = np.zeros_like(start), np.ones_like(end)
        return project(*self._marks, self._group(topic, document), start, end)

    def new_in_results(self, results: Results) -> Ints:
        """Return, for each result, the size of its relevant text that is not in earlier results of the list."""
        low, high = self.on_axis(self.of(results), results.document, results.start, results.end)
        return new_text(list_of(results), low, high)

    def unread(
        self, results: Results, list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints
    ) -> Ints:
        """Return, for each interval, the size of its relevant text that is not in the results of its ``list_``."""
        low, high = self.on_axis(self.of(results), results.document, results.start, results.end)
        read = merge(list_of(results), low, high)
        at, to = self.on_axis(topic, document, start, end)
        return (to - at) - covered(*read, list_, at, to)

    def exhaustivity(self, topic: Ints, element: Ints) -> Floats:
        """Return the exhaustivity of each element for the topic at the same index of ``topic``.

        It is 0.5 for elements that are too small (`?`), and 0 if the element is not judged, or if either index is -1.
        """
        size = len(self.collection)
        key = np.concatenate([number * size + one.element for number, one in enumerate(self.topics)])
        judged = np.concatenate([one.exhaustivity for one in self.topics])
        is_judged, place = is_among(np.where((topic >= 0) & (element >= 0), topic * size + element, -1), key)
        values = np.zeros(len(element))
        values[is_judged] = np.where(judged[place[is_judged]] == TOO_SMALL, 0.5, judged[place[is_judged]])
        return values
