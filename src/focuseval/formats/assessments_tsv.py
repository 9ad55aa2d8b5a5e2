"""Assessments as a table: tab-separated, with the header ``topic document path exhaustivity specificity``.

Exhaustivity and specificity are as on their scale; ``?`` is an element judged too small, ``U`` in both
an unassessed one. A line with a topic and nothing else before the values is an assessed topic.
"""

from pathlib import Path

from focuseval.errors import counted
from focuseval.files import write_atomically
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.format import Format
from focuseval.formats.inex import both_or_none
from focuseval.formats.lines import content_of, decoded, refuse_names
from focuseval.formats.parsed import RawAssessments, Refused, quoted, real_number, rows_of
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


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""

    def judge(line: int, text: bytes) -> None:
        fields = decoded(text.rstrip(b"\r")).split("\t")
        if line > 1:
            _judge(into, fields, scale, line)
        elif tuple(fields) != HEADER:
            found = f"the header is {quoted(' '.join(fields))}"
            raise Refused(found, f"expected {' '.join(HEADER)}, by tabs")

    into.read_lines(path, judge)


def _judge(into: Assessed, fields: list[str], scale: str, line: int) -> None:
    if len(fields) != len(HEADER):
        raise Refused(counted(len(fields), "column"), f"expected {len(HEADER)}, separated by tabs")
    topic, document, path, *values = fields
    if values == ["U", "U"]:
        into.topic(topic)
        return
    exhaustivity = TOO_SMALL if values[0] == "?" else real_number(values[0], "exhaustivity")
    specificity = real_number(values[1], "specificity")
    _check(exhaustivity, specificity, scale)
    into.topic(topic)
    if document or path:
        into.document(document)
        into.element(path, exhaustivity, specificity, float("nan"), line)
    elif exhaustivity or specificity:
        raise Refused("a judgement without document and path", "expected both, or the values 0 and 0")


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
