"""Chunks in columns: of JSON lines, and of tables in memory; `focuseval.formats.chunks` says what they are.

A table without anything unusual is checked as columns; of any other each row is read by itself, as an object.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import json as arrow_json
from pyarrow import types

from focuseval.errors import InputError, Problem
from focuseval.formats.chunks import (
    DEEPEST,
    KEYS,
    LARGEST,
    aspects_in,
    check_is_no_table,
    grade_in,
    name_in,
    object_in,
    score_in,
    span_in,
    whole_number_in,
)
from focuseval.formats.lines import Block, LineFormat, ends_of_lines, frame_of, one_by_one, read_lines
from focuseval.formats.names import NAMES, encoded, without_extensions
from focuseval.formats.parsed import is_missing, joined
from focuseval.model.arrays import Ints

#: keys that not all chunks have: how they are read, and what stands for a missing value
_MORE: dict[str, tuple[Callable[[dict[str, Any]], Any], Any]] = {
    "score": (score_in, math.nan),
    "rank": (lambda found: whole_number_in(found, "rank", 0), -1),
    "run": (lambda found: name_in(found, "run"), ""),
    "grade": (grade_in, 1),
    "aspects": (lambda found: joined(aspects_in(found)), ""),
    "group": (lambda found: name_in(found, "group"), ""),
    "alternative": (lambda found: name_in(found, "alternative"), ""),
}
_TYPES = dict.fromkeys(("start", "end", "rank", "grade"), pa.int64()) | {"score": pa.float64()}

#: what columns raise that hold something unusual
_UNUSUAL = (ValueError, TypeError, OverflowError, NotImplementedError)


@dataclass(frozen=True)
class ChunkFormat:
    """Which keys of chunks are read."""

    names: tuple[str, ...] = ("topic", "document")
    spans: bool = True  #: whether start and end are; else chunks are whole documents, from -1 to -1
    required: tuple[str, ...] = ()  #: further keys
    optional: tuple[str, ...] = ()  #: keys that may be left out
    topics_alone: bool = (
        False  #: whether a topic without the other keys is a row, of a document without a name
    )

    @property
    def schema(self) -> pa.Schema:
        """The columns."""
        keys = (*self.names, "start", "end", *self.required, *self.optional)
        return pa.schema([(key, _TYPES.get(key, NAMES)) for key in keys])

    def read_file(self, path: Path, rows: int | None = None) -> Iterator[Block]:
        """The chunks of JSON lines, in one block or in several of about so many rows (`lines.read_lines`).

        Raises InputError for a table of another format (`chunks.refuse_table`).
        """
        check_is_no_table(path)
        keys = {*self.schema.names}
        reader = LineFormat(self.schema, self._at_once, lambda line: self._row(object_in(line, keys)))
        return read_lines(path, reader, rows)

    def read_frame(self, given: pd.DataFrame) -> Block:
        """The same of the rows of a frame, which are numbered from 0."""
        try:
            columns = {
                key: pa.array(given[key], from_pandas=True) for key in self.schema.names if key in given
            }
            table = self._checked(columns, np.arange(len(given)))
        except _UNUSUAL:
            table, refused = one_by_one(objects_in(given), self._row, self.schema)
            return frame_of(table), refused
        return frame_of(table), []

    def _row(self, found: dict[str, Any]) -> tuple:
        """The row of an object. Refuses what cannot be read."""
        values = {"document": "", "start": -1, "end": -1}
        values |= {key: missing for key, (_, missing) in _MORE.items()}
        alone = self.topics_alone and all(found.get(key) is None for key in KEYS[1:])
        if self.spans and not alone:
            values["start"], values["end"] = span_in(found)
        for key in self.names[:1] if alone else self.names:
            values[key] = name_in(found, key)
        if not alone:
            given = [*self.required, *(key for key in self.optional if found.get(key) is not None)]
            values |= {key: _MORE[key][0](found) for key in given}
        return tuple(values[key] for key in self.schema.names)

    def _at_once(self, piece: bytes) -> pa.Table | None:
        """The chunks of a piece by Arrow's reader; None if a line may be bad, or is good and not read by Arrow."""
        text = piece.replace(b"\r\n", b"\n") if b"\r" in piece else piece
        characters, ends = np.frombuffer(text, np.uint8), ends_of_lines(text)
        begins = np.append(0, ends[:-1] + 1)
        apart = (characters[begins] == ord("{")).all() and (characters[ends - 1] == ord("}")).all()
        if not apart or _may_be_deep(characters, ends):
            return None
        try:
            str(text, "utf-8")
            first = object_in(text[: text.index(b"\n")])
            schema = {key: _TYPES.get(key, pa.large_string()) for key in self.schema.names}
            schema |= {key: pa.int64() for key in self.names if isinstance(first.get(key), int)}
            table = arrow_json.read_json(
                pa.BufferReader(text),
                arrow_json.ReadOptions(use_threads=False, block_size=len(text) + 1),
                arrow_json.ParseOptions(
                    explicit_schema=pa.schema(list(schema.items())), unexpected_field_behavior="ignore"
                ),
            )
            if len(table) != len(ends):
                return None
            return self._checked(
                dict(zip(table.column_names, table.columns, strict=True)), np.arange(len(ends))
            )
        except _UNUSUAL:
            return None

    def _checked(self, given: Mapping[str, pa.Array | pa.ChunkedArray], line: np.ndarray) -> pa.Table:
        """Columns, every row of which is as it should be; raises ValueError or the like if one may not be."""
        columns = {}
        for key in self.schema.names:
            if key in ("start", "end") and not self.spans:
                columns[key] = pa.array(np.full(len(line), -1))
                continue
            column = given[key] if key in given else pa.nulls(len(line))
            if isinstance(column, pa.ChunkedArray):
                column = column.combine_chunks()
            if types.is_dictionary(column.type):
                column = column.dictionary_decode()
            if column.null_count and key not in self.optional:
                raise ValueError(key)
            columns[key] = _numbers(key, column) if key in _TYPES else _names(key, column)
        if self.spans and not pc.all(pc.greater(columns["end"], columns["start"]), min_count=0).as_py():
            raise ValueError("end")
        return pa.table({**columns, "line": line})


