"""What a chunking allows before anything is retrieved: the best that any retriever of its chunks can reach."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.campaign.resolve import known_collection, topics_of
from focuseval.chunks.selection import best_selection
from focuseval.errors import COLLECTION, InputError, Sentence
from focuseval.formats.parsed import RawAssessments
from focuseval.model.arrays import Bools, Ints
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered_before, merge

#: cut-offs at which recall is reported unless others are given
CUTOFFS = ("1", "5", "10", "2000c")


class Cutoff(NamedTuple):
    """How much is read: a number of chunks, or of characters."""

    name: str  #: ``5`` or ``2000c``
    limit: int
    characters: bool


def parse_cutoff(text: str) -> Cutoff:
    """A number of chunks (``5``) or of characters (``2000c``). Raises InputError for anything else."""
    found = re.fullmatch(r"([1-9][0-9]{0,8})(c?)", text)
    if found is None:
        raise InputError.of("cut-off", repr(text), "expected chunks, as in 5, or characters, as in 2000c")
    return Cutoff(text, int(found[1]), found[2] == "c")


def gold_spans(raw: RawAssessments, collection: Collection | None = None) -> pd.DataFrame:
    """The gold of assessments as columns topic, document, start, end: spans as given, overlaps kept.

    Assessments that give points in XML have no offsets: theirs need the collection, and are merged. Raises
    InputError for assessments without passages, and for what is not in the collection.
    """
    elements = known_collection(raw, []) if collection is None else collection
    topics, problems = topics_of(raw, elements)
    if problems:
        raise InputError(problems)
    if raw.passages is not None and len(raw.passages):
        spans = raw.passages[["topic", "document", "start", "end"]].drop_duplicates(ignore_index=True)
        return spans.astype({"topic": object, "document": object})
    marked = [(t.name, t.highlights) for t in topics if t.highlights is not None and len(t.highlights.start)]
    if not marked:
        found = "no passages by offset"
        expected = Sentence(
            "give gold spans, FOL qrels, or passages of INEX 2005 to 2007 with their documents (",
            COLLECTION,
            ")",
        )
        raise InputError.of(raw.source, found, expected)
    parts = [
        pd.DataFrame({"topic": name, "document": elements.names[h.document], "start": h.start, "end": h.end})
        for name, h in marked
    ]
    return pd.concat(parts, ignore_index=True)


def distinct_chunks(chunks: pd.DataFrame) -> pd.DataFrame:
    """The chunks, each once: one that lies where another one does (document, start, end) is the same text.

    The lines of a run, in the place of a chunking, hold a chunk once for each topic that it was retrieved for.
    """
    return chunks.drop_duplicates(["document", "start", "end"])


def redundancy(chunks: pd.DataFrame) -> float:
    """Sizes of all chunks over the size of the text that they cover: 1 without overlap, 2 if all is there twice."""
    start, end = chunks["start"].to_numpy(), chunks["end"].to_numpy()
    _, low, high = merge(pd.factorize(chunks["document"])[0], start, end)
    return float((end - start).sum() / (high - low).sum())


def ceilings(gold: pd.DataFrame, chunks: pd.DataFrame, cutoffs: Sequence[Cutoff]) -> list[dict[str, Any]]:
    """What a chunking allows on each topic with gold, in the order of the gold: a record for each.

    Columns: topic, document, start, end of gold; document, start, end of chunks. Documents are known by their
    names; all intervals are put on one axis, far enough apart for those of two documents never to touch. A record has
    ``gold`` (characters that are relevant, each counted once) and ``gold_in_no_chunk``; ``spans`` as they were given
    and ``spans_in_no_single_chunk``; ``precision_omega`` by all chunks that share a character with the gold, and
    ``precision_omega_touching`` by those that only touch it as well, as Chroma's program has it; of each cut-off the
    best recall (``recall@5``) and the rows of the chunks that reach it (``chunks@5``); one that is cut comes last.
    """
    spans, pieces = _one_axis(gold, chunks)
    order = np.lexsort((pieces.end, pieces.start))
    topic, names = pd.factorize(gold["topic"])
    ordered = pieces.among(order)
    return [
        {"topic": str(name), **_ceiling(spans.among(topic == i), ordered, order, cutoffs)}
        for i, name in enumerate(names)
    ]


class Spans(NamedTuple):
    """Intervals on one axis."""

    start: Ints
    end: Ints

    @property
    def size(self) -> int:
        """The sum of their sizes."""
        return int((self.end - self.start).sum())

    def merged(self) -> "Spans":
        """Their union: sorted, disjoint, not touching."""
        return Spans(*merge(np.zeros(len(self.start), dtype=np.int64), *self)[1:])

    def among(self, chosen: Ints | Bools) -> "Spans":
        """Some of them."""
        return Spans(self.start[chosen], self.end[chosen])


def _one_axis(*frames: pd.DataFrame) -> list[Spans]:
    code, _ = pd.factorize(np.concatenate([frame["document"].astype(object) for frame in frames]))
    stride = max(int(frame["end"].max()) for frame in frames) + 2
    base = np.split(code.astype(np.int64) * stride, np.cumsum([len(frame) for frame in frames])[:-1])
    return [
        Spans(at + frame["start"].to_numpy(), at + frame["end"].to_numpy())
        for at, frame in zip(base, frames, strict=True)
    ]


def _ceiling(spans: Spans, chunks: Spans, rows: Ints, cutoffs: Sequence[Cutoff]) -> dict[str, Any]:
    """What chunks, sorted, allow for the gold spans of a topic. ``rows`` are the chunks' own places."""
    gold = spans.merged()
    last = np.searchsorted(gold.start, chunks.end, side="right") - 1
    near = np.flatnonzero((last >= 0) & (gold.end[last] >= chunks.start))
    touching = chunks.among(near)
    held = covered_before(touching.end, *gold) - covered_before(touching.start, *gold)
    sharing = touching.among(held > 0)
    reach = np.maximum.accumulate(chunks.end)
    first = np.searchsorted(chunks.start, spans.start, side="right") - 1
    whole = (first >= 0) & (reach[first] >= spans.end)
    text = sharing.merged()
    found = int((covered_before(text.end, *gold) - covered_before(text.start, *gold)).sum())
    record = {
        "gold": gold.size,
        "gold_in_no_chunk": gold.size - found,
        "spans": len(spans.start),
        "spans_in_no_single_chunk": int(np.count_nonzero(~whole)),
        "precision_omega": found / (gold.size + text.size - found),
        "precision_omega_touching": found / (gold.size + touching.merged().size - found),
    }
    for name, limit, characters in cutoffs:
        most, chosen = best_selection(*sharing, *gold, limit, characters=characters)
        record[f"recall@{name}"] = most / gold.size
        record[f"chunks@{name}"] = rows[near[held > 0][chosen]].tolist()
    return record
