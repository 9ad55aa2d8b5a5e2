"""Texts in columns: names as numbers, numbers as numbers, bad lines told one by one.

Arrow's reader of CSV goes from bytes to columns, piece by piece. It knows single blanks between fields, and it takes
less for a number than is one here, and more: a piece that it may have read wrongly is read in smaller ones, and the
smallest line by line.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from focuseval.errors import InputError, Problem
from focuseval.formats.lines import MARK, decoded, pieces_of
from focuseval.formats.names import NAMES, documents_of, has_blank, numbered, without_extensions
from focuseval.formats.raw import Refused
from focuseval.model.arrays import Bools, Ints


class Kind(Enum):
    """What stands in a column."""

    SKIPPED = auto()
    NAME = auto()
    DOCUMENT = auto()  #: a name that is not blank, less the extension of XML files
    PATH = auto()  #: a name that begins with a slash
    WHOLE = auto()  #: a whole number below 10^15
    COUNT = auto()  #: one that is not below 0
    PLACE = auto()  #: one that is not below 0, or a place that is not known: -1 or `UNKNOWN`
    REAL = auto()  #: a finite number


#: the columns of a text by their names, in order
Form = Mapping[str, Kind]

#: what stands for a place that is not known; so does -1
UNKNOWN = "X"

_TYPES = {kind: NAMES for kind in Kind} | {kind: pa.int64() for kind in (Kind.WHOLE, Kind.COUNT, Kind.PLACE)}
_TYPES[Kind.REAL] = pa.float64()

#: white space but for line feeds, as ``bytes.split`` has it
_BLANKS = b" \t\r\v\f"
_MADE_BLANK = bytes.maketrans(_BLANKS, b" " * len(_BLANKS))

#: the largest whole number
_LARGEST = 10**15 - 1

#: bytes of the beginning whose lines tell the form to try
_SAMPLE = 1 << 12
#: bytes that are read together: this much is read again for a bad line
_PIECE = 1 << 22
#: bytes that are read line by line
_SMALLEST = 1 << 16


@dataclass(frozen=True, eq=False)
class TextColumns:
    """The good lines of a text, N of them, in columns."""

    table: pa.Table
    line: Ints  #: (N,) number of each line, from 1

    def __len__(self) -> int:
        return len(self.line)

    def __contains__(self, column: str) -> bool:
        return column in self.table.column_names

    def names(self, column: str) -> pd.Categorical:
        """(N,) the names in a column."""
        return numbered(self.table.column(column))

    def documents(self) -> tuple[pd.Categorical, int]:
        """(N,) the documents, and how many names had the extension of XML files, which is left out."""
        return without_extensions(self.names("document"))

    def numbers(self, column: str) -> Any:
        """(N,) the numbers in a column, int64 or float64; -1 for a place that is not known."""
        return self.table.column(column).to_numpy()

    def the_run(self, path: Path) -> str:
        """The one name in the column ``run``. Raises InputError if there are several."""
        run = self.names("run")
        names = run.categories.tolist()
        if len(names) > 1:
            first = [
                f"{name!r} (line {self.line[np.argmax(run.codes == k)]})" for k, name in enumerate(names[:5])
            ]
            found = f"{len(names)} runs: {', '.join(first)}"
            raise InputError(Problem(str(path), "", found, "give one run in one file"))
        return str(names[0])


def read_columns(
    path: Path, forms: Sequence[Form], explain: Callable[[list[str], int], object], rejected: list[Problem]
) -> TextColumns:
    """The lines of a file that have one of these forms, which differ in their number of columns: that of most lines.

    All others become problems in ``rejected``: ``explain`` takes the fields of a line and how many there should be, and
    raises `Refused` if they cannot be read, saying why.
    """
    beginning = next(pieces_of(path, _SAMPLE), b"").split(b"\n")
    sample = Counter(len(line.split()) for line in beginning)
    reading = _Reading(max(forms, key=lambda form: sample[len(form)]), explain)
    found = reading.columns(path)
    most = max(forms, key=lambda form: reading.widths[len(form)])
    if most is not reading.form:
        reading = _Reading(most, explain)
        found = reading.columns(path)
    rejected += [Problem(str(path), f"line {line}", *refused.args) for line, refused in reading.refused]
    return found


@dataclass(frozen=True)
class _Reading:
    """How lines are read, and what is found on the way."""

    form: Form
    explain: Callable[[list[str], int], object]
    refused: list[tuple[int, Refused]] = field(default_factory=list)  #: with the number of the line
    widths: Counter[int] = field(default_factory=Counter)  #: lines by their number of fields

    def columns(self, path: Path) -> TextColumns:
        """The good lines of a file."""
        tables, lines = [], []
        number = 1
        for piece in pieces_of(path, _PIECE):
            if any(blank in piece for blank in _BLANKS[1:]):
                piece = piece.translate(_MADE_BLANK)
            count = piece.count(b"\n")
            for table, line in self._read(piece, count, number):
                tables.append(table)
                lines.append(line)
            number += count
        table = pa.concat_tables(tables or [_schema(self.form).empty_table()])
        self.widths[len(self.form)] += len(table)
        return TextColumns(table, np.concatenate(lines or [np.empty(0, dtype=np.int64)]))

    def _read(self, piece: bytes, count: int, number: int) -> Iterator[tuple[pa.Table, Ints]]:
        """The good ones of so many lines that begin with this number, and their numbers."""
        table = _at_once(piece, self.form)
        if table is None and (even := _even(piece)) != piece:
            piece, table = even, _at_once(even, self.form)
        if table is not None:
            yield table, number + _places_of_lines(piece, count, len(table))
            return
        parts = list(_parts(piece, max(len(piece) // 8, _SMALLEST)))
        if len(parts) == 1:
            yield self._one_by_one(piece, number)
            return
        for part in parts:
            count = part.count(b"\n")
            yield from self._read(part, count, number)
            number += count

    def _one_by_one(self, piece: bytes, number: int) -> tuple[pa.Table, Ints]:
        """The same, without Arrow's reader."""
        rows, lines = [], []
        for at, line in enumerate(piece.split(b"\n")[:-1], number):
            fields = line.split()
            if not fields:
                continue
            try:
                row = decoded(b" ".join(fields)).split(" ")
                self.explain(row, len(self.form))
            except Refused as refused:
                self.refused.append((at, refused))
                self.widths[len(fields)] += 1
            else:
                rows.append(row)
                lines.append(at)
        read = [
            pa.array([_value(kind, row[at]) for row in rows], _TYPES[kind])
            for at, kind in enumerate(self.form.values())
        ]
        return pa.table(read, schema=_schema(self.form)), np.array(lines, dtype=np.int64)


