"""Retrieval for topics that ask for a structure: the systems of the table, reading a structured title.

Each system scores elements by the words of the topic, as it does for a plain title. Then it reads the structure
(`focuseval.formats.castitle`): the *match* of an element is 1 if its tag is one that is asked for, else 0; the
*support* of its article is the share of the support's words that stand where they are asked for. With s the score,
brought to the range from 0 to 1 over the elements that hold a word of the topic, an element is ranked by

    s + a · match + b · support

where a and b are the system's own (`HINTS`). Where the task makes the target a condition, elements without a match are
left out; where it makes the support one, those in articles without any support.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.campaign.runsets import kind_of
from focuseval.formats.castitle import Castitle, Clause
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.elements import Collection
from focuseval.retrieval.search import WORD, Index, holding, retrieve_all, terms_of
from focuseval.retrieval.systems import System, systems_for
from focuseval.tasks import CAS_TASKS, interpretation


class Hint(NamedTuple):
    """What a system makes of structure: how much a match and full support add to a score from 0 to 1."""

    match: float
    support: float


#: the hints of the systems in turn: from little to as much as the words, the target and the support apart
HINTS = (
    Hint(0.25, 0.25),
    Hint(1.0, 0.25),
    Hint(0.25, 1.0),
    Hint(0.1, 0.1),
    Hint(1.0, 1.0),
)


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
    size: int = 1_500,
) -> pd.DataFrame:
    """The runs of systems for a task, as `focuseval.retrieval.search.retrieve_all` gives them.

    ``titles`` are the structured titles of the topics in ``queries``.
    """
    strict_target, strict_support = interpretation(task)

    @lru_cache(maxsize=1)  # topics come one after the other, each for all systems
    def structure(query: int) -> tuple[Bools, Floats]:
        return _structure(index, collection, titles[query])

    def revised(query: int, system: int, row: Ints, scores: Floats) -> tuple[Ints, Floats]:
        of_all, of_articles = structure(query)
        match, support = of_all[row], of_articles[row]
        kept = (match | (not strict_target)) & ((support > 0) | (not strict_support))
        hint = HINTS[system % len(HINTS)]
        return row[kept], (_from_0_to_1(scores) + hint.match * match + hint.support * support)[kept]

    return retrieve_all(index, collection, queries, systems, size=size, revised=revised)


def _from_0_to_1(scores: Floats) -> Floats:
    """Scores brought to the range from 0 to 1; all 1 where they are equal."""
    low, high = (scores.min(), scores.max()) if len(scores) else (0.0, 0.0)
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def _structure(index: Index, collection: Collection, title: Castitle) -> tuple[Bools, Floats]:
    """Of every element of a collection: whether its tag is asked for, and the support of its article."""
    match = _tagged(collection, title.targets)[collection.tag]
    return match, np.repeat(_support(index, collection, title.support), np.diff(collection.first))


def _support(index: Index, collection: Collection, clauses: Sequence[Clause]) -> Floats:
    """The share of the clauses' words that each document has where they are asked for; 1 if none is asked for."""
    count = len(collection.names)
    asked = [(clause, term) for clause in clauses for term in terms_of(WORD.findall(clause.words)) if term]
    satisfied = np.zeros(count)
    for clause, term in asked:
        if term in index.term:
            row = holding(index, collection, index.positions(index.term[term]))
            row = collection.with_ancestors(row)
            row = row[_tagged(collection, clause.tags)[collection.tag[row]]]
            satisfied += np.bincount(collection.document_of(row), minlength=count) > 0
    return satisfied / len(asked) if asked else np.ones(count)


def _tagged(collection: Collection, tags: Sequence[str]) -> Bools:
    """Which of a collection's tags are among some; all of them if there are none."""
    return np.asarray(collection.tags.isin(tags)) | (not tags)
