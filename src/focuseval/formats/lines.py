"""Read the lines of text files, one by one or as the rows of a table.

Arrow converts many lines to columns at once. If Arrow cannot read a piece of a file, the piece is split, and the lines
of the smallest pieces are read one by one, so that messages describe each problem.

A format with blank-separated columns declares the `Kind` of each column. These kinds determine how its files are
recognised and read. Arrow's CSV reader needs single blanks between fields. It accepts some numbers that our readers
refuse, and refuses some numbers that our readers accept. Lines with such numbers are read one by one.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from focuseval.errors import InputError, Problem, counted
from focuseval.files import read_bytes, unpacked
from focuseval.formats.parsed import (
    DIGITS,
    NAMES,
    UNKNOWN,
    Comment,
    NotInBlocks,
    UnusableValue,
    categorical,
    document_name,
    documents_of,
    encoded,
    has_blank,
    numbers,
    passage,
    quoted,
    real_number,
    required,
    whole_number,
)
from focuseval.model.arrays import Ints
from focuseval.model.parallel import cores, in_threads

Item = TypeVar("Item")

#: the byte order mark of UTF-8, which is removed from texts
MARK = b"\xef\xbb\xbf"

#: matches fields that look like numbers, including malformed numbers
_NUMBER = re.compile(rb"[+-]?([0-9.,]+(e[+-]?[0-9]+)?|nan|inf(inity)?)", re.IGNORECASE)

#: number of bytes that are read at once
_PIECE = 1 << 22
#: pieces that Arrow cannot read are split down to this number of bytes
_SMALLEST = 1 << 16
#: the last column of every table, which has the number or index of the line
_LINE = pa.field("line", pa.int64())


def content_of(path: str | Path) -> bytes:
    """Return the bytes of a text file, without its byte order mark."""
    return read_bytes(path).removeprefix(MARK)


def pieces_of(path: str | Path, size: int) -> Iterator[bytes]:
    """Yield a text file in pieces of about ``size`` bytes. Each piece has whole lines, and ends with a line feed."""
    mark = MARK
    with unpacked(path) as stream:
        while piece := stream.read(size):
            piece = (piece + stream.readline()).removeprefix(mark)
            yield piece if piece.endswith(b"\n") else piece + b"\n"
            mark = b""


def lines_of(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the line number and the content of every non-blank line of a text file."""
    for number, line in enumerate(content_of(path).split(b"\n"), 1):
        if line.strip():
            yield number, line


def is_comment(line: bytes) -> bool:
    """Return whether a line is a comment: its first character after any blanks is #."""
    return line.lstrip().startswith(b"#")


def decoded(line: bytes, encoding: str = "utf-8") -> str:
    """Return a line as text. Raises UnusableValue for NUL, and for bytes that are invalid in the encoding."""
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError as error:
        found = f"byte {error.start + 1} of the line is {line[error.start]:#04x}, which is not UTF-8"
        raise UnusableValue(found, "save the file as UTF-8") from error
    if "\0" in text:
        raise UnusableValue("the line contains a NUL character", "save the file as UTF-8")
    return text


def looks_like_number(field: bytes) -> bool:
    """Return whether a field looks like a number, even if it is malformed."""
    return _NUMBER.fullmatch(field) is not None


def fields_of(line: bytes, tabs: bool = False) -> list[bytes]:
    """Split a line into fields at blanks, or at tabs if ``tabs`` is true."""
    return [field.strip() for field in line.split(b"\t")] if tabs else line.split()


def decoded_fields(line: bytes, tabs: bool = False) -> list[str]:
    """Return the fields of a line (`fields_of`) as text. Raises UnusableValue unless they are UTF-8 without NUL."""
    return decoded(b"\t".join(fields_of(line, tabs))).split("\t")


@dataclass(frozen=True)
class LineFormat:
    """A line-based format: its columns, and two functions that convert lines to rows."""

    schema: pa.Schema  #: names and types of the columns (names have the type `NAMES`)
    #: converts many lines to rows with line indexes, or returns None if they must be converted one by one
    at_once: Callable[[bytes], pa.Table | None]
    #: converts a line that is not blank to a row, or raises `UnusableValue`
    row: Callable[[bytes], tuple]


#: a part of a file: the usable lines as rows, and the number and error of each unusable line
Block = tuple[pd.DataFrame, list[tuple[int, UnusableValue]]]
TableBlock = tuple[pa.Table, list[tuple[int, UnusableValue]]]


