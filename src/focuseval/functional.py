"""Measures as plain functions of lists, arrays and parent pointers, for one topic and one result list.

The functions need no files, names or collections. They run the code of the declared measures (`focuseval.MEASURES`).
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from focuseval.errors import InputError
from focuseval.measures import classical, focused, ratios, recall_base, structural, text, xcg
from focuseval.measures.curves import RECALL_LEVELS
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights
from focuseval.model.results import ResultList

#: an array with an interval in each row: ``(start, end)``, or ``(document, start, end)`` with an integer document
Intervals: TypeAlias = ArrayLike


def columns_of(intervals: Intervals, name: str) -> tuple[Ints, Ints, Ints]:
    """Return the documents, the starts and the ends of intervals.

    Raises InputError if the array does not contain intervals. The message calls the array ``name``.
    """
    rows = np.asarray(intervals, dtype=np.int64)
    if rows.size == 0:
        rows = rows.reshape(0, 3)
    elif rows.shape[-1] == 2:
        rows = np.insert(rows, 0, 0, axis=-1)
    if rows.ndim != 2 or rows.shape[1] != 3 or (rows < 0).any() or (rows[:, 1] > rows[:, 2]).any():
        expected = "expected rows of (start, end) or (document, start, end), with 0 <= start <= end"
        raise InputError.of(name, f"the value is {intervals!r}", expected)
    document, start, end = rows.T
    return document, start, end


def reading(gold: Intervals, results: Intervals, counting: str = "once") -> text.TextRanking:
    """Return the results as a ranking that computes how much text and gold they contain.

    ``counting`` states how repeated text counts (see `char_recall`).
    """
    marked = Highlights(*merge(*columns_of(gold, "gold")))
    relevant = text.RelevantUnits(marked, int((marked.end - marked.start).sum()), None, in_words=False)
    document, start, end = columns_of(results, "results")
    ranks = np.arange(1, len(start) + 1)
    return text.TextRanking(
        relevant, ResultList("", "", ranks, document, -np.ones_like(ranks), start, end), counting
    )


def char_recall(gold: Intervals, results: Intervals, *, counting: str = "once") -> float:
    """Return the share of the gold text that was returned: ``|gold ∩ results| / |gold|``.

    ``counting`` states how repeated text counts. With "once", it counts once. With "summed", it counts in each result.
    With "chroma", found gold counts once, and returned text counts in each result.

    >>> char_recall([(100, 200)], [(80, 180), (120, 220), (100, 150)])
    1.0
    >>> char_recall([(100, 200)], [(80, 180), (120, 220), (100, 150)], counting="summed")
    2.1
    """
    return float(ratios.recall(text.counts(reading(gold, results, counting))))


def char_precision(gold: Intervals, results: Intervals, *, counting: str = "once") -> float:
    """Return the share of the returned text that is gold: ``|gold ∩ results| / |results|``.

    ``counting`` states how repeated text counts (see `char_recall`).

    >>> round(char_precision([(100, 200)], [(80, 180), (120, 220), (100, 150)]), 3)
    0.714
    """
    return float(ratios.precision(text.counts(reading(gold, results, counting))))


def char_f1(gold: Intervals, results: Intervals, *, counting: str = "once") -> float:
    """Return the harmonic mean of `char_precision` and `char_recall`.

    ``counting`` states how repeated text counts (see `char_recall`).

    >>> char_f1([(0, 10)], [(5, 15)])
    0.5
    """
    return float(ratios.f1(text.counts(reading(gold, results, counting))))


def iou(gold: Intervals, results: Intervals, *, counting: str = "once") -> float:
    """Return intersection over union: ``|gold ∩ results| / |gold ∪ results|``.

    ``counting`` states how repeated text counts (see `char_recall`).

    >>> round(iou([(0, 10)], [(5, 15)]), 3)
    0.333
    """
    return float(ratios.intersection_over_union(text.counts(reading(gold, results, counting))))


def average_interpolated_precision(gold: Intervals, results: Intervals) -> float:
    """Return average interpolated precision (AiP) over characters.

    AiP is the mean of interpolated precision at the recall levels 0.00, 0.01 … 1.00. Interpolated precision at a level
    is the highest precision at any recall of at least this level.

    >>> round(average_interpolated_precision([(100, 200)], [(80, 180), (120, 220), (100, 150)]), 3)
    0.783
    """
    return focused.average(reading(gold, results))


def precision_at(relevant: ArrayLike, k: int) -> float:
    """Return the share of the first ``k`` results that are relevant.

    ``relevant`` states whether each result is relevant. The divisor is ``k`` even if there are fewer results.

    >>> precision_at([True, False, True], 5)
    0.4
    """
    return float(classical.precision_at(_items(relevant, 1), np.array([k]))[0])


def reciprocal_rank(relevant: ArrayLike) -> float:
    """Return 1 divided by the rank of the first relevant result, or 0 if no result is relevant.

    >>> reciprocal_rank([0, 0, 1])
    0.3333333333333333
    """
    return classical.reciprocal_rank(_items(relevant, 1))


def average_precision(relevant: ArrayLike, total: int) -> float:
    """Return average precision: the sum of precision over the ranks of relevant results, divided by ``total``.

    ``relevant`` states whether each result is relevant. ``total`` is the number of relevant items, returned or not.

    >>> average_precision([True, False, True], total=4)
    0.41666666666666663
    """
    return classical.average_precision(_items(relevant, total))


def ndcg(gains: ArrayLike, ideal: ArrayLike, k: int | None = None) -> float:
    """Return nDCG: the discounted cumulated gain of a list, relative to the ideal list.

    ``gains`` lists the gain of each result in rank order. ``ideal`` lists the gains of all relevant items in any order.
    Only the first ``k`` ranks of each list count, or all ranks if ``k`` is None.

    >>> round(ndcg([0, 2, 1], ideal=[2, 1, 1], k=3), 3)
    0.563
    """
    best = np.sort(np.asarray(ideal, dtype=float))[::-1]
    ranking = classical.ItemRanking.of(np.asarray(gains, dtype=float), best)
    return classical.ndcg(ranking) if k is None else float(classical.ndcg_at(ranking, np.array([k]))[0])


def _items(relevant: ArrayLike, total: int) -> classical.ItemRanking:
    return classical.ItemRanking.of(np.asarray(relevant, dtype=bool).astype(float), np.ones(total))


def ideal_elements(parent: ArrayLike, score: ArrayLike) -> Bools:
    """Return a mask of the ideal elements: the element with the highest score on each path, without overlap.

    ``parent`` lists the index of each element's parent, or -1 for a root. Parents come before their children. ``score``
    lists the relevance of each element, which is 0 if the element is not relevant. Source: Kazai & Lalmas (2005),
    Section 2.

    >>> ideal_elements(parent=[-1, 0, 0], score=[0.5, 1.0, 0.0]).tolist()
    [False, True, False]
    """
    scores = np.asarray(score, dtype=float)
    rows = np.flatnonzero(scores > 0)
    chosen = np.zeros(len(scores), dtype=bool)
    up = recall_base.nearest(np.asarray(parent, dtype=np.int64), rows)
    chosen[rows[recall_base.without_overlap(up, scores[rows])]] = True
    return chosen


def xcg_gains(
    parent: ArrayLike, size: ArrayLike, score: ArrayLike, results: Sequence[int], *, alpha: float = 1.0
) -> Floats:
    """Return the XCG gain of each result for a reader who has seen all earlier results (overlap on).

    ``parent`` and ``score`` describe the elements as in `ideal_elements`, and ``size`` lists their lengths. The
    elements are in document order. ``results`` lists the index of the element at each rank. ``alpha`` is the discount
    for text that was seen before; at 1, such text earns nothing. Source: Kazai & Lalmas (2005), Eq. 7-9.

    >>> xcg_gains(parent=[-1, 0], size=[100, 10], score=[0.2, 2.0], results=[1, 0]).round(2).tolist()
    [2.0, 0.18]
    """
    from focuseval.measures.gain import focussed_gains  # imported here, because this import is slow

    up, sizes, scores = (np.asarray(parent, np.int64), np.asarray(size, np.int64), np.asarray(score, float))
    count, rows = len(up), np.asarray(results, np.int64)
    last, own = np.arange(1, count + 1), sizes.copy()
    parts = np.zeros(count)
    for row in range(count - 1, 0, -1):
        if up[row] >= 0:
            last[up[row]] = max(last[up[row]], last[row])
            own[up[row]] -= sizes[row]
            parts[up[row]] += scores[row] * sizes[row]
    holder = recall_base.outermost(ideal_elements(up, scores), up)
    tree = np.arange(count), last, up, sizes, scores, parts + scores * own, holder
    return focussed_gains(*tree, rows, rows, _new(up, sizes, rows), alpha)


def _new(parent: Ints, size: Ints, results: Ints) -> Ints:
    """Return, for each result, the amount of text that no earlier result contains."""
    seen, new = np.zeros(len(parent), dtype=np.int64), np.zeros(len(results), dtype=np.int64)
    for i, row in enumerate(results):
        path = [row]
        while parent[path[-1]] >= 0:
            path.append(parent[path[-1]])
        if any(seen[above] == size[above] for above in path):
            continue
        new[i] = size[row] - seen[row]
        seen[path] += new[i]
    return new


def _curve(gains: ArrayLike, ideal: ArrayLike) -> xcg.Curve:
    best = np.sort(np.asarray(ideal, dtype=float))[::-1]
    return xcg.Curve(np.asarray(gains, dtype=float), xcg.Ideal(best[best > 0]))


def nxcg(gains: ArrayLike, ideal: ArrayLike, k: int) -> float:
    """Return nxCG: the cumulated gain of the first ``k`` results, relative to the first ``k`` ideal elements.

    ``gains`` lists the gain of each result in rank order (see `xcg_gains`). ``ideal`` lists the gains of the ideal
    elements in any order. Source: Kazai & Lalmas (2005), Eq. 5.

    >>> nxcg([2.0, 0.0, 1.0], ideal=[2.0, 2.0], k=2)
    0.5
    """
    return float(xcg.nxcg(_curve(gains, ideal), np.array([k]))[0])


def effort_precision(gains: ArrayLike, ideal: ArrayLike, levels: ArrayLike = RECALL_LEVELS) -> Floats:
    """Return effort-precision at each of the ``levels`` of gain-recall.

    Gain-recall is a cumulated gain divided by the total gain of the ideal list. Effort-precision is the rank at which
    the ideal list reaches this gain, divided by the rank at which the results reach it. See `nxcg` for ``gains`` and
    ``ideal``. Source: Kazai & Lalmas (2005), Eq. 11, 12.

    >>> effort_precision([0.0, 2.0], ideal=[2.0], levels=[0.5, 1.0]).round(3).tolist()
    [0.333, 0.5]
    """
    return xcg.effort_precision(_curve(gains, ideal), np.asarray(levels, dtype=float))


def maep(gains: ArrayLike, ideal: ArrayLike) -> float:
    """Return MAep: the mean effort-precision over the ranks with a gain.

    If fewer ranks have a gain than there are ideal elements, each missing rank counts as 0. See `nxcg` for ``gains``
    and ``ideal``. Source: Kazai & Lalmas (2005), Section 3.3.

    >>> maep([2.0, 0.0, 2.0], ideal=[2.0, 2.0])
    0.8333333333333333
    """
    return xcg.maep(_curve(gains, ideal))


def eprum(probability: ArrayLike, levels: ArrayLike = RECALL_LEVELS) -> Floats:
    """Return EPRUM: the expected precision at each of the ``levels`` of recall.

    ``probability[k, t]`` is the probability that a user who consults result k sees ideal element t. The ideal list is
    assumed to show one ideal element at each rank. Source: Piwowarski & Dupret (2006), Section 2.

    >>> eprum([[1.0, 0.0], [0.0, 0.5]], levels=[0.5, 1.0]).tolist()
    [1.0, 0.5]
    """
    from focuseval.measures import eprum as model
    from focuseval.measures.navigation import Links

    chances = np.asarray(probability, dtype=float)
    ranks, count = chances.shape
    result, ideal = np.nonzero(chances)
    discovery = model.discover(
        np.arange(1, ranks + 1), Links(result, ideal, chances[result, ideal]), ranks, count
    )
    reached = model.inverse_length(discovery, np.array([count]))[0] * np.arange(count + 1)
    return reached[model.recalls(np.asarray(levels, dtype=float), np.array([count]))[:, 0]]


def srp(relevance: ArrayLike, unseen: ArrayLike, document: ArrayLike, k: int) -> float:
    """Return SRP@k: the mean, over the first ``k`` results, of the relevance that is new to a user.

    Each array has an entry for each result. ``relevance`` is in [0, 1]. ``unseen`` is the probability that a user who
    visits another element of the document does not see the result. ``document`` is an integer that identifies the
    document. No element may occur twice. Source: Ali et al. (2008), Eq. 1-7.

    >>> srp(relevance=[1.0, 1.0], unseen=[0.3, 0.3], document=[0, 0], k=2)
    0.65
    """
    places = np.asarray(document, dtype=np.int64)
    reached = structural.novel_relevance(
        np.asarray(relevance, dtype=float),
        np.asarray(unseen, dtype=float),
        places,
        np.ones(len(places), dtype=bool),
    )
    return float(structural.srp_at(reached, np.array([k]), divisor="k")[0])
