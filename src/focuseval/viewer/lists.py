"""What each result of a list brings its reader: what is new of it, what of that is gold, and why it is so."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures.text import RelevantUnits, TextRanking
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList

#: why a result brings what it brings: what is said of it, by a name
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
        assert topic.assessed is not None and topic.grade is not None  # of this scale
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
        known, place = is_among(results.document, topic.assessed[order])
        grade = topic.grade[order]
        return [f"grade {grade[at]}" if has else "" for has, at in zip(known, place, strict=True)]
    if topic.highlights is not None:
        return [""] * len(results)
    known, place = results.found_among(topic.element)
    pairs = (
        zip(known, topic.exhaustivity[place], topic.specificity[place], strict=True) if known.any() else ()
    )
    return [f"E{e:g} S{s:.2g}" if has else "" for has, e, s in pairs] or [""] * len(results)


@dataclass(frozen=True, eq=False)
class Brought:
    """What the K results of a list bring, one after another, in the collection's unit."""

    size: Ints  #: (K,)
    new: Ints  #: (K,) text that no result before it has
    gold: Ints  #: (K,) gold in it
    found: Ints  #: (K,) gold in it that no result before it has
    why: Ints  #: (K,) place in `REASONS`


def brought(topic: Topic, results: ResultList, gold: Highlights, documents: Ints) -> Brought:
    """What the results bring; ``gold`` is that of the topic, ``documents`` those in which anything is relevant.

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
        known, place = results.found_among(topic.element)
        judged = known & (topic.exhaustivity[place] != 0) if len(topic.element) else known
        said = np.where(judged, _PLACES["judged"], _PLACES["unjudged"])
        why = np.where(unsized, np.where(results.repeats, _PLACES["again"], said), why)
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
