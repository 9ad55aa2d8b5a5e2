"""TREC's formats, and INEX's FOL qrels: text in columns.

Runs are ``topic Q0 document rank score run``, behind which there may be an XPath, or offset and length. Qrels are
``topic iteration document grade``: they grade whole documents; their second column is not looked at. A grade above 0 is
relevant, and a document that is not listed was not assessed. Columns are separated by blanks or tabs.

TREC Genomics 2006 and 2007: runs are ``topic document rank score offset length run``, ordered by rank. Gold is ``topic
document offset length aspect|aspect…`` between tabs: a passage has one aspect or several, or none. The track's own file
is in Latin-1: a file that is not UTF-8 is read so.

FOL qrels (INEX 2008 to 2010) are highlighted text as offsets and lengths in characters: ``topic Q0 document rsize
doclen [bep off:len …]``, that is relevant and whole size of the document, best entry point, passages; all in Unicode
code points. A document with rsize 0 ends there. Published qrels have a few passages of length 0 (``29583:0``): they are
read, counted, and worth nothing.
"""

import csv
import re
import string
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from focuseval.errors import InputError, counted
from focuseval.files import replacing, write_atomically
from focuseval.formats.lines import (
    Kind,
    content_of,
    decoded,
    decoded_fields,
    likeness,
    looks_like_number,
    read_columns,
    read_each,
    refuse_names,
)
from focuseval.formats.parsed import (
    NAMES,
    UNKNOWN,
    Format,
    GoldColumns,
    RawAssessments,
    RawRun,
    Refused,
    RunColumns,
    joined,
    required,
    rows_of,
    topic_name,
    whole_number,
)

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
        raise InputError.of(str(path), found, "write an INEX submission, or the kinds apart")
    refuse_names(path, frame[["topic", "document", "path"]], string.whitespace)
    if not run.name or run.name.split() != [run.name]:
        raise InputError.of(str(path), f"the run {run.name!r}", "give it a name without blanks")
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


_QRELS = {"topic": Kind.NAME, "iteration": Kind.SKIPPED, "document": Kind.DOCUMENT, "grade": Kind.WHOLE}


def read_qrels(path: Path, scale: str) -> GoldColumns:
    """Read one file."""
    [(grades, refused)] = read_columns(path, [_QRELS])
    return GoldColumns({"grades": grades}, refused)


QRELS = Format(
    "trec", ("trec qrels",), read_qrels, ("grades",), likeness=partial(likeness, {"trec qrels": _QRELS})
)

# -------------------- TREC Genomics


_GENOMICS_RUN = {
    "topic": Kind.NAME,
    "document": Kind.DOCUMENT,
    "rank": Kind.COUNT,
    "score": Kind.REAL,
    "offset": Kind.COUNT,
    "length": Kind.COUNT,
    "run": Kind.NAME,
}


