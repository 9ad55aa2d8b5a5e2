"""User navigation inside documents: the probability that an element is seen on a visit to another.

``p(e; f)`` of Ali et al. (2008), Definition 4.1: 1 for e = f, 0 across documents; else 1 - pi of the
partition of e in a structural summary (Eq. 7), or what a user's own table says.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.arrays import Floats, Ints
from focuseval.elements import Collection
from focuseval.errors import InputError, Problem
from focuseval.summaries import Summary


def _no_rows() -> Ints:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Navigation:
    """``p(e; f)`` for e and f in one document: ``1 - unseen[group[e]]``, except for T listed pairs."""

    group: Ints  #: (N,) group of each element of the collection
    unseen: Floats  #: probability that an element of a group is not seen on a visit elsewhere
    seen: Ints = field(default_factory=_no_rows)  #: (T,) sorted rows e of the listed pairs
    visited: Ints = field(default_factory=_no_rows)  #: (T,) rows f, other than e and in its document
    probability: Floats = field(default_factory=lambda: np.empty(0))  #: (T,) p(e; f)


def _lines(path: str, header: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """Numbered lines of a tab-separated file below the given header, without blank lines and ``#`` comments.

    Raises InputError for a file that cannot be read, another header or lines with another number of fields.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Problem(path, "", str(error), "expected a readable UTF-8 file")) from None
    numbered = [
        (number, line.split("\t"))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    wanted = f"the header {' TAB '.join(header)}"
    if not numbered:
        raise InputError(Problem(path, "", "the file is empty", f"expected {wanted}"))
    if tuple(numbered[0][1]) != header:
        raise InputError(
            Problem(path, f"line {numbered[0][0]}", repr("\t".join(numbered[0][1])), f"expected {wanted}")
        )
    problems = [
        Problem(path, f"line {number}", f"{len(fields)} fields", f"expected {len(header)}, separated by tabs")
        for number, fields in numbered
        if len(fields) != len(header)
    ]
    if problems:
        raise InputError(problems)
    yield from numbered[1:]


def _number(text: str, within: Callable[[float], bool]) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if within(number) else None


def read_transitions(path: str, summary: Summary) -> pd.DataFrame:
    """Transition weights between the partitions of a summary: columns source, target, weight.

    A tab-separated file with the header ``source target weight``; partitions are named by their path as
    `summarise` writes it, weights are numbers from 0 (counts or probabilities). Raises InputError with all
    problems of the file.
    """
    number_of = {name: i for i, name in enumerate(summary.partitions["path"])}
    problems, rows = [], []
    seen: set[tuple[str, str]] = set()
    for line, (source, target, text) in _lines(path, ("source", "target", "weight")):
        where = f"line {line}"
        for name in (source, target):
            if name not in number_of:
                expected = f"expected a partition of the summary {summary.expression}"
                problems.append(Problem(path, where, f"unknown partition {name!r}", expected))
        weight = _number(text, lambda x: 0 <= x < float("inf"))
        if weight is None:
            problems.append(Problem(path, where, f"weight {text!r}", "expected a number from 0"))
        if (source, target) in seen:
            problems.append(Problem(path, where, f"{source} to {target} stands there twice", "keep one line"))
        seen.add((source, target))
        rows.append((number_of.get(source, -1), number_of.get(target, -1), weight))
    if problems:
        raise InputError(problems)
    return pd.DataFrame(rows, columns=["source", "target", "weight"]).astype({"weight": float})


def read_pairs(path: str, collection: Collection) -> Navigation:
    """Pair-wise probabilities ``p(e; f)``: what is not listed is 0, and p(e; e) is 1.

    A tab-separated file with the header ``document seen visited probability``: the document's name, the
    XPaths of e and f, and a number from 0 to 1. Raises InputError with all problems of the file.
    """
    lines = list(_lines(path, ("document", "seen", "visited", "probability")))
    columns = list(zip(*(fields for _, fields in lines), strict=True)) or [()] * 4
    document = collection.names.get_indexer(pd.Index(columns[0], dtype=object))
    rows = {name: collection.resolve(document, columns[i]) for i, name in ((1, "seen"), (2, "visited"))}
    problems = []
    known: set[tuple[int, int]] = set()
    probability = np.zeros(len(lines))
    for i, (line, fields) in enumerate(lines):
        where = f"line {line}"
        if document[i] < 0:
            problems.append(
                Problem(path, where, f"unknown document {fields[0]!r}", "expected one of the collection")
            )
            continue
        pair = int(rows["seen"][i]), int(rows["visited"][i])
        for row, xpath in zip(pair, fields[1:3], strict=True):
            if row < 0:
                expected = f"expected a path of document {fields[0]!r}"
                problems.append(Problem(path, where, f"{xpath!r} is not there", expected))
        number = _number(fields[3], lambda x: 0 <= x <= 1)
        if number is None:
            problems.append(
                Problem(path, where, f"probability {fields[3]!r}", "expected a number from 0 to 1")
            )
        elif min(pair) >= 0 and pair[0] == pair[1] and number != 1:
            problems.append(
                Problem(path, where, f"{fields[1]} seen from itself: {number:g}", "it is 1: leave it out")
            )
        if min(pair) >= 0 and pair in known:
            problems.append(Problem(path, where, "the same pair a second time", "keep one line"))
        known.add(pair)
        probability[i] = number or 0.0
    if problems:
        raise InputError(problems)
    apart = np.flatnonzero(rows["seen"] != rows["visited"])
    order = apart[np.lexsort((rows["visited"][apart], rows["seen"][apart]))]
    return Navigation(
        np.zeros(len(collection), dtype=np.int8),
        np.ones(1),
        rows["seen"][order],
        rows["visited"][order],
        probability[order],
    )
