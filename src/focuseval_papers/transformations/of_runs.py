"""Runs made of others: each function is a transformation, asked for by its name."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.model.arrays import Ints, changes, ranges
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import in_order, lengths, list_of, places, reordered, taken
from focuseval.transformations.perturbations import ORIGINAL, perturb
from focuseval.transformations.rewriting import halve


def halved(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result of two characters or more as its two halves, also where it shares its rank."""
    return halve(results, np.ones(len(results), dtype=bool))


def repeated(results: Results, topics: Sequence[Topic], *, relevant: bool) -> Results:
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


def turned_around(results: Results, topics: Sequence[Topic], *, first: int) -> Results:
    """Every list with its ``first`` results reversed; ranks stay where they are. No file holds such runs."""
    place, turned = places(results), np.minimum(lengths(results), first)[list_of(results)]
    to = np.where(place < turned, turned - 1 - place, place)
    return replace(reordered(results, np.arange(len(results)) - place + to), sources=())


def where_relevant(results: Results, topics: Sequence[Topic]) -> Results:
    """The results in documents that hold highlighted text of their topic; the others keep their ranks."""
    kept = np.zeros(len(results), dtype=bool)
    for topic in topics:
        if topic.highlights is not None and topic.name in results.topics:
            mine = results.topic == results.topics.get_loc(topic.name)
            kept |= mine & np.isin(results.document, topic.highlights.document)
    return taken(results, kept)


def article_ranks(results: Results) -> Results:
    """The results with one rank per cluster: consecutive results of one document share a rank, from 1.

    So a Relevant in Context run becomes a ranking of trees, whose clusters `perturb` moves as a whole.
    """
    rank = np.cumsum(changes(results.run, results.topic, results.document) | (results.document < 0))
    return replace(results, rank=rank - (rank[results.bounds[:-1]] - 1)[list_of(results)])


def perturbations(
    results: Results,
    topics: Sequence[Topic],
    *,
    version: str,
    quantisation: str = "gen",
    clusters: bool = False,
    ranks: int,
) -> Results:
    """The runs as they are (`ORIGINAL`) or perturbed in one way of `PERTURBATIONS`: the first ``ranks`` of a list.

    An element is relevant if its quantised score is positive. With ``clusters``, consecutive results of one
    document share a rank and move as a whole, in the original too.
    """
    if clusters:
        results = article_ranks(results)
    if version != ORIGINAL:
        results = perturb(
            results, topics, version, relevant=lambda topic: quantised(topic, quantisation, QUANTISATIONS) > 0
        )
    return replace(taken(results, results.rank <= ranks), line=None, sources=())
