"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

import math
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.errors import InputError, Problem
from focuseval.files import without_gz
from focuseval.formats.chunks import (
    check_is_no_table,
    name_in,
    object_in,
    score_in,
    span_in,
    whole_number_in,
)
from focuseval.formats.json_scan import names_at, scan_json
from focuseval.formats.lines import of_other_encodings, pieces_of
from focuseval.formats.names import NAMES, codes_of, encoded, missing, numbered, without_extensions
from focuseval.formats.number_scan import BAD, GOOD, HARD
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import Codes, RawRun, Refused, rows_of
from focuseval.model.parallel import cores, in_threads

#: columns of `Chunks.frame`
COLUMNS = ["topic", "document", "rank", "score", "start", "end", "line"]


_SCHEMA = pa.schema(
    [(name, NAMES) for name in ("topic", "document", "run")]
    + [(name, pa.int64()) for name in ("start", "end", "rank")]
    + [("score", pa.float64()), ("line", pa.int64())]
)

_LINE = _SCHEMA.get_field_index("line")

#: bytes that are read together
_PIECE = 1 << 22


class Chunks(NamedTuple):
    """Retrieved chunks before they are ranked."""

    frame: pd.DataFrame  #: `COLUMNS`; a rank of -1, a score of NaN are missing; whole documents start at -1
    runs: list[str]  #: the names of their runs
    refusals: list[tuple[int, Refused]]  #: numbers of the lines that cannot be read, and why


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run: the order of ranks, or of the file if there are none; then scores, if any, must not rise,
    unless the ranking says what orders results.

    Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    return ranked(_chunks_of(path), ranking, rejected, source=str(path))


