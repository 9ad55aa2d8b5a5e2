"""Functions that read collections, and that compare the texts in gold and runs with the documents."""

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

from focuseval.errors import InputError, Problem, agreeing, counted, described
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
    """Read a collection from a folder, an archive or a git revision, with offsets in ``unit``.

    ``documents`` lists the documents to read; by default, all are read. ``kind`` is ``code`` or ``text``; by default,
    the majority of files decides. ``ignored`` receives the number of files that are not documents, by suffix.

    Raises InputError with the problems of all documents. If a list ``rejected`` is given, it receives the problems
    instead, and documents with problems are left out.
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
    """Return the collection with its words, which are read from the source again when they are needed."""

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
    """Return a collection of the documents in ``texts``, which maps the names of documents to their texts.

    Raises InputError for unusable texts and names, for repeated names, and if there are no texts.
    """
    if not isinstance(texts, Mapping):
        expected = (
            'expected a dictionary such as {"guide.md": "…"}; for a folder or an archive, use collection='
        )
        raise InputError.of("texts", f"the value is {described(texts)}", expected)
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for key, text in texts.items():
        try:
            name = document_name(name_in({"document": key}, "document"))
            if not isinstance(text, str):
                raise UnusableValue(f"the text is {described(text)}", "expected a string")
            if not is_utf8(text):
                expected = "expected text that can be encoded as UTF-8"
                raise UnusableValue("the text has an unpaired surrogate", expected)
            if name in documents:
                raise UnusableValue("two texts have this name", "give each document once")
            documents[name] = Document(name, name, text.encode(), name, elements_allowed(len(text)))
        except UnusableValue as error:
            problems.append(Problem("texts", f"document {key!r}", *error.args))
    if not texts:
        expected = 'give at least one text, as in {"guide.md": "…"}'
        problems.append(Problem("texts", "", "there are no texts", expected))
    if problems:
        raise InputError(problems)
    parsed = parse_documents(documents.values(), lambda text, name, _: parse_given(text.decode(), name))
    collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, unit)
    # put the texts in the order of the collection, which sorts documents by name
    contents = [documents[name].xml.decode() for name in collection.names]
    return replace(collection, words=Words(lambda wanted: ((of, contents[of]) for of in wanted.tolist())))


def document_texts(
    source: str | Path, *, documents: Names[str] | None = None, kind: str | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each document, or of the named ``documents`` only.

    The text is all character data of the document, to which offsets refer. Raises InputError at the first unreadable
    document.
    """
    form = source_code if holds_code(source, kind) else documents_format
    for document in read_documents(source, documents, kind=kind):
        yield document.name, form.text_in(document.xml, document.source)


#: the number of bytes at the start of a file that are searched for the key "text", and of bytes that are read at once
_HEAD, _PIECE = 1 << 16, 1 << 20

#: at least this number of texts is compared in each input, even if there are many inputs
_FEWEST = 200
_KEY = b'"text"'


class _Claim(NamedTuple):
    """A line of an input with a text, and the offsets at which the document should have this text."""

    line: int
    document: str
    start: int
    end: int
    text: str
    match: Match


