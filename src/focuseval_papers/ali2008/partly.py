"""Runs perturbed in part: many draws of the ranks that a perturbation takes hold of, as columns.

The perturbations of Section 7.1 leave nothing to chance where they take hold of all ranks. Where they take hold of a
share of them, a draw says of which (`focuseval.transformations.perturbations.perturb`, ``share`` and ``seed``). Here
all draws of a set of runs are made at once, and only the first ranks of each perturbed list are scored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.structural import article_clusters
from focuseval.model.arrays import Bools, Floats, Ints, changes, ranges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import generator
from focuseval.transformations.perturbations import ORIGINAL, forest, holds
from focuseval_papers.ali2008.accuracy import relevance_of


@dataclass(frozen=True, eq=False)
class Units:
    """What stands at the ranks of L lists, U units in all: elements, or the clusters of an article."""

    lists: pd.DataFrame  #: run, topic (names), length (units) of each list
    row: Ints  #: (U,) list of each unit, sorted
    place: Ints  #: (U,) from 0
    document: Ints  #: (U,) -1 for what is no element
    element: Ints  #: (U,) -1 for what is no element; each cluster has a number of its own
    relevance: Floats  #: (U,) rel(t)
    unseen: Floats  #: (U,) 1 - p(t; s) for other units s of the document
    share: Mapping[str, Floats]  #: (U,) of each unit, what a perturbation that sorts puts first
    parent: Ints | None  #: of the elements, as the collection has it; None for units that do not overlap

    def matrix(self, values: Any, behind: float) -> Any:
        """(L, W) the values (U,) of each list's units, of their type; ``behind`` stands behind its end."""
        filled = np.full((len(self.lists), int(self.lists["length"].max())), behind, dtype=values.dtype)
        filled[self.row, self.place] = values
        return filled


def units_of(
    results: Results, topics: Sequence[Topic], unseen: Floats, quantisation: str, clusters: bool
) -> Units | None:
    """The units of some runs; ``unseen`` (N,) is 1 - p(e; f) of each element of the collection.

    None for clusters of which two are of one document, or hold elements that overlap: such runs break the rules of
    Relevant in Context, and what one cluster leaves of another is not a matter of its document alone.
    """
    collection = topics[0].collection
    element = np.where(results.start >= 0, results.element, -1).astype(np.int64)
    opens = changes(results.run, results.topic)
    row, begins = np.cumsum(opens) - 1, np.flatnonzero(opens)
    run, topic = results.runs[results.run[begins]], results.topics[results.topic[begins]]
    known = element >= 0
    relevance = relevance_of(results, topics, quantisation)
    share = {"i": (relevance > 0).astype(float)}
    share |= {name: (known & holds(element, collection, name)).astype(float) for name in ("iv", "v")}
    document = np.where(known, results.document, -1).astype(np.int64)
    if clusters:
        unit = article_clusters(np.where(known, row * len(collection.names) + document, -1))
        first = np.flatnonzero(changes(unit))
        size = np.diff(first, append=len(unit))
        again = pd.MultiIndex.from_arrays([row[first], document[first]]).duplicated() & (document[first] >= 0)
        if again.any() or _dropped(*forest(row, element, collection.parent), np.ones(len(row), bool)).any():
            return None
        relevance = np.bincount(unit, relevance) / size
        share = {name: np.bincount(unit, value) / size for name, value in share.items()}
        row, document = row[first], document[first]
        element = np.where(document >= 0, np.arange(len(first)), -1)
    length = np.bincount(row, minlength=len(begins))
    lists = pd.DataFrame({"run": run.astype(str), "topic": topic.astype(str), "length": length})
    parent = None if clusters else collection.parent
    of_units = np.ones(len(row)) if clusters else unseen[element]
    return Units(lists, row, ranges(length), document, element, relevance, of_units, share, parent)


def _dropped(node: Ints, up: Ints, drawn: Bools) -> Bools:
    """Which results (iii) drops of those that a draw takes hold of; nodes and their parents from `forest`."""
    from focuseval.model.overlap import overlapping  # compiled: slow to import

    dropped: Bools = overlapping(node, np.arange(len(node)), up, ~drawn)
    return dropped


def _drawn(units: Units, share: float, draws: int, seed: int) -> Bools:
    """(D, U) whether a draw takes hold of a unit. Every list has its own random numbers."""
    return np.concatenate(
        [
            generator(seed, run, topic).random((draws, length)) < share
            for run, topic, length in units.lists.itertuples(index=False)
        ],
        axis=1,
    )


def _sorted_by(units: Units) -> dict[str, Ints]:
    """(U,) by perturbation, keys that sort the units of each list as it does; 0 leaves a unit where it is.

    Small whole numbers, which NumPy sorts in no time.
    """
    keys = {}
    for name, share in units.share.items():
        levels, key = np.unique(share, return_inverse=True)
        key = (key + (levels[0] > 0)).astype(np.int8 if len(levels) < 126 else np.int16)
        keys[name] = -key
        if name == "i":
            keys["ii"] = key
    return keys


def _earlier(code: Ints, counted: Bools) -> Ints:
    """(L, K) how many counted units of the same code stand before each in its list."""
    order = np.argsort(code, axis=1, kind="stable")
    code, counted = np.take_along_axis(code, order, 1), np.take_along_axis(counted, order, 1)
    before: Ints = np.cumsum(counted, axis=1) - counted
    opens = np.diff(code, axis=1, prepend=-2) != 0
    base = np.maximum.accumulate(np.where(opens, before, 0), axis=1)
    earlier: Ints = np.empty_like(before)
    np.put_along_axis(earlier, order, before - base, 1)
    return earlier


def perturbed(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[str, int, Floats]]:
    """Version, draw (from 1; 0 for the lists as they are) and SRP (L, C) of every list at each cut-off, rising."""
    ranks, length = np.array(cutoffs), units.lists["length"].to_numpy()
    columns = (
        units.matrix(units.document, -1),
        units.matrix(units.element, -1),
        units.matrix(units.relevance, 0.0),
        units.matrix(units.unseen, 1.0),
    )

    def score(key: Ints, kept: Ints) -> Floats:
        """SRP of the lists with their units sorted by keys (U,), cut behind those that are kept."""
        behind = np.iinfo(key.dtype).max
        first = np.argsort(units.matrix(key, behind), axis=1, kind="stable")[:, : ranks[-1]]
        document, element, relevance, unseen = (np.take_along_axis(column, first, 1) for column in columns)
        new = (np.arange(first.shape[1]) < kept[:, None]) & (element >= 0)
        new &= _earlier(element, new) == 0
        gain = np.where(new, relevance * unseen ** _earlier(document, new), 0.0)
        reached = np.cumsum(gain, axis=1)
        found: Floats = reached[:, np.minimum(ranks, reached.shape[1]) - 1] / ranks
        return found

    keys = _sorted_by(units)
    overlaps = None if units.parent is None else forest(units.row, units.element, units.parent)
    original = score(np.zeros(len(units.row), dtype=np.int8), length)
    yield ORIGINAL, 0, original
    for draw, drawn in enumerate(_drawn(units, share, draws, seed), start=1):
        for name, key in keys.items():
            yield name, draw, score(key * drawn, length)
        if overlaps is None:
            yield "iii", draw, original
        else:
            dropped = _dropped(*overlaps, drawn)
            yield (
                "iii",
                draw,
                score(
                    dropped.astype(np.int8), length - np.bincount(units.row[dropped], minlength=len(length))
                ),
            )
