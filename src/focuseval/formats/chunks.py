"""Read gold spans and retrieved chunks from JSON lines, or from tables in memory.

A gold span is ``{"topic": "q1", "document": "guide.md", "start": 120, "end": 180}``. ``start`` and ``end`` count
characters of the document's text. A gold span may also have ``"aspects"`` of the topic (a list), a ``"grade"``, and a
``"group"`` of alternative spans. A retrieved chunk may have a ``"score"``, a ``"rank"`` and a ``"run"``. Without
``"run"``, the run has the name of the file. Chunks may nest and overlap.

All other keys are ignored, and in gold they are also reported. However, an unknown key is refused if it resembles a
missing key, or names a part of a document. The value null counts as missing. A whole number may be written as 61.0,
because pandas writes it like this if its column has empty cells.

Lines and tables are read and checked as columns. If this fails, rows are read one by one, so that messages describe
each problem.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json

from focuseval.errors import InputError, Option, Problem, Sentence, agreeing, closest, listed
from focuseval.files import is_utf8, without_gz
from focuseval.formats.lines import (
    MARK,
    Block,
    Kind,
    LineFormat,
    decoded,
    ends_of_lines,
    frame_of,
    lines_of,
    one_by_one,
    pieces_of,
    read_lines,
)
from focuseval.formats.parsed import (
    DIGITS,
    NAMES,
    Format,
    GoldColumns,
    Note,
    NotInBlocks,
    RunColumns,
    UnusableValue,
    categorical,
    codes_of,
    encoded,
    is_missing,
    joined,
    names_in,
    problems_of,
    quoted,
    shortened,
    too_long,
    without_extensions,
)
from focuseval.model.arrays import Ints
from focuseval.numerals import real, whole

#: the keys that every chunk must have
KEYS = ("topic", "document", "start", "end")

#: maximum number of chunks whose texts are compared with the document, to detect offsets in a wrong unit
COMPARED = 10_000

#: offsets, ranks and grades must be below this number
LARGEST = 10**DIGITS

#: the first bytes of Parquet and Arrow files, with names for these files in messages
_TABLES = {b"PAR1": "a Parquet file", b"ARROW1": "an Arrow file"}
#: the column names of CSV are expected within this number of bytes
_HEADING = 1 << 12

#: maximum nesting depth of accepted JSON, below the recursion limit of Python's decoder
DEEPEST = 500
_STRING = re.compile(r'"(?:[^"\\]+|\\.)*+"?', re.DOTALL)

#: keys that retrieved chunks can have, and gold cannot
MARKS_OF_RUNS = ("score", "rank", "run")

#: kinds of JSON lines: gold, runs, and chunks without a topic
GOLD_SPANS, RETRIEVED_CHUNKS, CHUNKING = "gold spans", "retrieved chunks", "chunks without a topic"

#: words for a position that other tools' names of offsets combine with "start" or "end"
_POSITIONS = (
    "index",
    "idx",
    "offset",
    "char",
    "charidx",
    "charindex",
    "charoffset",
    "character",
    "pos",
    "position",
)


def _names_with(*words: str) -> tuple[str, ...]:
    """Return the names of offsets that combine one of ``words`` with a word for a position, in either order."""
    return tuple(name for word in words for also in _POSITIONS for name in (word + also, also + word))


#: for each of our keys, groups of other tools' names (in lower-case letters), with the most reliable group first
ALIASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "topic": (("queryid", "qid", "questionid", "topicid"), ("userinput", "question", "query", "input")),
    "document": (
        ("docno",),
        ("docid", "documentid", "corpusid", "pid", "passageid", "chunkid", "nodeid", "doc"),
        ("source", "filename", "filepath", "file"),
    ),
    "start": (
        (*_names_with("start", "begin"), "splitidxstart", "begin", "from"),
        ("offset",),
    ),
    "end": ((*_names_with("end"), "to"),),
    "grade": (("relevance", "relevant", "label", "rel", "judgment", "judgement", "relevancegrade"),),
    "score": (("similarity", "similarityscore", "rsv"),),
    "run": (("runid", "tag", "system"),),
    "text": (
        ("pagecontent", "content", "passage", "chunk", "context", "passagetext", "chunktext"),
        ("quote", "snippet", "excerpt"),
    ),
}

#: keys that are ignored without a notice: keys of queries, texts and metadata, and keys that `focuseval locate` adds
_BESIDE = {"query", "text", "normalise", "share", "header", "metadata"}
_BESIDE |= {name for key in ("topic", "document", "text") for tier in ALIASES[key] for name in tier}

#: keys, in lower-case letters, that give a position in a document in another way than start and end
_PARTS = {"path", "xpath", "page", "paragraph", "line", "lines", "startline", "endline", "offset", "length"}
#: words in keys that give a position in a document
_PLACES = {"start", "begin", "end", "offset", "offsets", "span"}


def objects_of(path: Path) -> Iterator[tuple[int, dict[str, Any] | UnusableValue]]:
    """Yield the line number and the JSON object of every non-blank line of a file.

    An unusable line yields an `UnusableValue` in place of the object. Raises InputError for Parquet, Arrow and CSV.
    """
    check_is_no_table(path)
    for number, line in lines_of(path):
        try:
            yield number, object_in(line)
        except UnusableValue as error:
            yield number, error


def check_is_no_table(path: Path) -> None:
    """Raise InputError if a file is Parquet, Arrow, or CSV with columns such as ``topic`` and ``document``."""
    try:
        refuse_table(next(pieces_of(path, _HEADING), b""))
    except UnusableValue as error:
        raise InputError.of(str(path), *error.args) from None


def refuse_table(content: bytes) -> None:
    """Raise UnusableValue if ``content`` is Parquet, Arrow, or CSV with columns such as ``topic`` and ``document``."""
    kind = next((name for mark, name in _TABLES.items() if content.startswith(mark)), None)
    first = content[:_HEADING].removeprefix(MARK).lstrip().partition(b"\n")[0]
    columns = {column.strip(b' "\r') for column in re.split(rb"[,;\t]", first)}
    if len(columns & {key.encode() for key in KEYS}) > 1 and b"path" not in columns and b"{" not in first:
        kind = "a CSV table"
    if kind is not None:
        expected = (
            'give JSON lines, which frame.to_json(FILE, orient="records", lines=True) of pandas writes; in Python, you '
            "can also pass the frame itself (docs/formats.md)"
        )
        raise UnusableValue(f"the file is {kind}", expected)


def object_in(line: bytes, keys: Container[str] | None = None) -> dict[str, Any]:
    """Return the JSON object in a line. Raises UnusableValue for other content and for repeated keys.

    If ``keys`` is given, keys that are not in ``keys`` may be repeated.
    """
    record = decoded_json(line, "one object on each line")
    if not isinstance(record, _Object):
        expected = 'expected {"topic": …, "document": …, …}'
        raise UnusableValue(f"{quoted(line.decode())} is not a JSON object", expected)
    if lost := [key for key in record.repeated if keys is None or key in keys]:
        raise UnusableValue(f"the key {_json(lost[0])} occurs twice", "expected each key once")
    return record


def decoded_json(content: bytes, expected: str = "one JSON object or array") -> Any:
    """Decode a JSON text. ``expected`` describes the expected content in error messages.

    Raises UnusableValue for invalid JSON, too many nested levels, and numbers with thousands of digits.
    """
    text = decoded(content)
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        found = f"the JSON is nested more than {DEEPEST} levels deep"
        raise UnusableValue(found, f"expected {expected} with fewer levels")
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        if "integer string conversion" in str(error):
            raise UnusableValue(*_ENDLESS) from None
        reason: object = error
        if isinstance(error, json.JSONDecodeError):
            line = f"line {error.lineno}, " if error.lineno > 1 else ""
            reason = f"{error.msg}, {line}column {error.colno}"
        raise UnusableValue(f"the JSON is not valid ({reason})", f"expected {expected}") from None


def _depth(text: str) -> int:
    """Return the maximum nesting depth of a JSON text."""
    marks = re.findall(r"[\[{]|[\]}]", _STRING.sub("", text))
    return max(accumulate((1 if mark in "[{" else -1 for mark in marks), initial=0))


class _Object(dict[str, Any]):
    """A JSON object with a list of its repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs) if len(self) < len(pairs) else {}
        self.repeated = [key for key, count in counts.items() if count > 1]


