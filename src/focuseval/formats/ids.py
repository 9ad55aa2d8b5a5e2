"""Convert identifiers of pieces of documents to offsets, so that overlaps between pieces are found.

A pattern finds the offsets in identifiers such as ``ibmcld_00474-7885-8455``. For identifiers without offsets, such as
``msmarco_v2.1_doc_00_0#3``, a file lists the offsets.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import kept_by_content
from focuseval.formats.chunks import objects_of, whole_number_in
from focuseval.formats.parsed import (
    DIGITS,
    NOT_RELEVANT,
    OVERLAPPING,
    SAME_PASSAGE,
    RawAssessments,
    RawRun,
    UnusableValue,
    codes_of,
    document_name,
    quoted,
)
from focuseval.formats.readers import by_relevance, overlapping
from focuseval.numerals import whole

#: the document, start and end of a piece, in characters
Place = tuple[str, int, int]

#: keys that can contain the identifier of a piece, in order of preference
_NAMED = ("id", "_id", "docid", "doc_id", "segment_id")
#: keys that can contain the start and the end of a piece, in order of preference
_START, _END = ("start", "start_char"), ("end", "end_char")

_GROUPS = {"document", "start", "end"}


@dataclass(frozen=True)
class Ids:
    """A converter from the identifiers of pieces of documents to passages."""

    #: returns the document, start and end for an identifier, or None if the identifier is unknown
    place: Callable[[str], Place | None]
    expected: str  #: how messages describe the expected identifiers

    def places(self, column: pd.Series) -> tuple[pd.DataFrame, np.ndarray]:
        """Return the document, start and end for each identifier in ``column``, and whether the identifier is known."""
        places = [self.place(str(name)) for name in column.cat.categories]
        rows = pd.DataFrame([one or ("", -1, -1) for one in places], columns=["document", "start", "end"])
        rows = rows.take(codes_of(column)).reset_index(drop=True)
        is_known = rows["start"].to_numpy() >= 0
        return rows.assign(document=pd.Categorical(rows["document"])), is_known

    def problems(self, column: pd.Series, places: Sequence[str], sources: Sequence[str]) -> list[Problem]:
        """Return a problem for each identifier in ``column``, a column of unknown identifiers.

        ``places`` has the line of each identifier, and ``sources`` has its file.
        """
        return [
            Problem(source, place, f"the identifier {quoted(str(name))} is unknown", self.expected)
            for name, place, source in zip(column, places, sources, strict=True)
        ]

    def of_gold(self, raw: RawAssessments) -> RawAssessments:
        """Convert graded pieces of documents to gold passages. Assessments without grades are returned unchanged.

        Pieces with a grade of at most 0 are judged not relevant. Raises InputError for unknown identifiers.
        """
        grades = raw.grades
        if grades is None:
            return raw
        places, is_known = self.places(grades["document"])
        if not is_known.all():
            wrong = grades[~is_known]
            lines = [f"{raw.place} {line}" for line in wrong["line"]]
            raise InputError(self.problems(wrong["document"], lines, wrong["source"].tolist()))
        passages = grades.assign(**places, aspects="", place=np.arange(len(grades)), group="", alternative="")
        passages, irrelevant_passages = by_relevance(passages)
        about = ["topic", "document", "source", "line"]
        irrelevant = irrelevant_passages[about].drop_duplicates(about[:2], ignore_index=True)
        counts = {
            SAME_PASSAGE: int(passages.duplicated(["topic", "document", "start", "end"]).sum()),
            OVERLAPPING: overlapping(passages),
            NOT_RELEVANT: len(irrelevant_passages),
        }
        return replace(
            raw,
            scale="highlights",
            grades=None,
            passages=passages,
            deviations=raw.deviations + Counter(counts),
            irrelevant=irrelevant if len(irrelevant) else None,
        )

    def of_run(self, run: RawRun) -> tuple[RawRun, list[Problem]]:
        """Return a run in which passages replace identifiers of pieces, and a problem for each unknown identifier."""
        frame = run.frame
        whole = (frame["path"].isna() & (frame["start"] < 0) & ~frame["unresolvable"]).to_numpy()
        if not whole.any():
            return run, []
        places, is_known = self.places(frame["document"])
        wrong = frame[whole & ~is_known]
        lines = [f"{run.place} {line}" for line in wrong["line"]]
        problems = self.problems(wrong["document"], lines, [run.source] * len(wrong))
        names = np.where(whole, places["document"].astype(object), frame["document"].astype(object))
        offsets = {name: np.where(whole, places[name], frame[name]) for name in ("start", "end")}
        frame = frame.assign(document=pd.Categorical(names), **offsets)
        return replace(run, rows=frame[is_known | ~whole].reset_index(drop=True), names={}), problems


@kept_by_content
def ids_of(ids: str) -> Ids:
    """Create a converter of identifiers from ``ids``, which is the path of a file or a regular expression.

    A regular expression has groups called document, start and end. A file has JSON lines with the keys ``id``,
    ``start`` and ``end``, and possibly ``document``, which by default is the ``id`` up to the last ``#``. Raises
    InputError for other values of ``ids`` and for unusable lines.
    """
    if os.path.isfile(ids):
        pieces = _pieces(Path(ids))
        return Ids(pieces.get, f"expected an identifier in the file {str(ids)!r}")
    try:
        pattern = re.compile(str(ids))
    except re.error as error:
        found = f"'{ids}' is neither a file nor a regular expression ({error})"
        raise InputError.of("ids", found, "correct the pattern, or give a file") from None
    if missing := _GROUPS - set(pattern.groupindex):
        expected = r"expected a file or a pattern such as '(?P<document>.+)-(?P<start>\d+)-(?P<end>\d+)'"
        found = f"'{ids}' is not a file, and the pattern has no group named {' or '.join(sorted(missing))}"
        raise InputError.of("ids", found, expected)

    def place(name: str) -> Place | None:
        match = pattern.fullmatch(name)
        try:
            document, start, end = match.group("document", "start", "end") if match else ("", "", "")
            place = document_name(document or ""), whole(start or ""), whole(end or "")
        except ValueError:
            return None
        return place if place[0] and 0 <= place[1] < place[2] < 10**DIGITS else None

    return Ids(place, f"expected an identifier that matches '{ids}', where the end is after the start")


def _pieces(path: Path) -> Mapping[str, Place]:
    """Return the document, start and end of each identifier in a file. Raises InputError if a line is unusable."""
    places: dict[str, Place] = {}
    problems = []
    for number, line in objects_of(path):
        try:
            name, place = _piece(line)
            if places.setdefault(name, place) != place:
                texts = ("characters {1} to {2} of {0!r}".format(*each) for each in (place, places[name]))
                found = f"{quoted(name)} stands for {', but in an earlier line for '.join(texts)}"
                raise UnusableValue(found, "give each id one position")
        except UnusableValue as error:
            problems.append(Problem(str(path), f"line {number}", *error.args))
    if not places and not problems:
        problems.append(
            Problem(str(path), "", "the file has no identifiers", "expected at least one JSON line")
        )
    if problems:
        raise InputError(problems)
    return places


def _piece(line: dict[str, Any] | UnusableValue) -> tuple[str, Place]:
    """Return the identifier in a JSON line, and its document, start and end. Raises UnusableValue for other lines."""
    if isinstance(line, UnusableValue):
        raise line
    name, start, end = (
        next((key for key in keys if key in line), keys[0]) for keys in (_NAMED, _START, _END)
    )
    identifier = str(line.get(name, "")).strip()
    document = str(line.get("document", identifier.rpartition("#")[0])).strip()
    if not identifier:
        raise UnusableValue("there is no identifier", f"expected one of the keys {', '.join(_NAMED)}")
    if not document:
        expected = 'add "document", or write the identifier like doc#3'
        raise UnusableValue(f"the identifier {quoted(identifier)} names no document", expected)
    place = whole_number_in(line, start, 0), whole_number_in(line, end, 1)
    if place[1] <= place[0]:
        found = f"the start is {place[0]} and the end is {place[1]}"
        raise UnusableValue(found, "expected an end after the start")
    return identifier, (document_name(document), *place)
