"""Gold passages of TREC Genomics 2006 and 2007: ``topic document offset length aspect|aspect…``, between tabs.

A passage has one aspect or several, or none. The track's own file is in Latin-1: a file that is not UTF-8 is read so.
"""

from pathlib import Path

from focuseval.errors import counted
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.format import Format
from focuseval.formats.lines import content_of, decoded, looks_like_number
from focuseval.formats.parsed import Refused, joined, whole_number


def read(path: Path, into: Assessed, scale: str) -> None:
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
            into.empty += 1

    into.read_lines(path, judge)


def likeness(line: bytes) -> tuple[float, str]:
    """Whether a line may be of a gold passage: offset and length between tabs, and no number behind them."""
    fields = line.split(b"\t")
    numbers = [looks_like_number(field.strip()) for field in fields]
    return float(len(fields) == 5 and all(numbers[2:4]) and not numbers[4]), "trec genomics gold"


FORMAT = Format("genomics", ("trec genomics gold",), read, ("highlights",), likeness=likeness)