def read_lines(path: Path, format: LineFormat, rows: int | None) -> Iterator[TableBlock]:
    """Yield the rows of a text file in blocks of at least ``rows`` rows, or in one block if ``rows`` is None.

    Every block ends at the end of a topic. The last block may have fewer rows.
    """
    # empty tables are left out, because their dictionaries may have names that no row uses
    tables, unusable = list[pa.Table](), list[tuple[int, UnusableValue]]()
    before, row_count = 1, 0
    for parts, refused, count in in_threads(partial(_read, format), pieces_of(path, _PIECE), cores()):
        tables += [_renumbered(table, before) for table in parts if len(table)]
        unusable += [(before + index, why) for index, why in refused]
        before += count
        row_count += sum(map(len, parts))
        if rows is not None and row_count >= rows and (last := _last_topic(tables)) is not None:
            *whole, cut = tables
            yield pa.concat_tables([*whole, _own_names(cut[:last])]), unusable
            tables, unusable, row_count = [_own_names(cut[last:])], [], len(cut) - last
    empty = format.schema.append(_LINE).empty_table()
    yield pa.concat_tables(tables or [empty]), unusable


def _last_topic(tables: list[pa.Table]) -> int | None:
    """Return the index of the last topic's first row in the last table, or None if that row is in an earlier table."""
    topics = tables[-1]["topic"].combine_chunks()
    codes = np.asarray(topics.indices)
    if len(others := np.flatnonzero(codes != codes[-1])):
        return int(others[-1]) + 1
    alone = len(tables) > 1 and tables[-2]["topic"][-1].as_py() != topics[-1].as_py()
    return 0 if alone else None


def _own_names(table: pa.Table) -> pa.Table:
    """Remove the names that no row uses from the dictionary arrays of a table."""
    columns = [
        encoded(column.combine_chunks().dictionary_decode()) if column.type == NAMES else column
        for column in table.columns
    ]
    return pa.table(columns, schema=table.schema)


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Convert a table to a pandas frame. Columns of names become categorical."""
    return numbered_frame(table, ())[0]


def numbered_frame(
    table: pa.Table, many: Collection[str] = ("document", "path")
) -> tuple[pd.DataFrame, dict[str, pa.Array]]:
    """Convert a table to a frame. In the columns ``many``, replace each name by its index in an array of names.

    Also return this array of names for each of the columns ``many``.
    """
    columns, names = {}, {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if column.type != NAMES:
            columns[name] = column.to_numpy()
            continue
        one = column.combine_chunks()
        codes = np.asarray(one.indices)
        if name in many:
            names[name] = one.dictionary
            columns[name] = numbers(codes, len(one.dictionary))
        else:
            columns[name] = categorical(codes, one.dictionary)
    return pd.DataFrame(columns, copy=False), names


def _read(format: LineFormat, piece: bytes) -> tuple[list[pa.Table], list[tuple[int, UnusableValue]], int]:
    """Return the usable lines of a piece as tables, the index and error of each unusable line, and the line count."""
    tables: list[pa.Table] = []
    unusable: list[tuple[int, UnusableValue]] = []
    before = 0
    waiting = [piece]
    while waiting:
        part = waiting.pop()
        table = format.at_once(part)
        if table is None and len(smaller := _parts(part, max(len(part) // 8, _SMALLEST))) > 1:
            waiting += reversed(smaller)
            continue
        if table is None:
            lines = ((index, line) for index, line in enumerate(part.split(b"\n")) if line.strip())
            table, refused = one_by_one(lines, format.row, format.schema)
            unusable += [(before + index, why) for index, why in refused]
        tables.append(_renumbered(table, before))
        before += len(ends_of_lines(part))
    return tables, unusable, before


def ends_of_lines(text: bytes) -> Ints:
    """Return the offset of every line feed in a text."""
    # unlike methods of bytes, NumPy does not block other threads
    return np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))


def indexes_of_lines(text: bytes) -> Ints:
    """Return the index of every non-empty line in a text."""
    return np.flatnonzero(np.diff(ends_of_lines(text), prepend=-1) > 1)


def _renumbered(table: pa.Table, lines: int) -> pa.Table:
    """Increase all line numbers in a table by ``lines``."""
    return table.set_column(table.num_columns - 1, _LINE, pc.add(table["line"], lines))


def _parts(piece: bytes, size: int) -> list[bytes]:
    """Split a piece of a text file at line ends into parts of about ``size`` bytes."""
    parts, begin = [], 0
    while begin < len(piece):
        end = piece.find(b"\n", begin + size) + 1 or len(piece)
        parts.append(piece[begin:end])
        begin = end
    return parts


def one_by_one(
    items: Iterable[tuple[int, Item]], row: Callable[[Item], tuple], columns: pa.Schema
) -> tuple[pa.Table, list[tuple[int, UnusableValue]]]:
    """Call ``row`` to convert numbered items to the rows of a table. The last column has the item's number.

    Also return the number and error of each item for which ``row`` raises UnusableValue.
    """
    rows, unusable = [], []
    for number, item in items:
        try:
            rows.append((*row(item), number))
        except UnusableValue as error:
            # the traceback would keep all items in memory
            unusable.append((number, error.with_traceback(None)))
    schema = columns.append(_LINE)
    values = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
    return pa.table(arrays, schema=schema), unusable


def read_each(path: Path, row: Callable[[bytes], tuple], columns: pa.Schema) -> Block:
    """Call ``row`` to convert each line of a file to a row. Also return the number and error of each unusable line."""
    table, unusable = one_by_one(lines_of(path), partial(_row_or_comment, row), columns)
    return frame_of(table), unusable


def _row_or_comment(row: Callable[[bytes], tuple], line: bytes) -> tuple:
    """Call ``row`` to convert a line to a row. Raises `Comment` for a line that begins with #."""
    if is_comment(line):
        raise Comment("a comment", "expected none")
    return row(line)


