"""INEX's formats: submissions, assessments of 2002 to 2007, and topics.

A submission is ``<inex-submission participant-id run-id task query …>``. Each ``<topic topic-id>`` has ``<result>``
elements. A result has a ``<file>``, and possibly a ``<rank>`` and a ``<rsv>``. A result with a ``<path>`` is an
element. A result with ``<fol offset length/>`` is a passage in characters. All other results are whole documents.

Assessments are ``<assessments topic pool>`` with a ``<file>`` for each document, which contains its judgements:

* 2002: ``<path path relevance="0-3" coverage="N|L|S|E"/>``. The relevance becomes the exhaustivity.
  The coverage becomes the specificity: 0 for none, 1 for too large, 2 for too small, 3 for exact.
* 2003 and 2004: ``<path path exhaustiveness specificity/>``. The grades are 0, 1, 2 and 3. U means unassessed, and is
  the default in INEX's DTD.
* 2005 to 2007: ``<best-entry-point path/>``, highlighted passages, and the elements that contain their text. A passage
  is ``<passage start end size/>``, with XPath points such as ``/article[1]/p[2]/text()[1].17``. An element is
  ``<element path exhaustivity size rsize/>``. Its exhaustivity is ``?`` (too small), 0, 1 or 2. Its specificity is
  rsize/size, or in the first files of 2005, an attribute.

A table of judged elements is tab-separated, with the header ``topic document path exhaustivity specificity``. Grades
are on the scale of their year. ``?`` marks an element judged too small. ``U`` in both columns marks an unassessed
element. A line without document and path declares an assessed topic.

Topics are ``<inex_topic topic_id query_type …>`` and, since 2009, ``<inex-topic-file><topic id …>``.

XML is not trusted. It is read as a stream, without network, external entities and external DTDs, and within libxml2's
limits on depth, text length and entity expansion. If the parser stops, an `InputError` states the file, the line and
the remedy.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from math import isnan, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from lxml import etree

from focuseval.errors import InputError, Problem, counted, meant
from focuseval.files import read_bytes, unpacked, write_atomically
from focuseval.formats.lines import content_of, decoded, frame_of, lines_of, one_by_one, refuse_names
from focuseval.formats.parsed import (
    JUDGEMENTS,
    NAMES,
    Format,
    GoldColumns,
    Note,
    Paths,
    RawAssessments,
    RawRun,
    RunColumns,
    UnusableValue,
    categorical_names,
    document_name,
    element_path,
    files_of,
    passage,
    problems_of,
    quoted,
    real_number,
    required,
    rows_of,
    topic_name,
    whole_number,
)
from focuseval.formats.xml_elements import CORRECT, CUT, fault
from focuseval.model.elements import split_point
from focuseval.model.judgements import TOO_SMALL
from focuseval.model.vocabulary import SCALES

_STRING = etree.XPath("string()")
_EXTERNAL = rb"<!ENTITY\s+(?:%%\s+)?%s\s+(?:SYSTEM|PUBLIC)"


def stream(
    path: str | Path, tags: Sequence[str], other: Callable[[etree._Element], None] = lambda element: None
) -> Iterator[tuple[str, etree._Element]]:
    """Yield elements with one of the ``tags``, each as ``("start", element)`` and later as ``("end", element)``.

    An element has its content only at its end. Then ``other`` is called with each child and each preceding sibling
    whose tag is not in ``tags``, and the element is emptied to save memory. Raises InputError if the file is unreadable
    or not well-formed, exceeds a limit of libxml2, or has external or unknown entities.
    """
    last = 0
    events: etree.iterparse | None = None
    try:
        with unpacked(path) as opened:
            events = etree.iterparse(
                opened,
                events=("start", "end"),
                tag=[f"{{*}}{tag}" for tag in tags],
                resolve_entities="internal",
                no_network=True,
                load_dtd=False,
                huge_tree=False,
            )
            for event, element in events:
                last = line_of(element) or last
                yield event, element
                if event == "end":
                    before = element.itersiblings("*", preceding=True)
                    for one in (*reversed([*before]), *element.iterchildren("*")):
                        if local_name(one) not in tags:
                            other(one)
                    element.clear()
                    parent = element.getparent()
                    while parent is not None and element.getprevious() is not None:
                        del parent[0]
    except etree.XMLSyntaxError as error:
        raise InputError(_problem(path, events, last)) from error


def _unknown(
    element: etree._Element,
    unusable: list[tuple[int, UnusableValue]],
    names: Sequence[str],
    inside: Sequence[str],
) -> None:
    """Add an element to ``unusable`` if its name is not in ``names`` and its parent's name is in ``inside``."""
    name, parent = local_name(element), element.getparent()
    if name not in names and parent is not None and local_name(parent) in inside:
        expected = f"{meant(name, names)}expected one of {', '.join(names)}"
        unusable.append(
            (line_of(element), UnusableValue(f"<{name}> is unknown in <{local_name(parent)}>", expected))
        )


