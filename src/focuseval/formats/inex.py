"""INEX's formats: submissions, and assessment files of 2002 to 2007.

A submission is ``<inex-submission participant-id run-id task query …>``. Each ``<topic topic-id>`` holds ``<result>``
elements of ``<file>``, then ``<path>`` (an element) or ``<fol offset length/>`` (a passage in characters) or neither
(the whole document), then perhaps ``<rank>`` and ``<rsv>``.

Assessments are ``<assessments topic pool>`` with a ``<file>`` for each document, and judgements in it:

* 2002: ``<path path relevance="0-3" coverage="N|L|S|E"/>``. Exhaustivity is the relevance; specificity codes the
  coverage: no coverage 0, too large 1, too small 2, exact 3.
* 2003 and 2004: ``<path path exhaustiveness specificity/>``. Both are 0-3, or U for unassessed, which is also what
  INEX's DTD says of attributes left out.
* 2005 to 2007: highlighted passages and the elements that hold their text: ``<best-entry-point path/>``, ``<passage
  start end size/>`` with XPath points such as ``/article[1]/p[2]/text()[1].17``, and ``<element path exhaustivity size
  rsize/>``. Exhaustivity is ``?`` (too small), 0, 1 or 2; specificity is rsize/size, or an attribute of its own in the
  first files of 2005.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from math import isnan, nan
from pathlib import Path

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.errors import InputError, Problem
from focuseval.files import write_atomically
from focuseval.formats.format import Format, RunColumns
from focuseval.formats.names import named
from focuseval.formats.parsed import (
    JUDGEMENTS,
    GoldColumns,
    RawRun,
    Refused,
    document_name,
    element_path,
    passage,
    quoted,
    real_number,
    required,
    rows_of,
    topic_name,
    whole_number,
)
from focuseval.formats.xmlfile import line_of, local_name, stream, text_of
from focuseval.model.judgements import TOO_SMALL

# ---------------------------------------------------------------------------------------- runs


#: results of a topic that a submission may have at INEX
RESULT_SET_SIZE = 1500

_WRITTEN = ("document", "path", "start", "end", "unresolvable", "rank", "score")
_COLUMNS = ["topic", "document", "path", "start", "end", "unresolvable", "rank", "score", "line"]
_PARTS = ("file", "path", "fol", "rank", "rsv")


def read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Read one run, as one block. Raises InputError if the XML cannot be read, or the run has no name."""
    refused: list[tuple[int, Refused]] = []
    heading: dict[str, str] = {}
    results = list(_results(path, heading, refused))
    if not heading.get("run-id", "").strip():
        expected = 'expected <inex-submission run-id="…">'
        raise InputError(Problem(str(path), "line 1", "no run-id", expected))
    columns = pd.DataFrame(results, columns=_COLUMNS)
    columns = columns.assign(**{name: named(columns[name]) for name in ("topic", "document", "path")})
    ranked = columns["rank"].notna()
    if ranked.any():
        why = Refused("a result without rank", "give ranks to all, or to none")
        refused += [(line, why) for line in columns["line"][~ranked]]
        columns = columns[ranked].reset_index(drop=True).astype({"rank": np.int64})
    else:
        columns = columns.drop(columns="rank")
    yield RunColumns(
        columns,
        refused,
        name=heading["run-id"].strip(),
        participant=heading["participant-id"],
        task=heading["task"],
        most=RESULT_SET_SIZE,
        expected="expected <topic> elements with <result>s",
    )


def _results(path: Path, heading: dict[str, str], refused: list[tuple[int, Refused]]) -> Iterator[tuple]:
    """The rows of the results that can be read; the others are refused. Fills in the ``heading``."""
    topic = ""
    for event, element in stream(path, ("inex-submission", "topic", "result")):
        tag, line = local_name(element), line_of(element)
        try:
            if tag == "inex-submission" and event == "start":
                heading.update({key: element.get(key, "") for key in ("participant-id", "run-id", "task")})
            elif tag == "topic":
                topic = ""
                if event == "start":
                    topic = required(element.get("topic-id"), "the topic-id")
            elif tag == "result" and event == "end":
                yield topic, *_result(element, topic), line
        except Refused as why:
            refused.append((line, why))


