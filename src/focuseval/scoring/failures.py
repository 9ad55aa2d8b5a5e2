"""Failure analysis: whether a list finds each gold passage up to a measure's cut-off, and if not, why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, counted
from focuseval.measures.declaration import BUDGETS, RANK, Spec
from focuseval.measures.text import RelevantUnits, TextRanking
from focuseval.model.alternatives import best_choices, groups_of_topic
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.intervals import meetings, new_text
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import ResultList, Results

#: each outcome of a gold passage, with an explanation; all outcomes except the first are failures
KINDS = {
    "found": "the whole passage was read",
    "cut": "only a part of the passage was read, and the rest is not in the list",
    "too low": "at least a part of the passage is below the cut-off",
    "other chunks": "the list has other text of the document, but not the passage",
    "no document": "the document is not in the list",
}
_PLACES = {name: place for place, name in enumerate(KINDS)}

#: values of `Cutoff.summary` for cut-offs that are ranks in the list
_OF_A_LIST = ("rank", "result", "article")


class Passages(NamedTuple):
    """The outcome of each gold passage in a result list: whether it was found or, if not, why (`KINDS`)."""

    kind: Ints  #: outcome of each passage, as an index into `KINDS`
    rank: Ints  #: rank of the first result that overlaps each passage; 0 if no result does
    share: Floats  #: share of each passage that was read up to the cut-off


def passages_in(gold: Highlights | Spans, results: ResultList, read: ResultList) -> Passages:
    """Return the outcomes of gold passages in the list ``results``, of which ``read`` is the part up to a cut-off."""
    size, rank = gold.end - gold.start, np.zeros(len(gold.document), dtype=np.int64)
    retrieved = np.isin(gold.document, results.document)
    place = gold.document, gold.start, gold.end
    passage, result, _ = meetings(results.document, results.start, results.end, *place)
    first, at = np.unique(passage, return_index=True)
    rank[first] = 1 + result[at]
    whole = _shared(gold, results, passage, result)
    early = result < len(read)
    now = whole if early.all() and read is results else _shared(gold, read, passage[early], result[early])
    kind = np.select(
        [now == size, (now > 0) & (whole < size), whole > 0, retrieved],
        [_PLACES[name] for name in ("found", "cut", "too low", "other chunks")],
        _PLACES["no document"],
    )
    return Passages(kind, rank, now / size)


def _shared(gold: Highlights | Spans, results: ResultList, passage: Ints, result: Ints) -> Ints:
    """Return how much text of each gold passage the results contain.

    ``passage`` and ``result`` are pairs of a passage and a result that overlap.
    """
    low = np.maximum(gold.start[passage], results.start[result])
    high = np.maximum(np.minimum(gold.end[passage], results.end[result]), low)
    new = new_text(passage, low, high)
    return np.bincount(passage, new, minlength=len(gold.document)).astype(np.int64)


def counted_of(topic: Topic, kind: Ints) -> Bools:
    """Return whether each gold span of a topic counts. ``kind`` gives the outcomes of all spans.

    Only the first of equal spans counts. In each group, only the alternative with the fewest failures counts.
    """
    spans = topic.spans
    assert spans is not None  # only topics with spans have outcomes
    counted = np.ones(len(spans), dtype=np.bool_)
    if (groups := groups_of_topic(topic)) and spans.group is not None:

        def failures(chosen: Bools) -> Floats:
            # count an interval once, even if two alternatives share it
            failed = np.unique(spans.interval[chosen & (kind > 0)])
            return np.array([[len(failed), *chosen]], dtype=float)

        counted = best_choices(groups, spans.group < 0, failures, np.array([-1]))[0, 1:] > 0
    counted[counted] = ~pd.Index(spans.interval[counted]).duplicated()
    return counted


def passages_of(topic: Topic, results: ResultList, spec: Spec[Any, Any]) -> tuple[Passages, Bools]:
    """Return the outcomes of a topic's gold spans up to a measure's cut-off, and whether each span counts.

    The topic must have spans, and the sizes of all results must be known.
    """
    assert topic.spans is not None and topic.highlights is not None  # topics with gold passages have both
    passages = passages_in(topic.spans, results, part_read(spec, topic, results, topic.highlights))
    return passages, counted_of(topic, passages.kind)


def kinds_of(topic: Topic, results: ResultList, spec: Spec[Any, Any]) -> Ints:
    """Return the outcomes of a topic's gold spans up to a measure's cut-off, as indexes into `KINDS`.

    Spans that do not count are left out (`counted_of`).
    """
    passages, counted = passages_of(topic, results, spec)
    return passages.kind[counted]


def failures_of(topics: Sequence[Topic], results: Results, spec: Spec[Any, Any]) -> pd.DataFrame:
    """Return a table of every gold passage with its outcome in each run (`focuseval.failures`)."""
    if any(topic.spans is None for topic in topics):
        raise InputError.of("gold", "the gold has no passages", "give gold passages with offsets")
    if (results.end < results.start).any():
        raise InputError.of("runs", "the sizes of some results are unknown", GIVE_DOCUMENTS)
    lists = {(ranked.run, ranked.topic): ranked for ranked in results.lists()}
    names, parts = topics[0].collection.names, []
    for run in map(str, results.runs):
        for topic in topics:
            ranked = lists.get((run, topic.name), ResultList.empty(run, topic.name))
            passages, counted = passages_of(topic, ranked, spec)
            assert topic.spans is not None  # topics without spans were refused above
            columns = {
                "document": names[topic.spans.document[counted]].astype(str),
                "start": topic.spans.start[counted],
                "end": topic.spans.end[counted],
                "kind": np.array([*KINDS])[passages.kind[counted]],
                "rank": passages.rank[counted],
                "share": passages.share[counted],
            }
            parts.append(pd.DataFrame({"run": run, "topic": topic.name, **columns}))
    return pd.concat(parts, ignore_index=True)


def failures_table(counts: Mapping[str, Counter[int]]) -> pd.DataFrame:
    """Return a table that counts the gold passages of each run, in total and by outcome."""
    rows = [
        {"run": run, "passages": sum(outcomes.values()), **{name: outcomes[i] for name, i in _PLACES.items()}}
        for run, outcomes in counts.items()
        if outcomes
    ]
    return pd.DataFrame(rows, columns=["run", "passages", *KINDS])


def in_words(spec: Spec[Any, Any]) -> str:
    """Describe how far a measure reads lists, for the caption of a table of failures."""
    limit = limit_of(spec)
    return (
        f"in the part of each list that {spec.name} reads (the first {limit})" if limit else "in whole lists"
    )


def limit_of(spec: Spec[Any, Any]) -> str | None:
    """Describe how far a measure reads lists, as in ``300 characters`` or ``5 results``.

    Returns None without a limit at ranks or in units of text, and "" if the cut-off is not a rank of the list.
    """
    if spec.declared_cutoff is None or spec.cutoff is None:
        return None
    kind, number = spec.declared_cutoff.kind, int(spec.cutoff)
    if kind in BUDGETS:
        return f"{number:,} {kind.name}"
    if kind is not RANK:
        return None
    if spec.declared_cutoff.summary not in _OF_A_LIST:
        return ""
    return counted(number, "document" if _documents(spec) else "result")


def _documents(spec: Spec[Any, Any]) -> bool:
    """Return whether a cut-off counts documents instead of results."""
    assert spec.declared_cutoff is not None  # only measures with a cut-off in ranks get here
    return spec.declared_cutoff.summary == "article" or any(
        spec.parameters[p.name] in p.document_choices for p in spec.measure.parameters
    )


def part_read(spec: Spec[Any, Any], topic: Topic, results: ResultList, gold: Highlights) -> ResultList:
    """Return the results up to the cut-off of a measure. A budget may shorten the last result."""
    if not limit_of(spec):
        return results
    assert spec.declared_cutoff is not None and spec.cutoff is not None  # a limit implies a cut-off
    kind, number = spec.declared_cutoff.kind, int(spec.cutoff)
    if kind is RANK:
        if _documents(spec):
            number = int(np.searchsorted(np.cumsum(results.first_of_article), number, side="right"))
        return results.first(number)
    return TextRanking(units_of(topic, gold), results).cut(number, kind).results


def units_of(topic: Topic, gold: Highlights) -> RelevantUnits:
    """Convert a topic's gold to `RelevantUnits`, in the unit of the collection."""
    return RelevantUnits(gold, int((gold.end - gold.start).sum()), topic.collection.words, False)
