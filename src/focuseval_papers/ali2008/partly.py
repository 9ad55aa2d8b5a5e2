"""Runs perturbed in part: many draws of the ranks that a perturbation takes hold of, as columns.

The perturbations of Section 7.1 leave nothing to chance where they take hold of all ranks. Where they take hold of a
share of them, a draw says of which (`focuseval.transformations.perturbations.perturb`, ``share`` and ``seed``). Here
all draws of a set of runs are made at once, and only the first ranks of each perturbed list are scored.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.structural import article_clusters
from focuseval.model.arrays import Bools, Floats, Ints, changes, distinct, ranges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.perturbations import ORIGINAL, forest, holds
from focuseval.transformations.seeds import generator
from focuseval_papers.ali2008.worth import relevance_of


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

    @property
    def longest(self) -> int:
        """The number of units of the longest list."""
        return int(self.lists["length"].max())

    def matrix(self, values: Any, behind: float) -> Any:
        """(L, W) the values (U,) of each list's units, of their type; ``behind`` stands behind its end."""
        found = np.full((len(self.lists), self.longest), behind, dtype=values.dtype)
        found[self.row, self.place] = values
        return found


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
        if again.any() or _overlap(row, element, collection.parent):
            return None
        relevance = np.bincount(unit, relevance) / size
        share = {name: np.bincount(unit, value) / size for name, value in share.items()}
        row, document = row[first], document[first]
        element = np.where(document >= 0, np.arange(len(first)), -1)
    length = np.bincount(row, minlength=len(begins))
    place = ranges(length)
    lists = pd.DataFrame({"run": run.astype(str), "topic": topic.astype(str), "length": length})
    parent = None if clusters else collection.parent
    of_units = np.ones(len(row)) if clusters else unseen[element]
    return Units(lists, row, place, document, element, relevance, of_units, share, parent)


def _overlap(row: Ints, element: Ints, parent: Ints) -> bool:
    """Whether any element overlaps another one of its list."""
    from focuseval.model.overlap import overlapping  # compiled: slow to import

    node, up = forest(row, element, parent)
    return bool(overlapping(node, np.arange(len(row)), up, np.zeros(len(row), dtype=bool)).any())


def _drawn(units: Units, share: float, draws: int, seed: int) -> Bools:
    """(D, L, W) whether a draw takes hold of a unit; true behind the end. Every list has its own random numbers."""
    found = np.ones((draws, len(units.lists), units.longest), dtype=bool)
    for row, (run, topic, length) in enumerate(units.lists.itertuples(index=False)):
        found[:, row, :length] = generator(seed, run, topic).random((draws, length)) < share
    return found


def _sorted_by(units: Units) -> dict[str, Ints]:
    """(L, W) by perturbation, keys that sort the units of each list as it does; 0 leaves a unit where it is.

    Small whole numbers, which NumPy sorts in no time.
    """
    keys = {}
    for name, share in units.share.items():
        levels, key = np.unique(share, return_inverse=True)
        key = (key + (levels[0] > 0)).astype(np.int8 if len(levels) < 126 else np.int16)
        behind = np.iinfo(key.dtype).max
        keys[name] = units.matrix(-key, behind)
        if name == "i":
            keys["ii"] = units.matrix(key, behind)
    return keys


def _numbered(units: Units, code: Ints) -> Ints:
    """(L, W) codes as numbers from 0 within each list, -1 where they are and behind its end."""
    known = np.flatnonzero(code >= 0)
    _, number = np.unique(
        units.row[known] * (int(code.max(initial=0)) + 1) + code[known], return_inverse=True
    )
    first = np.full(len(units.lists), len(number))
    np.minimum.at(first, units.row[known], number)
    local = np.full(len(code), -1, dtype=np.int16)
    local[known] = number - first[units.row[known]]
    return units.matrix(local, -1)


