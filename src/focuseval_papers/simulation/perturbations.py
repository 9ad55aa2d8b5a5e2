"""Functions that perturb ideal rankings or other runs; each function has the name of its perturbation.

`moved` and `siblings` follow Piwowarski & Dupret (2006), Section 7. `reordered` follows Ali et al. (2008), Section 7.1:
it makes versions of a run that a faithful measure must rank in a known order.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.measures.quantisation import quantised
from focuseval.model.arrays import Bools, Ints, changes, ranges
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results
from focuseval.transformations.ideal import MOVING, ElementTree, perturbed_runs
from focuseval.transformations.lists import in_order, lengths, list_of, places, results_at, stacked
from focuseval.transformations.lists import reordered as in_new_order
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, perturb
from focuseval.transformations.rewriting import halve


def moved(
    topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int, m: Sequence[float] = MOVING
) -> Results:
    """Return copies of the ideal run in which elements move at random up or down their document's tree.

    ``draws`` runs are made for each probability in ``m``: ``moved-0.3.1`` is the first run for the probability 0.3. The
    probability 0 gives the ideal run itself, once.
    """
    return perturbed_runs(topics, quantisation, moving=m, seed=seed, draws=draws)


def siblings(
    topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int, m: Sequence[float] = MOVING
) -> Results:
    """Return copies of the ideal run in which random siblings replace elements.

    Runs are made as by `moved`: ``sibling-0.3.1`` is the first run for the probability 0.3.
    """
    return perturbed_runs(
        topics, quantisation, moving=m, seed=seed, draws=draws, perturb=replace_by_siblings, stem="sibling"
    )


def replace_by_siblings(tree: ElementTree, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """Replace each element in ``rows``, with a ``probability``, by a random sibling. Return the resulting rows.

    Elements without siblings are not replaced.
    """
    rows, parent = np.array(rows, dtype=np.int64), tree.collection.parent
    chosen = np.flatnonzero((rng.random(len(rows)) < probability) & (parent[rows] >= 0))
    above = parent[rows[chosen]]
    low, count = tree.begin[above], tree.begin[above + 1] - tree.begin[above]
    # the draw skips the element's own position
    itself = tree.place[rows[chosen]]
    place = low + (rng.random(len(chosen)) * (count - 1)).astype(np.int64)
    rows[chosen] = tree.child[np.where(count > 1, place + (place >= itself), itself)]
    return rows


def halved(results: Results, topics: Sequence[Topic]) -> Results:
    """Split every result of two or more units of text into two halves."""
    return halve(results, np.ones(len(results), dtype=bool))


def repeated(results: Results, topics: Sequence[Topic], *, relevant: bool) -> Results:
    """Return every result, followed by repetitions of its text.

    If ``relevant`` is true, each highlighted stretch of a result is repeated as a passage. Otherwise, each result
    without highlighted text is repeated as a whole.
    """
    # each array has three rows: index of the repeated result, start and end of the repeated text
    repeated = [np.empty((3, 0), dtype=np.int64)]
    for topic in topics:
        if topic.highlights is None or topic.name not in results.topics:
            continue
        resolved = (results.start >= 0) & (results.document >= 0)
        rows = np.flatnonzero(resolved & (results.topic == results.topics.get_loc(topic.name)))
        place, start, end = highlights_inside(
            topic.highlights, results.document[rows], results.start[rows], results.end[rows]
        )
        if relevant:
            repeated.append(np.array([rows[place], start, end]))
        else:
            rows = np.delete(rows, place)
            repeated.append(np.array([rows, results.start[rows], results.end[rows]]))
    again, start, end = np.concatenate(repeated, axis=1)
    # the sort is stable, so a repetition directly follows its result
    source = np.concatenate([np.arange(len(results)), again])
    order = np.argsort(source, kind="stable")
    starts, ends = np.concatenate([results.start, start]), np.concatenate([results.end, end])
    elements = np.concatenate(
        [results.element, np.full(len(again), -1) if relevant else results.element[again]]
    )
    return in_order(results, source[order], starts[order], ends[order], elements[order])


def highlights_inside(marks: Highlights, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the highlighted stretches inside intervals; an interval is from ``start`` to ``end`` of a ``document``.

    The three arrays contain the index of the interval, the start and the end of each stretch.
    """
    # highlights are disjoint and sorted, so the highlights in an interval are consecutive
    stride = int(max(marks.end.max(initial=0), end.max(initial=0))) + 1
    document = document.astype(np.int64)
    begins, ends = marks.document * stride + marks.start, marks.document * stride + marks.end
    first = np.searchsorted(ends, document * stride + start, side="right")
    count = np.maximum(np.searchsorted(begins, document * stride + end, side="left") - first, 0)
    place = np.repeat(np.arange(len(document)), count)
    mark = ranges(count, first)
    return place, np.maximum(start[place], marks.start[mark]), np.minimum(end[place], marks.end[mark])


def turned_around(results: Results, topics: Sequence[Topic], *, first: int) -> Results:
    """Reverse the order of the ``first`` highest-ranked results of every list."""
    place, turned = places(results), np.minimum(lengths(results), first)[list_of(results)]
    to = np.where(place < turned, turned - 1 - place, place)
    return replace(in_new_order(results, np.arange(len(results)) - place + to), sources=())


def where_relevant(results: Results, topics: Sequence[Topic]) -> Results:
    """Keep only the results in documents with highlighted text for the topic. Ranks do not change."""
    kept = np.zeros(len(results), dtype=bool)
    for topic in topics:
        if topic.highlights is not None and topic.name in results.topics:
            mine = results.topic == results.topics.get_loc(topic.name)
            kept |= mine & np.isin(results.document, topic.highlights.document)
    return results_at(results, kept)


def article_ranks(results: Results) -> Results:
    """Give consecutive results of a document one shared rank, counted from 1 in each list.

    `perturb` then moves the results of a document together.
    """
    rank = np.cumsum(changes(results.run, results.topic, results.document) | (results.document < 0))
    return replace(results, rank=rank - (rank[results.bounds[:-1]] - 1)[list_of(results)])


def reordered(
    results: Results,
    topics: Sequence[Topic],
    *,
    versions: Sequence[str] = EXPECTED,
    ranks: int,
    quantisation: str = "gen",
    clusters: bool = False,
) -> Results:
    """Return several versions of every run, each cut after rank ``ranks``.

    A version is the unchanged run (`ORIGINAL`) or one of `PERTURBATIONS`. The version ``iii`` of ``RUN`` is called
    ``iii/RUN``. An element is relevant if its score under ``quantisation`` is above 0. With ``clusters``, consecutive
    results of a document move together.
    """
    if clusters:
        results = article_ranks(results)

    def relevant(topic: Topic) -> Bools:
        return quantised(topic, quantisation) > 0

    perturbed = []
    for version in versions:
        original = version == ORIGINAL
        changed = results if original else perturb(results, topics, version, relevant=relevant)
        changed = results_at(changed, changed.rank <= ranks)
        runs = f"{version}/" + changed.runs.astype(str)
        perturbed.append(replace(changed, runs=runs, line=None, sources=()))
    return stacked(perturbed)
