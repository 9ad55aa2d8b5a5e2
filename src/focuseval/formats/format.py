"""What a format of runs or of assessments declares: how its files are recognised, and how they are read."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from focuseval.formats.parsed import Refused


@dataclass(frozen=True)
class Format:
    """A format of runs or of assessments. Its files are recognised by their lines, their keys or their elements."""

    name: str  #: as it is asked for, with ``--run-format`` or ``--assessment-format``
    kinds: tuple[str, ...]  #: what its files are said to be
    #: of runs ``read(path, rows) -> Iterator[RunColumns]``, in blocks of about so many rows, or all of it at once where
    #: ``rows`` is None; of assessments ``read(path, scale) -> GoldColumns``
    read: Callable[..., Any]
    scales: tuple[str, ...] = ()  #: that assessments may have, their own first; runs have none
    #: of text: how much a line is like one of the format (0: not at all, to 1), though something may be wrong with it,
    #: and the kind that it is of
    likeness: Callable[[bytes], tuple[float, str]] | None = None
    heading: tuple[str, ...] = ()  #: how the first line of its files begins, where that tells
    #: of JSON lines: whether they are of the format if these are the keys of the first ones
    has_keys: Callable[[Collection[str]], bool] | None = None
    root: str = ""  #: of XML: the local name of the root
    #: the elements that only this format has below that root, by local name and attributes
    has_element: Callable[[str, Mapping[str, str]], bool] = lambda name, attributes: True


@dataclass(frozen=True)
class RunColumns:
    """A run, or a block of one, as its file has it, before its results are put in order.

    ``columns`` are topic, document (as it is named there), line and, where there are such, run, rank, score, path,
    start, end, unresolvable.
    """

    columns: pd.DataFrame
    refused: list[tuple[int, Refused]]  #: lines that cannot be read, and why
    name: str = ""  #: of the run where no column ``run`` says it
    participant: str = ""
    task: str = ""
    most: int | None = None  #: results of a topic that are looked at
    file_order: bool = False  #: whether the order of the file is followed where ranks contradict it
    scores_fall: bool = False  #: whether scores must fall where there are no ranks
    expected: str = "expected at least one"  #: said if there is no result