def _result(element: etree._Element, topic: str) -> tuple:
    """Document, path, start, end, whether it is unresolvable, rank (None: none) and score of one result."""
    texts: dict[str, str] = {}
    fol: dict[str, str | None] = {}
    for part in element.iterchildren("*"):
        name = local_name(part)
        if name not in _PARTS or name in texts:
            found = f"a second <{name}> in a result" if name in texts else f"<{name}> in a result"
            raise Refused(found, "expected file, then path or fol (offset and length), then rank and rsv")
        texts[name] = text_of(part)
        if name == "fol":
            fol = {key: part.get(key) for key in ("offset", "length")}
    if not topic:
        raise Refused("a result outside a topic", 'expected <topic topic-id="…"> around it')
    document = texts.get("file", "").strip()
    required(document_name(document), "the file")
    if "path" in texts and "fol" in texts:
        raise Refused("a result with path and fol", "expected one of the two")
    start, end, unresolvable = -1, -1, False
    if "path" in texts:
        if not texts["path"].startswith("/") or " " in texts["path"]:
            raise Refused(
                f"the path is {quoted(texts['path'])}", "expected one like /article[1]/bdy[1]/sec[2]"
            )
    elif "fol" in texts:
        start, length = passage(fol.get("offset"), fol.get("length"))
        unresolvable = start < 0
        end = -1 if unresolvable else start + length
    rank = whole_number(texts["rank"], "the rank") if "rank" in texts else None
    score = real_number(texts["rsv"], "the rsv") if "rsv" in texts else float("nan")
    return document, texts.get("path"), start, end, unresolvable, rank, score


RUN = Format("inex", ("inex submission",), read_run, root="inex-submission")


def write_run_inex(path: str | Path, run: RawRun, *, query: str = "automatic") -> None:
    """Write a run as an INEX submission, with ranks, and with scores where it has them.

    Raises
    ------
    InputError
        for names that XML cannot hold.
    """
    frame = run.frame
    names = [run.name, run.participant, run.task]
    for column in ("topic", "document", "path"):
        names.extend(frame[column].cat.categories)
    bad = [f"the name {quoted(name)}" for name in names if not _is_text(name)]
    if bad:
        raise InputError([Problem(str(path), "", found, "XML cannot hold it: rename it") for found in bad])
    heading = {"participant-id": run.participant, "run-id": run.name, "task": run.task, "query": query}
    with write_atomically(path) as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<inex-submission')
        out.write("".join(f' {name}="{escape(value)}"' for name, value in heading.items()) + ">\n")
        for topic, results in frame.groupby("topic", observed=True, sort=False):
            out.write(f'<topic topic-id="{escape(str(topic))}">\n')
            out.writelines(_written(*row) for row in rows_of(results, *_WRITTEN))
            out.write("</topic>\n")
        out.write("</inex-submission>\n")


def _is_text(name: str) -> bool:
    """Whether XML can hold a name, and give it back as it is."""
    try:
        etree.Element("name").text = name
    except ValueError:
        return False
    return name == " ".join(name.split())


def _written(
    document: str, path: object, start: int, end: int, unresolvable: bool, rank: int, score: float
) -> str:
    """One result as a line of XML."""
    place = ""
    if isinstance(path, str):
        place = f"<path>{escape(path, quote=False)}</path>"
    elif unresolvable:
        place = '<fol offset="-1" length="-1"/>'
    elif start >= 0:
        place = f'<fol offset="{start}" length="{end - start}"/>'
    rsv = "" if isnan(score) else f"<rsv>{score!r}</rsv>"
    return f"<result><file>{escape(document, quote=False)}</file>{place}<rank>{rank}</rank>{rsv}</result>\n"


# ---------------------------------------------------------------------------------- assessments


#: a file of INEX 2002 or 2003 that only says which documents were assessed
UNMARKED = "inex assessments without judgements"

