"""Results that stand twice, one behind the other: those of relevant text alone, or those without any."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Bools
from focuseval.model.intervals import covered
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.halved import in_order


def transform(results: Results, topics: Sequence[Topic], *, relevant: bool) -> Results:
    """Every result of nothing but relevant text (or, not ``relevant``, of none at all) again right behind itself."""
    again = chosen(results, topics, relevant)
    source = np.repeat(np.arange(len(results)), 1 + again)
    return in_order(results, source, results.start[source], results.end[source], results.element[source])


def chosen(results: Results, topics: Sequence[Topic], relevant: bool) -> Bools:
    """(M,) whether a result has nothing but highlighted text of its topic, or none of it."""
    found = np.zeros(len(results), dtype=bool)
    for topic in topics:
        marks = topic.highlights
        if marks is None or topic.name not in results.topics:
            continue
        rows = np.flatnonzero(
            (results.topic == results.topics.get_loc(topic.name)) & (results.start >= 0) & (results.document >= 0)
        )
        start, end = results.start[rows], results.end[rows]
        held = covered(marks.document, marks.start, marks.end, results.document[rows], start, end)
        found[rows] = held == (end - start if relevant else 0)
    return found