def read_genomics_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read one run, in blocks of about so many rows."""
    for columns, refused in read_columns(path, [_GENOMICS_RUN], rows):
        yield RunColumns(columns, refused)


GENOMICS_RUN = Format(
    "genomics",
    ("trec genomics run",),
    read_genomics_run,
    likeness=partial(likeness, {"trec genomics run": _GENOMICS_RUN}, least=1),
)


_GENOMICS_GOLD = pa.schema(
    [("topic", NAMES), ("document", NAMES), ("start", pa.int64()), ("end", pa.int64()), ("aspects", NAMES)]
)


def read_genomics_gold(path: Path, scale: str) -> GoldColumns:
    """Read one file. Passages may overlap."""
    try:
        content_of(path).decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    passages, refused = read_each(path, partial(_genomics_row, encoding), _GENOMICS_GOLD)
    return GoldColumns({"passages": passages}, refused)


def _genomics_row(encoding: str, line: bytes) -> tuple:
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


GENOMICS_GOLD = Format(
    "genomics", ("trec genomics gold",), read_genomics_gold, ("highlights",), likeness=_like_gold
)

# -------------------- FOL qrels

_OFFSET_AND_LENGTH = re.compile(rb"[0-9]+:[0-9]+")


_NUMBERS = pa.list_(pa.int64())
_FOL_LINE = pa.schema(
    [
        *(("topic", NAMES), ("document", NAMES), ("size", pa.int64()), ("relevant_size", pa.int64())),
        *(("rest", pa.large_string()), ("start", _NUMBERS), ("end", _NUMBERS)),
    ]
)


def read_fol(path: Path, scale: str) -> GoldColumns:
    """Read one file."""
    sizes, refused = read_each(path, _fol_row, _FOL_LINE)
    ends = {name: sizes.pop(name) for name in ("start", "end")}
    passages = sizes.assign(**ends).explode([*ends]).dropna(subset=[*ends])
    points = sizes[sizes["rest"] != ""]
    points = points.assign(offset=points["rest"].str.split(" ").str[0].astype("int64"))
    return GoldColumns({"sizes": sizes, "passages": passages, "entry_points": points}, refused)


def _fol_row(line: bytes) -> tuple:
    """Topic, document, its sizes, entry point and passages as they are written, start and end of each passage."""
    fields = decoded_fields(line)
    if len(fields) < 5:
        raise Refused(
            counted(len(fields), "column"), "expected topic Q0 document rsize doclen [bep off:len …]"
        )
    relevant, size = whole_number(fields[3], "rsize", 0), whole_number(fields[4], "doclen", 0)
    listed = [_passage(text) for text in fields[6:]]
    passages = sorted((start, end) for start, end in listed if end > start)
    last, held = max((end for _, end in listed), default=0), sum(end - start for start, end in passages)
    entry_point = whole_number(fields[5], "the best entry point", 0) if listed else -1
    overlap = any(after[0] < before[1] for before, after in pairwise(passages))
    unexpected = relevant == 0 and len(fields) > 5 and (passages or not listed)
    for wrong, found, expected in (
        (relevant > size, f"rsize {relevant} is above doclen {size}", "at most the size of the document"),
        (unexpected, f"rsize is 0, but {len(fields) - 5} columns follow", "none"),
        (overlap, "passages overlap", "disjoint passages"),
        (last > size, f"a passage ends at {last}, after doclen {size}", "passages of the document"),
        (
            held != relevant,
            f"the passages hold {held} characters, but rsize is {relevant}",
            "the same number",
        ),
        (
            entry_point > size,
            f"the best entry point is {entry_point}, after doclen {size}",
            "one in the document",
        ),
    ):
        if wrong:
            raise Refused(found, f"expected {expected}")
    rest = [entry_point, *(f"{start}:{end - start}" for start, end in passages)] if passages else []
    ends = zip(*sorted(listed), strict=True) if listed else ((), ())
    return topic_name(fields[0]), fields[2], size, relevant, " ".join(map(str, rest)), *ends


def _passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(":")
    if not colon:
        raise Refused(f"a passage is {text!r}", "expected offset:length")
    start = whole_number(offset, "the offset of a passage", 0)
    return start, start + whole_number(length, "the length of a passage", 0)


def _like_fol(line: bytes) -> tuple[float, str]:
    """Whether a line may be of qrels: of a document without passages, or with some."""
    fields = line.split()
    empty = len(fields) == 5 and all(map(looks_like_number, fields[3:]))
    passages = len(fields) > 6 and _OFFSET_AND_LENGTH.fullmatch(fields[6]) is not None
    return float(empty or passages), "fol qrels"


FOL = Format("fol", ("fol qrels",), read_fol, ("highlights",), likeness=_like_fol)


def write_qrels_fol(path: str | Path, assessments: RawAssessments) -> None:
    """Write assessments as FOL qrels. A best entry point that is not known is the start of the first passage.

    Raises
    ------
    InputError
        if the assessments have no passages with offsets, or a name has a blank in it.
    """
    if assessments.documents is None or assessments.passages is None:
        raise InputError.of(
            str(path), "assessments without character offsets", "FOL qrels need highlighted passages"
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
