"""Diversity over the aspects of gold passages: how many are found, how soon, and how often they are repeated.

Values are computed as in TREC's program ndeval, with gold passages in place of relevant documents. A result finds each
gold passage that it overlaps, unless an earlier result overlaps the passage. A result has the aspects of the passages
that it finds, so repeated text earns nothing. Higher is better.

Nuggets are the aspects of gold for generated answers. A nugget is optional if its name begins with ``okay:``, and vital
otherwise.
"""

from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np

from focuseval.errors import InputError
from focuseval.measures import classical, genomics
from focuseval.measures.classical import ItemRanking
from focuseval.measures.curves import at_ranks
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.measures.genomics import in_order_of_names
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.intervals import meetings, project
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class GoldAspects:
    """The distinct gold passages of a topic, and their aspects.

    Passages are in descending order of document name, start and end.
    """

    spans: Spans
    has: Bools  #: mask of the aspects (columns) of each passage (row)
    names: list[str]


def prepare(topic: Topic) -> GoldAspects | None:
    """Return the gold passages with their aspects, or None if no passage has an aspect.

    Passages at one position are merged, and keep all their aspects.
    """
    gold = genomics.prepare_aspects(topic)
    if gold is None:
        return None
    passage, aspect = gold.aspects
    _, first = np.unique(gold.spans.interval, return_index=True)
    has = np.zeros((len(first), len(gold.aspect_names)), dtype=np.bool_)
    has[gold.spans.interval[passage], aspect] = True
    spans = gold.spans.among(first)
    order = np.lexsort((spans.end, spans.start, in_order_of_names(gold.names, spans.document)))[::-1]
    return GoldAspects(spans.among(order), has[order], gold.aspect_names)


def find_aspects(gold: GoldAspects, results: ResultList) -> Bools:
    """Return a mask of aspects (columns) of each result (row). Gold counts for the first result that overlaps it."""
    spans = gold.spans
    place = spans.document, spans.start, spans.end
    one, other, _ = meetings(*place, results.own_document, results.start, results.end)
    passage, first = np.unique(other, return_index=True)
    held = np.zeros((len(results), gold.has.shape[1]), dtype=np.bool_)
    np.logical_or.at(held, one[first], gold.has[passage])
    return held


def _gains(held: Bools, alpha: float) -> Floats:
    """Return the gain of each result: the sum of ``(1 - alpha)^r`` over its aspects.

    r is the number of earlier results that have the aspect.
    """
    before: Ints = np.cumsum(held, axis=0, dtype=np.int64) - held
    return np.asarray((held * (1 - alpha) ** before).sum(axis=1))


def _ideal(has: Bools, alpha: float) -> Floats:
    """Return the gains of the ideal list, which has at each rank the first passage with the largest remaining gain."""
    left, worth, gains = has.astype(float), np.ones(has.shape[1]), []
    for _ in range(len(has)):
        best = int(np.argmax(left @ worth))
        gains.append(float(left[best] @ worth))
        worth = np.where(left[best] > 0, worth * (1 - alpha), worth)
        left[best] = 0.0
    return np.array(gains)


def trace_recall(gold: GoldAspects, results: ResultList) -> Floats:
    """Return the share of a topic's aspects that the results up to each rank have."""
    return np.logical_or.accumulate(find_aspects(gold, results)).mean(axis=1)


def trace_gains(gold: GoldAspects, results: ResultList, *, alpha: float) -> ItemRanking:
    """Return the gains of the results and of the ideal list, for α-nDCG (Clarke et al. 2008)."""
    held = find_aspects(gold, results)
    return ItemRanking.of(_gains(held, alpha), _ideal(gold.has, alpha))


def trace_err(gold: GoldAspects, results: ResultList, *, alpha: float) -> tuple[Floats, float]:
    """Return unnormalised intent-aware expected reciprocal rank (ERR-IA) at each rank k, and ``alpha``.

    ERR-IA is ``1/M Σ_(j<=k) gain(j) / j`` for M aspects, where gain(j) is the gain of result j.
    """
    gains = _gains(held := find_aspects(gold, results), alpha)
    return np.cumsum(gains / np.arange(1, len(held) + 1)) / held.shape[1], alpha


def err_at(err: tuple[Floats, float], ranks: Ints) -> Floats:
    """Return normalised ERR-IA at each of the ``ranks``. It is in [0, 1], and higher is better.

    Normalisation divides ERR-IA at rank k by its maximum ``Σ_(j<=k) (1 - alpha)^(j-1) / j``, as in ndeval. Chapelle et
    al. (2009) multiply the sum by ``alpha`` instead. ``alpha`` is the probability that a result with an aspect
    satisfies the users who want this aspect. All aspects are equally probable.
    """
    curve, alpha = err
    highest = np.cumsum((1 - alpha) ** np.arange(ranks.max()) / np.arange(1, ranks.max() + 1))
    return at_ranks(curve, ranks) / highest[ranks - 1]


