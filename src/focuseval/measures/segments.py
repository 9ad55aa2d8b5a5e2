"""Measures of MediaEval 2014 and TRECVID 2015 for segments of recordings: bins, tolerance, and a user who watches.

The gold is a topic's relevant segments, in seconds or any other unit. The program of these campaigns (sh_eval) joins
segments that touch or overlap. Its MAP is ``AP(relevant=adjoins,credit=every,gold=joined)`` of
`focuseval.measures.classical`, and its P is ``P``. ``AP(relevant=touches,credit=once)`` counts each segment once. The
measures are from Aly et al. (2013, arXiv 1312.1913) and Racca & Jones (MediaEval 2015).
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from focuseval.errors import InputError, counted
from focuseval.measures import classical, curves
from focuseval.measures.classical import ItemRanking
from focuseval.measures.declaration import Measure, Parameter
from focuseval.model.arrays import Floats, Ints, ranges
from focuseval.model.intervals import meetings
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList


def prepare(topic: Topic, *, gold: str) -> Spans | None:
    """Return the distinct gold segments of a topic, or None if there are none.

    If ``gold`` is "joined", segments that touch or overlap are joined.
    """
    spans = topic.spans
    assert spans is not None  # The measures of this module require spans.
    if gold == "joined":
        spans = spans.joined()
    items = spans.among(np.lexsort((spans.end, spans.start, spans.document))).without_repeats()
    return items if len(items) else None


def prepare_segments(topic: Topic) -> Spans | None:
    """Return the distinct gold segments of a topic as they were judged, or None if there are none."""
    return prepare(topic, gold="judged")


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins, which are intervals of equal length, that contain a topic's gold."""

    document: Ints
    number: Ints
    length: int
    by_start: bool


LENGTH = Parameter("length", 300.0, "length of a bin in units", low=1.0)
BINNED = Parameter(
    "binned",
    "whole",
    "which bins contain a segment. whole: all that overlap it; start: only the one where it starts (sh_eval of 2015)",
    ("whole", "start"),
)


#: maximum number of bins in a topic's gold or in a list; with bins of one second, a day has 86,400
LARGEST = 10**7


