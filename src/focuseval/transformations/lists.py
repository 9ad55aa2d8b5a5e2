"""Result lists made from other lists, random numbers for lists, and the relevant text of results.

Relevant text is highlighted text. Without highlights, it is the text of relevant elements that have no relevant
descendants. For graded documents, it is the text of relevant documents, each of which has the size 1.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats, Ints, changes, is_among, matches, place_in_group
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered, merge, new_text, project
from focuseval.model.judgements import TOO_SMALL, Highlights, Topic
from focuseval.model.results import COLUMNS, PLACE, Results


def list_of(results: Results) -> Ints:
    """Return the number of each result's list (M,): 0, 1, 2 … in the order of lists."""
    return np.cumsum(changes(results.run, results.topic)) - 1


def rank_of(results: Results) -> Ints:
    """Return the number of each result's rank (M,), 0, 1, 2 … across all lists. Ties share a number."""
    return np.cumsum(changes(results.run, results.topic, results.rank)) - 1


def alone(results: Results) -> Bools:
    """Return whether each result (M,) is not tied with another result of its list."""
    rank = rank_of(results)
    return np.bincount(rank)[rank] == 1


def lengths(results: Results) -> Ints:
    """Return the number of results in each list (L,)."""
    return np.bincount(list_of(results))


def places(results: Results) -> Ints:
    """Return the index of each result (M,) in its list, from 0."""
    return place_in_group(results.run, results.topic)


def results_at(results: Results, rows: Ints | Bools, *, ranked: bool = False) -> Results:
    """Return the results in these rows, list by list.

    Results keep their ranks by default. If ``ranked``, they get ranks from 1 in the given order, and results made from
    tied results tie. Scores and line numbers are then removed, because they belong to the old order.
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
    """Return the ranks, from 1, of results (M,) made from ``source``. ``number`` has their lists. Ties are kept."""
    of = rank_of(results)
    alone, of = np.bincount(of) == 1, of[source]
    rank = np.cumsum(changes(number, of) | alone[of] | (np.diff(source, prepend=-1) < 0))
    first = np.flatnonzero(changes(number))
    return rank - (rank[first] - 1)[number]


def in_order(results: Results, source: Ints, start: Ints, end: Ints, element: Ints) -> Results:
    """Copy the results in the rows ``source``, give them other places, and rank them in this order."""
    return replace(results_at(results, source, ranked=True), start=start, end=end, element=element)


def reordered(results: Results, order: Ints) -> Results:
    """Return the results in another order. Each position of a list keeps its rank, so that the same positions tie."""
    moved = {name: getattr(results, name)[order] for name in PLACE}
    return replace(results, **moved, score=np.full(len(results), np.nan), line=None)


def as_elements(results: Results, collection: Collection, source: Ints, element: Ints) -> Results:
    """Return the results in the rows ``source``. Replace each by the given element (a row), unless that is -1."""
    new, row = element >= 0, np.maximum(element, 0)
    return in_order(
        results,
        source,
        np.where(new, collection.start[row], results.start[source]),
        np.where(new, collection.end[row], results.end[source]),
        np.where(new, element, results.element[source]),
    )


def places_of(collection: Collection, element: Ints) -> Ints:
    """Return the places of elements as results: the columns `PLACE` (document, row, start and end) (4, n)."""
    places = [collection.document_of(element), element, collection.start[element], collection.end[element]]
    return np.array(places)


def children_of(collection: Collection, element: Ints) -> tuple[Ints, Ints]:
    """Return the children that have text of elements (rows, or -1): the index of the parent, and the child's row."""
    child = np.flatnonzero((collection.parent >= 0) & (collection.size > 0))
    of, place = matches(element, collection.parent[child])
    return of, child[place]


def with_added(
    results: Results, neighbour: Ints, added: Ints, *, after: bool = True, anew: bool = True
) -> Results:
    """Insert the ``added`` results (4, A), with the columns `PLACE`, directly after or before their ``neighbour``.

    Results that are added at one place keep their order. Ranks count from 1 in the new order, with ties as in
    `results_at`. Unless ``anew``, results keep their ranks, and an added result ties with its neighbour.
    """
    row = np.concatenate([np.arange(len(results)), neighbour])
    is_added = np.arange(len(row)) >= len(results)
    # a stable sort, so that results added at one place keep their order
    order = np.lexsort((is_added == after, row))
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(results, name), column])[order]
        for name, column in zip(PLACE, added, strict=True)
    }
    return replace(results_at(results, row[order], ranked=anew), **columns)


def stacked(results: Sequence[Results]) -> Results:
    """Combine several `Results` on one collection. All runs must have distinct names."""
    topics = pd.Index(list(dict.fromkeys(str(name) for one in results for name in one.topics)), dtype=object)
    runs = pd.Index([str(name) for one in results for name in one.runs], dtype=object)
    before = np.cumsum([0, *(len(one.runs) for one in results)])
    run = np.concatenate([one.run + first for one, first in zip(results, before, strict=False)])
    topic = np.concatenate([topics.get_indexer(one.topics)[one.topic] for one in results])
    order = np.lexsort((topic, run))  # a stable sort, so that results of a list keep their order
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in results])[order] for name in COLUMNS[2:]
    }
    return Results(runs, topics, run[order], topic[order], **columns)


