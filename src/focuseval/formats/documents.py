"""Documents of a collection, whatever they are: XML in a folder or archive, or a folder of text, Markdown or HTML."""

from collections.abc import Collection, Iterator
from pathlib import Path

from focuseval.files import without_gz
from focuseval.formats import collection, text_documents
from focuseval.formats.collection import Document, Listing
from focuseval.formats.xml_elements import Entities, ParsedDocument, parse_document


def list_documents(source: str | Path, hold: int = 0) -> Listing:
    """The documents of a collection, as `formats.collection.list_documents` gives those of XML."""
    if text_documents.holds_texts(source):
        return text_documents.list_texts(source)
    return collection.list_documents(source, hold)


def read_documents(source: str | Path, wanted: Collection[str] | None = None) -> Iterator[Document]:
    """The documents of a collection, or those of the wanted names."""
    if text_documents.holds_texts(source):
        yield from text_documents.read_texts(source, wanted)
    else:
        yield from collection.read_documents(source, wanted)


def text_in(content: bytes, source: str, entities: Entities = "html") -> str:
    """The text of one document, as `parse` finds it; elements are looked for only where it takes them."""
    if without_gz(source).suffix.lower() in text_documents.READERS:
        return text_documents.text_in(content, source)
    return parse_document(content, source, entities).text.decode()


def parse(content: bytes, source: str, entities: Entities = "html") -> ParsedDocument:
    """Elements and text of one document: of a text document, as its suffix tells, or of XML.

    Raises InputError with what is wrong.
    """
    if without_gz(source).suffix.lower() in text_documents.READERS:
        return text_documents.parse_text(content, source)
    return parse_document(content, source, entities)
