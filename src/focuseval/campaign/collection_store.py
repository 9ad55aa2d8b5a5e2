"""Collections on disk and in memory: from XML to element tables, and from those to a Collection.

The artefact of a collection is a folder with ``documents.parquet`` and one ``elements-NNNN.parquet``
per shard of consecutive documents; ``schema.py`` says the columns. Documents are numbered by their
place in the sorted list of all documents of the source.
"""

import os
import pickle
import tempfile
import zipfile
from collections import Counter
from collections.abc import Collection as Names
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.campaign import schema
from focuseval.errors import InputError, Problem, counted
from focuseval.files import is_utf8
from focuseval.formats.chunks import name_in
from focuseval.formats.collection import Document, Listing, Part, close_reader
from focuseval.formats.documents import (
    list_documents,
    notes_on_ignored,
    parse,
    read_documents,
    text_in,
)
from focuseval.formats.raw import Refused, document_name
from focuseval.formats.text_documents import parse_given
from focuseval.formats.xml_elements import Entities, parse_documents
from focuseval.formats.xml_scan import hurry
from focuseval.model.arrays import Bools, Ints, release
from focuseval.model.elements import Collection, Elsewhere, check_unit
from focuseval.model.parallel import beside, in_processes
from focuseval.model.words import Words

#: bytes of XML in a shard, unless the number of shards is given
SHARD_BYTES = 1 << 24

#: bytes of XML that are held in memory rather than read twice
HOLD_BYTES = 1 << 28

#: bytes of XML that make one more process worth its start
PROCESS_BYTES = 1 << 26

#: columns of an element's start and end in each unit, and of a document's size
_OFFSETS = {
    "characters": ("start", "end"),
    "words": ("word_start", "word_end"),
    "bytes": ("byte_start", "byte_end"),
}


#: said of the documents of a collection that is known from assessments and runs only
_KNOWN = {"complete": "false"}


@dataclass(frozen=True)
class Built:
    """What became of the files of a collection."""

    documents: int  #: documents with element tables
    elements: int
    ignored: int  #: files that are not documents, but for hidden ones and DTDs
    rejected: list[Problem]  #: what is wrong with the documents left out (``lenient`` only)


