"""From the text of chunks, of lines of files and of frames, to their offsets in documents.

A place is given only where there is no other. With an order, the chunks of a document begin one behind
the other in its text: the earliest and the latest way to place them so are found, and a chunk is located
where the two agree. As every other way lies between them, that is where the order leaves one place.
Without an order, a chunk is located where its text stands once in the document.
"""

import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, overload

import numpy as np
import pandas as pd

from focuseval.campaign.resolve import FEW, known_without, meant_among
from focuseval.errors import (
    SHOWN,
    InputError,
    InputWarning,
    Option,
    Problem,
    Sentence,
    check_type,
    counted,
    described,
    told,
)
from focuseval.formats.chunks import MARKS_OF_RUNS, is_topic_alone, key_meant, names_of_keys
from focuseval.formats.parsed import Refused, document_name, is_missing, quoted, shortened
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


Order = Literal["lines", "none"]
Repeats = Literal["refuse", "group"]
Documents = Mapping[str, str] | str | PathLike[str]


class Located(NamedTuple):
    """Lines of chunks with their offsets, and what is to be said of the others."""

    kind: str  #: what they are, as `kind_of` says
    lines: list[dict[str, Any]]  #: those located, in order, with ``start`` and ``end``; and topics alone
    rows: list[int]  #: their places among all lines
    problems: list[Problem]  #: one for each line that is not located
    notes: list[Problem]  #: what is wrong with lines that are


def locate_lines(
    lines: Sequence[tuple[str, dict[str, Any]]],
    documents: Documents,
    *,
    source: str,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
    naming: str = "",
) -> Located:
    """Locate lines, each with its place in the source ("line 3"), a ``document`` and a ``text``.

    Gold without passages is a topic alone (`is_topic_alone`). ``order`` is ``lines`` for chunks, and ``none`` for
    results and gold (`kind_of`); ``naming`` says how documents get other names. Raises InputError for values that
    cannot be used, and for documents that are not there.
    """
    kind = kind_of(line for _, line in lines)
    _check_asked(kind, order, normalise, fuzzy, repeats)
    if order is None:
        order = "lines" if kind == "chunk" else "none"
    if isinstance(documents, Mapping):
        for name, text in documents.items():
            check_type(f"document {name!r}", text, str, "expected a text")
        texts, names = documents, cache(lambda: list(documents))
    else:
        from focuseval.campaign.collection_read import document_texts
        from focuseval.formats.documents import list_documents

        asked = {str(line.get("document")).strip() for _, line in lines}
        texts = dict(document_texts(Path(documents), documents=asked | set(map(document_name, asked))))
        names = cache(lambda: list_documents(Path(documents)).names)
    located: dict[int, Found] = {}
    for document, rows in _rows_by_document(lines, texts, source, names, naming).items():
        found = locate_in(
            texts[document],
            [lines[row][1]["text"] for row in rows],
            [_claim(lines[row][1]) for row in rows],
            in_order=order == "lines",
            normalise=normalise,
            fuzzy=fuzzy,
            any_place=repeats == "group",
        )
        located |= dict(zip(rows, found, strict=True))
    result = Located(kind, [], [], [], [])
    for row, (where, line) in enumerate(lines):
        if is_topic_alone(line):
            result.lines.append(line)
            result.rows.append(row)
            continue
        start, end, reason, claim, share, others = located[row]
        said = f"document {line['document']!r}: " + "; ".join(filter(None, (claim, reason)))
        if reason:
            result.problems.append(Problem(source, where, said, _way_out(reason, normalise, kind)))
            continue
        nearly = {} if share == 1 else {"share": share, "found": texts[_document(line, texts)][start:end]}
        if others:
            line = {"group": where, **line}
        for begin, behind in ((start, end), *others):
            result.lines.append({**line, "start": begin, "end": behind, **nearly})
            result.rows.append(row)
        if claim:
            result.notes.append(Problem(source, where, said, f"located at {start} to {end}"))
    return result


def _check_asked(
    kind: str, order: Order | None, normalise: Normalisation, fuzzy: float, repeats: Repeats
) -> None:
    """Raise InputError for values that `locate_lines` cannot use."""
    if not 0 < fuzzy <= 1:
        raise InputError.of("locate", f"fuzzy {fuzzy}", "expected a share above 0, as 0.9")
    for name, value, choices in (
        ("order", order or "lines", Order),
        ("normalise", normalise, Normalisation),
        ("repeats", repeats, Repeats),
    ):
        if value not in get_args(choices):
            raise InputError.of("locate", f"{name} {value}", f"expected {' or '.join(get_args(choices))}")
    if repeats == "group" and kind != "gold span":
        expected = (
            "expected gold, of which any place may answer a topic: lines with a topic, without rank or score"
        )
        raise InputError.of("locate", f"repeats group of {kind}s", expected)