def _earlier(code: Ints, counted: Bools) -> Ints:
    """(L, K) how many counted units of the same code stand before each in its list."""
    order = np.argsort(code, axis=1, kind="stable")
    code, counted = np.take_along_axis(code, order, 1), np.take_along_axis(counted, order, 1)
    before = np.cumsum(counted, axis=1, dtype=np.int32) - counted
    opens = np.diff(code, axis=1, prepend=-2) != 0
    base = np.maximum.accumulate(np.where(opens, before, 0), axis=1)
    found = np.empty_like(before)
    np.put_along_axis(found, order, before - base, 1)
    return found


def scoring(units: Units, cutoffs: Sequence[int]) -> Callable[[Ints, Ints], Floats]:
    """What scores the lists with their units in any order, at some cut-offs, rising.

    From keys (L, W), by which the units of each list are sorted, and the lengths (L,) at which lists are cut then, to
    (L, C) SRP.
    """
    ranks = np.array(cutoffs)
    known = units.element >= 0
    keys = units.row[known] * (int(units.element.max(initial=0)) + 1) + units.element[known]
    repeats = len(distinct(keys)) < len(keys)
    numbered = _numbered(units, units.document)
    columns = (
        numbered,
        _numbered(units, units.element) if repeats else numbered,
        units.matrix(units.relevance, 0.0),
        units.matrix(units.unseen, 1.0),
    )

    def score(key: Ints, length: Ints) -> Floats:
        first = np.argsort(key, axis=1, kind="stable")[:, : ranks[-1]]
        document, element, relevance, unseen = (np.take_along_axis(column, first, 1) for column in columns)
        new = (np.arange(first.shape[1]) < length[:, None]) & (element >= 0)
        if repeats:
            new &= _earlier(element, new) == 0
        gain = np.where(new, relevance * unseen ** _earlier(document, new), 0.0)
        reached = np.cumsum(gain, axis=1)
        found: Floats = reached[:, np.minimum(ranks, reached.shape[1]) - 1] / ranks
        return found

    return score


def removing(units: Units, parent: Ints, wanted: int) -> Callable[[Bools], tuple[Ints, Ints]]:
    """What (iii) removes: from what a draw takes hold of (L, W) to keys and lengths, as `scoring` has them.

    Keys put what is removed behind. Lists are looked at as far as it takes to have ``wanted`` units that stay;
    ``parent`` is that of the collection.
    """
    from focuseval.model.overlap import overlapping  # compiled: slow to import

    length = units.lists["length"].to_numpy()
    there = units.matrix(np.zeros(len(units.row), dtype=np.int8), 1)

    @cache
    def near(depth: int) -> tuple[Ints, Ints, Ints, Ints]:
        """Rows and places of the first units, and their elements as a forest."""
        first = np.flatnonzero(units.place < depth)
        return units.row[first], units.place[first], *forest(units.row[first], units.element[first], parent)

    def removed(drawn: Bools) -> tuple[Ints, Ints]:
        depth = 4 * wanted
        while True:
            row, place, node, up = near(depth)
            dropped = overlapping(node, np.arange(len(row)), up, ~drawn[row, place])
            behind = np.maximum(length - depth, 0)
            stay = length - behind - np.bincount(row[dropped], minlength=len(length))
            if (stay >= np.minimum(wanted, stay + behind)).all():
                key = there.copy()
                key[row[dropped], place[dropped]] = 1
                return key, stay + behind
            depth *= 2

    return removed


def perturbed(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[str, int, Floats]]:
    """Version, draw (from 1; 0 for the lists as they are) and SRP (L, C) of every list at each cut-off."""
    score, keys = scoring(units, cutoffs), _sorted_by(units)
    length = units.lists["length"].to_numpy()
    remove = None if units.parent is None else removing(units, units.parent, cutoffs[-1])
    as_it_is = units.matrix(np.zeros(len(units.row), dtype=np.int8), 1)
    original = score(as_it_is, length)
    yield ORIGINAL, 0, original
    for draw, drawn in enumerate(_drawn(units, share, draws, seed), start=1):
        for name, key in keys.items():
            yield name, draw, score(key * drawn, length)
        yield "iii", draw, original if remove is None else score(*remove(drawn))