def _schema(form: Form) -> pa.Schema:
    return pa.schema([(name, _TYPES[kind]) for name, kind in form.items()])


def _value(kind: Kind, text: str) -> str | int | float:
    """What a good field holds."""
    if kind is Kind.REAL:
        return float(text)
    if text == UNKNOWN and kind is Kind.PLACE:
        return -1
    return text if _TYPES[kind] is NAMES else int(text)


def _parts(piece: bytes, size: int) -> Iterator[bytes]:
    """The piece in parts of whole lines, of about so many bytes."""
    begin = 0
    while begin < len(piece):
        end = piece.find(b"\n", begin + size) + 1 or len(piece)
        yield piece[begin:end]
        begin = end


def _even(piece: bytes) -> bytes:
    """The piece with single blanks between fields, and no others."""
    while b"  " in piece:
        piece = piece.replace(b"  ", b" ")
    return piece.replace(b" \n", b"\n").replace(b"\n ", b"\n").lstrip(b" ")


def _places_of_lines(piece: bytes, count: int, rows: int) -> Ints:
    """(rows,) the place among all ``count`` lines of those that are not empty."""
    if count == rows:
        return np.arange(rows)
    ends = np.flatnonzero(np.frombuffer(piece, np.uint8) == ord("\n"))
    return np.flatnonzero(np.diff(ends, prepend=-1) > 1)


def _at_once(piece: bytes, form: Form) -> pa.Table | None:
    """The lines of a piece as Arrow reads them; None if one of them may be bad, or is good and not read by Arrow."""
    if b"\0" in piece or piece.startswith(MARK):
        return None
    try:
        table = _by_arrow(piece, form, {name: _TYPES[kind] for name, kind in form.items()})
    except pa.ArrowInvalid:
        return None
    if _has_hexadecimals(piece, form):
        return None
    known: Bools | None = None  # whether each place in the column before is known
    for at, kind in enumerate(form.values()):
        column = table.column(at)
        if kind is Kind.PLACE:
            column = pc.fill_null(column, -1)
            table = table.set_column(at, table.field(at), column)
            places = column.to_numpy()
            if known is not None and (known & (places < 0)).any():
                return None
            known = places >= 0
        if not _is_good(column, kind):
            return None
    return table


def _by_arrow(piece: bytes, form: Form, types: Mapping[str, pa.DataType]) -> pa.Table:
    """Columns of these types; raises ArrowInvalid for what cannot be read."""
    return csv.read_csv(
        pa.BufferReader(piece),
        csv.ReadOptions(use_threads=False, column_names=list(form), block_size=len(piece) + 1),
        csv.ParseOptions(delimiter=" ", quote_char=False),
        csv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            check_utf8=not piece.isascii(),
            strings_can_be_null=False,
            null_values=[UNKNOWN] * (Kind.PLACE in form.values()),
        ),
    )


def _has_hexadecimals(piece: bytes, form: Form) -> bool:
    """Whether Arrow takes 0x1F for a whole number in this piece."""
    if not any(x in piece and b"0" + x in piece for x in (b"x", b"X")):
        return False
    whole = {name: pa.string() for name, kind in form.items() if _TYPES[kind] == pa.int64()}
    read = _by_arrow(piece, form, whole)
    return any(pc.any(pc.match_substring_regex(column, "0[xX]")).as_py() for column in read.columns)


def _is_good(column: pa.ChunkedArray, kind: Kind) -> bool:
    """Whether every field that Arrow has read is what it should be here."""
    if column.null_count:
        return False
    if kind is Kind.REAL:
        return bool(np.isfinite(column.to_numpy()).all())
    if _TYPES[kind] is not NAMES:
        values = column.to_numpy()
        least = {Kind.WHOLE: -_LARGEST, Kind.COUNT: 0, Kind.PLACE: -1}[kind]
        return not len(values) or bool(values.min() >= least and values.max() <= _LARGEST)
    names = pa.chunked_array([chunk.dictionary for chunk in column.chunks], NAMES.value_type)
    if kind is Kind.PATH:
        return bool(pc.all(pc.starts_with(names, "/"), min_count=0).as_py())
    if kind is Kind.DOCUMENT:
        return not has_blank(documents_of(names))
    return bool(pc.all(pc.greater(pc.binary_length(names), 0), min_count=0).as_py())
