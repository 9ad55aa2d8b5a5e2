"""TREC's formats: runs as ``topic Q0 document rank score run``, qrels as ``topic iteration document grade``.

Columns are separated by blanks or tabs. Behind those of a run there may be an XPath, or offset and length. Qrels grade
whole documents; their second column is not looked at. A grade above 0 is relevant, and a document that is not listed
was not assessed.
"""

import csv
import string
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from focuseval.errors import InputError, Problem
from focuseval.files import replacing
from focuseval.formats.format import Format, RunColumns
from focuseval.formats.lines import refuse_names
from focuseval.formats.parsed import UNKNOWN, GoldColumns, RawRun
from focuseval.formats.text_columns import Kind, likeness, read_columns

# ---------------------------------------------------------------------------------------- runs


_COLUMNS = {
    "topic": Kind.NAME,
    "Q0": Kind.SKIPPED,
    "document": Kind.DOCUMENT,
    "rank": Kind.WHOLE,
    "score": Kind.REAL,
    "run": Kind.NAME,
}
FORMS = {
    "trec run of whole documents": _COLUMNS,
    "trec run with XPaths": _COLUMNS | {"path": Kind.PATH},
    "trec run with offsets": _COLUMNS | {"offset": Kind.PLACE, "length": Kind.PLACE},
}


def read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read one run, in blocks of about so many rows."""
    expected = "expected at least one line of 6, 7 or 8 columns"
    for columns, refused in read_columns(path, list(FORMS.values()), rows):
        yield RunColumns(columns, refused, file_order="start" in columns, expected=expected)


RUN = Format("trec", tuple(FORMS), read_run, likeness=partial(likeness, FORMS))


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
        columns["offset"] = frame["start"].astype(str).where(~frame["unresolvable"], UNKNOWN)
        columns["length"] = (frame["end"] - frame["start"]).astype(str).where(~frame["unresolvable"], UNKNOWN)
    with replacing(path) as temporary:
        columns.to_csv(
            temporary, sep=" ", header=False, index=False, quoting=csv.QUOTE_NONE, lineterminator="\n"
        )


# ---------------------------------------------------------------------------------- assessments


_QRELS = {"topic": Kind.NAME, "iteration": Kind.SKIPPED, "document": Kind.DOCUMENT, "grade": Kind.WHOLE}


def read_qrels(path: Path, scale: str) -> GoldColumns:
    """Read one file."""
    [(grades, refused)] = read_columns(path, [_QRELS])
    return GoldColumns({"grades": grades}, refused)


QRELS = Format(
    "trec", ("trec qrels",), read_qrels, ("grades",), likeness=partial(likeness, {"trec qrels": _QRELS})
)
