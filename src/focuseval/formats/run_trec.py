"""Runs as text: ``topic Q0 document rank score run``, then an XPath, or offset and length, or nothing.

Columns are separated by blanks or tabs. One Arrow pass reads a file that is as it should be; anything
unusual in it sends the whole file to a reader that goes line by line and can say what is wrong where.
Both give the same columns.
"""

import csv
import re
import string
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pc

from focuseval.errors import InputError, Problem
from focuseval.files import replacing
from focuseval.formats.lines import content_of, decoded, refuse_names
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import (
    Codes,
    RawRun,
    Refused,
    document_name,
    quoted,
    real_number,
    required,
    whole_number,
    without_extensions,
)

#: the columns that follow the six, by the number of columns in all
_FORMS: dict[int, tuple[str, ...]] = {6: (), 7: ("path",), 8: ("offset", "length")}
_COLUMNS = ("topic", "q0", "document", "rank", "score", "run")
_NAMES = ("topic", "document", "run", "path")

_TYPES = {name: pa.dictionary(pa.int32(), pa.string()) for name in (*_NAMES, "q0")} | {
    "rank": pa.int64(),
    "score": pa.float64(),
    "offset": pa.int64(),
    "length": pa.int64(),
}
#: what stands for an offset or a length that could not be found
_UNRESOLVABLE = ("X", "-1")


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run. Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    data = content_of(path)
    columns = _by_arrow(data)
    if columns is None:
        columns = _by_line(data, path, rejected)
    if not len(columns):
        problem = Problem(
            str(path), "", "no result that can be read", "expected at least one line of 6, 7 or 8 columns"
        )
        raise InputError(problem)
    names = columns["run"].cat.categories
    if len(names) > 1:
        first = columns.drop_duplicates("run")
        told = ", ".join(
            f"{run!r} (line {line})" for run, line in zip(first["run"][:5], first["line"], strict=False)
        )
        raise InputError(Problem(str(path), "", f"{len(names)} runs: {told}", "give one run in one file"))
    columns["document"], extended = without_extensions(columns["document"])
    offsets = (columns["start"] >= 0) | columns["unresolvable"]
    frame, by_file = in_order(columns, ranking, str(path), file_order=bool(offsets.any()))
    return RawRun(str(names[0]), "", "", frame, str(path), by_file, extended)


def _by_arrow(data: bytes) -> pd.DataFrame | None:
    """The columns of a file without anything unusual; None of any other."""
    if any(mark in data for mark in (b"\0", b"\v", b"\f")):
        return None
    if any(x in data and b" 0" + x in data for x in (b"x", b"X")):  # one byte is found much faster than three
        return None
    if b"\t" in data or b"\r" in data:
        data = _single_blanks(data)
    table = _parsed(data)
    if table is None:
        data = _single_blanks(data)
        table = _parsed(data)
    if table is None or b"\r" in data:
        return None
    table = table.unify_dictionaries().combine_chunks()
    if "" in table["q0"].chunk(0).dictionary.to_pylist():
        return None
    frame = table.drop_columns("q0").to_pandas(split_blocks=True)
    lines = _line_numbers(data, len(frame))
    if lines is None or not _plausible(frame):
        return None
    frame["line"] = lines
    if frame["document"].cat.categories.str.lower().isin([".xml", ".nxml"]).any():
        return None
    return _finished(frame)