#: one decoder is shared by all lines, because creating a decoder takes longer than decoding a line
_DECODER = json.JSONDecoder(object_pairs_hook=_Object)


def name_in(record: dict[str, Any], key: str) -> str:
    """Return the name (or whole number) under ``key`` in a record as text. Raises UnusableValue for other values."""
    value = _whole(record.get(key))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise _unusable(record, key, _with_hint(record, key, "expected a name"))
    if not is_utf8(value) or "\0" in value:
        raise _unusable(record, key, "expected a name without NUL characters or unpaired surrogates")
    return value.strip()


def whole_number_in(record: dict[str, Any], key: str, least: int | None = None) -> int:
    """Return the whole number under ``key``. Raises UnusableValue for other values and for numbers below ``least``."""
    value = _whole(record.get(key))
    lowest = 1 - LARGEST if least is None else least
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value < LARGEST:
        number = "a whole number" + ("" if least is None else f" of at least {least}")
        expected = _with_hint(record, key, f"expected {number}{too_long(value)}{_unquoted(value)}")
        if key in ("start", "end") and isinstance(value, float) and abs(value) < LARGEST:
            seconds = "; for seconds with decimals, multiply by 1000 and set "
            expected = Sentence(expected, seconds, Option("unit", "milliseconds"))
        raise _unusable(record, key, expected)
    return value


