"""The search for the offsets of chunks whose text is known.

A chunk gets offsets only if no other place is possible. Chunks in text order are placed as early as possible, and then
as late as possible. A chunk is located if both places agree. Without an order, a chunk is located if its text occurs
once in the document.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
import pandas as pd

from focuseval.arguments import of_type, read_argument
from focuseval.campaign.resolve import FEW, known_without, meant_among
from focuseval.chunks.searching import holders, nearest
from focuseval.errors import (
    SHOWN,
    InputError,
    InputWarning,
    Option,
    Problem,
    Sentence,
    agreeing,
    counted,
    described,
    listed,
    problem_lines,
)
from focuseval.formats.chunks import MARKS_OF_RUNS, is_topic_alone, key_meant, names_of_keys
from focuseval.formats.parsed import UnusableValue, document_name, is_missing, quoted, shortened
from focuseval.formats.same_text import (
    NORMALISATIONS,
    Match,
    Normalisation,
    Normalised,
    is_same,
    least_normalisation,
    share_of,
)

#: the maximum number of occurrences that are counted; if there are more, messages say "more than 100"
_COUNTED = 100

#: the size, in characters, of the blocks by which a document is indexed
_BLOCK = 32

#: remarks about the order of chunks, which follow words such as "occurs 3 times" in messages
_UNDECIDED = ", and the neighbouring chunks do not decide between these places"
_DISORDER = ", and the chunks of the document are not in text order"

#: the beginning of the message about a chunk that matches no text
_NO_MATCH = "no text matches"

#: a place is almost as good as the best place if its share of common characters is at most this much lower
CLOSE = 0.05

#: the approximate search tolerates estimated shares that are 10 percentage points too low, and stops after finding 10
#: places with a sufficient share
_COARSE, _MOST_NEAR = 10, 9

#: a message shows where a chunk differs only if this many of its first characters, or half of them, are in the text
_TELLING = 12

#: the values of ``fuzzy`` to try if a chunk is not located, so that the message can recommend one; for speed, this is
#: done for at most 50 chunks
_SHARES, _ADVISED = (0.95, 0.9, 0.8, 0.7), 50

#: a header ends at one of the first 3 line ends of the text
_HEADER_LINES = 3

#: matches an ellipsis in a snippet
_ELLIPSIS = re.compile(r"\s*[\[(]?(?:…|\.\s?\.\s?\.+)[\])]?\s*")


class Found(NamedTuple):
    """The place of a chunk in its document, or the reason why it is not located."""

    start: int  #: the offset in characters; -1 if the chunk is not located
    end: int
    reason: str = ""  #: why the chunk is not located
    doubt: str = ""  #: why the claimed offsets or the place may be wrong
    share: float = 1.0  #: the share of characters that the chunk and the text at its place have in common
    others: Sequence[tuple[int, int]] = ()  #: the start and end of each other possible place
    normalise: Normalisation | None = None  #: the normalisation of the earlier search that located the chunk


class ClaimedPlace(NamedTuple):
    """The offsets that a line states for its chunk, and how an earlier search matched the chunk with the text there."""

    start: int
    end: int
    match: Match = Match()

    def fits(self, text: str, chunk: str, normalise: Normalisation) -> bool:
        """Return whether the chunk equals the text at the claimed offsets, under ``match`` or ``normalise``."""
        if not 0 <= self.start < self.end <= len(text):
            return False
        passage = text[self.start : self.end]
        return is_same(chunk, passage, self.match) or is_same(chunk, passage, Match(normalise))


class _Searched:
    """The normalised text of a document, with an index for searches."""

    def __init__(self, text: str, normalise: Normalisation) -> None:
        self.normalised = Normalised.of(text, normalise)
        self.text = self.normalised.text
        self.span, self.index = self.normalised.span, self.normalised.index
        self.places = cache(self.first_two)
        self.occurrences = cache(self._occurrences)
        self._blocks: dict[str, list[int]] = {}
        for at in range(0, len(self.text) - _BLOCK + 1, _BLOCK):
            self._blocks.setdefault(self.text[at : at + _BLOCK], []).append(at)

    def first_two(self, chunk: str) -> tuple[int, int]:
        """Return the first two places of a chunk, where -1 stands for a missing place."""
        # wherever a long chunk occurs, one of the indexed blocks starts within its first ``_BLOCK`` characters
        if len(chunk) >= 2 * _BLOCK - 1:
            starts = [
                place - offset
                for offset in range(_BLOCK)
                for place in self._blocks.get(chunk[offset : offset + _BLOCK], ())[: _COUNTED + 1]
            ]
            if len(starts) <= _COUNTED:
                places = sorted(at for at in starts if at >= 0 and self.text.startswith(chunk, at))
                first, second = [*places, -1, -1][:2]
                return first, second
        first = self.text.find(chunk) if chunk else -1
        return first, self.text.find(chunk, first + 1) if first >= 0 else -1

    def _occurrences(self, chunk: str) -> list[int]:
        """Return the first places of a chunk in the text, at most ``_COUNTED`` + 1. Places may overlap."""
        places: list[int] = []
        at = self.text.find(chunk)
        while at >= 0 and len(places) <= _COUNTED:
            places.append(at)
            at = self.text.find(chunk, at + 1)
        return places

    def spans(self, chunk: str) -> list[tuple[int, int]]:
        """Return the start and end of each of a chunk's ``occurrences``, as offsets in the original document."""
        return [self.span(at, len(chunk)) for at in self.occurrences(chunk)]

    def place(self, wanted: Sequence[str], pins: Sequence[int], in_order: bool) -> "_Placement":
        """Find the places of chunks in the text.

        ``pins`` has the fixed offset of each chunk in the document, or -1 if it is not fixed. If chunks cannot be
        placed ``in_order``, each is placed independently of the others.
        """
        pinned = [self.index(pin) if pin >= 0 else -1 for pin in pins]
        earliest = _earliest(self, wanted, pinned) if in_order else None
        if earliest is not None:
            latest = _latest(self, wanted, pinned, earliest)
            decided = [
                at if at in (-1, last) else _SEVERAL for at, last in zip(earliest, latest, strict=True)
            ]
            return _Placement(decided, _UNDECIDED, ordered=True)
        two_places = [
            (pin, -1) if pin >= 0 else self.places(chunk) for pin, chunk in zip(pinned, wanted, strict=True)
        ]
        return _Placement([at if other < 0 else _SEVERAL for at, other in two_places], _DISORDER * in_order)


