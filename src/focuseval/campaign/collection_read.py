"""Collections read into memory: a folder or archive of documents, or their texts."""

from collections import Counter
from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.campaign.schema import offsets_in
from focuseval.errors import InputError, Problem, described
from focuseval.files import elements_allowed, is_utf8
from focuseval.formats import documents as documents_format
from focuseval.formats import source_code
from focuseval.formats.chunks import name_in
from focuseval.formats.documents import holds_code, read_documents
from focuseval.formats.parsed import Refused, document_name
from focuseval.formats.text_documents import parse_given
from focuseval.formats.xml_elements import Document, parse_documents
from focuseval.model.arrays import Ints, sums_before
from focuseval.model.elements import Collection, check_unit
from focuseval.model.words import Words


def collection_from_source(
    source: str | Path,
    unit: str = "characters",
    *,
    documents: Names[str] | None = None,
    rejected: list[Problem] | None = None,
    ignored: Counter[str] | None = None,
) -> Collection:
    """The collection of a folder or archive, parsed in memory.

    ``documents`` restricts it to documents of these names, as far as the source has them. Raises
    InputError with all problems of all documents; with a list ``rejected``, such documents are left
    out and their problems added to it. Files that are no documents are counted in ``ignored`` by suffix.
    """
    check_unit(unit)
    form = source_code if holds_code(source) else documents_format
    parsed = parse_documents(read_documents(source, documents, ignored), form.parse)
    if parsed.problems and rejected is None:
        raise InputError(parsed.problems)
    if rejected is not None:
        rejected.extend(parsed.problems)
    collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, unit)
    return with_words(collection, source)


def with_words(collection: Collection, source: str | Path) -> Collection:
    """The collection with the words of its source, which is read again when one is asked for."""

    def texts(documents: Ints) -> Iterator[tuple[int, str]]:
        index = {str(collection.names[document]): document for document in documents.tolist()}
        for name, text in document_texts(source, documents=index):
            yield index[name], text

    return replace(collection, words=Words(texts))


def collection_of_texts(texts: Mapping[str, str], unit: str = "characters") -> Collection:
    """The collection of texts that are in memory, by the names of their documents.

    Raises InputError for what is no text, names that cannot be a document's, and two documents of one name.
    """
    if not isinstance(texts, Mapping):
        expected = 'expected {"guide.md": "…"}; a folder or an archive is given as collection='
        raise InputError(Problem("texts", "", described(texts), expected))
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for called, text in texts.items():
        try:
            name = document_name(name_in({"document": called}, "document"))
            if not isinstance(text, str):
                raise Refused(described(text), "expected a text")
            if not is_utf8(text):
                raise Refused("a text with half surrogate pairs", "expected one that UTF-8 can write")
            if name in documents:
                raise Refused("a second text of this name", "give each document once")
            documents[name] = Document(name, name, text.encode(), name, elements_allowed(len(text)))
        except Refused as refused:
            problems.append(Problem("texts", f"document {called!r}", *refused.args))
    if not texts:
        problems.append(Problem("texts", "", "no text", 'expected {"guide.md": "…"}'))
    if problems:
        raise InputError(problems)
    found = parse_documents(documents.values(), lambda text, name, *_: parse_given(text.decode(), name))
    collection = assemble(found.names, found.elements, found.columns, found.tags, unit)
    given = [documents[name].xml.decode() for name in collection.names]  # which are in another order
    return replace(collection, words=Words(lambda wanted: ((of, given[of]) for of in wanted.tolist())))


def document_texts(source: str | Path, *, documents: Names[str] | None = None) -> Iterator[tuple[str, str]]:
    """Name and text of each document, or of those named, in the order of the source.

    The text is the concatenation of all character data, which the offsets of elements count in.
    Raises InputError at the first document that cannot be read.
    """
    form = source_code if holds_code(source) else documents_format
    for document in read_documents(source, documents):
        yield document.name, form.text_in(document.xml, document.source)


def assemble(
    names: Sequence[str] | pd.Index,
    counts: Ints,
    columns: dict[str, Ints],
    tags: list[str],
    unit: str,
    *,
    complete: bool = True,
) -> Collection:
    """A Collection from the columns of documents in any order; rows count from each document's start.

    The columns are taken out of ``columns`` one by one, so that none is there twice for long.
    """
    if not isinstance(names, pd.Index):
        names = pd.Index(names, dtype=object)
    if not _sorted(names):
        order = np.array(sorted(range(len(names)), key=names.tolist().__getitem__))
        where = sums_before(counts)[:-1][order]
        names, counts = names[order], counts[order]
        rows = np.arange(counts.sum()) + np.repeat(where - sums_before(counts)[:-1], counts)
        columns = {name: column[rows] for name, column in columns.items()}
    first = sums_before(counts)
    row = np.int32 if first[-1] < 2**31 else np.int64
    base = np.repeat(first[:-1].astype(row), counts)
    in_order = sorted(tags)
    rank = {tag: code for code, tag in enumerate(in_order)}
    start, end = offsets_in(unit)
    above = columns.pop("parent")
    parent = above + base
    parent[above < 0] = -1
    del above
    return Collection(
        names=names,
        first=first,
        parent=parent,
        last=columns.pop("last") + base,
        depth=columns.pop("depth").astype(np.int16),
        tag=np.array([rank[tag] for tag in tags], dtype=np.int32)[columns.pop("tag")],
        tags=pd.Index(in_order, dtype=object),
        position=columns["position"],
        start=columns[start],
        end=columns[end],
        unit=unit,
        complete=complete,
    )


def _sorted(names: pd.Index) -> bool:
    """Whether names are sorted by their characters."""
    text = pa.array(names, pa.large_string())
    return bool(pc.all(pc.less_equal(text[:-1], text[1:]), min_count=0).as_py())
