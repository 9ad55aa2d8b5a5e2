"""Passages cut in half: the same text in the same order, in twice as many results."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.model.judgements import Topic
from focuseval.model.results import Results


def transform(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result of two characters or more as its two halves, the first of which is not the longer one.

    Ranks count from 1 in the order of the results. Halves are passages, whatever was cut.
    """
    half = (results.end - results.start) // 2
    cut = (half > 0) & (results.start >= 0)
    times = 1 + cut
    first = np.concatenate([[0], np.cumsum(times)])[:-1]
    source = np.repeat(np.arange(len(results)), times)
    start, end = results.start[source].copy(), results.end[source].copy()
    end[first[cut]] = start[first[cut]] + half[cut]
    start[first[cut] + 1] = end[first[cut]]
    return in_order(results, source, start, end, np.where(cut[source], -1, results.element[source]))


def in_order(
    results: Results, source: np.ndarray, start: np.ndarray, end: np.ndarray, element: np.ndarray
) -> Results:
    """Results made of others: each of the result ``source`` with another interval, ranked in the order given."""
    run, topic = results.run[source], results.topic[source]
    begins = np.flatnonzero((np.diff(run, prepend=-1) != 0) | (np.diff(topic, prepend=-1) != 0))
    length = np.diff(np.append(begins, len(source)))
    return replace(
        results,
        run=run,
        topic=topic,
        rank=1 + np.arange(len(source)) - np.repeat(begins, length),
        document=results.document[source],
        element=element,
        start=start,
        end=end,
        score=np.full(len(source), np.nan),
        line=None,
    )
