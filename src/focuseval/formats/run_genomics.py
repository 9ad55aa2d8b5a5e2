"""Runs of TREC Genomics 2006 and 2007: ``topic document rank score offset length run``."""

from pathlib import Path

import pandas as pd

from focuseval.errors import InputError, Problem, counted
from focuseval.formats.names import missing
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import RawRun, Refused, real_number, whole_number
from focuseval.formats.text_columns import Kind, read_columns

_FORM = {
    "topic": Kind.NAME,
    "document": Kind.DOCUMENT,
    "rank": Kind.COUNT,
    "score": Kind.REAL,
    "offset": Kind.COUNT,
    "length": Kind.COUNT,
    "run": Kind.NAME,
}


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run: the order is that of ranks. Lines that cannot be read become problems in ``rejected``.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    found = read_columns(path, [_FORM], _explain, rejected)
    if not len(found):
        none = Problem(str(path), "", "no result that can be read", "expected at least one")
        raise InputError(rejected or none)
    name = found.the_run(path)
    start = found.numbers("offset")
    document, extended = found.documents()
    columns = pd.DataFrame(
        {
            "topic": found.names("topic"),
            "document": document,
            "rank": found.numbers("rank"),
            "score": found.numbers("score"),
            "path": missing(len(found)),
            "start": start,
            "end": start + found.numbers("length"),
            "line": found.line,
            "unresolvable": False,
        }
    )
    frame, by_file, reversed_topics = in_order(columns, ranking, str(path), file_order=False)
    return RawRun(name, "", "", frame, str(path), by_file, extended, reversed_topics=reversed_topics)


def _explain(fields: list[str], width: int) -> None:
    """Raise Refused, saying what is wrong with the fields of a line, if something is."""
    if len(fields) != width:
        expected = "expected topic document rank score offset length run"
        raise Refused(counted(len(fields), "column"), expected)
    whole_number(fields[2], "the rank", 0)
    real_number(fields[3], "the score")
    whole_number(fields[4], "the offset", 0)
    whole_number(fields[5], "the length", 0)
