"""Gold spans as JSON lines: `focuseval.formats.chunks` says how they look."""

from pathlib import Path

import pandas as pd

from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.chunk_columns import GOLD
from focuseval.formats.chunks import GOLD_SPANS, MARKS_OF_RUNS
from focuseval.formats.format import Format
from focuseval.formats.parsed import Refused


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. Spans may overlap; those that hold text of an earlier one are counted.

    A span with a ``"grade"`` of 0 or below is judged and not relevant; without one it is relevant.
    A line with a topic and neither document nor offsets is an assessed topic, though nothing may be relevant to it.
    """
    into.open(path)
    for spans, refused in GOLD.read_file(path):
        add(into, spans, refused)


def add(into: Assessed, spans: pd.DataFrame, refused: list[tuple[int, Refused]]) -> None:
    """Add spans in columns, and what could not be read."""
    into.has_passages = into.may_overlap = True
    for line, why in refused:
        into.refuse(line, why)
    into.add_columns("passages", spans)


FORMAT = Format("chunks", (GOLD_SPANS,), read, ("highlights",), has_keys=set(MARKS_OF_RUNS).isdisjoint)
