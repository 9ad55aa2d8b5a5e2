"""TREC Genomics 2006 and 2007: runs, as ``topic document rank score offset length run``, ordered by rank; and gold.

Gold is ``topic document offset length aspect|aspect…`` between tabs: a passage has one aspect or several, or none. The
track's own file is in Latin-1: a file that is not UTF-8 is read so.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from focuseval.errors import counted
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.format import Format, RunColumns
from focuseval.formats.lines import content_of, decoded, looks_like_number
from focuseval.formats.parsed import EMPTY, Refused, joined, whole_number
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


def read_gold(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. Passages may overlap."""
    into.has_passages = into.may_overlap = True
    try:
        content_of(path).decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"

    def judge(line: int, text: bytes) -> None:
        fields = [field.strip() for field in decoded(text, encoding).split("\t")]
        if len(fields) != 5:
            expected = "expected topic, document, offset, length, aspects between tabs"
            raise Refused(counted(len(fields), "column"), expected)
        start, size = whole_number(fields[2], "the offset", 0), whole_number(fields[3], "the length", 0)
        into.topic(fields[0])
        into.document(fields[1])
        if size:
            aspects = joined([name.strip() for name in fields[4].split("|") if name.strip()])
            into.add("passages", line, start, start + size, aspects, 1, "")
        else:
            into.remarks[EMPTY] += 1

    into.read_lines(path, judge)


def _like_gold(line: bytes) -> tuple[float, str]:
    """Whether a line may be of a gold passage: offset and length between tabs, and no number behind them."""
    fields = line.split(b"\t")
    numbers = [looks_like_number(field.strip()) for field in fields]
    return float(len(fields) == 5 and all(numbers[2:4]) and not numbers[4]), "trec genomics gold"


GOLD = Format("genomics", ("trec genomics gold",), read_gold, ("highlights",), likeness=_like_gold)