def local_name(element: etree._Element) -> str:
    """Return an element's tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def line_of(element: etree._Element) -> int:
    """Return the line on which an element starts, or 0 if it is unknown."""
    line: int | None = element.sourceline
    return line or 0


def text_of(element: etree._Element) -> str:
    """Return all text in an element, with white space reduced to single blanks."""
    text = str(_STRING(element)) if len(element) else element.text or ""
    return " ".join(text.split())


def _problem(path: str | Path, parser: etree.iterparse, last: int) -> Problem:
    """Return the problem that stopped the XML parser, with its line in the file and a remedy."""
    entry = next(iter(parser.error_log), None)
    line = entry.line if entry and entry.filename != "<string>" else last
    where = f"line {max(line, 1)}"
    if entry is None:
        return Problem(str(path), where, "the file has no element", "expected one well-formed XML document")
    if "UNDECLARED_ENTITY" in entry.type_name or "ENTITY_IS_EXTERNAL" in entry.type_name:
        return Problem(str(path), where, *_entity(path, entry.message))
    found, remedy = fault(entry)
    # a complete file ends with a tag
    if remedy == CORRECT and not read_bytes(path).rstrip(b"\0 \t\r\n").endswith(b">"):
        remedy = CUT
    return Problem(str(path), where, found, remedy)


def _entity(path: str | Path, message: str) -> tuple[str, str]:
    """Return the description of the unknown or external entity that stopped the XML parser, and the remedy."""
    name = message.partition("'")[2].partition("'")[0]
    with unpacked(path) as opened:
        head = opened.read(1 << 20).replace(b"\0", b"")
    if re.search(_EXTERNAL % re.escape(name.encode()), head):
        return f"the external entity &{name}; is not read", "replace the entity with its text"
    remedy = "write the character itself, or define the entity in the DOCTYPE of the file"
    return f"the entity &{name}; is not defined", remedy


# -------------------- runs


#: maximum number of results for each topic of an INEX submission
RESULT_SET_SIZE = 1500

_WRITTEN = ("document", "path", "start", "end", "unresolvable", "rank", "score")
_COLUMNS = ["topic", "document", "path", "start", "end", "unresolvable", "rank", "score", "line"]
_PARTS = ("file", "path", "fol", "rank", "rsv")
#: elements that a submission and its topics may contain (only the first two are read)
_SUBMITTED = ("topic", "result", "description", "topic-fields", "collections", "collection")


def read_run(path: Path, rows: int | None) -> Iterator[RunColumns]:
    """Yield the run in an INEX submission as one block. Raises InputError for unreadable XML or a missing run-id."""
    unusable: list[tuple[int, UnusableValue]] = []
    heading: dict[str, str] = {}
    topics: dict[str, None] = {}
    results = list(_results(path, heading, topics, unusable))
    if not heading.get("run-id", "").strip():
        expected = 'expected <inex-submission run-id="…">'
        raise InputError.of(str(path), "the run-id is missing", expected, where="line 1")
    columns = pd.DataFrame(results, columns=_COLUMNS)
    columns = columns.assign(**{name: categorical_names(columns[name]) for name in ("document", "path")})
    columns["topic"] = pd.Categorical(columns["topic"], pd.Index([*topics], dtype="str"))
    ranked = columns["rank"].notna()
    if ranked.any():
        why = UnusableValue("the result has no rank", "give a rank to every result or to none")
        unusable += [(line, why) for line in columns["line"][~ranked]]
        columns = columns[ranked].reset_index(drop=True).astype({"rank": np.int64})
    else:
        columns = columns.drop(columns="rank")
    yield RunColumns(
        columns,
        unusable,
        name=heading["run-id"].strip(),
        participant=heading["participant-id"],
        task=heading["task"],
        most=RESULT_SET_SIZE,
        expected="expected <topic> elements with <result>s",
    )


def _results(
    path: Path, heading: dict[str, str], topics: dict[str, None], unusable: list[tuple[int, UnusableValue]]
) -> Iterator[tuple]:
    """Yield the usable results of a submission. Add its other content to ``heading``, ``topics`` and ``unusable``."""
    topic = ""
    other = partial(_unknown, unusable=unusable, names=_SUBMITTED, inside=("inex-submission", "topic"))
    for event, element in stream(path, ("inex-submission", "topic", "result"), other):
        tag, line = local_name(element), line_of(element)
        try:
            if tag == "inex-submission" and event == "start":
                heading.update({key: element.get(key, "") for key in ("participant-id", "run-id", "task")})
            elif tag == "topic":
                topic = ""
                if event == "start":
                    topic = required(element.get("topic-id"), "the topic-id")
                    topics[topic] = None
            elif tag == "result" and event == "end":
                yield topic, *_result(element, topic), line
        except UnusableValue as error:
            unusable.append((line, error))


def _result(element: etree._Element, topic: str) -> tuple:
    """Return the values of a <result> in the order of `_COLUMNS`, without topic and line. The rank may be None."""
    texts: dict[str, str] = {}
    fol: dict[str, str | None] = {}
    for part in element.iterchildren("*"):
        name = local_name(part)
        if name not in _PARTS or name in texts:
            kind = "a second element" if name in texts else "an unknown element"
            expected = "expected <file>, <path> or <fol offset length>, <rank>, <rsv>, each at most once"
            raise UnusableValue(f"the result has {kind} <{name}>", expected)
        texts[name] = text_of(part)
        if name == "fol":
            fol = {key: part.get(key) for key in ("offset", "length")}
    if not topic:
        raise UnusableValue("the result is outside a topic", 'expected <topic topic-id="…"> around it')
    document = texts.get("file", "").strip()
    required(document_name(document), "the file name")
    if "path" in texts and "fol" in texts:
        raise UnusableValue("the result has both <path> and <fol>", "expected only one of the two")
    start, end, unresolvable = -1, -1, False
    if "path" in texts:
        if not texts["path"].startswith("/") or " " in texts["path"]:
            expected = "expected a path like /article[1]/bdy[1]/sec[2]"
            raise UnusableValue(f"the path is {quoted(texts['path'])}", expected)
    elif "fol" in texts:
        start, length = passage(fol.get("offset"), fol.get("length"))
        unresolvable = start < 0
        end = -1 if unresolvable else start + length
    rank = whole_number(texts["rank"], "the rank") if "rank" in texts else None
    score = real_number(texts["rsv"], "the rsv") if "rsv" in texts else float("nan")
    return document, texts.get("path"), start, end, unresolvable, rank, score


RUN = Format("inex", ("inex submission",), read_run, root="inex-submission")


def write_run_inex(path: str | Path, run: RawRun, *, query: str = "automatic") -> None:
    """Write a run as an INEX submission. Raises InputError for names that XML cannot represent."""
    frame = run.frame
    names = [run.name, run.participant, run.task]
    for column in ("topic", "document", "path"):
        names.extend(frame[column].cat.categories)
    if bad := [quoted(name) for name in names if not _is_text(name)]:
        found = "the name {} has characters that XML does not allow"
        raise InputError([Problem(str(path), "", found.format(name), "change the name") for name in bad])
    heading = {"participant-id": run.participant, "run-id": run.name, "task": run.task, "query": query}
    with write_atomically(path) as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<inex-submission')
        out.write("".join(f' {name}="{escape(value)}"' for name, value in heading.items()) + ">\n")
        for topic, results in frame.groupby("topic", observed=True, sort=False):
            out.write(f'<topic topic-id="{escape(str(topic))}">\n')
            out.writelines(_result_line(*row) for row in rows_of(results, *_WRITTEN))
            out.write("</topic>\n")
        out.write("</inex-submission>\n")


def _is_text(name: str) -> bool:
    """Return whether a name is unchanged after it is written to XML and read again."""
    try:
        etree.Element("name").text = name
    except ValueError:
        return False
    return name == " ".join(name.split())


def _result_line(
    document: str, path: object, start: int, end: int, unresolvable: bool, rank: int, score: float
) -> str:
    """Return a result as one line of an INEX submission."""
    place = ""
    if isinstance(path, str):
        place = f"<path>{escape(path, quote=False)}</path>"
    elif unresolvable:
        place = '<fol offset="-1" length="-1"/>'
    elif start >= 0:
        place = f'<fol offset="{start}" length="{end - start}"/>'
    rsv = "" if isnan(score) else f"<rsv>{score!r}</rsv>"
    return f"<result><file>{escape(document, quote=False)}</file>{place}<rank>{rank}</rank>{rsv}</result>\n"


# -------------------- assessments


#: the kind of assessment files of 2002 or 2003 that contain no judgements
UNMARKED = "inex assessments without judgements"

#: the notice on unassessed elements
_UNASSESSED = "elements marked U were not assessed", "they are ignored"

#: XML elements of an assessment file that are skipped when it is read
_BESIDE_JUDGEMENTS = ("inex_topic", "INEX-Topic", "description", "collections", "collection")

#: numbers for the degrees of exhaustivity at INEX 2005
EXHAUSTIVITY = {"?": TOO_SMALL, "0": 0.0, "1": 1.0, "2": 2.0}
#: numbers for the degrees of coverage at INEX 2002
COVERAGE = {"N": 0.0, "L": 1.0, "S": 2.0, "E": 3.0}

#: returns the kind and the values of the judgement in an element, or None if it is unassessed
Judge = Callable[[etree._Element, str], tuple | None]


def _read_assessments(tags: Sequence[str], judge: Judge, path: Path, scale: str) -> GoldColumns:
    """Read an INEX file of assessments. ``judge`` converts each element with one of the ``tags`` to a judgement.

    A document without judgements is not relevant.
    """
    rows: dict[str, list[tuple]] = {kind: [] for kind in JUDGEMENTS}
    topics: list[str] = []
    pools: list[tuple[str, str]] = []
    unusable: list[tuple[int, UnusableValue]] = []
    problems: list[Problem] = []
    notes: list[Note] = []
    topic = document = ""
    empty = False
    elements = ("file", *tags, *_BESIDE_JUDGEMENTS)
    unknown = partial(_unknown, unusable=unusable, names=elements, inside=("assessments", "file"))
    for event, element in _until_broken(stream(path, ("assessments", "file", *tags), unknown), problems):
        name, line = local_name(element), line_of(element)
        judged: tuple | None = None
        try:
            if name in tags:
                empty = False
                judged = judge(element, scale) if event == "end" else None
                if event == "end" and judged is None:
                    notes = [_UNASSESSED]
            elif event == "end":
                judged = ("irrelevant",) if name == "file" and empty else None
                empty = False
            elif name == "assessments":
                topic, document = topic_name(element.get("topic")), ""
                topics.append(topic)
                pools += [(topic, pool.strip()) for pool in [element.get("pool")] if pool is not None]
            else:
                document = required(element.get("name", element.get("file")), "the document name")
                empty = True
            if judged and not topic:
                expected = 'expected <assessments topic="…"> around it'
                raise UnusableValue("the judgement is outside a topic", expected)
            if judged and not document:
                expected = 'expected <file file="…"> around it'
                raise UnusableValue("the judgement is outside a document", expected)
            if judged:
                rows[judged[0]].append((topic, document, *judged[1:], line))
        except UnusableValue as error:
            unusable.append((line, error))
    tables = {
        kind: pd.DataFrame(rows[kind], columns=["topic", "document", *JUDGEMENTS[kind].values, "line"])
        for kind in JUDGEMENTS
        if rows[kind]
    }
    return GoldColumns(tables, unusable, topics, pools, problems, notes)


def _until_broken(
    events: Iterator[tuple[str, etree._Element]], problems: list[Problem]
) -> Iterator[tuple[str, etree._Element]]:
    """Yield ``events`` until one raises InputError. Add the problems of this error to ``problems``."""
    try:
        yield from events
    except InputError as error:
        problems += error.problems


def _judge2002(element: etree._Element, scale: str) -> tuple | None:
    relevance, coverage = element.get("relevance"), element.get("coverage")
    if relevance == coverage == "U":
        return None
    if coverage not in COVERAGE:
        raise UnusableValue(
            f"coverage is {quoted(coverage)}", "expected N, L, S or E (or U, if relevance is U too)"
        )
    grades = _grade(relevance, "relevance"), COVERAGE[coverage]
    both_or_none(
        *grades,
        f"relevance {relevance} and coverage {coverage}",
        "coverage N if relevance is 0, and only then",
    )
    return "elements", element_path(element.get("path")), *grades, nan


def _judge2003(element: etree._Element, scale: str) -> tuple | None:
    exhaustiveness, specificity = element.get("exhaustiveness", "U"), element.get("specificity", "U")
    if exhaustiveness == specificity == "U":
        return None
    grades = _grade(exhaustiveness, "exhaustiveness"), _grade(specificity, "specificity")
    both_or_none(*grades, f"exhaustiveness {exhaustiveness} and specificity {specificity}")
    return "elements", element_path(element.get("path")), *grades, nan


def _judge2005(element: etree._Element, scale: str) -> tuple | None:
    """Return the judgement in an element of INEX 2005 to 2007. Exhaustivity is always 2 on the scale ``highlights``."""
    kind, exhaustivity = local_name(element), element.get("exhaustivity")
    if kind == "best-entry-point":
        return "entry_points", -1, _point(element.get("path"), "the path of the best entry point")
    if kind == "passage":
        size = element.get("size")
        length = -1 if size is None else whole_number(size, "the size of the passage", 0)
        points = (_point(element.get(end), f"the {end} of the passage") for end in ("start", "end"))
        return "xpath_passages", *points, length
    if exhaustivity == "U":
        return None
    if scale != "highlights" and exhaustivity not in EXHAUSTIVITY:
        raise UnusableValue(f"exhaustivity is {quoted(exhaustivity)}", "expected ?, 0, 1, 2 or U")
    grade = 2.0 if scale == "highlights" else EXHAUSTIVITY[str(exhaustivity)]
    values = _specificity(element)
    return "elements", element_path(element.get("path")), grade, *values


def _point(text: str | None, what: str) -> str:
    """Return the XPath point ``text`` without surrounding white space. Raises UnusableValue for other texts."""
    if text is None or split_point(text.strip()) is None:
        expected = "expected a point like /article[1]/p[2]/text()[1].25"
        raise UnusableValue(f"{what} is {quoted(text)}", expected)
    return text.strip()


def _grade(text: str | None, what: str) -> float:
    """Return a grade as a number. Raises UnusableValue unless it is 0, 1, 2 or 3."""
    if text not in ("0", "1", "2", "3"):
        raise UnusableValue(
            f"{what} is {text!r}", "expected 0, 1, 2 or 3 (or U, if the other grade is U too)"
        )
    return float(text)


def both_or_none(
    exhaustivity: float, specificity: float, found: str, expected: str = "both to be 0, or neither"
) -> None:
    """Raise UnusableValue if exhaustivity and specificity contradict each other because only one of them is 0."""
    if (exhaustivity == 0) != (specificity == 0):
        raise UnusableValue(f"{found} contradict each other", f"expected {expected}")


def _specificity(element: etree._Element) -> tuple[float, float]:
    """Return an element's specificity and size. The size may be NaN. An empty element has specificity 0."""
    written = element.get("specificity")
    if written is not None and element.get("size") is None and element.get("rsize") is None:
        specificity = real_number(written, "specificity")
        if not 0 <= specificity <= 1:
            raise UnusableValue(f"specificity is {specificity}", "expected a number from 0 to 1")
        return specificity, nan
    size, relevant = (whole_number(element.get(name), name, 0) for name in ("size", "rsize"))
    if relevant > size:
        raise UnusableValue(f"rsize is {relevant}, but size is {size}", "expected an rsize of at most size")
    return relevant / size if size else 0.0, float(size)


