"""Runs as text: ``topic Q0 document rank score run``, then an XPath, or offset and length, or nothing.

Columns are separated by blanks or tabs.
"""

import csv
import re
import string
from pathlib import Path

import numpy as np

from focuseval.errors import InputError, Problem, counted
from focuseval.files import replacing
from focuseval.formats.lines import refuse_names
from focuseval.formats.parsed import (
    RawRun,
    Refused,
    document_name,
    quoted,
    real_number,
    required,
    whole_number,
)
from focuseval.formats.ranking import Ranking, ranked_run
from focuseval.formats.text_columns import UNKNOWN, Kind, read_columns

_COLUMNS = {
    "topic": Kind.NAME,
    "q0": Kind.SKIPPED,
    "document": Kind.DOCUMENT,
    "rank": Kind.WHOLE,
    "score": Kind.REAL,
    "run": Kind.NAME,
}
#: the columns that follow the six, by the number of columns in all
_MORE: dict[int, dict[str, Kind]] = {
    6: {},
    7: {"path": Kind.PATH},
    8: {"offset": Kind.PLACE, "length": Kind.PLACE},
}
_FORMS = [_COLUMNS | more for more in _MORE.values()]


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run. Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    columns = read_columns(path, _FORMS, _explain, rejected)
    passages = "offset" in columns
    if passages:
        start, length = columns.pop("offset"), columns.pop("length")
        columns["start"], columns["unresolvable"] = start, start < 0
        columns["end"] = np.where(start < 0, -1, start + length)
    expected = "expected at least one line of 6, 7 or 8 columns"
    return ranked_run(columns, ranking, rejected, str(path), file_order=passages, expected=expected)


def _explain(fields: list[str], width: int) -> None:
    """Raise Refused, saying what is wrong with the fields of a line, if something is."""
    if len(fields) != width:
        columns = f"topic Q0 document rank score run {' and '.join(_MORE[width])}".rstrip()
        raise Refused(counted(len(fields), "column"), f"expected {width}: {columns}")
    whole_number(fields[3], "the rank")
    real_number(fields[4], "the score")
    if width == 7 and not fields[6].startswith("/"):
        raise Refused(f"the path is {quoted(fields[6])}", "expected one like /article[1]/bdy[1]/sec[2]")
    if width == 8:
        passage(fields[6], fields[7])
    required(document_name(fields[2]), "the document")


def passage(offset: str | None, length: str | None) -> tuple[int, int]:
    """Offset and length of a passage; -1 and -1 if the run says that the offset is not known."""
    if _is_unknown(offset):
        if not _is_unknown(length):
            whole_number(length, "the length", 0)
        return -1, -1
    return whole_number(offset, "the offset", 0), whole_number(length, "the length", 0)


def _is_unknown(place: str | None) -> bool:
    """Whether a run says that it does not know an offset or a length."""
    return place is not None and (place == UNKNOWN or re.fullmatch("-0*1", place) is not None)


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
