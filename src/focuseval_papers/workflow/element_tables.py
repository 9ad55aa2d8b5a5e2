"""Element tables on disk: made from the documents of a collection, in shards, by several processes.

The artefact of a collection is a folder with ``documents.parquet`` and one ``elements-NNNN.parquet``
per shard of consecutive documents; ``schema.py`` says the columns. Documents are numbered by their
place in the sorted list of all documents of the source. `focuseval_papers.workflow.store` loads them.
"""

import os
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.errors import InputError, Problem
from focuseval.files import beyond, elements_allowed
from focuseval.formats.documents import Listing, list_documents, notes_on_ignored, parse, read_documents
from focuseval.formats.xml_elements import Document, Entities, parse_documents
from focuseval.model.arrays import sums_before
from focuseval.model.elements import Collection
from focuseval.model.parallel import in_processes
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.schema import ELSEWHERE, KNOWN, OFFSETS, elements_file

#: bytes of XML in a shard, unless the number of shards is given
SHARD_BYTES = 1 << 24

#: bytes of XML that make one more process worth its start
PROCESS_BYTES = 1 << 26


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
    root = sums_before(parsed.elements)
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
        **{unit: parsed.columns[end][root[:-1]] for unit, (_, end) in OFFSETS.items()},
    }
    elements = pa.table([element_columns[name] for name in schema.ELEMENTS.names], schema=schema.ELEMENTS)
    return elements, pa.table(document_columns, schema=schema.DOCUMENTS), parsed.problems


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
    listing = list_documents(source)
    split, total = shards_of(listing.names, listing.sizes, shards), sum(listing.sizes)
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".parsing-", dir=out) as unfinished:
        folder = Path(unfinished)
        tasks = _tasks(source, listing, split, folder, entities)
        tables, problems = _parsed(tasks, min(jobs, 1 + total // PROCESS_BYTES), total, progress)
        rows = pa.concat_tables(tables).sort_by("document")
        elements = int(rows["elements"].to_numpy().sum())
        if Path(source).is_file() and elements > (most := elements_allowed(os.path.getsize(source))):
            raise beyond(source, most, "elements")
        if problems and (not lenient or len(rows) == 0):
            raise InputError(problems)
        for made in ("documents.parquet", "elements-*.parquet", "rejected.tsv", "notes.txt"):
            for old in out.glob(made):
                old.unlink()
        for path in folder.glob("elements-*.parquet"):
            os.replace(path, out / path.name)
    if problems:
        rejected = pd.DataFrame([vars(problem) for problem in problems])
        rejected.to_csv(out / "rejected.tsv", sep="\t", index=False, lineterminator="\n")
    if notes := notes_on_ignored(source, listing.ignored):
        (out / "notes.txt").write_text("".join(f"{note}\n" for note in notes), encoding="utf-8")
    schema.write(rows, schema.DOCUMENTS, out / "documents.parquet")
    return Built(len(rows), elements, listing.ignored.total(), problems)


def _parsed(
    tasks: "Iterator[_Task]", processes: int, total: int, progress: bool
) -> tuple[list[pa.Table], list[Problem]]:
    """Rows of the documents of all shards, and what is wrong with documents, by their places in the source."""
    from tqdm import tqdm

    class Bar(tqdm):
        monitor_interval = 0  # a bar has a thread otherwise, and what has threads is not forked

    tables: list[pa.Table] = [schema.DOCUMENTS.empty_table()]
    problems: list[Problem] = []
    with Bar(total=total, unit="B", unit_scale=True, desc="parsing", disable=not progress) as bar:
        for table, found, size in in_processes(_Task.run, tasks, processes):
            tables.append(table)
            problems.extend(found)
            bar.update(size)
    return tables, sorted(problems, key=lambda problem: problem.source)


@dataclass(frozen=True)
class _Task:
    """One shard to parse."""

    documents: list[Document]
    first: int  #: number of its first document
    shard: int
    folder: Path  #: where its elements go
    entities: Entities

    def run(self) -> tuple[pa.Table, list[Problem], int]:
        """Rows of the shard's documents, what is wrong with those left out, bytes of XML read."""
        elements, documents, problems = parse_shard(self.documents, self.first, self.shard, self.entities)
        schema.write(elements, schema.ELEMENTS, self.folder / elements_file(self.shard))
        return documents, problems, sum(len(document.xml) for document in self.documents)


def _tasks(
    source: str | Path, listing: Listing, split: Sequence[Sequence[str]], folder: Path, entities: Entities
) -> Iterator[_Task]:
    """The shards with their documents. Raises InputError if these are not those that were listed."""
    documents = read_documents(source)
    if not listing.in_order:
        documents = _put_in_order(documents, split, folder)
    first = 0
    for shard, names in enumerate(split):
        held = list(islice(documents, len(names)))
        if [document.name for document in held] != list(names):
            found, expected = "changed while it was read", "leave it alone and start again"
            raise InputError(Problem(str(source), "", found, expected))
        yield _Task(held, first, shard, folder, entities)
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
    """Write a collection without its text, as `load_collection` reads it: complete or not, with what is elsewhere.

    All units have the offsets of the collection's, which are unknown but for sizes of documents where it is not
    complete.
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
    if rest := collection.elsewhere:
        about = {ELSEWHERE: f"{rest.elements} {rest.text_size} {rest.total_size}"}
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    schema.write(pa.table(elements), schema.ELEMENTS, out / elements_file(0))
    schema.write(pa.table(documents), schema.DOCUMENTS, out / "documents.parquet", about=about)
