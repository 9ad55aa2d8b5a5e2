"""The best results that any retriever can reach with a given division of the documents into chunks.

Chunks may nest and overlap, and text in several chunks counts once. For arbitrary sets of text, selecting the chunks
that cover the most gold would be NP-hard. Chunks are intervals, so that a sweep along the text finds the best
selection.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.campaign.resolve import known_collection, topics_of
from focuseval.errors import COLLECTION, InputError, Sentence
from focuseval.formats.parsed import RawAssessments
from focuseval.model.alternatives import Groups, best_choices, groups_of, is_choice
from focuseval.model.arrays import Bools, Floats, Ints, distinct
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered_before, merge

# a key is an integer that stands for a selection: the high 32 bits are the number of its gold characters; the low 32
# bits are the negated number of the selection, so that an earlier selection with equal gold has a larger key
_CHARACTER = np.int64(1 << 32)
_NUMBER = np.int64((1 << 32) - 1)
_NEVER = np.int64(-(1 << 62))


class Selection(NamedTuple):
    """A selection of chunks, and the amount of gold that it covers."""

    covered: int  #: the number of gold characters in the chunks
    chunks: list[int]  #: indexes of the chunks in text order, except that a partly read chunk comes last


class _Selections:
    """Numbered selections. Selection 0 is empty, and every other selection adds a chunk to an earlier one."""

    def __init__(self) -> None:
        self.first = [1]  # the number of the first selection in each batch
        # one batch for each call of `improve`: the chunk that was added, whether it is partly read, and the numbers of
        # the selections to which it was added
        self.batches: list[tuple[int, bool, Ints]] = []

    def improve(self, best: Ints, keys: Ints, chunk: int, cut: bool) -> None:
        """Replace selections in ``best`` by new selections with more gold, which add ``chunk`` to earlier selections.

        A key in ``keys`` combines the gold of a new selection with the number of the earlier selection. If ``cut`` is
        true, ``chunk`` is partly read.
        """
        better: Bools = (keys >> 32) > (best >> 32)
        better_keys = keys[better]
        if len(better_keys):
            number = self.first[-1] + np.arange(len(better_keys))
            self.batches.append((chunk, cut, _NUMBER - (better_keys & _NUMBER)))
            self.first.append(self.first[-1] + len(better_keys))
            best[better] = (better_keys & ~_NUMBER) | (_NUMBER - number)

    def chunks(self, number: int) -> list[int]:
        """Return the chunks of the selection ``number`` in text order. A partly read chunk comes last."""
        whole: list[int] = []
        last: list[int] = []
        while number:
            batch = bisect_right(self.first, number) - 1
            chunk, cut, before = self.batches[batch]
            (last if cut else whole).append(chunk)
            number = int(before[number - self.first[batch]])
        return whole[::-1] + last


def best_selection(
    start: Ints,
    end: Ints,
    gold_start: Ints,
    gold_end: Ints,
    limit: int,
    *,
    characters: bool,
    tokens: Sequence[Ints] | None = None,
) -> Selection:
    """Return the chunks that cover the most gold within a limit.

    Offsets count along an axis on which documents follow each other. Chunks are not empty. Intervals of gold are sorted
    and disjoint, and there is at least one.

    ``limit`` counts chunks by default, characters if ``characters`` is true, and tokens if ``tokens`` are given.
    ``tokens`` lists the offsets at which the tokens of each chunk end. If the limit is in characters or tokens, the
    last chunk may be read in part. Equal inputs give equal results, even with ties.
    """
    gold = covered_before(end, gold_start, gold_end) - covered_before(start, gold_start, gold_end)
    rows = np.flatnonzero(gold)
    if not len(rows):
        return Selection(0, [])
    cost = end - start if characters else np.ones(len(start), dtype=np.int64)
    if tokens is not None:
        cost = np.array([len(ends) for ends in tokens])
    cuts = _cuts(rows, tokens or [])
    limit = min(limit, int(cost[rows].sum()))
    inner = np.array([*cuts], dtype=np.int64)
    points = distinct(np.concatenate([start[rows], end[rows], gold_start, gold_end, inner]))
    before = covered_before(points, gold_start, gold_end)
    opening, closing = _by_point(start, rows), _by_point(end, rows)
    selections = _Selections()
    # for each cost, the best key so far: row 0 if all chunks are read completely, row 1 if one may be read in part
    best = np.full((2 if characters or tokens is not None else 1, limit + 1), _NUMBER)
    inside: dict[int, Ints] = {}
    for i, point in enumerate(points.tolist()):
        gold_before = before[i] * _CHARACTER
        for chunk, paid in cuts.get(point, ()):
            if chunk in inside and paid <= limit:
                reached = inside[chunk][0, : limit + 1 - paid] + gold_before
                selections.improve(best[1, paid:], reached, chunk, cut=True)
        for chunk in closing[point]:
            keys = inside.pop(chunk) + gold_before
            if (paid := cost[chunk]) <= limit:
                selections.improve(best[:, paid:], keys[:, : limit + 1 - paid], chunk, cut=False)
        inside |= {chunk: np.full_like(best, _NEVER) for chunk in opening[point]}
        for keys in inside.values():
            np.maximum(keys, best - gold_before, out=keys)
        if not characters or i + 1 == len(points) or before[i + 1] == before[i]:
            continue
        for chunk, keys in inside.items():
            paid = point - start[chunk]
            if paid < limit:
                cut = _best_further(keys[0, : limit - paid], int(points[i + 1]) - point) + gold_before
                selections.improve(best[1, paid + 1 :], cut, chunk, cut=True)
    key = best[-1, -1]
    return Selection(int(key >> 32), selections.chunks(int(_NUMBER - (key & _NUMBER))))


def _cuts(rows: Ints, tokens: Sequence[Ints]) -> dict[int, list[tuple[int, int]]]:
    """Map each offset at which chunks may be cut to pairs: a chunk, and the number of its tokens before the offset."""
    cuts: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for row in rows.tolist() if len(tokens) else []:
        for number, point in enumerate(tokens[row][:-1].tolist(), 1):
            cuts[point].append((row, number))
    return cuts


def _by_point(points: Ints, rows: Ints) -> dict[int, list[int]]:
    """Group rows by their value in ``points``, in the order of ``rows``."""
    by_point: dict[int, list[int]] = defaultdict(list)
    for row, point in zip(rows.tolist(), points[rows].tolist(), strict=True):
        by_point[point].append(row)
    return by_point


def _best_further(keys: Ints, width: int) -> Ints:
    """Return, for each cost, the best key after reading 1 to ``width`` more characters, all of them gold.

    For the cost c = 1, 2, …, this is the maximum of ``keys[c - u]`` plus u characters, where u is from 1 to ``width``.
    """
    worth = np.arange(len(keys)) * _CHARACTER
    return _trailing_maximum(keys - worth, width) + worth + _CHARACTER


def _trailing_maximum(values: Ints, width: int) -> Ints:
    """Return, for each value, the maximum of this value and the ``width - 1`` values before it."""
    count = len(values)
    width = min(width, count)
    size = -(-(count + width - 1) // width) * width
    padded = np.full(size, _NEVER)
    padded[width - 1 : width - 1 + count] = values
    blocks = padded.reshape(-1, width)
    forward = np.maximum.accumulate(blocks, axis=1).ravel()
    backward = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    return np.maximum(backward[:count], forward[width - 1 : width - 1 + count])


#: the default cut-offs at which recall is reported
CUTOFFS = ("1", "5", "10", "2000c")


class ReadingDepth(NamedTuple):
    """A cut-off: how many chunks, characters or tokens are read."""

    name: str  #: the cut-off as the user wrote it, such as ``5`` or ``2000c``
    limit: int
    characters: bool
    tokens: bool = False


def parse_cutoff(text: str) -> ReadingDepth:
    """Parse a cut-off: a number of chunks (``5``), characters (``2000c``) or tokens (``500t``).

    Raises InputError for any other text.
    """
    match = re.fullmatch(r"([1-9][0-9]{0,8})([ct]?)", text)
    if match is None:
        expected = "expected a number of chunks, characters or tokens, such as 5, 2000c or 500t"
        raise InputError.of("cut-off", f"the value is {text!r}", expected)
    return ReadingDepth(text, int(match[1]), match[2] == "c", match[2] == "t")


def gold_spans(raw: RawAssessments, collection: Collection | None = None) -> pd.DataFrame:
    """Return the gold spans of assessments as a frame.

    The columns are topic, document, start, end, group and member. Group and member are -1 for spans without
    alternatives. Passages that are given by XML points need the ``collection``. Raises InputError if there are no
    passages, and for documents and elements that are not in the collection.
    """
    elements = known_collection(raw, []) if collection is None else collection
    topics, problems = topics_of(raw, elements)
    if problems:
        raise InputError(problems)
    marked = [(topic.name, topic.spans) for topic in topics if topic.spans is not None and len(topic.spans)]
    if not marked:
        found = "the gold has no passages with offsets"
        expected = Sentence(
            "give gold spans, FOL qrels, or passages of INEX 2005 to 2007 with the documents (",
            COLLECTION,
            ")",
        )
        raise InputError.of(raw.source, found, expected)
    parts = [
        pd.DataFrame(
            {
                "topic": name,
                "document": elements.names[spans.document],
                "start": spans.start,
                "end": spans.end,
                "group": -1 if spans.group is None else spans.group,
                "member": -1 if spans.member is None else spans.member,
            }
        )
        for name, spans in marked
    ]
    return pd.concat(parts, ignore_index=True)


def distinct_chunks(chunks: pd.DataFrame) -> pd.DataFrame:
    """Keep only the first of several chunks with equal document, start and end."""
    return chunks.drop_duplicates(["document", "start", "end"])


def redundancy(chunks: pd.DataFrame) -> float:
    """Return the total size of the chunks divided by the size of their union: 1 if no chunks overlap."""
    start, end = chunks["start"].to_numpy(), chunks["end"].to_numpy()
    _, low, high = merge(pd.factorize(chunks["document"])[0], start, end)
    return float((end - start).sum() / (high - low).sum())


#: takes a document, a start and an end; returns the ends of the tokens between them, relative to the start
Ends = Callable[[str, int, int], Ints]


def ceilings(
    gold: pd.DataFrame, chunks: pd.DataFrame, cutoffs: Sequence[ReadingDepth], ends: Ends | None = None
) -> list[dict[str, Any]]:
    """Return a record for each topic with gold: the best results that any retriever of the chunks can reach.

    The frame ``gold`` has the columns of `gold_spans`, where group and member are optional. The frame ``chunks`` has
    the columns document, start and end. Cut-offs in tokens need ``ends``. If the gold has alternatives, each value is
    the best over all choices.

    The record of a topic has the keys

    - ``topic``;
    - ``gold``, the number of relevant characters, and ``gold_in_no_chunk``;
    - ``spans``, the number of spans, and ``spans_in_no_single_chunk``;
    - ``precision_omega``, for all chunks that overlap the gold;
    - ``precision_omega_touching``, which includes chunks that only touch the gold, as in Chroma's program;
    - ``recall@5``, the best recall at the cut-off 5, and ``chunks@5``, the rows of the chunks that reach it. A partly
      read chunk comes last. All cut-offs have such keys.
    """
    spans, pieces = _one_axis(gold, chunks)
    order = np.lexsort((pieces.end, pieces.start))
    topic, names = pd.factorize(gold["topic"])
    ordered = pieces.among(order)

    @cache
    def tokens_of(row: int) -> Ints:
        assert ends is not None  # callers that use cut-offs in tokens must pass ``ends``
        return ends(*chunks[["document", "start", "end"]].iloc[row]) + pieces.start[row]

    def record_of(selected: Bools, rows: Ints) -> dict[str, Any]:
        return _ceiling(spans.among(rows[selected]), ordered, order, cutoffs, tokens_of)

    records = []
    for i, name in enumerate(names):
        rows = np.flatnonzero(topic == i)
        records.append({"topic": str(name), **_best_record(gold.iloc[rows], partial(record_of, rows=rows))})
    return records


def gold_groups(gold: pd.DataFrame) -> Groups:
    """Return the groups of alternatives in a topic's gold, or an empty list if no group offers a choice."""
    if "group" not in gold:
        return []
    contents = list(zip(gold["document"], gold["start"], gold["end"], strict=True))
    groups = groups_of(gold["group"].to_numpy(), gold["member"].to_numpy(), contents)
    return groups if is_choice(groups) else []


