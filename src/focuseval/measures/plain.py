"""The declaration of measures that are plain functions of two arrays, the gold and the results."""

from collections.abc import Callable

import numpy as np

from focuseval.measures.declaration import Measure
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import ResultList


def _rows(passages: Highlights | Spans | ResultList) -> Ints:
    """Return passages as an array with the columns document, start, end."""
    return np.column_stack([passages.document, passages.start, passages.end]).astype(np.int64)


def _prepare(topic: Topic) -> Ints | None:
    """Return the gold passages of a topic, or None if there are none."""
    gold = topic.spans if topic.spans is not None else topic.highlights
    return _rows(gold) if gold is not None and len(gold.start) else None


def measure_of(
    name: str, function: Callable[[Ints, Ints], float], summary: str, paper: str
) -> Measure[Ints, float]:
    """Declare a measure that a function computes from the gold and the results.

    Both arguments of the function are arrays with the columns document, start and end.
    """

    def trace(gold: Ints, results: ResultList) -> float:
        return float(function(gold, _rows(results)))

    return Measure(name, summary, paper, _prepare, trace, float, needs=frozenset({"highlights"}))
