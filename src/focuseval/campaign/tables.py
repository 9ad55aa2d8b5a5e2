"""Functions that read and write tables on disk, and the columns of these tables.

Tables are Parquet files. Equal rows give equal bytes: there are no time stamps, and row groups and compression are
fixed. Files are written completely or not at all.
"""

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from focuseval.errors import STANDARD_INPUT, InputError
from focuseval.files import opened, replacing, sha256

#: packages on which results may depend
_PACKAGES = ("focuseval", "lxml", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy", "snakemake")


def checksum(path: str | Path) -> str:
    """Return the SHA-256 of a file. For a folder, return the SHA-256 of a list of its files and their checksums.

    Files in ``.git`` are ignored. Raises InputError for unreadable files.
    """
    path = Path(path)
    if not path.is_dir():
        return sha256(path)
    files = sorted(file for file in path.rglob("*") if file.is_file() and ".git" not in file.parts)
    lines = (f"{sha256(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages on which results depend."""
    version_of = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            version_of[package] = version(package)
        except PackageNotFoundError:
            version_of[package] = "not installed as a package"
    return version_of


NAME = pa.dictionary(pa.int32(), pa.string())

#: columns for the counts of pooled measures; null for all other measures
COUNTS = dict.fromkeys(("right", "returned", "found", "relevant"), pa.float64())

#: columns of notices about the inputs; the kind is ``note`` or ``rejected``
TOLD = pa.schema({"kind": NAME, "source": pa.string(), "text": pa.string()})

#: columns of notices about scoring
LEFT_OUT = pa.schema(
    {
        "runs": NAME,  # the name of the run set
        "kind": NAME,
        "of": NAME,  # the measure or run that the notice is about
        "number": pa.int64(),  # the number of topics or results
        "which": pa.string(),  # the names of the topics, or the text of the notice
    }
)

#: columns of saved scores, with a row for each run, topic and measure
SAVED_SCORES = pa.schema({"run": NAME, "topic": NAME, "name": NAME, "value": pa.float64(), **COUNTS})

ROW_GROUP = 1 << 20


def write(
    rows: pa.Table | pd.DataFrame, schema: pa.Schema, path: str | Path, about: Mapping[str, str] | None = None
) -> None:
    """Write rows to a Parquet file with the columns of the schema, and with the metadata ``about``.

    Other columns are left out. NaN in a data frame becomes null. An existing file is replaced after all rows were
    written. Raises KeyError for a missing column, and a pyarrow error for a value of another type.
    """
    if isinstance(rows, pd.DataFrame):
        rows = pa.Table.from_pandas(rows[schema.names], schema=schema, preserve_index=False)
    write_parts([rows], schema, path, about)


def write_parts(
    parts: Iterable[pa.Table], schema: pa.Schema, path: str | Path, about: Mapping[str, str] | None = None
) -> None:
    """Write several tables to one file, one after another, so that only one must be in memory at a time."""
    names = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    numbers = {field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)}
    how: dict[str, Any] = {"use_dictionary": names, "column_encoding": numbers}
    with (
        replacing(path) as unfinished,
        pq.ParquetWriter(
            unfinished, schema.with_metadata(about), compression="zstd", version="2.6", **how
        ) as out,
    ):
        for rows in parts:
            table = rows.select(schema.names).cast(schema).replace_schema_metadata(about).unify_dictionaries()
            out.write_table(table, row_group_size=ROW_GROUP)


def read_parts(path: str | Path, schema: pa.Schema, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield some columns of a file, one row group at a time.

    Raises InputError if the file is not a table, or if the columns have other types than in the schema.
    """
    with reading(path):
        file = pq.ParquetFile(path)
        for group in range(file.num_row_groups):
            yield checked(file.read_row_group(group, columns=list(columns)), schema, columns, path)


@contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Raise InputError if the ``with`` block reads a file that does not exist or is not a table."""
    try:
        yield
    except FileNotFoundError as error:
        expected = "run the workflow again"
        raise InputError.of(str(path), "the file does not exist", expected) from error
    except (OSError, pa.ArrowException) as error:
        found = f"the table is damaged ({str(error).splitlines()[0]})"
        raise InputError.of(str(path), found, "delete the file and run the workflow again") from error


def read(path: str | Path, schema: pa.Schema, columns: Sequence[str] | None = None) -> pa.Table:
    """Read the ``columns`` of a table, or all. Raises InputError if they do not have the types of the schema."""
    with reading(path):
        source = opened(path) if str(path) == STANDARD_INPUT else path
        table = pq.read_table(source, columns=list(columns or schema.names), partitioning=None)
    return checked(table, schema, columns or schema.names, path)


def read_frame(path: str | Path) -> pd.DataFrame:
    """Read a table without a declared schema. Raises InputError if the file does not exist or is damaged."""
    with reading(path):
        return pd.read_parquet(path)


def write_frame(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table without a declared schema. An existing file is replaced after all rows were written."""
    with replacing(path) as unfinished:
        frame.to_parquet(unfinished, index=False)


def checked(table: pa.Table, schema: pa.Schema, columns: Sequence[str], path: str | Path) -> pa.Table:
    """Return the named ``columns`` of a table. Raises InputError if they do not have the types of the schema."""
    table = table.select([name for name in columns if name in table.schema.names])
    expected_schema = pa.schema([schema.field(name) for name in columns])
    if not table.schema.equals(expected_schema):
        found = ", ".join(f"{field.name} {field.type}" for field in table.schema)
        names = ", ".join(f"{field.name} {field.type}" for field in expected_schema)
        expected = f"expected {names}; delete the file and run the workflow again"
        columns_found = f"the table has the columns {found}" if found else "the table has none of the columns"
        raise InputError.of(str(path), columns_found, expected)
    return table
