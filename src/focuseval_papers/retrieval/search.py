"""Retrieval of elements from the text of a campaign, for topics with plain or structured titles.

Structured titles are queries of one or two steps in the language NEXI (Trotman & Sigurbjörnsson, INEX 2004)::

    //article[about(.//abs, nested text) and about(., retrieval)]//(sec|ss1)[about(., measures)]

The last step describes the *target*, which is the element to return. The clauses of the first step are the *support*,
which describes other elements of the article. Clauses joined by ``or``, comparisons of numbers, and clauses on parts of
the target are refused.

For a structured title, a system first scores elements by the words of the topic, as for a plain title. Then it takes
the structure into account. The *match* of an element is 1 if the title asks for its tag, and 0 otherwise. The *support*
of an article is the share of the words in support clauses that occur in the elements described by these clauses. Scores
s are scaled to the range from 0 to 1. An element is then ranked by

    s + a · match + b · support

The weights a and b depend on the system (`WEIGHTS`), and so do the definitions of match and support (`READINGS`). In
tasks with a strict target, elements without a match are left out. In tasks with strict support, elements of articles
with support 0 are left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.campaign.tasks import CAS_TASKS
from focuseval.errors import InputError
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.parallel import in_parallel
from focuseval_papers.retrieval.systems import (
    WEIGHTINGS,
    WORD,
    ElementKind,
    Index,
    Statistics,
    System,
    systems_for,
    terms_of,
    with_length_prior,
)
from focuseval_papers.workflow.runsets import interpretation, kind_of


def _match(index: Index, collection: Collection, title: str) -> tuple[Ints, Statistics]:
    """Return the elements that contain any word of a title, in document order, and the statistics for their scores.

    Words that do not occur in the collection are left out of the statistics.
    """
    query_terms = Counter(term for term in terms_of(WORD.findall(title)) if term in index.term)
    positions = [index.positions(index.term[term]) for term in query_terms if term is not None]
    everywhere = np.concatenate([np.empty(0, dtype=np.int32), *positions])
    row = collection.with_ancestors(holding(index, collection, everywhere))
    start, end = index.start[row], index.end[row]
    counts = [np.searchsorted(where, end) - np.searchsorted(where, start) for where in positions]
    tf = np.array(counts, dtype=float).reshape(len(counts), len(row))
    return row, Statistics(
        tf=tf,
        length=(end - start).astype(float),
        query=np.array(list(query_terms.values()), dtype=float),
        share=np.array([len(where) for where in positions]) / max(len(index.position), 1),
        elements=index.kinds["all"].elements,
        holding=np.count_nonzero(tf, axis=1),
        mean_length=index.kinds["all"].mean_length,
    )


def holding(index: Index, collection: Collection, position: Ints) -> Ints:
    """Return the deepest element that contains the word at each position (`Index`)."""
    row = np.searchsorted(index.start, position, side="right") - 1
    while len(outside := np.flatnonzero(index.end[row] <= position)):
        row[outside] = collection.parent[row[outside]]
    return row


def _of_kind(row: Ints, matches: Statistics, kind: ElementKind) -> tuple[Ints, Statistics]:
    """Limit the elements ``row`` and their statistics ``matches`` to a kind of elements."""
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
    """Choose the results of a system among the elements ``row``, and return their indices in ``row``.

    Results are in descending order of scores, and equal scores in document order. `without_overlap` explains ``last``
    and ``overlap``.
    """
    considered = 8 * size if overlap == "best" else size
    while True:
        order = _highest(scores, considered)
        place = order[without_overlap(row[order], last[row[order]], overlap, size)]
        # the rule "best" replaces overlapping elements by lower ranked elements, which must be considered too
        if overlap != "best" or len(place) == size or considered >= len(row):
            return place
        considered *= 8


def _highest(scores: Floats, size: int) -> Ints:
    """Return the indices of the ``size`` highest scores, in descending order; equal scores keep their order."""
    considered = np.arange(len(scores))
    if 0 < size < len(scores):
        considered = np.flatnonzero(scores >= np.partition(scores, -size)[-size])
    return considered[np.argsort(-scores[considered], kind="stable")[:size]]


def without_overlap(row: Ints, last: Ints, overlap: str, size: int) -> Ints:
    """Remove overlap from a ranking, and return the indices of at most ``size`` results that remain.

    ``row`` contains the ranked elements, and ``last`` the first row after each element's descendants. The values of
    ``overlap`` are

    - ``keep``: the first ``size`` results remain;
    - ``nested``: of the first ``size`` results, those remain that no other result contains;
    - ``enclosing``: of the first ``size`` results, those remain that contain no other result;
    - ``best``: a result remains if it does not overlap a better result that remains.
    """
    if overlap == "best":
        from focuseval.model.overlap import apart  # imported only here, because compilation is slow

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


#: takes the indices of a query and a system, and the rows and scores of elements; returns revised rows and scores
Revision = Callable[[int, int, Ints, Floats], tuple[Ints, Floats]]


#: the types of the columns that `_lists` returns; system and query are indices
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
    """Return the results of each system for a query, as a tuple of arrays in the order of `_COLUMNS`.

    The list is empty if no word of the query occurs in the collection.
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
        # single precision drops the last digits of logarithms, which differ between processors
        scores = scores.astype(np.float32)
        place = _retrieved(row, scores, collection.last, system.overlap, size)
        document = collection.document_of(row[place])
        if system.grouped:
            # documents are ordered by their first result; the results of a document keep their order
            order = np.argsort(pd.factorize(document)[0], kind="stable")
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
    """Return the runs of several systems, with at most ``size`` results for each topic.

    ``queries`` has the columns topic and title. The unit of ``collection`` must be words. The result has the columns
    run, topic, rank (from 1), document (an index into ``collection.names``), node (a row of the collection) and score.
    Results with equal scores are in document order.

    Before overlap is removed, ``revised`` may leave out elements and change scores. It receives elements in document
    order. ``threads`` is the number of processes.
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


_TAG = r"[A-Za-z_][\w.-]*"
_TAGS = rf"(?:\*|{_TAG}|\(\s*{_TAG}(?:\s*\|\s*{_TAG})*\s*\))"
_ABOUT = rf"about\(\s*\.\s*(?://\s*{_TAGS}\s*)?,[^()]*\)"
_CLAUSES = rf"\[\s*{_ABOUT}(?:\s*\band\b\s*{_ABOUT})*\s*\]"
_QUERY = re.compile(
    rf"\s*(?://\s*{_TAG}\s*(?P<support>{_CLAUSES})?\s*)?//\s*(?P<targets>{_TAGS})\s*(?P<about>{_CLAUSES})\s*"
)
_CLAUSE = re.compile(rf"about\(\s*\.\s*(?://\s*(?P<tags>{_TAGS})\s*)?,(?P<words>[^()]*)\)")
_EXPECTED = (
    "expected //article[about(.//TAG, words) and ...]//TARGET[about(., words)], or its last step alone"
)


@dataclass(frozen=True)
class Clause:
    """A condition that words occur in an element with one of the tags; without tags, anywhere in the article."""

    tags: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Castitle:
    """A parsed structured title: the words of a query, and the tags of the elements in which to search for them."""

    targets: tuple[str, ...]  #: the tags that the target may have; empty if any tag is allowed
    words: str  #: the words that the target should be about
    support: tuple[Clause, ...] = ()


def parse_castitle(text: str, source: str, where: str = "") -> Castitle:
    """Parse a structured title; ``source`` and ``where`` locate it in messages.

    Raises InputError for queries that this module does not support.
    """
    query = _QUERY.fullmatch(text)
    about = _clauses(query["about"]) if query else []
    if query is None or any(clause.tags for clause in about):
        raise InputError.of(source, f"the castitle is {text!r}", _EXPECTED, where=where)
    return Castitle(
        _tags(query["targets"]),
        " ".join(clause.words for clause in about),
        tuple(_clauses(query["support"] or "")),
    )


def _clauses(text: str) -> list[Clause]:
    return [
        Clause(_tags(match["tags"] or "*"), " ".join(match["words"].split()))
        for match in _CLAUSE.finditer(text)
    ]


def _tags(text: str) -> tuple[str, ...]:
    return tuple(tag for tag in re.split(r"[\s()|*]+", text) if tag)


class TitleReading(NamedTuple):
    """How a system interprets a structured title."""

    alike: bool  #: whether all section tags are equivalent, and also all paragraph tags
    any_word: bool  #: whether each support clause asks for all words of the title, not only its own


#: the weights a (of the match) and b (of the support), which the systems use in turn
WEIGHTS = ((0.25, 0.25), (1.0, 0.25), (0.25, 1.0), (0.1, 0.1), (1.0, 1.0))
#: the interpretations of structured titles, which the systems use in turn
READINGS = tuple(TitleReading(alike, any_word) for any_word, alike in product((False, True), repeat=2))


def structured_systems(task: str, systems: Sequence[System], count: int) -> list[System]:
    """Choose at most ``count`` systems for a task of INEX 2005 on structured titles, and adapt them to the task.

    For COS tasks, the first systems are chosen. For CAS tasks, the first systems that differ in weighting, parameters
    or length prior are chosen. If a CAS task has a strict target, its systems rank elements of all kinds.
    """
    if task not in CAS_TASKS:
        return systems_for(kind_of(task), systems)[:count]
    apart: dict[tuple[object, ...], System] = {}
    for system in systems:
        apart.setdefault((system.weighting, *sorted(system.parameters.items()), system.prior), system)
    chosen = systems_for(kind_of(task), list(apart.values()))[:count]
    return [replace(one, elements="all") for one in chosen] if interpretation(task)[0] else chosen


def retrieve_structured(
    index: Index,
    collection: Collection,
    queries: pd.DataFrame,
    titles: Sequence[Castitle],
    task: str,
    systems: Sequence[System],
    *,
    alike: Sequence[Sequence[str]] = (),
    size: int = 1_500,
) -> pd.DataFrame:
    """Return the runs of systems for a task on structured titles, in the format of `retrieve_all`.

    ``titles`` are the structured titles of the topics in ``queries``. ``alike`` contains groups of tags. Some
    systems consider the tags of a group equivalent (`TitleReading`).
    """
    strict_target, strict_support = interpretation(task)

    @lru_cache(maxsize=len(READINGS))  # enough, because all systems finish a topic before the next one
    def structure(query: int, reading: TitleReading) -> tuple[Bools, Floats]:
        return _structure(index, collection, titles[query], reading, alike)

    def revised(query: int, system: int, row: Ints, scores: Floats) -> tuple[Ints, Floats]:
        of_all, of_articles = structure(query, READINGS[system % len(READINGS)])
        match, support = of_all[row], of_articles[row]
        satisfied = (match | (not strict_target)) & ((support > 0) | (not strict_support))
        a, b = WEIGHTS[system % len(WEIGHTS)]
        return row[satisfied], (_from_0_to_1(scores) + a * match + b * support)[satisfied]

    return retrieve_all(index, collection, queries, systems, size=size, revised=revised)


def _from_0_to_1(scores: Floats) -> Floats:
    """Scale scores to the range from 0 to 1; equal scores become 1."""
    low, high = (scores.min(), scores.max()) if len(scores) else (0.0, 0.0)
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def _structure(
    index: Index,
    collection: Collection,
    title: Castitle,
    reading: TitleReading,
    alike: Sequence[Sequence[str]],
) -> tuple[Bools, Floats]:
    """Return for each element whether a title's target allows its tag, and its article's `_support`."""
    targets = set(title.targets)
    if reading.alike:
        targets |= {tag for group in alike if targets & set(group) for tag in group}
    match = _tagged(collection, targets)[collection.tag]
    clauses = [(clause.tags, clause.words) for clause in title.support]
    if reading.any_word:
        everything = " ".join([*(words for _, words in clauses), title.words])
        clauses = [(tags, everything) for tags, _ in clauses]
    return match, np.repeat(_support(index, collection, clauses), np.diff(collection.first))


def _support(index: Index, collection: Collection, clauses: Sequence[tuple[Sequence[str], str]]) -> Floats:
    """Return the support of each document: the share of words that occur in an element with a tag of their clause.

    A clause consists of tags and words. The support is 1 if there are no words.
    """
    count = len(collection.names)
    conditions = [(tags, term) for tags, words in clauses for term in terms_of(WORD.findall(words)) if term]
    satisfied = np.zeros(count)
    for tags, term in conditions:
        if term in index.term:
            row = collection.with_ancestors(holding(index, collection, index.positions(index.term[term])))
            row = row[_tagged(collection, tags)[collection.tag[row]]]
            satisfied += np.bincount(collection.document_of(row), minlength=count) > 0
    return satisfied / len(conditions) if conditions else np.ones(count)


def _tagged(collection: Collection, tags: Sequence[str] | set[str]) -> Bools:
    """Return whether each tag of the collection is among ``tags``; empty ``tags`` allow all tags."""
    return np.asarray(collection.tags.isin(list(tags))) | (not tags)
