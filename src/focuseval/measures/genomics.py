"""The measures of TREC Genomics 2006 and 2007: average precision of documents, passages, characters and aspects.

Source: Hersh et al., TREC 2007 Genomics Track Overview. Details are as in the track's program
(``trecgen2007_score.py``). Results are read in the order of ranks. Tied results are read in the order of document,
offset and length. Higher is better.
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
    """The gold passages of a topic, in the order of the file, and the text that they cover."""

    spans: Spans
    text: Highlights
    names: pd.Index  #: the names of all documents in the collection

    @cached_property
    def aspects(self) -> tuple[Ints, Ints]:
        """The pairs of a gold passage (first array: its index) and an aspect of it (second array: its number)."""
        pairs = [(i, name) for i, names in enumerate(self.spans.aspects) for name in names.split("|") if name]
        number = np.searchsorted(self.aspect_names, [name for _, name in pairs])
        return np.array([i for i, _ in pairs], dtype=np.int64), number

    @cached_property
    def aspect_names(self) -> list[str]:
        """The names of the aspects in increasing order.

        The index of a name is the number of the aspect.
        """
        return sorted({name for names in self.spans.aspects for name in names.split("|") if name})


def prepare(topic: Topic) -> GoldPassages | None:
    """Return the gold passages of a topic, or None if there are none."""
    spans, text = topic.spans, topic.highlights
    assert spans is not None and text is not None  # These measures require spans.
    return GoldPassages(spans, text, topic.collection.names) if len(spans) else None


def prepare_aspects(topic: Topic) -> GoldPassages | None:
    """Return the gold passages of a topic, or None if no passage has an aspect."""
    gold = prepare(topic)
    return gold if gold is not None and len(gold.aspects[0]) else None


@dataclass(frozen=True, eq=False)
class ReadPassages:
    """The results of a list in the order in which they are read, and the gold passages of the topic."""

    gold: GoldPassages
    results: ResultList

    @cached_property
    def hits(self) -> tuple[Ints, Ints, Ints]:
        """The results that overlap gold, in three arrays: the result, a gold passage, and the size of the overlap.

        Each result is listed once, with the first gold passage in the file that it overlaps.
        """
        spans, read = self.gold.spans, self.results
        one, other, shared = meetings(
            spans.document, spans.start, spans.end, read.document, read.start, read.end
        )
        first = changes(one)
        return one[first], other[first], shared[first]


def trace(gold: GoldPassages, results: ResultList) -> ReadPassages:
    """Sort the results of a list into reading order: by rank, document name, start and size."""
    if (np.diff(results.rank) > 0).all():
        return ReadPassages(gold, results)
    document = in_order_of_names(gold.names, results.document)
    order = np.lexsort((results.size, results.start, document, results.rank))
    columns = {name: getattr(results, name)[order] for name in ("rank", *PLACE)}
    return ReadPassages(gold, replace(results, **columns, line=None))


def in_order_of_names(names: pd.Index, document: Ints) -> Ints:
    """Return the position of each document when documents are sorted by name, or -1 for an unknown document (-1)."""
    distinct, place = np.unique(document, return_inverse=True)
    rising = np.argsort(np.argsort(names.take(np.maximum(distinct, 0)).to_numpy(object)))
    return np.where(distinct < 0, -1, rising)[place]


def document(read: ReadPassages) -> float:
    """Return DOCUMENT, the average precision of documents. It is in [0, 1].

    Documents are ranked by their first results.
    """
    documents = distinct(read.gold.spans.document)
    return average_precision(rank_relevant(documents, read.results))


def passage(read: ReadPassages) -> float:
    """Return PASSAGE, a mean of character precision. It is in [0, 1].

    A result finds the first gold passage in the file that it overlaps, and only its overlap with this passage is
    relevant. The mean is over the results that find a gold passage, and over the gold passages that no result finds,
    which have the precision 0. The precision of a result is the share of relevant characters among all characters read
    so far. Repeated text counts again.
    """
    result, gold, shared = read.hits
    retrieved = np.cumsum(read.results.size)
    number = read.gold.spans.interval
    unmet = int(number.max()) + 1 - len(distinct(number[gold]))
    return float((np.cumsum(shared) / retrieved[result]).sum() / (len(result) + unmet))


def aspect(read: ReadPassages) -> float:
    """Return ASPECT, the average precision of the results with new aspects. It is in [0, 1].

    A result has the aspects of the first gold passage that it overlaps, and counts once for each new aspect. A result
    that overlaps gold, but has no new aspect, does not count as a rank. The sum is divided by the number of aspects.
    """
    passages, aspects = read.gold.aspects
    result, gold, _ = read.hits
    hit, at, _ = meetings(passages, passages, passages + 1, gold, gold, gold + 1)
    # Hits are sorted by result, so an aspect is new only at its first hit.
    _, first = np.unique(aspects[at], return_index=True)
    new = np.bincount(result[hit[first]], minlength=len(read.results))
    takes_rank = new > 0
    hits = np.cumsum(takes_rank)
    takes_rank[np.setdiff1d(np.arange(len(new)), result)] = True
    total = len(distinct(aspects))
    return float((new * hits / np.maximum(np.cumsum(takes_rank), 1)).sum() / total)


def passage2(read: ReadPassages) -> float:
    """Return PASSAGE2, the average precision of characters in reading order. It is in [0, 1].

    Gold characters that were read before are skipped. Other characters count each time. After d characters, n of them
    gold, a sequence of m new gold characters adds ``Σ_(j=1…m) (n + j) / (d + j)``.
    """
    text, results = read.gold.text, read.results
    total = int((text.end - text.start).sum())
    gold = text.document, text.start, text.end
    item, start, length = new_stretches(*gold, results.document, results.start, results.end)
    # ``other`` is the number of characters of each result that are not gold.
    other = results.size - covered(*gold, results.document, results.start, results.end)
    inside = start - results.start[item] - covered(*gold, results.document[item], results.start[item], start)
    before = np.cumsum(other)[item] - other[item] + inside
    seen = np.cumsum(length) - length
    # The sum (n + j) / (d + j) over j = 1…m equals m - (d - n) (H(d + m) - H(d)) with harmonic numbers H.
    added = length - before * _harmonic_stretch(before + seen, length)
    return float(added.sum() / total)


#: largest index of a harmonic number that is computed as a sum; beyond it, an asymptotic series is as precise
_ADDED = 256
_HARMONIC = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, _ADDED + 1))])


def _harmonic_stretch(start: Ints, length: Ints) -> Floats:
    """Return ``H(start + length) - H(start)`` for harmonic numbers H. H(0) is 0."""
    # Up to the index ``middle``, fractions are summed; after it, the series is used.
    middle = np.minimum(np.maximum(start, _ADDED), start + length)
    added = _HARMONIC[np.minimum(middle, _ADDED)] - _HARMONIC[np.minimum(start, _ADDED)]
    # The series is H(n) = γ + ln x + 1 / 24 x² - 7 / 960 x⁴ + 31 / 8064 x⁶ - … with x = n + 1/2.
    low, high = middle + 0.5, start + length + 0.5
    smooth = np.log1p((high - low) / low)
    for power, factor in ((2, 1 / 24), (4, -7 / 960)):
        smooth += factor * (high**-power - low**-power)
    return added + np.where(start + length > middle, smooth, 0.0)


PASSAGE2 = Measure(
    name="PASSAGE2",
    summary="average precision over characters in reading order; repeated gold text is skipped",
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
    summary="mean character precision at the ranks of results with gold; a gold passage that is not found counts as 0",
    paper="TREC Genomics 2006",
    value=passage,
    claims=frozenset({"ties", "tail"}),
)
ASPECT = replace(
    PASSAGE,
    name="ASPECT",
    summary="average precision of aspects; a result that only repeats aspects takes no rank",
    prepare=prepare_aspects,
    value=aspect,
    needs=frozenset({"spans", "aspects"}),
)
DOCUMENT = replace(
    PASSAGE2,
    name="DOCUMENT",
    summary="average precision of documents, ranked by their first results",
    paper="TREC Genomics 2006",
    value=document,
)

MEASURES = (DOCUMENT, PASSAGE, PASSAGE2, ASPECT)
