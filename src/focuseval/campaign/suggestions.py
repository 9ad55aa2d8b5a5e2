"""Which document of a collection may be meant by a name that none of them has."""

import re
from collections.abc import Container, Sequence
from pathlib import PurePosixPath
from unicodedata import normalize
from weakref import WeakKeyDictionary

from focuseval.errors import SHOWN, closest
from focuseval.model.elements import Collection

#: documents of a collection, beyond which none is looked for
FEW = 5_000
#: share of characters that names of documents have in common, to be taken for each other
_ALIKE = 0.85

#: what was found for the first names of each collection, as many as messages show
_found: WeakKeyDictionary[Collection, dict[str, str]] = WeakKeyDictionary()


def document_meant(document: str, collection: Collection) -> str:
    """A question whether a document of the collection is meant by an unknown name, as in ``did you mean 'guide.md'? ``.

    If none is like it, why a text document may be unknown where no other is one; else nothing. In large collections
    none is looked for; beyond the first `SHOWN` unknown names only those that are known without folders before them.
    """
    if len(collection.names) > FEW:
        return ""
    if question := known_without(document, collection.names):
        return question
    found = _found.setdefault(collection, {})
    if document not in found and len(found) < SHOWN:
        names = list(map(str, collection.names))
        found[document] = meant_among(document, names) or _beside_xml(document, names)
    return found.get(document, "")


def known_without(document: str, names: Container[str]) -> str:
    """A question whether a name is meant that is known without the folders before it, the fewest."""
    for slash in re.finditer("/", document):
        if (name := document[slash.end() :]) in names:
            return f"did you mean {name!r}, without {document[: slash.end()]!r}? "
    return ""


def meant_among(document: str, names: Sequence[str]) -> str:
    """The same among these names, for one that none of them is without folders before it.

    They may differ in the Unicode form of their letters (composed or not), which nobody can see; in folders, suffix
    or case; or in a few letters, but not in numbers only: those are names of different documents.
    """
    composed = normalize("NFC", document)
    for name in names:
        if normalize("NFC", name) == composed:
            return (
                "the collection has it with its letters in another Unicode form (NFC or NFD), which looks the same: "
                "write both alike; "
            )
    same = [name for name in names if _stem(name) == _stem(document)]
    close = same[0] if same else _like(document, names)
    if close is None or len(same) > 1 or _without_numbers(close) == _without_numbers(document):
        return ""
    return f"did you mean {close!r}? "


def _beside_xml(document: str, names: Sequence[str]) -> str:
    """What became of a text document if it lies in a folder of XML, whose documents are named without suffix."""
    from focuseval.formats.documents import BESIDE_XML  # parsers
    from focuseval.formats.text_documents import READERS

    def is_text(name: str) -> bool:
        return PurePosixPath(name).suffix.lower() in READERS

    if not is_text(document) or any(map(is_text, names)):
        return ""
    return f"{BESIDE_XML}; "


def _like(document: str, names: Sequence[str]) -> str | None:
    """The name whose last part is like that of a document: folders that names share make none alike."""
    by_last = {_last(name): name for name in names}
    last = closest(_last(document), by_last, alike=_ALIKE)
    return None if last is None else by_last[last]


def _last(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).name


def _stem(name: str) -> str:
    return PurePosixPath(_last(name)).stem.casefold()


def _without_numbers(name: str) -> str:
    return re.sub(r"\d+", "0", name)
