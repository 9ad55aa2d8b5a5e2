"""XCG, the measures of INEX 2005: cumulated gain, effort-precision over gain-recall, Q and R.

The gain of a result is its score or, with ``overlap=on``, the score of its text that is new to the user. The measures
compare the cumulated gain of a run with the cumulated gain of the ideal ranking. Tied results are read in the order of
the file. Equations are numbered as in Kazai & Lalmas (2005).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, Sentence
from focuseval.measures import recall_base as recallbase
from focuseval.measures.curves import RECALL_LEVELS, TOLERANCE, at_ranks, means_up_to
from focuseval.measures.declaration import LEVEL, RANK, Cutoff, Measure, Parameter
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.model.arrays import Bools, Floats, Ints, divided
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList

#: the ranks of the nxCG curve: 1 %, 2 % … 100 % of a list of 1,500 results
NXCG_RANKS = tuple(range(15, 1501, 15))


@dataclass(frozen=True, eq=False)
class RelevantTree:
    """The relevant elements of a topic and their ancestors, as a tree.

    Gains that depend on the text seen before need the tree.
    """

    last: Ints  #: first row after the descendants of each element
    parent: Ints  #: index of each element's parent in the tree, -1 for roots
    size: Ints  #: size of each element, in units
    parts: Floats  #: sum of score times size over the parts of each element
    holder: Ints  #: index of the ideal element that equals or contains each element, -1 if there is none


@dataclass(frozen=True, eq=False)
class Ideal:
    """The gains of the ideal ranking, which has at least one result."""

    gain: Floats  #: positive gain of each result, in decreasing order

    def __len__(self) -> int:
        return len(self.gain)

    @cached_property
    def cumulated(self) -> Floats:
        """xCI, the cumulated gain at each rank."""
        return np.cumsum(self.gain)

    @cached_property
    def total(self) -> float:
        """The cumulated gain at the last rank."""
        return float(self.cumulated[-1])

    @cached_property
    def recall(self) -> Floats:
        """The gain-recall at each rank: the cumulated gain divided by the total."""
        return self.cumulated / self.total

    def rank_at(self, level: Floats) -> Floats:
        """Return the rank at which each level of gain-recall is reached (`rank_reached`)."""
        key = level.tobytes()
        if key not in self._ranks:
            self._ranks[key] = rank_reached(self.recall, level)
        return self._ranks[key]

    @cached_property
    def _ranks(self) -> dict[bytes, Floats]:
        return {}


@dataclass(frozen=True, eq=False)
class XcgBase:
    """The scored elements of a topic, and its ideal rankings."""

    collection: Collection
    element: Ints  #: sorted rows of the relevant elements and, with a tree, of their ancestors
    score: Floats
    tree: RelevantTree | None  #: None if results gain their scores (overlap=off, fetch_browse=article)
    ideal: tuple[Ideal, ...]  #: one ideal ranking for each cluster
    cluster: Ints | None  #: the document of each cluster, in increasing order; None without clusters


def prepare(
    topic: Topic,
    *,
    quantisation: str,
    overlap: str,
    own_text: str,
    ideal: str,
    fetch_browse: str,
) -> XcgBase | None:
    """Return the scored elements of a topic and the ideal gains, or None if nothing is relevant.

    The ideal ranking contains the full recall-base with ``overlap=off``, and the ideal recall-base with ``overlap=on``.
    With ``fetch_browse=article``, it contains the articles with relevant content. An article without a score of its own
    has the highest score inside it. With ``fetch_browse=element``, there is an ideal ranking for each article with
    relevant content. Raises InputError for ``overlap=on`` if sizes are unknown.
    """
    collection = topic.collection
    element, score = recallbase.full(topic, quantisation)
    if len(element) == 0:
        return None
    if fetch_browse == "article":
        root, score = recallbase.articles(collection, element, score)
        return XcgBase(collection, root, score, None, (Ideal(np.sort(score)[::-1]),), None)
    tree = None
    chosen = element, score
    if overlap == "on":
        if not collection.complete and (collection.end < 0).any():
            remedy = Sentence(GIVE_DOCUMENTS, ", or use overlap=off")
            raise InputError.of(f"topic {topic.name}", "overlap=on needs the sizes of elements", remedy)
        is_ideal = recallbase.ideal_elements(topic, quantisation, ideal)
        chosen = element[is_ideal], score[is_ideal]
        element, score, tree = _tree(collection, element, score, is_ideal, own_text)
    if fetch_browse == "off":
        return XcgBase(collection, element, score, tree, (Ideal(np.sort(chosen[1])[::-1]),), None)
    document = collection.document_of(chosen[0])
    order = np.lexsort((-chosen[1], document))
    cluster, begin = np.unique(document[order], return_index=True)
    ideals = tuple(map(Ideal, np.split(chosen[1][order], begin[1:])))
    return XcgBase(collection, element, score, tree, ideals, cluster)


def _tree(
    collection: Collection, element: Ints, score: Floats, is_ideal: Bools, own_text: str
) -> tuple[Ints, Floats, RelevantTree]:
    """Return the rows of the relevant elements and their ancestors, their scores, and their tree."""
    row = collection.with_ancestors(element)
    place = np.searchsorted(row, element)
    scores, flags = np.zeros(len(row)), np.zeros(len(row), dtype=bool)
    scores[place], flags[place] = score, is_ideal
    parent = recallbase.nearest(collection.parent, row)
    size = collection.end[row] - collection.start[row]
    child = parent >= 0
    parts = scores * collection.own_text_of(row) if own_text == "share" else np.zeros(len(row))
    np.add.at(parts, parent[child], (scores * size)[child])
    holder = recallbase.outermost(flags, parent)
    return row, scores, RelevantTree(collection.last[row], parent, size, parts, holder)


def derive_articles(collection: Collection, results: ResultList) -> ResultList:
    """Replace each result by its article, and keep only the first result of each article.

    For example, a1/e1, a1/e2, a2 become a1, a2. Unresolved results are all kept. Source: Kazai & Lalmas (2005), Section
    6.3.
    """
    root = np.where(results.resolved, collection.first[np.maximum(results.document, 0)], -1)
    keep = ~(pd.Index(root).duplicated() & results.resolved)
    at = root[keep]
    return ResultList(
        run=results.run,
        topic=results.topic,
        rank=results.rank[keep],
        document=results.document[keep],
        element=at,
        start=np.where(at >= 0, collection.start[at], results.start[keep]),
        end=np.where(at >= 0, collection.end[at], results.end[keep]),
    )


def gains(base: XcgBase, results: ResultList, alpha: float = 1.0) -> Floats:
    """Return the gain of each result: its score (Eq. 10) or, with a tree, the score of its new text (Eq. 7-9).

    Passages and unresolved results gain nothing, and their text does not count as seen. Without a tree, repeated
    elements gain nothing.
    """
    if base.tree is None:
        found, place = results.found_among(base.element)
        return np.where(found & ~results.repeats, base.score[place], 0.0)
    from focuseval.measures.gain import focussed_gains  # imported here, because this import is slow

    tree = base.tree
    of_tree = base.element, tree.last, tree.parent, tree.size, base.score, tree.parts, tree.holder
    place = np.searchsorted(base.element, results.element, side="right") - 1
    return focussed_gains(*of_tree, results.element, place, results.new_element_text, alpha)


@dataclass(frozen=True, eq=False)
class Curve:
    """The gains of the results of a list, and the ideal ranking with which they are compared."""

    gain: Floats  #: gain of each result, at least 0
    ideal: Ideal

    @cached_property
    def cumulated(self) -> Floats:
        """xCG, the cumulated gain at each rank (Eq. 4)."""
        return np.cumsum(self.gain)

    @cached_property
    def gaining(self) -> Ints:
        """The ranks, from 1, of all results with a gain above 0."""
        return np.flatnonzero(self.gain) + 1


def trace(base: XcgBase, results: ResultList, *, alpha: float, fetch_browse: str) -> tuple[Curve, ...]:
    """Return the gains of a list with the ideal gains: one curve, or one per article with ``fetch_browse=element``."""
    if fetch_browse == "article":
        results = derive_articles(base.collection, results)
    gain = gains(base, results, alpha)
    if base.cluster is None:
        return (Curve(gain, base.ideal[0]),)
    order = np.argsort(results.document, kind="stable")
    document = results.document[order]
    begin = np.searchsorted(document, base.cluster, side="left")
    end = np.searchsorted(document, base.cluster, side="right")
    return tuple(Curve(gain[order[a:b]], best) for a, b, best in zip(begin, end, base.ideal, strict=True))


def rank_reached(cumulated: Floats, level: Floats) -> Floats:
    """Return the rank at which a curve reaches each level, interpolated between ranks, or inf if it never does.

    The curve is piecewise linear and starts at (0, 0). Levels are above 0. If the curve is flat at a level, the
    rank at which the flat part begins is returned.
    """
    gain_at = np.concatenate([[0.0], cumulated])
    rank = cumulated.searchsorted(level - TOLERANCE)
    place = np.minimum(rank, max(len(cumulated) - 1, 0))
    low, high = gain_at[place], gain_at[np.minimum(place + 1, len(cumulated))]
    part = divided(level - low, high - low)
    return np.where(rank < len(cumulated), place + np.minimum(np.maximum(part, 0.0), 1.0), np.inf)


def nxcg(curve: Curve, rank: Ints) -> Floats:
    """Return ``nxCG[i] = xCG[i] / xCI[i]`` for each rank i: the cumulated gain relative to the ideal one (Eq. 5).

    After the end of a ranking, its cumulated gain is constant. nxCG is at least 0, and 1 for the ideal ranking. Higher
    is better.
    """
    return at_ranks(curve.cumulated, rank) / at_ranks(curve.ideal.cumulated, rank)


def effort_precision(curve: Curve, gain_recall: Floats) -> Floats:
    """Return ``ep[r] = i_ideal / i_run`` for each gain-recall r: the ideal effort divided by the run's (Eq. 11, 12).

    The effort i is the rank, interpolated linearly, at which the cumulated gain reaches r times the total gain of the
    ideal ranking. If the run never reaches this gain, ep is 0. At r = 0, ep is its limit, the first gain divided by the
    first ideal gain. r is in [0, 1]. ep is at least 0, and 1 for the ideal ranking. Higher is better.
    """
    ideal = curve.ideal
    if not len(curve.gaining):
        return np.zeros(len(gain_recall))
    run = rank_reached(curve.cumulated / ideal.total, gain_recall)
    limit = curve.gain[0] / ideal.gain[0]
    ratio = divided(ideal.rank_at(gain_recall), run)
    return np.where(gain_recall > TOLERANCE, ratio, limit)


def ma_nxcg(curve: Curve, rank: Ints) -> Floats:
    """Return ``MAnxCG[i]`` for each rank i, the mean of nxCG over the ranks up to i (Eq. 6).

    It is at least 0, and 1 for the ideal ranking. Higher is better.
    """
    return means_up_to(nxcg(curve, np.arange(1, rank.max(initial=0) + 1)), rank)


def imaep(curve: Curve) -> float:
    """Return iMAep, the mean effort-precision over gain-recall 0.01, 0.02 … 1.00 (Section 3.3).

    It is at least 0, and 1 for the ideal ranking. Higher is better.
    """
    return float(effort_precision(curve, RECALL_LEVELS).mean())


def maep(curve: Curve) -> float:
    """Return MAep, the mean effort-precision over the ranks with a gain (Section 3.3).

    Effort-precision at a rank is the rank at which the ideal ranking reaches the run's cumulated gain, divided by the
    rank. The sum is divided by the number of ranks with a gain, or by the length of the ideal ranking if this is
    larger. MAep is at least 0, and 1 for the ideal ranking. Higher is better.
    """
    ranks = curve.gaining
    if not len(ranks):
        return 0.0
    recall = np.minimum(curve.cumulated[ranks - 1] / curve.ideal.total, 1.0)
    ep = rank_reached(curve.ideal.recall, recall) / ranks
    return float(ep.sum()) / max(len(curve.ideal), len(ranks))


def q(curve: Curve) -> float:
    """Return ``Q``, the mean of ``(xCG[i] + n(i)) / (xCI[i] + i)`` over the ranks i with a gain (Eq. 13).

    n(i) is the number of ranks with a gain up to i. The sum is divided as in `maep`. Q is at least 0, and 1 for the
    ideal ranking. Higher is better.
    """
    ranks = curve.gaining
    bonus = curve.cumulated[ranks - 1] + np.arange(1, len(ranks) + 1)
    ratio = bonus / (at_ranks(curve.ideal.cumulated, ranks) + ranks)
    return float(ratio.sum()) / max(len(curve.ideal), len(ranks))


def r(curve: Curve) -> float:
    """Return ``R = (xCG[i] + n(i)) / (xCI[i] + i)`` at the rank i that equals the length of the ideal ranking (Eq. 14).

    n(i) is the number of ranks with a gain up to i. R is at least 0, and 1 for the ideal ranking. Higher is better.
    """
    relevant = len(curve.ideal)
    gained = float(at_ranks(curve.cumulated, np.array([relevant]))[0])
    return (gained + int((curve.gaining <= relevant).sum())) / (curve.ideal.total + relevant)


PARAMETERS = (
    Parameter(
        "quantisation",
        "gen",
        "how exhaustivity and specificity become one score",
        choices=tuple(QUANTISATIONS),
    ),
    Parameter(
        "alpha",
        1.0,
        "with overlap=on, discount of text seen before. 1: it gains nothing; 0: it gains as much as new text",
        low=0,
        high=1,
    ),
    Parameter(
        "overlap",
        "on",
        "on: near misses gain, and text seen before is discounted; off: every result gains its own score",
        choices=("on", "off"),
    ),
    Parameter(
        "own_text",
        "share",
        "with overlap=on, gain of a partially seen element. share: its text outside child elements counts as one more "
        "child; literal: only child elements count, as in Eq. 7",
        choices=("share", "literal"),
    ),
    Parameter(
        "ideal",
        "paper",
        "with overlap=on, how ideal elements are chosen",
        choices=tuple(recallbase.IDEAL_METHODS),
    ),
    Parameter(
        "fetch_browse",
        "off",
        "what is scored. off: the list of elements; article: the list of their articles; element: a list "
        "for each article, averaged over articles",
        choices=("off", "article", "element"),
        element_choices=("off", "element"),
    ),
)


Curves = tuple[Curve, ...]


def _mean(of_curve: Callable[[Curve], float]) -> Callable[[Curves], float]:
    """Return a function that computes a value of each cluster's curve, and averages the values.

    A list without clusters is one cluster.
    """
    return lambda curves: fmean([of_curve(curve) for curve in curves])


def _mean_at(of_curve: Callable[[Curve, Any], Floats]) -> Callable[[Curves, Any], Floats]:
    """Return a function that computes the values of each cluster's curve at cut-offs, and averages them."""

    def mean(curves: Curves, cutoffs: Any) -> Floats:
        values = [of_curve(curve, cutoffs) for curve in curves]
        if len(values) == 1:
            return values[0]
        return np.array([fmean(of) for of in zip(*(one.tolist() for one in values), strict=True)])

    return mean


