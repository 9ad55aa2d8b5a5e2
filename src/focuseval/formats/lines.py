"""Lines of text files: by their numbers, or as rows of a table.

Arrow goes from the bytes of many lines to columns at once. Where it meets something unusual the lines are read again in
smaller pieces, and those of the smallest one by one, by what can say of each what is wrong with it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, unpacked
from focuseval.formats.names import NAMES, encoded, numbered
from focuseval.formats.parsed import Refused
from focuseval.model.arrays import Ints
from focuseval.model.parallel import cores, in_threads

Item = TypeVar("Item")

#: the mark of UTF-8, which is none of the text
MARK = b"\xef\xbb\xbf"

#: what is meant for a number, though it may be a wrong one
_NUMBER = re.compile(rb"[+-]?([0-9.,]+(e[+-]?[0-9]+)?|nan|inf(inity)?)", re.IGNORECASE)

#: bytes that are read together, and bytes that are read line by line where one line of them is unusual
_PIECE, _SMALLEST = 1 << 22, 1 << 16
#: the last column of every table: numbers, or places, of lines
_LINE = pa.field("line", pa.int64())


def content_of(path: str | Path) -> bytes:
    """The bytes of a text file, without a byte order mark."""
    return read_bytes(path).removeprefix(MARK)


def pieces_of(path: str | Path, size: int) -> Iterator[bytes]:
    """The same in pieces of whole lines, of about so many bytes, each with a line feed at its end."""
    mark = MARK
    with unpacked(path) as stream:
        while piece := stream.read(size):
            piece = (piece + stream.readline()).removeprefix(mark)
            yield piece if piece.endswith(b"\n") else piece + b"\n"
            mark = b""


def lines_of(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Number and content of every line that is not blank."""
    for number, line in enumerate(content_of(path).split(b"\n"), 1):
        if line.strip():
            yield number, line