def _chunks_of(path: Path) -> Chunks:
    """The chunks of a file."""
    check_is_no_table(path, next(pieces_of(path, 1), b""))
    tables = [_SCHEMA.empty_table()]
    refusals: list[tuple[int, Refused]] = []
    count = 0
    for piece in in_threads(_read_piece, pieces_of(path, _PIECE), cores()):
        tables.append(piece.table.set_column(_LINE, "line", pc.add(piece.table["line"], count)))
        refusals += [(count + line, refused) for line, refused in piece.refusals]
        count += piece.lines
    table = pa.concat_tables(tables)
    columns: dict[str, Any] = {
        name: numbered(column) if column.type == NAMES else column.to_numpy()
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    own = without_gz(path).stem
    runs = dict.fromkeys(name or own for name in columns.pop("run").categories)
    return Chunks(pd.DataFrame({name: columns[name] for name in COLUMNS}, copy=False), list(runs), refusals)


class _Piece(NamedTuple):
    """What there is in a part of a file, whose lines are numbered from 1."""

    table: pa.Table  #: `_SCHEMA`
    refusals: list[tuple[int, Refused]]
    lines: int


def _read_piece(piece: bytes) -> _Piece:
    """The chunks of some lines: by the scan, or by Python's parser."""
    # bytes.count would keep other threads from going on
    count = int(np.count_nonzero(np.frombuffer(piece, dtype=np.uint8) == ord("\n")))
    found = scan_json(piece, count)
    of, state = found.of, found.state
    for row in np.flatnonzero((state & (HARD | BAD)) == HARD):
        begin, end = of["score"][:, row]
        found.scores[row] = float(piece[begin:end])
        state[row] = GOOD if np.isfinite(found.scores[row]) else BAD
    start, end = of["start"][0], of["end"][0]
    state[(of["topic"][0] < 0) | (of["document"][0] < 0) | (start < 0) | (end <= start)] = BAD
    state[of_other_encodings(piece, found.begins)] = BAD
    good = state == GOOD
    names = {key: names_at(piece, *of[key][:, good]) for key in ("topic", "document", "run")}
    numbers = {
        "start": start,
        "end": end,
        "rank": of["rank"][0],
        "score": found.scores,
        "line": found.line + 1,
    }
    table = pa.table(names | {name: values[good] for name, values in numbers.items()})
    refusals: list[tuple[int, Refused]] = []
    if not good.all():
        rows = []
        for row in np.flatnonzero(~good):
            begin, line = int(found.begins[row]), int(found.line[row]) + 1
            try:
                chunk = _chunk(object_in(piece[begin : piece.index(b"\n", begin)]))
            except Refused as refused:
                refusals.append((line, refused))
            else:
                rows.append(chunk._asdict() | {"run": chunk.run or "", "line": line})
        table = pa.concat_tables([table, pa.Table.from_pylist(rows, table.schema)]).sort_by("line")
    columns = [
        encoded(column.combine_chunks(), neighbours_alike=name != "document") if name in names else column
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return _Piece(pa.table(columns, schema=_SCHEMA), refusals, count)


class _Chunk(NamedTuple):
    """A retrieved chunk, as one object has it."""

    topic: str
    document: str
    run: str | None  #: None if it does not say
    rank: int  #: -1 if it does not say
    score: float  #: NaN if it does not say
    start: int
    end: int


def _chunk(found: dict[str, Any], *, whole: bool = False) -> _Chunk:
    """The chunk of an object, ``whole`` if it is a document without start and end. Refuses what cannot be read."""
    start, end = (-1, -1) if whole else span_in(found)
    score = score_in(found) if found.get("score") is not None else math.nan
    rank = whole_number_in(found, "rank", 0) if found.get("rank") is not None else -1
    topic, document = name_in(found, "topic"), name_in(found, "document")
    run = name_in(found, "run") if found.get("run") is not None else None
    return _Chunk(topic, document, run, rank, score, start, end)


def parsed(objects: Iterable[tuple[int, dict[str, Any]]], name: str, *, whole: bool = False) -> Chunks:
    """Chunks that are given one by one, each with its number; their run has the name. Those that are ``whole``
    documents have no start and end."""
    topics, documents = Codes(), Codes()
    rows = []
    refusals: list[tuple[int, Refused]] = []
    for line, found in objects:
        found.pop("run", None)
        try:
            chunk = _chunk(found, whole=whole)
        except Refused as refused:
            refusals.append((line, refused))
            continue
        codes = topics[chunk.topic], documents[chunk.document]
        rows.append((*codes, chunk.rank, chunk.score, chunk.start, chunk.end, line))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame["topic"] = topics.column(frame["topic"].to_numpy(np.int64))
    frame["document"] = documents.column(frame["document"].to_numpy(np.int64))
    return Chunks(frame, [name], refusals)


def ranked(
    chunks: Chunks, ranking: Ranking, rejected: list[Problem], *, source: str, place: str = "line"
) -> RawRun:
    """The run of these chunks; a ``place`` is what their numbers count. Raises InputError as `read` does."""
    frame, runs, refusals = chunks
    uneven = _uneven(frame)
    if uneven:
        frame = frame[~frame["line"].isin(uneven)].reset_index(drop=True)
    is_ranked = bool((frame["rank"] >= 0).any())
    rising = {} if is_ranked or ranking.by else _rising(frame, place)
    if rising:
        frame = frame[~frame["line"].isin(rising)].reset_index(drop=True)
    refusals = sorted([*refusals, *uneven.items(), *rising.items()], key=itemgetter(0))
    problems = [Problem(source, f"{place} {number}", *refused.args) for number, refused in refusals]
    if frame.empty:
        none = Problem(source, "", "no chunk that can be read", "expected at least one")
        raise InputError(problems or none)
    rejected.extend(problems)
    if len(runs) > 1:
        told = ", ".join(map(repr, runs[:5]))
        raise InputError(Problem(source, "", f"{len(runs)} runs: {told}", "give one run in one file"))
    document, extended = without_extensions(frame["document"].array)
    frame = frame.assign(document=document, path=missing(len(frame)), unresolvable=False)
    if not is_ranked:
        frame = frame.drop(columns="rank")
    frame, by_file, reversed_topics = in_order(frame, ranking, source, file_order=False, place=place)
    return RawRun(runs[0], "", "", frame, source, by_file, extended, place, reversed_topics)


def _uneven(frame: pd.DataFrame) -> dict[int, Refused]:
    """By line: chunks without the rank, or without the score, that others have."""
    found = {}
    for key, given in (("score", frame["score"].notna()), ("rank", frame["rank"] >= 0)):
        if given.any():
            lacking = Refused(f'"{key}" is missing', f'give every chunk a "{key}", or none')
            found.update(dict.fromkeys(frame["line"][~given].tolist(), lacking))
    return found


def _rising(frame: pd.DataFrame, place: str) -> dict[int, Refused]:
    """By line: chunks whose score is above that of the last one of their topic."""
    found: dict[int, Refused] = {}
    topics, scores = codes_of(frame["topic"]), frame["score"].to_numpy()
    order = np.argsort(topics, kind="stable")
    topics, scores = topics[order], scores[order]
    if not ((scores[1:] > scores[:-1]) & (topics[1:] == topics[:-1])).any():
        return found
    last: dict[int, tuple[float, int]] = {}  # of each topic: a score, and its line
    for topic, score, line in rows_of(frame, "topic", "score", "line"):
        before, at = last.get(topic, (score, line))
        if score > before:
            found[line] = Refused(
                f"the score rises from {before:g} in {place} {at} to {score:g}",
                'sort each topic by falling score, or give every chunk a "rank", or say what orders them: falling '
                "scores (--rank-by score), or the lines where smaller is better, as of distances (--rank-by order)",
            )
        else:
            last[topic] = score, line
    return found
