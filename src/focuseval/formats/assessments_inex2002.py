"""INEX 2002 assessments: ``<path path relevance="0-3" coverage="N|L|S|E"/>`` in ``<file file>``.

Exhaustivity is the relevance; specificity codes the coverage: no coverage 0, too large 1, too
small 2, exact 3.
"""

from pathlib import Path

from lxml import etree

from focuseval.formats.assessed import Assessed
from focuseval.formats.assessments_inex import both_or_none, grade, read_judgements
from focuseval.formats.raw import Refused, quoted

SCALES = ("inex2002",)

#: coverage as a number
COVERAGE = {"N": 0.0, "L": 1.0, "S": 2.0, "E": 3.0}


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""
    read_judgements(path, into, ("path",), _judge)


def _judge(into: Assessed, element: etree._Element, line: int) -> None:
    relevance, coverage = element.get("relevance"), element.get("coverage")
    if relevance == "U" and coverage == "U":
        into.unassessed += 1
        return
    if coverage not in COVERAGE:
        raise Refused(f"coverage is {quoted(coverage)}", "expected N, L, S or E (or U for both)")
    exhaustivity, specificity = grade(relevance, "relevance"), COVERAGE[coverage]
    both_or_none(exhaustivity, specificity, f"relevance {relevance} and coverage {coverage}")
    into.element(element.get("path"), exhaustivity, specificity, float("nan"), line)
