"""Collections read into memory, and what chunks say that their text is beside what their documents have there."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Collection as Names
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem, counted, described
from focuseval.files import elements_allowed, is_utf8, unpacked
from focuseval.formats import documents as documents_format
from focuseval.formats import source_code
from focuseval.formats.chunks import COMPARED, name_in, object_in, span_in
from focuseval.formats.documents import holds_code, read_documents, text_and_borders
from focuseval.formats.lines import pieces_of
from focuseval.formats.parsed import RawAssessments, RawRun, UnusableValue, document_name, quoted
from focuseval.formats.same_text import Match, difference, is_same
from focuseval.formats.text_documents import parse_given
from focuseval.formats.xml_elements import Document, parse_documents
from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection, Words, assemble, check_unit
from focuseval.model.vocabulary import TEXT_TAGS


def collection_from_source(
    source: str | Path,
    unit: str = "characters",
    *,
    documents: Names[str] | None = None,
    rejected: list[Problem] | None = None,
    ignored: Counter[str] | None = None,
    kind: str | None = None,
) -> Collection:
    """Parse the collection of a folder or archive in memory, as source code or text if ``kind`` is given.

    ``documents`` restricts it to documents of these names, as far as the source has them. Raises
    InputError with all problems of all documents; with a list ``rejected``, such documents are left
    out and their problems added to it. Files that are no documents are counted in ``ignored`` by suffix.
    """
    check_unit(unit)
    form = source_code if holds_code(source, kind) else documents_format
    parsed = parse_documents(read_documents(source, documents, ignored, kind), form.parse)
    if parsed.problems and rejected is None:
        raise InputError(parsed.problems)
    if rejected is not None:
        rejected.extend(parsed.problems)
    collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, unit)
    return with_words(collection, source, kind)


def with_words(collection: Collection, source: str | Path, kind: str | None = None) -> Collection:
    """Return the collection with the words of its source, which is read again on request."""

    def texts(documents: Ints) -> Iterator[tuple[int, str]]:
        index = {str(collection.names[document]): document for document in documents.tolist()}
        for name, text in document_texts(source, documents=index, kind=kind):
            yield index[name], text

    if holds_code(source, kind) or set(collection.tags) <= set(TEXT_TAGS):
        return replace(collection, words=Words(texts))
    if collection.unit == "characters":
        return replace(collection, words=Words(texts, collection.borders_of))

    @cache
    def borders() -> dict[str, Ints]:
        documents = read_documents(source, set(collection.names), kind=kind)
        return {document.name: text_and_borders(document)[1] for document in documents}

    return replace(
        collection, words=Words(texts, lambda document, _: borders()[str(collection.names[document])])
    )


def collection_of_texts(texts: Mapping[str, str], unit: str = "characters") -> Collection:
    """The collection of texts that are in memory, by the names of their documents.

    Raises InputError for what is no text, names that cannot be a document's, and two documents of one name.
    """
    if not isinstance(texts, Mapping):
        expected = 'expected {"guide.md": "…"}; a folder or an archive is given as collection='
        raise InputError.of("texts", described(texts), expected)
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for called, text in texts.items():
        try:
            name = document_name(name_in({"document": called}, "document"))
            if not isinstance(text, str):
                raise UnusableValue(described(text), "expected a text")
            if not is_utf8(text):
                raise UnusableValue("a text with half surrogate pairs", "expected one that UTF-8 can write")
            if name in documents:
                raise UnusableValue("a second text of this name", "give each document once")
            documents[name] = Document(name, name, text.encode(), name, elements_allowed(len(text)))
        except UnusableValue as error:
            problems.append(Problem("texts", f"document {called!r}", *error.args))
    if not texts:
        problems.append(Problem("texts", "", "no text", 'expected {"guide.md": "…"}'))
    if problems:
        raise InputError(problems)
    parsed = parse_documents(documents.values(), lambda text, name, *_: parse_given(text.decode(), name))
    collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, unit)
    contents = [documents[name].xml.decode() for name in collection.names]  # their order differs
    return replace(collection, words=Words(lambda wanted: ((of, contents[of]) for of in wanted.tolist())))


def document_texts(
    source: str | Path, *, documents: Names[str] | None = None, kind: str | None = None
) -> Iterator[tuple[str, str]]:
    """Name and text of each document, or of those named, in the order of the source.

    The text is the concatenation of all character data, which the offsets of elements count in.
    Raises InputError at the first document that cannot be read.
    """
    form = source_code if holds_code(source, kind) else documents_format
    for document in read_documents(source, documents, kind=kind):
        yield document.name, form.text_in(document.xml, document.source)


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
    match: Match


def contradictions(
    files: Sequence[Path], collection: Collection, in_memory: Sequence[RawAssessments | RawRun] = ()
) -> list[Problem]:
    """Return a problem for each input with texts that are not at their offsets.

    Texts are compared as the line says that `focuseval.locate` matched them, others without white space and whatever
    the Unicode form of their letters (`focuseval.formats.same_text`). Files of JSON lines whose beginning has no
    ``"text"`` are not read further; of others and of inputs ``in_memory`` the first `COMPARED` that have one are
    compared (of many inputs fewer each), as far as the collection knows their documents' texts.
    """
    if collection.words is None or collection.unit != "characters":
        return []
    claimed = [(str(file), "line", _claims(_objects_of(file))) for file in files if may_have_texts(file)]
    claimed += [(raw.source, raw.place, _claims(raw.offsets)) for raw in in_memory if raw.offsets]
    most = max(COMPARED // max(len(claimed), 1), _FEWEST)  # a sample of each, since texts need memory
    inputs = [(source, place, list(islice(claims, most))) for source, place, claims in claimed]
    documents = {claim.document for *_, claims in inputs for claim in claims}
    here = np.flatnonzero(collection.names.isin(documents)) if documents else np.empty(0, dtype=np.int64)
    texts = {str(collection.names[index]): text for index, text in collection.words.texts(here).items()}
    problems = [_contradiction(*one, most, texts) for one in inputs]
    return [problem for problem in problems if problem is not None]


def may_have_texts(file: Path) -> bool:
    """Return whether a line at the beginning of a file has a ``"text"``. Raises InputError if it cannot be read."""
    with unpacked(file) as stream:
        return _KEY in stream.read(_HEAD)


def _objects_of(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file that may have a text, by their numbers."""
    before = 0
    for piece in pieces_of(file, _PIECE):
        lines = piece.split(b"\n")
        for line, content in enumerate(lines, before + 1):
            if _KEY in content:
                with suppress(UnusableValue):  # the reader of the line reports it
                    yield line, object_in(content)
        before += len(lines) - 1