#: the number that stands for the offset of a chunk with several possible places
_SEVERAL = -2


class _Placement(NamedTuple):
    """The offsets of chunks in the normalised text: -1 for a missing chunk, `_SEVERAL` for several possible places."""

    starts: list[int]
    #: a remark about the order of chunks, which follows words such as "occurs 3 times" in messages
    order: str
    ordered: bool = False  #: whether each chunk was placed after the previous chunk


def locate_in(
    text: str,
    chunks: Sequence[str],
    claims: Sequence[tuple[int, int] | ClaimedPlace | None] | None = None,
    *,
    in_order: bool = True,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    any_place: bool = False,
) -> list[Found]:
    """Locate each chunk in the text of a document, and return a `Found` for each.

    ``claims``
        the start and end that are claimed for each chunk, or None. Claims that fit the text are kept. With
        ``in_order``, a claim that contradicts the place of the previous chunk is dropped if the order leaves exactly
        one other place.
    ``in_order``
        whether each chunk starts after the previous chunk. If no placement has this order, the order is ignored.
    ``normalise``
        the differences to ignore if a chunk is not in the text verbatim (`locate`).
    ``fuzzy``
        the minimum share of common characters for an approximate match. The share is ``2 M / (n + m)``, where n and m
        are the sizes of the two texts, and M is the number of characters that they have in common, in the same order.
        A chunk is not located if another place has almost the best share (`CLOSE`).
    ``any_place``
        whether a chunk with several places (at most `_COUNTED`) is located at the first, and the others are listed.

    Offsets count Unicode code points. If all chunks are found in order, the time is O(text + chunks).
    """
    searched = _searched(text, normalise)
    wanted = [Normalised.of(chunk, normalise).text for chunk in chunks]
    valid_claims, doubts = _valid_claims(text, chunks, claims or [None] * len(chunks), normalise)
    if in_order:
        _move_repeated(searched, wanted, valid_claims, doubts)
    pins = [-1 if claim is None else claim.start for claim in valid_claims]
    verbatim = _searched(text, "none")
    exact = alike = placed = verbatim.place(chunks, pins, in_order)
    if normalise != "none":
        alike = searched.place(wanted, pins, in_order)
        fixed = [max(pin, at) for pin, at in zip(pins, exact.starts, strict=True)]
        placed = searched.place(wanted, fixed, in_order)

    def search(i: int) -> Found:
        """Locate chunk ``i``, which has no valid claim: verbatim, else normalised, else approximately."""
        at, start = placed.starts[i], exact.starts[i]
        if not wanted[i] and start < 0:
            return Found(-1, -1, "the chunk has no text" + (" except white space" if chunks[i] else ""))
        is_ambiguous = _SEVERAL in (at, alike.starts[i])
        if any_place and is_ambiguous and len(searched.occurrences(wanted[i])) <= _COUNTED:
            first, *other_spans = searched.spans(wanted[i])
            return Found(*first, others=other_spans)
        if start >= 0:
            remark = _ambiguity(searched.spans(wanted[i]), alike.order, "") if is_ambiguous else ""
            doubt = f"the exact text occurs once, but with normalise={normalise}, {remark}" if remark else ""
            return Found(start, start + len(chunks[i]), "", doubt)
        if at >= 0:
            begin, end = searched.span(at, len(wanted[i]))
            # a match of normalised texts may end inside a ligature; the original texts then differ
            if is_same(chunks[i], text[begin:end], Match(normalise)):
                return Found(begin, end)
        if at == _SEVERAL:
            return Found(-1, -1, _ambiguity(searched.spans(wanted[i]), placed.order))
        if start == _SEVERAL:
            return Found(-1, -1, _ambiguity(verbatim.spans(chunks[i]), exact.order))
        return _approximate(text, searched, chunks[i], normalise, fuzzy)

    return [
        Found(keep.start, keep.end, "", doubt, keep.match.share, normalise=keep.match.normalise)
        if keep
        else _with_doubt(search(i), doubt)
        for i, (keep, doubt) in enumerate(zip(valid_claims, doubts, strict=True))
    ]


def _with_doubt(place: Found, doubt: str) -> Found:
    return place._replace(doubt="; ".join(filter(None, (doubt, place.doubt))))


@lru_cache(maxsize=8)
def _searched(text: str, normalise: Normalisation) -> _Searched:
    return _Searched(text, normalise)