def decoded(line: bytes, encoding: str = "utf-8") -> str:
    """A line as text. Refuses what is not UTF-8, and NUL characters."""
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of the line is {line[error.start]:#04x}, which is not UTF-8"
        raise Refused(found, "save the file as UTF-8") from error
    if "\0" in text:
        raise Refused("a NUL character", "save the file as UTF-8")
    return text


def looks_like_number(field: bytes) -> bool:
    """Whether a field is meant for a number."""
    return _NUMBER.fullmatch(field) is not None


def decoded_fields(line: bytes) -> list[str]:
    """The blank-separated fields of a line as text. Refuses what `decoded` refuses."""
    return decoded(b" ".join(line.split())).split(" ")


@dataclass(frozen=True)
class LineFormat:
    """How lines become rows."""

    schema: pa.Schema  #: of the rows; names are `NAMES`
    #: the rows of whole lines, each with its place among them in the column ``line``; None if one of them may be bad,
    #: or is good and not read by Arrow
    at_once: Callable[[bytes], pa.Table | None]
    #: the row of one line that is not blank; raises `Refused`, saying what is wrong with it
    row: Callable[[bytes], tuple]


#: the good lines of a block as columns, with their numbers in ``line``; the numbers of its other lines, and why
Block = tuple[pd.DataFrame, list[tuple[int, Refused]]]


def read_lines(path: Path, format: LineFormat, rows: int | None) -> Iterator[Block]:
    """A file in blocks of whole topics, of at least so many rows but the last; all of it at once if None is given.

    A topic that has results in several places of the file may be in several blocks.
    """
    empty = format.schema.append(_LINE).empty_table()
    tables, refused = [empty], list[tuple[int, Refused]]()
    before, held = 1, 0
    for found, wrong, count in in_threads(partial(_read, format), pieces_of(path, _PIECE), cores()):
        tables += [_further(table, before) for table in found if len(table)]
        refused += [(before + place, why) for place, why in wrong]
        before += count
        held += sum(map(len, found))
        if rows is not None and held >= rows and (last := _last_topic(tables)) is not None:
            *whole, cut = tables
            yield frame_of(pa.concat_tables([*whole, _own_names(cut[:last])])), refused
            tables, refused, held = [empty, _own_names(cut[last:])], [], len(cut) - last
    yield frame_of(pa.concat_tables(tables)), refused


def _last_topic(tables: list[pa.Table]) -> int | None:
    """Where in the last of some tables its last topic begins; None if that is in an earlier one."""
    topics = tables[-1]["topic"].combine_chunks()
    codes = np.asarray(topics.indices)
    if len(others := np.flatnonzero(codes != codes[-1])):
        return int(others[-1]) + 1
    alone = len(tables) > 2 and tables[-2]["topic"][-1].as_py() != topics[-1].as_py()
    return 0 if alone else None


def _own_names(table: pa.Table) -> pa.Table:
    """The table with dictionaries that have no other names than its rows."""
    columns = [
        encoded(column.combine_chunks().dictionary_decode()) if column.type == NAMES else column
        for column in table.columns
    ]
    return pa.table(columns, schema=table.schema)


def frame_of(table: pa.Table) -> pd.DataFrame:
    """The same columns in pandas; names are categorical."""
    columns = {
        name: numbered(column) if column.type == NAMES else column.to_numpy()
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return pd.DataFrame(columns, copy=False)


def _read(format: LineFormat, piece: bytes) -> tuple[list[pa.Table], list[tuple[int, Refused]], int]:
    """The good lines of a piece, the others, and the number of all; places are counted from 0."""
    tables: list[pa.Table] = []
    refused: list[tuple[int, Refused]] = []
    before = 0
    waiting = [piece]
    while waiting:
        part = waiting.pop()
        table = format.at_once(part)
        if table is None and len(smaller := _parts(part, max(len(part) // 8, _SMALLEST))) > 1:
            waiting += reversed(smaller)
            continue
        if table is None:
            lines = ((place, line) for place, line in enumerate(part.split(b"\n")) if line.strip())
            table, wrong = one_by_one(lines, format.row, format.schema)
            refused += [(before + place, why) for place, why in wrong]
        tables.append(_further(table, before))
        before += len(ends_of_lines(part))
    return tables, refused, before


def ends_of_lines(text: bytes) -> Ints:
    """The places of line feeds; ``bytes.count`` would keep other threads from going on."""
    return np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))


def places_of_lines(text: bytes) -> Ints:
    """The places among all lines of those that are not empty."""
    return np.flatnonzero(np.diff(ends_of_lines(text), prepend=-1) > 1)


def _further(table: pa.Table, lines: int) -> pa.Table:
    """The table with lines so many further down."""
    return table.set_column(table.num_columns - 1, _LINE, pc.add(table["line"], lines))


def _parts(piece: bytes, size: int) -> list[bytes]:
    """The piece in parts of whole lines, of about so many bytes."""
    parts, begin = [], 0
    while begin < len(piece):
        end = piece.find(b"\n", begin + size) + 1 or len(piece)
        parts.append(piece[begin:end])
        begin = end
    return parts


def one_by_one(
    items: Iterable[tuple[int, Item]], row: Callable[[Item], tuple], columns: pa.Schema
) -> tuple[pa.Table, list[tuple[int, Refused]]]:
    """The rows of items that are given with their numbers, and those that are refused."""
    rows, refused = [], []
    for number, item in items:
        try:
            rows.append((*row(item), number))
        except Refused as why:
            refused.append((number, why.with_traceback(None)))  # which would keep all items in memory
    schema = columns.append(_LINE)
    values = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
    return pa.table(arrays, schema=schema), refused


def read_each(path: Path, row: Callable[[bytes], tuple], columns: pa.Schema) -> Block:
    """The rows of all lines of a file that are not blank, one by one."""
    table, refused = one_by_one(lines_of(path), row, columns)
    return frame_of(table), refused


def refuse_names(path: str | Path, columns: pd.DataFrame, characters: str) -> None:
    """Refuse to write categorical columns of names that a text format could not give back.

    Raises
    ------
    InputError
        naming every name that is empty or has one of the characters in it.
    """
    expected = "this format cannot hold it: write another format, or rename it"
    problems = [
        Problem(str(path), "", f"the {column} {name!r}", expected)
        for column in columns
        for name in columns[column].cat.categories
        if not name or any(character in name for character in characters)
    ]
    if problems:
        raise InputError(problems)
