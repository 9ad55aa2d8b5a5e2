"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

import math
from collections.abc import Iterable, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import without_gz
from focuseval.formats.chunks import name_in, object_in, score_in, span_in, whole_number_in
from focuseval.formats.json_scan import BAD, GOOD, HARD, names_at, scan_json
from focuseval.formats.json_scan import KEYS as CELLS
from focuseval.formats.lines import of_other_encodings, text_of
from focuseval.formats.names import missing, without_extensions
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import Codes, RawRun, Refused, rows_of
from focuseval.model.arrays import Floats, Ints

#: columns of `Chunks.frame`
COLUMNS = ["topic", "document", "rank", "score", "start", "end", "line"]


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
    return ranked(_scanned(path), ranking, rejected, source=str(path))


def _scanned(path: Path) -> Chunks:
    """The chunks of a file: by the scan, and those that it leaves by the parser of Python."""
    text = text_of(path)
    lines = text.count(b"\n")
    cells = np.empty((sum(CELLS.values()), lines), dtype=np.int64)
    reals, line, begins = np.empty(lines), np.empty(lines, dtype=np.int64), np.empty(lines, dtype=np.int64)
    state = np.empty(lines, dtype=np.uint8)
    rows = slice(scan_json(text, cells, reals, line, begins, state))
    cells, reals, line, begins, state = cells[:, rows], reals[rows], line[rows], begins[rows], state[rows]
    of = _by_column(CELLS, cells)
    _read_hard(text, of["score"], reals, state)
    start, end, rank = of["start"][0], of["end"][0], of["rank"][0]
    state[(of["topic"][0] < 0) | (of["document"][0] < 0) | (start < 0) | (end <= start)] |= BAD
    state[of_other_encodings(text, begins)] |= BAD
    refusals: list[tuple[int, Refused]] = []
    own = without_gz(path).stem.encode()  # the name of a run without one
    more, length = [own], len(text) + len(own)  # names that do not stand in the text
    of["run"][:, of["run"][0] < 0] = [[len(text)], [length]]
    for row in np.flatnonzero(state):
        begin = int(begins[row])
        try:
            chunk = _chunk(object_in(text[begin : text.index(b"\n", begin)]))
        except Refused as refused:
            refusals.append((int(line[row]), refused))
            continue
        rank[row], reals[row], start[row], end[row] = chunk.rank, chunk.score, chunk.start, chunk.end
        for key, name in zip(
            ("topic", "document", "run"), (chunk.topic, chunk.document, chunk.run), strict=True
        ):
            more.append(own if name is None else name.encode())
            of[key][:, row] = length, length + len(more[-1])
            length += len(more[-1])
        state[row] = GOOD
    good = state == GOOD if refusals else slice(None)
    text += b"".join(more)
    columns: dict[str, Any] = {}
    for key in ("topic", "document", "run"):
        columns[key] = names_at(text, *of[key][:, good])
    numbers = {"rank": rank, "score": reals, "start": start, "end": end, "line": line}
    columns |= {name: column[good] for name, column in numbers.items()}
    runs = columns.pop("run").categories.tolist()
    return Chunks(pd.DataFrame(columns)[COLUMNS], runs, refusals)


def _by_column(widths: Mapping[str, int], cells: Ints) -> dict[str, Ints]:
    """The cells of each column, which has so many of them."""
    ends = np.cumsum(list(widths.values())).tolist()
    return {name: cells[end - width : end] for (name, width), end in zip(widths.items(), ends, strict=True)}


def _read_hard(text: bytes, cells: Ints, reals: Floats, state: Ints) -> None:
    """Read the real numbers that the scan leaves; lines are bad where they are not finite."""
    begin, end = cells
    for row in np.flatnonzero((state & (HARD | BAD)) == HARD):
        reals[row] = float(text[begin[row] : end[row]])
        state[row] ^= HARD if np.isfinite(reals[row]) else HARD | BAD


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
    score = score_in(found) if "score" in found else math.nan
    rank = whole_number_in(found, "rank", 0) if "rank" in found else -1
    topic, document = name_in(found, "topic"), name_in(found, "document")
    run = name_in(found, "run") if "run" in found else None
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
    rejected.extend(Problem(source, f"{place} {number}", *refused.args) for number, refused in refusals)
    if frame.empty:
        raise InputError(Problem(source, "", "no chunk that can be read", "expected at least one"))
    if len(runs) > 1:
        told = ", ".join(map(repr, runs[:5]))
        raise InputError(Problem(source, "", f"{len(runs)} runs: {told}", "give one run in one file"))
    document, extended = without_extensions(frame["document"].array)
    frame = frame.assign(document=document, path=missing(len(frame)), unresolvable=False)
    if not is_ranked:
        frame = frame.drop(columns="rank")
    frame, by_file = in_order(frame, ranking, source, file_order=False)
    return RawRun(runs[0], "", "", frame, source, by_file, extended, place)


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
    topics, scores = frame["topic"].cat.codes.to_numpy(), frame["score"].to_numpy()
    order = np.argsort(topics, kind="stable")
    if not ((np.diff(scores[order]) > 0) & (np.diff(topics[order]) == 0)).any():
        return found
    last: dict[int, tuple[float, int]] = {}  # of each topic: a score, and its line
    for topic, score, line in rows_of(frame, "topic", "score", "line"):
        before, at = last.get(topic, (score, line))
        if score > before:
            found[line] = Refused(
                f"the score rises from {before:g} in {place} {at} to {score:g}",
                'sort each topic by falling score, or give every chunk a "rank", or use --rank-by',
            )
        else:
            last[topic] = score, line
    return found