def _bins(document: Ints, start: Ints, end: Ints, length: int, by_start: bool) -> tuple[Ints, Ints]:
    """Return the documents and the numbers of the bins that contain each segment.

    A bin that contains several segments is repeated. Raises InputError if there are more than `LARGEST` bins.
    """
    first = start // length
    count = np.ones_like(first) if by_start else np.maximum((end - 1) // length - first + 1, 0)
    if (bins := count.sum(dtype=float)) > LARGEST:
        found = f"a topic has {bins:,.0f} bins of {counted(length, 'unit')}, more than {LARGEST:,}"
        raise InputError.of("bin_AP, bin_P", found, "check the offsets, or set a larger length")
    return np.repeat(document, count), ranges(count, first)


def prepare_bins(topic: Topic, *, length: float, binned: str) -> Bins | None:
    """Return the distinct bins of a topic's gold segments, or None if there are no gold segments."""
    gold = topic.spans
    assert gold is not None  # The measures of this module require spans.
    if not len(gold):
        return None
    size, by_start = int(length), binned == "start"
    bins = np.unique(np.stack(_bins(gold.document, gold.start, gold.end, size, by_start)), axis=1)
    return Bins(bins[0], bins[1], size, by_start)


def trace_bins(gold: Bins, results: ResultList) -> ItemRanking:
    """Return the ranking of the distinct bins of all results, in the order of the list.

    A bin with gold is relevant.
    """
    read = np.stack(_bins(results.own_document, results.start, results.end, gold.length, gold.by_start))
    _, first = np.unique(read, axis=1, return_index=True)
    read = read[:, np.sort(first)]
    relevant = {*zip(gold.document.tolist(), gold.number.tolist(), strict=True)}
    found = [pair in relevant for pair in zip(*read.tolist(), strict=True)]
    return ItemRanking.of(np.array(found, dtype=float), np.ones(len(gold.document)))


TOLERANCE = Parameter(
    "tolerance", 15.0, "units after a result's start within which gold must appear", low=1.0
)
WINDOWS = Parameter(
    "windows",
    "half-open",
    "whether touching intervals count as overlapping. half-open: no; closed: yes (sh_eval of 2015)",
    ("half-open", "closed"),
)


def trace_tolerant(gold: Spans, results: ResultList, *, tolerance: float, windows: str) -> ItemRanking:
    """Return the ranking of the results for a user who leaves a result if no gold appears within the tolerance.

    A result is relevant if gold has a unit in ``[start, start + tolerance)`` and nothing in the result was seen before.
    From the start of a relevant result, the user watches to the end of this interval or, if it is later, to the end of
    the longest gold segment that overlaps the interval. If ``windows`` is "closed", touching intervals overlap.
    """
    patience, more = int(tolerance), int(windows == "closed")
    found = np.zeros(len(results))
    documents, given_up = results.own_document, results.start + patience
    one, other, _ = meetings(
        gold.document, gold.start, gold.end + more, documents, results.start, given_up + more
    )
    size = gold.end - gold.start
    seen: dict[int, list[tuple[int, int]]] = {}
    for row in np.unique(one).tolist():
        start, end = int(results.start[row]), int(results.end[row])
        before = seen.setdefault(int(documents[row]), [])
        if any(low < end + more and start < high + more for low, high in before):
            continue
        met = other[one == row]
        longest = int(gold.end[met[np.argmax(size[met])]])
        before.append((start, max(longest, start + patience)))
        found[row] = 1.0
    return ItemRanking.of(found, np.ones(len(gold.document)))


@dataclass(frozen=True, eq=False)
class Watching:
    """The amounts of text watched and of gold seen by a user, at the end of each sequence of new gold."""

    watched: Ints  #: number of units watched so far
    gold: Ints  #: number of units of gold seen so far
    points: Floats  #: positive amounts of gold at which precision is computed


#: the parameter that chooses how viewing is simulated
WATCHER = Parameter(
    "watcher",
    "exact",
    "how viewing is simulated. exact: our reading of the paper; sh_eval: as in sh_eval of 2016, with its errors",
    ("exact", "sh_eval"),
)


#: the start and the end of a segment
Segment = tuple[int, int]


def trace_watched(gold: Spans, results: ResultList, *, watcher: str) -> Watching:
    """Trace the gold seen by a user who watches each result and the rest of the gold that it meets.

    A user watches a result to its end. If unseen gold that the result meets ends later, the user watches to the end of
    this gold. Repeated gold is watched again and earns nothing. Units in several segments count once.
    """
    text, exact = gold.text(), watcher == "exact"
    segments, watch = (gold, _watch) if exact else (text, _watch_as_sh_eval)
    left = {
        document: list(zip(segments.start[rows].tolist(), segments.end[rows].tolist(), strict=True))
        for document in np.unique(gold.document).tolist()
        for rows in [segments.document == document]
    }
    watched, found, steps = 0, 0, []
    rows = zip(results.own_document.tolist(), results.start.tolist(), results.end.tolist(), strict=True)
    for document, start, end in rows:
        stretches, left[document], until = watch(left.get(document, []), start, end)
        for new, seen in stretches:
            found += new
            steps.append((watched + seen, found))
        watched += until
    columns = np.array(steps, dtype=np.int64).reshape(-1, 2).T
    return Watching(columns[0], columns[1], points_of_recall(int((text.end - text.start).sum()), exact))


def _watch(left: list[Segment], start: int, end: int) -> tuple[list[Segment], list[Segment], int]:
    """Return the sequences of new gold in a result, the gold that remains unseen, and the number of units watched.

    ``left`` is the gold of the document that was unseen before. A sequence is a pair of its length and the number of
    units watched at its end.
    """
    until = max([end, *(high for low, high in left if low < end and start < high)])
    remaining = [
        (a, b) for low, high in left for a, b in ((low, min(high, start)), (max(low, until), high)) if a < b
    ]
    stretches: list[Segment] = []
    place = start
    for low, high in left:
        low, high = max(low, place), min(high, until)
        if low < high:
            stretches.append((high - low, high - start))
            place = high
    return stretches, sorted(remaining), until - start


def _watch_as_sh_eval(left: list[Segment], start: int, end: int) -> tuple[list[Segment], list[Segment], int]:
    """Return the values of `_watch` with the errors of sh_eval, which loses a unit at each cut and advances too far."""
    place, seen, remaining, stretches = start, 0, [], []
    for low, high in left:
        if not (low <= place <= high or place <= low <= end):
            remaining.append((low, high))
            continue
        begin = max(low, place)
        seen += high - place
        stretches.append((high - begin, seen))
        if low < begin - 1:
            remaining.append((low, begin - 1))
        place += seen
    return stretches, remaining, max(seen, end - start)


def points_of_recall(total: int, exact: bool) -> Floats:
    """Return the amounts of gold at which precision is computed: every hundredth of the total.

    If not ``exact``, the amounts are rounded as in sh_eval. Their distance is a hundredth of the total, rounded down if
    ``total mod 100 <= 50``, else up. The last amount is moved by the remainder, and may be out of reach. If the total
    is at most 100, the amounts are 1, 2 … total.
    """
    if exact:
        return curves.RECALL_LEVELS * total
    if total <= 100:
        return np.arange(1.0, total + 1)
    rest = total % 100
    points = np.arange(0.0, total, total // 100 + (rest > 50))
    points[-1] += rest
    return points[1:]


def interpolated_average(watching: Watching) -> float:
    """Return MAiSP, the mean of interpolated precision over points of recall. It is in [0, 1], and higher is better.

    Precision is the gold seen divided by the units watched. Interpolated precision at a point is the highest precision
    at this point or later. Recall 0 is one more point: precision is 1 if the user sees any gold, else 0.
    """
    gold, points = watching.gold, watching.points
    reached = points[points <= gold.max(initial=0) + curves.TOLERANCE]
    step = np.searchsorted(gold, reached - curves.TOLERANCE)
    # Written in this form, the quotient cannot exceed 1 through rounding.
    precision = reached / (watching.watched[step] - gold[step] + reached)
    best = curves.interpolated(precision, reached, points)
    return float((bool(len(reached)) + best.sum()) / (len(points) + 1))


_AP: Measure[Any, ItemRanking] = classical.AP
BIN_AP = replace(
    _AP,
    name="bin_AP",
    summary="average precision of bins (intervals of equal length); @k: over the first k bins",
    paper="MediaEval 2014, MAP-bin: Aly et al. 2013 (arXiv 1312.1913)",
    prepare=prepare_bins,
    trace=trace_bins,
    parameters=(LENGTH, BINNED),
    needs=frozenset({"spans"}),
)
TOLERANT_AP = replace(
    BIN_AP,
    name="tolerant_AP",
    summary="average precision of unseen results with gold soon after their start; @k: over the first k results",
    paper="MediaEval 2014, MAP-tol: Aly et al. 2013 (arXiv 1312.1913)",
    prepare=prepare,
    trace=trace_tolerant,
    parameters=(TOLERANCE, WINDOWS, classical.GOLD),
    bounds=(0.0, float("inf")),
)
BIN_P = replace(
    BIN_AP,
    name="bin_P",
    summary="share of bins with gold among the bins up to the rank",
    value=None,
    cutoffs=classical.P.cutoffs,
)
TOLERANT_P = replace(
    TOLERANT_AP,
    name="tolerant_P",
    summary="share of results up to the rank that are unseen and have gold soon after their start",
    value=None,
    bounds=(0.0, 1.0),
    cutoffs=classical.P.cutoffs,
)
MAISP = Measure(
    name="MAiSP",
    summary="average interpolated precision of watched units; users watch results, and gold met in them, to the end",
    paper="Racca & Jones 2015 (MediaEval, CEUR-WS 1436)",
    prepare=prepare_segments,
    trace=trace_watched,
    value=interpolated_average,
    parameters=(WATCHER,),
    needs=frozenset({"spans"}),
    claims=frozenset({"tail"}),
)


MEASURES = (BIN_AP, BIN_P, TOLERANT_AP, TOLERANT_P, MAISP)