def refuse_names(path: str | Path, columns: pd.DataFrame, characters: str) -> None:
    """Raise an InputError that lists all names in ``columns`` that are empty or contain one of the ``characters``."""
    expected = "change the name, or write another format"
    problems = [
        Problem(str(path), "", f"this format does not allow the {column} {name!r}", expected)
        for column in columns
        for name in columns[column].cat.categories
        if not name or any(character in name for character in characters)
    ]
    if problems:
        raise InputError(problems)


# -------------------- columns of names and numbers, separated by blanks


class Kind(Enum):
    """The kind of the values in a column of a text file."""

    SKIPPED = auto()
    NAME = auto()
    DOCUMENT = auto()  #: a document name
    PATH = auto()  #: an element's path, which begins with a slash
    WHOLE = auto()  #: a whole number of at most 15 digits
    COUNT = auto()  #: a whole number of at least 0
    PLACE = auto()  #: an offset or length, or if it is unknown, -1 or `UNKNOWN`
    REAL = auto()  #: a finite number

    @property
    def arrow(self) -> pa.DataType:
        """The Arrow type of columns of this kind."""
        if self in _LEAST:
            return pa.int64()
        return pa.float64() if self is Kind.REAL else NAMES

    @property
    def least(self) -> int | None:
        """The smallest number of this kind, or None if numbers may be negative. `PLACE` also allows -1 for unknown."""
        return 0 if self in (Kind.COUNT, Kind.PLACE) else None

    @property
    def is_distinctive(self) -> bool:
        """Whether values of this kind look different from names."""
        return self in (Kind.PATH, Kind.REAL) or self in _LEAST

    def holds(self, numbers: np.ndarray) -> bool:
        """Return whether all ``numbers`` are values of this kind."""
        if self is Kind.REAL:
            return bool(np.isfinite(numbers).all())
        return not len(numbers) or bool(numbers.min() >= _LEAST[self] and numbers.max() <= _LARGEST)

    def may_be(self, field: bytes) -> bool:
        """Return whether a field looks like a value of this kind, even if it is malformed."""
        if self is Kind.PATH:
            return b"/" in field or b"[" in field
        return looks_like_number(field) or (self is Kind.PLACE and field == UNKNOWN.encode())

    def value_of(self, text: str, name: str) -> str | int | float:
        """Convert the text of a field to a value of this kind.

        ``name`` is the name of the column in messages. Raises UnusableValue if the text is not of this kind.
        """
        if self is Kind.REAL:
            return real_number(text, f"the {name}")
        if self in (Kind.WHOLE, Kind.COUNT):
            return whole_number(text, f"the {name}", self.least)
        if self is Kind.DOCUMENT:
            required(document_name(text), f"the {name} name")
        if self is Kind.PATH and not text.startswith("/"):
            expected = "expected a path like /article[1]/bdy[1]/sec[2]"
            raise UnusableValue(f"the {name} is {quoted(text)}", expected)
        return text


#: the columns of a text file in order, with their kinds
Form = Mapping[str, Kind]

#: the characters that separate fields: white space except line feeds
_BLANKS = b" \t\r\v\f"
_TO_BLANKS = bytes.maketrans(_BLANKS, b" " * len(_BLANKS))
#: matches the beginning of hexadecimal numbers, which Arrow accepts and our readers refuse
_HEXADECIMAL = re.compile(rb"[ \n][+-]?0[xX]")