def notices(found: Located) -> list[str]:
    """Notices of chunks in memory: of those that came with wrong offsets, and of those that are left out.

    Each counts them, and shows the first.
    """
    notes = []
    if found.notes:
        more = f"; the first {SHOWN} are shown" * (len(found.notes) > SHOWN)
        first = "\n".join(map(str, found.notes[:SHOWN]))
        given = counted(_given_in(found), found.kind)
        notes.append(f"offsets contradict the text: {len(found.notes):,} of {given}{more}\n{first}")
    if found.problems:
        first = "\n".join(told(found.problems, "the error that is raised without lenient=True"))
        notes.append(f"{left_out(found)}\n{first}")
    return notes


def kind_of(lines: Iterable[Mapping[str, Any]]) -> str:
    """What lines are: ``result`` if one has a mark of runs, else ``gold span`` if one has a topic, else ``chunk``."""
    keys = set().union(*lines)
    return "result" if keys & {*MARKS_OF_RUNS} else "gold span" if "topic" in keys else "chunk"


def left_out(located: Located) -> str:
    """How many lines are not located, where some are not, and what leaving them out does to scores; else nothing."""
    if not located.problems:
        return ""
    given = counted(_given_in(located), located.kind)
    return f"{len(located.problems):,} of {given} not located, and left out{_WITHOUT[located.kind]}"


def _given_in(located: Located) -> int:
    """How many lines there were to locate."""
    rows = {row for row, line in zip(located.rows, located.lines, strict=True) if not is_topic_alone(line)}
    return len(located.problems) + len(rows)


_WITHOUT = {
    "chunk": "",
    "result": ": scores will leave them out, and may be better than those of the run",
    "gold span": ": scores will use incomplete gold: correct text may count as wrong, and missed answers go unnoticed",
}


def _rows_by_document(
    lines: Sequence[tuple[str, Mapping[str, Any]]],
    texts: Mapping[str, str],
    source: str,
    names: Callable[[], list[str]],
    naming: str,
) -> dict[str, list[int]]:
    """The rows of each document. Raises InputError with all lines that have no known document or no text."""
    rows: dict[str, list[int]] = {}
    problems: list[Problem] = []
    unknown: dict[str, str] = {}  # and what is expected in the place of each
    for row, (where, line) in enumerate(lines):
        if is_topic_alone(line):
            continue
        try:
            name = _document(line, texts)
            if name not in texts:
                if name not in unknown:
                    unknown[name] = _expected(name, names(), naming, first=len(unknown) < SHOWN)
                raise Refused(f"unknown document {name!r}", unknown[name])
            rows.setdefault(name, []).append(row)
            if not isinstance(line.get("text"), str):
                raise Refused(f'"text" is {_given(line, "text")}', "expected a text")
        except Refused as refused:
            problems.append(Problem(source, where, *refused.args))
    if problems:
        raise InputError(problems)
    return rows


_SEVERAL = {
    "chunk": "give start and end, or all chunks of the document in the order of its text",
    "result": "give start and end: locate all chunks of the document, in the order of its text, and take over those of "
    "the chunk that this one is (docs/chunks.md)",
    "gold span": Sentence(
        "give start and end, or more text; where any place will do, ", Option("repeats", "group")
    ),
}


def _way_out(reason: str, normalise: Normalisation, kind: str) -> str:
    if reason.startswith("not in the text") and normalise != "typography":
        what, option = (
            ("white space", "spaces") if normalise == "none" else ("quotes and dashes", "typography")
        )
        let_differ = Option("normalise", option)
        return Sentence(f"give the text as the document has it, or let {what} differ with ", let_differ)
    if reason.startswith(("not in the text", "nearly", "it has no text")):
        return "give the text as the document has it"
    return _SEVERAL[kind]


