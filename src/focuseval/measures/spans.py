"""Measures that compare whole returned spans with whole gold spans.

They follow the evaluation of verbatim span extractors in acl-verbatim (Recski et al. 2026, arXiv 2605.21102).
Overlapping gold spans stay separate, and a span that is returned twice counts as two. `focuseval.measures.ratios`
computes values from the counts.

The module also contains measures for moments of videos, based on intersection over union, and for detected cases of
plagiarism.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.measures.curves import TOLERANCE, at_ranks
from focuseval.measures.declaration import LEFT_OUT, MICRO, RANK, SHARE, Cutoff, Measure, Parameter
from focuseval.measures.ratios import OUT_OF_MEANS, WITHOUT_GOLD, f1, recall, returned_per_relevant
from focuseval.model.arrays import Bools, Floats, Ints, divided
from focuseval.model.intervals import covered, meetings, merge
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList


def prepare(topic: Topic, *, without_gold: str) -> Spans | None:
    """Return the distinct gold spans of a topic, or None if there are none and ``without_gold`` is "left-out"."""
    gold = topic.spans
    assert gold is not None  # Measures of spans require spans.
    return None if without_gold == LEFT_OUT and not len(gold) else gold.without_repeats()


@dataclass(frozen=True, eq=False)
class SpanMatches:
    """The returned spans and the gold spans of a topic, and how they overlap."""

    gold: Spans
    results: ResultList

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """The overlapping pairs in three arrays: the returned span, the gold span, and the size of the overlap."""
        gold, results = self.gold, self.results
        return meetings(gold.document, gold.start, gold.end, results.document, results.start, results.end)

    @property
    def overlaps(self) -> tuple[Ints, Ints, Floats]:
        """The overlapping pairs in three arrays: returned span, gold span, and their intersection over union."""
        one, other, shared = self.pairs
        union = self.results.size[one] + (self.gold.end - self.gold.start)[other] - shared
        return one, other, shared / union

    @cached_property
    def matched(self) -> Floats:
        """The intersection over union of each matched pair.

        Each span is in at most one matched pair. The pair with the highest intersection over union is matched first.
        Among ties, the pair with the last returned span comes first, and then the pair with the last gold span.
        """
        one, other, overlap = self.overlaps
        order = np.lexsort((-other, -one, -overlap))
        one, other, overlap = one[order], other[order], overlap[order]
        shares = []
        while len(one):
            # A pair is matched if it comes before all other pairs with one of its two spans.
            taking = ~(pd.Index(one).duplicated() | pd.Index(other).duplicated())
            shares.append(overlap[taking])
            left = ~np.isin(one, one[taking]) & ~np.isin(other, other[taking])
            one, other, overlap = one[left], other[left], overlap[left]
        return np.concatenate([np.empty(0), *shares])

    @cached_property
    def coverage(self) -> Floats:
        """The share of each gold span that was returned."""
        gold, results = self.gold, self.results
        returned = merge(results.document, results.start, results.end)
        return covered(*returned, gold.document, gold.start, gold.end) / (gold.end - gold.start)

    def counts(self, right: int, found: int) -> list[int]:
        """Return the four `COUNTS` if ``right`` returned spans are right and ``found`` gold spans are found."""
        return [right, len(self.results), found, len(self.gold)]


def matched_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return the four `COUNTS` (columns) of spans that are matched one to one, for each minimum share (row).

    The spans of a matched pair are right and found if their intersection over union is at least the minimum share.
    """
    matches = [int(np.count_nonzero(spans.matched >= share)) for share in shares]
    return np.array([spans.counts(count, count) for count in matches], dtype=float)


def contained_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return the four `COUNTS` (columns) of spans that are matched by containment, for each minimum share (row).

    A returned span is right if one gold span contains at least this share of it. This gold span is found.
    """
    one, other, shared = spans.pairs
    inside = shared / spans.results.size[one]
    held = [(one[inside >= share], other[inside >= share]) for share in shares]
    found = [spans.counts(len(np.unique(right)), len(np.unique(gold))) for right, gold in held]
    return np.array(found, dtype=float)


def covered_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return the four `COUNTS` (columns) of spans that are matched by coverage, for each minimum share (row).

    A gold span is found if at least this share of it was returned. A returned span is right if it overlaps gold.
    """
    right = len(np.unique(spans.pairs[0]))
    found = [spans.counts(right, int(np.count_nonzero(spans.coverage >= share))) for share in shares]
    return np.array(found, dtype=float)