def _valid_claims(
    text: str,
    chunks: Sequence[str],
    claims: Sequence[tuple[int, int] | ClaimedPlace | None],
    normalise: Normalisation,
) -> tuple[list[ClaimedPlace | None], list[str]]:
    """Return each claim, or None if it does not fit the text. Also return a description of each misfit."""
    claimed = [None if claim is None else ClaimedPlace(*claim) for claim in claims]
    doubts = [
        "" if claim is None or claim.fits(text, chunk, normalise) else _contradiction(text, claim)
        for claim, chunk in zip(claimed, chunks, strict=True)
    ]
    return [None if doubt else claim for claim, doubt in zip(claimed, doubts, strict=True)], doubts


def _move_repeated(
    searched: _Searched, wanted: Sequence[str], valid_claims: list[ClaimedPlace | None], doubts: list[str]
) -> None:
    """Drop wrong claims about chunks whose text occurs several times in the document.

    Some programs claim the first occurrence for all repetitions of a text. A claim whose place is not after the
    previous chunk is reported in ``doubts``. It is dropped if the order of the chunks leaves one other place.
    """
    ends = last = -1
    moved = []
    for i, claim in enumerate(valid_claims):
        if claim is not None:
            if (claim.start <= last or claim.end <= ends) and searched.places(wanted[i])[1] >= 0:
                moved.append(i)
            ends, last = max(ends, claim.end), max(last, claim.start)
    if not moved:
        return
    pins = [-1 if claim is None or i in moved else claim.start for i, claim in enumerate(valid_claims)]
    placed = searched.place(wanted, pins, in_order=True)
    if not placed.ordered:
        return
    for i in moved:
        claim, at = valid_claims[i], placed.starts[i]
        assert claim is not None
        where = f"start {claim.start} and end {claim.end} do not follow the previous chunk"
        if at == _SEVERAL:
            doubts[i] = f"{where}, and {_ambiguity(searched.spans(wanted[i]), '')}"
        elif at >= 0 and searched.span(at, len(wanted[i]))[0] != claim.start:
            doubts[i] = f"{where}, but the text occurs again in the right order"
            valid_claims[i] = None


def _approximate(text: str, searched: _Searched, chunk: str, normalise: Normalisation, fuzzy: float) -> Found:
    """Locate the best approximate match of a chunk that is not in the text, or say why there is none."""
    wanted = Normalised.of(chunk, normalise)
    near = _near_matches(searched, wanted.text, fuzzy) if fuzzy < 1 else []
    if len(near) == 1:
        start, size, _ = near[0]
        place = searched.span(start, size)  # if the match ends inside a ligature, the span includes all of it
        share = share_of(wanted.text, Normalised.of(text[slice(*place)], normalise).text)
        if share >= fuzzy:
            return Found(*place, share=share)
    elif near:
        places = ", ".join(f"{share:.2f} at {searched.span(start, 1)[0]}" for start, _, share in near)
        return Found(
            -1, -1, f"similar texts are in several places (shares: {places}), so the right place is unclear"
        )
    return Found(-1, -1, _difference(text, searched, wanted, chunk))


def _share(chunk: str, text: str, start: int, end: int) -> float:
    """Return the share of characters that a chunk and ``text[start:end]`` have in common, or 0 for invalid offsets."""
    return share_of(chunk, text[start:end]) if 0 <= start < end <= len(text) else 0.0


def _near_matches(searched: _Searched, chunk: str, least: float) -> list[tuple[int, int, float]]:
    """Return the best match of a chunk and all matches that are almost as good, best first.

    A match is a start, a size and a share of common characters, which is at least ``least``.
    """
    from rapidfuzz import fuzz

    text = searched.text
    near: list[tuple[int, int, float]] = []
    wide = int(len(chunk) * (1 - least)) + 1
    while len(chunk) <= len(text) and len(near) <= _MOST_NEAR:
        # this search finds only matches of the chunk's length, so that start and end are adjusted below
        best = fuzz.partial_ratio_alignment(chunk, text, score_cutoff=100 * least - _COARSE)
        if best is None:
            break
        start, end, reach = best.dest_start, best.dest_end, range(-wide, wide + 1)
        share_of = partial(_share, chunk, text)
        end = max((end + by for by in reach), key=lambda one: share_of(start, one))
        start = max((start + by for by in reach), key=lambda one: share_of(one, end))
        share = share_of(start, end)
        if share >= least:
            near.append((start, end - start, share))
        # blank out this place, so that the next search finds another
        text = text[: best.dest_start] + "\0" * (best.dest_end - best.dest_start) + text[best.dest_end :]
    threshold = max((share for *_, share in near), default=0.0) - CLOSE
    return sorted((place for place in near if place[2] >= threshold), key=lambda place: (-place[2], place[0]))


def _ambiguity(
    places: Sequence[tuple[int, int]], order: str, result: str = ", so its place is unclear"
) -> str:
    """Describe the several places of a chunk. The text ends with ``order`` or, if ``order`` is empty, ``result``."""
    number = f"more than {_COUNTED}" if len(places) > _COUNTED else str(len(places))
    first = ", ".join(str(start) for start, _ in places[:3]) + (", …" if len(places) > 3 else "")
    return f"the text occurs {number} times (at {first}){order or result}"


