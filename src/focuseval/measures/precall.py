"""precall, the metric of INEX 2002: precision is the probability that a viewed component is relevant."""

from dataclasses import dataclass

import numpy as np

from focuseval.measures.curves import RECALL_LEVELS, TOLERANCE
from focuseval.measures.declaration import LEVEL, Cutoff, Measure, Parameter
from focuseval.measures.quantisation import PRECALL_QUANTISATIONS, quantised
from focuseval.model.arrays import Floats, Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class PrecallBase:
    """The relevant elements of a topic, their scores and total score, and the number of elements in the collection.

    The number of elements is None if it is unknown.
    """

    element: Ints
    score: Floats
    total: float
    elements: int | None


def prepare(topic: Topic, *, quantisation: str) -> PrecallBase | None:
    """Return the elements of a topic that have a positive score, or None if there are none."""
    score = quantised(topic, quantisation, PRECALL_QUANTISATIONS)
    relevant = score > 0
    if not relevant.any():
        return None
    size = topic.collection.elements if topic.collection.complete else None
    return PrecallBase(topic.element[relevant], score[relevant], float(score.sum()), size)


@dataclass(frozen=True, eq=False)
class WeakOrder:
    """The relevance and the non-relevance of each rank of a list.

    The last rank contains all elements of the collection that were not retrieved.
    """

    total: float  #: the total relevance of the recall-base (n in the formula)
    relevance: Floats  #: sum of the scores at each rank (r in the formula)
    non_relevance: Floats  #: number of elements at each rank, less their scores (i in the formula)


def trace(base: PrecallBase, results: ResultList) -> WeakOrder:
    """Return the relevance and the non-relevance of each rank of a list.

    Relevance is the sum of the scores at a rank. Non-relevance is the number of results there minus the relevance.
    """
    found, place = results.found_among(base.element)
    score = np.where(found & results.resolved & ~results.repeats, base.score[place], 0.0)
    ends = results.last_of_rank
    relevance = np.diff(np.cumsum(score)[ends], prepend=0.0)
    items = np.diff(ends, prepend=-1).astype(float)
    rest = max(base.total - float(score.sum()), 0.0)
    others = np.inf
    if base.elements is not None:
        others = base.elements - int(np.count_nonzero((results.element >= 0) & ~results.repeats))
    return WeakOrder(
        base.total, np.append(relevance, rest), np.append(items - relevance, max(others - rest, 0.0))
    )


def precision_at(order: WeakOrder, recall: Floats) -> Floats:
    """Return precision at each recall x: ``P(x) = X / (X + j + s i / (r + 1))`` with ``X = x n``.

    n is the total relevance. Cumulated relevance reaches X in a rank that has the relevance r and the non-relevance i.
    The ranks before it have the relevance X - s and the non-relevance j. Source: Gövert et al. (2006), Eq. 6-9.

    If the size of the collection is unknown, precision in the last rank is 0. ``recall`` is in (0, 1]. Precision is in
    [0, 1], and higher is better.
    """
    reached = np.cumsum(order.relevance)
    before = reached - order.relevance
    missed = np.concatenate([[0.0], np.cumsum(order.non_relevance[:-1])])
    wanted = recall * order.total
    rank = np.minimum(np.searchsorted(reached, wanted - TOLERANCE), len(reached) - 1)
    # If X is within the tolerance of 0, the search finds the first rank, even if this rank has no relevance.
    rank = np.maximum(rank, np.argmax(order.relevance > 0))
    still = wanted - before[rank]
    return wanted / (wanted + missed[rank] + still * order.non_relevance[rank] / (order.relevance[rank] + 1))


def average_precision(order: WeakOrder) -> float:
    """Return the mean precision over the levels of recall 0.01, 0.02 … 1.00.

    It is in [0, 1], and higher is better.
    """
    return float(precision_at(order, RECALL_LEVELS).mean())


def precision_at_levels(order: WeakOrder, levels: Floats) -> Floats:
    """Return precision at each level of recall in [0, 1].

    At recall 0, precision is its limit as recall approaches 0.
    """
    return precision_at(order, np.maximum(levels, np.finfo(float).tiny))


PRECALL = Measure(
    name="precall",
    summary="mean precision over recall 0.01, 0.02 … 1.00 (INEX 2002 metric); @level: precision at this recall",
    paper="Gövert et al. 2006, Eq. 6-9",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=(
        Parameter(
            "quantisation",
            "strict",
            "how exhaustivity and specificity become one score",
            choices=tuple(PRECALL_QUANTISATIONS),
        ),
    ),
    cutoffs=(Cutoff(LEVEL, "recall", precision_at_levels, tuple(RECALL_LEVELS)),),
    needs=frozenset({"judgements", "elements"}),
    without_collection="precision counts as 0 at recall levels that no result reaches, as the collection is unknown",
    reads_ties=True,
    claims=frozenset({"ties"}),
)

MEASURES = (PRECALL,)