def counts_of_touching(spans: SpanMatches) -> Floats:
    """Return the four `COUNTS` of spans, where a returned and a gold span match as soon as they overlap.

    Returned spans that overlap gold are right, and gold spans that are overlapped are found.
    """
    one, other, _ = spans.pairs
    return np.array(spans.counts(len(np.unique(one)), len(np.unique(other))), dtype=float)


SPAN_F1 = Measure(
    name="span_F1",
    summary="F1 of spans matched one to one; two spans match if their intersection over union is at least `share`",
    paper="Recski et al. 2026 (acl-verbatim)",
    prepare=prepare,
    trace=SpanMatches,
    pool=f1,
    average=MICRO,
    parameters=(WITHOUT_GOLD,),
    cutoffs=(Cutoff(SHARE, "intersection over union", matched_at),),
    needs=frozenset({"spans"}),
)
CONTAINED_F1 = replace(
    SPAN_F1,
    name="contained_F1",
    summary="F1 of spans; a returned span is right if at least `share` of its text is in one gold span",
    cutoffs=(Cutoff(SHARE, "share of the returned span", contained_at),),
    claims=frozenset({"ties"}),
)
GOLD_COVERAGE = replace(
    SPAN_F1,
    name="gold_coverage",
    summary="share of gold spans with at least `share` of their text returned",
    pool=recall,
    cutoffs=(Cutoff(SHARE, "share of the gold span", covered_at),),
    claims=frozenset({"ties", "split", "tail"}),
)
ANY_OVERLAP = replace(
    GOLD_COVERAGE,
    name="any_overlap",
    summary="share of gold spans that overlap a returned span",
    value=counts_of_touching,
    cutoffs=(),
)
OVER_PREDICTION = replace(
    ANY_OVERLAP,
    name="over_prediction",
    summary="number of returned spans per gold span",
    pool=returned_per_relevant,
    parameters=(OUT_OF_MEANS,),
    bounds=(0.0, float("inf")),
    higher_is_better=False,
    claims=frozenset({"ties"}),
)


#: thresholds of intersection over union; average precision of moments of videos is averaged over them
THRESHOLDS = np.arange(50, 100, 5) / 100


def prepare_some(topic: Topic) -> Spans | None:
    """Return the distinct gold spans of a topic, or None if there are none."""
    return prepare(topic, without_gold=LEFT_OUT)


def trace_found(gold: Spans, results: ResultList, *, t: float) -> Bools:
    """Return, for each rank, whether a result up to this rank matches a gold span.

    A result matches a gold span if their intersection over union is at least ``t``.
    """
    one, _, overlap = SpanMatches(gold, results).overlaps
    found = np.zeros(len(results), dtype=np.bool_)
    found[one[overlap >= t - TOLERANCE]] = True
    return np.logical_or.accumulate(found)


def found_at(found: Bools, ranks: Ints) -> Floats:
    """Return, for each rank k, 1 if one of the first k results matches a gold span, else 0."""
    return at_ranks(found.astype(float), ranks)


def _matched(gold: Spans, results: ResultList) -> Bools:
    """Return a mask of the results (columns) that find a gold segment at each of the `THRESHOLDS` (rows).

    Each result is compared with the segments that no earlier result found. It finds the segment with the highest
    intersection over union if this is at least the threshold. Among ties, it finds the last segment in the file, as in
    QVHighlights' program.
    """
    one, other, overlap = SpanMatches(gold, results).overlaps
    free = np.ones((len(THRESHOLDS), len(gold)), dtype=np.bool_)
    finds = np.zeros((len(THRESHOLDS), len(results)), dtype=np.bool_)
    for pair in np.lexsort((-other, -overlap, one)).tolist():
        result, segment = one[pair], other[pair]
        now = (overlap[pair] >= THRESHOLDS - TOLERANCE) & free[:, segment] & ~finds[:, result]
        finds[now, result], free[now, segment] = True, False
    return finds


