"""Retrieval for topics that ask for a structure: the systems of the table, reading a structured title.

Each system scores elements by the words of the topic, as it does for a plain title. Then it reads the structure
(`Castitle`). The *match* of an element is 1 if its tag is asked for, else 0; the *support* of its
article is the share of words that stand in the elements where they are asked for. With s the score, brought to the
range from 0 to 1 over the elements that it ranks, an element is ranked by

    s + a · match + b · support

where a and b are the system's own (`WEIGHTS`). Where the task makes the target a condition, elements without a match
are left out; where it makes the support one, those in articles without any support. What counts as a match and as
support is the system's own as well (`READINGS`).

Of the query language NEXI (Trotman & Sigurbjörnsson, INEX 2004) structured titles are queries of one or two steps::

    //article[about(.//abs, nested text) and about(., retrieval)]//(sec|ss1)[about(., measures)]

The *target* is the last step: what is to be returned. The *support* is all other clauses: what is to stand elsewhere in
the article. Clauses joined by ``or``, comparisons of numbers, and clauses on parts of the target are refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.campaign.tasks import CAS_TASKS
from focuseval.errors import InputError, Problem
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.elements import Collection
from focuseval_papers.retrieval.indexing import WORD, Index, terms_of
from focuseval_papers.retrieval.search import holding, retrieve_all
from focuseval_papers.retrieval.systems import System, systems_for
from focuseval_papers.workflow.runsets import interpretation, kind_of

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
    """Words that are to stand in an element of one of some tags, or, without tags, anywhere in the article."""

    tags: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Castitle:
    """A structured title."""

    targets: tuple[str, ...]  #: tags of the elements that are asked for; none for any
    words: str  #: what these are to be about
    support: tuple[Clause, ...] = ()


def parse_castitle(text: str, source: str, where: str = "") -> Castitle:
    """The structured title that a text is. Raises InputError where it has another form than those above."""
    query = _QUERY.fullmatch(text)
    about = _clauses(query["about"]) if query else []
    if query is None or any(clause.tags for clause in about):
        raise InputError(Problem(source, where, f"the castitle {text!r}", _EXPECTED))
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


class Reading(NamedTuple):
    """How a system understands a structured title."""

    alike: bool  #: whether section tags match each other, and paragraph tags
    any_word: bool  #: whether any word of the topic supports, and not only those asked for in the support


#: how much a match and full support add to a score from 0 to 1, and how titles are read: both by turns, of 5 and of 4
WEIGHTS = ((0.25, 0.25), (1.0, 0.25), (0.25, 1.0), (0.1, 0.1), (1.0, 1.0))
READINGS = tuple(Reading(alike, any_word) for any_word, alike in product((False, True), repeat=2))


def structured_systems(task: str, systems: Sequence[System], count: int) -> list[System]:
    """The systems that take part in a task on structured titles, ``count`` of them at most, from a table of systems.

    In the COS tasks the first of the table, as they take part in the CO task. In the CAS tasks the first of each
    weighting, parameters and length prior, overlap kept: what a system ranks is no difference where the topic says it.
    Those rank all elements if the target is a condition.
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
    """The runs of systems for a task, as `focuseval_papers.retrieval.search.retrieve_all` gives them.

    ``titles`` are the structured titles of the topics in ``queries``; ``alike`` are groups of tags that some systems
    take for one.
    """
    strict_target, strict_support = interpretation(task)

    @lru_cache(maxsize=len(READINGS))  # topics come one after the other, each for all systems
    def structure(query: int, reading: Reading) -> tuple[Bools, Floats]:
        return _structure(index, collection, titles[query], reading, alike)

    def revised(query: int, system: int, row: Ints, scores: Floats) -> tuple[Ints, Floats]:
        of_all, of_articles = structure(query, READINGS[system % len(READINGS)])
        match, support = of_all[row], of_articles[row]
        kept = (match | (not strict_target)) & ((support > 0) | (not strict_support))
        a, b = WEIGHTS[system % len(WEIGHTS)]
        return row[kept], (_from_0_to_1(scores) + a * match + b * support)[kept]

    return retrieve_all(index, collection, queries, systems, size=size, revised=revised)


def _from_0_to_1(scores: Floats) -> Floats:
    """Scores brought to the range from 0 to 1; all 1 where they are equal."""
    low, high = (scores.min(), scores.max()) if len(scores) else (0.0, 0.0)
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def _structure(
    index: Index, collection: Collection, title: Castitle, reading: Reading, alike: Sequence[Sequence[str]]
) -> tuple[Bools, Floats]:
    """Of every element of a collection: whether it matches the target, and the support of its article."""
    targets = set(title.targets)
    if reading.alike:
        targets |= {tag for group in alike if targets & set(group) for tag in group}
    match = _tagged(collection, targets)[collection.tag]
    asked = [(clause.tags, clause.words) for clause in title.support]
    if reading.any_word:
        everything = " ".join([*(words for _, words in asked), title.words])
        asked = [(tags, everything) for tags, _ in asked]
    return match, np.repeat(_support(index, collection, asked), np.diff(collection.first))


def _support(index: Index, collection: Collection, asked: Sequence[tuple[Sequence[str], str]]) -> Floats:
    """The share of words that each document has in elements of the tags that they are asked for in; 1 for none."""
    count = len(collection.names)
    wanted = [(tags, term) for tags, words in asked for term in terms_of(WORD.findall(words)) if term]
    satisfied = np.zeros(count)
    for tags, term in wanted:
        if term in index.term:
            row = collection.with_ancestors(holding(index, collection, index.positions(index.term[term])))
            row = row[_tagged(collection, tags)[collection.tag[row]]]
            satisfied += np.bincount(collection.document_of(row), minlength=count) > 0
    return satisfied / len(wanted) if wanted else np.ones(count)


def _tagged(collection: Collection, tags: Sequence[str] | set[str]) -> Bools:
    """Which of a collection's tags are among some; all of them if there are none."""
    return np.asarray(collection.tags.isin(list(tags))) | (not tags)
