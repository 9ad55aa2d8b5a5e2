"""Runs that are perturbed in part: at a random share of the ranks, in many draws.

All draws of a run set are computed at once, and only the first ranks of each list are scored. See ``share`` and
``seed`` of `focuseval.transformations.perturbations.perturb`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.structural import article_clusters
from focuseval.model.arrays import Bools, Floats, Ints, changes
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import generator
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, forest, holds
from focuseval_papers.ali2008.settings_of_srp import relevance_of

#: number of lists in a batch, so small that the arrays stay in the processor's cache
AT_ONCE = 256

#: columns of `Units` that determine scores, and the value of each at ranks after the end of a list
PADDING = {"document": -1, "element": -1, "relevance": 0.0, "unseen": 1.0}


@dataclass(frozen=True, eq=False)
class Units:
    """The U units of all ranked lists, one list after the other.

    A unit is an element, or a cluster of consecutive results from one document.
    """

    lists: pd.DataFrame  #: run, topic, and length (in units) of each list
    row: Ints  #: (U,) the row in ``lists`` of each unit's list
    document: Ints  #: (U,) number of each unit's document, -1 for passages
    element: Ints  #: (U,) number of each unit's element or cluster, -1 for passages
    relevance: Floats  #: (U,) relevance of each unit, rel(t) in the paper
    #: (U,) probability 1 - p(t; s) that each unit t is not seen from another unit s of its document
    unseen: Floats
    #: (U,) for each perturbation: the share of a unit's elements that the perturbation moves
    share: Mapping[str, Floats]
    parent: Ints | None  #: parent of each element of the collection; None if units cannot overlap

    def batches(self) -> Iterator[tuple[slice, "Units"]]:
        """Yield batches of at most `AT_ONCE` lists: the batch as a slice of ``lists``, and the units of its lists."""
        ends = np.append(np.arange(0, len(self.lists), AT_ONCE), len(self.lists))
        for lists, units in zip(pairwise(ends), pairwise(np.searchsorted(self.row, ends)), strict=True):
            rows, part = slice(*lists), slice(*units)
            columns = {name: getattr(self, name)[part] for name in PADDING}
            share = {name: values[part] for name, values in self.share.items()}
            row = self.row[part] - rows.start
            yield rows, replace(self, lists=self.lists[rows], row=row, share=share, **columns)

    def matrix(self, values: Any, padding: float) -> Any:
        """Arrange the units' ``values`` in one row for each list; short rows are filled with ``padding`` at the end."""
        length = self.lists["length"].to_numpy()
        filled = np.full((len(length), int(length.max())), padding, dtype=values.dtype)
        filled[np.arange(filled.shape[1]) < length[:, None]] = values
        return filled


def units_of(
    results: Results, topics: Sequence[Topic], unseen: Floats, quantisation: str, clusters: bool
) -> Units | None:
    """Return the units in the lists of runs: clusters if ``clusters`` is true, or else elements.

    ``unseen`` has, for each element, the probability that a user at another element of its document does not see it.
    With ``clusters``, the result is None if a list has two clusters from one document, or overlapping elements.
    """
    collection = topics[0].collection
    element = np.where(results.start >= 0, results.element, -1).astype(np.int64)
    opens = changes(results.run, results.topic)
    row, begins = np.cumsum(opens) - 1, np.flatnonzero(opens)
    run, topic = results.runs[results.run[begins]], results.topics[results.topic[begins]]
    resolved = element >= 0
    relevance = relevance_of(results, topics, quantisation)
    share = {"i": (relevance > 0).astype(float)}
    share |= {name: (resolved & holds(element, collection, name)).astype(float) for name in ("iv", "v")}
    document = np.where(resolved, results.document, -1).astype(np.int64)
    if clusters:
        unit = article_clusters(np.where(resolved, row * len(collection.names) + document, -1))
        first = np.flatnonzero(changes(unit))
        size = np.diff(first, append=len(unit))
        again = pd.MultiIndex.from_arrays([row[first], document[first]]).duplicated() & (document[first] >= 0)
        # in such lists, the redundancy of a cluster depends on more than its document
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
    return Units(lists, row, document, element, relevance, of_units, share, parent)


def _dropped(node: Ints, up: Ints, drawn: Bools) -> Bools:
    """Return which of the ``drawn`` results perturbation (iii) removes, because they overlap an earlier result.

    ``node`` and ``up`` are the result of `forest`. ``drawn`` marks the results that a draw selects.
    """
    from focuseval.model.overlap import overlapping  # imported only here: compiled code is slow to import

    dropped: Bools = overlapping(node, np.arange(len(node)), up, ~drawn)
    return dropped