def trace_nrbp(gold: GoldAspects, results: ResultList, *, alpha: float, beta: float) -> float:
    """Return novelty- and rank-biased precision, ``(1 - (1 - alpha) beta) / M Σ_k beta^(k-1) gain(k)`` for M aspects.

    gain(k) is the gain of result k. NRBP is in [0, 1], and higher is better. Source: Clarke et al. (2009).
    """
    gains = _gains(held := find_aspects(gold, results), alpha)
    patience = beta ** np.arange(len(gains))
    return float((1 - (1 - alpha) * beta) * (patience * gains).sum() / held.shape[1])


_ALPHA = Parameter("alpha", 0.5, "share of its gain that an aspect loses each time it is found", high=1.0)
_BETA = Parameter("beta", 0.5, "probability that a user goes on to the next result", high=1.0)

STRECALL: Measure[Any, Any] = Measure(
    name="StRecall",
    summary="share of the topic's aspects (subtopics) found up to the rank; also called S-recall or I-rec",
    paper="Zhai et al. 2003; ndeval, strec",
    prepare=prepare,
    trace=trace_recall,
    cutoffs=(Cutoff(RANK, "result", at_ranks),),
    needs=frozenset({"spans", "aspects"}),
    claims=frozenset({"tail"}),
)
ALPHA_NDCG = replace(
    STRECALL,
    name="alpha_nDCG",
    summary="nDCG of aspects, where repeated aspects gain less; can exceed 1 if a result has several gold passages",
    paper="Clarke et al. 2008; ndeval, alpha-nDCG",
    trace=trace_gains,
    value=classical.ndcg,
    parameters=(_ALPHA,),
    cutoffs=classical.NDCG.cutoffs,
    bounds=(0.0, float("inf")),
)
ERR_IA = replace(
    STRECALL,
    name="ERR_IA",
    summary="expected reciprocal rank, averaged over aspects and divided by its highest possible value",
    paper="Chapelle et al. 2009; ndeval, ERR-IA",
    trace=trace_err,
    parameters=(_ALPHA,),
    cutoffs=(Cutoff(RANK, "result", err_at),),
)
NRBP = replace(
    STRECALL,
    name="NRBP",
    summary="novelty- and rank-biased precision: rank-biased gain of aspects, where repeated aspects gain less",
    paper="Clarke et al. 2009; ndeval, NRBP",
    trace=trace_nrbp,
    value=float,
    parameters=(_ALPHA, _BETA),
    cutoffs=(),
)


#: a nugget is optional if its name begins with this prefix
OKAY = "okay:"

#: number of candidate lists that the beam search for the ideal list keeps at each rank, as in epic_eval
BEAM = 10

#: maximum product of the numbers of possible answers and nuggets; above it, the search for the ideal list is too slow
LARGEST = 10**7


def _vital(gold: GoldAspects) -> Bools:
    """Return a mask of the nuggets that are vital, not optional."""
    return np.array([not name.startswith(OKAY) for name in gold.names])


def _worth(gold: GoldAspects, okay: float) -> Floats:
    """Return the weight of each nugget: 1 if it is vital, ``okay`` if it is optional."""
    return np.where(_vital(gold), 1.0, okay)


def prepare_nuggets(topic: Topic, *, okay: float) -> GoldAspects | None:
    """Return the gold passages with nuggets, or None if no nugget has a weight (1 if vital, else ``okay``) above 0."""
    gold = prepare(topic)
    return gold if gold is not None and _worth(gold, okay).any() else None


def trace_nugget_recall(gold: GoldAspects, results: ResultList, *, okay: float) -> Floats:
    """Return the weighted share of the nuggets found up to each rank.

    A vital nugget has the weight 1, and an optional nugget has the weight ``okay``.
    """
    worth = _worth(gold, okay)
    return np.logical_or.accumulate(find_aspects(gold, results)) @ worth / worth.sum()


def prepare_vital(topic: Topic) -> GoldAspects | None:
    """Return the gold passages with their nuggets, or None if no nugget is vital."""
    return prepare_nuggets(topic, okay=0.0)


def trace_f(gold: GoldAspects, results: ResultList, *, beta: float, allowance: float) -> Floats:
    """Return the F-score of nuggets at each rank: ``(beta² + 1) P R / (beta² P + R)``.

    F is in [0, 1], and higher is better. R is the share of the vital nuggets found up to the rank. P is
    ``min(1, allowed / length)``, where ``length`` is the size of the results up to the rank. ``allowed`` is
    ``allowance`` units of text for each nugget found. Voorhees (2003) writes P as ``1 - (length - allowed) / length``.
    """
    found = np.logical_or.accumulate(find_aspects(gold, results))
    recall = found[:, _vital(gold)].mean(axis=1)
    length = np.maximum(np.cumsum(results.size), 1)
    precision = np.minimum(1.0, allowance * found.sum(axis=1) / length)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num((beta**2 + 1) * precision * recall / (beta**2 * precision + recall))