def _claims(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[_Claim]:
    """Yield the claims of lines that have a text and offsets."""
    for line, record in objects:
        if isinstance(text := record.get("text"), str) and text:
            with suppress(UnusableValue):
                document = document_name(name_in(record, "document"))
                yield _Claim(line, document, *span_in(record), text, Match.of_line(record))


def _contradiction(
    source: str, place: str, claims: Sequence[_Claim], most: int, texts: Mapping[str, str]
) -> Problem | None:
    """Return the problem of an input with so many claims read; None if all texts are right."""
    cut = len(claims) == most
    claims = [claim for claim in claims if claim.document in texts]
    wrong = [
        claim
        for claim in claims
        if not is_same(claim.text, texts[claim.document][claim.start : claim.end], claim.match)
    ]
    if not wrong:
        return None

    @cache
    def read_as(document: str, reading: str) -> tuple[Any, int]:
        """Return a text as another program counts it, and how many items of that are one of its units."""
        convert, size = _READINGS[reading]
        return convert(texts[document]), size

    def fits(claim: _Claim, reading: str) -> bool:
        there, size = read_as(claim.document, reading)
        return there[claim.start * size : claim.end * size] == _READINGS[reading][0](claim.text)

    fitting = {reading: sum(fits(claim, reading) for claim in wrong) for reading in _READINGS}
    first = wrong[0]
    there = texts[first.document][first.start : first.end]
    differs, at = difference(first.text, there, first.match.normalise)
    found = (
        f"{len(wrong)} of {'the first ' if cut else ''}{counted(len(claims), 'text')} not at the offsets given, "
        f"this one first: {quoted(first.text[differs:])} where document {first.document!r} has {quoted(there[at:])} "
        f"(character {first.start + at})"
    )
    way_out = "expected offsets in characters of the document's text, the end not included (docs/chunks.md)"
    if would := [f"{count} would, if {reading}" for reading, count in fitting.items() if count]:
        way_out = "; ".join(would)
    return Problem(source, f"{place} {first.line}", found, way_out)


def _with_one_mark(text: str) -> str:
    """Return a text with the line ends that Python makes of a text file."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoded(encoding: str) -> Callable[[str], bytes]:
    return lambda text: text.encode(encoding, "surrogatepass")


#: other ways to count than characters: what a text becomes for them, and how long one of them is there
_READINGS: dict[str, tuple[Callable[[str], Any], int]] = {
    "offsets counted bytes of UTF-8: they count characters": (_encoded("utf-8"), 1),
    "offsets counted units of UTF-16, as JavaScript and Java do: they count characters": (
        _encoded("utf-16-le"),
        2,
    ),
    'line ends \\r\\n counted as one character: they count two (read documents with newline="")': (
        _with_one_mark,
        1,
    ),
}