#: the largest accepted whole number
_LARGEST = 10**DIGITS - 1
#: the smallest accepted number of each kind of whole numbers
_LEAST = {Kind.WHOLE: -_LARGEST, Kind.COUNT: 0, Kind.PLACE: -1}

#: number of bytes at the beginning of a file that decide which form is tried first
_SAMPLE = 1 << 12


def likeness(forms: Mapping[str, Form], line: bytes, least: float = 0.5) -> tuple[float, str]:
    """Return the highest similarity (0 to 1) of a line to one of ``forms``, and the name of the most similar form.

    The similarity is the share of the form's numbers and paths that look right in the line. It is 0 if this share is
    less than ``least``, or if a path looks wrong.
    """
    likest = [(0.0, "")]
    by_width = _fields_by_width(line)
    for name, form in forms.items():
        if fields := by_width.get(len(form)):
            kinds = zip(fields, form.values(), strict=True)
            recognised = [(kind.may_be(field), kind) for field, kind in kinds if kind.is_distinctive]
            share = sum(good for good, _ in recognised) / len(recognised)
            if share >= least and (False, Kind.PATH) not in recognised:
                likest.append((share, name))
    return max(likest)


@lru_cache(1)  # a line is compared with several formats in turn
def _fields_by_width(line: bytes) -> Mapping[int, list[bytes]]:
    """Split a line twice: at tabs, and at blanks. Return each list of fields under its length.

    If the two lengths are equal, only the fields between blanks are returned.
    """
    return {len(fields): fields for fields in (fields_of(line, tabs=True), fields_of(line))}


def read_columns(path: Path, forms: Sequence[Form], rows: int | None = None) -> Iterator[Block]:
    """Read a file as `read_tables` does, but yield frames instead of tables."""
    for table, unusable in read_tables(path, forms, rows):
        yield frame_of(table), unusable


def read_tables(path: Path, forms: Sequence[Form], rows: int | None = None) -> Iterator[TableBlock]:
    """Yield the lines of a file as tables. The form in ``forms`` that fits most lines determines the columns.

    Forms must differ in their number of columns. Columns are separated by blanks, or by tabs if tabs fit more lines.
    Lines of another form are unusable. In tables, the columns ``start``, ``end`` and ``unresolvable`` replace
    ``offset`` and ``length``, and the column ``line`` is added.

    A block has at least ``rows`` rows. If ``rows`` is None, the whole file is one block. Raises NotInBlocks if most
    lines of a later block have another form, or if no form fits the first block.
    """
    sample = next(pieces_of(path, _SAMPLE), b"").split(b"\n")
    beginning = [line for line in sample if not is_comment(line)]
    tried: list[Form] = []
    expected = {len(form) for form in forms}
    counts = [Counter(len(fields_of(line, tabs)) for line in beginning) for tabs in (False, True)]
    by_blanks, by_tabs = (sum(count[width] for width in expected) for count in counts)
    widths = counts[tabs := by_tabs > by_blanks]
    while True:
        form = max(forms, key=lambda form: widths[len(form)])
        if form in tried:  # without this test, the loop could alternate between two forms for ever
            raise NotInBlocks
        tried.append(form)
        types = {name: kind.arrow for name, kind in form.items() if kind is not Kind.SKIPPED}
        reader = LineFormat(
            pa.schema(types),
            partial(_at_once, form, tabs),
            partial(_row_or_comment, partial(row_of, form, tabs)),
        )
        for block, (table, unusable) in enumerate(read_lines(path, reader, rows)):
            widths = Counter(why.width for _, why in unusable)
            widths[len(form)] += len(table)
            if max(forms, key=lambda form: widths[len(form)]) is not form:
                if block:
                    raise NotInBlocks
                break
            yield _with_places(table), unusable
        else:
            return


def _with_places(table: pa.Table) -> pa.Table:
    """Replace the columns offset and length of a table by start, end and unresolvable."""
    if "offset" not in table.column_names:
        return table
    start, length = (table[name].to_numpy() for name in ("offset", "length"))
    places = {"start": start, "end": np.where(start < 0, -1, start + length), "unresolvable": start < 0}
    others = table.drop_columns(["offset", "length"])
    return pa.table({**dict(zip(others.column_names, others.columns, strict=True)), **places})


