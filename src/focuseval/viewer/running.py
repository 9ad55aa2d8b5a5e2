"""What a measure says after each result: its value if the list ended there."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from focuseval.measures.declaration import RANK, Spec
from focuseval.measures.text import TextRanking, counts_at_ranks
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.results import ResultList


def changing(spec: Spec[Any, Any], results: ResultList, relevant: Ints) -> Bools:
    """(K,) whether the value may differ from that before the result; ``relevant`` are documents with anything relevant.

    A measure that claims so does not change with results in other documents (`CLAIMS`, "tail").
    """
    if "tail" not in spec.measure.claims:
        return np.ones(len(results), dtype=np.bool_)
    changes, _ = is_among(results.document, relevant)
    changes[:1] = True  # before it there is no value
    return changes


def at_every_rank(spec: Spec[Any, Any], base: Any, results: ResultList, changes: Bools) -> Floats:
    """(K,) the value of the list if it ended at each rank; ``changes`` says where it may differ from the one before.

    ``base`` is what the topic offers (`Spec.prepare`). The last is the value of the list itself.
    """
    if not len(results):
        return np.empty(0)
    trace = spec.trace(base, results)
    by_rank = spec.behind is None or spec.behind.kind is RANK
    if isinstance(trace, TextRanking) and spec.measure.pool is not None and by_rank:
        last = len(results) if spec.cutoff is None else int(spec.cutoff)
        ranks = np.minimum(np.arange(1, len(results) + 1), last)
        return spec.number_of(counts_at_ranks(trace, ranks))
    shared = isinstance(trace, TextRanking)
    if isinstance(trace, TextRanking) and "tail" in spec.measure.claims:
        # it sees what was found and read, not in which documents: a result without new gold is as one elsewhere
        changes = changes & (np.diff(trace.found, prepend=0) > 0)
        changes[:1] = True
    values, before = np.zeros(len(results)), np.nan
    for place, changed in enumerate(changes.tolist()):
        if changed:
            part = trace.first(place + 1) if shared else spec.trace(base, results.first(place + 1))
            before = spec.read(part)
        values[place] = before
    return values


def depth_within(steps: int, lists: Sequence[Bools]) -> int:
    """The rank up to which so many values can be computed in all lists; ``lists`` say which change."""
    longest = max(map(len, lists), default=0)
    by_rank = np.zeros(longest, dtype=np.int64)
    for changes in lists:
        by_rank[: len(changes)] += changes
    return int(np.searchsorted(np.cumsum(by_rank), steps, side="right"))


def shares(spec: Spec[Any, Any], base: Any, results: ResultList) -> bool:
    """Whether all ranks share what was counted, so that all values cost little more than one."""
    return isinstance(spec.trace(base, results.first(1)), TextRanking)