#: pairs of keys in a record: the total amount of gold, and the part of it that is lost
_LOST = (("gold", "gold_in_no_chunk"), ("spans", "spans_in_no_single_chunk"))


def _best_record(gold: pd.DataFrame, read: Callable[[Bools], dict[str, Any]]) -> dict[str, Any]:
    """Return the record of a topic, where each value is the best over all choices between alternatives.

    ``read`` returns the record for a choice, which is a mask of the rows of ``gold``.
    """
    if not (groups := gold_groups(gold)):
        return read(np.ones(len(gold), dtype=np.bool_))
    records: list[dict[str, Any]] = []

    def shares_of(record: dict[str, Any]) -> list[str]:
        return [key for key in record if key.startswith(("precision_omega", "recall@"))]

    def rows_of(selected: Bools) -> Floats:
        """Return a row for each value in a choice's record: the value, a number for ties, and the record's number."""
        record, place = read(selected), len(records)
        records.append(record)
        losses = [(-record[name] / record[total], -record[total], place) for total, name in _LOST]
        return np.array([*losses, *((record[key], 0, place) for key in shares_of(record))])

    best = best_choices(groups, (gold["group"] < 0).to_numpy(), rows_of, np.array([1, 1]))
    share_keys = [(key, key.replace("recall", "chunks")) for key in shares_of(records[0])]
    found = dict(records[0])
    for keys, place in zip([*_LOST, *share_keys], best[:, -1].astype(int), strict=True):
        found |= {key: records[place][key] for key in keys}
    return found


