"""Chunks and gold spans that say what their text is, beside what their documents have at their offsets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np

from focuseval.errors import Problem, counted
from focuseval.files import unpacked
from focuseval.formats.chunks import COMPARED, name_in, object_in, span_in
from focuseval.formats.lines import pieces_of
from focuseval.formats.parsed import RawAssessments, RawRun, Refused, document_name, quoted
from focuseval.model.elements import Collection

#: bytes at the beginning of a file that are searched for texts, and bytes that are read at once
_HEAD, _PIECE = 1 << 16, 1 << 20

#: texts of an input that are compared, however many inputs there are
_FEWEST = 200
_KEY = b'"text"'


class _Claim(NamedTuple):
    """A line's claim that a text is at its offsets."""

    line: int
    document: str
    start: int
    end: int
    text: str


def contradictions(
    files: Sequence[Path], collection: Collection, in_memory: Sequence[RawAssessments | RawRun] = ()
) -> list[Problem]:
    """A problem for each input, some of whose texts are not at their offsets.

    White space and the Unicode form of letters are not compared. Files of JSON lines whose beginning has no ``"text"``
    are not read further; of others and of inputs ``in_memory`` the first `COMPARED` that have one are compared (of many
    inputs fewer each), as far as the collection knows their documents' texts.
    """
    if collection.words is None or collection.unit != "characters":
        return []
    claimed = [(str(file), "line", _claims(_objects_of(file))) for file in files if may_have_texts(file)]
    claimed += [(raw.source, raw.place, _claims(raw.said)) for raw in in_memory if raw.said]
    most = max(COMPARED // max(len(claimed), 1), _FEWEST)  # of each of many: texts take memory
    inputs = [(source, place, list(islice(claims, most))) for source, place, claims in claimed]
    named = {claim.document for *_, claims in inputs for claim in claims}
    here = np.flatnonzero(collection.names.isin(named)) if named else np.empty(0, dtype=np.int64)
    texts = {str(collection.names[index]): text for index, text in collection.words.texts(here).items()}
    found = [_contradiction(*one, most, texts) for one in inputs]
    return [problem for problem in found if problem is not None]


def may_have_texts(file: Path) -> bool:
    """Whether a line at the beginning of a file has a ``"text"``. Raises InputError if it cannot be read."""
    with unpacked(file) as stream:
        return _KEY in stream.read(_HEAD)


def _objects_of(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file that may have a text, by their numbers."""
    before = 0
    for piece in pieces_of(file, _PIECE):
        lines = piece.split(b"\n")
        for line, content in enumerate(lines, before + 1):
            if _KEY in content:
                with suppress(Refused):  # the reader of the line reports it
                    yield line, object_in(content)
        before += len(lines) - 1


def _claims(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[_Claim]:
    """What lines say that have a text and offsets."""
    for line, found in objects:
        if isinstance(text := found.get("text"), str) and text:
            with suppress(Refused):
                yield _Claim(line, document_name(name_in(found, "document")), *span_in(found), text)


def _contradiction(
    source: str, place: str, claims: Sequence[_Claim], most: int, texts: Mapping[str, str]
) -> Problem | None:
    """The problem of an input of which at most so many claims were read; None if all texts are right."""
    cut = len(claims) == most
    claims = [claim for claim in claims if claim.document in texts]
    wrong = [
        claim for claim in claims if not _alike(claim.text, texts[claim.document][claim.start : claim.end])
    ]
    if not wrong:
        return None

    @cache
    def in_bytes(document: str) -> bytes:
        return texts[document].encode("utf-8", "surrogatepass")

    @cache
    def with_one_mark(document: str) -> str:
        return _with_one_mark(texts[document])

    fitting = {
        "offsets counted bytes of UTF-8: they count characters": sum(
            in_bytes(claim.document)[claim.start : claim.end] == claim.text.encode("utf-8", "surrogatepass")
            for claim in wrong
        ),
        'line ends \\r\\n counted as one character: they count two (read documents with newline="")': sum(
            with_one_mark(claim.document)[claim.start : claim.end] == _with_one_mark(claim.text)
            for claim in wrong
        ),
    }
    first = wrong[0]
    there = texts[first.document][first.start : first.end]
    alike = next(
        (at for at, (one, other) in enumerate(zip(first.text, there, strict=False)) if one != other),
        min(len(first.text), len(there)),
    )
    told = (
        f"{len(wrong)} of {'the first ' * cut}{counted(len(claims), 'text')} not at the offsets given, "
        f"this one first: {quoted(first.text[alike:])} where document {first.document!r} has {quoted(there[alike:])} "
        f"(character {first.start + alike})"
    )
    way_out = "expected offsets in characters of the document's text, the end not included (docs/chunks.md)"
    if would := [f"{count} would, if {reading}" for reading, count in fitting.items() if count]:
        way_out = "; ".join(would)
    return Problem(source, f"{place} {first.line}", told, way_out)


def _with_one_mark(text: str) -> str:
    """A text whose lines end as Python has them where it reads a file as text."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _alike(text: str, there: str) -> bool:
    """Whether two texts are the same but for white space and the Unicode form of letters."""
    return text == there or _plain(text) == _plain(there)


def _plain(text: str) -> str:
    return "".join(normalize("NFC", text).split())