#: gold spans, retrieved chunks, and what documents were cut into
GOLD = ChunkFormat(optional=("aspects", "grade", "group", "alternative"), topics_alone=True)
RETRIEVED = ChunkFormat(optional=("score", "rank", "run"))
CUT = ChunkFormat(names=("document",))
#: whole documents with a grade, and retrieved ones
GRADED = ChunkFormat(spans=False, required=("grade",))
DOCUMENTS = ChunkFormat(spans=False, optional=RETRIEVED.optional)


def _names(key: str, column: pa.Array) -> pa.Array:
    """A column of names, none of which is blank or has white space around."""
    if column.null_count == len(column):
        return encoded(pa.repeat(_MORE[key][1], len(column)))
    known = (types.is_integer, types.is_string, types.is_large_string, types.is_string_view)
    lists = key == "aspects"  # which are read row by row
    if lists or column.null_count or not any(of_type(column.type) for of_type in known):
        raise ValueError(key)
    found = encoded(column.cast(pa.large_string()), neighbours_alike=key != "document")
    names = found.dictionary
    wrong = pc.or_(pc.not_equal(pc.utf8_trim_whitespace(names), names), pc.match_substring(names, "\0"))
    if pc.any(pc.or_(wrong, pc.equal(names, ""))).as_py():
        raise ValueError(key)
    return found


def _numbers(key: str, column: pa.Array) -> pa.Array:
    """A column of whole numbers within bounds, also where they stand as floats, or of finite scores."""
    known = (types.is_integer, types.is_floating, types.is_null)
    if not any(of_type(column.type) for of_type in known):
        raise ValueError(key)
    column = column.cast(_TYPES[key], safe=key != "score")
    values = column.drop_null().to_numpy()
    least = -LARGEST + 1 if key == "grade" else 0
    good = np.isfinite(values) if key == "score" else (values >= least) & (values < LARGEST)
    if not good.all():
        raise ValueError(key)
    return column.fill_null(_MORE[key][1]) if column.null_count else column


def _may_be_deep(characters: Ints, ends: Ints) -> bool:
    """Whether a line may hold objects and lists deeper than is read."""
    opening = (characters == ord("{")) | (characters == ord("["))
    if np.count_nonzero(opening) <= len(ends) + DEEPEST:
        return False
    return bool(np.bincount(np.searchsorted(ends, np.flatnonzero(opening))).max() > DEEPEST)


def objects_in(frame: pd.DataFrame) -> list[tuple[int, dict[str, Any]]]:
    """Number and values of every row, missing ones left out, as of JSON lines."""
    columns = [[(name, _plain(name, value)) for value in frame[name].tolist()] for name in frame]
    rows = enumerate(zip(*columns, strict=True))
    return [(row, {name: value for name, value in cells if not is_missing(value)}) for row, cells in rows]


def _plain(name: str, value: Any) -> Any:
    """A cell as JSON would have it: whole numbers in columns of floats (some may be missing) are whole."""
    value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    if name != "score" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def read_chunking(path: str | Path) -> pd.DataFrame:
    """The chunks that documents were cut into: columns document (categorical), start, end, line.

    No topic is needed: what a line has beside ``document``, ``start`` and ``end`` is passed over.

    Raises
    ------
    InputError
        with every line that cannot be used, or if there is none.
    """
    [(frame, refused)] = CUT.read_file(Path(path))
    problems = [Problem(str(path), f"line {line}", *why.args) for line, why in refused]
    if frame.empty and not problems:
        problems.append(Problem(str(path), "", "no chunks", "expected JSON lines, at least one"))
    if problems:
        raise InputError(problems)
    return frame.assign(document=without_extensions(frame["document"].array)[0])
