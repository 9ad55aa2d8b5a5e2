"""Retrieval of elements from a campaign's own text: which match a query, and in what order."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.parallel import in_parallel
from focuseval_papers.retrieval.indexing import WORD, Index, Kind, terms_of
from focuseval_papers.retrieval.systems import WEIGHTINGS, Statistics, System, with_length_prior


def _match(index: Index, collection: Collection, title: str) -> tuple[Ints, Statistics]:
    """The elements that hold any word of a title, in document order, and what is counted of them and the words.

    Words that the collection lacks are left out.
    """
    wanted = Counter(term for term in terms_of(WORD.findall(title)) if term in index.term)
    positions = [index.positions(index.term[term]) for term in wanted if term is not None]
    everywhere = np.concatenate([np.empty(0, dtype=np.int32), *positions])
    row = collection.with_ancestors(holding(index, collection, everywhere))
    start, end = index.start[row], index.end[row]
    counts = [np.searchsorted(where, end) - np.searchsorted(where, start) for where in positions]
    tf = np.array(counts, dtype=float).reshape(len(counts), len(row))
    return row, Statistics(
        tf=tf,
        length=(end - start).astype(float),
        query=np.array(list(wanted.values()), dtype=float),
        share=np.array([len(where) for where in positions]) / max(len(index.position), 1),
        elements=index.kinds["all"].elements,
        holding=np.count_nonzero(tf, axis=1),
        mean_length=index.kinds["all"].mean_length,
    )


def holding(index: Index, collection: Collection, position: Ints) -> Ints:
    """The deepest element that holds each position: the last to start by then, or an ancestor of it."""
    row = np.searchsorted(index.start, position, side="right") - 1
    while len(outside := np.flatnonzero(index.end[row] <= position)):
        row[outside] = collection.parent[row[outside]]
    return row


def _of_kind(row: Ints, matches: Statistics, kind: Kind) -> tuple[Ints, Statistics]:
    """The elements of a kind that match, in document order, and what weightings know of them."""
    member = np.flatnonzero(kind.member[row])
    tf = matches.tf[:, member]
    return row[member], replace(
        matches,
        tf=tf,
        length=matches.length[member],
        elements=kind.elements,
        holding=np.count_nonzero(tf, axis=1),
        mean_length=kind.mean_length,
    )


def _retrieved(row: Ints, scores: Floats, last: Ints, overlap: str, size: int) -> Ints:
    """Places in ``row`` of what a system returns: by decreasing score, then in document order."""
    considered = 8 * size if overlap == "best" else size
    while True:
        order = _highest(scores, considered)
        place = order[without_overlap(row[order], last[row[order]], overlap, size)]
        # only `best` goes further down the ranking to have more
        if overlap != "best" or len(place) == size or considered >= len(row):
            return place
        considered *= 8


def _highest(scores: Floats, size: int) -> Ints:
    """Places of the highest scores, at most ``size``; of equal ones the first."""
    considered = np.arange(len(scores))
    if 0 < size < len(scores):
        considered = np.flatnonzero(scores >= np.partition(scores, -size)[-size])
    return considered[np.argsort(-scores[considered], kind="stable")[:size]]


def without_overlap(row: Ints, last: Ints, overlap: str, size: int) -> Ints:
    """Which places of a ranking of elements remain, at most ``size``.

    ``row`` is the ranking, ``last`` the first row after each element's descendants. ``keep``: the
    first ``size``. ``nested``: of these, those that lie in no other; ``enclosing``: those that hold no
    other. ``best``: down the whole ranking, those that neither lie in nor hold one taken before.
    """
    if overlap == "best":
        from focuseval.model.overlap import apart  # compiled: slow to import

        return apart(row, last, size)
    place = np.arange(min(len(row), size))
    if overlap == "keep" or len(place) == 0:
        return place
    order = np.argsort(row[:size])
    first, after = row[order], last[order]
    if overlap == "nested":
        reach = np.maximum.accumulate(after)
        stays = np.concatenate([[True], reach[:-1] <= first[1:]])
    else:
        stays = np.concatenate([after[:-1] <= first[1:], [True]])
    return np.sort(order[stays])


def _grouped(document: Ints) -> Ints:
    """Order that puts results of one document together: documents by first result, results as they were."""
    codes, _ = pd.factorize(document)
    return np.argsort(codes, kind="stable")


#: what becomes of a system's ranking: query and system by their numbers, rows and scores -> rows and scores
Revision = Callable[[int, int, Ints, Floats], tuple[Ints, Floats]]


#: what a result is, with its system and query by their numbers
_COLUMNS = {"system": int, "query": int, "rank": int, "document": int, "node": int, "score": float}


def _lists(
    index: Index,
    collection: Collection,
    query: int,
    title: str,
    systems: Sequence[System],
    size: int,
    revised: Revision,
) -> list[tuple[Any, ...]]:
    """The list of each system for a query, as `_COLUMNS`; none where no word of it occurs.

    Its matches are found once, and their statistics once for each kind of elements.
    """
    matching, matches = _match(index, collection, title)
    if len(matches.query) == 0:
        return []
    lists = []
    kinds = dict.fromkeys(system.elements for system in systems)
    of_kind = {name: _of_kind(matching, matches, index.kinds[name]) for name in kinds}
    for number, system in enumerate(systems):
        row, statistics = of_kind[system.elements]
        scores = WEIGHTINGS[system.weighting](statistics, **system.parameters)
        scores = with_length_prior(scores, statistics.length, system.weighting, system.prior)
        row, scores = revised(query, number, row, scores)
        place = _retrieved(row, scores, collection.last, system.overlap, size)
        document = collection.document_of(row[place])
        if system.grouped:
            order = _grouped(document)
            place, document = place[order], document[order]
        rank = np.arange(1, len(place) + 1)
        lists.append(
            (np.full_like(rank, number), np.full_like(rank, query), rank, document, row[place], scores[place])
        )
    return lists


def retrieve_all(
    index: Index,
    collection: Collection,
    queries: pd.DataFrame,
    systems: Sequence[System],
    *,
    size: int = 1_500,
    revised: Revision = lambda query, system, row, scores: (row, scores),
    threads: int = 1,
) -> pd.DataFrame:
    """The runs of several systems: columns run, topic, rank, document, node, score, in that order.

    ``queries`` has the columns topic and title; ``collection`` is in words. ``document`` counts into
    ``collection.names`` and ``node`` is a row of the collection. Ranks count from 1, and equal scores
    are in document order. A topic none of whose words occur has no results. ``revised`` may leave out elements,
    which are in document order, and change their scores, before overlap is treated and lists are cut. Queries
    are worked on in ``threads`` processes; their number changes nothing.
    """
    if collection.unit != "words":
        raise ValueError(f"retrieval needs a collection in words, not in {collection.unit}")

    def lists_of(query: tuple[int, str]) -> list[tuple[Any, ...]]:
        return _lists(index, collection, *query, systems, size, revised)

    of_queries = in_parallel(lists_of, enumerate(queries["title"]), threads)
    nothing: tuple[Any, ...] = tuple(np.empty(0, dtype=kind) for kind in _COLUMNS.values())
    parts = zip(nothing, *chain.from_iterable(of_queries), strict=True)
    lists = pd.DataFrame({name: np.concatenate(part) for name, part in zip(_COLUMNS, parts, strict=True)})
    lists = lists.sort_values(["system", "query"], kind="stable", ignore_index=True)
    names = pd.Index([system.name for system in systems])
    topics = pd.Index(queries["topic"].astype(str))
    lists.insert(0, "run", pd.Categorical.from_codes(lists.pop("system"), names))
    lists.insert(1, "topic", pd.Categorical.from_codes(lists.pop("query"), topics))
    return lists
