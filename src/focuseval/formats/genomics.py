"""TREC Genomics 2006 and 2007: runs, as ``topic document rank score offset length run``, ordered by rank; and gold.

Gold is ``topic document offset length aspect|aspect…`` between tabs: a passage has one aspect or several, or none. The
track's own file is in Latin-1: a file that is not UTF-8 is read so.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa

from focuseval.errors import counted
from focuseval.formats.format import Format, RunColumns
from focuseval.formats.lines import content_of, decoded, looks_like_number, read_each
from focuseval.formats.names import NAMES
from focuseval.formats.parsed import GoldColumns, Refused, joined, required, topic_name, whole_number
from focuseval.formats.text_columns import Kind, likeness, read_columns

# ---------------------------------------------------------------------------------------- runs


_RUN = {
    "topic": Kind.NAME,
    "document": Kind.DOCUMENT,
    "rank": Kind.COUNT,
    "score": Kind.REAL,
    "offset": Kind.COUNT,
    "length": Kind.COUNT,
    "run": Kind.NAME,
}


def read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read one run, in blocks of about so many rows."""
    for columns, refused in read_columns(path, [_RUN], rows):
        yield RunColumns(columns, refused)


RUN = Format(
    "genomics",
    ("trec genomics run",),
    read_run,
    likeness=partial(likeness, {"trec genomics run": _RUN}, least=1),
)


# ---------------------------------------------------------------------------------- assessments


_GOLD = pa.schema(
    [("topic", NAMES), ("document", NAMES), ("start", pa.int64()), ("end", pa.int64()), ("aspects", NAMES)]
)


def read_gold(path: Path, scale: str) -> GoldColumns:
    """Read one file. Passages may overlap."""
    try:
        content_of(path).decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    passages, refused = read_each(path, partial(_row_of_gold, encoding), _GOLD)
    return GoldColumns({"passages": passages}, refused)


def _row_of_gold(encoding: str, line: bytes) -> tuple:
    fields = [field.strip() for field in decoded(line, encoding).split("\t")]
    if len(fields) != 5:
        expected = "expected topic, document, offset, length, aspects between tabs"
        raise Refused(counted(len(fields), "column"), expected)
    start, size = whole_number(fields[2], "the offset", 0), whole_number(fields[3], "the length", 0)
    topic, document = topic_name(fields[0]), required(fields[1], "the document")
    aspects = joined([name.strip() for name in fields[4].split("|") if name.strip()]) if size else ""
    return topic, document, start, start + size, aspects


def _like_gold(line: bytes) -> tuple[float, str]:
    """Whether a line may be of a gold passage: offset and length between tabs, and no number behind them."""
    fields = line.split(b"\t")
    numbers = [looks_like_number(field.strip()) for field in fields]
    return float(len(fields) == 5 and all(numbers[2:4]) and not numbers[4]), "trec genomics gold"


GOLD = Format("genomics", ("trec genomics gold",), read_gold, ("highlights",), likeness=_like_gold)
