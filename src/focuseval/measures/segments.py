"""Rules of MediaEval 2014 and TRECVID 2015 for segments of recordings: bins, tolerance, and a user who watches.

The gold is a topic's relevant segments, in seconds or any other unit. The campaigns' program (sh_eval) joins segments
that touch or overlap. In `focuseval.measures.classical`, its MAP is ``AP(relevant=adjoins,credit=every,gold=joined)``,
and its P is ``P``. ``AP(relevant=touches,credit=once)`` counts each segment once. The measures are from Aly et al.
(2013, arXiv 1312.1913) and Racca & Jones (MediaEval 2015).
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
    """Return the gold segments without repeats, joined if ``gold`` is ``joined``, or None if there are none."""
    spans = topic.spans
    assert spans is not None  # Measures of segments require spans.
    if gold == "joined":
        spans = spans.joined()
    items = spans.among(np.lexsort((spans.end, spans.start, spans.document))).without_repeats()
    return items if len(items) else None


def prepare_segments(topic: Topic) -> Spans | None:
    """Return the gold segments without joining them."""
    return prepare(topic, gold="judged")


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins that contain gold of a topic."""

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


#: largest number of bins in a topic's gold or in a list; a day has 86,400 bins of one second each
LARGEST = 10**7


def _bins(document: Ints, start: Ints, end: Ints, length: int, by_start: bool) -> tuple[Ints, Ints]:
    """Return the document and number of each bin of each segment, including repeated bins.

    Raises InputError for more than `LARGEST` bins.
    """
    first = start // length
    count = np.ones_like(first) if by_start else np.maximum((end - 1) // length - first + 1, 0)
    if (bins := count.sum(dtype=float)) > LARGEST:
        found = f"a topic has {bins:,.0f} bins of {counted(length, 'unit')}, more than {LARGEST:,}"
        raise InputError.of("bin_AP, bin_P", found, "check the offsets, or set a larger length=")
    return np.repeat(document, count), ranges(count, first)


def prepare_bins(topic: Topic, *, length: float, binned: str) -> Bins | None:
    """Return the bins of all gold segments in file order; None if there are none."""
    gold = topic.spans
    assert gold is not None  # The measure requires spans.
    if not len(gold):
        return None
    size, by_start = int(length), binned == "start"
    bins = np.unique(np.stack(_bins(gold.document, gold.start, gold.end, size, by_start)), axis=1)
    return Bins(bins[0], bins[1], size, by_start)


def trace_bins(gold: Bins, results: ResultList) -> ItemRanking:
    """Return the distinct bins of all results in list order. Each bin is a rank."""
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
    "whether touching intervals overlap. half-open: no; closed: yes (sh_eval of 2015)",
    ("half-open", "closed"),
)


def trace_tolerant(gold: Spans, results: ResultList, *, tolerance: float, windows: str) -> ItemRanking:
    """Return the results that find new gold for a user who gives up after the tolerance.

    A result is watched from its start. A result counts if gold has a unit in ``[start, start + tolerance)`` and the
    result contains nothing seen before. The seen intervals extend from the start of each counted result to the end of
    the longest gold segment that it met, at least for the tolerance.
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
    """The units watched and the gold among them, at the end of each of S sequences of new gold."""

    watched: Ints  #: (S,) number of units watched so far
    gold: Ints  #: (S,) number of units of gold seen so far, non-decreasing
    points: Floats  #: (P,) amounts of gold, all above 0, at which precision is computed


#: the parameter that chooses between two models of viewers
WATCHER = Parameter(
    "watcher",
    "exact",
    "how viewing is simulated. exact: our reading of the paper; sh_eval: with the errors of sh_eval of 2016",
    ("exact", "sh_eval"),
)


#: start and end of a segment
Segment = tuple[int, int]


def trace_watched(gold: Spans, results: ResultList, *, watcher: str) -> Watching:
    """Trace a list for a user who watches a result until the last gold segment that it meets has ended.

    A result is watched from its start to its end, or to the end of the last unseen gold that it meets, if later.
    Repeated gold is watched again and earns nothing. Overlapping segments count once.
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
    """Return the sequences of new gold in a result, with the units watched at the end of each.

    Also returns the parts of the segments that are not yet seen, and the number of units watched.
    """
    until = max([end, *(high for low, high in left if low < end and start < high)])
    kept = [
        (a, b) for low, high in left for a, b in ((low, min(high, start)), (max(low, until), high)) if a < b
    ]
    stretches: list[Segment] = []
    place = start
    for low, high in left:
        low, high = max(low, place), min(high, until)
        if low < high:
            stretches.append((high - low, high - start))
            place = high
    return stretches, sorted(kept), until - start