class AxisIntervals(NamedTuple):
    """Intervals on an axis on which all documents follow each other, with gaps between them."""

    start: Ints
    end: Ints

    @property
    def size(self) -> int:
        """The total size of all intervals."""
        return int((self.end - self.start).sum())

    def merged(self) -> "AxisIntervals":
        """Return the union of the intervals as sorted intervals that neither overlap nor touch."""
        return AxisIntervals(*merge(np.zeros(len(self.start), dtype=np.int64), *self)[1:])

    def distinct(self) -> "AxisIntervals":
        """Return the intervals without duplicates."""
        return AxisIntervals(*np.unique(np.stack(self), axis=1))

    def among(self, chosen: Ints | Bools) -> "AxisIntervals":
        """Return the ``chosen`` intervals, given by indexes or by a mask."""
        return AxisIntervals(self.start[chosen], self.end[chosen])


def _one_axis(*frames: pd.DataFrame) -> list[AxisIntervals]:
    code, _ = pd.factorize(np.concatenate([frame["document"].astype(object) for frame in frames]))
    stride = max(int(frame["end"].max()) for frame in frames) + 2
    base = np.split(code.astype(np.int64) * stride, np.cumsum([len(frame) for frame in frames])[:-1])
    return [
        AxisIntervals(at + frame["start"].to_numpy(), at + frame["end"].to_numpy())
        for at, frame in zip(base, frames, strict=True)
    ]


