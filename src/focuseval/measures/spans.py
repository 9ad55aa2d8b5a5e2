"""Measures that compare whole returned spans with whole gold spans.

After the evaluation of verbatim span extractors in acl-verbatim (Recski et al. 2026, arXiv 2605.21102). Overlapping
gold spans stay separate, and a span returned twice counts as two. `focuseval.measures.ratios` computes numbers from the
counts. The module also has moments of videos by intersection over union, and detected cases of plagiarism.
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
    """Return the gold spans without repeats; None for topics without spans if these are left out."""
    gold = topic.spans
    assert gold is not None  # Measures of spans require spans.
    return None if without_gold == LEFT_OUT and not len(gold) else gold.without_repeats()


@dataclass(frozen=True, eq=False)
class SpanMatches:
    """K returned spans and G gold spans."""

    gold: Spans
    results: ResultList

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """The returned span, the gold span, and the size of the intersection of every overlapping pair."""
        gold, results = self.gold, self.results
        return meetings(gold.document, gold.start, gold.end, results.document, results.start, results.end)

    @property
    def overlaps(self) -> tuple[Ints, Ints, Floats]:
        """The returned span, the gold span, and the intersection over union of every overlapping pair."""
        one, other, shared = self.pairs
        union = self.results.size[one] + (self.gold.end - self.gold.start)[other] - shared
        return one, other, shared / union

    @cached_property
    def matched(self) -> Floats:
        """The intersections over unions of the matched pairs. Each span is in at most one pair.

        Pairs are matched greedily by falling intersection over union. Among ties, the pair with the last returned span
        comes first, and then the pair with the last gold span.
        """
        one, other, overlap = self.overlaps
        order = np.lexsort((-other, -one, -overlap))
        one, other, overlap = one[order], other[order], overlap[order]
        shares = []
        while len(one):
            # A pair is final if it precedes every other pair that contains one of its two spans.
            taking = ~(pd.Index(one).duplicated() | pd.Index(other).duplicated())
            shares.append(overlap[taking])
            left = ~np.isin(one, one[taking]) & ~np.isin(other, other[taking])
            one, other, overlap = one[left], other[left], overlap[left]
        return np.concatenate([np.empty(0), *shares])

    @cached_property
    def coverage(self) -> Floats:
        """The share of each gold span (G,) that was returned."""
        gold, results = self.gold, self.results
        returned = merge(results.document, results.start, results.end)
        return covered(*returned, gold.document, gold.start, gold.end) / (gold.end - gold.start)

    def counts(self, right: int, found: int) -> list[int]:
        """Return `focuseval.measures.declaration.COUNTS` for ``right`` returned spans and ``found`` gold spans."""
        return [right, len(self.results), found, len(self.gold)]


def matched_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return the counts (P, 4) of pairs matched one to one whose intersection over union is at least each share."""
    matches = [int(np.count_nonzero(spans.matched >= share)) for share in shares]
    return np.array([spans.counts(count, count) for count in matches], dtype=float)


def contained_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return counts (P, 4) of returned spans with at least a share in one gold span, and of such gold spans."""
    one, other, shared = spans.pairs
    inside = shared / spans.results.size[one]
    held = [(one[inside >= share], other[inside >= share]) for share in shares]
    found = [spans.counts(len(np.unique(right)), len(np.unique(gold))) for right, gold in held]
    return np.array(found, dtype=float)


def covered_at(spans: SpanMatches, shares: Floats) -> Floats:
    """Return counts (P, 4) of returned spans that touch gold, and of gold spans with at least a share returned."""
    right = len(np.unique(spans.pairs[0]))
    found = [spans.counts(right, int(np.count_nonzero(spans.coverage >= share))) for share in shares]
    return np.array(found, dtype=float)


def touched(spans: SpanMatches) -> Floats:
    """Return the counts (4,) of returned spans that touch gold, and of gold spans that are touched."""
    one, other, _ = spans.pairs
    return np.array(spans.counts(len(np.unique(one)), len(np.unique(other))), dtype=float)


SPAN_F1 = Measure(
    name="span_F1",
    summary="F1 of spans matched one to one; a returned and a gold span match if their IoU is at least t",
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
    summary="F1 of spans; a returned span is right if at least a share t of it is in one gold span",
    cutoffs=(Cutoff(SHARE, "share of the returned span", contained_at),),
    claims=frozenset({"ties"}),
)
GOLD_COVERAGE = replace(
    SPAN_F1,
    name="gold_coverage",
    summary="fraction of the gold spans for which at least a share t of the text was returned",
    pool=recall,
    cutoffs=(Cutoff(SHARE, "share of the gold span", covered_at),),
    claims=frozenset({"ties", "split", "tail"}),
)
ANY_OVERLAP = replace(
    GOLD_COVERAGE,
    name="any_overlap",
    summary="share of gold spans that a returned span touches",
    value=touched,
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


#: the thresholds of intersection over union over which mAP of moments is averaged
THRESHOLDS = np.arange(50, 100, 5) / 100


def prepare_some(topic: Topic) -> Spans | None:
    """Return the gold spans without repeats; None if there are none."""
    return prepare(topic, without_gold=LEFT_OUT)


def trace_found(gold: Spans, results: ResultList, *, t: float) -> Bools:
    """Return whether one of the results up to each rank (K,) has an intersection over union >= t with a gold span."""
    one, _, overlap = SpanMatches(gold, results).overlaps
    found = np.zeros(len(results), dtype=np.bool_)
    found[one[overlap >= t - TOLERANCE]] = True
    return np.logical_or.accumulate(found)


def found_at(found: Bools, ranks: Ints) -> Floats:
    """Return 1 if one of the first k results finds gold, else 0, for each rank k (P,)."""
    return at_ranks(found.astype(float), ranks)


def _matched(gold: Spans, results: ResultList) -> Bools:
    """Return whether each result finds a gold segment at each of `THRESHOLDS` (T, K).

    A result finds the unfound segment with the highest intersection over union, if it reaches the threshold. Of ties,
    it finds the last in file order, as in QVHighlights' program.
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
    """Return the mean over `THRESHOLDS` of interpolated average precision. In [0, 1], higher is better.

    ``AP = 1/|gold| Σ max {P@j : j >= k}`` over the ranks k that find a gold segment. P@j is the share of such results
    among the first j.
    """
    finds = _matched(gold, results)
    precision = np.cumsum(finds, axis=1) / np.arange(1, len(results) + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    return float((best * finds).sum() / finds.shape[0] / len(gold))


class Cases(NamedTuple):
    """Precision and recall of detections in [0, 1], and granularity, the detections per detected case."""

    precision: float
    recall: float
    granularity: float

    @property
    def plagdet(self) -> float:
        """``F1 / log2(1 + granularity)``. In [0, 1], higher is better."""
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return float(f1 / np.log2(1 + self.granularity))


def trace_cases(gold: Spans, results: ResultList) -> Cases:
    """Return the mean gold share of detections, the mean detected share of cases, and granularity.

    A result detects the cases that it overlaps. Granularity is 1 without detections. Potthast et al. 2010.
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
    summary="1 if any of the first k results has an IoU of at least t with a gold segment, else 0",
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
    summary="interpolated average precision of gold segments; mean over the thresholds t = .5, .55 … .95",
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
