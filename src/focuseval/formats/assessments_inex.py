"""INEX's assessment files: ``<assessments topic pool>`` with a ``<file>`` for each document, and judgements in it.

* 2002: ``<path path relevance="0-3" coverage="N|L|S|E"/>``. Exhaustivity is the relevance; specificity codes the
  coverage: no coverage 0, too large 1, too small 2, exact 3.
* 2003 and 2004: ``<path path exhaustiveness specificity/>``. Both are 0-3, or U for unassessed, which is also what
  INEX's DTD says of attributes left out.
* 2005 to 2007: highlighted passages and the elements that hold their text: ``<best-entry-point path/>``, ``<passage
  start end size/>`` with XPath points such as ``/article[1]/p[2]/text()[1].17``, and ``<element path exhaustivity size
  rsize/>``. Exhaustivity is ``?`` (too small), 0, 1 or 2; specificity is rsize/size, or an attribute of its own in the
  first files of 2005.
"""

from collections.abc import Callable, Sequence
from functools import partial
from math import nan
from pathlib import Path

from lxml import etree

from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.format import Format
from focuseval.formats.parsed import Refused, quoted, real_number, required, whole_number
from focuseval.formats.xmlfile import line_of, local_name, stream
from focuseval.model.judgements import TOO_SMALL

#: a file of INEX 2002 or 2003 that only says which documents were assessed
UNMARKED = "inex assessments without judgements"

#: exhaustivity of 2005, and the coverage of 2002, as numbers
EXHAUSTIVITY = {"?": TOO_SMALL, "0": 0.0, "1": 1.0, "2": 2.0}
COVERAGE = {"N": 0.0, "L": 1.0, "S": 2.0, "E": 3.0}

#: reads one judgement: its element and line, on a scale
Judge = Callable[[Assessed, etree._Element, int, str], None]


def _read(tags: Sequence[str], judge: Judge, path: Path, into: Assessed, scale: str) -> None:
    """Read one file, with a function that adds the rows of a judgement, or raises `Refused`.

    A document without judgements is an assessed one with nothing relevant in it.
    """
    into.open(path)
    empty = False
    for event, element in stream(path, ("assessments", "file", *tags)):
        name, line = local_name(element), line_of(element)
        try:
            if name in tags:
                empty = False
                if event == "end":
                    judge(into, element, line, scale)
            elif event == "start":
                if name == "assessments":
                    into.topic(element.get("topic"), element.get("pool"))
                else:
                    into.document(element.get("name", element.get("file")))
                    empty = True
            elif name == "file" and empty:
                into.add("irrelevant", line)
                empty = False
        except Refused as refused:
            into.refuse(line, refused)


def _judge2002(into: Assessed, element: etree._Element, line: int, scale: str) -> None:
    relevance, coverage = element.get("relevance"), element.get("coverage")
    if relevance == coverage == "U":
        return
    if coverage not in COVERAGE:
        raise Refused(f"coverage is {quoted(coverage)}", "expected N, L, S or E (or U for both)")
    grades = _grade(relevance, "relevance"), COVERAGE[coverage]
    both_or_none(*grades, f"relevance {relevance} and coverage {coverage}")
    into.element(element.get("path"), *grades, nan, line)


def _judge2003(into: Assessed, element: etree._Element, line: int, scale: str) -> None:
    exhaustiveness, specificity = element.get("exhaustiveness", "U"), element.get("specificity", "U")
    if exhaustiveness == specificity == "U":
        return
    grades = _grade(exhaustiveness, "exhaustiveness"), _grade(specificity, "specificity")
    both_or_none(*grades, f"exhaustiveness {exhaustiveness} and specificity {specificity}")
    into.element(element.get("path"), *grades, nan, line)


def _judge2005(into: Assessed, element: etree._Element, line: int, scale: str) -> None:
    """On the scale ``highlights`` exhaustivity is 2 and may be left out."""
    kind, exhaustivity = local_name(element), element.get("exhaustivity")
    if kind == "best-entry-point":
        path = required(element.get("path"), "the path of the best entry point")
        into.add("entry_points", line, -1, path)
    elif kind == "passage":
        size = element.get("size")
        known = -1 if size is None else whole_number(size, "the size of the passage", 0)
        points = (required(element.get(end), f"the {end} of the passage") for end in ("start", "end"))
        into.add("xpath_passages", line, *points, known)
    elif exhaustivity != "U":
        if scale != "highlights" and exhaustivity not in EXHAUSTIVITY:
            raise Refused(f"exhaustivity is {quoted(exhaustivity)}", "expected ?, 0, 1 or 2 (or U)")
        grade = 2.0 if scale == "highlights" else EXHAUSTIVITY[str(exhaustivity)]
        into.element(element.get("path"), grade, *_specificity(element), line)


def _grade(text: str | None, what: str) -> float:
    """A grade from 0 to 3."""
    if text not in ("0", "1", "2", "3"):
        raise Refused(f"{what} is {text!r}", "expected 0, 1, 2, 3 or U")
    return float(text)


def both_or_none(exhaustivity: float, specificity: float, found: str) -> None:
    """Refuse a judgement on 0-3 scales with only one dimension at zero."""
    if (exhaustivity == 0) != (specificity == 0):
        raise Refused(f"{found}: only one of them is zero", "expected both zero, or both above")


def _specificity(element: etree._Element) -> tuple[float, float]:
    """Specificity and size. An element without text has specificity 0."""
    given = element.get("specificity")
    if given is not None and element.get("size") is None and element.get("rsize") is None:
        specificity = real_number(given, "specificity")
        if not 0 <= specificity <= 1:
            raise Refused(f"specificity is {specificity}", "expected a number from 0 to 1")
        return specificity, nan
    size, relevant = (whole_number(element.get(name), name, 0) for name in ("size", "rsize"))
    if relevant > size:
        raise Refused(f"rsize {relevant} is above size {size}", "expected at most the size of the element")
    return relevant / size if size else 0.0, float(size)


_OF_2005 = ("best-entry-point", "passage", "element")

INEX2002 = Format(
    "inex2002",
    ("inex2002 assessments",),
    partial(_read, ("path",), _judge2002),
    ("inex2002",),
    root="assessments",
    has_element=lambda name, attributes: (
        name == "path" and not {"relevance", "coverage"}.isdisjoint(attributes)
    ),
)
INEX2003 = Format(
    "inex2003",
    ("inex2003 assessments", UNMARKED),
    partial(_read, ("path",), _judge2003),
    ("inex2003",),
    root="assessments",
    has_element=lambda name, attributes: name == "path" and "exhaustiveness" in attributes,
)
INEX2005 = Format(
    "inex2005",
    ("inex2005 assessments",),
    partial(_read, _OF_2005, _judge2005),
    ("inex2005", "highlights"),
    root="assessments",
    has_element=lambda name, attributes: name in _OF_2005 or (name == "file" and "name" in attributes),
)