def _earliest(searched: _Searched, wanted: Sequence[str], pinned: Sequence[int]) -> list[int] | None:
    """Place each chunk as early as possible after the previous chunk. Chunks that are not in the text get -1.

    ``pinned`` has the fixed place of each chunk, or -1. Returns None if the chunks cannot be placed in this order.
    """
    places = []
    last = -1
    for chunk, pin in zip(wanted, pinned, strict=True):
        place = pin if pin >= 0 else searched.text.find(chunk, last + 1) if chunk else -1
        if (pin >= 0 and pin <= last) or (place < 0 and chunk and searched.places(chunk)[0] >= 0):
            return None
        places.append(place)
        last = max(last, place)
    return places


def _latest(
    searched: _Searched, wanted: Sequence[str], pinned: Sequence[int], earliest: Sequence[int]
) -> list[int]:
    """Place each chunk as late as possible before the next chunk. Chunks whose ``earliest`` place is -1 keep -1."""
    # the reversed text is searched with ``find``, because ``rfind`` does not take linear time
    backwards = searched.text[::-1]
    size = len(backwards)
    places = [-1] * len(wanted)
    last = size
    for i in range(len(wanted) - 1, -1, -1):
        if earliest[i] < 0:
            continue
        if pinned[i] >= 0:
            last = pinned[i]
        else:
            begin = max(0, size - last + 1 - len(wanted[i]))
            last = size - backwards.find(wanted[i][::-1], begin) - len(wanted[i])
        places[i] = last
    return places


def longest_prefix(text: str, chunk: str) -> tuple[int, int]:
    """Return the size of the longest prefix of a chunk that is in the text, and the offset of its first occurrence."""
    size, place = 0, 0
    # a longer prefix never occurs before the first place of a shorter prefix, so that the text is read only once
    at = text.find(chunk[:1])
    while at >= 0 and size < len(chunk):
        low, high = size, len(chunk)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if text.startswith(chunk[:middle], at) else (low, middle - 1)
        size, place = low, at
        at = text.find(chunk[: size + 1], at + 1)
    return size, place