def of_runs(results: Results, runs: Ints) -> Results:
    """Return the results of some runs, given by increasing numbers."""
    chosen = results_at(results, np.isin(results.run, runs))
    sources = [results.sources[run] for run in runs] if results.sources else ()
    return replace(chosen, runs=results.runs[runs], run=np.searchsorted(runs, chosen.run), sources=sources)


def names_of_lists(results: Results) -> list[tuple[str, str]]:
    """Return the run and topic of each list."""
    first = np.flatnonzero(changes(results.run, results.topic))
    return [(str(results.runs[results.run[i]]), str(results.topics[results.topic[i]])) for i in first]


def generator(seed: int, *names: str) -> np.random.Generator:
    """Return a random generator that depends on the seed and names, such as a run and a topic."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def drawn_of(places: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Return a random share of the places; at least one is left."""
    return rng.permutation(places)[: min(round(share * len(places)), max(len(places) - 1, 0))]


def draws(results: Results, seed: int) -> Floats:
    """Return a random number in [0, 1) for each result (M,), drawn list by list."""
    lists = zip(names_of_lists(results), np.diff(results.bounds).tolist(), strict=True)
    return np.concatenate([np.empty(0), *(generator(seed, *names).random(count) for names, count in lists)])


def most_specific(topic: Topic) -> Ints:
    """Return the sorted rows of relevant elements without relevant descendants."""
    rows = topic.element[topic.relevant]
    return rows[np.append(rows[1:] >= topic.collection.last[rows[:-1]], True)] if len(rows) else rows


def relevant_text(topic: Topic) -> Highlights:
    """Return the relevant text of a topic: disjoint intervals, sorted by document and start."""
    if topic.grade is not None:
        assert topic.assessed is not None  # topics with graded documents list the assessed documents
        document = topic.assessed[topic.grade > 0]
        return Highlights(document, np.zeros_like(document), np.ones_like(document))
    if topic.highlights is not None:
        return topic.highlights
    rows, collection = most_specific(topic), topic.collection
    return Highlights(*merge(collection.document_of(rows), collection.start[rows], collection.end[rows]))


@dataclass(frozen=True, eq=False)
class Relevance:
    """The relevant text of T topics, for measuring how much of it results have."""

    topics: Sequence[Topic]

    @property
    def collection(self) -> Collection:
        """The collection of the topics."""
        return self.topics[0].collection

    @cached_property
    def _marks(self) -> tuple[Ints, Ints, Ints]:
        """The relevant text of all topics: topic and document as one number, start, and end."""
        texts = [relevant_text(topic) for topic in self.topics]
        topic = np.repeat(np.arange(len(texts)), [len(text.document) for text in texts])
        document = np.concatenate([text.document for text in texts])
        start, end = (np.concatenate([getattr(text, name) for text in texts]) for name in ("start", "end"))
        return self._group(topic, document), start, end

    def of(self, results: Results) -> Ints:
        """Return the index of each result's topic (M,), -1 if it is not assessed."""
        number = {topic.name: i for i, topic in enumerate(self.topics)}
        return np.array([number.get(str(name), -1) for name in results.topics], dtype=np.int64)[results.topic]

    def _group(self, topic: Ints, document: Ints) -> Ints:
        """Combine topics and documents to one number. A missing topic (-1) gets a number that has no relevant text."""
        documents = len(self.collection.names) + 1
        resolved = (topic >= 0) & (document >= 0)
        return np.where(resolved, topic * documents + document, len(self.topics) * documents)

    def held(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> Ints:
        """Return the size of relevant text in intervals of documents; 1 for graded documents."""
        low, high = self.placed(topic, document, start, end)
        return high - low

    def in_results(self, results: Results) -> Ints:
        """Return the size of relevant text in each result (M,)."""
        return self.held(self.of(results), results.document, results.start, results.end)

    def placed(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Map intervals to one axis that has only relevant text (`project`). Return their starts and ends."""
        if any(one.grade is not None for one in self.topics):
            start, end = np.zeros_like(start), np.ones_like(end)
        return project(*self._marks, self._group(topic, document), start, end)

    def new_in_results(self, results: Results) -> Ints:
        """Return the size of the relevant text in each result (M,) that no earlier result of its list contains."""
        low, high = self.placed(self.of(results), results.document, results.start, results.end)
        return new_text(list_of(results), low, high)

    def unread(
        self, results: Results, list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints
    ) -> Ints:
        """Return the size of the relevant text in each interval that no result of the list ``list_`` contains."""
        low, high = self.placed(self.of(results), results.document, results.start, results.end)
        read = merge(list_of(results), low, high)
        at, to = self.placed(topic, document, start, end)
        return (to - at) - covered(*read, list_, at, to)

    def exhaustivity(self, topic: Ints, element: Ints) -> Floats:
        """Return the judged exhaustivity of elements (rows, or -1) for topics: below 1 for `?`, 0 if not judged."""
        size = len(self.collection)
        key = np.concatenate([number * size + one.element for number, one in enumerate(self.topics)])
        judged = np.concatenate([one.exhaustivity for one in self.topics])
        is_judged, place = is_among(np.where((topic >= 0) & (element >= 0), topic * size + element, -1), key)
        values = np.zeros(len(element))
        values[is_judged] = np.where(judged[place[is_judged]] == TOO_SMALL, 0.5, judged[place[is_judged]])
        return values
