"""Browsing inside documents: the probability that an element is seen on a visit to another one.

``p(e; f)`` of Ali et al. (2008), Definition 4.1: 1 for e = f, 0 across documents; else 1 - pi of the
partition of e in a structural summary (Eq. 7), or what a user's own table says.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, Sentence
from focuseval.measures.navigation import read_columns, read_table, refuse
from focuseval.measures.structural_summary import Summary, power_iteration, probabilities, summarise
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection


def _no_rows() -> Ints:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Browsing:
    """``p(e; f)`` for e and f in one document: ``1 - unseen[group[e]]``, except for T listed pairs."""

    group: Ints  #: (N,) group of each element of the collection
    unseen: Floats  #: probability that an element of a group is not seen on a visit elsewhere
    seen: Ints = field(default_factory=_no_rows)  #: (T,) sorted rows e of the listed pairs
    visited: Ints = field(default_factory=_no_rows)  #: (T,) rows f, other than e and in its document
    probability: Floats = field(default_factory=lambda: np.empty(0))  #: (T,) p(e; f)


def read_transitions(file: str, summary: Summary) -> pd.DataFrame:
    """Transition weights between the partitions of a summary: columns source, target, weight.

    A TSV file with the header ``source target weight``; partitions are named by their path as `summarise`
    writes it, weights are numbers from 0 (counts or probabilities). Raises InputError with all problems of
    the file.
    """
    frame = read_columns(file, ("source", "target", "weight"), "transitions")
    names = pd.Index(summary.partitions["path"])
    weight = pd.to_numeric(frame["weight"], errors="coerce").to_numpy(dtype=float)
    ends = {name: names.get_indexer(frame[name]) for name in ("source", "target")}
    unknown = f"expected a partition of the summary {summary.expression}"
    pair = frame["source"] + " to " + frame["target"]
    refuse(
        file,
        *((found < 0, "unknown partition " + frame[name].map(repr), unknown) for name, found in ends.items()),
        (
            ~((weight >= 0) & (weight < np.inf)),
            "weight " + frame["weight"].map(repr),
            "expected a number from 0",
        ),
        (frame.duplicated(["source", "target"]), pair + " a second time", "once"),
    )
    return pd.DataFrame({**ends, "weight": weight})


def read_pairs(file: str, collection: Collection) -> Browsing:
    """Pair-wise probabilities from a table of `read_table`: what is not listed is 0, and p(e; e) is 1.

    A line from f to e says p(e; f). Raises InputError for pairs across documents, where p is 0, and for an
    element that a user who is there does not see.
    """
    reach = read_table(file, collection)
    apart = reach.source != reach.target
    crossing = collection.document_of(reach.source) != collection.document_of(reach.target)
    unseen = ~apart & (reach.probability != 1)
    lines = len(apart)
    refuse(
        file,
        (crossing, ["from one document to another"] * lines, "p(e; f) is 0 there: leave it out"),
        (unseen, ["an element from itself"] * lines, "p(e; e) is 1: leave it out"),
    )
    pairs = np.flatnonzero(apart)
    order = pairs[np.lexsort((reach.source[pairs], reach.target[pairs]))]
    everywhere = np.zeros(len(collection), dtype=np.int8)
    return Browsing(
        everywhere, np.ones(1), reach.target[order], reach.source[order], reach.probability[order]
    )


_summary = lru_cache(maxsize=8)(summarise)


@lru_cache(maxsize=8)
def browsing(
    collection: Collection, *, summary: str, edges: str, weight: str, transitions: str, pairs: str
) -> Browsing:
    """``p(e; f)`` by the settings of a measure; kept for the next topic.

    Raises InputError if a summary is asked of a collection that is not complete, or for both files at once.
    """
    if transitions and pairs:
        raise InputError.of(
            "structural relevance", "transitions and pairs at once", "give one of the two files"
        )
    if pairs:
        return read_pairs(pairs, collection)
    if not collection.complete:
        raise InputError.of(
            "structural relevance",
            "a structural summary of a collection that is not known",
            Sentence("it needs all elements of all documents: ", GIVE_DOCUMENTS, ", or pairs=FILE"),
        )
    found = _summary(collection, summary)
    if transitions:
        names = found.partitions["path"].tolist()
        return Browsing(found.partition, power_iteration(read_transitions(transitions, found), names))
    return Browsing(found.partition, probabilities(found, edges, weight))
