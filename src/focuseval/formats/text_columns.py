"""Texts in columns: names as numbers, numbers as numbers, bad lines told one by one.

Arrow's reader of CSV goes from bytes to columns, piece by piece. It knows single blanks between fields, and it takes
less for a number than is one here, and more: a piece that it may have read wrongly is read in smaller ones, and the
smallest line by line.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from focuseval.errors import InputError, Problem
from focuseval.formats.lines import MARK, decoded_fields, pieces_of
from focuseval.formats.names import (
    NAMES,
    documents_in,
    documents_of,
    encoded,
    has_blank,
    numbered,
)
from focuseval.formats.raw import Refused
from focuseval.model.arrays import Bools, Ints
from focuseval.model.parallel import cores, in_threads


class Kind(Enum):
    """What stands in a column."""

    SKIPPED = auto()
    NAME = auto()  #: that of the line before, mostly
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

_TYPES = {kind: NAMES for kind in (Kind.NAME, Kind.DOCUMENT, Kind.PATH)}
_TYPES |= {kind: pa.int64() for kind in (Kind.WHOLE, Kind.COUNT, Kind.PLACE)}
_TYPES |= {Kind.REAL: pa.float64(), Kind.SKIPPED: pa.string()}
#: names are numbered quicker behind the reader than in it
_READ_AS = {kind: pa.string() if type is NAMES else type for kind, type in _TYPES.items()}

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

    def documents(self) -> tuple[pd.api.extensions.ExtensionArray, int]:
        """(N,) the documents, and how many names had the extension of XML files, which is left out.

        They are numbered, unless few stand there twice: `share_names` takes them as they are.
        """
        return documents_in(self.table.column("document"))

    def numbers(self, column: str) -> Any:
        """(N,) the numbers in a column, int64 or float64; -1 for a place that is not known."""
        return self.table.column(column).to_numpy()

    def the_run(self, path: Path) -> str:
        """The one name in the column ``run``. Raises InputError if there are several."""
        chunks = self.table.column("run").chunks
        names = list(dict.fromkeys(chain(*(chunk.dictionary.to_pylist() for chunk in chunks))))
        if len(names) > 1:
            codes = self.names("run").codes
            first = [
                f"{name!r} (line {self.line[np.argmax(codes == k)]})" for k, name in enumerate(names[:5])
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
    found = _read(path, max(forms, key=lambda form: sample[len(form)]), explain)
    most = max(forms, key=lambda form: found.widths[len(form)])
    if most is not found.form:
        found = _read(path, most, explain)
    rejected += [Problem(str(path), f"line {line}", *refused.args) for line, refused in found.refused]
    table = pa.concat_tables(found.tables or [_schema(found.form).empty_table()])
    return TextColumns(table, np.concatenate(found.lines or [np.empty(0, dtype=np.int64)]))


def _read(path: Path, form: Form, explain: Callable[[list[str], int], object]) -> "_Reading":
    """What there is in all pieces of a file."""
    found = _Reading(form, explain)
    pieces = pieces_of(path, _PIECE)
    first = list(islice(pieces, 2))

    def read(piece: bytes) -> _Reading:
        reading = _Reading(form, explain, alone=len(first) == 1)
        if b"\r" in piece:  # most likely the ends of lines, behind which nothing is to be made even
            piece = piece.replace(b"\r\n", b"\n")
        if any(blank in piece for blank in _BLANKS[1:]):
            piece = piece.translate(_MADE_BLANK)
        reading.read(piece)
        return reading

    for reading in in_threads(read, chain(first, pieces), cores()):
        found.tables += reading.tables
        found.lines += [line + found.count for line in reading.lines]
        found.refused += [(line + found.count, refused) for line, refused in reading.refused]
        found.widths.update(reading.widths)
        found.count += reading.count
    return found


@dataclass
class _Reading:
    """How lines are read, and what there is in the lines before: their numbers begin with 1."""

    form: Form
    explain: Callable[[list[str], int], object]
    alone: bool = False  #: whether what is read at once is all of the file
    tables: list[pa.Table] = field(default_factory=list)  #: the good lines
    lines: list[Ints] = field(default_factory=list)  #: their numbers
    refused: list[tuple[int, Refused]] = field(default_factory=list)  #: with the number of the line
    widths: Counter[int] = field(default_factory=Counter)  #: lines by their number of fields
    count: int = 0  #: of lines, also of those that are blank

    def read(self, piece: bytes) -> None:
        """Read the lines of a piece."""
        for prepare, has_empty_lines in ((bytes, False), (_even, True)):
            text = prepare(piece)
            table = _at_once(text, self.form, has_empty_lines, self.alone)
            if table is not None:
                count = text.count(b"\n") if has_empty_lines else len(table)
                self._keep(table, _places_of_lines(text, count, len(table)) + 1)
                self.count += count
                return
        self.alone = False
        parts = list(_parts(piece, max(len(piece) // 8, _SMALLEST)))
        if len(parts) == 1:
            self._read_one_by_one(piece)
            return
        for part in parts:
            self.read(part)

    def _keep(self, table: pa.Table, lines: Ints) -> None:
        self.tables.append(table)
        self.lines.append(lines + self.count)
        self.widths[len(self.form)] += len(table)

    def _read_one_by_one(self, piece: bytes) -> None:
        """The same, without Arrow's reader."""
        rows, lines = [], []
        texts = piece.split(b"\n")[:-1]
        for at, line in enumerate(texts, 1):
            fields = line.split()
            if not fields:
                continue
            try:
                row = decoded_fields(fields)
                self.explain(row, len(self.form))
            except Refused as refused:
                # its traceback would keep the whole piece in memory
                self.refused.append((self.count + at, refused.with_traceback(None)))
                self.widths[len(fields)] += 1
            else:
                rows.append(row)
                lines.append(at)
        read = [
            pa.array([_value(kind, row[at]) for row in rows], _TYPES[kind])
            for at, kind in enumerate(self.form.values())
            if kind is not Kind.SKIPPED
        ]
        self._keep(pa.table(read, schema=_schema(self.form)), np.array(lines, dtype=np.int64))
        self.count += len(texts)


