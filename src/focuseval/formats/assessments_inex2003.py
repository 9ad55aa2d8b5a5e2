"""INEX 2003 and 2004 assessments: ``<path path exhaustiveness specificity/>`` in ``<file file>``.

Both are 0-3, or U for unassessed, which is also what INEX's DTD says of attributes left out.
"""

from pathlib import Path

from lxml import etree

from focuseval.formats.assessed import Assessed
from focuseval.formats.assessments_inex import both_or_none, grade, read_judgements

SCALES = ("inex2003",)


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""
    read_judgements(path, into, ("path",), _judge)


def _judge(into: Assessed, element: etree._Element, line: int) -> None:
    exhaustiveness, specificity = element.get("exhaustiveness", "U"), element.get("specificity", "U")
    if exhaustiveness == "U" and specificity == "U":
        into.unassessed += 1
        return
    grades = grade(exhaustiveness, "exhaustiveness"), grade(specificity, "specificity")
    both_or_none(*grades, f"exhaustiveness {exhaustiveness} and specificity {specificity}")
    into.element(element.get("path"), *grades, float("nan"), line)
