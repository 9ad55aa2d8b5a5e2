"""Precision and recall over highlighted text (INEX 2007-2010, Focused and Thorough)."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures import curves
from focuseval.measures.curves import RECALL_LEVELS_FROM_0, at_ranks
from focuseval.measures.declaration import LEVEL, RANK, Cutoff, Measure
from focuseval.measures.relevant_in_context import RelevantText, new_relevant_text, prepare
from focuseval.model.arrays import Floats, Ints
from focuseval.model.results import ResultList


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


def trace(text: RelevantText, results: ResultList) -> TextRanking:
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
    return curves.interpolated(ranking.precision, ranking.recall, levels)


def average(ranking: TextRanking) -> float:
    """AiP: the mean of iP over recall 0.00, 0.01 … 1.00. In [0, 1], higher is better."""
    return float(interpolated(ranking, RECALL_LEVELS_FROM_0).mean())


def precision(ranking: TextRanking) -> float:
    """P of all the text returned, 0 of none. In [0, 1], higher is better."""
    return float(ranking.precision[-1]) if len(ranking.precision) else 0.0


def recall(ranking: TextRanking) -> float:
    """R of all the text returned, 0 of none. In [0, 1], higher is better."""
    return float(ranking.recall[-1]) if len(ranking.recall) else 0.0


def precision_at(ranking: TextRanking, ranks: Ints) -> Floats:
    """(P,) P[r]; beyond the run's end, of all its text."""
    return at_ranks(ranking.precision, ranks)


def recall_at(ranking: TextRanking, ranks: Ints) -> Floats:
    """(P,) R[r]; beyond the run's end, of all its text."""
    return at_ranks(ranking.recall, ranks)


IP = Measure(
    name="iP",
    summary="interpolated precision: the highest precision over text at recall x or above",
    paper="INEX 2007-2010, Focused and Thorough",
    prepare=prepare,
    trace=trace,
    cutoffs=(Cutoff(LEVEL, "recall over text", interpolated, tuple(RECALL_LEVELS_FROM_0)),),
    needs=frozenset({"highlights"}),
    claims=frozenset({"tail"}),
)
AIP = replace(
    IP,
    name="AiP",
    summary="average interpolated precision: mean iP over recall 0.00, 0.01 … 1.00",
    value=average,
    cutoffs=(),
)
MAIP = replace(AIP, name="MAiP", summary="AiP by the name of its mean over topics")
CHAR_PRECISION = replace(
    IP,
    name="char_precision",
    summary="share of the text returned (up to result r) that is highlighted, each piece counted once",
    value=precision,
    cutoffs=(Cutoff(RANK, "result", precision_at),),
    claims=frozenset(),
)
CHAR_RECALL = replace(
    CHAR_PRECISION,
    name="char_recall",
    summary="share of the highlighted text that was returned (up to result r), each piece counted once",
    value=recall,
    cutoffs=(Cutoff(RANK, "result", recall_at),),
    claims=frozenset({"tail"}),
)

MEASURES = (IP, AIP, MAIP, CHAR_PRECISION, CHAR_RECALL)
