"""From the text of chunks to their offsets in documents.

A place is given only where there is no other. With an order, the chunks of a document begin one behind
the other in its text: the earliest and the latest way to place them so are found, and a chunk is located
where the two agree. As every other way lies between them, that is where the order leaves one place.
Without an order, a chunk is located where its text stands once in the document.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.chunks import MARKS_OF_RUNS, name_in
from focuseval.formats.raw import Refused, document_name, quoted, shortened
from focuseval.model.arrays import Ints

#: what chunks that follow each other in a document are told from: results and gold are in no such order
MARKS_WITHOUT_ORDER = ("topic", *MARKS_OF_RUNS)

#: occurrences that are counted; of more, only that they are more is told
_COUNTED = 100

#: characters that a text is cut into, to find others in it
_BLOCK = 32

#: characters that a text must share with a document before it is said to differ from there on
_TELLING = 12

_SPACES = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)

T = TypeVar("T")
Order = Literal["lines", "none"]
Normalisation = Literal["none", "spaces"]
Documents = Mapping[str, str] | str | PathLike[str]


class Found(NamedTuple):
    """Where a chunk stands in its document, or why that cannot be said."""

    start: int  #: in characters of the document's text; -1: not located
    end: int
    reason: str = ""  #: why it is not located
    claim: str = ""  #: what is wrong with the offsets that it came with


@dataclass(frozen=True)
class _Searched:
    """A document's text as it is searched: as it is, or without white space."""

    text: str
    place: Ints | None  #: where each searched character stands in the document; None: as it is

    @classmethod
    def of(cls, text: str, ignore_spaces: bool) -> "_Searched":
        if not ignore_spaces:
            return cls(text, None)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        return cls("".join(text.split()), np.flatnonzero(~np.isin(codes, _SPACES)))

    @cached_property
    def backwards(self) -> str:
        return self.text[::-1]

    @cached_property
    def blocks(self) -> dict[str, list[int]]:
        """Where each stretch of ``_BLOCK`` characters stands, of those that the text is cut into."""
        places: dict[str, list[int]] = {}
        for at in range(0, len(self.text) - _BLOCK + 1, _BLOCK):
            places.setdefault(self.text[at : at + _BLOCK], []).append(at)
        return places

    def first_two(self, chunk: str) -> tuple[int, int]:
        """The first two places of a chunk, -1 for those that there are not.

        A chunk of some length holds a whole block wherever it stands: it is looked for behind the few blocks
        that it has at its first ``_BLOCK`` characters, unless the text repeats them often.
        """
        if len(chunk) >= 2 * _BLOCK - 1:
            starts = [
                place - offset
                for offset in range(_BLOCK)
                for place in self.blocks.get(chunk[offset : offset + _BLOCK], ())[: _COUNTED + 1]
            ]
            if len(starts) <= _COUNTED:
                places = sorted(at for at in starts if at >= 0 and self.text.startswith(chunk, at))
                first, second = [*places, -1, -1][:2]
                return first, second
        first = self.text.find(chunk)
        return first, self.text.find(chunk, first + 1) if first >= 0 else -1

    def wanted(self, chunk: str) -> str:
        """A chunk as it is searched for."""
        return chunk if self.place is None else "".join(chunk.split())

    def span(self, at: int, size: int) -> tuple[int, int]:
        """Start and end in the document of what is found."""
        if self.place is None:
            return at, at + size
        return int(self.place[at]), int(self.place[at + size - 1]) + 1

    def index(self, start: int) -> int:
        """The searched character at an offset of the document, or the next one."""
        return start if self.place is None else int(np.searchsorted(self.place, start))


