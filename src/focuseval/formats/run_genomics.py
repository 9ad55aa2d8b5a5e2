"""Runs of TREC Genomics 2006 and 2007: ``topic document rank score offset length run``."""

from pathlib import Path

from focuseval.errors import Problem, counted
from focuseval.formats.parsed import RawRun, Refused, real_number, whole_number
from focuseval.formats.ranking import Ranking, ranked_run
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
    columns = read_columns(path, [_FORM], _explain, rejected)
    columns["start"] = columns.pop("offset")
    columns["end"] = columns["start"] + columns.pop("length")
    return ranked_run(columns, ranking, rejected, str(path))


def _explain(fields: list[str], width: int) -> None:
    """Raise Refused, saying what is wrong with the fields of a line, if something is."""
    if len(fields) != width:
        expected = "expected topic document rank score offset length run"
        raise Refused(counted(len(fields), "column"), expected)
    whole_number(fields[2], "the rank", 0)
    real_number(fields[3], "the score")
    whole_number(fields[4], "the offset", 0)
    whole_number(fields[5], "the length", 0)