def _single_blanks(data: bytes) -> bytes:
    """The text with one blank between fields, and none at the ends of lines."""
    data = data.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _parsed(data: bytes) -> pa.Table | None:
    """The text as a table, if all lines have the columns of the first and numbers where they belong."""
    first = re.match(rb"\s*(.*)", data)
    assert first is not None  # it takes anything
    width = len(first[1].split())
    if width not in _FORMS:
        return None
    names = [*_COLUMNS, *_FORMS[width]]
    try:
        return pc.read_csv(
            pa.py_buffer(data),
            read_options=pc.ReadOptions(use_threads=False, block_size=1 << 25, column_names=names),
            parse_options=pc.ParseOptions(delimiter=" ", quote_char=False, escape_char=False),
            convert_options=pc.ConvertOptions(
                column_types={name: _TYPES[name] for name in names},
                null_values=["X"],
                strings_can_be_null=False,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowCapacityError):
        return None


def _plausible(frame: pd.DataFrame) -> bool:
    """Whether the values of all lines are what they should be."""
    if any((frame[name].cat.categories == "").any() for name in _NAMES if name in frame):
        return False
    if "path" in frame and not frame["path"].cat.categories.str.startswith("/").all():
        return False
    if frame["rank"].dtype != np.int64 or not np.isfinite(frame["score"].to_numpy()).all():
        return False
    if frame["rank"].abs().max() >= 10**15:
        return False
    if "offset" not in frame:
        return True
    places = frame[list(_FORMS[8])].fillna(-1)
    known = places["offset"] >= 0
    within = places.abs().lt(10**15).all(axis=None) and places.ge(-1).all(axis=None)
    return bool(within and places["length"][known].ge(0).all())


def _line_numbers(data: bytes, rows: int) -> np.ndarray | None:
    """The number of the line of each row: of every line that is not empty."""
    if data.count(b"\n") + (not data.endswith(b"\n")) == rows:
        return np.arange(1, rows + 1)
    breaks = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    starts = np.concatenate([[0], breaks + 1])
    ends = np.concatenate([breaks, [len(data)]])
    numbers = np.flatnonzero(ends > starts) + 1
    return numbers if len(numbers) == rows else None


def _by_line(data: bytes, path: Path, rejected: list[Problem]) -> pd.DataFrame:
    """The columns of all lines that can be read, and a problem for each of the others."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    widths = Counter(len(line.split()) for _, line in lines)
    width = max(_FORMS, key=lambda width: widths[width])
    codes = {name: Codes() for name in _NAMES}
    rows = []
    for number, line in lines:
        try:
            rows.append((*_row(line, width, codes), number))
        except Refused as refused:
            rejected.append(Problem(str(path), f"line {number}", *refused.args))
    names = ["topic", "document", "rank", "score", "run", *_FORMS[width], "line"]
    frame = pd.DataFrame(rows, columns=names)
    for name in names:
        frame[name] = frame[name].astype(np.float64 if name == "score" else np.int64)
        if name in codes:
            frame[name] = codes[name].column(frame[name].to_numpy())
    return _finished(frame)


def _row(line: bytes, width: int, codes: dict[str, Codes]) -> tuple[float, ...]:
    """The numbers of one line, names as codes."""
    fields = decoded(b" ".join(line.split())).split(" ")
    if len(fields) != width:
        extra = " and ".join(_FORMS[width])
        raise Refused(
            f"{len(fields)} columns", f"expected {width}: topic Q0 document rank score run {extra}".rstrip()
        )
    rank, score = whole_number(fields[3], "the rank"), real_number(fields[4], "the score")
    place: tuple[int, ...] = ()
    if width == 7:
        if not fields[6].startswith("/"):
            raise Refused(f"the path is {quoted(fields[6])}", "expected one like /article[1]/bdy[1]/sec[2]")
        place = (codes["path"][fields[6]],)
    elif width == 8:
        place = passage(fields[6], fields[7])
    required(document_name(fields[2]), "the document")
    return (
        codes["topic"][fields[0]],
        codes["document"][fields[2]],
        rank,
        score,
        codes["run"][fields[5]],
        *place,
    )


def passage(offset: str | None, length: str | None) -> tuple[int, int]:
    """Offset and length of a passage; -1 and -1 if the run says that the offset is not known."""
    if offset in _UNRESOLVABLE:
        if length not in _UNRESOLVABLE:
            whole_number(length, "the length", 0)
        return -1, -1
    return whole_number(offset, "the offset", 0), whole_number(length, "the length", 0)


def _finished(frame: pd.DataFrame) -> pd.DataFrame:
    """The columns that runs have, whatever their results are."""
    if "path" not in frame:
        frame["path"] = Codes().column(np.full(len(frame), -1))
    start = end = np.full(len(frame), -1)
    if "offset" in frame:
        start = frame["offset"].fillna(-1).to_numpy(dtype=np.int64)
        end = np.where(start < 0, -1, start + frame["length"].fillna(-1).to_numpy(dtype=np.int64))
    frame["start"], frame["end"] = start, end
    frame["unresolvable"] = (start < 0) & ("offset" in frame)
    return frame


def write_run_trec(path: str | Path, run: RawRun) -> None:
    """Write a run in the six columns, followed by XPaths, or offsets and lengths, or nothing.

    A run without scores gets the negative rank as score, which gives the same order. The lines are in
    the order of the ranking; an unresolvable passage is written ``X X``.

    Raises
    ------
    InputError
        for a run that mixes elements, passages and whole documents (an INEX submission can), and for
        names with blanks in them.
    """
    frame = run.frame
    kinds = [frame["path"].notna(), (frame["start"] >= 0) | frame["unresolvable"]]
    if any(kind.any() and not kind.all() for kind in kinds):
        found = "elements, passages or whole documents mixed"
        raise InputError(Problem(str(path), "", found, "write an INEX submission, or the kinds apart"))
    refuse_names(path, frame[["topic", "document", "path"]], string.whitespace)
    if not run.name or run.name.split() != [run.name]:
        raise InputError(Problem(str(path), "", f"the run {run.name!r}", "give it a name without blanks"))
    score = frame["score"].where(frame["score"].notna(), -frame["rank"].astype(float))
    columns = frame[["topic"]].assign(
        q0="Q0", document=frame["document"], rank=frame["rank"], score=score, run=run.name
    )
    if kinds[0].all():
        columns["path"] = frame["path"]
    elif kinds[1].all():
        columns["offset"] = frame["start"].astype(str).where(~frame["unresolvable"], "X")
        columns["length"] = (frame["end"] - frame["start"]).astype(str).where(~frame["unresolvable"], "X")
    with replacing(path) as temporary:
        columns.to_csv(
            temporary, sep=" ", header=False, index=False, quoting=csv.QUOTE_NONE, lineterminator="\n"
        )