def contradictions(
    files: Sequence[Path], collection: Collection, in_memory: Sequence[RawAssessments | RawRun] = ()
) -> list[Problem]:
    """Return a problem for each input in which a text differs from the document's text at the same offsets.

    By default, white space and differences in Unicode composition are ignored (`is_same`). Only the first texts of each
    input are compared. Without the documents' texts, or if offsets are not in characters, nothing is compared.
    """
    if collection.words is None or collection.unit != "characters":
        return []
    claimed = [(str(file), "line", _claims(_objects_of(file))) for file in files if may_have_texts(file)]
    claimed += [(raw.source, raw.place, _claims(raw.offsets)) for raw in in_memory if raw.offsets]
    most = max(COMPARED // max(len(claimed), 1), _FEWEST)  # the texts of an input may not all fit in memory
    inputs = [(source, place, list(islice(claims, most))) for source, place, claims in claimed]
    documents = {claim.document for *_, claims in inputs for claim in claims}
    indexes = np.flatnonzero(collection.names.isin(documents)) if documents else np.empty(0, dtype=np.int64)
    texts = {str(collection.names[index]): text for index, text in collection.words.texts(indexes).items()}
    problems = [_contradiction(*one, most, texts) for one in inputs]
    return [problem for problem in problems if problem is not None]


def may_have_texts(file: Path) -> bool:
    """Return whether the key ``"text"`` occurs near the start of a file. Raises InputError for unreadable files."""
    with unpacked(file) as stream:
        return _KEY in stream.read(_HEAD)


def _objects_of(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line number and the JSON object of each line that may have a text."""
    before = 0
    for piece in pieces_of(file, _PIECE):
        lines = piece.split(b"\n")
        for line, content in enumerate(lines, before + 1):
            if _KEY in content:
                with suppress(UnusableValue):  # unusable lines are reported when gold and runs are read
                    yield line, object_in(content)
        before += len(lines) - 1


def _claims(objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[_Claim]:
    """Yield the text and the offsets of each line that has both."""
    for line, record in objects:
        if isinstance(text := record.get("text"), str) and text:
            with suppress(UnusableValue):
                document = document_name(name_in(record, "document"))
                yield _Claim(line, document, *span_in(record), text, Match.of_line(record))


def _contradiction(
    source: str, place: str, claims: Sequence[_Claim], most: int, texts: Mapping[str, str]
) -> Problem | None:
    """Return a problem that counts the texts that differ from the documents, or None if no text differs."""
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
        """Convert a document as another program may read it. Return the result, and the length of one unit in it."""
        convert, size = _READINGS[reading]
        return convert(texts[document]), size

    def fits(claim: _Claim, reading: str) -> bool:
        there, size = read_as(claim.document, reading)
        return there[claim.start * size : claim.end * size] == _READINGS[reading][0](claim.text)

    fitting = {reading: sum(fits(claim, reading) for claim in wrong) for reading in _READINGS}
    shifts = Counter(shift for claim in wrong if (shift := _shift(claim, texts[claim.document])))
    for shift, count in shifts.most_common(1):
        if count > max(fitting.values()):
            fitting = {shift: count}
    first = wrong[0]
    there = texts[first.document][first.start : first.end]
    differs, at = difference(first.text, there, first.match.normalise)
    texts_wrong = f"{len(wrong)} of {'the first ' if cut else ''}{counted(len(claims), 'text')} "
    texts_wrong += agreeing("{is|are}", len(wrong))
    found = (
        f"{f'{texts_wrong} not at their' if len(claims) > 1 else 'the text is not at its'} offsets "
        f"(the {'first text' if len(wrong) > 1 else 'text'} is {_around(first.text, differs)}, but document "
        f"{first.document!r} has {_around(there, at)} at characters {first.start} to {first.end})"
    )
    way_out = "expected offsets in characters of the document, where the end is exclusive (docs/chunks.md)"
    if would := [
        f"{counted(count, 'text') if len(claims) > 1 else 'the text'} would match if {reading}"
        for reading, count in fitting.items()
        if 2 * count >= len(wrong)
    ]:
        way_out = "; ".join(would)
    return Problem(source, f"{place} {first.line}", found, way_out)


def _shift(claim: _Claim, text: str) -> str:
    """Describe by how much offsets differ from the nearest place of a claim's text, or return "" without a place."""
    size = len(claim.text)
    places = text.rfind(claim.text, 0, claim.start + size), text.find(claim.text, claim.start)
    if not (there := [place for place in places if place >= 0]):
        return ""
    place = min(there, key=lambda place: abs(place - claim.start))
    by = {"the start": place - claim.start, "the end": place + size - claim.end}
    if len({*by.values()}) == 1:
        by = {"the offsets": by["the end"]}
    return " and ".join(
        f"{offset} {'were' if offset == 'the offsets' else 'was'} {abs(change)} {'higher' if change > 0 else 'lower'}"
        for offset, change in by.items()
        if change
    )


def _with_one_mark(text: str) -> str:
    """Replace every line end by a line feed, as Python does when it reads a text file."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoded(encoding: str) -> Callable[[str], bytes]:
    return lambda text: text.encode(encoding, "surrogatepass")


def _around(text: str, differs: int) -> str:
    """Quote a short text completely, and a long text from shortly before the offset ``differs``."""
    begin = differs - 20 if len(text) > 60 and differs > 40 else 0
    return quoted(("..." if begin else "") + text[begin:])


#: for each frequent way to miscount offsets: a function that converts a text, and the length of a counted unit in the
#: converted text
_READINGS: dict[str, tuple[Callable[[str], Any], int]] = {
    "offsets counted UTF-8 bytes, so convert the offsets to characters": (_encoded("utf-8"), 1),
    "offsets counted words, so convert the offsets to characters": (str.split, 1),
    "offsets counted UTF-16 units, as in JavaScript and Java, so convert the offsets to characters": (
        _encoded("utf-16-le"),
        2,
    ),
    'the line end \\r\\n counted as one character, so count two (read documents with newline="")': (
        _with_one_mark,
        1,
    ),
}