def trace_ap(gold: Spans, results: ResultList) -> float:
    """Return interpolated average precision, averaged over `THRESHOLDS`. It is in [0, 1], and higher is better.

    Average precision is ``1/|gold| Σ_k max {P@j : j >= k}`` over the ranks k whose results find a gold segment. P@j is
    the share of such results among the first j.
    """
    finds = _matched(gold, results)
    precision = np.cumsum(finds, axis=1) / np.arange(1, len(results) + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    return float((best * finds).sum() / finds.shape[0] / len(gold))


class Cases(NamedTuple):
    """The precision and recall of detections, in [0, 1], and the granularity of the detections.

    Granularity is the mean number of detections of each detected case.
    """

    precision: float
    recall: float
    granularity: float

    @property
    def plagdet(self) -> float:
        """The combined score ``F1 / log2(1 + granularity)``. It is in [0, 1], and higher is better."""
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return float(f1 / np.log2(1 + self.granularity))


def trace_cases(gold: Spans, results: ResultList) -> Cases:
    """Return precision, recall and granularity of the results as detections of plagiarism. Potthast et al. (2010).

    Precision is the share of a result that is gold, averaged over results. Recall is the share of a gold span (case)
    that is returned, averaged over cases. A result detects all cases that it overlaps. Without detections, granularity
    is 1.
    """
    text = gold.text()
    right = covered(text.document, text.start, text.end, results.document, results.start, results.end)
    matches = SpanMatches(gold, results)
    one, other, _ = matches.pairs
    return Cases(
        precision=float(divided(right, results.size).sum() / max(len(results), 1)),
        recall=float(matches.coverage.mean()),
        granularity=len(one) / len(np.unique(other)) if len(one) else 1.0,
    )


IOU_R: Measure[Any, Any] = Measure(
    name="IoU_R",
    summary="1 if a result up to the rank has an intersection over union (IoU) of at least t with a gold segment, "
    "else 0",
    paper="Gao et al. 2017, R@k, IoU=t",
    prepare=prepare_some,
    trace=trace_found,
    parameters=(Parameter("t", 0.5, "lowest intersection over union that counts", high=1.0),),
    cutoffs=(Cutoff(RANK, "result", found_at),),
    needs=frozenset({"spans"}),
    claims=frozenset({"tail"}),
)
IOU_MAP = replace(
    IOU_R,
    name="IoU_mAP",
    summary="interpolated average precision of gold segments; mean over the IoU thresholds .5, .55 … .95",
    paper="Lei et al. 2021 (QVHighlights), ActivityNet",
    trace=trace_ap,
    value=float,
    parameters=(),
    cutoffs=(),
)
PLAGDET = replace(
    IOU_MAP,
    name="plagdet",
    summary="F1 of plagdet.precision and plagdet.recall, divided by log2(1 + plagdet.granularity)",
    paper="Potthast et al. 2010",
    trace=trace_cases,
    value=lambda cases: cases.plagdet,
    claims=frozenset({"ties"}),
)
PLAGDET_PRECISION = replace(
    PLAGDET,
    name="plagdet.precision",
    summary="share of a result that is gold, averaged over results",
    value=lambda cases: cases.precision,
)
PLAGDET_RECALL = replace(
    PLAGDET,
    name="plagdet.recall",
    summary="share of a gold passage that is returned, averaged over gold passages",
    value=lambda cases: cases.recall,
    claims=frozenset({"ties", "split", "tail"}),
)
GRANULARITY = replace(
    PLAGDET,
    name="plagdet.granularity",
    summary="mean number of results for each gold passage found; 1 if none is found",
    value=lambda cases: cases.granularity,
    bounds=(1.0, float("inf")),
    higher_is_better=False,
    claims=frozenset({"ties", "tail"}),
)

MEASURES = (
    *(SPAN_F1, CONTAINED_F1, GOLD_COVERAGE, ANY_OVERLAP, OVER_PREDICTION),
    *(IOU_R, IOU_MAP, PLAGDET, PLAGDET_PRECISION, PLAGDET_RECALL, GRANULARITY),
)
