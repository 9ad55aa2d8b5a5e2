"""Runs of TREC Genomics 2006 and 2007: ``topic document rank score offset length run``, ordered by rank."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from focuseval.errors import Problem
from focuseval.formats.format import Format
from focuseval.formats.parsed import RawRun
from focuseval.formats.ranking import Ranking, ranked_run
from focuseval.formats.text_columns import Kind, likeness, read_columns

_FORM = {
    "topic": Kind.NAME,
    "document": Kind.DOCUMENT,
    "rank": Kind.COUNT,
    "score": Kind.REAL,
    "offset": Kind.COUNT,
    "length": Kind.COUNT,
    "run": Kind.NAME,
}


def read(path: Path, ranking: Ranking, rejected: list[Problem], rows: int | None) -> Iterator[RawRun]:
    """Read one run, as `focuseval.formats.run_trec.read` does."""
    for columns in read_columns(path, [_FORM], rejected, rows):
        yield ranked_run(columns, ranking, rejected, str(path))


FORMAT = Format(
    "genomics",
    ("trec genomics run",),
    read,
    likeness=partial(likeness, {"trec genomics run": _FORM}, least=1),
)
