"""Read and write TREC's formats and INEX's FOL qrels, which are text in columns.

Runs are ``topic Q0 document rank score run``, optionally followed by an XPath, or by offset and length. The run name
may be missing. Columns are separated by blanks or tabs.

Qrels are ``topic iteration document grade``, with grades of whole documents. The second column is ignored. A document
with a grade above 0 is relevant, and unlisted documents were not assessed. Qrels of samples (prels) are ``topic
document grade method probability``. BEIR has ``topic document grade``. MS MARCO has ``topic document`` for relevant
documents and ``topic document rank`` for runs.

Runs of TREC Genomics 2006 and 2007 are ``topic document rank score offset length run``, ordered by rank. Lines of gold
are ``topic document offset length aspect|aspect…``, with tabs between columns and any number of aspects. Files that are
not UTF-8 are read as Latin-1, like the track's own file.

FOL qrels (INEX 2008 to 2010) are ``topic Q0 document rsize doclen [bep off:len …]``: the relevant size and the total
size of the document, the best entry point, and the offset and length of each highlighted passage. Numbers count Unicode
code points. A line with rsize 0 ends after doclen. Published qrels have a few passages of length 0 (``29583:0``), which
are counted in a notice and score nothing.
"""

import csv
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pyarrow as pa

from focuseval.errors import InputError, counted
from focuseval.files import replacing, without_gz, write_atomically
from focuseval.formats.lines import (
    Form,
    Kind,
    content_of,
    decoded,
    decoded_fields,
    fields_of,
    likeness,
    looks_like_number,
    numbered_frame,
    read_columns,
    read_each,
    read_tables,
    refuse_names,
    row_of,
)
from focuseval.formats.parsed import (
    NAMES,
    UNKNOWN,
    Format,
    GoldColumns,
    RawAssessments,
    RawRun,
    RunColumns,
    UnusableValue,
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
#: the kind of runs without a column of run names
UNNAMED = "trec run without a run name"
FORMS = {
    "trec run of whole documents": _COLUMNS,
    "trec run with XPaths": _COLUMNS | {"path": Kind.PATH},
    "trec run with offsets": _COLUMNS | {"offset": Kind.PLACE, "length": Kind.PLACE},
    UNNAMED: {name: kind for name, kind in _COLUMNS.items() if name != "run"},
}


def _read_run(forms: Sequence[Form], path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Yield the blocks of a run with the columns of one of ``forms``. A run without a name is named after its file."""
    for table, unusable in read_tables(path, forms, rows):
        columns, names = numbered_frame(table)
        yield RunColumns(columns, unusable, names, "" if "run" in columns else without_gz(path).stem)


def _read_trec(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read a run of TREC, or of INEX with offsets. Passages stay in file order even if their ranks contradict it."""
    expected = "expected at least one line with 5 to 8 columns"
    for read in _read_run(list(FORMS.values()), path, rows):
        yield replace(read, file_order="start" in read.columns, expected=expected)


def _like_run(line: bytes) -> tuple[float, str]:
    """Return the similarity of a line to a TREC run (0 to 1), and the kind of run. Unnamed runs must have Q0."""
    share, kind = likeness(FORMS, line)
    return (0.0, "") if kind == UNNAMED and line.split()[1:2] not in _Q0 else (share, kind)


#: usual values of the second column in runs and qrels, as lists that are compared with slices of fields
_Q0 = ([b"Q0"], [b"q0"], [b"0"])

RUN = Format("trec", tuple(FORMS), _read_trec, likeness=_like_run)


def write_run_trec(path: str | Path, run: RawRun) -> None:
    """Write a run in TREC's format. Elements also have an XPath, and passages also have offset and length.

    Negative ranks replace missing scores. Unknown offsets and lengths are written as ``X``. Raises InputError for names
    with blanks, and for a run that mixes elements, passages and whole documents.
    """
    frame = run.frame
    kinds = [frame["path"].notna(), (frame["start"] >= 0) | frame["unresolvable"]]
    if any(kind.any() and not kind.all() for kind in kinds):
        found = "the run mixes elements, passages or whole documents"
        raise InputError.of(str(path), found, "write an INEX submission, or a file for each kind")
    refuse_names(path, frame[["topic", "document", "path"]], string.whitespace)
    if not run.name or run.name.split() != [run.name]:
        raise InputError.of(str(path), f"the run name is {run.name!r}", "expected a name without blanks")
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
_BEIR = {"topic": Kind.NAME, "document": Kind.DOCUMENT, "grade": Kind.WHOLE}
_PRELS = {**_BEIR, "method": Kind.SKIPPED, "probability": Kind.REAL}
_RANKED = {"topic": Kind.NAME, "document": Kind.DOCUMENT, "rank": Kind.COUNT}


_SAMPLED = "probabilities of sampled judgements are ignored", "every judged document counts the same"


def _read_grades(form: Form, path: Path, scale: str) -> GoldColumns:
    """Read a file of graded documents with the columns of ``form``. Without grades, all documents are relevant."""
    [(grades, unusable)] = read_columns(path, [form])
    notes = (_SAMPLED,) if "probability" in form else ()
    grades = grades if "grade" in grades else grades.assign(grade=1)
    return GoldColumns({"grades": grades}, unusable, notes=notes)


def _like_prels(line: bytes) -> tuple[float, str]:
    """Return whether a line looks like TREC prels (1) or not (0), and the kind ``trec prels``."""
    fields = line.split()
    numbers = all(map(looks_like_number, fields[2:]))
    return float(len(fields) == 5 and fields[1:2] not in _Q0 and numbers), "trec prels"


def _like_pairs(line: bytes) -> tuple[float, str]:
    """Return whether a line looks like MS MARCO's pairs of names (1) or not (0), and the kind ``msmarco pairs``."""
    fields = fields_of(line, tabs=True)
    pair = len(fields) == 2 and all(re.fullmatch(rb"\S*[0-9]\S*", field) for field in fields)
    return float(pair), "msmarco pairs"


QRELS = Format(
    "trec",
    ("trec qrels",),
    partial(_read_grades, _QRELS),
    ("grades",),
    likeness=partial(likeness, {"trec qrels": _QRELS}),
)
PRELS = Format("prels", ("trec prels",), partial(_read_grades, _PRELS), ("grades",), likeness=_like_prels)
BEIR = Format(
    "beir",
    ("beir qrels",),
    partial(_read_grades, _BEIR),
    ("grades",),
    likeness=partial(likeness, {"beir qrels": _BEIR}, least=1),
)
PAIRS = Format(
    "msmarco",
    ("msmarco pairs",),
    partial(_read_grades, {"topic": Kind.NAME, "document": Kind.DOCUMENT}),
    ("grades",),
    likeness=_like_pairs,
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


GENOMICS_RUN = Format(
    "genomics",
    ("trec genomics run",),
    partial(_read_run, [_GENOMICS_RUN]),
    likeness=partial(likeness, {"trec genomics run": _GENOMICS_RUN}, least=1),
)


RANKED = Format("msmarco", ("msmarco run",), partial(_read_run, [_RANKED]))


def is_ranked(lines: Sequence[bytes], run: bool | None) -> bool:
    """Return whether lines of three columns are a run of MS MARCO, and not qrels of BEIR.

    In a run, the third column is 1, 2, 3 … in every topic. If no topic has more than two lines, the numbers could also
    be grades, and the lines are a run only if ``run`` is true. If ``run`` is False, the lines are never a run.
    """
    ranks: dict[bytes, list[bytes]] = {}
    for topic, *_, rank in (fields_of(line, b"\t" in line) for line in lines if len(line.split()) > 1):
        if rank.isdigit():
            ranks.setdefault(topic, []).append(rank)
    counted_up = all(some == [b"%d" % rank for rank in range(1, len(some) + 1)] for some in ranks.values())
    longest = max(map(len, ranks.values()), default=0)
    return counted_up and run is not False and longest > (0 if run else 2)


#: the columns of the formats with which unrecognised lines are compared
_FORMS = {
    **FORMS,
    **{"trec qrels": _QRELS, "trec prels": _PRELS, "beir qrels": _BEIR, "trec genomics run": _GENOMICS_RUN},
}


def nearest(lines: Sequence[bytes]) -> tuple[str, str]:
    """Return the problem and the remedy for lines of an unknown format. The problem names the most similar format."""

    def fitting(name: str) -> tuple[int, float, int]:
        form = _FORMS[name]
        good = sum(_refusal(form, line) is None for line in lines)
        share = max(likeness({name: form}, line, least=0)[0] for line in lines)
        return good, share, sum(len(line.split()) == len(form) for line in lines)

    name = max(_FORMS, key=fitting)
    wrong = ((number, _refusal(_FORMS[name], line)) for number, line in enumerate(lines, 1))
    number, why = next(((number, why) for number, why in wrong if why), (0, None))
    found = "the format is not recognised"
    if why and any(fitting(name)):
        kind = name.replace("trec", "TREC").replace("beir", "BEIR").replace("genomics", "Genomics")
        found = f"the file looks like {'a ' * ('run' in name)}{kind}, but line {number} differs: "
        found += "{} ({})".format(*why.args)
    return found, "give a run, qrels, assessments, XML, JSON, or a table with column names (docs/formats.md)"


def _refusal(form: Form, line: bytes) -> UnusableValue | None:
    """Return the error if a line does not have the columns of ``form``, else None."""
    try:
        row_of(form, b"\t" in line and len(fields_of(line, tabs=True)) == len(form), line)
    except UnusableValue as error:
        return error
    return None


_GENOMICS_GOLD = pa.schema(
    [("topic", NAMES), ("document", NAMES), ("start", pa.int64()), ("end", pa.int64()), ("aspects", NAMES)]
)


def read_genomics_gold(path: Path, scale: str) -> GoldColumns:
    """Read a file of gold passages of TREC Genomics. Passages may overlap."""
    try:
        content_of(path).decode("utf-8")
        encoding = "utf-8"
    except UnicodeDecodeError:
        encoding = "latin-1"
    passages, unusable = read_each(path, partial(_genomics_row, encoding), _GENOMICS_GOLD)
    return GoldColumns({"passages": passages}, unusable)


def _genomics_row(encoding: str, line: bytes) -> tuple:
    fields = [field.strip() for field in decoded(line, encoding).split("\t")]
    if len(fields) != 5:
        expected = "expected topic, document, offset, length and aspects, separated by tabs"
        raise UnusableValue(f"the line has {counted(len(fields), 'column')}", expected)
    start, size = whole_number(fields[2], "the offset", 0), whole_number(fields[3], "the length", 0)
    topic, document = topic_name(fields[0]), required(fields[1], "the document name")
    aspects = joined([name.strip() for name in fields[4].split("|") if name.strip()]) if size else ""
    return topic, document, start, start + size, aspects


def _like_gold(line: bytes) -> tuple[float, str]:
    """Return whether a line looks like TREC Genomics gold (1) or not (0), and the kind ``trec genomics gold``."""
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
    """Read a file of FOL qrels, INEX's assessments with offset and length of each passage."""
    sizes, unusable = read_each(path, _fol_row, _FOL_LINE)
    ends = {name: sizes.pop(name) for name in ("start", "end")}
    passages = sizes.assign(**ends).explode([*ends]).dropna(subset=[*ends])
    points = sizes[sizes["rest"] != ""]
    points = points.assign(offset=points["rest"].str.split(" ").str[0].astype("int64"))
    return GoldColumns({"sizes": sizes, "passages": passages, "entry_points": points}, unusable)


def _fol_row(line: bytes) -> tuple:
    """Convert a line to values of the columns `_FOL_LINE`. Raises UnusableValue for contradictory numbers."""
    fields = decoded_fields(line)
    if len(fields) < 5:
        expected = "expected 5 or more: topic, Q0, document, rsize, doclen, entry point, offset:length …"
        raise UnusableValue(f"the line has {counted(len(fields), 'column')}", expected)
    relevant, size = whole_number(fields[3], "rsize", 0), whole_number(fields[4], "doclen", 0)
    listed = [_passage(text) for text in fields[6:]]
    passages = sorted((start, end) for start, end in listed if end > start)
    last, total = max((end for _, end in listed), default=0), sum(end - start for start, end in passages)
    entry_point = whole_number(fields[5], "the best entry point", 0) if listed else -1
    overlap = any(after[0] < before[1] for before, after in pairwise(passages))
    unexpected = relevant == 0 and len(fields) > 5 and (passages or not listed)
    for wrong, found, expected in (
        (relevant > size, f"rsize is {relevant}, but doclen is {size}", "an rsize of at most doclen"),
        (unexpected, f"rsize is 0, but the line has {len(fields)} columns", "only 5 columns"),
        (overlap, "the passages overlap", "passages that do not overlap"),
        (last > size, f"a passage ends at {last}, but doclen is {size}", "an end of at most doclen"),
        (
            total != relevant,
            f"the passages have {total} characters in total, but rsize is {relevant}",
            f"an rsize of {total}",
        ),
        (
            entry_point > size,
            f"the best entry point is {entry_point}, but doclen is {size}",
            "an entry point of at most doclen",
        ),
    ):
        if wrong:
            raise UnusableValue(found, f"expected {expected}")
    rest = [entry_point, *(f"{start}:{end - start}" for start, end in passages)] if passages else []
    ends = zip(*sorted(listed), strict=True) if listed else ((), ())
    return topic_name(fields[0]), fields[2], size, relevant, " ".join(map(str, rest)), *ends


def _passage(text: str) -> tuple[int, int]:
    offset, colon, length = text.partition(":")
    if not colon:
        raise UnusableValue(f"the passage is {text!r}", "expected OFFSET:LENGTH, such as 10:25")
    start = whole_number(offset, "the offset of a passage", 0)
    return start, start + whole_number(length, "the length of a passage", 0)


def _like_fol(line: bytes) -> tuple[float, str]:
    """Return whether a line looks like FOL qrels (1) or not (0), and the kind ``fol qrels``."""
    fields = line.split()
    empty = len(fields) == 5 and fields[1:2] in _Q0 and not fields[3].strip(b"0") and fields[4].isdigit()
    passages = len(fields) > 6 and _OFFSET_AND_LENGTH.fullmatch(fields[6]) is not None
    return float(empty or passages), "fol qrels"


FOL = Format("fol", ("fol qrels",), read_fol, ("highlights",), likeness=_like_fol)


def write_qrels_fol(path: str | Path, assessments: RawAssessments) -> None:
    """Write assessments as FOL qrels, INEX's format with offset and length of each passage.

    If the best entry point of a document is unknown, the start of the first passage is written. Raises InputError for
    assessments without offsets, and for names with blanks.
    """
    if assessments.documents is None or assessments.passages is None:
        found = "the assessments have no character offsets"
        raise InputError.of(str(path), found, "FOL qrels need highlighted passages")
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
            ranges = sorted(passages.get((topic, name), []))
            if ranges:
                columns.append(points.get((topic, name), ranges[0][0]))
                columns.extend(f"{start}:{end - start}" for start, end in ranges)
            stream.write(" ".join(map(str, columns)) + "\n")
