"""Element tables on disk, built from the documents of a collection in shards by several processes.

The tables are ``documents.parquet``, ``elements.parquet`` and ``notices.csv``. Documents are numbered in the order of
their names. Each row group of elements belongs to a shard of consecutive documents. `focuseval_papers.workflow.store`
loads the tables.
"""

import os
import pickle
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import feather

from focuseval.campaign import notices
from focuseval.errors import InputError, Problem
from focuseval.files import beyond, elements_allowed
from focuseval.formats.documents import Listing, list_documents, notes_on_ignored, parse, read_documents
from focuseval.formats.xml_elements import Document, parse_documents
from focuseval.model.arrays import sums_before
from focuseval.model.elements import OFFSETS, Collection
from focuseval.model.parallel import in_processes
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.notices import write_notices
from focuseval_papers.workflow.schema import ELSEWHERE, KNOWN

#: approximate size of the documents in a shard, in bytes
SHARD_BYTES = 1 << 24

#: number of bytes of documents for each additional process
PROCESS_BYTES = 1 << 26


def build_collection(
    source: str | Path, folder: str | Path, *, jobs: int = 1, lenient: bool = False
) -> list[Problem]:
    """Parse the documents of a ``source`` into element tables in a ``folder``, with at most ``jobs`` processes.

    Raises InputError that lists the problems of all documents, and leaves existing tables unchanged. With ``lenient``,
    documents with problems are left out, and their problems are returned, unless no document is left.
    """
    listing, out = list_documents(source), Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".parsing-", dir=out) as unfinished:
        shards = _shards(source, listing, Path(unfinished))
        processes = min(jobs, 1 + sum(listing.sizes) // PROCESS_BYTES)
        tables, parts_of_problems = zip(*in_processes(_Shard.parse, shards, processes), strict=True)
        problems = sorted(chain.from_iterable(parts_of_problems), key=lambda problem: problem.source)
        rows = pa.concat_tables(tables).sort_by("document")
        most = elements_allowed(os.path.getsize(source)) if Path(source).is_file() else None
        if most is not None and int(rows["elements"].to_numpy().sum()) > most:
            raise beyond(source, most, "elements")
        if problems and (not lenient or len(rows) == 0):
            raise InputError(problems)
        files = sorted(Path(unfinished).glob("elements-*.arrow"))
        parts = (feather.read_table(file) for file in files)
        schema.write_parts(parts, schema.ELEMENTS, out / "elements.parquet")
    schema.write(rows, schema.DOCUMENTS, out / "documents.parquet")
    of_files = [
        notices.notes(notes_on_ignored(source, listing.ignored)),
        notices.of_problems(notices.REJECTED, problems),
    ]
    write_notices(of_files, out / "notices.csv")
    return problems


@dataclass(frozen=True)
class _Shard:
    """Consecutive documents in the order of their names, with one file for their elements."""

    number: int
    first: int  #: number of the first document
    documents: list[Document]
    folder: Path  #: where `parse` writes the elements

    def parse(self) -> tuple[pa.Table, list[Problem]]:
        """Write the documents' elements; return a table of documents, and the problems of rejected documents."""
        parsed = parse_documents(self.documents, parse)
        place = {document.name: number for number, document in enumerate(self.documents, self.first)}
        number = np.array([place[name] for name in parsed.names], dtype=np.int32)
        root = sums_before(parsed.elements)
        elements = {
            **parsed.columns,
            "document": np.repeat(number, parsed.elements),
            "node": np.arange(root[-1]) - np.repeat(root[:-1], parsed.elements),
            "tag": pa.DictionaryArray.from_arrays(parsed.columns["tag"], pa.array(parsed.tags, pa.string())),
        }
        file = self.folder / f"elements-{self.number:08}.arrow"
        feather.write_feather(pa.table(elements), file, compression="uncompressed")
        documents = {
            "document": number,
            "name": parsed.names,
            "shard": np.full(len(number), self.number, dtype=np.int32),
            "elements": parsed.elements.astype(np.int32),
            **{unit: parsed.columns[end][root[:-1]] for unit, (_, end) in OFFSETS.items()},
        }
        return pa.table(documents, schema.DOCUMENTS), parsed.problems


def _shards(source: str | Path, listing: Listing, folder: Path) -> Iterator[_Shard]:
    """Yield the documents in shards of similar size. Raises InputError if documents differ from the listing."""
    size, first = np.array(listing.sizes), 0
    count = -(-max(int(size.sum()), 1) // SHARD_BYTES)
    shard_of = np.minimum(sums_before(size)[:-1] * count // max(int(size.sum()), 1), count - 1)
    documents = read_documents(source)
    if not listing.in_order:
        documents = _in_order(documents, dict(zip(listing.names, shard_of.tolist(), strict=True)), folder)
    for number, held in enumerate(np.bincount(shard_of, minlength=count).tolist()):
        shard = _Shard(number, first, list(islice(documents, held)), folder)
        if [document.name for document in shard.documents] != listing.names[first : first + held]:
            found, expected = "the file changed while it was read", "start again without changing it"
            raise InputError.of(str(source), found, expected)
        yield shard
        first += held


def _in_order(stream: Iterator[Document], shard_of: dict[str, int], folder: Path) -> Iterator[Document]:
    """Yield the documents of an archive in the order of their names, after storing them on disk by shard."""
    for document in stream:
        with open(folder / f"waiting-{shard_of.get(document.name, 0)}", "ab") as file:
            pickle.dump(document, file)
    for shard, held in sorted(Counter(shard_of.values()).items()):
        with open(folder / f"waiting-{shard}", "rb") as file:
            yield from sorted(pickle.load(file) for _ in range(held))


def write_known(collection: Collection, folder: str | Path) -> None:
    """Write the element tables of a collection without texts, so that `load_collection` can load it.

    The collection has offsets in one unit only; they are stored as the offsets in every unit.
    """
    document = np.repeat(np.arange(len(collection.names)), np.diff(collection.first))
    base = collection.first[document]
    offsets = {
        name: column
        for pair in OFFSETS.values()
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
        **dict.fromkeys(OFFSETS, collection.size[roots]),
    }
    about = {} if collection.complete else KNOWN
    if rest := collection.unloaded:
        about = {ELSEWHERE: f"{rest.elements} {rest.text_size} {rest.total_size}"}
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    schema.write(pa.table(elements), schema.ELEMENTS, out / "elements.parquet")
    schema.write(pa.table(documents), schema.DOCUMENTS, out / "documents.parquet", about=about)
    write_notices([], out / "notices.csv")
