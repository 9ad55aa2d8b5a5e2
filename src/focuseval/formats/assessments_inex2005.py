"""INEX 2005 to 2007 assessments: highlighted passages and the elements that hold their text.

In ``<file collection name>``: ``<best-entry-point path/>``, ``<passage start end size/>`` with XPath
points such as ``/article[1]/p[2]/text()[1].17``, and ``<element path exhaustivity size rsize/>``.
Exhaustivity is ``?`` (too small), 0, 1 or 2; specificity is rsize/size, or an attribute of its own
in the first files of 2005.
"""

from pathlib import Path

from lxml import etree

from focuseval.formats.assessed import Assessed
from focuseval.formats.assessments_inex import read_judgements
from focuseval.formats.raw import Refused, quoted, real_number, required, whole_number
from focuseval.formats.xmlfile import local_name
from focuseval.model.judgements import TOO_SMALL

SCALES = ("inex2005", "highlights")

EXHAUSTIVITY = {"?": TOO_SMALL, "0": 0.0, "1": 1.0, "2": 2.0}


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. On the scale ``highlights`` exhaustivity is 2 and may be left out."""

    def judge(into: Assessed, element: etree._Element, line: int) -> None:
        kind = local_name(element)
        if kind == "best-entry-point":
            into.entry_point(-1, required(element.get("path"), "the path of the best entry point"), line)
        elif kind == "passage":
            size = element.get("size")
            known = -1 if size is None else whole_number(size, "the size of the passage", 0)
            into.xpath_passage(element.get("start"), element.get("end"), known, line)
        elif element.get("exhaustivity") == "U":
            into.unassessed += 1
        else:
            exhaustivity = 2.0 if scale == "highlights" else _exhaustivity(element.get("exhaustivity"))
            into.element(element.get("path"), exhaustivity, *_specificity(element), line)

    read_judgements(path, into, ("best-entry-point", "passage", "element"), judge)


def _exhaustivity(text: str | None) -> float:
    if text not in EXHAUSTIVITY:
        raise Refused(f"exhaustivity is {quoted(text)}", "expected ?, 0, 1 or 2 (or U)")
    return EXHAUSTIVITY[text]


def _specificity(element: etree._Element) -> tuple[float, float]:
    """Specificity and size. An element without text has specificity 0."""
    if (
        element.get("size") is None
        and element.get("rsize") is None
        and element.get("specificity") is not None
    ):
        specificity = real_number(element.get("specificity"), "specificity")
        if not 0 <= specificity <= 1:
            raise Refused(f"specificity is {specificity}", "expected a number from 0 to 1")
        return specificity, float("nan")
    size, relevant = (whole_number(element.get(name), name, 0) for name in ("size", "rsize"))
    if relevant > size:
        raise Refused(f"rsize {relevant} is above size {size}", "expected at most the size of the element")
    return relevant / size if size else 0.0, float(size)