#: exhaustivity of 2005, and the coverage of 2002, as numbers
EXHAUSTIVITY = {"?": TOO_SMALL, "0": 0.0, "1": 1.0, "2": 2.0}
COVERAGE = {"N": 0.0, "L": 1.0, "S": 2.0, "E": 3.0}

#: one judgement of an element on a scale: its kind and values; None if it is none
Judge = Callable[[etree._Element, str], tuple | None]


def _read(tags: Sequence[str], judge: Judge, path: Path, scale: str) -> GoldColumns:
    """Read one file, with a function that gives a judgement, or raises `Refused`.

    A document without judgements is an assessed one with nothing relevant in it.
    """
    rows: dict[str, list[tuple]] = {kind: [] for kind in JUDGEMENTS}
    topics: list[str] = []
    pools: list[tuple[str, str]] = []
    refused: list[tuple[int, Refused]] = []
    topic = document = ""
    empty = False
    for event, element in stream(path, ("assessments", "file", *tags)):
        name, line = local_name(element), line_of(element)
        judged: tuple | None = None
        try:
            if name in tags:
                empty = False
                judged = judge(element, scale) if event == "end" else None
            elif event == "end":
                judged = ("irrelevant",) if name == "file" and empty else None
                empty = False
            elif name == "assessments":
                topic, document = topic_name(element.get("topic")), ""
                topics.append(topic)
                pools += [(topic, pool.strip()) for pool in [element.get("pool")] if pool is not None]
            else:
                document, empty = required(element.get("name", element.get("file")), "the document"), True
            if judged and not topic:
                raise Refused("a judgement outside a topic", 'expected <assessments topic="…"> around it')
            if judged and not document:
                raise Refused("a judgement outside a document", "expected a <file> with a name around it")
            if judged:
                rows[judged[0]].append((topic, document, *judged[1:], line))
        except Refused as why:
            refused.append((line, why))
    tables = {
        kind: pd.DataFrame(rows[kind], columns=["topic", "document", *JUDGEMENTS[kind].values, "line"])
        for kind in JUDGEMENTS
        if rows[kind]
    }
    return GoldColumns(tables, refused, topics, pools)


def _judge2002(element: etree._Element, scale: str) -> tuple | None:
    relevance, coverage = element.get("relevance"), element.get("coverage")
    if relevance == coverage == "U":
        return None
    if coverage not in COVERAGE:
        raise Refused(f"coverage is {quoted(coverage)}", "expected N, L, S or E (or U for both)")
    grades = _grade(relevance, "relevance"), COVERAGE[coverage]
    both_or_none(*grades, f"relevance {relevance} and coverage {coverage}")
    return "elements", element_path(element.get("path")), *grades, nan


def _judge2003(element: etree._Element, scale: str) -> tuple | None:
    exhaustiveness, specificity = element.get("exhaustiveness", "U"), element.get("specificity", "U")
    if exhaustiveness == specificity == "U":
        return None
    grades = _grade(exhaustiveness, "exhaustiveness"), _grade(specificity, "specificity")
    both_or_none(*grades, f"exhaustiveness {exhaustiveness} and specificity {specificity}")
    return "elements", element_path(element.get("path")), *grades, nan


def _judge2005(element: etree._Element, scale: str) -> tuple | None:
    """On the scale ``highlights`` exhaustivity is 2 and may be left out."""
    kind, exhaustivity = local_name(element), element.get("exhaustivity")
    if kind == "best-entry-point":
        return "entry_points", -1, required(element.get("path"), "the path of the best entry point")
    if kind == "passage":
        size = element.get("size")
        known = -1 if size is None else whole_number(size, "the size of the passage", 0)
        points = (required(element.get(end), f"the {end} of the passage") for end in ("start", "end"))
        return "xpath_passages", *points, known
    if exhaustivity == "U":
        return None
    if scale != "highlights" and exhaustivity not in EXHAUSTIVITY:
        raise Refused(f"exhaustivity is {quoted(exhaustivity)}", "expected ?, 0, 1 or 2 (or U)")
    grade = 2.0 if scale == "highlights" else EXHAUSTIVITY[str(exhaustivity)]
    values = _specificity(element)
    return "elements", element_path(element.get("path")), grade, *values


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