def row_of(form: Form, tabs: bool, line: bytes) -> tuple:
    """Convert the fields of a line to the values of the columns ``form``. Raises UnusableValue if they do not fit."""
    try:
        fields = decoded_fields(line, tabs)
        if len(fields) != len(form):
            expected = f"expected {len(form)}: {', '.join(form)}"
            raise UnusableValue(f"the line has {counted(len(fields), 'column')}", expected)
        pairs = zip(fields, form.items(), strict=True)
        values = {name: kind.value_of(field, name) for field, (name, kind) in pairs}
        if Kind.PLACE in form.values():
            values["offset"], values["length"] = passage(values["offset"], values["length"])  # type: ignore[arg-type]
    except UnusableValue as error:
        error.width = len(fields_of(line, tabs))
        raise
    return tuple(values[name] for name, kind in form.items() if kind is not Kind.SKIPPED)


def _at_once(form: Form, tabs: bool, piece: bytes) -> pa.Table | None:
    """Use Arrow to convert many lines to a table. Return None if a line may be unusable, or if Arrow fails."""
    if b"\r" in piece:  # the file may have Windows line ends
        piece = piece.replace(b"\r\n", b"\n")
    if tabs:
        if any(blank in piece for blank in (b" \t", b"\t ", b" \n", b"\n ", b"\r")) or piece.startswith(b" "):
            return None
    elif any(blank in piece for blank in _BLANKS[1:]):
        piece = piece.translate(_TO_BLANKS)
    if b"\0" in piece or piece.startswith(MARK):
        return None
    for text, has_empty_lines in ((piece, False), (None, True)):
        text = (piece if tabs else _with_single_blanks(piece)) if text is None else text
        # searching for a single character first is much faster and usually enough
        if b"#" in text and (text.startswith(b"#") or b"\n#" in text):
            return None
        hexadecimals = any(x in text and b"0" + x in text for x in (b"x", b"X")) and _HEXADECIMAL.search(text)
        if not hexadecimals and (table := _by_arrow(text, form, tabs, has_empty_lines)) is not None:
            lines = indexes_of_lines(text) if has_empty_lines else np.arange(len(table))
            return _checked(table, form, lines)
    return None


def _with_single_blanks(piece: bytes) -> bytes:
    """Replace repeated blanks by one blank, and remove blanks at the start and end of every line."""
    while b"  " in piece:
        piece = piece.replace(b"  ", b" ")
    return piece.replace(b" \n", b"\n").replace(b"\n ", b"\n").lstrip(b" ")


def _by_arrow(text: bytes, form: Form, tabs: bool, has_empty_lines: bool) -> pa.Table | None:
    """Read the columns of a text with Arrow. Return None if Arrow cannot read the text."""
    # strings are encoded after reading, because Arrow's reader encodes more slowly
    types = {name: pa.string() if kind.arrow is NAMES else kind.arrow for name, kind in form.items()}
    try:
        return csv.read_csv(
            pa.BufferReader(text),
            csv.ReadOptions(use_threads=False, column_names=list(form), block_size=len(text) + 1),
            csv.ParseOptions(
                delimiter="\t" if tabs else " ", quote_char=False, ignore_empty_lines=has_empty_lines
            ),
            csv.ConvertOptions(
                column_types=types,
                check_utf8=not text.isascii(),
                strings_can_be_null=False,
                null_values=[UNKNOWN] if Kind.PLACE in form.values() else [],
            ),
        )
    except pa.ArrowInvalid:
        return None


def _checked(table: pa.Table, form: Form, line: Ints) -> pa.Table | None:
    """Encode names in a table, and add the column ``line``. Return None if a field is invalid."""
    columns = {}
    for (name, kind), column in zip(form.items(), table.columns, strict=True):
        good = _good(column.combine_chunks(), kind)
        if good is None:
            return None
        if kind is not Kind.SKIPPED:
            columns[name] = good
    if Kind.PLACE in form.values():
        offset, length = columns["offset"].to_numpy(), columns["length"].to_numpy()
        if ((offset >= 0) & (length < 0)).any():
            return None
    return pa.table({**columns, "line": line})


def _good(column: pa.Array, kind: Kind) -> pa.Array | None:
    """Return a column, with names encoded, or None if a value is not of the ``kind``."""
    if kind is Kind.PLACE:
        column = column.fill_null(-1)
    if column.null_count:
        return None
    if kind is Kind.REAL or kind in _LEAST:
        return column if kind.holds(column.to_numpy()) else None
    if kind is not Kind.SKIPPED:
        column = encoded(column)
    names = column if kind is Kind.SKIPPED else column.dictionary
    if kind is Kind.PATH:
        good = pc.all(pc.starts_with(names, "/"), min_count=0).as_py()
    elif kind is Kind.DOCUMENT:
        good = not has_blank(documents_of(names))
    else:
        good = pc.all(pc.greater(pc.binary_length(names), 0), min_count=0).as_py()
    return column if good else None