#: integers of at least this size are refused, because Python converts at most 4300 digits to text
_PRINTED = 10**4000
#: the problem and the remedy in the message about an integer that is too large to be printed
_ENDLESS = ("a number has thousands of digits", f"expected at most {DIGITS} digits")


def _whole(value: Any) -> Any:
    """Convert a whole float to an integer. Raises UnusableValue for integers that are too large to be printed."""
    if isinstance(value, int) and abs(value) >= _PRINTED:
        raise UnusableValue(*_ENDLESS)
    is_whole = isinstance(value, float) and abs(value) < LARGEST and value.is_integer()
    return int(value) if is_whole else value


def score_in(record: dict[str, Any]) -> float:
    """Return the score of a chunk. Raises UnusableValue unless it is a finite number."""
    value: Any = _whole(record.get("score"))
    try:
        score = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, OverflowError):  # the value is null, a list or an integer with hundreds of digits
        score = math.nan
    if not math.isfinite(score):
        raise _unusable(record, "score", f"expected a finite number{_unquoted(value)}")
    return score


def span_in(record: dict[str, Any]) -> tuple[int, int]:
    """Return the start and end of a chunk. Raises UnusableValue unless the end is after the start."""
    start, end = whole_number_in(record, "start", 0), whole_number_in(record, "end", 0)
    if end <= start:
        raise UnusableValue(f"the start is {start} and the end is {end}", "expected an end after the start")
    return start, end


def _with_hint(record: dict[str, Any], key: str, expected: str) -> str:
    """Return the message ``expected``. If the record has no ``key``, add a hint on how to correct the record."""
    if key == "end" and key not in record and "length" in record:
        return f'{expected}; write the sum of "start" and "length" as "end"'
    close = None if key in record else key_meant(key, names_of_keys(record))
    hint = f"did you write {_json(close)} instead? " if close else ""
    if key != "topic" and not record.keys() & {key, "start", "end"} and isinstance(record.get("text"), str):
        return f"{hint}{expected}; to find where the text is, use focuseval locate"
    return f"{hint}{expected}"


def names_of_keys(record: Mapping[str, Any]) -> list[str]:
    """Return the keys of a JSON object, except `KEYS` and keys of runs, followed by the keys of nested objects.

    The name of a nested key includes the outer key, such as ``metadata.source``.
    """
    inside = [f"{key}.{name}" for key, value in record.items() if isinstance(value, dict) for name in value]
    return sorted(map(str, record.keys() - {*KEYS, *MARKS_OF_RUNS})) + inside


