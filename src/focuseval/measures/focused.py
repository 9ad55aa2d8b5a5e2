"""Precision and recall over highlighted text (INEX 2007-2010, Focused and Thorough)."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures.declaration import Cutoff, Measure, Value
from focuseval.measures.relevant_in_context import RelevantText, new_relevant_text, prepare
from focuseval.model.arrays import Floats, Ints
from focuseval.model.results import ResultList

#: recall levels of iP: exact hundredths, 0 among them
RECALL_LEVELS = np.arange(101) / 100

#: a recall this close below a level has reached it
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class TextRanking:
    """The text read up to every result of a list, each piece once (K results)."""

    retrieved: Ints  #: (K,) size of all results so far, in units
    found: Ints  #: (K,) highlighted text among it, in units
    total: int  #: highlighted text of the topic, in units

    @property
    def precision(self) -> Floats:
        """(K,) ``P[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |c_1 ∪ … ∪ c_r|``, 0 before any text was returned."""
        return self.found / np.maximum(self.retrieved, 1)

    @property
    def recall(self) -> Floats:
        """(K,) ``R[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |rel|``: never above 1, whatever overlaps."""
        return self.found / self.total


def trace(text: RelevantText, results: ResultList, **parameters: Value) -> TextRanking:
    """Retrieved and found text, result by result, in the order of the list."""
    return TextRanking(
        np.cumsum(results.new_text),
        np.cumsum(new_relevant_text(text, results)),
        int(text.size.sum()),
    )


def interpolated(ranking: TextRanking, levels: Floats) -> Floats:
    """``iP[x] = max {P[r] : R[r] >= x}``, 0 where the run does not reach recall x.

    Shapes: levels (X,), in [0, 1]; result (X,), in [0, 1], higher is better. A recall within 1e-9 of a
    level has reached it. Kamps et al., INEX 2007 evaluation measures.
    """
    best = np.append(np.maximum.accumulate(ranking.precision[::-1])[::-1], 0.0)
    return best[np.searchsorted(ranking.recall, levels - TOLERANCE)]


def interpolated_at(ranking: TextRanking, cutoff: float | None) -> float:
    """iP at one recall level."""
    assert cutoff is not None
    return float(interpolated(ranking, np.array([cutoff]))[0])


def average(ranking: TextRanking, cutoff: float | None) -> float:
    """AiP: the mean of iP over recall 0.00, 0.01 … 1.00. In [0, 1], higher is better."""
    return float(interpolated(ranking, RECALL_LEVELS).mean())


def _last(curve: Floats, cutoff: float | None) -> float:
    reached = curve if cutoff is None else curve[: int(cutoff)]
    return float(reached[-1]) if len(reached) else 0.0


def precision_at(ranking: TextRanking, cutoff: float | None) -> float:
    """P[r]; without a rank, or beyond the run's end, of all its text."""
    return _last(ranking.precision, cutoff)


def recall_at(ranking: TextRanking, cutoff: float | None) -> float:
    """R[r]; without a rank, or beyond the run's end, of all its text."""
    return _last(ranking.recall, cutoff)


IP = Measure(
    name="iP",
    summary="interpolated precision: the highest precision over text at recall x or above",
    paper="INEX 2007-2010, Focused and Thorough",
    prepare=prepare,
    trace=trace,
    value=interpolated_at,
    cutoff=Cutoff("level", "recall over text", required=True, curve=tuple(RECALL_LEVELS)),
    needs=frozenset({"highlights"}),
)
AIP = replace(
    IP,
    name="AiP",
    summary="average interpolated precision: mean iP over recall 0.00, 0.01 … 1.00",
    value=average,
    cutoff=None,
)
MAIP = replace(AIP, name="MAiP", summary="AiP by the name of its mean over topics")
CHAR_PRECISION = replace(
    IP,
    name="char_precision",
    summary="share of the text returned (up to result r) that is highlighted, each piece counted once",
    value=precision_at,
    cutoff=Cutoff("rank", "result"),
)
CHAR_RECALL = replace(
    CHAR_PRECISION,
    name="char_recall",
    summary="share of the highlighted text that was returned (up to result r), each piece counted once",
    value=recall_at,
)

MEASURES = (IP, AIP, MAIP, CHAR_PRECISION, CHAR_RECALL)
