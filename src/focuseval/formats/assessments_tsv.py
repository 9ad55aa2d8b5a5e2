"""Assessments as a table: tab-separated, with the header ``topic document path exhaustivity specificity``.

Exhaustivity and specificity are as on their scale; ``?`` is an element judged too small, ``U`` in both
an unassessed one. A line with a topic and nothing else before the values is an assessed topic.
"""

from functools import partial
from math import nan
from pathlib import Path

import pyarrow as pa

from focuseval.errors import counted
from focuseval.files import write_atomically
from focuseval.formats.format import Format
from focuseval.formats.inex import both_or_none
from focuseval.formats.lines import content_of, decoded, frame_of, lines_of, one_by_one, refuse_names
from focuseval.formats.names import NAMES
from focuseval.formats.parsed import (
    GoldColumns,
    RawAssessments,
    Refused,
    element_path,
    quoted,
    real_number,
    required,
    rows_of,
    topic_name,
)
from focuseval.model.judgements import TOO_SMALL
from focuseval.model.vocabulary import SCALES

HEADER = ("topic", "document", "path", "exhaustivity", "specificity")


def scale_of(path: Path) -> str:
    """The scale of the values: ``inex2005`` if an exhaustivity is ``?`` or a specificity has a decimal point.

    Otherwise ``inex2003``: whole numbers that both scales have are taken as that.
    """
    for line in content_of(path).split(b"\n")[1:]:
        values = line.rstrip(b"\r").split(b"\t")[3:5]
        if len(values) == 2 and (values[0] == b"?" or b"." in values[1] or b"e" in values[1].lower()):
            return "inex2005"
    return "inex2003"


_COLUMNS = pa.schema(
    [*((name, NAMES) for name in HEADER[:3]), *((name, pa.float64()) for name in HEADER[3:])]
)


def read(path: Path, scale: str) -> GoldColumns:
    """Read one file."""
    lines = lines_of(path)
    number, header = next(lines, (0, b""))
    try:
        if number != 1 or tuple(_fields(header)) != HEADER:
            found = f"the header is {quoted(' '.join(_fields(header)))}"
            raise Refused(found, f"expected {' '.join(HEADER)}, by tabs")
        wrong = []
    except Refused as refused:
        wrong = [(1, refused)]
    elements, refused_lines = one_by_one(lines, partial(_row, scale), _COLUMNS)
    return GoldColumns({"elements": frame_of(elements)}, [*wrong, *refused_lines])


def _fields(line: bytes) -> list[str]:
    return decoded(line.rstrip(b"\r")).split("\t")


def _row(scale: str, line: bytes) -> tuple:
    fields = _fields(line)
    if len(fields) != len(HEADER):
        raise Refused(counted(len(fields), "column"), f"expected {len(HEADER)}, separated by tabs")
    topic, document, path, *values = fields
    if values == ["U", "U"]:
        return topic_name(topic), "", "", nan, nan
    exhaustivity = TOO_SMALL if values[0] == "?" else real_number(values[0], "exhaustivity")
    specificity = real_number(values[1], "specificity")
    _check(exhaustivity, specificity, scale)
    topic = topic_name(topic)
    if document or path:
        return topic, required(document, "the document"), element_path(path), exhaustivity, specificity
    if exhaustivity or specificity:
        raise Refused("a judgement without document and path", "expected both, or the values 0 and 0")
    return topic, "", "", nan, nan


def _check(exhaustivity: float, specificity: float, scale: str) -> None:
    """Refuse values that the scale does not have."""
    values = f"exhaustivity {exhaustivity:g} and specificity {specificity:g}"
    if scale in ("inex2002", "inex2003"):
        if exhaustivity not in (0, 1, 2, 3) or specificity not in (0, 1, 2, 3):
            raise Refused(values, f"the scale {scale} has 0, 1, 2 and 3")
        both_or_none(exhaustivity, specificity, values)
    else:
        grades = (TOO_SMALL, 0, 1, 2) if scale == "inex2005" else (0, 2)
        if exhaustivity not in grades or not 0 <= specificity <= 1:
            told = "?, 0, 1 and 2" if scale == "inex2005" else "0 and 2"
            raise Refused(values, f"the scale {scale} has exhaustivity {told}, and specificity from 0 to 1")


FORMAT = Format("tsv", ("assessments table",), read, SCALES, heading=HEADER[:3])


def write_assessments_tsv(path: str | Path, assessments: RawAssessments) -> None:
    """Write judged elements as a table. Specificity has a decimal point unless the scale is 0-3.

    Raises
    ------
    InputError
        for names with tabs or line ends in them.
    """
    whole = assessments.scale in ("inex2002", "inex2003")
    judged = dict(iter(assessments.elements.groupby("topic", observed=True)))
    refuse_names(path, assessments.elements[["topic", "document", "path"]], "\t\r\n")
    with write_atomically(path) as stream:
        stream.write("\t".join(HEADER) + "\n")
        for topic in assessments.topics:
            if topic not in judged:
                stream.write(f"{topic}\t\t\t0\t{0 if whole else 0.0}\n")
                continue
            for document, element, e, s in rows_of(judged[topic], *HEADER[1:]):
                exhaustivity = "?" if e == TOO_SMALL else f"{e:g}"
                specificity = f"{s:g}" if whole else repr(s)
                stream.write(f"{topic}\t{document}\t{element}\t{exhaustivity}\t{specificity}\n")