def _values_in(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the values in a JSON object that are not missing. Nested values have keys such as ``metadata.start``."""
    values = {str(key): value for key, value in record.items() if not is_missing(value)}
    return values | {
        f"{key}.{name}": inner
        for key, value in values.items()
        if isinstance(value, dict)
        for name, inner in value.items()
    }


def is_topic_alone(record: Mapping[str, Any]) -> bool:
    """Return whether a row has only a topic (and perhaps a query), which declares that the topic was assessed."""
    return {key for key, value in record.items() if not is_missing(value)} - {"query"} == {"topic"}


def key_meant(key: str, keys: Iterable[str]) -> str | None:
    """Return the key in ``keys`` that is another tool's name for ``key`` or a misspelling of ``key``, or None."""
    plain = {plain_name(other): other for other in keys}
    called = next((plain[name] for tier in ALIASES.get(key, ()) for name in tier if name in plain), None)
    return misspelt_key(key, plain.values()) or called or closest(key, plain.values(), alike=0.65)


def misspelt_key(key: str, keys: Iterable[str]) -> str | None:
    """Return the key in ``keys`` that is probably a misspelling of ``key``, or None if there is none."""
    aliases = {name for tier in ALIASES.get(key, ()) for name in tier}
    return closest(key, (name for name in keys if name not in aliases), alike=0.8)


def plain_name(name: str) -> str:
    """Return the letters of a key in lower case. Of a nested key such as ``metadata.source``, use the last part."""
    return re.sub("[^a-z]", "", name.rpartition(".")[2].lower())


def _unquoted(value: Any) -> str:
    """Return a hint to leave out the quotes if the value is a number in quotes, else ``""``."""
    try:
        return ", without quotes" if isinstance(value, str) and math.isfinite(float(value)) else ""
    except ValueError:
        return ""


def aspects_in(record: dict[str, Any]) -> list[str]:
    """Return the aspects of a gold span. Raises UnusableValue if they are not a list of names."""
    listed = record.get("aspects")
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        raise _unusable(record, "aspects", "expected a list of names")
    return [name_in({f"aspects[{place}]": name}, f"aspects[{place}]") for place, name in enumerate(listed)]


def _unusable(record: dict[str, Any], key: str, expected: str) -> UnusableValue:
    """Return the error for a record without ``key``, or with an unusable value of ``key``."""
    value = shortened(_json(record[key])) if key in record else "missing"
    return UnusableValue(f'"{key}" is {value}', expected)


def _json(value: Any) -> str:
    """Return a value as JSON text for messages."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if is_utf8(text) else json.dumps(value, default=str)


#: the kind and the default of the values under each key
_KEYS: dict[str, tuple[Kind, Any]] = {
    **dict.fromkeys(("topic", "document", "run", "aspects", "group", "alternative"), (Kind.NAME, "")),
    **dict.fromkeys(("start", "end", "rank"), (Kind.COUNT, -1)),
    "score": (Kind.REAL, math.nan),
    "grade": (Kind.WHOLE, 1),
}


def numeric_key(key: str) -> bool:
    """Return whether ``key`` is a key of gold or chunks whose values are numbers, such as ``start``."""
    return key in _KEYS and _KEYS[key][0] is not Kind.NAME


def numeric(value: Any) -> Any:
    """Convert a text that represents a number to this number. Return other values unchanged."""
    if isinstance(value, str):
        with suppress(ValueError):
            return whole(value)
        with suppress(ValueError):
            return real(value)
    return value


def _value_in(record: dict[str, Any], key: str) -> Any:
    """Return the value of ``key`` in a chunk. Raises UnusableValue if ``key`` requires another kind of value."""
    kind, _ = _KEYS[key]
    if key == "aspects":
        return joined(aspects_in(record))
    if kind is Kind.NAME:
        return name_in(record, key)
    return score_in(record) if kind is Kind.REAL else whole_number_in(record, key, kind.least)


#: errors raised when whole columns are read; after such an error, rows are read one by one
_UNUSUAL = (ValueError, TypeError, OverflowError, NotImplementedError)


@dataclass(frozen=True)
class ChunkFormat:
    """A format of JSON lines, such as gold spans or retrieved chunks, with its required and optional keys."""

    required: tuple[str, ...] = KEYS
    optional: tuple[str, ...] = ()
    #: whether a line may have only a topic, which declares that the topic was assessed
    topics_alone: bool = False

    @property
    def schema(self) -> pa.Schema:
        """The column name and the Arrow type for each key of this format."""
        return pa.schema([(key, _KEYS[key][0].arrow) for key in (*self.required, *self.optional)])

    def read_file(
        self, path: Path, rows: int | None = None, unread: set[str] | None = None
    ) -> Iterator[Block]:
        """Yield the chunks in a file of JSON lines, in blocks of at least ``rows`` rows.

        If ``rows`` is None, there is one block. Keys that this format ignores are added to the set ``unread``. Raises
        InputError for Parquet, Arrow and CSV.
        """
        check_is_no_table(path)
        keys = {*self.schema.names}

        def row(line: bytes) -> tuple:
            record = object_in(line, keys)
            values = self._row(record)
            if unread is not None:
                unread.update(self.unread(record))
            return values

        reader = LineFormat(self.schema, partial(self._at_once, unread=unread), row)
        for table, unusable in read_lines(path, reader, rows):
            yield frame_of(table), unusable

    def unread(self, keys: Iterable[str]) -> list[str]:
        """Return the ``keys`` that this format ignores. Keys for queries, texts and metadata are left out."""
        read = {*self.schema.names, *_BESIDE}
        return [key for key in map(str, keys) if key not in read and plain_name(key) not in _BESIDE]

    def _is_suspect(self, keys: Collection[str]) -> bool:
        """Return whether one of ``keys`` is ignored, but resembles a missing key or names a part of a document."""
        return any(self._meant_by(key, keys) for key in self.unread(keys))

    def _meant_by(self, unread: str, keys: Collection[str]) -> str:
        """Return the missing key that the key ``unread`` probably means (``start`` for a part of a document), or ""."""
        outer, _, name = unread.rpartition(".")
        words = {*re.findall("[a-z]+", re.sub("([A-Z])", r"_\1", name).lower())}
        is_part = words & _PLACES or (plain_name(name) in _PARTS and not outer)
        if is_part and {"start", "end"}.isdisjoint(keys) and (not outer or "document" in keys):
            return "start"
        if outer:
            return ""
        wanted = {"grade", "aspects", "group", "alternative"} if self.topics_alone else {"score", "rank"}
        if not self.topics_alone and not wanted.isdisjoint(keys):
            return ""
        absent = (key for key in self.schema.names if key in wanted and key not in keys)
        return next((key for key in absent if key_meant(key, [unread])), "")

    def _refuse_misnamed(self, record: Mapping[str, Any]) -> None:
        """Raise UnusableValue if a JSON object has an ignored key that probably stands for a missing key."""
        there = _values_in(record)
        for key in self.unread(there):
            meant, value = self._meant_by(key, there), numeric(there[key])
            is_number = isinstance(value, int | float)
            if meant == "start" and (plain_name(key) in _PARTS or is_number or isinstance(value, list)):
                expected = 'give "start" and "end", or leave the key out if you mean the whole document'
                raise UnusableValue(f"the key {_json(key)} is unknown", expected)
            if meant not in ("", "start") and (is_number or not numeric_key(meant)):
                expected = f'did you mean "{meant}"? rename the key, or leave it out'
                raise UnusableValue(f"the key {_json(key)} is unknown", expected)

    def read_frame(self, frame: pd.DataFrame) -> Block:
        """Read the rows of a frame as chunks. Rows are numbered from 0."""
        try:
            columns = {
                key: pa.array(frame[key], from_pandas=True) for key in self.schema.names if key in frame
            }
            of_first = (key for _, row in objects_in(frame.head(1)) for key in _values_in(row))
            if self._is_suspect([*map(str, frame), *of_first]):
                raise ValueError
            table = self._checked(columns, np.arange(len(frame)))
        except _UNUSUAL:
            table, unusable = one_by_one(objects_in(frame), self._row, self.schema)
            return frame_of(table), unusable
        return frame_of(table), []

    def _row(self, record: dict[str, Any]) -> tuple:
        """Convert a JSON object to the values of a row. Raises UnusableValue for unusable values."""
        values = {key: missing for key, (_, missing) in _KEYS.items()}
        self._refuse_misnamed(record)
        keys = [*self.required, *(key for key in self.optional if record.get(key) is not None)]
        if self.topics_alone and is_topic_alone(record):
            keys = ["topic"]
        elif self.topics_alone and record.get("document") is None and record.get("topic") is not None:
            expected = 'give the name of the document, or only a "topic" if the topic has no gold'
            raise UnusableValue('"document" is missing', _with_hint(record, "document", expected))
        for key in keys:
            if key == "start":
                values["start"], values["end"] = span_in(record)
            elif key != "end":
                values[key] = _value_in(record, key)
        return tuple(values[key] for key in self.schema.names)

    def _at_once(self, piece: bytes, unread: set[str] | None = None) -> pa.Table | None:
        """Use Arrow to convert many JSON lines to a table. Return None if a line may be unusable, or if Arrow fails."""
        text = piece.replace(b"\r\n", b"\n") if b"\r" in piece else piece
        characters, ends = np.frombuffer(text, np.uint8), ends_of_lines(text)
        begins = np.append(0, ends[:-1] + 1)
        apart = (characters[begins] == ord("{")).all() and (characters[ends - 1] == ord("}")).all()
        if not apart or _may_be_deep(characters, ends):
            return None
        try:
            str(text, "utf-8")
            first = object_in(text[: text.index(b"\n")])
            if self._is_suspect(
                _values_in(first)
            ):  # only the first line is searched for misspelt keys, to save time
                return None
            types = {
                field.name: pa.large_string() if field.type == NAMES else field.type for field in self.schema
            }
            names = ("topic", "document")
            types |= {key: pa.int64() for key in names if key in types and isinstance(first.get(key), int)}
            table = arrow_json.read_json(
                pa.BufferReader(text),
                arrow_json.ReadOptions(use_threads=False, block_size=len(text) + 1),
                arrow_json.ParseOptions(
                    explicit_schema=pa.schema(list(types.items())),
                    unexpected_field_behavior="ignore" if unread is None else "infer",
                ),
            )
            if len(table) != len(ends) or (unread is not None and self.unread(table.column_names)):
                return None
            columns = dict(zip(table.column_names, table.columns, strict=True))
            return self._checked(columns, np.arange(len(ends)))
        except _UNUSUAL:
            return None

    def _checked(self, values: Mapping[str, pa.Array | pa.ChunkedArray], line: np.ndarray) -> pa.Table:
        """Combine columns and line numbers in a table. Raises one of the errors `_UNUSUAL` if a row may be unusable."""
        columns = {}
        for key in self.schema.names:
            column = values[key] if key in values else pa.nulls(len(line))
            if isinstance(column, pa.ChunkedArray):
                column = column.combine_chunks()
            if pa.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            if column.null_count and key not in self.optional:
                raise ValueError(key)
            columns[key] = (_names if _KEYS[key][0] is Kind.NAME else _numbers)(key, column)
        if "end" in columns and not pc.all(pc.greater(columns["end"], columns["start"]), min_count=0).as_py():
            raise ValueError("end")
        return pa.table({**columns, "line": line})


#: formats of gold spans, retrieved chunks, and chunks without a topic
SPANS = ChunkFormat(optional=("aspects", "grade", "group", "alternative"), topics_alone=True)
RETRIEVED = ChunkFormat(optional=("score", "rank", "run"))
CUT = ChunkFormat(KEYS[1:])
#: formats of graded documents and retrieved documents
GRADED = ChunkFormat(("topic", "document", "grade"), topics_alone=True)
DOCUMENTS = ChunkFormat(("topic", "document"), optional=RETRIEVED.optional)


def _names(key: str, column: pa.Array) -> pa.Array:
    """Encode a column of names as an Arrow dictionary array. Raises ValueError if a name may be unusable."""
    if column.null_count == len(column):
        return encoded(pa.repeat(_KEYS[key][1], len(column)))
    types = (pa.types.is_integer, pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    lists = key == "aspects"  # the values are lists, which Arrow cannot convert to names
    if lists or column.null_count or not any(of_type(column.type) for of_type in types):
        raise ValueError(key)
    strings = encoded(column.cast(pa.large_string()))
    names = strings.dictionary
    wrong = pc.or_(pc.not_equal(pc.utf8_trim_whitespace(names), names), pc.match_substring(names, "\0"))
    if pc.any(pc.or_(wrong, pc.equal(names, ""))).as_py():
        raise ValueError(key)
    return strings


def _numbers(key: str, column: pa.Array) -> pa.Array:
    """Convert the column of ``key`` to numbers. Fill in defaults. Raises ValueError if a value may be unusable."""
    kind, missing = _KEYS[key]
    types = (pa.types.is_integer, pa.types.is_floating, pa.types.is_null)
    if not any(of_type(column.type) for of_type in types):
        raise ValueError(key)
    column = column.cast(kind.arrow, safe=kind is not Kind.REAL)
    if not kind.holds(column.drop_null().to_numpy()):
        raise ValueError(key)
    return column.fill_null(missing) if column.null_count else column


def _may_be_deep(characters: Ints, ends: Ints) -> bool:
    """Return whether any line has so many opening brackets (more than `DEEPEST`) that it may be nested too deeply."""
    opening = (characters == ord("{")) | (characters == ord("["))
    if np.count_nonzero(opening) <= len(ends) + DEEPEST:
        return False
    return bool(np.bincount(np.searchsorted(ends, np.flatnonzero(opening))).max() > DEEPEST)


def objects_in(frame: pd.DataFrame) -> list[tuple[int, dict[str, Any]]]:
    """Return the number of each row of a frame, and a dictionary of the values in this row that are not missing."""
    columns = [[(name, _plain(name, value)) for value in frame[name].tolist()] for name in frame]
    rows = enumerate(zip(*columns, strict=True))
    return [(row, {name: value for name, value in cells if not is_missing(value)}) for row, cells in rows]


def _plain(name: str, value: Any) -> Any:
    """Convert a value in the column ``name`` to a JSON value. Whole floats become integers, except in ``score``."""
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    if name != "score" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def read_chunking(path: str | Path) -> pd.DataFrame:
    """Read a file of JSON lines that lists the chunks of each document, without topics.

    The frame's columns are document (categorical), start, end and line. Raises an InputError that lists all unusable
    lines. Also raises InputError for a file without chunks.
    """
    [(frame, unusable)] = CUT.read_file(Path(path))
    problems = problems_of(str(path), unusable)
    if frame.empty and not problems:
        problems.append(Problem(str(path), "", "the file has no chunks", "expected at least one JSON line"))
    if problems:
        raise InputError(problems)
    column = frame["document"]
    codes, names, _ = without_extensions(codes_of(column), names_in(column))
    return frame.assign(document=categorical(codes, names))


# -------------------- gold and runs


def read_gold(path: Path, scale: str) -> GoldColumns:
    """Read the gold spans in a file of JSON lines.

    A span with a grade of at most 0 is not relevant. A line with only a topic declares that the topic was assessed.
    """
    unread: set[str] = set()
    [(spans, unusable)] = SPANS.read_file(path, unread=unread)
    return GoldColumns({"passages": spans}, unusable, notes=notes_on_ignored(sorted(unread)))


def notes_on_ignored(
    keys: Sequence[str], why: str = "{this key is|these keys are} not part of gold"
) -> Sequence[Note]:
    """Return a list with a notice that the ``keys`` of a file are ignored, or an empty list without ``keys``."""
    key, is_ignored = (agreeing(words, len(keys)) for words in ("{key|keys}", "{is|are} ignored"))
    found = f"the {key} {listed([_json(key) for key in keys])} {is_ignored}"
    return [(found, agreeing(why, len(keys)))] if keys else []


GOLD = Format("chunks", (GOLD_SPANS,), read_gold, ("highlights",), has_keys=set(MARKS_OF_RUNS).isdisjoint)


def read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Yield the run in a file of JSON lines, in blocks of at least ``rows`` rows.

    If ``rows`` is None, there is one block. Raises NotInBlocks if only some blocks have scores or ranks.
    """
    has: tuple[bool, bool] | None = None
    for block in RETRIEVED.read_file(path, rows):
        read = as_run(block, without_gz(path).stem)
        here = bool(read.columns["score"].notna().any()), "rank" in read.columns
        if (has := has or here) != here:
            raise NotInBlocks
        yield read


def as_run(block: Block, name: str) -> RunColumns:
    """Create a run from a block of retrieved chunks. ``name`` is the name of the run unless the chunks give another.

    Chunks without a score are unusable if others have a score, and chunks without a rank if others have a rank.
    """
    frame, unusable = block
    uneven: dict[int, UnusableValue] = {}
    for key, has_value in (("score", frame["score"].notna()), ("rank", frame["rank"] >= 0)):
        if has_value.any():
            lacking = UnusableValue(f'"{key}" is missing', f'give a "{key}" to every chunk or to none')
            uneven.update(dict.fromkeys(frame["line"][~has_value].tolist(), lacking))
    if uneven:
        frame = frame[~frame["line"].isin(uneven)].reset_index(drop=True)
    if not (frame["rank"] >= 0).any():
        frame = frame.drop(columns="rank")
    return RunColumns(frame, [*unusable, *uneven.items()], name=name, scores_fall=True)


RUN = Format(
    "chunks", (RETRIEVED_CHUNKS,), read_run, has_keys=lambda keys: not {*MARKS_OF_RUNS}.isdisjoint(keys)
)
