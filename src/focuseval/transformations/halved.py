"""Passages cut in half: the same text in the same order, in twice as many results."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Bools, sums_before
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import in_order


def transform(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result of two characters or more as its two halves (`halve`)."""
    return halve(results, np.ones(len(results), dtype=bool))


def halve(results: Results, chosen: Bools) -> Results:
    """Chosen results of two characters or more as two halves, the first of which is not the longer one.

    Ranks count from 1 in the order of the results. Halves are passages, whatever was cut.
    """
    half = (results.end - results.start) // 2
    cut = chosen & (half > 0) & (results.start >= 0)
    times = 1 + cut
    first = sums_before(times)[:-1]
    source = np.repeat(np.arange(len(results)), times)
    start, end = results.start[source].copy(), results.end[source].copy()
    end[first[cut]] = start[first[cut]] + half[cut]
    start[first[cut] + 1] = end[first[cut]]
    return in_order(results, source, start, end, np.where(cut[source], -1, results.element[source]))
