"""The gain of each result of a list: new text and gold, where a measure stops, and its value after each result."""

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

#: reasons of a result's gain, by name
REASONS = {
    "found": "gold that was not read before",
    "partly": "some gold is new; part of the text was read before",
    "again": "all of it was read before",
    "known": "some text is new, but its gold was read before",
    "beside": "the document has gold, but not here",
    "outside": "no gold in this document for this topic",
    "empty": "a passage without text",
    "lost": "not in the collection: it counts as 18 characters without gold",
    "judged": "judged relevant; how long it is, is not known",
    "unjudged": "not judged relevant; how long it is, is not known",
}

_PLACES = {name: place for place, name in enumerate(REASONS)}

#: the specificity of an element that is about its topic and nothing else, by scale
_WHOLLY = {"inex2002": 3.0, "inex2003": 3.0, "inex2005": 1.0}


def gold_of(topic: Topic) -> Highlights:
    """The text that should be found: disjoint intervals.

    It is what was highlighted. Where documents have grades, it is all text of those above 0, which is one unit where
    their size is not known; where elements were judged, it is the text of those that are about the topic and
    nothing else, by their specificity.
    """
    if topic.highlights is not None:
        return topic.highlights
    collection = topic.collection
    if topic.scale == "grades":
        assert topic.assessed is not None and topic.grade is not None  # guaranteed by the scale
        document = topic.assessed[topic.grade > 0]
        end = collection.end[collection.root(document)].astype(np.int64)
        return Highlights(*merge(document, np.zeros_like(end), np.where(end < 0, 1, end)))
    wholly = topic.element[(topic.exhaustivity != 0) & (topic.specificity == _WHOLLY.get(topic.scale, 1.0))]
    return Highlights(
        *merge(collection.document_of(wholly), collection.start[wholly], collection.end[wholly])
    )


def readable(results: ResultList, scale: str) -> ResultList:
    """The results as intervals: a graded document of unknown size is one unit, any other unknown size is none."""
    unknown = (results.end < results.start) & results.resolved
    if not unknown.any():
        return results
    end = np.where(unknown, results.start + (scale == "grades"), results.end)
    return replace(results, end=end)


def judged_as(topic: Topic, results: ResultList) -> list[str]:
    """(K,) what assessors said of each result as a whole: ``grade 2``, ``E2 S3``; "" where nothing is known."""
    if topic.assessed is not None and topic.grade is not None:
        order = np.argsort(topic.assessed)
        is_judged, place = is_among(results.document, topic.assessed[order])
        grade = topic.grade[order]
        return [f"grade {grade[at]}" if has else "" for has, at in zip(is_judged, place, strict=True)]
    if topic.highlights is not None:
        return [""] * len(results)
    is_judged, place = results.found_among(topic.element)
    pairs = (
        zip(is_judged, topic.exhaustivity[place], topic.specificity[place], strict=True)
        if is_judged.any()
        else ()
    )
    return [f"E{e:g} S{s:.2g}" if has else "" for has, e, s in pairs] or [""] * len(results)


@dataclass(frozen=True, eq=False)
class Brought:
    """The new text and gold of the K results of a list, in the collection's unit."""

    size: Ints  #: (K,)
    new: Ints  #: (K,) text that no result before it has
    gold: Ints  #: (K,) gold in it
    found: Ints  #: (K,) gold in it that no result before it has
    why: Ints  #: (K,) place in `REASONS`


def brought(topic: Topic, results: ResultList, gold: Highlights, documents: Ints) -> Brought:
    """Return the gains of results; ``gold`` is that of the topic, ``documents`` those with anything relevant.

    The numbers are those that measures of text compute with (`focuseval.measures.text.TextRanking`), so that
    ``new`` adds up to what was retrieved and ``found`` to what was found.
    """
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
    """Values for a page: six decimals; None for NaN."""
    return [None if value != value else value for value in np.round(values, 6).tolist()]


def end_of(
    spec: Spec[Any, Any], topic: Topic, results: ResultList, has: Brought, gold: Highlights
) -> dict[str, int] | None:
    """Return where a measure stops in a list whose results ``has`` describes; None if it reads all of it.

    ``whole``: so many results are read to their end; ``part``: so much of the next; ``size``, ``new``, ``found``:
    what `Brought` says of all that is read, added up.
    """
    read = part_read(spec, topic, results, gold)
    if read is results:
        return None
    assert spec.declared_cutoff is not None  # without a cut-off all is read
    budget = spec.declared_cutoff.kind is not RANK  # a budget cuts the last result, maybe to nothing
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
    """(K,) whether the value may differ from that before the result; ``relevant`` are documents with anything relevant.

    A measure that claims so does not change with results in other documents (`CLAIMS`, "tail").
    """
    if "tail" not in spec.measure.claims:
        return np.ones(len(results), dtype=np.bool_)
    changes, _ = is_among(results.document, relevant)
    changes[:1] = True  # before it there is no value
    return changes


def at_every_rank(spec: Spec[Any, Any], base: Any, results: ResultList, changes: Bools) -> Floats:
    """Return (K,) the value of the list if it ended at each rank; ``changes`` marks ranks where it may change.

    ``base`` is what the topic offers (`Spec.prepare`). The last is the value of the list itself.
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
        # it sees what was found and read, not in which documents: a result without new gold is as one elsewhere
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
    """(K,) the same where the topic, which offers ``base``, may have alternatives: at each rank of the best choice."""

    def read(chosen: Topic) -> Floats:
        offers = base if chosen is topic else spec.prepare(chosen)
        if offers is None:
            return np.full((len(results), 1), np.nan)
        return at_every_rank(spec, offers, results, changes)[:, np.newaxis]

    return best_values(topic, read, np.array([spec.sign]))[:, 0]


def depth_within(steps: int, lists: Sequence[Bools]) -> int:
    """Return the rank up to which so many values can be computed in all lists; ``lists`` mark changes."""
    longest = max(map(len, lists), default=0)
    by_rank = np.zeros(longest, dtype=np.int64)
    for changes in lists:
        by_rank[: len(changes)] += changes
    return int(np.searchsorted(np.cumsum(by_rank), steps, side="right"))


def shares(spec: Spec[Any, Any], base: Any, results: ResultList) -> bool:
    """Return whether all ranks share what was counted, so that all values cost little more than one."""
    return isinstance(spec.trace(base, results.first(1)), TextRanking)
