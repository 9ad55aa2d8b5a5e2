"""Collections loaded from their element tables (`focuseval_papers.workflow.element_tables`)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.campaign import schema
from focuseval.campaign.collection_read import assemble, with_words
from focuseval.campaign.schema import ELSEWHERE, KNOWN, offsets_in
from focuseval.errors import InputError, Problem, counted
from focuseval.model.arrays import Bools, Ints, release
from focuseval.model.elements import Collection, Elsewhere


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
    start, end = offsets_in(unit)
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
    complete = known.get("complete") != KNOWN["complete"]
    collection = assemble(
        pd.Index(listed["name"].to_pandas(), dtype="str"),
        np.where(here, counts, 0),
        loaded,
        tags,
        unit,
        complete=complete,
    )
    elsewhere += Elsewhere(*map(int, known.get(ELSEWHERE, "0 0 0").split()))
    if documents is not None or elsewhere.elements:
        collection = replace(collection, elsewhere=elsewhere)
    return collection if texts is None else with_words(collection, texts)


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
    start, end = offsets_in(unit)
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