def locate_in(
    text: str,
    chunks: Sequence[str],
    claims: Sequence[tuple[int, int] | None] | None = None,
    *,
    in_order: bool = True,
    ignore_spaces: bool = False,
) -> list[Found]:
    """Where each chunk stands in the text of a document.

    Parameters
    ----------
    text
        the document's text.
    chunks
        texts of chunks, with ``in_order`` in the order of their starts, no two at one place. If there is
        no way to place them so, the order decides nothing.
    claims
        start and end that a chunk came with, or None. They are kept if the text there is the chunk's.
    ignore_spaces
        compare without any white space. The span found begins and ends with characters that are none.

    Returns
    -------
    list of `Found`
        one for each chunk, offsets in characters (Unicode code points). O(text + chunks) where all are found
        in order, however often texts repeat; for every other chunk the text is searched a few times.
    """
    searched = _Searched.of(text, ignore_spaces)
    wanted = [searched.wanted(chunk) for chunk in chunks]
    claims = [None] * len(chunks) if claims is None else claims
    kept = [
        claim if claim and _fits(text, claim, chunk, searched) else None
        for claim, chunk in zip(claims, wanted, strict=True)
    ]
    pinned = [-1 if claim is None else searched.index(claim[0]) for claim in kept]
    places = _remembered(searched.first_two)
    count = _remembered(lambda chunk: _occurrences(searched.text, chunk))
    earliest = _earliest(searched.text, wanted, pinned, places) if in_order else None
    latest = None if earliest is None else _latest(searched, wanted, pinned, earliest)

    def place(i: int) -> tuple[int, bool]:
        """First possible place of a chunk, and whether it is the only one."""
        if earliest is not None and latest is not None:
            return earliest[i], earliest[i] == latest[i]
        at, another = places(wanted[i])
        return at, another < 0

    def found(i: int, claim: tuple[int, int] | None, keep: tuple[int, int] | None) -> Found:
        if keep is not None:
            return Found(*keep)
        wrong = "" if claim is None else _contradiction(text, claim)
        if not wanted[i]:
            return Found(-1, -1, "it has no text" + " but white space" * bool(chunks[i]), wrong)
        at, only = place(i)
        if at < 0:
            return Found(-1, -1, _difference(text, searched, wanted[i], chunks[i]), wrong)
        if not only:
            number = count(wanted[i])
            several = f"more than {_COUNTED}" if number > _COUNTED else str(number)
            order = _UNDECIDED if earliest is not None else _DISORDER if in_order else "no order to decide"
            return Found(-1, -1, f"{several} occurrences and {order}", wrong)
        return Found(*searched.span(at, len(wanted[i])), "", wrong)

    return [found(i, *both) for i, both in enumerate(zip(claims, kept, strict=True))]


_UNDECIDED = "the chunks around it do not decide"
_DISORDER = "no order to decide: the document's chunks do not begin one behind the other in its text"


def _remembered(find: Callable[[str], T]) -> Callable[[str], T]:
    """The same, looked up once for each text, however many lines have it."""
    known: dict[str, T] = {}

    def once(chunk: str) -> T:
        if chunk not in known:
            known[chunk] = find(chunk)
        return known[chunk]

    return once


def _fits(text: str, claim: tuple[int, int], chunk: str, searched: _Searched) -> bool:
    """Whether a chunk is what stands at the offsets that it came with."""
    start, end = claim
    return bool(chunk) and 0 <= start < end <= len(text) and searched.wanted(text[start:end]) == chunk


def _earliest(
    text: str, wanted: Sequence[str], pinned: Sequence[int], places_of: Callable[[str], tuple[int, int]]
) -> list[int] | None:
    """The first place of each chunk behind that of the one before; -1: not in the text. None: there is no way."""
    places = []
    last = -1
    for chunk, pin in zip(wanted, pinned, strict=True):
        place = pin if pin >= 0 else text.find(chunk, last + 1) if chunk else -1
        if (pin >= 0 and pin <= last) or (place < 0 and chunk and places_of(chunk)[0] >= 0):
            return None
        places.append(place)
        last = max(last, place)
    return places


def _latest(
    searched: _Searched, wanted: Sequence[str], pinned: Sequence[int], earliest: Sequence[int]
) -> list[int]:
    """The last place of each chunk before that of the next one; -1: not in the text.

    Chunks are read from the last to the first in the text written backwards: ``find`` takes time linear in
    the text, ``rfind`` does not.
    """
    size = len(searched.text)
    places = [-1] * len(wanted)
    last = size
    for i in range(len(wanted) - 1, -1, -1):
        if earliest[i] < 0:
            continue
        if pinned[i] >= 0:
            last = pinned[i]
        else:
            begin = max(0, size - last + 1 - len(wanted[i]))
            last = size - searched.backwards.find(wanted[i][::-1], begin) - len(wanted[i])
        places[i] = last
    return places


def _occurrences(text: str, chunk: str) -> int:
    """How often a chunk stands in the text, overlaps included; not counted beyond ``_COUNTED`` + 1."""
    number, at = 0, text.find(chunk)
    while at >= 0 and number <= _COUNTED:
        number += 1
        at = text.find(chunk, at + 1)
    return number


def longest_prefix(text: str, chunk: str) -> tuple[int, int]:
    """Size of the longest beginning of a chunk that stands in the text, and its first place.

    Reads the text once: a longer beginning is never before the first place of a shorter one.
    """
    size, place = 0, 0
    at = text.find(chunk[:1])
    while at >= 0 and size < len(chunk):
        low, high = size, len(chunk)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text.startswith(chunk[:middle], at) else (low, middle - 1)
        size, place = low, at
        at = text.find(chunk[: size + 1], at + 1)
    return size, place