def _draw_units(units: Units, share: float, draws: int, seed: int) -> Bools:
    """Return whether each draw (row) selects each unit (column)."""
    return np.concatenate(
        [
            generator(seed, run, topic).random((draws, length)) < share
            for run, topic, length in units.lists.itertuples(index=False)
        ],
        axis=1,
    )


def _sort_keys(units: Units) -> dict[str, Ints]:
    """Return the sort key (U,) of each unit for each perturbation; units with the key 0 are not moved."""
    keys = {}
    for name, share in units.share.items():
        levels, key = np.unique(share, return_inverse=True)
        # NumPy sorts small integers fastest
        key = (key + (levels[0] > 0)).astype(np.int8 if len(levels) < 126 else np.int16)
        keys[name] = -key
        if name == "i":
            keys["ii"] = key
    return keys


def _earlier(code: Ints, counted: Bools) -> Ints:
    """Count, for each unit, the ``counted`` units before it in its list that have an equal ``code``.

    Rows are lists, and columns are ranks.
    """
    # sorting one number that combines code and rank is faster than a stable sort of the codes
    width = code.shape[1]
    code, order = np.divmod(np.sort((code + 1) * width + np.arange(width), axis=1), width)
    counted = np.take_along_axis(counted, order, 1)
    before: Ints = np.cumsum(counted, axis=1) - counted
    opens = np.diff(code, axis=1, prepend=-1) != 0
    base = np.maximum.accumulate(np.where(opens, before, 0), axis=1)
    earlier: Ints = np.empty_like(before)
    np.put_along_axis(earlier, order, before - base, 1)
    return earlier


def perturbed(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[str, int, Floats]]:
    """Perturb lists; yield a version's name, a draw's number, and SRP of each list (row) at each cut-off (column).

    Each draw perturbs a random ``share`` of the units. Draws are numbered from 1, and draw 0 contains the unperturbed
    lists.
    """
    ranks, length = np.array(cutoffs), units.lists["length"].to_numpy()
    columns = [units.matrix(getattr(units, name), padding) for name, padding in PADDING.items()]

    def score(key: Ints, kept: Ints) -> Floats:
        """Return SRP of each list after its units are sorted by ``key`` and cut after ``kept`` units."""
        padding = np.iinfo(key.dtype).max
        first = np.argsort(units.matrix(key, padding), axis=1, kind="stable")[:, : ranks[-1]]
        document, element, relevance, unseen = (np.take_along_axis(column, first, 1) for column in columns)
        new = (np.arange(first.shape[1]) < kept[:, None]) & (element >= 0)
        new &= _earlier(element, new) == 0
        gain, counted = np.zeros(new.shape), new & (relevance > 0)
        gain[counted] = relevance[counted] * unseen[counted] ** _earlier(document, new)[counted]
        reached = np.cumsum(gain, axis=1)
        looked_at = np.clip(ranks, 1, np.maximum(kept, 1)[:, None])
        scores: Floats = reached[:, np.minimum(ranks, reached.shape[1]) - 1] / looked_at
        return scores

    keys = _sort_keys(units)
    overlaps = None if units.parent is None else forest(units.row, units.element, units.parent)
    original = score(np.zeros(len(units.row), dtype=np.int8), length)
    yield ORIGINAL, 0, original
    for draw, drawn in enumerate(_draw_units(units, share, draws, seed), start=1):
        for name, key in keys.items():
            yield name, draw, score(key * drawn, length)
        if overlaps is None:
            yield "iii", draw, original
        else:
            dropped = _dropped(*overlaps, drawn)
            kept = length - np.bincount(units.row[dropped], minlength=len(length))
            yield "iii", draw, score(dropped.astype(np.int8), kept)


def perturbed_in_part(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[int, Floats]]:
    """Perturb lists; yield each cut-off, and SRP at this cut-off as an array of shape (draws, lists, versions)."""
    values = np.empty((draws, len(units.lists), len(EXPECTED), len(cutoffs)))
    for lists, batch in units.batches():
        for name, draw, reached in perturbed(batch, cutoffs, share=share, draws=draws, seed=seed):
            values[slice(None) if draw == 0 else draw - 1, lists, EXPECTED.index(name)] = reached
    return zip(cutoffs, np.moveaxis(values, -1, 0), strict=True)
