"""Text that is read again: results with their relevant pieces once more, or results without any that stand twice."""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Ints, ranges
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import in_order


def transform(results: Results, topics: Sequence[Topic], *, relevant: bool) -> Results:
    """Every result with what is repeated of it right behind it.

    If ``relevant``, that is each stretch of highlighted text in it, as a passage; else the whole result, where it
    holds no highlighted text at all. Topics without judgements stay as they are.
    """
    repeated = [np.empty((3, 0), dtype=np.int64)]  # result, start and end of what stands again
    for topic in topics:
        if topic.highlights is None or topic.name not in results.topics:
            continue
        known = (results.start >= 0) & (results.document >= 0)
        rows = np.flatnonzero(known & (results.topic == results.topics.get_loc(topic.name)))
        place, start, end = held_by(
            topic.highlights, results.document[rows], results.start[rows], results.end[rows]
        )
        if relevant:
            repeated.append(np.array([rows[place], start, end]))
        else:
            rows = np.delete(rows, place)
            repeated.append(np.array([rows, results.start[rows], results.end[rows]]))
    again, start, end = np.concatenate(repeated, axis=1)
    # The sort is stable: what stands again stands behind its result.
    source = np.concatenate([np.arange(len(results)), again])
    order = np.argsort(source, kind="stable")
    starts, ends = np.concatenate([results.start, start]), np.concatenate([results.end, end])
    elements = np.concatenate(
        [results.element, np.full(len(again), -1) if relevant else results.element[again]]
    )
    return in_order(results, source[order], starts[order], ends[order], elements[order])


def held_by(marks: Highlights, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """The stretches of highlighted text in intervals: the number of the interval, start and end of each stretch.

    Highlights are disjoint and sorted by document and start, so those that meet an interval stand in a row.
    """
    stride = int(max(marks.end.max(initial=0), end.max(initial=0))) + 1
    document = document.astype(np.int64)
    begins, ends = marks.document * stride + marks.start, marks.document * stride + marks.end
    first = np.searchsorted(ends, document * stride + start, side="right")
    count = np.maximum(np.searchsorted(begins, document * stride + end, side="left") - first, 0)
    place = np.repeat(np.arange(len(document)), count)
    mark = ranges(count, first)
    return place, np.maximum(start[place], marks.start[mark]), np.minimum(end[place], marks.end[mark])