def _ceiling(
    spans: AxisIntervals,
    chunks: AxisIntervals,
    rows: Ints,
    cutoffs: Sequence[ReadingDepth],
    tokens_of: Callable[[int], Ints],
) -> dict[str, Any]:
    """Return the record of one topic. ``rows`` has the original row of each chunk in the sorted ``chunks``."""
    spans, gold = spans.distinct(), spans.merged()
    last = np.searchsorted(gold.start, chunks.end, side="right") - 1
    near = np.flatnonzero((last >= 0) & (gold.end[last] >= chunks.start))
    touching = chunks.among(near)
    gold_in_chunk = covered_before(touching.end, *gold) - covered_before(touching.start, *gold)
    sharing = touching.among(gold_in_chunk > 0)
    reach = np.maximum.accumulate(chunks.end)
    first = np.searchsorted(chunks.start, spans.start, side="right") - 1
    whole = (first >= 0) & (reach[first] >= spans.end)
    text = sharing.merged()
    gold_in_text = int((covered_before(text.end, *gold) - covered_before(text.start, *gold)).sum())
    record = {
        "gold": gold.size,
        "gold_in_no_chunk": gold.size - gold_in_text,
        "spans": len(spans.start),
        "spans_in_no_single_chunk": int(np.count_nonzero(~whole)),
        "precision_omega": gold_in_text / (gold.size + text.size - gold_in_text),
        "precision_omega_touching": gold_in_text / (gold.size + touching.merged().size - gold_in_text),
    }
    for name, limit, characters, in_tokens in cutoffs:
        tokens = [*map(tokens_of, rows[near[gold_in_chunk > 0]].tolist())] if in_tokens else None
        covered, indexes = best_selection(*sharing, *gold, limit, characters=characters, tokens=tokens)
        record[f"recall@{name}"] = covered / gold.size
        record[f"chunks@{name}"] = rows[near[gold_in_chunk > 0][indexes]].tolist()
    return record