def _measure(
    name: str,
    summary: str,
    equations: str,
    *,
    value: Callable[[Curve], float] | None = None,
    cutoff: Cutoff[Curve] | None = None,
) -> Measure[XcgBase, Curves]:
    return Measure(
        name=name,
        summary=summary,
        paper=f"Kazai & Lalmas 2005, {equations}",
        prepare=prepare,
        trace=trace,
        value=_mean(value) if value else None,
        parameters=PARAMETERS,
        cutoffs=(Cutoff(cutoff.kind, cutoff.summary, _mean_at(cutoff.at), cutoff.curve),) if cutoff else (),
        needs=frozenset({"judgements"}),
        bounds=(0.0, np.inf),
        claims=frozenset({"tail"}),
    )


MEASURES = (
    _measure(
        "nxCG",
        "cumulated gain at a rank, divided by the ideal cumulated gain; @curve: at ranks 15, 30 … 1,500",
        "Eq. 4, 5",
        cutoff=Cutoff(RANK, "rank", nxcg, NXCG_RANKS),
    ),
    _measure(
        "MAnxCG",
        "mean of nxCG over the ranks up to the cut-off",
        "Eq. 6",
        cutoff=Cutoff(RANK, "rank", ma_nxcg),
    ),
    _measure(
        "ep",
        "effort-precision at a gain-recall level; @curve: at 0.01, 0.02 … 1.00",
        "Eq. 11, 12",
        cutoff=Cutoff(LEVEL, "gain-recall", effort_precision, tuple(RECALL_LEVELS)),
    ),
    _measure("MAep", "mean effort-precision over the ranks with a gain", "Section 3.3", value=maep),
    _measure("iMAep", "mean effort-precision over gain-recall 0.01, 0.02 … 1.00", "Section 3.3", value=imaep),
    _measure("Q", "mean of the blended ratio (below) over the ranks with a gain", "Eq. 13", value=q),
    _measure("R", "blended ratio at the rank that equals the length of the ideal ranking", "Eq. 14", value=r),
)