_OF_2005 = ("best-entry-point", "passage", "element")

INEX2002 = Format(
    "inex2002",
    ("inex2002 assessments",),
    partial(_read_assessments, ("path",), _judge2002),
    ("inex2002",),
    root="assessments",
    has_element=lambda name, attributes: (
        name == "path" and not {"relevance", "coverage"}.isdisjoint(attributes)
    ),
)
INEX2003 = Format(
    "inex2003",
    ("inex2003 assessments", UNMARKED),
    partial(_read_assessments, ("path",), _judge2003),
    ("inex2003",),
    root="assessments",
    has_element=lambda name, attributes: name == "path" and "exhaustiveness" in attributes,
)
INEX2005 = Format(
    "inex2005",
    ("inex2005 assessments",),
    partial(_read_assessments, _OF_2005, _judge2005),
    ("inex2005", "highlights"),
    root="assessments",
    has_element=lambda name, attributes: name in _OF_2005 or (name == "file" and "name" in attributes),
)

# -------------------- topics

#: columns of a table of topics
TOPIC_COLUMNS = ("topic", "query_type", "title", "castitle", "description", "narrative", "keywords")

#: names of the root element in files of topics
TOPIC_ROOTS = ("inex_topic", "INEX-Topic", "inex-topic-file")

_TOPIC_TAGS = ("inex_topic", "INEX-Topic", "topic")
#: XML elements of a topic that are skipped when it is read
_OTHER_PARTS = (
    "phrasetitle", "mmtitle", "parent", "conditions", "ontopic_keywords", "offtopic_keywords",
    "initialtopicstatement", "initial_topic_statement",
)  # fmt: skip
_TOPIC_NAMES = ("topic_id", "topic-id", "id")


