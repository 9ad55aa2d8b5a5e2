"""Facts that answers should have (nuggets, the aspects of gold passages): vital or okay, and soon rather than again.

A result has the nuggets of the gold passages that it shares text with. One whose name begins with ``okay:`` may be
there, all others are vital. Higher is better.
"""

from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np

from focuseval.errors import InputError
from focuseval.measures import classical, diversity
from focuseval.measures.classical import Ranking
from focuseval.measures.curves import at_ranks
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.measures.diversity import GoldAspects, held_by
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.intervals import project
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList

#: how the name of a nugget that is not vital begins
OKAY = "okay:"

#: how many lists are followed at once on the way to the ideal one, as epic_eval does
BEAM = 10

#: how many answers times nuggets an ideal list may be chosen from: more than sentences have
LARGEST = 10**7


def _vital(gold: GoldAspects) -> Bools:
    """(M,) whether each nugget is vital."""
    return np.array([not name.startswith(OKAY) for name in gold.names])


def _worth(gold: GoldAspects, okay: float) -> Floats:
    """(M,) 1 for a vital nugget, ``okay`` for another."""
    return np.where(_vital(gold), 1.0, okay)


def prepare(topic: Topic, *, okay: float) -> GoldAspects | None:
    """The gold passages with their nuggets, or None if none of these is worth anything."""
    gold = diversity.prepare(topic)
    return gold if gold is not None and _worth(gold, okay).any() else None


def trace_recall(gold: GoldAspects, results: ResultList, *, okay: float) -> Floats:
    """(K,) ``Σ w of what is found / Σ w``, w being 1 for vital nuggets and ``okay`` for others."""
    worth = _worth(gold, okay)
    return np.logical_or.accumulate(held_by(gold, results)) @ worth / worth.sum()


def prepare_vital(topic: Topic) -> GoldAspects | None:
    """The gold passages with their nuggets, or None if none is vital."""
    return prepare(topic, okay=0.0)


def trace_f(gold: GoldAspects, results: ResultList, *, beta: float, allowance: float) -> Floats:
    """(K,) ``(beta² + 1) P R / (beta² P + R)`` of the results up to each. In [0, 1].

    R is the share of the vital nuggets that is found; P is ``min(1, allowed / length)``, where each nugget found, vital
    or not, allows ``allowance`` units of text. Voorhees 2003: ``1 - (length - allowed) / length``, which is the same.
    """
    found = np.logical_or.accumulate(held_by(gold, results))
    recall = found[:, _vital(gold)].mean(axis=1)
    length = np.maximum(np.cumsum(results.size), 1)
    precision = np.minimum(1.0, allowance * found.sum(axis=1) / length)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num((beta**2 + 1) * precision * recall / (beta**2 * precision + recall))


@dataclass(frozen=True, eq=False)
class JudgedUnits:
    """The units of D documents, each from its first gold to its last, one after the other: U, with M nuggets."""

    place: tuple[Ints, Ints, Ints]  #: documents, rising, first units, ends (D,)
    has: Bools  #: (U, M) which nuggets each unit has

    def gains(self, low: Ints, high: Ints, size: Ints, seen: Bools, variant: str) -> Floats:
        """(C,) ``n (n + 1) / (n + f)`` of answers ``[low, high)`` of some size that have n nuggets not yet seen.

        f is how many units an answer has: without a nugget; with a new one, all of these being 1 if not ``exact``; and
        with known ones only, if not ``partial``.
        """
        new = self.has & ~seen
        columns = np.column_stack([new, new.any(axis=1), self.has.any(axis=1)])
        before = np.concatenate([np.zeros_like(columns[:1], dtype=np.int64), np.cumsum(columns, axis=0)])
        *of_nugget, novel, known = (before[high] - before[low]).T
        count = (np.array(of_nugget) > 0).sum(axis=0)
        factor = size - known + (novel if variant == "exact" else np.minimum(novel, 1))
        factor += 0 if variant == "partial" else known - novel
        return np.where(count > 0, count * (count + 1) / np.maximum(count + factor, 1), 0.0)

    def ideal(self, variant: str) -> Floats:
        """(R,) gains of the best list of answers, each some units that follow each other: by beam search."""
        ends = np.cumsum(self.place[2] - self.place[1])
        pairs = [
            np.stack(np.triu_indices(n)) + end - n
            for n, end in zip(np.diff(ends, prepend=0), ends, strict=True)
        ]
        low, last = np.concatenate(pairs, axis=1)
        lists = [(0.0, np.zeros(self.has.shape[1], dtype=np.bool_), ())]
        while True:
            gains = np.stack(
                [self.gains(low, last + 1, last + 1 - low, seen, variant) for _, seen, _ in lists]
            )
            sums = np.array([[total] for total, _, _ in lists]) + gains / log2(len(lists[0][2]) + 2)
            best = np.argsort(np.where(gains > 0, -sums, 0.0), axis=None, kind="stable")[:BEAM]
            best = best[gains.flat[best] > 0]
            if not len(best):
                return np.array(max(lists, key=lambda one: one[0])[2])
            lists = [
                (
                    float(sums[i, j]),
                    lists[i][1] | self.has[low[j] : last[j] + 1].any(axis=0),
                    (*lists[i][2], float(gains[i, j])),
                )
                for i, j in zip(*np.unravel_index(best, gains.shape), strict=True)
            ]


