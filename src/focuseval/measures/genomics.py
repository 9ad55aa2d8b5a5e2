"""The measures of TREC Genomics 2006 and 2007: average precision of documents, passages, characters and aspects.

Hersh et al., TREC 2007 Genomics Track Overview; what they leave open is as in the track's program
(``trecgen2007_score.py``). Results are read by rank, and those of one rank by document, offset and length. Higher is
better.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.measures.curves import average_precision, rank_relevant
from focuseval.measures.declaration import Measure
from focuseval.model.arrays import Floats, Ints, changes, distinct
from focuseval.model.intervals import covered, meetings, new_stretches
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import PLACE, ResultList


@dataclass(frozen=True, eq=False)
class GoldPassages:
    """The gold passages of a topic, in the order of the file, and the text that they hold."""

    spans: Spans
    text: Highlights
    names: pd.Index  #: names of documents

    @cached_property
    def aspects(self) -> tuple[Ints, Ints]:
        """Passages and the numbers of their aspects, a pair for each aspect of each passage."""
        pairs = [(i, name) for i, names in enumerate(self.spans.aspects) for name in names.split("|") if name]
        number = np.searchsorted(self.aspect_names, [name for _, name in pairs])
        return np.array([i for i, _ in pairs], dtype=np.int64), number

    @cached_property
    def aspect_names(self) -> list[str]:
        """The names of the aspects, by their numbers."""
        return sorted({name for names in self.spans.aspects for name in names.split("|") if name})


def prepare(topic: Topic) -> GoldPassages | None:
    """The gold passages, or None if there are none."""
    spans, text = topic.spans, topic.highlights
    assert spans is not None and text is not None  # these measures need spans
    return GoldPassages(spans, text, topic.collection.names) if len(spans) else None


def prepare_aspects(topic: Topic) -> GoldPassages | None:
    """The gold passages, or None if none of them has an aspect."""
    gold = prepare(topic)
    return gold if gold is not None and len(gold.aspects[0]) else None


@dataclass(frozen=True, eq=False)
class ReadPassages:
    """The K results of a list in the order of reading, and the gold passage that each meets first."""

    gold: GoldPassages
    results: ResultList

    @cached_property
    def hits(self) -> tuple[Ints, Ints, Ints]:
        """Results that meet a gold passage, the first one in the file that each meets, and what both share."""
        spans, read = self.gold.spans, self.results
        one, other, shared = meetings(
            spans.document, spans.start, spans.end, read.document, read.start, read.end
        )
        first = changes(one)
        return one[first], other[first], shared[first]


def trace(gold: GoldPassages, results: ResultList) -> ReadPassages:
    """The results as they are read."""
    if (np.diff(results.rank) > 0).all():
        return ReadPassages(gold, results)
    document = in_order_of_names(gold.names, results.document)
    order = np.lexsort((results.size, results.start, document, results.rank))
    columns = {name: getattr(results, name)[order] for name in ("rank", *PLACE)}
    return ReadPassages(gold, replace(results, **columns, line=None))


def in_order_of_names(names: pd.Index, document: Ints) -> Ints:
    """(K,) numbers of documents that rise with their names; an unknown document has -1.

    Their indices do not: without the collection, documents without gold are numbered behind those that have some.
    """
    distinct, place = np.unique(document, return_inverse=True)
    rising = np.argsort(np.argsort(names.take(np.maximum(distinct, 0)).to_numpy(object)))
    return np.where(distinct < 0, -1, rising)[place]


def document(read: ReadPassages) -> float:
    """DOCUMENT: average precision of documents, each at its first result, over those with gold. In [0, 1]."""
    documents = distinct(read.gold.spans.document)
    return average_precision(rank_relevant(documents, read.results))


def passage(read: ReadPassages) -> float:
    """PASSAGE: the mean, over results that meet gold and gold passages that are met by none, of character precision.

    A result counts what it shares with the first gold passage in the file that it meets; precision at it is
    (relevant characters so far) / (characters so far). In [0, 1]. Text that is returned twice counts twice.
    """
    result, gold, shared = read.hits
    retrieved = np.cumsum(read.results.size)
    number = read.gold.spans.interval
    unmet = int(number.max()) + 1 - len(distinct(number[gold]))
    return float((np.cumsum(shared) / retrieved[result]).sum() / (len(result) + unmet))


def aspect(read: ReadPassages) -> float:
    """ASPECT: average precision of results that bring new aspects, each counting as often as it brings some.

    A result has the aspects of the first gold passage that it meets. Those that only repeat aspects take no rank.
    Divided by the topic's aspects; in [0, 1].
    """
    passages, aspects = read.gold.aspects
    result, gold, _ = read.hits
    hit, at, _ = meetings(passages, passages, passages + 1, gold, gold, gold + 1)
    _, first = np.unique(aspects[at], return_index=True)  # hits rise, so that the first is where it is new
    new = np.bincount(result[hit[first]], minlength=len(read.results))
    takes_rank = new > 0
    hits = np.cumsum(takes_rank)
    takes_rank[np.setdiff1d(np.arange(len(new)), result)] = True
    total = len(distinct(aspects))
    return float((new * hits / np.maximum(np.cumsum(takes_rank), 1)).sum() / total)


def passage2(read: ReadPassages) -> float:
    """PASSAGE2: average precision over characters in the order of reading, over all gold characters. In [0, 1].

    Gold characters that were read before are skipped; other characters count as often as they are read. A
    stretch of m new gold characters behind n others of d read adds ``Σ_(j=1…m) (n + j) / (d + j) = m - (d -
    n) (H(d + m) - H(d))`` with the harmonic numbers H.
    """
    text, results = read.gold.text, read.results
    total = int((text.end - text.start).sum())
    gold = text.document, text.start, text.end
    of, start, length = new_stretches(*gold, results.document, results.start, results.end)
    other = results.size - covered(
        *gold, results.document, results.start, results.end
    )  # text outside the gold
    inside = start - results.start[of] - covered(*gold, results.document[of], results.start[of], start)
    before = np.cumsum(other)[of] - other[of] + inside
    seen = np.cumsum(length) - length
    added = length - before * _harmonic_stretch(before + seen, length)
    return float(added.sum() / total)


#: up to here, harmonic numbers are added up; beyond, they follow from their logarithm to all digits
_ADDED = 256
_HARMONIC = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, _ADDED + 1))])


def _harmonic_stretch(start: Ints, length: Ints) -> Floats:
    """``H(start + length) - H(start)`` of harmonic numbers H, for numbers from 0."""
    middle = np.minimum(np.maximum(start, _ADDED), start + length)  # position where the sum ends
    added = _HARMONIC[np.minimum(middle, _ADDED)] - _HARMONIC[np.minimum(start, _ADDED)]
    # H(n) = γ + ln x + 1 / 24 x² - 7 / 960 x⁴ + 31 / 8064 x⁶ - … with x = n + 1/2
    low, high = middle + 0.5, start + length + 0.5
    smooth = np.log1p((high - low) / low)
    for power, factor in ((2, 1 / 24), (4, -7 / 960)):
        smooth += factor * (high**-power - low**-power)
    return added + np.where(start + length > middle, smooth, 0.0)


PASSAGE2 = Measure(
    name="PASSAGE2",
    summary="average precision over characters in reading order; gold text that is read again is skipped",
    paper="TREC Genomics 2007",
    prepare=prepare,
    trace=trace,
    value=passage2,
    needs=frozenset({"spans"}),
    reads_ties=True,
    claims=frozenset({"ties", "split", "tail"}),
)
PASSAGE = replace(
    PASSAGE2,
    name="PASSAGE",
    summary="mean character precision at the results that meet gold; a gold passage that no result meets counts 0",
    paper="TREC Genomics 2006",
    value=passage,
    claims=frozenset({"ties", "tail"}),
)
ASPECT = replace(
    PASSAGE,
    name="ASPECT",
    summary="average precision of new aspects; results with known aspects only take no rank",
    prepare=prepare_aspects,
    value=aspect,
    needs=frozenset({"spans", "aspects"}),
)
DOCUMENT = replace(
    PASSAGE2,
    name="DOCUMENT",
    summary="average precision of documents, each at its first result",
    paper="TREC Genomics 2006",
    value=document,
)

MEASURES = (DOCUMENT, PASSAGE, PASSAGE2, ASPECT)
