"""From the text of chunks to their offsets in documents.

A place is given only where there is no other. With an order, the chunks of a document begin one behind
the other in its text: the earliest and the latest way to place them so are found, and a chunk is located
where the two agree. As every other way lies between them, that is where the order leaves one place.
Without an order, a chunk is located where its text stands once in the document.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from focuseval.formats.parsed import quoted
from focuseval.model.arrays import Ints

#: occurrences are counted up to here; beyond, a message says "more than"
_COUNTED = 100

#: characters that a text is cut into, to find others in it
_BLOCK = 32

#: what the order of chunks adds to "occurs 3 times"
_UNDECIDED = ", and the chunks around it do not decide"
_DISORDER = ", and the document's chunks do not begin one behind the other in its text"

#: characters that a text must share with a document before it is said to differ from there on
_TELLING = 12

_SPACES = np.array([code for code in range(0x3001) if chr(code).isspace()], dtype=np.uint32)


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
    places = cache(searched.first_two)
    occurrences = cache(lambda chunk: _occurrences(searched.text, chunk))
    earliest = _earliest(searched.text, wanted, pinned, places) if in_order else None
    latest = None if earliest is None else _latest(searched, wanted, pinned, earliest)
    order = _UNDECIDED if earliest is not None else _DISORDER if in_order else ""

    def found(i: int, claim: tuple[int, int] | None, keep: tuple[int, int] | None) -> Found:
        if keep is not None:
            return Found(*keep)
        wrong = "" if claim is None else _contradiction(text, claim)
        if not wanted[i]:
            return Found(-1, -1, "it has no text" + " but white space" * bool(chunks[i]), wrong)
        at, another = places(wanted[i]) if earliest is None else (earliest[i], -1)
        if at < 0:
            return Found(-1, -1, _difference(text, searched, wanted[i], chunks[i]), wrong)
        if another >= 0 or (latest is not None and at != latest[i]):
            every = [searched.span(place, len(wanted[i]))[0] for place in occurrences(wanted[i])]
            return Found(-1, -1, _unclear(every, order), wrong)
        return Found(*searched.span(at, len(wanted[i])), "", wrong)

    return [found(i, *both) for i, both in enumerate(zip(claims, kept, strict=True))]


def _unclear(places: Sequence[int], order: str) -> str:
    """Why a chunk that is in several places (in the document) is not located; ``order`` says what the order adds."""
    number = f"more than {_COUNTED}" if len(places) > _COUNTED else str(len(places))
    first = ", ".join(map(str, places[:3])) + ", …" * (len(places) > 3)
    return f"occurs {number} times (at {first}){order}; which one is meant is unclear"


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


def _occurrences(text: str, chunk: str) -> list[int]:
    """Where a chunk stands in the text, overlaps included; the first ``_COUNTED`` + 1 places."""
    places: list[int] = []
    at = text.find(chunk)
    while at >= 0 and len(places) <= _COUNTED:
        places.append(at)
        at = text.find(chunk, at + 1)
    return places


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
    claimed = f"start {start} and end {end} contradict the text"
    if not 0 <= start < end <= len(text):
        return f"{claimed}, which has {len(text)} characters"
    return f"{claimed}, which has {quoted(text[start:end])} there"
