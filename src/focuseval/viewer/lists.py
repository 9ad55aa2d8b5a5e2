"""Data about a list: new text and gold in each result, values at each rank, and where a measure stops reading."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from focuseval.measures.declaration import RANK, Spec
from focuseval.measures.text import RelevantUnits, TextRanking, counts_at_ranks
from focuseval.model.alternatives import best_values
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList
from focuseval.scoring.failures import part_read, units_of

#: descriptions of the reasons why a result gains much, little or nothing
REASONS = {
    "found": "gold that was not read before",
    "partly": "some gold is new; part of the text was read before",
    "again": "all of its text was read before",
    "known": "some text is new, but its gold was read before",
    "beside": "the document has gold, but in other places",
    "outside": "no gold in this document for this topic",
    "empty": "a passage without text",
    "lost": "not in the collection; counted as 18 characters without gold",
    "judged": "judged relevant; its length is unknown",
    "unjudged": "not judged relevant; its length is unknown",
}

_PLACES = {name: place for place, name in enumerate(REASONS)}

#: the highest specificity of each scale, for elements that are only about the topic
_WHOLLY = {"inex2002": 3.0, "inex2003": 3.0, "inex2005": 1.0}


def gold_of(topic: Topic) -> Highlights:
    """Return the gold of a topic as disjoint intervals.

    Highlighted text is gold. If documents are graded, gold is the whole text of documents with a grade above 0. If
    elements are judged, gold is the text of relevant elements with the highest specificity of the scale.
    """
    if topic.highlights is not None:
        return topic.highlights
    collection = topic.collection
    if topic.scale == "grades":
        assert topic.assessed is not None and topic.grade is not None  # always true on the scale ``grades``
        document = topic.assessed[topic.grade > 0]
        end = collection.end[collection.root(document)].astype(np.int64)
        return Highlights(*merge(document, np.zeros_like(end), np.where(end < 0, 1, end)))
    wholly = topic.element[(topic.exhaustivity != 0) & (topic.specificity == _WHOLLY.get(topic.scale, 1.0))]
    return Highlights(
        *merge(collection.document_of(wholly), collection.start[wholly], collection.end[wholly])
    )


def readable(results: ResultList, scale: str) -> ResultList:
    """Replace unknown sizes of results by 1 if the ``scale`` is ``grades``, and otherwise by 0."""
    unknown = (results.end < results.start) & results.resolved
    if not unknown.any():
        return results
    end = np.where(unknown, results.start + (scale == "grades"), results.end)
    return replace(results, end=end)


def judged_as(topic: Topic, results: ResultList) -> list[str]:
    """Return the judgement of each result, such as ``grade 2`` or ``E2 S3``, or ``""`` if it is not judged."""
    if topic.assessed is not None and topic.grade is not None:
        order = np.argsort(topic.assessed)
        is_judged, place = is_among(results.document, topic.assessed[order])
        grade = topic.grade[order]
        return [f"grade {grade[at]}" if has else "" for has, at in zip(is_judged, place, strict=True)]
    is_judged, place = results.found_among(topic.element)
    if topic.highlights is not None or not is_judged.any():
        return [""] * len(results)
    judged = zip(is_judged, topic.exhaustivity[place], topic.specificity[place], strict=True)
    return [f"E{e:g} S{s:.2g}" if has else "" for has, e, s in judged]


@dataclass(frozen=True, eq=False)
class Brought:
    """Amounts of text and gold in the K results of a list, in the unit of the collection."""

    size: Ints  #: the amount of text in each result (K,)
    new: Ints  #: the amount of text in each result that no earlier result contains (K,)
    gold: Ints  #: the amount of gold in each result (K,)
    found: Ints  #: the amount of gold in each result that no earlier result contains (K,)
    why: Ints  #: the reason for the gain of each result, as an index into `REASONS` (K,)


def brought(topic: Topic, results: ResultList, gold: Highlights, documents: Ints) -> Brought:
    """Return the amounts of text and gold in each result. ``documents`` are the documents with relevant content."""
    unsized = (results.end < results.start) & results.resolved & (topic.scale != "grades")
    read = readable(results, topic.scale)
    units = RelevantUnits(gold, int((gold.end - gold.start).sum()), None, False)
    once, summed = TextRanking(units, read), TextRanking(units, read, "summed")
    new, found, held = (np.diff(column, prepend=0) for column in (once.retrieved, once.found, summed.found))
    inside, _ = is_among(results.document, documents)
    why = _why(read, new, held, found, inside)
    if unsized.any():
        is_relevant, place = results.found_among(topic.element)
        judged = is_relevant & (topic.exhaustivity[place] != 0) if len(topic.element) else is_relevant
        reasons = np.where(judged, _PLACES["judged"], _PLACES["unjudged"])
        why = np.where(unsized, np.where(results.repeats, _PLACES["again"], reasons), why)
    return Brought(read.size, new, held, found, why)


def _why(results: ResultList, new: Ints, gold: Ints, found: Ints, inside: Bools) -> Ints:
    size = results.size
    return np.select(
        [~results.resolved, size == 0, (found > 0) & (new == size), found > 0, new == 0, gold > 0, inside],
        [_PLACES[name] for name in ("lost", "empty", "found", "partly", "again", "known", "beside")],
        _PLACES["outside"],
    )


def rounded(values: Floats) -> list[float | None]:
    """Return values rounded to six decimals, with None for NaN."""
    return [None if value != value else value for value in np.round(values, 6).tolist()]


def end_of(
    spec: Spec[Any, Any], topic: Topic, results: ResultList, has: Brought, gold: Highlights
) -> dict[str, int] | None:
    """Return where a measure stops reading a list, or None if it reads the whole list.

    The measure reads ``whole`` results completely, and ``part`` units of the next result. ``size``, ``new`` and
    ``found`` are sums over the text that is read. ``has`` contains the amounts of each result (`Brought`).
    """
    read = part_read(spec, topic, results, gold)
    if read is results:
        return None
    assert spec.declared_cutoff is not None  # measures without a cut-off have returned above
    budget = spec.declared_cutoff.kind is not RANK  # a budget may end within a result
    whole, part = (len(read) - 1, int(read.size[-1])) if budget else (len(read), 0)
    totals = {name: int(getattr(has, name)[:whole].sum()) for name in ("size", "new", "found")}
    if part:
        ranking = TextRanking(units_of(topic, gold), read)
        totals = {
            "size": totals["size"] + part,
            "new": int(ranking.retrieved[-1]),
            "found": int(ranking.found[-1]),
        }
    return {"whole": whole, "part": part, **totals}


def changing(spec: Spec[Any, Any], results: ResultList, relevant: Ints) -> Bools:
    """Return, for each of K results, whether it may change the measure's value (K,).

    ``relevant`` lists the documents with relevant content. For a measure with the claim "tail" (`CLAIMS`), a result in
    any other document leaves the value at its rank unchanged.
    """
    if "tail" not in spec.measure.claims:
        return np.ones(len(results), dtype=np.bool_)
    changes, _ = is_among(results.document, relevant)
    changes[:1] = True  # the first value is always computed
    return changes


def at_every_rank(spec: Spec[Any, Any], base: Any, results: ResultList, changes: Bools) -> Floats:
    """Return the value of a list after each of its K ranks, as if the list ended there (K,).

    ``base`` is the result of `Spec.prepare` for the topic. ``changes`` marks the ranks at which the value may
    change.
    """
    if not len(results):
        return np.empty(0)
    trace = spec.trace(base, results)
    by_rank = spec.declared_cutoff is None or spec.declared_cutoff.kind is RANK
    if isinstance(trace, TextRanking) and spec.measure.pool is not None and by_rank:
        last = len(results) if spec.cutoff is None else int(spec.cutoff)
        ranks = np.minimum(np.arange(1, len(results) + 1), last)
        return spec.number_of(counts_at_ranks(trace, ranks))
    shared = isinstance(trace, TextRanking)
    if isinstance(trace, TextRanking) and "tail" in spec.measure.claims:
        # a result without new gold changes nothing, even if its document contains gold
        changes = changes & (np.diff(trace.found, prepend=0) > 0)
        changes[:1] = True
    values, before = np.zeros(len(results)), np.nan
    for place, changed in enumerate(changes.tolist()):
        if changed:
            part = trace.first(place + 1) if shared else spec.trace(base, results.first(place + 1))
            before = spec.read(part)
        values[place] = before
    return values


def best_at_every_rank(
    spec: Spec[Any, Any], topic: Topic, base: Any, results: ResultList, changes: Bools
) -> Floats:
    """Return the values of `at_every_rank`, each computed with the alternatives in the gold that score best."""

    def read(chosen: Topic) -> Floats:
        offers = base if chosen is topic else spec.prepare(chosen)
        if offers is None:
            return np.full((len(results), 1), np.nan)
        return at_every_rank(spec, offers, results, changes)[:, np.newaxis]

    return best_values(topic, read, np.array([spec.sign]))[:, 0]


def depth_within(steps: int, lists: Sequence[Bools]) -> int:
    """Return the last rank up to which all lists together have at most ``steps`` changes.

    Each of ``lists`` marks the ranks at which a list's value may change.
    """
    longest = max(map(len, lists), default=0)
    by_rank = np.zeros(longest, dtype=np.int64)
    for changes in lists:
        by_rank[: len(changes)] += changes
    return int(np.searchsorted(np.cumsum(by_rank), steps, side="right"))


def shares(spec: Spec[Any, Any], base: Any, results: ResultList) -> bool:
    """Return whether the values of a measure at all ranks of a list can be read from one trace (`Spec.trace`)."""
    return isinstance(spec.trace(base, results.first(1)), TextRanking)