def _schema(form: Form) -> pa.Schema:
    return pa.schema([(name, _TYPES[kind]) for name, kind in form.items() if kind is not Kind.SKIPPED])


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


def _at_once(piece: bytes, form: Form, has_empty_lines: bool, alone: bool) -> pa.Table | None:
    """The lines of a piece as Arrow reads them; None if one of them may be bad, or is good and not read by Arrow.

    An empty one is bad, or passed over where there may be some. Documents are numbered, unless few stand twice in a
    piece that is ``alone``.
    """
    if b"\0" in piece or piece.startswith(MARK):
        return None
    try:
        types = {name: _READ_AS[kind] for name, kind in form.items()}
        read = _by_arrow(piece, form, types, has_empty_lines)
    except pa.ArrowInvalid:
        return None
    if _has_hexadecimals(piece, form):
        return None
    columns = []
    known: Bools | None = None  # whether each place in the column before is known
    for column, kind in zip(read.columns, form.values(), strict=True):
        if kind is Kind.PLACE:
            column = pc.fill_null(column, -1)
            places = column.to_numpy()
            if known is not None and (known & (places < 0)).any():
                return None
            known = places >= 0
        if kind is Kind.DOCUMENT and alone:
            column = encoded(column.combine_chunks())
        elif _TYPES[kind] is NAMES and not column.null_count:
            column = encoded(column.combine_chunks(), neighbours_alike=kind is Kind.NAME)
        if not _is_good(column, kind):
            return None
        if kind is not Kind.SKIPPED:
            columns.append(column)
    return pa.table(columns, names=_schema(form).names)


def _by_arrow(piece: bytes, form: Form, types: Mapping[str, pa.DataType], has_empty_lines: bool) -> pa.Table:
    """Columns of these types; raises ArrowInvalid for what cannot be read."""
    return csv.read_csv(
        pa.BufferReader(piece),
        csv.ReadOptions(use_threads=False, column_names=list(form), block_size=len(piece) + 1),
        csv.ParseOptions(delimiter=" ", quote_char=False, ignore_empty_lines=has_empty_lines),
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
    read = _by_arrow(piece, form, whole, has_empty_lines=True)
    return any(pc.any(pc.match_substring_regex(column, "0[xX]")).as_py() for column in read.columns)


def _is_good(column: pa.Array | pa.ChunkedArray, kind: Kind) -> bool:
    """Whether every field that Arrow has read is what it should be here."""
    if column.null_count:
        return False
    if kind is Kind.REAL:
        return bool(np.isfinite(column.to_numpy()).all())
    if _TYPES[kind] == pa.int64():
        values = column.to_numpy()
        least = {Kind.WHOLE: -_LARGEST, Kind.COUNT: 0, Kind.PLACE: -1}[kind]
        return not len(values) or bool(values.min() >= least and values.max() <= _LARGEST)
    names = column.dictionary if column.type == NAMES else column
    if kind is Kind.PATH:
        return bool(pc.all(pc.starts_with(names, "/"), min_count=0).as_py())
    if kind is Kind.DOCUMENT:  # strings, which are not numbered, have no extension
        return not has_blank(documents_of(names) if column.type == NAMES else names)
    return bool(pc.all(pc.greater(pc.binary_length(names), 0), min_count=0).as_py())
