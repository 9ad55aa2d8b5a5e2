"""Documents of a collection: a folder or archive of XML, of text without any XML, or of source code."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from focuseval.errors import counted
from focuseval.files import LARGEST_TREE, beyond, suffix_of
from focuseval.formats import code_files, collection, text_documents
from focuseval.formats.collection import Document, Listing, NoDocument
from focuseval.formats.xml_elements import Entities, ParsedDocument, parse_document

#: why text documents are left out
BESIDE_XML = "beside XML no text documents are read: put them in a folder of their own"


def list_documents(source: str | Path) -> Listing:
    """The documents of a collection, as `formats.collection.list_documents` gives those of XML."""
    if code_files.holds_code(source):
        ignored = Counter[str]()
        sized = {one.name: len(one.xml) for one in code_files.read_code(source, ignored=ignored)}
        return Listing(sorted(sized), [sized[name] for name in sorted(sized)], ignored, in_order=True)
    if text_documents.holds_texts(source):
        return text_documents.list_texts(source)
    try:
        return collection.list_documents(source)
    except NoDocument:  # of XML: it may be an archive of texts
        return collection.list_documents(source, text_documents.text_name)


def read_documents(
    source: str | Path, wanted: Collection[str] | None = None, ignored: Counter[str] | None = None
) -> Iterator[Document]:
    """The documents of a collection, or those of the wanted names; other files are counted in ``ignored`` by suffix.

    Raises InputError for what cannot be read, and for HTML in an archive with more tags and references than it may have
    elements.
    """
    return _bounded(_read_documents(source, wanted, ignored))


def _bounded(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents, up to an archive of HTML with too many tags and references."""
    marks = Counter[str]()
    for document in documents:
        if suffix_of(document.source) in text_documents.HTML:
            marks[document.file] += document.xml.count(b"<") + document.xml.count(b"&")
            if marks[document.file] > document.allowed:
                raise beyond(document.file, document.allowed, "tags and references")
        yield document


def _read_documents(
    source: str | Path, wanted: Collection[str] | None, ignored: Counter[str] | None
) -> Iterator[Document]:
    if code_files.holds_code(source):
        yield from code_files.read_code(source, wanted, ignored)
        return
    if text_documents.holds_texts(source):
        yield from text_documents.read_texts(source, wanted, ignored)
        return
    try:
        yield from collection.read_documents(source, wanted, ignored=ignored)
    except NoDocument:
        if ignored is not None:
            ignored.clear()
        yield from collection.read_documents(source, wanted, text_documents.text_name, ignored)


def read_in_parts(source: str | Path, wanted: Collection[str], size: int) -> Iterator[list[Document]]:
    """The documents of the wanted names in parts of about so many bytes."""
    part: list[Document] = []
    left = size
    for document in read_documents(source, wanted):
        part.append(document)
        left -= len(document.xml)
        if left <= 0:
            yield part
            part, left = [], size
    if part:
        yield part


def notes_on_ignored(source: str | Path, ignored: Counter[str]) -> list[str]:
    """What is told of the files of a collection that are no documents: a line, if there are any."""
    if not ignored:
        return []
    kinds = ", ".join(f"{count} {suffix}" for suffix, count in sorted(ignored.items()))
    told = f"{counted(ignored.total(), 'file')} left out, no document of this collection ({kinds})"
    if not ignored.keys().isdisjoint(text_documents.READERS):
        told += f"; {BESIDE_XML}"
    return [f"{source}: {told}"]


def text_in(content: bytes, source: str, entities: Entities = "html") -> str:
    """The text of one document, as `parse` finds it; elements are looked for only where it takes them."""
    if suffix_of(source) in text_documents.READERS:
        return text_documents.text_in(content, source)
    return parse_document(content, source, entities).text.decode()


def parse(
    content: bytes, source: str, entities: Entities = "html", most: int = LARGEST_TREE
) -> ParsedDocument:
    """Elements and text of one document: of a text document, as its suffix tells, or of XML.

    Raises InputError with what is wrong, also if it has more than ``most`` elements.
    """
    if suffix_of(source) in text_documents.READERS:
        return text_documents.parse_text(content, source, most)
    return parse_document(content, source, entities, most)
