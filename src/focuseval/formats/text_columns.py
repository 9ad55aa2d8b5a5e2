"""Texts in columns, separated by blanks: names as numbers, numbers as numbers.

Arrow's reader of CSV knows single blanks between fields, and it takes less for a number than is one here, and more: the
latter is left to whoever reads line by line.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from focuseval.errors import Problem
from focuseval.formats.lines import (
    MARK,
    LineFormat,
    decoded_fields,
    pieces_of,
    places_of_lines,
    read_lines,
)
from focuseval.formats.names import NAMES, documents_of, encoded, has_blank
from focuseval.formats.parsed import Refused
from focuseval.model.arrays import Ints


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

#: white space but for line feeds, as ``bytes.split`` has it
_BLANKS = b" \t\r\v\f"
_MADE_BLANK = bytes.maketrans(_BLANKS, b" " * len(_BLANKS))
#: what Arrow takes for a whole number, and is none
_HEXADECIMAL = re.compile(rb"[ \n][+-]?0[xX]")

#: the largest whole number, and the least of each kind
_LARGEST = 10**15 - 1
_LEAST = {Kind.WHOLE: -_LARGEST, Kind.COUNT: 0, Kind.PLACE: -1}

#: bytes of the beginning whose lines tell the form to try
_SAMPLE = 1 << 12


def read_columns(
    path: Path, forms: Sequence[Form], explain: Callable[[list[str], int], object], rejected: list[Problem]
) -> pd.DataFrame:
    """The lines of a file that have one of these forms, which differ in their number of columns: that of most lines.

    All others become problems in ``rejected``: ``explain`` takes the fields of a line and how many there should be, and
    raises `Refused` if they cannot be read, saying why. The frame has the columns of the form and ``line``.
    """
    beginning = next(pieces_of(path, _SAMPLE), b"").split(b"\n")
    widths = Counter(len(line.split()) for line in beginning)
    form: Form | None = None
    while form is not (form := max(forms, key=lambda form: widths[len(form)])):
        others: list[int] = []  # widths of lines that are not read
        kept = {name: _TYPES[kind] for name, kind in form.items() if kind is not Kind.SKIPPED}
        one = partial(_row, form, explain, others)
        frame, refused = read_lines(path, LineFormat(pa.schema(kept), partial(_at_once, form), one))
        widths = Counter(others)
        widths[len(form)] += len(frame)
    rejected += [Problem(str(path), f"line {line}", *why.args) for line, why in refused]
    return frame


def _row(form: Form, explain: Callable[[list[str], int], object], others: list[int], line: bytes) -> tuple:
    """The values of one line."""
    try:
        fields = decoded_fields(line)
        explain(fields, len(form))
    except Refused:
        others.append(len(line.split()))
        raise
    kinds = zip(fields, form.values(), strict=True)
    return tuple(_value(kind, field) for field, kind in kinds if kind is not Kind.SKIPPED)


def _value(kind: Kind, text: str) -> str | int | float:
    """What a good field holds."""
    if kind is Kind.REAL:
        return float(text)
    if text == UNKNOWN and kind is Kind.PLACE:
        return -1
    return text if _TYPES[kind] is NAMES else int(text)


def _at_once(form: Form, piece: bytes) -> pa.Table | None:
    """The lines of a piece as Arrow reads them; None if one of them may be bad, or is good and not read by Arrow."""
    if b"\r" in piece:  # most likely the ends of lines
        piece = piece.replace(b"\r\n", b"\n")
    if any(blank in piece for blank in _BLANKS[1:]):
        piece = piece.translate(_MADE_BLANK)
    if b"\0" in piece or piece.startswith(MARK):
        return None
    for text, has_empty_lines in ((piece, False), (None, True)):
        text = _even(piece) if text is None else text
        hexadecimals = (b"0x" in text or b"0X" in text) and _HEXADECIMAL.search(text)
        if not hexadecimals and (read := _by_arrow(text, form, has_empty_lines)) is not None:
            lines = places_of_lines(text) if has_empty_lines else np.arange(len(read))
            return _checked(read, form, lines)
    return None


def _even(piece: bytes) -> bytes:
    """The piece with single blanks between fields, and no others."""
    while b"  " in piece:
        piece = piece.replace(b"  ", b" ")
    return piece.replace(b" \n", b"\n").replace(b"\n ", b"\n").lstrip(b" ")


def _by_arrow(text: bytes, form: Form, has_empty_lines: bool) -> pa.Table | None:
    """Columns as Arrow reads them; None for what it cannot read."""
    # names are numbered quicker behind the reader than in it
    types = {name: pa.string() if _TYPES[kind] is NAMES else _TYPES[kind] for name, kind in form.items()}
    try:
        return csv.read_csv(
            pa.BufferReader(text),
            csv.ReadOptions(use_threads=False, column_names=list(form), block_size=len(text) + 1),
            csv.ParseOptions(delimiter=" ", quote_char=False, ignore_empty_lines=has_empty_lines),
            csv.ConvertOptions(
                column_types=types,
                check_utf8=not text.isascii(),
                strings_can_be_null=False,
                null_values=[UNKNOWN] * (Kind.PLACE in form.values()),
            ),
        )
    except pa.ArrowInvalid:
        return None


def _checked(read: pa.Table, form: Form, line: Ints) -> pa.Table | None:
    """The columns, with names numbered; None unless every field is what it should be here."""
    columns = {}
    for (name, kind), column in zip(form.items(), read.columns, strict=True):
        if kind is not Kind.SKIPPED:
            good = _good(column.combine_chunks(), kind)
            if good is None:
                return None
            columns[name] = good
    if unknown := [columns[name].to_numpy() < 0 for name, kind in form.items() if kind is Kind.PLACE]:
        offset, length = unknown
        if (~offset & length).any():
            return None
    return pa.table({**columns, "line": line})


def _good(column: pa.Array, kind: Kind) -> pa.Array | None:
    """A column that Arrow has read, names numbered; None unless every field is what it should be here."""
    if kind is Kind.PLACE:
        column = column.fill_null(-1)
    if column.null_count:
        return None
    if kind is Kind.REAL:
        return column if np.isfinite(column.to_numpy()).all() else None
    if kind in _LEAST:
        values = column.to_numpy()
        within = not len(values) or (values.min() >= _LEAST[kind] and values.max() <= _LARGEST)
        return column if within else None
    column = encoded(column, neighbours_alike=kind is Kind.NAME)
    names = column.dictionary
    if kind is Kind.PATH:
        good = pc.all(pc.starts_with(names, "/"), min_count=0).as_py()
    elif kind is Kind.DOCUMENT:
        good = not has_blank(documents_of(names))
    else:
        good = pc.all(pc.greater(pc.binary_length(names), 0), min_count=0).as_py()
    return column if good else None