def of_query_type(topics: pd.DataFrame, query_type: str, source: str | Path) -> pd.DataFrame:
    """Return the rows of ``topics`` that have the query type ``query_type``. Raises InputError if there are none."""
    chosen = topics[topics["query_type"] == query_type]
    if chosen.empty:
        query_types = sorted({*topics["query_type"]} - {""})
        have = f"expected one of {', '.join(query_types)}" if query_types else "no topic has a query_type"
        expected = f"{meant(query_type, query_types)}{have}"
        raise InputError.of(str(source), f"no topic has the query_type {query_type!r}", expected)
    return chosen


def _parts_of(topic: etree._Element, unknown: list[tuple[int, UnusableValue]]) -> dict[str, str]:
    """Return the text of each element in a topic under the element's name. Add unknown elements to ``unknown``."""
    texts: dict[str, str] = {}
    elements = (*TOPIC_COLUMNS[2:], *_OTHER_PARTS)
    for part in topic.iterchildren("*"):
        name = local_name(part).lower()
        if name in TOPIC_COLUMNS[2:]:
            texts[name] = text_of(part)
        elif name not in elements:
            _unknown(part, unknown, elements, (local_name(topic),))
    return texts


def read_topics(paths: Paths) -> pd.DataFrame:
    """Read INEX topics from a file, several files or a directory, as one row for each topic.

    The columns are `TOPIC_COLUMNS`. Missing values are empty strings. Raises InputError for topics without a name,
    repeated topics, unknown elements, and files without topics.
    """
    rows: dict[str, dict[str, str]] = {}
    places: dict[str, str] = {}
    problems: list[Problem] = []
    for path in files_of(paths):
        before = len(rows) + len(problems)
        unknown: list[tuple[int, UnusableValue]] = []
        try:
            other = partial(_unknown, unusable=unknown, names=_TOPIC_TAGS, inside=TOPIC_ROOTS[-1:])
            for event, element in stream(path, (*_TOPIC_TAGS, TOPIC_ROOTS[-1]), other):
                if event == "start" or local_name(element) == TOPIC_ROOTS[-1]:
                    continue
                where = f"line {line_of(element)}"
                row = dict.fromkeys(TOPIC_COLUMNS, "")
                row["query_type"] = element.get("query_type", element.get("query-type", ""))
                row |= _parts_of(element, unknown)
                names = (element.get(name, "").strip() for name in _TOPIC_NAMES)
                row["topic"] = next(filter(None, names), "")
                if not row["topic"]:
                    expected = "expected the attribute topic_id or id"
                    problems.append(Problem(str(path), where, "the topic has no name", expected))
                elif row["topic"] in rows:
                    repeated = f"topic {row['topic']} is already in {places[row['topic']]}"
                    problems.append(Problem(str(path), where, repeated, "remove one of the two topics"))
                else:
                    rows[row["topic"]] = row
                    places[row["topic"]] = f"{path}, {where}"
        except InputError as error:
            problems.extend(error.problems)
        problems += problems_of(str(path), unknown)
        if len(rows) + len(problems) == before:
            problems.append(
                Problem(str(path), "", "the file has no topics", "expected <inex_topic> or <inex-topic-file>")
            )
    if problems:
        raise InputError(problems)
    return pd.DataFrame(list(rows.values()), columns=list(TOPIC_COLUMNS))


