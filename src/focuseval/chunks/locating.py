"""From the text of chunks to their offsets in documents.

A place is given only where there is no other. With an order, the chunks of a document begin one behind
the other in its text: the earliest and the latest way to place them so are found, and a chunk is located
where the two agree. As every other way lies between them, that is where the order leaves one place.
Without an order, a chunk is located where its text stands once in the document.
"""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Literal, NamedTuple

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

#: a place whose share of a chunk is less than the best one's by no more than this is another that may be meant
CLOSE = 0.05

#: per cent that a stretch as long as the chunk may have less than the best stretch of any length; places listed
_COARSE, _MOST_NEAR = 10, 9

#: characters that a text must share with a document before it is said to differ from there on
_TELLING = 12

#: how chunks and documents are compared: as they are, without white space, or also without what typography changes
Normalisation = Literal["none", "spaces", "typography"]

#: quotes and dashes as keyboards have them, and what is no text: marks of Markdown, soft hyphens, what has no width
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛‹›′´", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("*_`~#|>\\[]\u00ad\u200b\u200c\u200d\u2060\ufeff")
)


@cache
def _folded(character: str) -> str:
    """A character without its typography: decomposed, ligatures and ellipses spelled out, quotes and dashes plain."""
    folded = unicodedata.normalize("NFKD", character.translate(_TYPOGRAPHY))
    return "".join(folded.translate(_TYPOGRAPHY).split())


class Found(NamedTuple):
    """Where a chunk stands in its document, or why that cannot be said."""

    start: int  #: in characters of the document's text; -1: not located
    end: int
    reason: str = ""  #: why it is not located
    claim: str = ""  #: what is wrong with the offsets that it came with
    share: float = 1.0  #: of the characters of the chunk and of the text there, how many both have, in order
    others: Sequence[tuple[int, int]] = ()  #: further places, any of which will do


@dataclass(frozen=True)
class _Searched:
    """A text as it is searched, or searched for: as it is, or normalised."""

    text: str
    place: Ints | None  #: where each searched character stands in the text; None: as it is

    @classmethod
    def of(cls, text: str, normalise: Normalisation) -> "_Searched":
        if normalise == "none":
            return cls(text, None)
        fold = _folded if normalise == "typography" else str.strip
        parts = [fold(character) for character in text]
        return cls("".join(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts]))

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
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    any_place: bool = False,
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
    normalise
        ``spaces`` compares without any white space: the span found begins and ends with characters that are none;
        ``typography`` also with plain quotes and dashes, characters decomposed, and without marks of Markdown.
    fuzzy
        a chunk that is not in the text is located where at least this share of it stands: of the characters of both,
        ``2 M / (n + m)``, M being those that are in both in order. Not if another place comes within `CLOSE`.
    any_place
        a chunk that is in several places, up to `_COUNTED`, is located at the first, with the others beside it.

    Returns
    -------
    list of `Found`
        one for each chunk, offsets in characters (Unicode code points). O(text + chunks) where all are found
        in order, however often texts repeat; for every other chunk the text is searched a few times.
    """
    searched = _Searched.of(text, normalise)
    wanted = [_Searched.of(chunk, normalise).text for chunk in chunks]
    claims = [None] * len(chunks) if claims is None else claims
    kept = [
        claim if claim and _fits(text, claim, chunk, normalise) else None
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
        if at < 0 and fuzzy < 1 and (near := _nearly(searched, wanted[i], fuzzy)):
            if len(near) == 1:
                start, size, share = near[0]
                return Found(*searched.span(start, size), "", wrong, share)
            listed = ", ".join(f"{share:.2f} at {searched.span(start, 1)[0]}" for start, _, share in near)
            return Found(
                -1, -1, f"nearly there in several places ({listed}); which one is meant is unclear", wrong
            )
        if at < 0:
            return Found(
                -1, -1, _difference(text, searched, _Searched.of(chunks[i], normalise), chunks[i]), wrong
            )
        if another >= 0 or (latest is not None and at != latest[i]):
            every = [searched.span(place, len(wanted[i])) for place in occurrences(wanted[i])]
            if any_place and len(every) <= _COUNTED:
                return Found(*every[0], "", wrong, others=every[1:])
            return Found(-1, -1, _unclear([start for start, _ in every], order), wrong)
        return Found(*searched.span(at, len(wanted[i])), "", wrong)

    return [found(i, *both) for i, both in enumerate(zip(claims, kept, strict=True))]


def _share(chunk: str, text: str, start: int, end: int) -> float:
    """How much of a chunk and of ``text[start:end]`` both have, in order, of the length of both; 0 for no stretch."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(chunk, text[start:end]) if 0 <= start < end <= len(text) else 0.0


def _nearly(searched: _Searched, chunk: str, least: float) -> list[tuple[int, int, float]]:
    """Start, size and share of the place that has most of a chunk, and of others that come close; the best first."""
    from rapidfuzz import fuzz

    text = searched.text
    near: list[tuple[int, int, float]] = []
    wide = int(len(chunk) * (1 - least)) + 1
    while len(chunk) <= len(text) and len(near) <= _MOST_NEAR:
        # of stretches that are as long as the chunk
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
        # not to be found again
        text = text[: best.dest_start] + "\0" * (best.dest_end - best.dest_start) + text[best.dest_end :]
    enough = max((share for *_, share in near), default=0.0) - CLOSE
    return sorted((place for place in near if place[2] >= enough), key=lambda place: (-place[2], place[0]))


def _unclear(places: Sequence[int], order: str) -> str:
    """Why a chunk that is in several places (in the document) is not located; ``order`` says what the order adds."""
    number = f"more than {_COUNTED}" if len(places) > _COUNTED else str(len(places))
    first = ", ".join(map(str, places[:3])) + ", …" * (len(places) > 3)
    return f"occurs {number} times (at {first}){order}; which one is meant is unclear"


def _fits(text: str, claim: tuple[int, int], chunk: str, normalise: Normalisation) -> bool:
    """Whether a chunk is what stands at the offsets that it came with."""
    start, end = claim
    return (
        bool(chunk)
        and 0 <= start < end <= len(text)
        and _Searched.of(text[start:end], normalise).text == chunk
    )


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


def _difference(text: str, searched: _Searched, chunk: _Searched, given: str) -> str:
    """What keeps a chunk from being found; characters are counted from 0 in the chunk as it was given."""
    size, at = longest_prefix(searched.text, chunk.text)
    if size < min(_TELLING, (len(chunk.text) + 1) // 2):
        return f"not in the text: {quoted(given)}"
    differs = chunk.span(size, 1)[0]
    behind = searched.span(at, size)[1]
    there = quoted(text[behind : behind + 60]) if behind < len(text) else "its end"
    return (
        f"not in the text: differs from character {differs} on, "
        f"{quoted(given[differs:])} where the document has {there} (character {behind})"
    )


def _contradiction(text: str, claim: tuple[int, int]) -> str:
    """What stands at offsets where the chunk does not."""
    start, end = claim
    claimed = f"start {start} and end {end} contradict the text"
    if not 0 <= start < end <= len(text):
        return f"{claimed}, which has {len(text)} characters"
    return f"{claimed}, which has {quoted(text[start:end])} there"
