"""Gold spans as JSON lines: `focuseval.formats.chunks` says how they look."""

from pathlib import Path

import numpy as np

from focuseval.formats.assessed import Assessed
from focuseval.formats.chunks import KEYS, aspects_in, name_in, objects_of, span_in
from focuseval.formats.raw import Codes, Refused
from focuseval.model.intervals import new_text

SCALES = ("highlights",)


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. Spans may overlap; those that hold text of an earlier one are counted.

    A line with a topic and neither document nor offsets is an assessed topic, though nothing may be relevant to it.
    """
    into.open(path)
    into.has_passages = True
    texts = Codes()
    spans = []
    for line, found in objects_of(path):
        try:
            if isinstance(found, Refused):
                raise found
            topic = name_in(found, "topic")
            if found.keys().isdisjoint(set(KEYS) - {"topic"}):
                into.topic(topic)
                continue
            document, aspects = name_in(found, "document"), aspects_in(found)
            start, end = span_in(found)
            into.topic(topic)
            into.document(document)
            into.passage(start, end, line, aspects)
        except Refused as refused:
            into.refuse(line, refused)
            continue
        spans.append((texts[f"{topic}\0{document}"], start, end))
    text, starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    into.overlapping += int((new_text(text, starts, ends) < ends - starts).sum())
