"""INEX submissions: ``<inex-submission participant-id run-id task query …>``.

Each ``<topic topic-id>`` holds ``<result>`` elements of ``<file>``, then ``<path>`` (an element) or
``<fol offset length/>`` (a passage in characters) or neither (the whole document), then perhaps
``<rank>`` and ``<rsv>``.
"""

from collections.abc import Iterator
from html import escape
from math import isnan
from pathlib import Path

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.errors import InputError, Problem
from focuseval.files import write_atomically
from focuseval.formats.format import Format
from focuseval.formats.parsed import (
    Codes,
    RawRun,
    Refused,
    document_name,
    passage,
    quoted,
    real_number,
    required,
    rows_of,
    whole_number,
)
from focuseval.formats.ranking import Ranking, ranked_run
from focuseval.formats.xmlfile import line_of, local_name, stream, text_of

#: results of a topic that a submission may have at INEX
RESULT_SET_SIZE = 1500

_WRITTEN = ("document", "path", "start", "end", "unresolvable", "rank", "score")
_COLUMNS = ["topic", "document", "path", "start", "end", "unresolvable", "rank", "score", "line"]
_PARTS = ("file", "path", "fol", "rank", "rsv")


def read(path: Path, ranking: Ranking, rejected: list[Problem], rows: int | None) -> Iterator[RawRun]:
    """Read one run, as one block. Results that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if the XML cannot be read, the run has no name, or there is no result that can be read.
    """
    heading: dict[str, str] = {}
    names = {name: Codes() for name in ("topic", "document", "path")}
    results = list(_results(path, heading, names, rejected))
    if not heading.get("run-id", "").strip():
        expected = 'expected <inex-submission run-id="…">'
        raise InputError(Problem(str(path), "line 1", "no run-id", expected))
    columns = pd.DataFrame(results, columns=_COLUMNS)
    for name, codes in names.items():
        columns[name] = codes.column(columns[name].to_numpy())
    ranked = columns["rank"].notna()
    if ranked.any():
        found, expected = "a result without rank", "give ranks to all, or to none"
        rejected.extend(
            Problem(str(path), f"line {line}", found, expected) for line in columns["line"][~ranked]
        )
        columns = columns[ranked].reset_index(drop=True).astype({"rank": np.int64})
    else:
        columns = columns.drop(columns="rank")
    yield ranked_run(
        columns,
        ranking,
        rejected,
        str(path),
        name=heading["run-id"].strip(),
        participant=heading["participant-id"],
        task=heading["task"],
        most=RESULT_SET_SIZE,
        expected="expected <topic> elements with <result>s",
    )


def _results(
    path: Path, heading: dict[str, str], names: dict[str, Codes], rejected: list[Problem]
) -> Iterator[tuple]:
    """The rows of the results that can be read; the others become problems. Fills in the ``heading``."""
    topic = -1
    for event, element in stream(path, ("inex-submission", "topic", "result")):
        tag, line = local_name(element), line_of(element)
        try:
            if tag == "inex-submission" and event == "start":
                heading.update({key: element.get(key, "") for key in ("participant-id", "run-id", "task")})
            elif tag == "topic":
                topic = -1
                if event == "start":
                    topic = names["topic"][required(element.get("topic-id"), "the topic-id")]
            elif tag == "result" and event == "end":
                yield topic, *_result(element, topic, names["document"], names["path"]), line
        except Refused as refused:
            rejected.append(Problem(str(path), f"line {line}", *refused.args))


def _result(element: etree._Element, topic: int, documents: Codes, paths: Codes) -> tuple:
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
    if topic < 0:
        raise Refused("a result outside a topic", 'expected <topic topic-id="…"> around it')
    document = texts.get("file", "").strip()
    required(document_name(document), "the file")
    if "path" in texts and "fol" in texts:
        raise Refused("a result with path and fol", "expected one of the two")
    code, start, end, unresolvable = -1, -1, -1, False
    if "path" in texts:
        if not texts["path"].startswith("/") or " " in texts["path"]:
            raise Refused(
                f"the path is {quoted(texts['path'])}", "expected one like /article[1]/bdy[1]/sec[2]"
            )
        code = paths[texts["path"]]
    elif "fol" in texts:
        start, length = passage(fol.get("offset"), fol.get("length"))
        unresolvable = start < 0
        end = -1 if unresolvable else start + length
    rank = whole_number(texts["rank"], "the rank") if "rank" in texts else None
    score = real_number(texts["rsv"], "the rsv") if "rsv" in texts else float("nan")
    return documents[document], code, start, end, unresolvable, rank, score


FORMAT = Format("inex", ("inex submission",), read, root="inex-submission")


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