def _difference(text: str, searched: _Searched, chunk: str, given: str) -> str:
    """What keeps a chunk from being found; characters are counted from 0 in the chunk as it was given."""
    size, at = longest_prefix(searched.text, chunk)
    if size < min(_TELLING, (len(chunk) + 1) // 2):
        return f"not in the text: {quoted(given)}"
    differs = size if searched.place is None else _place_of(given, size)
    behind = searched.span(at, size)[1]
    there = quoted(text[behind : behind + 60]) if behind < len(text) else "its end"
    return (
        f"not in the text: differs from character {differs} on, "
        f"{quoted(given[differs:])} where the document has {there} (character {behind})"
    )


def _place_of(chunk: str, index: int) -> int:
    """Where the character of this number stands in a chunk, white space not counted."""
    return [place for place, character in enumerate(chunk) if not character.isspace()][index]


def _contradiction(text: str, claim: tuple[int, int]) -> str:
    """What stands at offsets where the chunk does not."""
    start, end = claim
    told = f"start {start} and end {end} contradict the text"
    if not 0 <= start < end <= len(text):
        return f"{told}, which has {len(text)} characters"
    return f"{told}, which has {quoted(text[start:end])} there"


class Located(NamedTuple):
    """Lines of chunks with their offsets, and what is to be said of the others."""

    lines: list[dict[str, Any]]  #: those located, in order, with ``start`` and ``end``
    rows: list[int]  #: their places among all lines
    problems: list[Problem]  #: one for each line that is not located
    notes: list[str]  #: what was said of lines that are


def locate_lines(
    lines: Sequence[tuple[str, dict[str, Any]]],
    texts: Mapping[str, str],
    *,
    source: str,
    order: Order | None = None,
    normalise: Normalisation = "none",
) -> Located:
    """Locate lines, each with its place in the source ("line 3"), a ``document`` and a ``text``.

    ``order`` is ``lines`` unless a line has a mark of `MARKS_WITHOUT_ORDER`. Raises InputError for values
    that cannot be used, and for documents that are not among the texts.
    """
    if order not in (None, "lines", "none") or normalise not in ("none", "spaces"):
        given, expected = f"order {order}, normalise {normalise}", "expected lines or none, spaces or none"
        raise InputError(Problem("locate", "", given, expected))
    if order is None:
        order = "none" if any(mark in line for _, line in lines for mark in MARKS_WITHOUT_ORDER) else "lines"
    located: dict[int, Found] = {}
    for document, rows in _rows_by_document(lines, texts, source).items():
        found = locate_in(
            texts[document],
            [lines[row][1]["text"] for row in rows],
            [_claim(lines[row][1]) for row in rows],
            in_order=order == "lines",
            ignore_spaces=normalise == "spaces",
        )
        located |= dict(zip(rows, found, strict=True))
    result = Located([], [], [], [])
    for row, (where, line) in enumerate(lines):
        start, end, reason, claim = located[row]
        told = f"document {line['document']!r}: " + "; ".join(filter(None, (claim, reason)))
        if reason:
            result.problems.append(Problem(source, where, told, _way_out(reason, normalise)))
            continue
        result.lines.append({**line, "start": start, "end": end})
        result.rows.append(row)
        if claim:
            result.notes.append(f"{source}, {where}: {told}; located at {start} to {end}")
    return result


def _rows_by_document(
    lines: Sequence[tuple[str, Mapping[str, Any]]], texts: Mapping[str, str], source: str
) -> dict[str, list[int]]:
    """The rows of each document. Raises InputError with all lines that have no known document or no text."""
    rows: dict[str, list[int]] = {}
    problems: list[Problem] = []
    for row, (where, line) in enumerate(lines):
        try:
            rows.setdefault(_document(line, texts), []).append(row)
            if not isinstance(line.get("text"), str):
                told = quoted(str(line["text"])) if "text" in line else "missing"
                raise Refused(f'"text" is {told}', "expected a text")
        except Refused as refused:
            problems.append(Problem(source, where, *refused.args))
    if problems:
        raise InputError(problems)
    return rows


def _way_out(reason: str, normalise: Normalisation) -> str:
    if reason.startswith("not in the text") and normalise == "none":
        return "give the text as the document has it, or let white space differ with --normalise spaces"
    if reason.startswith(("not in the text", "it has no text")):
        return "give the text as the document has it"
    return "give start and end, or all chunks of the document in the order of its text"


def _document(line: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The name of a line's document as the texts have it."""
    name = name_in(dict(line), "document")
    for known in (name, document_name(name)):
        if known in texts:
            return known
    such = f", such as {shortened(next(iter(texts)))!r}" if texts else ""
    raise Refused(f"unknown document {name!r}", f"expected a document's name: its path in the folder{such}")


def _claim(line: Mapping[str, Any]) -> tuple[int, int] | None:
    """The offsets that a line came with. What is no whole number contradicts any text, like -1."""
    given = [line.get(key) for key in ("start", "end")]
    if any(value is None or (isinstance(value, float) and math.isnan(value)) for value in given):
        return None
    start, end = (int(v) if isinstance(v, int | float | np.integer) and v == v // 1 else -1 for v in given)
    return start, end


def locate(
    chunks: pd.DataFrame | Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    lenient: bool = False,
) -> pd.DataFrame | list[dict[str, Any]]:
    """Offsets of chunks, or of gold spans, that are given as text.

    Parameters
    ----------
    chunks
        a list of dictionaries or a frame with ``document`` and ``text``, or a list of texts where there is
        one document.
    documents
        texts by name; or a folder (or archive) of documents as `score` takes it for a collection.
    order
        ``lines``: the chunks of a document begin one behind the other, as they are given, which decides where
        a text stands that occurs several times; ``none``: only a text that occurs once can be located.
        Default: ``lines``, unless chunks have a topic, score, rank or run: they are results, or gold.
    normalise
        ``spaces`` compares without white space; offsets are those of the document as it is.
    lenient
        leave out what cannot be located, with a warning.

    Returns
    -------
    list of dictionaries, or a frame if a frame was given
        with ``start`` and ``end`` in characters (Unicode code points) of the document's text, the end not
        included; all else is kept. Offsets that chunks came with stay where the text there is theirs;
        where it is not, that is a warning.

    Raises
    ------
    InputError
        for values that cannot be used and documents that are not there; and, unless ``lenient``, for every
        chunk that is not in its document, or in several places without an order to decide.
    """
    rows = _rows(chunks, documents)
    texts = documents if isinstance(documents, Mapping) else read_texts(documents, document_names(rows))
    lines = [(f"chunk {number}", row) for number, row in enumerate(rows)]
    found = locate_lines(lines, texts, source="chunks", order=order, normalise=normalise)
    if found.problems and not lenient:
        raise InputError(found.problems)
    for told in [*found.notes, *(f"left out: {problem}" for problem in found.problems)]:
        warnings.warn(told, stacklevel=2)
    if isinstance(chunks, pd.DataFrame):
        offsets = {
            key: np.array([line[key] for line in found.lines], dtype=np.int64) for key in ("start", "end")
        }
        return chunks.iloc[found.rows].assign(**offsets)
    return found.lines


def _rows(chunks: Any, documents: object) -> list[dict[str, Any]]:
    """Chunks as dictionaries."""
    if isinstance(chunks, pd.DataFrame):
        return chunks.to_dict("records")
    rows = list(chunks)
    if any(isinstance(row, str) for row in rows):
        if not isinstance(documents, Mapping) or len(documents) != 1:
            expected = 'give one text by name, {"guide.md": "…"}, or chunks with a "document" and a "text"'
            raise InputError(Problem("chunks", "", "texts without the names of their documents", expected))
        [name] = documents
        rows = [{"document": name, "text": row} if isinstance(row, str) else row for row in rows]
    wrong = [number for number, row in enumerate(rows) if not isinstance(row, Mapping)]
    if wrong:
        found, expected = f"{type(rows[wrong[0]]).__name__}", 'expected {"document": …, "text": …} or a text'
        raise InputError(Problem("chunks", f"chunk {wrong[0]}", found, expected))
    return rows


def document_names(lines: Iterable[Mapping[str, Any]]) -> set[str]:
    """Documents that lines name, with and without the suffix of XML files."""
    names = {str(line.get("document")).strip() for line in lines}
    return names | set(map(document_name, names))


def read_texts(source: str | PathLike[str], names: Iterable[str]) -> dict[str, str]:
    """The texts of the named documents of a collection, which offsets count in, as far as it has them.

    Raises InputError for a collection, or a document of it, that cannot be read.
    """
    from focuseval.campaign.collection_store import document_texts
    from focuseval.formats.text_documents import holds_texts, texts_of

    path = Path(source)
    read = texts_of if holds_texts(path) else document_texts
    return dict(read(path, documents=set(names)))