def prepare_units(topic: Topic) -> JudgedUnits | None:
    """The units with their nuggets, or None if no gold has any. Raises InputError where units are not sentences."""
    gold = diversity.prepare(topic)
    if gold is None:
        return None
    spans = gold.spans
    documents, of = np.unique(spans.document, return_inverse=True)
    first, end = np.full(len(documents), spans.start.max()), np.zeros(len(documents), dtype=np.int64)
    np.minimum.at(first, of, spans.start)
    np.maximum.at(end, of, spans.end)
    size = end - first
    if (count := int((size * (size + 1) // 2).sum())) * len(gold.names) > LARGEST:
        found = f"{count:,} stretches of units between the first gold of a document and its last"
        raise InputError.of(f"NDNS of topic {topic.name}", found, "gold and runs counted in sentences")
    has = np.zeros((int(size.sum()), len(gold.names)), dtype=np.bool_)
    start = spans.start - first[of] + (np.cumsum(size) - size)[of]
    for low, high, names in zip(start, start + spans.end - spans.start, gold.has, strict=True):
        has[low:high] |= names
    return JudgedUnits((documents, first, end), has)


def trace_ndns(gold: JudgedUnits, results: ResultList, *, variant: str) -> Ranking:
    """The gains of the list, a nugget being seen once it is found, and those of the ideal list."""
    low, high = project(*gold.place, results.document, results.start, results.end)
    gains, seen = np.zeros(len(results)), np.zeros(gold.has.shape[1], dtype=np.bool_)
    after = 0
    while after < len(results):
        left = slice(after, None)
        found = gold.gains(low[left], high[left], results.size[left], seen, variant)
        if not found.any():
            break
        at = after + int(np.argmax(found > 0))
        gains[at] = found[at - after]
        seen |= gold.has[low[at] : high[at]].any(axis=0)
        after = at + 1
    return Ranking.of(gains, gold.ideal(variant))


NUGGET_RECALL: Measure[Any, Any] = Measure(
    name="nugget_recall",
    summary="share of the nuggets that the first k results find, those that may be there counting less",
    paper="Voorhees 2003; Pradeep et al. 2024",
    prepare=prepare,
    trace=trace_recall,
    parameters=(Parameter("okay", 0.5, f"worth of a nugget named {OKAY}…, others being worth 1", high=1.0),),
    cutoffs=(Cutoff(RANK, "result", at_ranks),),
    needs=frozenset({"spans", "aspects"}),
    claims=frozenset({"tail"}),
)
NUGGET_F = replace(
    NUGGET_RECALL,
    name="nugget_F",
    summary="recall of vital nuggets and brevity, weighted as F",
    paper="Voorhees 2003",
    prepare=prepare_vital,
    trace=trace_f,
    parameters=(
        Parameter("beta", 3.0, "how many times as much recall counts as brevity", high=100.0),
        Parameter("allowance", 100.0, "units of text that each nugget found allows"),
    ),
    claims=frozenset(),
)
NDNS = replace(
    NUGGET_RECALL,
    name="NDNS",
    summary="new nuggets of answers made of sentences, less for sentences without any; over those of the ideal list",
    paper="Goodwin et al. 2022; epic_eval",
    prepare=prepare_units,
    trace=trace_ndns,
    value=classical.ndcg,
    parameters=(
        Parameter(
            "variant", "exact", "which sentences count: all; new ones once; these, and known ones not",
            ("exact", "relaxed", "partial"),
        ),
    ),
    cutoffs=classical.NDCG.cutoffs,
    bounds=(0.0, float("inf")),
)  # fmt: skip

MEASURES = (NUGGET_RECALL, NUGGET_F, NDNS)
