"""FOL qrels (INEX 2008 to 2010): highlighted text as offsets and lengths in characters.

A line is ``topic Q0 document rsize doclen [bep off:len …]``: relevant and whole size of the document,
best entry point, passages; all in Unicode code points. A document with rsize 0 ends there. Published qrels
have a few passages of length 0 (``29583:0``): they are read, counted, and worth nothing.
"""

import re
import string
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from focuseval.errors import InputError, Problem, counted
from focuseval.files import write_atomically
from focuseval.formats.format import Format
from focuseval.formats.lines import decoded_fields, looks_like_number, read_each, refuse_names
from focuseval.formats.names import NAMES
from focuseval.formats.parsed import GoldColumns, RawAssessments, Refused, rows_of, topic_name, whole_number

_OFFSET_AND_LENGTH = re.compile(rb"[0-9]+:[0-9]+")


_NUMBERS = pa.list_(pa.int64())
_LINE = pa.schema(
    [
        *(("topic", NAMES), ("document", NAMES), ("size", pa.int64()), ("relevant_size", pa.int64())),
        *(("rest", pa.large_string()), ("start", _NUMBERS), ("end", _NUMBERS)),
    ]
)


def read(path: Path, scale: str) -> GoldColumns:
    """Read one file."""
    sizes, refused = read_each(path, _row, _LINE)
    ends = {name: sizes.pop(name) for name in ("start", "end")}
    passages = sizes.assign(**ends).explode([*ends]).dropna(subset=[*ends])
    points = sizes[sizes["rest"] != ""]
    points = points.assign(offset=points["rest"].str.split(" ").str[0].astype("int64"))
    return GoldColumns({"sizes": sizes, "passages": passages, "entry_points": points}, refused)


def _row(line: bytes) -> tuple:
    """Topic, document, its sizes, entry point and passages as they are written, start and end of each passage."""
    fields = decoded_fields(line)
    if len(fields) < 5:
        raise Refused(
            counted(len(fields), "column"), "expected topic Q0 document rsize doclen [bep off:len …]"
        )
    relevant, size = whole_number(fields[3], "rsize", 0), whole_number(fields[4], "doclen", 0)
    listed = [_passage(text) for text in fields[6:]]
    passages = sorted((start, end) for start, end in listed if end > start)
    if relevant > size:
        raise Refused(f"rsize {relevant} is above doclen {size}", "expected at most the size of the document")
    if relevant == 0 and len(fields) > 5 and (passages or not listed):
        raise Refused(f"rsize is 0, but {len(fields) - 5} columns follow", "expected none")
    if any(after[0] < before[1] for before, after in pairwise(passages)):
        raise Refused("passages overlap", "expected disjoint passages")
    last = max((end for _, end in listed), default=0)
    if last > size:
        raise Refused(f"a passage ends at {last}, after doclen {size}", "expected passages of the document")
    held = sum(end - start for start, end in passages)
    if held != relevant:
        raise Refused(
            f"the passages hold {held} characters, but rsize is {relevant}", "expected the same number"
        )
    entry_point = whole_number(fields[5], "the best entry point", 0) if listed else -1
    if entry_point > size:
        raise Refused(
            f"the best entry point is {entry_point}, after doclen {size}", "expected one in the document"
        )
    rest = [entry_point, *(f"{start}:{end - start}" for start, end in passages)] if passages else []
    ends = zip(*sorted(listed), strict=True) if listed else ((), ())
    return topic_name(fields[0]), fields[2], size, relevant, " ".join(map(str, rest)), *ends


def _passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(":")
    if not colon:
        raise Refused(f"a passage is {text!r}", "expected offset:length")
    start = whole_number(offset, "the offset of a passage", 0)
    return start, start + whole_number(length, "the length of a passage", 0)


def likeness(line: bytes) -> tuple[float, str]:
    """Whether a line may be of qrels: of a document without passages, or with some."""
    fields = line.split()
    empty = len(fields) == 5 and all(map(looks_like_number, fields[3:]))
    passages = len(fields) > 6 and _OFFSET_AND_LENGTH.fullmatch(fields[6]) is not None
    return float(empty or passages), "fol qrels"


FORMAT = Format("fol", ("fol qrels",), read, ("highlights",), likeness=likeness)


def write_qrels_fol(path: str | Path, assessments: RawAssessments) -> None:
    """Write assessments as FOL qrels. A best entry point that is not known is the start of the first passage.

    Raises
    ------
    InputError
        if the assessments have no passages with offsets, or a name has a blank in it.
    """
    if assessments.documents is None or assessments.passages is None:
        raise InputError(
            Problem(
                str(path), "", "assessments without character offsets", "FOL qrels need highlighted passages"
            )
        )
    refuse_names(path, assessments.documents[["topic", "document"]], string.whitespace)
    passages: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for *document, start, end in rows_of(assessments.passages, "topic", "document", "start", "end"):
        passages.setdefault((document[0], document[1]), []).append((start, end))
    points = {row[:2]: row[2] for row in rows_of(assessments.entry_points, "topic", "document", "offset")}
    with write_atomically(path) as stream:
        for topic, name, relevant, size in rows_of(
            assessments.documents, "topic", "document", "relevant_size", "size"
        ):
            columns = [topic, "Q0", name, relevant, size]
            held = sorted(passages.get((topic, name), []))
            if held:
                columns.append(points.get((topic, name), held[0][0]))
                columns.extend(f"{start}:{end - start}" for start, end in held)
            stream.write(" ".join(map(str, columns)) + "\n")
