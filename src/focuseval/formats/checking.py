"""Recognise the kind of a file, and report all problems in it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd

from focuseval.errors import LENIENT, InputError, Problem, Sentence
from focuseval.files import largest_document, read_bytes, unreadable, without_gz
from focuseval.formats.chunks import CHUNKING, read_chunking
from focuseval.formats.code_places import PATCH, PLACES, read_places
from focuseval.formats.detect import DOCUMENT, TEXT, TOPICS, format_of, recognise
from focuseval.formats.inex import read_topics
from focuseval.formats.parsed import SHORTENED, RawRun, files_of, notes_on
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.model.elements import split_path

__all__ = ["as_warning", "check", "is_warning", "recognise"]

_WARNING = "warning: "


def is_warning(problem: Problem) -> bool:
    """Return whether a problem is a warning. Files with warnings can still be used."""
    return problem.found.startswith(_WARNING)


def as_warning(problem: Problem) -> Problem:
    """Convert a problem to a warning."""
    return replace(problem, found=f"{_WARNING}{problem.found}")


def check(path: str | Path) -> tuple[str, list[Problem]]:
    """Return a short description of a file or folder, and all problems and warnings about its content."""
    try:
        if Path(path).is_dir():
            files = files_of(path)
            return f"folder; files: {len(files)}", [p for file in files for p in check(file)[1]]
        kind = recognise(path)
    except InputError as error:
        return "not recognised", error.problems
    except OSError as error:
        return "not recognised", unreadable(path, error).problems
    try:
        return (_read_places if kind in (PATCH, PLACES) else _read)(Path(path), kind)
    except InputError as error:
        return kind, error.problems


def _read_places(path: Path, kind: str) -> tuple[str, list[Problem]]:
    """Return a short description of a file of locations in source code, and its problems."""
    places = list(read_places(path, str(path), without_gz(path).stem))
    unread = [place for place in places if place.unreadable not in ("", "added")]
    expected = "expected a unified diff"
    problems = [Problem(str(path), place.where, place.unreadable, expected) for place in unread]
    topics = {place.topic for place in places}
    files = [
        place for place in places if place.lines or not (place.by_diff or place.passed_over or not str(place))
    ]
    return f"{kind}; topics: {len(topics)}, places: {len(files)}", problems


def _read(path: Path, kind: str) -> tuple[str, list[Problem]]:
    """Return a short description of a file whose ``kind`` is recognised, and its problems and warnings."""
    format = format_of(kind)
    if format is not None and not format.scales:
        (run,), _ = read_runs(path)
        topics = run.rows["topic"].cat.categories
        return f"{kind}; topics: {len(topics)}, results: {len(run.rows)}", list(_remarks(run))
    if format is not None:
        assessments = read_assessments(path)
        unit, judged = "judgements", assessments.elements
        if assessments.documents is not None:
            judged = assessments.documents
        elif assessments.passages is not None:
            unit, judged = "spans", assessments.passages
        elif assessments.grades is not None:
            unit, judged = "documents", assessments.grades
        del assessments.deviations[SHORTENED]  # shortened document names need no warning
        warnings = list(map(as_warning, notes_on(assessments)))
        return f"{kind}; topics: {len(assessments.topics)}, {unit}: {len(judged)}", warnings
    if kind == CHUNKING:
        chunks = read_chunking(path)
        remedy = "for focuseval ceiling (gold and runs need a topic in every line)"
        return f"{kind}, {remedy}; documents: {chunks['document'].nunique()}, chunks: {len(chunks)}", []
    if kind == TOPICS:
        return f"{kind}; topics: {len(read_topics(path))}", []
    from focuseval.formats.documents import list_documents, parse, read_documents, text_in
    from focuseval.formats.xml_elements import parse_document

    if kind == TEXT:
        [text] = (text_in(document.xml, document.source) for document in read_documents(path))
        return f"{kind}; characters: {len(text)}", []
    problems: list[Problem] = []
    if kind == DOCUMENT:
        parse_document(read_bytes(path, largest_document()), str(path))
        return kind, problems
    listing = list_documents(path)
    for document in read_documents(path):
        try:
            parse(document.xml, document.source, document.most)
        except InputError as error:
            problems.extend(error.problems)
    return f"{kind}; documents: {len(listing.names)}", problems


def _remarks(run: RawRun) -> Iterator[Problem]:
    """Yield the warnings about a readable run, and a problem for each line that is accepted only in lenient mode."""
    frame = run.frame

    def problem(line: int, found: str, expected: str, warning: str = "") -> Problem:
        return Problem(run.source, f"line {line}", f"{warning}{found}", expected)

    for found, read_as in run.notes:
        yield Problem(run.source, "", f"{_WARNING}{found}", read_as)
    if run.ranked_by_file:
        found = f"{_WARNING}the ranks decrease within a topic"
        yield Problem(run.source, "", found, "results are ordered by line")
    for line, document in _marked_values(frame["unresolvable"], frame, "document"):
        expected = Sentence("give an offset and a length, or set ", LENIENT, " to count it as not relevant")
        yield problem(line, f"the passage of document {document!r} has no position", expected)
    result = ["topic", "document", "path", "start", "end"]
    repeated = frame.duplicated(result) & ~frame["unresolvable"]
    for line, document in _marked_values(repeated, frame, "document"):
        found = f"the result in document {document!r} is repeated"
        effect = "it keeps its rank but earns nothing, and document measures skip it"
        yield problem(line, found, effect, _WARNING)
    malformed = [path for path in frame["path"].cat.categories if split_path(path) is None]
    for line, path in _marked_values(frame["path"].isin(malformed), frame, "path"):
        yield problem(line, f"the path is {path!r}", "expected a path like /article[1]/bdy[1]/sec[2]")
    is_empty = (frame["start"] >= 0) & (frame["end"] == frame["start"])
    for line, document in _marked_values(is_empty, frame, "document"):
        found = f"the passage of document {document!r} is empty"
        yield problem(line, found, "it counts as not relevant", _WARNING)


def _marked_values(rows: pd.Series, frame: pd.DataFrame, column: str) -> Iterator[tuple[int, str]]:
    """Return the line number and the value of ``column`` for each row of ``frame`` that is True in ``rows``."""
    return zip(frame["line"][rows].tolist(), frame[column][rows].tolist(), strict=True)
