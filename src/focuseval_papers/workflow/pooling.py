"""Incomplete assessments: what is judged of a topic is what was in a pool of its runs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from focuseval.errors import InputError, Problem, counted
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, among_first


def pools(runs: Iterable[Results], depth: int) -> dict[str, Ints]:
    """Sorted rows of the elements among the first ``depth`` results of any run, by topic.

    Passages and results that are not in the collection are in no pool.
    """
    found: dict[str, list[Ints]] = {}
    for results in runs:
        pooled = among_first(results.run, results.topic, depth) & (results.element >= 0)
        for number, topic in enumerate(results.topics):
            found.setdefault(str(topic), []).append(results.element[pooled & (results.topic == number)])
    return {topic: np.unique(np.concatenate(parts)) for topic, parts in found.items()}


def pooled(topics: Sequence[Topic], pool: Mapping[str, Ints]) -> list[Topic]:
    """The topics as if only the elements in their pools had been judged; those that had no judgement are (0, 0).

    Raises InputError for topics with highlighted passages or with grades of documents, which no pool of elements
    divides.
    """
    return [_pooled(topic, pool.get(topic.name, np.empty(0, dtype=np.int64))) for topic in topics]


def _pooled(topic: Topic, rows: Ints) -> Topic:
    if topic.highlights is not None or topic.grade is not None:
        expected = "leave out pool_depth, or give assessments of elements"
        found = "a pool of elements, and assessments of passages or whole documents"
        raise InputError(Problem(f"topic {topic.name}", "", found, expected))
    place = np.searchsorted(topic.element, rows)
    judged = place < len(topic.element)
    judged[judged] = topic.element[place[judged]] == rows[judged]
    exhaustivity, specificity = np.zeros(len(rows)), np.zeros(len(rows))
    exhaustivity[judged] = topic.exhaustivity[place[judged]]
    specificity[judged] = topic.specificity[place[judged]]
    return replace(topic, element=rows, exhaustivity=exhaustivity, specificity=specificity, assessed=None)


def outside(complete: Sequence[Topic], judged: Sequence[Topic], depth: int) -> str:
    """How many relevant elements are in no pool: a note on assessments that were made incomplete."""

    def relevant(topics: Sequence[Topic]) -> int:
        return sum(int(topic.relevant.sum()) for topic in topics)

    before = relevant(complete)
    return (
        f"assessments: {before - relevant(judged):,} of {counted(before, 'relevant element')} left out, not among the "
        f"first {counted(depth, 'result')} of any run (pool_depth)"
    )
