"""Chunks and gold spans that say what their text is, beside what their documents have at their offsets."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from focuseval.errors import Problem
from focuseval.files import unpacked
from focuseval.formats.chunks import name_in, object_in, span_in
from focuseval.formats.lines import pieces_of
from focuseval.formats.raw import Refused, document_name, quoted
from focuseval.model.elements import Collection

#: lines with a text that are compared in each file, the first ones: a wrong way to count shows in few of them
COMPARED = 10_000

#: bytes of a file that tell whether its lines have a text, and bytes that are read at once
_HEAD, _PIECE = 1 << 16, 1 << 20
_KEY = b'"text"'


class _Claim(NamedTuple):
    """What a line says: this text stands there."""

    line: int
    document: str
    start: int
    end: int
    text: str


def contradictions(files: Sequence[Path], collection: Collection) -> list[Problem]:
    """A problem for each file of JSON lines, some of whose texts do not stand where their offsets say.

    White space is not compared. Files whose beginning has no ``"text"`` are not read further; of others the first
    `COMPARED` lines that have one are compared, as far as the collection knows their documents' texts.
    """
    if collection.words is None or collection.unit != "characters":
        return []
    found = [_contradiction(file, collection) for file in files if _has_texts(file)]
    return [problem for problem in found if problem is not None]


def _has_texts(file: Path) -> bool:
    with unpacked(file) as stream:
        return _KEY in stream.read(_HEAD)


def _claims_of(file: Path) -> Iterator[_Claim]:
    """What the lines of a file say that have a text and offsets."""
    before = 0
    for piece in pieces_of(file, _PIECE):
        lines = piece.split(b"\n")
        for line, content in enumerate(lines, before + 1):
            if _KEY not in content:
                continue
            try:
                found = object_in(content)
                document, (start, end) = document_name(name_in(found, "document")), span_in(found)
            except Refused:  # whoever reads the line says so
                continue
            if isinstance(text := found.get("text"), str):
                yield _Claim(line, document, start, end, text)
        before += len(lines) - 1


def _contradiction(file: Path, collection: Collection) -> Problem | None:
    """What is to be said of a file, where there is something."""
    claims = list(islice(_claims_of(file), COMPARED))
    here = np.flatnonzero(collection.names.isin({claim.document for claim in claims}))
    assert collection.words is not None
    texts = {str(collection.names[index]): text for index, text in collection.words.texts(here).items()}
    claims = [claim for claim in claims if claim.document in texts]
    wrong = [
        claim for claim in claims if not _alike(claim.text, texts[claim.document][claim.start : claim.end])
    ]
    if not wrong:
        return None

    @cache
    def in_bytes(document: str) -> bytes:
        return texts[document].encode("utf-8", "surrogatepass")

    fitting = sum(
        in_bytes(claim.document)[claim.start : claim.end] == claim.text.encode("utf-8", "surrogatepass")
        for claim in wrong
    )
    first = wrong[0]
    there = texts[first.document][first.start : first.end]
    alike = next(
        (at for at, (one, other) in enumerate(zip(first.text, there, strict=False)) if one != other),
        min(len(first.text), len(there)),
    )
    told = (
        f"{len(wrong)} of {'the first ' * (len(claims) == COMPARED)}{len(claims)} texts do not stand at their offsets, "
        f"this one first: {quoted(first.text[alike:])} where document {first.document!r} has {quoted(there[alike:])} "
        f"(character {first.start + alike})"
    )
    way_out = "expected offsets in characters of the document's text, the end not included (docs/chunks.md)"
    if fitting:
        way_out = f"{fitting} would, if offsets counted bytes of UTF-8: they count characters"
    return Problem(str(file), f"line {first.line}", told, way_out)


def _alike(text: str, there: str) -> bool:
    """Whether two texts are the same but for white space."""
    return text == there or "".join(text.split()) == "".join(there.split())