@dataclass(frozen=True, eq=False)
class JudgedUnits:
    """The judged units of text of a topic, such as sentences, and their nuggets.

    In each document, the judged units range from the start of the first gold to the end of the last gold.
    """

    #: the documents in increasing order, and the starts and ends of their judged units
    place: tuple[Ints, Ints, Ints]
    has: Bools  #: mask of the nuggets (columns) of each unit (row)

    def gains(self, low: Ints, high: Ints, size: Ints, seen: Bools, variant: str) -> Floats:
        """Return the gain ``n (n + 1) / (n + f)`` of each answer, which has n nuggets that are not ``seen``.

        An answer has ``size`` units. Its judged units are ``low`` … ``high`` - 1. f is the sum of:

        - the number of units without a nugget
        - the number of units with a new nugget; unless ``variant`` is "exact", at most 1 is added
        - the number of units with seen nuggets only; if ``variant`` is "partial", 0 is added
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
        """Return the gain at each rank of the best list of answers, found by beam search.

        An answer may be any sequence of consecutive judged units of one document.
        """
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
    """Return the judged units with their nuggets, or None if the gold has no nuggets.

    Raises InputError if there are too many possible answers, for example because units are smaller than sentences.
    """
    gold = prepare(topic)
    if gold is None:
        return None
    spans = gold.spans
    documents, index = np.unique(spans.document, return_inverse=True)
    first, end = np.full(len(documents), spans.start.max()), np.zeros(len(documents), dtype=np.int64)
    np.minimum.at(first, index, spans.start)
    np.maximum.at(end, index, spans.end)
    size = end - first
    if (count := int((size * (size + 1) // 2).sum())) * len(gold.names) > LARGEST:
        found = f"there are {count:,} sequences of units between the first and the last gold of a document"
        raise InputError.of(
            f"NDNS of topic {topic.name}", found, "use sentences as the unit of gold and runs"
        )
    has = np.zeros((int(size.sum()), len(gold.names)), dtype=np.bool_)
    start = spans.start - first[index] + (np.cumsum(size) - size)[index]
    for low, high, names in zip(start, start + spans.end - spans.start, gold.has, strict=True):
        has[low:high] |= names
    return JudgedUnits((documents, first, end), has)


def trace_ndns(gold: JudgedUnits, results: ResultList, *, variant: str) -> ItemRanking:
    """Return the gains of the results and of the ideal list, for NDNS (`JudgedUnits.gains`).

    A nugget counts only in the first result that contains it.
    """
    low, high = project(*gold.place, results.document, results.start, results.end)
    gains, seen = np.zeros(len(results)), np.zeros(gold.has.shape[1], dtype=np.bool_)
    after = 0
    while after < len(results):
        left = slice(after, None)
        gain = gold.gains(low[left], high[left], results.size[left], seen, variant)
        if not gain.any():
            break
        at = after + int(np.argmax(gain > 0))
        gains[at] = gain[at - after]
        seen |= gold.has[low[at] : high[at]].any(axis=0)
        after = at + 1
    return ItemRanking.of(gains, gold.ideal(variant))


NUGGET_RECALL: Measure[Any, Any] = Measure(
    name="nugget_recall",
    summary="share of the topic's nuggets found up to the rank; optional nuggets count less",
    paper="Voorhees 2003; Pradeep et al. 2024",
    prepare=prepare_nuggets,
    trace=trace_nugget_recall,
    parameters=(
        Parameter("okay", 0.5, f"weight of an optional nugget ({OKAY}…); vital nuggets weigh 1", high=1.0),
    ),
    cutoffs=(Cutoff(RANK, "result", at_ranks),),
    needs=frozenset({"spans", "aspects"}),
    claims=frozenset({"tail"}),
)
NUGGET_F = replace(
    NUGGET_RECALL,
    name="nugget_F",
    summary="F-score that combines the recall of vital nuggets with brevity",
    paper="Voorhees 2003",
    prepare=prepare_vital,
    trace=trace_f,
    parameters=(
        Parameter("beta", 3.0, "weight of recall relative to brevity", high=100.0),
        Parameter("allowance", 100.0, "units of text allowed for each nugget found"),
    ),
    claims=frozenset(),
)
NDNS = replace(
    NUGGET_RECALL,
    name="NDNS",
    summary="gain of new nuggets in answers, divided by that of the ideal list; answers of many sentences gain less",
    paper="Goodwin et al. 2022; epic_eval",
    prepare=prepare_units,
    trace=trace_ndns,
    value=classical.ndcg,
    parameters=(
        Parameter(
            "variant", "exact",
            "which sentences of an answer count. exact: all; relaxed: as exact, but all with new nuggets together "
            "count as one; partial: as relaxed, but sentences with only known nuggets do not count",
            ("exact", "relaxed", "partial"),
        ),
    ),
    cutoffs=classical.NDCG.cutoffs,
    bounds=(0.0, float("inf")),
)  # fmt: skip

MEASURES = (STRECALL, ALPHA_NDCG, ERR_IA, NRBP, NUGGET_RECALL, NUGGET_F, NDNS)