def _document(line: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The name of a line's document, as the texts have it if it is one of theirs."""
    given = line.get("document")
    name = str(given).strip() if isinstance(given, str | int | np.integer) else ""
    if not name:
        close = None if "document" in line else key_meant("document", names_of_keys(line))
        expected = f'is "{close}" meant for it? ' * bool(close) + "expected a name"
        raise Refused(f'"document" is {_given(line, "document")}', expected)
    return next((known for known in (name, document_name(name)) if known in texts), name)


def _expected(name: str, names: Sequence[str], naming: str, *, first: bool) -> str:
    """What is expected in the place of an unknown document's name, one of the ``first``; ``names`` are those known."""
    question = ""
    if len(names) <= FEW:
        question = known_without(name, names) or (meant_among(name, names) if first else "")
    such = f", such as {shortened(names[0])!r}" if names and not question else ""
    return f"{question}expected a document's name: its path in the folder{such}{naming}"


def _given(line: Mapping[str, Any], key: str) -> str:
    return quoted(str(line[key])) if key in line else "missing"


def _claim(line: Mapping[str, Any]) -> tuple[int, int] | None:
    """The offsets that a line came with. What is no whole number contradicts any text, like -1."""
    given = [line.get(key) for key in ("start", "end")]
    if any(map(is_missing, given)):
        return None
    start, end = (int(v) if isinstance(v, int | float | np.integer) and v == v // 1 else -1 for v in given)
    return start, end


@overload
def locate(
    chunks: Sequence[Mapping[str, Any] | str],
    documents: Documents,
    *,
    order: Order | None = None,
    normalise: Normalisation = "none",
    fuzzy: float = 1.0,
    repeats: Repeats = "refuse",
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
    lenient: bool = False,
) -> pd.DataFrame | list[dict[str, Any]]:
    """Offsets of chunks, or of gold spans, that are given as text.

    Parameters
    ----------
    chunks
        a list of dictionaries, a pandas frame, or any object with an Arrow stream (polars, DuckDB), with
        ``document`` and ``text``; or a list of texts where there is one document. Gold may have topics alone,
        without document and text, which stay as they are.
    documents
        texts by name; or a folder (or archive) of documents as `score` takes it for a collection.
    order
        ``lines``: the chunks of a document begin one behind the other, as they are given, which decides where
        a text stands that occurs several times; ``none``: only a text that occurs once can be located.
        Default: ``lines``, unless chunks have a topic, score, rank or run: they are results, or gold.
    normalise
        ``spaces`` compares without white space, ``typography`` also with plain quotes, dashes and ellipses, composed
        or decomposed characters alike, and without marks of Markdown; offsets are those of the document as it is.
    fuzzy
        a share, as 0.9: a chunk that is not in its document is located at the one place that has at least so much
        of it, and gets a ``share`` and the text that was ``found`` there.
    repeats
        ``group``: gold that occurs several times gets a line for each place, with one ``group``: any will do.
    lenient
        leave out what cannot be located, with a warning that counts it and shows the first of it.

    Returns
    -------
    list of dictionaries, or a pandas frame if a frame of any kind was given
        with ``start`` and ``end`` in characters (Unicode code points) of the document's text, the end not
        included (as Int64 with empty cells where a frame has topics alone); all else is kept. Offsets that
        chunks came with stay where the text there is theirs; where it is not, that is a warning.

    Raises
    ------
    InputError
        for values that cannot be used and documents that are not there; and, unless ``lenient``, for every
        chunk that is not in its document, or in several places without an order to decide.
    """
    if hasattr(chunks, "__arrow_c_stream__") and not isinstance(chunks, pd.DataFrame):
        import pyarrow as pa

        chunks = pa.RecordBatchReader.from_stream(chunks).read_all().to_pandas()
    found = locate_lines(
        [(f"chunk {number}", row) for number, row in enumerate(_rows(chunks, documents))],
        documents,
        source="chunks",
        order=order,
        normalise=normalise,
        fuzzy=fuzzy,
        repeats=repeats,
    )
    if found.problems and not lenient:
        raise InputError(found.problems)
    for line in notices(found):
        warnings.warn(line, InputWarning, stacklevel=2)
    if isinstance(chunks, pd.DataFrame):
        whole = "Int64" if any(map(is_topic_alone, found.lines)) else "int64"
        offsets = {
            key: pd.array([line.get(key) for line in found.lines], dtype=whole) for key in ("start", "end")
        }
        if repeats == "group":
            offsets["group"] = pd.array([line.get("group") for line in found.lines], dtype="str")
        return chunks.iloc[found.rows].assign(**offsets)
    return found.lines


def _rows(chunks: Any, documents: object) -> list[dict[str, Any]]:
    """Chunks as dictionaries."""
    if isinstance(chunks, pd.DataFrame):
        return chunks.to_dict("records")
    if isinstance(chunks, str | PathLike | Mapping) or not isinstance(chunks, Iterable):
        expected = (
            "expected a list of chunks, or a frame; files of chunks are for the command focuseval locate"
        )
        raise InputError.of("chunks", described(chunks), expected)
    rows = list(chunks)
    if any(isinstance(row, str) for row in rows):
        if not isinstance(documents, Mapping) or len(documents) != 1:
            expected = 'give one text by name, {"guide.md": "…"}, or chunks with a "document" and a "text"'
            raise InputError.of("chunks", "texts without the names of their documents", expected)
        [name] = documents
        rows = [{"document": name, "text": row} if isinstance(row, str) else row for row in rows]
    wrong = [number for number, row in enumerate(rows) if not isinstance(row, Mapping)]
    if wrong:
        found, expected = f"{type(rows[wrong[0]]).__name__}", 'expected {"document": …, "text": …} or a text'
        raise InputError.of("chunks", found, expected, where=f"chunk {wrong[0]}")
    return rows
