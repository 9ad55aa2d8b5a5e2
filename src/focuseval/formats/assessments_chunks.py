"""Gold spans as JSON lines: `focuseval.formats.chunks` says how they look."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.formats.assessed import Assessed, joined
from focuseval.formats.chunks import KEYS, aspects_in, grade_in, name_in, objects_of, span_in
from focuseval.formats.raw import Codes, Refused
from focuseval.model.arrays import Ints

SCALES = ("highlights",)


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. Spans may overlap; those that hold text of an earlier one are counted.

    A span with a ``"grade"`` of 0 or below is judged and not relevant; without one it is relevant.
    A line with a topic and neither document nor offsets is an assessed topic, though nothing may be relevant to it.
    """
    into.open(str(path))
    read_objects(objects_of(path), into)


def read_objects(objects: Iterable[tuple[int, dict[str, Any] | Refused]], into: Assessed) -> None:
    """Read spans that are given one by one, each with its number."""
    topics, documents = Codes(), Codes()
    told = []
    spans = []
    for line, found in objects:
        try:
            if isinstance(found, Refused):
                raise found
            topic = name_in(found, "topic")
            if all(found.get(key) is None for key in KEYS if key != "topic"):
                into.topic(topic)
                continue
            document, aspects = name_in(found, "document"), aspects_in(found)
            start, end = span_in(found)
            grade = 1 if found.get("grade") is None else grade_in(found)
            into.topic(topic)
            told.append(joined(aspects))
        except Refused as refused:
            into.refuse(line, refused)
            continue
        spans.append((topics[topic], documents[document], start, end, line, grade))
    columns = np.array(spans, dtype=np.int64).reshape(-1, 6).T
    names = topics.column(columns[0]), documents.column(columns[1])
    add(into, *names, columns[2], columns[3], columns[4], told, columns[5])


def add(
    into: Assessed,
    topic: pd.Categorical,
    document: pd.Categorical,
    start: Ints,
    end: Ints,
    line: Ints,
    aspects: Sequence[str] | None = None,
    grade: Ints | int = 1,
) -> None:
    """Add spans that are as they should be, as columns."""
    into.has_passages = into.may_overlap = True
    into.add_passages(topic, document, start, end, line, aspects, grade)