def _watch_as_sh_eval(left: list[Segment], start: int, end: int) -> tuple[list[Segment], list[Segment], int]:
    """Watch like `_watch`, with the errors of sh_eval: it loses a unit at each cut and advances too far."""
    place, seen, kept, stretches = start, 0, [], []
    for low, high in left:
        if not (low <= place <= high or place <= low <= end):
            kept.append((low, high))
            continue
        begin = max(low, place)
        seen += high - place
        stretches.append((high - begin, seen))
        if low < begin - 1:
            kept.append((low, begin - 1))
        place += seen
    return stretches, kept, max(seen, end - start)


def points_of_recall(total: int, exact: bool) -> Floats:
    """Return the amounts of gold (P,) at which precision is computed: every hundredth of the total, or as in sh_eval.

    In sh_eval, the distance of points is a hundredth of the total, rounded down if ``total mod 100 <= 50``, else up.
    The last point is moved by the remainder, possibly out of reach. Up to a hundred units, each unit is a point.
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
    """Return MAiSP, the mean of interpolated precision over points of recall, including recall 0.

    Interpolated precision is the highest precision at a point or later, and 1 at recall 0 if any gold is seen.
    Precision is the gold seen divided by the units watched up to then. In [0, 1], higher is better.
    """
    gold, points = watching.gold, watching.points
    reached = points[points <= gold.max(initial=0) + curves.TOLERANCE]
    step = np.searchsorted(gold, reached - curves.TOLERANCE)
    # This form of the quotient cannot exceed 1 through rounding.
    precision = reached / (watching.watched[step] - gold[step] + reached)
    best = curves.interpolated(precision, reached, points)
    return float((bool(len(reached)) + best.sum()) / (len(points) + 1))


_AP: Measure[Any, ItemRanking] = classical.AP
BIN_AP = replace(
    _AP,
    name="bin_AP",
    summary="average precision of bins of equal length, each listed once; @k: over the first k bins",
    paper="MediaEval 2014, MAP-bin: Aly et al. 2013 (arXiv 1312.1913)",
    prepare=prepare_bins,
    trace=trace_bins,
    parameters=(LENGTH, BINNED),
    needs=frozenset({"spans"}),
)
TOLERANT_AP = replace(
    BIN_AP,
    name="tolerant_AP",
    summary="average precision of results with unseen gold soon after their start; @k: over the first k results",
    paper="MediaEval 2014, MAP-tol: Aly et al. 2013 (arXiv 1312.1913)",
    prepare=prepare,
    trace=trace_tolerant,
    parameters=(TOLERANCE, WINDOWS, classical.GOLD),
    bounds=(0.0, float("inf")),
)
BIN_P = replace(
    BIN_AP,
    name="bin_P",
    summary="share of the first k bins that contain gold",
    value=None,
    cutoffs=classical.P.cutoffs,
)
TOLERANT_P = replace(
    TOLERANT_AP,
    name="tolerant_P",
    summary="share of the first k results with unseen gold soon after their start",
    value=None,
    bounds=(0.0, 1.0),
    cutoffs=classical.P.cutoffs,
)
MAISP = Measure(
    name="MAiSP",
    summary="average interpolated precision of the units that a user watches; the user stays until gold ends",
    paper="Racca & Jones 2015 (MediaEval, CEUR-WS 1436)",
    prepare=prepare_segments,
    trace=trace_watched,
    value=interpolated_average,
    parameters=(WATCHER,),
    needs=frozenset({"spans"}),
    claims=frozenset({"tail"}),
)


MEASURES = (BIN_AP, BIN_P, TOLERANT_AP, TOLERANT_P, MAISP)