# -------------------- a table of judged elements

HEADER = ("topic", "document", "path", "exhaustivity", "specificity")


def scale_of_table(path: Path) -> str:
    """Return the scale of the grades in a table of judged elements: ``inex2005`` or ``inex2003``.

    The scale is ``inex2005`` if any exhaustivity is ``?``, or if any specificity has a decimal point or an exponent.
    """
    for line in content_of(path).split(b"\n")[1:]:
        values = line.rstrip(b"\r").split(b"\t")[3:5]
        if len(values) == 2 and (values[0] == b"?" or b"." in values[1] or b"e" in values[1].lower()):
            return "inex2005"
    return "inex2003"


_TABLE = pa.schema([*((name, NAMES) for name in HEADER[:3]), *((name, pa.float64()) for name in HEADER[3:])])


def read_table(path: Path, scale: str) -> GoldColumns:
    """Read gold from a table of judged elements. Grades that do not exist on the ``scale`` are unusable."""
    lines = lines_of(path)
    number, header = next(lines, (0, b""))
    try:
        if number != 1 or tuple(_fields(header)) != HEADER:
            found = f"the header is {quoted(' '.join(_fields(header)))}"
            raise UnusableValue(found, f"expected {' '.join(HEADER)}, separated by tabs")
        wrong = []
    except UnusableValue as error:
        wrong = [(1, error)]
    elements, refused_lines = one_by_one(lines, partial(_row_of_table, scale), _TABLE)
    return GoldColumns({"elements": frame_of(elements)}, [*wrong, *refused_lines])