def shards_of(names: Sequence[str], sizes: Sequence[int], shards: int | None = None) -> list[list[str]]:
    """The documents of each shard, by name: consecutive in the order given, of about equal size.

    Without a number of shards, as many as give each ``SHARD_BYTES`` of XML. With one, exactly that
    many; some are empty if there are fewer documents.
    """
    total = max(sum(sizes), 1)
    count = -(-total // SHARD_BYTES) if shards is None else shards
    split: list[list[str]] = [[] for _ in range(count)]
    before = 0
    for name, size in zip(names, sizes, strict=True):
        split[min(before * count // total, count - 1)].append(name)
        before += size
    return split


def parse_shard(
    documents: Sequence[Document], first: int, shard: int, entities: Entities = "html"
) -> tuple[pa.Table, pa.Table, list[Problem]]:
    """Element rows and document rows of one shard, and what is wrong with the documents left out.

    The documents are sorted by name; ``first`` is the place of the first among all of the source.
    """
    parsed = parse_documents(documents, parse, entities)
    place = {document.name: first + i for i, document in enumerate(documents)}
    number = np.array([place[name] for name in parsed.names], dtype=np.int32)
    root = _starts(parsed.elements)
    node = np.arange(root[-1]) - np.repeat(root[:-1], parsed.elements)
    element_columns = {
        **parsed.columns,
        "document": np.repeat(number, parsed.elements),
        "node": node.astype(np.int32),
        "tag": pa.DictionaryArray.from_arrays(parsed.columns["tag"], pa.array(parsed.tags, pa.string())),
    }
    document_columns = {
        "document": number,
        "name": pa.array(parsed.names, pa.string()),
        "shard": np.full(len(number), shard, dtype=np.int32),
        "elements": parsed.elements.astype(np.int32),
        **{unit: parsed.columns[end][root[:-1]] for unit, (_, end) in _OFFSETS.items()},
    }
    elements = pa.table([element_columns[name] for name in schema.ELEMENTS.names], schema=schema.ELEMENTS)
    return elements, pa.table(document_columns, schema=schema.DOCUMENTS), parsed.problems


def _sorted(names: pd.Index) -> bool:
    """Whether names stand in the order of their characters."""
    text = pa.array(names, pa.large_string())
    return bool(pc.all(pc.less_equal(text[:-1], text[1:]), min_count=0).as_py())


def _starts(counts: Ints) -> Ints:
    """First row of each group of ``counts`` rows, then the number of rows."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def build_collection(
    source: str | Path,
    out_dir: str | Path,
    *,
    shards: int | None = None,
    jobs: int = 1,
    entities: Entities = "html",
    lenient: bool = False,
    progress: bool = True,
) -> Built:
    """Parse a collection into element tables, in up to ``jobs`` processes; their number changes no byte.

    Raises InputError with all problems of all documents, and then leaves the folder as it was.
    ``lenient`` leaves such documents out and writes what is wrong with them to ``rejected.tsv``. Other files
    are told in ``notes.txt``. The source is listed, then streamed; no more than a shard per process, and two,
    are in memory.
    """
    from tqdm import tqdm

    class Bar(tqdm):
        monitor_interval = 0  # a bar has a thread otherwise, and what has threads is not forked

    listing = _listed(source, jobs)
    split = shards_of(listing.names, listing.sizes, shards)
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".parsing-", dir=out) as unfinished:
        folder = Path(unfinished)
        tables: list[pa.Table] = [schema.DOCUMENTS.empty_table()]
        problems: list[Problem] = []
        total = sum(listing.sizes)
        with Bar(total=total, unit="B", unit_scale=True, desc="parsing", disable=not progress) as bar:
            tasks = _tasks(source, listing, split, folder, entities)
            if (processes := min(jobs, 1 + total // PROCESS_BYTES)) > 1:
                hurry()
            for table, found, size in in_processes(_Task.run, tasks, processes):
                tables.append(table)
                problems.extend(found)
                bar.update(size)
            close_reader()
        rows = pa.concat_tables(tables).sort_by("document")
        problems.sort(key=lambda problem: problem.source)
        if problems and (not lenient or len(rows) == 0):
            raise InputError(problems)
        for old in (
            *out.glob("documents.parquet"),
            *out.glob("elements-*.parquet"),
            *out.glob("rejected.tsv"),
            *out.glob("notes.txt"),
        ):
            old.unlink()
        for path in folder.glob("elements-*.parquet"):
            os.replace(path, out / path.name)
    if problems:
        rejected = pd.DataFrame([vars(problem) for problem in problems])
        rejected.to_csv(out / "rejected.tsv", sep="\t", index=False, lineterminator="\n")
    if notes := notes_on_ignored(source, listing.ignored):
        (out / "notes.txt").write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")
    schema.write(rows, schema.DOCUMENTS, out / "documents.parquet")
    return Built(len(rows), int(rows["elements"].to_numpy().sum()), listing.ignored.total(), problems)


def _listed(source: str | Path, jobs: int) -> Listing:
    """The list of a collection; while that of a large zip archive is made, another of the ``jobs`` loads the scan."""
    path = Path(source)
    if jobs > 1 and path.is_file() and path.stat().st_size >= PROCESS_BYTES and zipfile.is_zipfile(path):
        return beside(list_documents, source, hurry)
    return list_documents(source, hold=HOLD_BYTES)


@dataclass(frozen=True)
class _Task:
    """One shard to parse."""

    part: Part
    first: int  #: number of its first document
    shard: int
    folder: Path  #: where its elements go
    entities: Entities

    def run(self) -> tuple[pa.Table, list[Problem], int]:
        """Rows of the shard's documents, what is wrong with those left out, bytes of XML read."""
        given = self.part.documents()
        if [document.name for document in given] != list(self.part.names):
            found, expected = "changed while it was read", "leave it alone and start again"
            raise InputError(Problem(str(self.part.source), "", found, expected))
        elements, documents, problems = parse_shard(given, self.first, self.shard, self.entities)
        schema.write(elements, schema.ELEMENTS, self.folder / elements_file(self.shard))
        return documents, problems, sum(len(document.xml) for document in given)


def _tasks(
    source: str | Path, listing: Listing, split: Sequence[Sequence[str]], folder: Path, entities: Entities
) -> Iterator[_Task]:
    """The shards, with their documents where these cannot be read shard by shard."""
    if listing.held is not None:
        documents = iter(sorted(listing.held))
    elif listing.in_order:
        documents = read_documents(source)
    else:
        documents = _put_in_order(read_documents(source), split, folder)
    first = 0
    for shard, names in enumerate(split):
        paths = (listing.paths or [])[first : first + len(names)]
        held = None if paths else list(islice(documents, len(names)))
        yield _Task(Part(source, names, paths, held), first, shard, folder, entities)
        first += len(names)


def _put_in_order(
    stream: Iterator[Document], split: Sequence[Sequence[str]], folder: Path
) -> Iterator[Document]:
    """The documents of an archive sorted by name; they wait on disk, one file for each shard."""
    shard_of = {name: shard for shard, names in enumerate(split) for name in names}
    for document in stream:
        with open(folder / f"waiting-{shard_of.get(document.name, 0)}", "ab") as file:
            pickle.dump(document, file)
    for shard, names in enumerate(split):
        if names:
            with open(folder / f"waiting-{shard}", "rb") as file:
                waiting = [pickle.load(file) for _ in names]
            yield from sorted(waiting)


def write_known(collection: Collection, folder: str | Path) -> None:
    """Write what is known of a collection without its text; `load_collection` reads it as not complete.

    All units have the offsets of the collection's, which are unknown but for sizes of documents.
    """
    document = np.repeat(np.arange(len(collection.names)), np.diff(collection.first))
    base = collection.first[document]
    offsets = {
        name: column
        for pair in _OFFSETS.values()
        for name, column in zip(pair, (collection.start, collection.end), strict=True)
    }
    elements = {
        "document": document,
        "node": np.arange(len(collection)) - base,
        "parent": np.where(collection.parent < 0, -1, collection.parent - base),
        "last": collection.last - base,
        "depth": collection.depth,
        "tag": pa.DictionaryArray.from_arrays(pa.array(collection.tag, pa.int32()), list(collection.tags)),
        "position": collection.position,
        **offsets,
    }
    roots = collection.root(np.arange(len(collection.names)))
    documents = {
        "document": np.arange(len(collection.names)),
        "name": list(collection.names),
        "shard": np.zeros(len(collection.names), dtype=np.int32),
        "elements": np.diff(collection.first),
        **dict.fromkeys(_OFFSETS, collection.size[roots]),
    }
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    schema.write(pa.table(elements), schema.ELEMENTS, out / elements_file(0))
    schema.write(pa.table(documents), schema.DOCUMENTS, out / "documents.parquet", about=_KNOWN)


def elements_file(shard: int) -> str:
    """Name of the file that holds the elements of a shard."""
    return f"elements-{shard:04}.parquet"


def load_collection(
    folder: str | Path,
    unit: str = "characters",
    *,
    texts: str | Path | None = None,
    documents: Ints | None = None,
) -> Collection:
    """The collection whose element tables are in a folder, with sizes in a unit.

    ``texts`` is the source that it was built from, from which words are found where they are asked for.
    With ``documents``, by their numbers, only their elements are loaded, a shard at a time; the others are
    added up (`Collection.elsewhere`). Raises InputError if the folder has no complete element tables.
    """
    folder = Path(folder)
    start, end = _offsets(unit)
    listed = schema.read(folder / "documents.parquet", schema.DOCUMENTS, ["name", "elements"])
    counts = listed["elements"].to_numpy()
    here = np.ones(len(counts), dtype=bool)
    if documents is not None:
        here[:] = False
        here[documents] = True
    files = _element_files(folder)
    loaded, tags, elsewhere, read = _rows_of_documents(files, counts, here, start, end)
    release()
    if read != counts.sum():
        found = f"{counted(read, 'element')} in {counted(len(files), 'file')}"
        found += f", where documents.parquet has {counts.sum():,}"
        expected = "expected element tables of one collection; build them again"
        raise InputError(Problem(str(folder), "", found, expected))
    known = {name.decode(): value.decode() for name, value in (listed.schema.metadata or {}).items()}
    complete = known.get("complete") != _KNOWN["complete"]
    collection = assemble(
        pd.Index(listed["name"].to_pandas(), dtype="str"),
        np.where(here, counts, 0),
        loaded,
        tags,
        unit,
        complete=complete,
    )
    if documents is not None:
        collection = replace(collection, elsewhere=elsewhere)
    return collection if texts is None else _with_words(collection, texts)


def _rows_of_documents(
    files: Sequence[Path], counts: Ints, here: Bools, start: str, end: str
) -> tuple[dict[str, Ints], list[str], Elsewhere, int]:
    """Element rows of the documents that are ``here``, their tags, what the others hold, and how many rows all have."""
    wanted = ["parent", "last", "depth", "tag", "position", start, end]
    rows = np.repeat(here, counts)
    loaded: dict[str, Ints] = {name: np.empty(int(rows.sum()), dtype=np.int32) for name in wanted}
    tags: dict[str, int] = {}
    elsewhere, read, filled = Elsewhere(0, 0, 0), 0, 0
    for file in files:
        shard = schema.read(file, schema.ELEMENTS, wanted)
        kept = rows[read : read + len(shard)]
        read += len(shard)
        if read > len(rows):
            continue
        columns = {name: shard[name].combine_chunks() for name in wanted}
        code = [tags.setdefault(tag, len(tags)) for tag in columns["tag"].dictionary.to_pylist()]
        columns["tag"] = columns["tag"].indices
        columns = {name: column.to_numpy() for name, column in columns.items()}
        count = int(kept.sum())
        for name, column in columns.items():
            chosen = column if count == len(column) else column[kept]
            chosen = np.array(code, dtype=np.int32)[chosen] if name == "tag" else chosen
            loaded[name][filled : filled + count] = chosen
        filled += count
        if count < len(kept):
            elsewhere += _added_up(columns, ~kept, start, end)
    return loaded, list(tags), elsewhere, read


def in_unit(collection: Collection, folder: str | Path, unit: str) -> Collection:
    """A whole collection that was loaded from the element tables in a folder, with sizes in another unit."""
    if collection.unit == unit:
        return collection
    start, end = _offsets(unit)
    shards = [schema.read(file, schema.ELEMENTS, [start, end]) for file in _element_files(folder)]
    offsets = pa.concat_tables(shards)
    return replace(collection, start=offsets[start].to_numpy(), end=offsets[end].to_numpy(), unit=unit)


def _element_files(folder: str | Path) -> list[Path]:
    """The files of element tables in a folder, in the order of their shards."""
    files = Path(folder).glob("elements-*.parquet")
    return sorted(files, key=lambda file: (len(file.name), file.name))


def _added_up(columns: dict[str, Ints], rows: Bools, start: str, end: str) -> Elsewhere:
    """What the elements of some rows of a shard hold."""
    size = (columns[end] - columns[start])[rows]
    whole = columns["depth"][rows] == 0
    return Elsewhere(len(size), int(size[whole].sum(dtype=np.int64)), int(size.sum(dtype=np.int64)))


def collection_from_source(
    source: str | Path,
    unit: str = "characters",
    *,
    documents: Names[str] | None = None,
    entities: Entities = "html",
    rejected: list[Problem] | None = None,
    ignored: Counter[str] | None = None,
) -> Collection:
    """The collection of a folder or archive, parsed in memory.

    ``documents`` restricts it to documents of these names, as far as the source has them. Raises
    InputError with all problems of all documents; with a list ``rejected``, such documents are left
    out and their problems added to it. Files that are no documents are counted in ``ignored`` by suffix.
    """
    _offsets(unit)
    parsed = parse_documents(read_documents(source, documents, ignored), parse, entities)
    if parsed.problems and rejected is None:
        raise InputError(parsed.problems)
    if rejected is not None:
        rejected.extend(parsed.problems)
    collection = assemble(parsed.names, parsed.elements, parsed.columns, parsed.tags, unit)
    return _with_words(collection, source, entities)


def _with_words(collection: Collection, source: str | Path, entities: Entities = "html") -> Collection:
    """The collection with the words of its source, which is read again when one is asked for."""

    def texts(documents: Ints) -> Iterator[tuple[int, str]]:
        index = {str(collection.names[document]): document for document in documents.tolist()}
        for name, text in document_texts(source, documents=index, entities=entities):
            yield index[name], text

    return replace(collection, words=Words(texts))


def collection_of_texts(texts: Mapping[str, str], unit: str = "characters") -> Collection:
    """The collection of texts that are in memory, by the names of their documents.

    Raises InputError for what is no text, names that cannot be a document's, and two documents of one name.
    """
    if not isinstance(texts, Mapping):
        expected = 'expected {"guide.md": "…"}; a folder or an archive is given as collection='
        raise InputError(Problem("texts", "", f"a {type(texts).__name__}", expected))
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for called, text in texts.items():
        try:
            name = document_name(name_in({"document": called}, "document"))
            if not isinstance(text, str):
                raise Refused(f"a {type(text).__name__}", "expected a text")
            if not is_utf8(text):
                raise Refused("a text with half surrogate pairs", "expected one that UTF-8 can write")
            if name in documents:
                raise Refused("a second text of this name", "give each document once")
            documents[name] = Document(name, name, text.encode())
        except Refused as refused:
            problems.append(Problem("texts", f"document {called!r}", *refused.args))
    if not texts:
        problems.append(Problem("texts", "", "no text", 'expected {"guide.md": "…"}'))
    if problems:
        raise InputError(problems)
    found = parse_documents(documents.values(), lambda text, name, _: parse_given(text.decode(), name))
    collection = assemble(found.names, found.elements, found.columns, found.tags, unit)
    given = [documents[name].xml.decode() for name in collection.names]  # which are in another order
    return replace(collection, words=Words(lambda wanted: ((of, given[of]) for of in wanted.tolist())))


def document_texts(
    source: str | Path, *, documents: Names[str] | None = None, entities: Entities = "html"
) -> Iterator[tuple[str, str]]:
    """Name and text of each document, or of those named, in the order of the source.

    The text is the concatenation of all character data, which the offsets of elements count in.
    Raises InputError at the first document that cannot be read.
    """
    for document in read_documents(source, documents):
        yield document.name, text_in(document.xml, document.source, entities)


def _offsets(unit: str) -> tuple[str, str]:
    """Columns of an element's start and end in a unit."""
    check_unit(unit)
    return _OFFSETS[unit]


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
        where = _starts(counts)[:-1][order]
        names, counts = names[order], counts[order]
        rows = np.arange(counts.sum()) + np.repeat(where - _starts(counts)[:-1], counts)
        columns = {name: column[rows] for name, column in columns.items()}
    first = _starts(counts)
    row = np.int32 if first[-1] < 2**31 else np.int64
    base = np.repeat(first[:-1].astype(row), counts)
    in_order = sorted(tags)
    rank = {tag: code for code, tag in enumerate(in_order)}
    start, end = _offsets(unit)
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
