"""Whole segments by intersection over union, and detected cases: moments of videos, and passages of plagiarism.

Gold segments stay as they are in the file, each interval once; of what is returned, each result counts.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from focuseval.measures import spans
from focuseval.measures.curves import TOLERANCE, at_ranks
from focuseval.measures.declaration import LEFT_OUT, RANK, Cutoff, Measure, Parameter
from focuseval.measures.spans import SpanMatches
from focuseval.model.arrays import Bools, Floats, Ints, divided
from focuseval.model.intervals import covered
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList

#: the thresholds that mAP of moments is the mean over
THRESHOLDS = np.arange(50, 100, 5) / 100


def prepare(topic: Topic) -> Spans | None:
    """The gold segments, each interval once; None if there are none."""
    return spans.prepare(topic, without_gold=LEFT_OUT)


def trace_found(gold: Spans, results: ResultList, *, t: float) -> Bools:
    """(K,) whether one of the results up to each has an intersection over union of at least t with a gold segment."""
    one, _, overlap = SpanMatches(gold, results).overlaps
    found = np.zeros(len(results), dtype=np.bool_)
    found[one[overlap >= t - TOLERANCE]] = True
    return np.logical_or.accumulate(found)


def found_at(found: Bools, ranks: Ints) -> Floats:
    """(P,) 1 where one of the first k results is found, else 0."""
    return at_ranks(found.astype(float), ranks)


def _matched(gold: Spans, results: ResultList) -> Bools:
    """(T, K) whether each result finds a gold segment at each of `THRESHOLDS`.

    It finds the one with the highest intersection over union, at least the threshold, that no result before it found;
    of equal ones the later in the file, as in the program of QVHighlights.
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
    """The mean over `THRESHOLDS` of average precision, interpolated. In [0, 1], higher is better.

    ``AP = 1/|gold| Σ max {P@j : j >= k}`` over the ranks k that find a gold segment, P@j being the share of the first j
    results that do.
    """
    finds = _matched(gold, results)
    precision = np.cumsum(finds, axis=1) / np.arange(1, len(results) + 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    return float((best * finds).sum() / finds.shape[0] / len(gold))


class Cases(NamedTuple):
    """How well cases are detected: precision and recall in [0, 1], and detections of each detected case, from 1."""

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
    """The mean share of each detection that is gold, of each case that is detected, and detections of detected cases.

    A result detects the cases that it shares text with. Granularity is 1 where none is detected. Potthast et al. 2010.
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
    summary="1 if one of the first k results has an intersection over union of at least t with a gold segment",
    paper="Gao et al. 2017, R@k, IoU=t",
    prepare=prepare,
    trace=trace_found,
    parameters=(Parameter("t", 0.5, "the least intersection over union", high=1.0),),
    cutoffs=(Cutoff(RANK, "result", found_at),),
    needs=frozenset({"spans"}),
    claims=frozenset({"tail"}),
)
IOU_MAP = replace(
    IOU_R,
    name="IoU_mAP",
    summary="interpolated average precision of gold segments found, mean over intersections over union .5, .55 … .95",
    paper="Lei et al. 2021 (QVHighlights), ActivityNet",
    trace=trace_ap,
    value=float,
    parameters=(),
    cutoffs=(),
)
PLAGDET = replace(
    IOU_MAP,
    name="plagdet",
    summary="F1 of plagdet.precision and plagdet.recall, over log2(1 + plagdet.granularity)",
    paper="Potthast et al. 2010",
    trace=trace_cases,
    value=lambda cases: cases.plagdet,
    claims=frozenset({"ties"}),
)
PLAGDET_PRECISION = replace(
    PLAGDET,
    name="plagdet.precision",
    summary="share of a result that is gold, mean over results",
    value=lambda cases: cases.precision,
)
PLAGDET_RECALL = replace(
    PLAGDET,
    name="plagdet.recall",
    summary="share of a gold passage that is returned, mean over gold passages",
    value=lambda cases: cases.recall,
    claims=frozenset({"ties", "split", "tail"}),
)
GRANULARITY = replace(
    PLAGDET,
    name="plagdet.granularity",
    summary="results that share text with a gold passage, mean over gold passages that have one; 1 if none has",
    value=lambda cases: cases.granularity,
    bounds=(1.0, float("inf")),
    higher_is_better=False,
    claims=frozenset({"ties", "tail"}),
)

MEASURES = (IOU_R, IOU_MAP, PLAGDET, PLAGDET_PRECISION, PLAGDET_RECALL, GRANULARITY)