def _fields(line: bytes) -> list[str]:
    return decoded(line.rstrip(b"\r")).split("\t")


def _row_of_table(scale: str, line: bytes) -> tuple:
    fields = _fields(line)
    if len(fields) != len(HEADER):
        expected = f"expected {len(HEADER)}, separated by tabs"
        raise UnusableValue(f"the line has {counted(len(fields), 'column')}", expected)
    topic, document, path, *values = fields
    if values == ["U", "U"]:
        return topic_name(topic), "", "", nan, nan
    exhaustivity = TOO_SMALL if values[0] == "?" else real_number(values[0], "exhaustivity")
    specificity = real_number(values[1], "specificity")
    _check_scale(exhaustivity, specificity, scale)
    topic = topic_name(topic)
    if document or path:
        return topic, required(document, "the document name"), element_path(path), exhaustivity, specificity
    if exhaustivity or specificity:
        expected = "expected both, or exhaustivity 0 and specificity 0"
        raise UnusableValue("the judgement has neither a document nor a path", expected)
    return topic, "", "", nan, nan


def _check_scale(exhaustivity: float, specificity: float, scale: str) -> None:
    """Raise UnusableValue if these grades do not exist on the scale, or contradict each other."""
    values = f"exhaustivity {exhaustivity:g} and specificity {specificity:g}"
    found = f"exhaustivity is {exhaustivity:g} and specificity is {specificity:g}"
    if scale in ("inex2002", "inex2003"):
        if exhaustivity not in (0, 1, 2, 3) or specificity not in (0, 1, 2, 3):
            raise UnusableValue(found, f"on the scale {scale}, expected 0, 1, 2 or 3 for both")
        both_or_none(exhaustivity, specificity, values)
    else:
        grades = (TOO_SMALL, 0, 1, 2) if scale == "inex2005" else (0, 2)
        if exhaustivity not in grades or not 0 <= specificity <= 1:
            degrees = "?, 0, 1 or 2" if scale == "inex2005" else "0 or 2"
            expected = f"on the scale {scale}, expected exhaustivity {degrees}, and specificity from 0 to 1"
            raise UnusableValue(found, expected)


TABLE = Format("tsv", ("assessments table",), read_table, SCALES, heading=HEADER[:3], scale_of=scale_of_table)


def write_assessments_tsv(path: str | Path, assessments: RawAssessments) -> None:
    """Write judged elements as a tab-separated table. Raises InputError for names with tabs or line ends."""
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