def _difference(text: str, searched: _Searched, chunk: Normalised, original: str) -> str:
    """Describe where a chunk and the text begin to differ, with offsets in the ``original`` chunk and document."""
    size, at = longest_prefix(searched.text, chunk.text)
    if size < min(_TELLING, (len(chunk.text) + 1) // 2) or size == len(chunk.text):
        return f"{_NO_MATCH} {quoted(original)}"
    differs = chunk.span(size, 1)[0]
    body = searched.span(at, size)[1]
    document_text = quoted(text[body : body + 60]) if body < len(text) else "no more text"
    return (
        f"{_NO_MATCH} the whole chunk: from its character {differs} on, the chunk has "
        f"{quoted(original[differs:])}, but the document has {document_text} (from its character {body} on)"
    )


def _contradiction(text: str, claim: ClaimedPlace) -> str:
    """Describe why claimed offsets do not fit: the text that is there, or that they are outside the document."""
    start, end, _ = claim
    message = f"the text is not at its offsets, {start} to {end}"
    if not 0 <= start < end <= len(text):
        return f"{message} (the document has {len(text)} characters)"
    return f"{message} ({quoted(text[start:end])} is there)"


Order = Literal["lines", "none"]
Repeats = Literal["refuse", "group"]
Documents = Mapping[str, str] | str | PathLike[str]


class Located(NamedTuple):
    """The lines that were located, with their offsets, and the problems of the other lines."""

    kind: str  #: the kind of the lines (`kind_of`)
    #: located lines with ``start`` and ``end``, and lines that state that a topic has no gold
    lines: list[dict[str, Any]]
    rows: list[int]  #: the index of each of ``lines`` in the input, from 0
    problems: list[Problem]  #: a problem for each line that is not located
    notes: list[Problem]  #: warnings about located lines


def locate_lines(
    lines: Sequence[tuple[str, dict[str, Any]]],
    documents: Documents,
    *,
    source: str,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    header: bool = False,
    naming: str = "",
) -> Located:
    """Locate the texts of lines in their documents. Lines without a ``document`` are searched in all documents.

    ``lines`` are pairs of a position in words, such as "line 3", and a line. ``naming`` is advice on document names for
    messages. The other arguments are as for `locate`. Raises InputError for unusable values and missing documents.
    """
    kind = kind_of(line for _, line in lines)
    _check_arguments(kind, order, normalise, fuzzy, repeats)
    if order is None:
        order = "lines" if kind == "chunk" else "none"
    texts, names = _texts_of(lines, documents)
    lines, document_problems = _with_documents(lines, texts, normalise, fuzzy, header)
    located: dict[int, Found] = {}
    for document, rows in _rows_by_document(lines, texts, source, names, naming).items():
        outcome = locate_in(
            texts[document],
            [lines[row][1]["text"] for row in rows],
            [_claim(lines[row][1]) for row in rows],
            in_order=order == "lines",
            normalise=normalise,
            fuzzy=fuzzy,
            any_place=repeats == "group",
        )
        located |= dict(zip(rows, outcome, strict=True))
    result = Located(kind, [], [], [], [])
    for row, (where, line) in enumerate(lines):
        if is_topic_alone(line):
            result.lines.append(line)
            result.rows.append(row)
            continue
        if row in document_problems:
            result.problems.append(Problem(source, where, *document_problems[row]))
            continue
        place, text = located[row], texts[_document(line, texts)]
        places = [place._replace(start=start, end=end) for start, end in (place[:2], *place.others)]
        each = [{"group": where, **line} if place.others else line] * len(places)
        if place.reason.startswith(_NO_MATCH) and (parts := _passages(text, line["text"], normalise, fuzzy)):
            place = place._replace(reason="" if kind == "gold span" else _OF_PASSAGES)
            places = [of_part for _, of_part in parts]
            keys = {"group": where, "alternative": where}
            keys |= {key: line[key] for key in keys if not is_missing(line.get(key))}
            each = [{**line, **keys, "text": part} for part, _ in parts]
        reasons = ", and ".join(filter(None, (place.doubt, place.reason)))
        message = f"in document {str(line['document'])!r}, {reasons}"
        spans = " and ".join(f"{one.start} to {one.end}" for one in places)
        if place.reason:
            remedy = f"write a line for each of {spans}"
            if place.reason != _OF_PASSAGES:
                remedy = _remedy(text, line["text"], place.reason, normalise, kind, len(result.problems))
            result.problems.append(Problem(source, where, message, remedy))
            continue
        for one, at in zip(each, places, strict=True):
            result.lines.append({**one, **_place(text, one["text"], at, normalise)})
            result.rows.append(row)
        if place.doubt:
            result.notes.append(Problem(source, where, message, f"the text was located at {spans} instead"))
    return result


def _texts_of(
    lines: Sequence[tuple[str, Mapping[str, Any]]], documents: Documents
) -> tuple[Mapping[str, str], Callable[[], list[str]]]:
    """Return the texts of the documents that lines name, and a function that lists the names of all documents.

    If a line names no document, the texts of all documents are returned.
    """
    if isinstance(documents, Mapping):
        for name, text in documents.items():
            read_argument(f"document {name!r}", text, of_type(str, "a string"))
        return documents, cache(lambda: list(documents))
    from focuseval.campaign.collection_read import document_texts
    from focuseval.formats.documents import list_documents

    names = {str(line.get("document")).strip() for _, line in lines}
    wanted = None if any(_unassigned(line) for _, line in lines) else names | set(map(document_name, names))
    texts = dict(document_texts(Path(documents), documents=wanted))
    return texts, cache(lambda: list_documents(Path(documents)).names)


#: the message about a snippet of several passages, which cannot be located as one chunk
_OF_PASSAGES = "the text would be several passages joined by an ellipsis, but a chunk is one passage"


def _place(text: str, chunk: str, span: Found, normalise: Normalisation) -> dict[str, Any]:
    """Return the keys to add to a line: its offsets and, if its text is not verbatim, how it was matched."""
    place: dict[str, Any] = {"start": span.start, "end": span.end}
    passage = text[span.start : span.end]
    if span.share < 1:
        return place | {"normalise": span.normalise or normalise, "share": span.share, "found": passage}
    how = least_normalisation(chunk, passage, normalise)
    return place if how == "none" else place | {"normalise": how}


def _passages(text: str, snippet: str, normalise: Normalisation, fuzzy: float) -> list[tuple[str, Found]]:
    """Return the passages between the ellipses of a snippet, each with its place.

    The list is empty if there is no ellipsis, if a passage is not located, or if passages are not in order.
    """
    parts = [part for part in _ELLIPSIS.split(snippet) if part.strip()]
    if len(parts) < 2:
        return []
    places = locate_in(text, parts, normalise=normalise, fuzzy=fuzzy)
    in_order = all(before.end <= body.start for before, body in pairwise(places))
    return [] if any(one.reason for one in places) or not in_order else [*zip(parts, places, strict=True)]


def _check_arguments(
    kind: str, order: Order | None, normalise: Normalisation, fuzzy: float, repeats: Repeats
) -> None:
    """Raise InputError for invalid arguments of `locate_lines`."""
    if not 0 < fuzzy <= 1:
        expected = "expected a share above 0 and at most 1, such as 0.9"
        raise InputError.of("fuzzy", f"the value is {fuzzy}", expected)
    for name, value, choices in (
        ("order", order or "lines", Order),
        ("normalise", normalise, Normalisation),
        ("repeats", repeats, Repeats),
    ):
        if value not in (allowed := get_args(choices)):
            raise InputError.of(name, f"the value is {value!r}", f"expected one of {', '.join(allowed)}")
    if repeats == "group" and kind != "gold span":
        expected = "expected gold (lines with a topic and without a rank or score), or the value 'refuse'"
        raise InputError.of("repeats", f"the value is 'group', but the lines are {kind}s", expected)


def notices(located: Located) -> list[str]:
    """Return a notice about lines with uncertain offsets and a notice about lines that are left out, if any exist."""
    notes = []
    if located.notes:
        suffix = f"; the first {SHOWN} are shown" if len(located.notes) > SHOWN else ""
        first = "\n".join(map(str, located.notes[:SHOWN]))
        searched = counted(_searched_count(located), located.kind)
        notes.append(f"offsets are uncertain for {len(located.notes):,} of {searched}{suffix}\n{first}")
    if located.problems:
        first = "\n".join(problem_lines(located.problems, "see the error raised without lenient=True"))
        notes.append(f"{left_out(located)}\n{first}")
    return notes


def kind_of(lines: Iterable[Mapping[str, Any]]) -> str:
    """Return the kind of lines: ``result``, ``gold span`` or ``chunk``.

    Lines are results if any line has a score, a rank or a run. Otherwise, they are gold spans if any line has a topic.
    """
    keys = set().union(*lines)
    return "result" if keys & {*MARKS_OF_RUNS} else "gold span" if "topic" in keys else "chunk"


def left_out(located: Located) -> str:
    """Describe how many lines were not located, and the effect on scores, or return "" if all were located."""
    if not located.problems:
        return ""
    searched = counted(_searched_count(located), located.kind)
    ending = agreeing("{was|were} not located and {is|are} left out", len(located.problems))
    return f"{len(located.problems):,} of {searched} {ending}{_WITHOUT[located.kind]}"


def _searched_count(located: Located) -> int:
    """Return the number of lines with a text to locate."""
    rows = {row for row, line in zip(located.rows, located.lines, strict=True) if not is_topic_alone(line)}
    return len(located.problems) + len(rows)


_WITHOUT = {
    "chunk": "",
    "result": "; with missing results, scores may be higher than those of the complete run",
    "gold span": "; with incomplete gold, correct text may count as wrong, and missed answers may go unnoticed",
}


def _rows_by_document(
    lines: Sequence[tuple[str, Mapping[str, Any]]],
    texts: Mapping[str, str],
    source: str,
    names: Callable[[], list[str]],
    naming: str,
) -> dict[str, list[int]]:
    """Return the indexes of the lines that name each document.

    Raises InputError for lines without a text, and for lines with an unknown document or a misspelt key ``document``.
    """
    rows: dict[str, list[int]] = {}
    problems: list[Problem] = []
    unknown: dict[str, str] = {}  # for each unknown document name, what the message expects instead
    for row, (where, line) in enumerate(lines):
        if is_topic_alone(line) or _unassigned(line):
            continue
        try:
            name = _document(line, texts)
            if name not in texts:
                if name not in unknown:
                    unknown[name] = _expected(name, names(), naming, first=len(unknown) < SHOWN)
                raise UnusableValue(f"document {name!r} is unknown", unknown[name])
            rows.setdefault(name, []).append(row)
            if not isinstance(line.get("text"), str):
                raise UnusableValue(f'"text" is {_quoted_value(line, "text")}', "expected a string")
        except UnusableValue as error:
            problems.append(Problem(source, where, *error.args))
    if problems:
        raise InputError(problems)
    return rows


_SEVERAL_PLACES = {
    "chunk": "give start and end, or list all chunks of the document in text order",
    "result": "locate all chunks of the document in text order, and copy start and end of this one (docs/locate.md)",
    "gold span": Sentence(
        "give start and end, or a longer text; if each occurrence answers the topic by itself, use ",
        Option("repeats", "group"),
    ),
}


_AS_IT_IS = "copy the text exactly from the document"


def _remedy(text: str, chunk: str, reason: str, normalise: Normalisation, kind: str, before: int) -> str:
    """Return the remedy for a chunk that is not located, in words for its message.

    The remedy may name settings that locate the chunk. For speed, these are searched only if there are fewer than
    `_ADVISED` problems ``before``.
    """
    if reason.startswith("the text occurs"):
        return _SEVERAL_PLACES[kind]
    if before >= _ADVISED or not chunk.strip():
        return _AS_IT_IS
    stronger = NORMALISATIONS[NORMALISATIONS.index(normalise) :]
    settings = [(how, 1.0, form) for form in _forms(chunk, True) for how in stronger]
    settings += [
        (how, share, ("", chunk)) for share in _SHARES for how in dict.fromkeys((normalise, stronger[-1]))
    ]
    for how, fuzzy, (front, body) in settings:
        [place] = locate_in(text, [body], in_order=False, normalise=how, fuzzy=fuzzy)
        parts = _passages(text, body, how, fuzzy) if place.reason else [(body, place)]
        if parts:
            choices = (
                ("header", True, front),
                ("normalise", how, how != normalise),
                ("fuzzy", fuzzy, fuzzy < 1),
            )
            options = [Option(name, value) for name, value, is_needed in choices if is_needed]
            listed_options = [part for option in options for part in (" and ", option)][1:]
            places = " and ".join(f"{part.start} to {part.end}" for _, part in parts)
            return Sentence(
                f"{_AS_IT_IS}, or use ", *listed_options, f", which finds the text at characters {places}"
            )
    return _AS_IT_IS


def _unassigned(line: Mapping[str, Any]) -> bool:
    """Return whether a line has a text but no document, not even under a misspelt key."""
    return (
        is_missing(line.get("document"))
        and isinstance(line.get("text"), str)
        and ("document" in line or key_meant("document", names_of_keys(dict(line))) is None)
    )


def _forms(text: str, header: bool) -> list[tuple[str, str]]:
    """Return a text as a header and a rest in several ways, first without a header.

    With ``header``, up to `_HEADER_LINES` lines can be the header, unless the rest is then blank.
    """
    ends = [gap.end() for gap in re.finditer(r"\n\s*", text)][:_HEADER_LINES] if header else []
    return [("", text), *((text[:end], text[end:]) for end in ends if text[end:].strip())]


def _with_documents(
    lines: Sequence[tuple[str, dict[str, Any]]],
    texts: Mapping[str, str],
    normalise: Normalisation,
    fuzzy: float,
    header: bool,
) -> tuple[list[tuple[str, dict[str, Any]]], dict[int, tuple[str, str]]]:
    """Find the document of each line that names none, and remove headers from all lines if ``header``.

    Returns all lines, and the problem and the remedy of each line (by index) that is in no document or in several.
    """
    new_lines, issues = list(lines), {}
    rest = {row: line for row, (_, line) in enumerate(lines) if _unassigned(line) and line["text"].strip()}
    hits = _hits({row: _forms(line["text"], header) for row, line in rest.items()}, texts, normalise, fuzzy)
    for row, (names, front, text) in hits.items():
        where, line = lines[row]
        if len(names) == 1:
            new_lines[row] = where, {**line, "document": names[0], "text": text, **_header(front)}
        else:
            found = f"the text is in {len(names):,} documents ({listed(list(map(repr, names)), 3)})"
            issues[row] = found, 'give the "document" of the chunk'
    rest = {row: line for row, line in rest.items() if row not in hits}
    forms = {row: _forms(line["text"], True) for row, line in [*rest.items()][:_ADVISED]}
    near = _hits(forms, texts, NORMALISATIONS[-1], _SHARES[-1])
    for row, line in rest.items():
        found = f"no document contains {quoted(line['text'])} ({counted(len(texts), 'document')} searched)"
        names, *_ = near.get(row, ([], "", ""))
        remedy = _remedy(texts[names[0]], line["text"], "", normalise, "", 0) if names else _AS_IT_IS
        issues[row] = found, Sentence(remedy, f" in document {names[0]!r}") if names else remedy
    if header:
        for row, (where, line) in enumerate(new_lines):
            name = None if is_topic_alone(line) or row in issues or row in hits else str(line.get("document"))
            text = texts.get(name or "", "")
            for front, body in _forms(line["text"], header) if text else []:
                if Normalised.of(body, normalise).text in _searched(text, normalise).text:
                    new_lines[row] = where, {**line, "text": body, **_header(front)}
                    break
    return new_lines, issues


def _header(front: str) -> dict[str, str]:
    return {"header": front} if front else {}


def _hits(
    forms: Mapping[int, list[tuple[str, str]]],
    texts: Mapping[str, str],
    normalise: Normalisation,
    fuzzy: float,
) -> dict[int, tuple[list[str], str, str]]:
    """Return, for each line that is found, the documents that contain it, its header, and the rest of its text.

    ``forms`` has the possible headers and rests of each line (`_forms`). The search is first verbatim, then normalised,
    then for the longest passage of a snippet, and then approximate.
    """

    def longest(wanted: Iterable[str]) -> dict[str, list[str]]:
        parts = {text: max(_ELLIPSIS.split(text), key=len) for text in wanted}
        documents_of = holders(parts.values(), texts, normalise)
        return {text: documents_of[part] for text, part in parts.items()}

    def most(wanted: Iterable[str]) -> dict[str, list[str]]:
        return {
            text: _best_matching(
                Normalised.of(text, normalise).text, {name: texts[name] for name in names}, normalise, fuzzy
            )
            for text, names in nearest(wanted, texts, normalise).items()
        }

    hits: dict[int, tuple[list[str], str, str]] = {}
    ways: list[Callable[[Iterable[str]], dict[str, list[str]]]] = [
        *(partial(holders, documents=texts, normalise=how) for how in dict.fromkeys(("none", normalise))),
        longest,
    ]
    for way in [*ways, *([most] if fuzzy < 1 else [])]:
        unmatched = {row: of_row for row, of_row in forms.items() if row not in hits}
        names_of = way({text for of_row in unmatched.values() for _, text in of_row}) if unmatched else {}
        for row, of_row in unmatched.items():
            hit = next(((names_of[text], front, text) for front, text in of_row if names_of[text]), None)
            if hit:
                hits[row] = hit
    return hits


def _best_matching(text: str, texts: Mapping[str, str], normalise: Normalisation, fuzzy: float) -> list[str]:
    """Return the documents with the best approximate match of a text, or with a match almost as good (`CLOSE`)."""
    wanted = Normalised.of(text, normalise).text
    near = {name: _near_matches(_searched(one, normalise), wanted, fuzzy) for name, one in texts.items()}
    shares = {name: places[0][2] for name, places in near.items() if places}
    return [name for name, share in shares.items() if share >= max(shares.values()) - CLOSE]


def _document(line: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """Return the document that a line names, spelled as in ``texts`` if possible. Raises UnusableValue for no name."""
    value = line.get("document")
    name = str(value).strip() if isinstance(value, str | int | np.integer) else ""
    if not name:
        close = None if "document" in line else key_meant("document", names_of_keys(line))
        expected = (f'did you write "{close}" instead? ' if close else "") + "expected a name"
        raise UnusableValue(f'"document" is {_quoted_value(line, "document")}', expected)
    return next((each for each in (name, document_name(name)) if each in texts), name)


def _expected(name: str, names: Sequence[str], naming: str, *, first: bool) -> str:
    """Return what a message expects instead of an unknown document name.

    Similar names are suggested only for the ``first`` unknown names.
    """
    question = ""
    if first or len(names) <= FEW:
        question = known_without(name, names) or (meant_among(name, names) if first else "")
    such = f", such as {shortened(names[0])!r}" if names and not question else ""
    return f"{question}expected the name of a document, which is its path in the folder{such}{naming}"


def _quoted_value(line: Mapping[str, Any], key: str) -> str:
    if key not in line:
        return "missing"
    return quoted(line[key]) if isinstance(line[key], str) else shortened(repr(line[key]))


def _claim(line: Mapping[str, Any]) -> ClaimedPlace | None:
    """Return the offsets that a line states, or None if one is missing. Values that are not whole numbers become -1."""
    offsets = [line.get(key) for key in ("start", "end")]
    if any(map(is_missing, offsets)):
        return None
    start, end = (int(v) if isinstance(v, int | float | np.integer) and v == v // 1 else -1 for v in offsets)
    return ClaimedPlace(start, end, Match.of_line(line))


#: the keys with text values that `locate` may add or change
_WRITTEN = ("document", "text", "header", "group", "alternative", "normalise", "found")


@overload
def locate(
    chunks: Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    header: bool = False,
    lenient: bool = False,
) -> list[dict[str, Any]]: ...
@overload
def locate(
    chunks: pd.DataFrame,
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    header: bool = False,
    lenient: bool = False,
) -> pd.DataFrame: ...
def locate(
    chunks: pd.DataFrame | Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    header: bool = False,
    lenient: bool = False,
) -> pd.DataFrame | list[dict[str, Any]]:
    """Find the offsets of chunks or gold spans by searching their texts in the documents.

    ``chunks``
        a list of texts, a list of dictionaries, a pandas frame, or any object with an Arrow stream (polars, DuckDB).
        Dictionaries and frames have ``text``, and may have ``document``. A text without a document is searched in all
        documents, and gets the document that contains it. Gold lines that have only a topic are kept unchanged.
    ``documents``
        the texts by name, or a folder or archive of documents, as for `score`.
    ``order``
        With ``lines``, each chunk of a document should begin after the previous chunk, in the order of ``chunks``. This
        often decides which of several occurrences is meant. With ``none``, a text is located only if it occurs once.
        The default is ``none`` for results and gold (lines with a topic, score, rank or run), and ``lines`` for other
        chunks.
    ``normalise``
        the differences to ignore. ``spaces`` ignores white space and the composition of letters. ``hyphenation`` also
        ignores hyphens between letters, as at line ends. ``typography`` also ignores kinds of quotes, dashes and
        ellipses, and Markdown. If a text occurs exactly once verbatim, this place is used. Chunks that are not verbatim
        get the key ``normalise``. Offsets always refer to the original document.
    ``fuzzy``
        the minimum share of common characters, such as 0.9. A chunk that is not in its document is located at the place
        with the largest share, unless another place has almost this share. The chunk gets the keys ``share`` and
        ``found`` (the text at the place).
    ``repeats``
        With ``group``, a gold text that occurs several times gets a line for each place. These lines form one ``group``
        of alternatives.
    ``header``
        whether a text may begin with a header that is not in its document, such as a title. The header ends at one of
        the first line ends. It is removed from ``text`` and stored under the key ``header``.
    ``lenient``
        whether chunks that cannot be located are left out. A warning counts these chunks and shows the first of them.

    Returns a frame if ``chunks`` is a frame or has an Arrow stream, else a list of dictionaries. ``start`` and ``end``
    count characters (Unicode code points) of the document's text, and the end is exclusive. In frames, lines that have
    only a topic have empty offsets. Offsets that the chunks already have are kept if they fit the text. Otherwise, a
    warning reports them.

    Raises InputError for unusable values and missing documents. Unless ``lenient``, also raises an InputError that
    lists every chunk that is not in its document or has several possible places.
    """
    if hasattr(chunks, "__arrow_c_stream__") and not isinstance(chunks, pd.DataFrame):
        import pyarrow as pa

        chunks = pa.RecordBatchReader.from_stream(chunks).read_all().to_pandas()
    located = locate_lines(
        [(f"chunk {number}", row) for number, row in enumerate(_rows(chunks, documents))],
        documents,
        source="chunks",
        order=order,
        normalise=normalise,
        fuzzy=fuzzy,
        repeats=repeats,
        header=header,
    )
    if located.problems and not lenient:
        raise InputError(located.problems)
    for line in notices(located):
        warnings.warn(line, InputWarning, stacklevel=2)
    if isinstance(chunks, pd.DataFrame):
        whole = "Int64" if any(map(is_topic_alone, located.lines)) else "int64"
        kinds = {"start": whole, "end": whole, "share": "Float64", **dict.fromkeys(_WRITTEN, "str")}
        written = [
            key for key in kinds if key in ("start", "end") or any(key in line for line in located.lines)
        ]
        columns = {
            key: pd.array([line.get(key) for line in located.lines], dtype=kinds[key]) for key in written
        }
        return chunks.iloc[located.rows].assign(**columns)
    return located.lines


def _rows(chunks: Any, documents: object) -> list[dict[str, Any]]:
    """Convert the chunks of `locate` to dictionaries. Raises InputError for values that are not chunks."""
    if isinstance(chunks, pd.DataFrame):
        return chunks.to_dict("records")
    if isinstance(chunks, str | PathLike | Mapping) or not isinstance(chunks, Iterable):
        expected = (
            "expected a list of chunks or a frame; for files of chunks, use the command focuseval locate"
        )
        raise InputError.of("chunks", f"the value is {described(chunks)}", expected)
    rows = list(chunks)
    if any(isinstance(row, str) for row in rows):
        names = list(documents) if isinstance(documents, Mapping) else []
        document = {"document": names[0]} if len(names) == 1 else {}
        rows = [{**document, "text": row} if isinstance(row, str) else row for row in rows]
    unusable = [number for number, row in enumerate(rows) if not isinstance(row, Mapping)]
    if unusable:
        found, expected = described(rows[unusable[0]]), 'expected {"document": …, "text": …} or a string'
        raise InputError.of("chunks", f"the chunk is {found}", expected, where=f"chunk {unusable[0]}")
    return rows
