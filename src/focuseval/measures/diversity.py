"""Diversity over the aspects of gold passages: how many are found, how soon, and how often again.

The numbers are those of TREC's ndeval, gold passages in the place of its documents and results in that of its ranks: a
result finds the gold passages that it shares text with and none before it did, and has the aspects of these. Text that
is returned again finds nothing. Higher is better.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from focuseval.measures import classical, genomics
from focuseval.measures.classical import Ranking
from focuseval.measures.curves import at_ranks
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.measures.genomics import in_order_of_names
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.intervals import meetings
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class GoldAspects:
    """G gold passages, each once, by falling name of the document and place, and which of M aspects each has."""

    spans: Spans  #: (G,)
    has: Bools  #: (G, M)
    names: list[str]  #: of the aspects


def prepare(topic: Topic) -> GoldAspects | None:
    """The gold passages with their aspects; those of one interval are one. None if none of them has an aspect."""
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


def held_by(gold: GoldAspects, results: ResultList) -> Bools:
    """(K, M) the aspects that each result has."""
    spans = gold.spans
    place = spans.document, spans.start, spans.end
    one, other, _ = meetings(*place, results.own_document, results.start, results.end)
    passage, first = np.unique(other, return_index=True)
    held = np.zeros((len(results), gold.has.shape[1]), dtype=np.bool_)
    np.logical_or.at(held, one[first], gold.has[passage])
    return held


def _gains(held: Bools, alpha: float) -> Floats:
    """(K,) ``Σ_i J_i(k) (1 - alpha)^(r_i)``, aspect i being held by r_i of the results before k."""
    before: Ints = np.cumsum(held, axis=0, dtype=np.int64) - held
    return np.asarray((held * (1 - alpha) ** before).sum(axis=1))


def _ideal(has: Bools, alpha: float) -> Floats:
    """(G,) gains of the ideal list: always the passage that gains most, of equal ones the first, as in ndeval."""
    left, worth, gains = has.astype(float), np.ones(has.shape[1]), []
    for _ in range(len(has)):
        best = int(np.argmax(left @ worth))
        gains.append(float(left[best] @ worth))
        worth = np.where(left[best] > 0, worth * (1 - alpha), worth)
        left[best] = 0.0
    return np.array(gains)


def trace_recall(gold: GoldAspects, results: ResultList) -> Floats:
    """(K,) share of the aspects that the results up to each have."""
    return np.logical_or.accumulate(held_by(gold, results)).mean(axis=1)


def trace_gains(gold: GoldAspects, results: ResultList, *, alpha: float) -> Ranking:
    """The gains of the list and of the ideal list (Clarke et al. 2008)."""
    held = held_by(gold, results)
    return Ranking.of(_gains(held, alpha), _ideal(gold.has, alpha))


def trace_err(gold: GoldAspects, results: ResultList, *, alpha: float) -> tuple[Floats, float]:
    """(K,) ``1/M Σ_(j<=k) gain(j) / j`` of the results up to each, and alpha."""
    gains = _gains(held := held_by(gold, results), alpha)
    return np.cumsum(gains / np.arange(1, len(held) + 1)) / held.shape[1], alpha


def err_at(err: tuple[Floats, float], ranks: Ints) -> Floats:
    """ERR-IA over the first k results, over its highest value ``Σ_(j<=k) (1 - alpha)^(j-1) / j``. In [0, 1].

    Chapelle et al. 2009 with aspects that are equally probable and satisfy with probability alpha: there,
    ``alpha`` times the sum is not divided by the highest value. ndeval divides.
    """
    curve, alpha = err
    highest = np.cumsum((1 - alpha) ** np.arange(ranks.max()) / np.arange(1, ranks.max() + 1))
    return at_ranks(curve, ranks) / highest[ranks - 1]


def trace_nrbp(gold: GoldAspects, results: ResultList, *, alpha: float, beta: float) -> float:
    """``(1 - (1 - alpha) beta) / M Σ_k beta^(k-1) gain(k)``. In [0, 1]. Clarke et al. 2009."""
    gains = _gains(held := held_by(gold, results), alpha)
    patience = beta ** np.arange(len(gains))
    return float((1 - (1 - alpha) * beta) * (patience * gains).sum() / held.shape[1])


_ALPHA = Parameter("alpha", 0.5, "what of an aspect's worth is lost each time that it is found", high=1.0)
_BETA = Parameter("beta", 0.5, "probability of going on to the next result", high=1.0)

STRECALL: Measure[Any, Any] = Measure(
    name="StRecall",
    summary="share of the aspects (subtopics) that the first k results find: S-recall, I-rec",
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
    summary="nDCG whose gains are aspects, less each time; a result with several gold passages can exceed the ideal's",
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
    summary="expected reciprocal rank, mean over aspects, over the highest that there can be",
    paper="Chapelle et al. 2009; ndeval, ERR-IA",
    trace=trace_err,
    parameters=(_ALPHA,),
    cutoffs=(Cutoff(RANK, "result", err_at),),
)
NRBP = replace(
    STRECALL,
    name="NRBP",
    summary="novelty- and rank-biased precision: rank-biased gains of aspects, less each time that one is found",
    paper="Clarke et al. 2009; ndeval, NRBP",
    trace=trace_nrbp,
    value=float,
    parameters=(_ALPHA, _BETA),
    cutoffs=(),
)

MEASURES = (STRECALL, ALPHA_NDCG, ERR_IA, NRBP)
