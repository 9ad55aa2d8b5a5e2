"""Assessments in every format that is known: files, several files, or a directory of them."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem, check_known
from focuseval.formats.detect import ASSESSMENTS, format_of, recognised
from focuseval.formats.inex import INEX2003, TABLE, UNMARKED, scale_of_table
from focuseval.formats.parsed import (
    EMPTY,
    JUDGEMENTS,
    NOT_RELEVANT,
    OVERLAPPING,
    REPEATED,
    RESERVED,
    SHORTENED,
    Format,
    GoldColumns,
    Judgements,
    RawAssessments,
    codes_of,
    files_of,
    named,
    problems_of,
    rows_of,
    without_extensions,
)
from focuseval.model.intervals import new_text
from focuseval.model.judgements import ALL

__all__ = ["RawAssessments", "read_assessments", "scale_of"]


def read_assessments(
    paths: str | Path | Iterable[str | Path], *, format: str | None = None, scale: str | None = None
) -> RawAssessments:
    """Read the assessments of one campaign from a file, several files, or a directory of files.

    ``format`` is one of `detect.ASSESSMENTS`, recognised from the content of each file if it is not given.
    ``scale`` is one of ``vocabulary.SCALES``: it decides where a format serves more than one, the
    first scale of the format being its own.

    Raises
    ------
    InputError
        with all problems of all files; also if the files are of different formats, or if the format
        cannot have the scale.
    """
    files = files_of(paths)
    if not files:
        raise InputError.of("assessments", "no file given", "give at least one")
    read_as = _format_of(files, format)
    if scale is None:
        scale = _scale_of(read_as, files)
    elif scale not in read_as.scales:
        expected = f"expected one of {', '.join(read_as.scales)}"
        found = f"{read_as.name} assessments do not have the scale {scale!r}"
        raise InputError.of(str(files[0]), found, expected)
    read: dict[str, GoldColumns] = {}
    for file in files:
        try:
            read[str(file)] = read_as.read(file, scale)
        except InputError as error:
            read[str(file)] = GoldColumns({}, problems=error.problems)
    return assessments_of(read, scale)


def scale_of(paths: str | Path | Iterable[str | Path], format: str | None = None) -> str:
    """The scale that `read_assessments` reads the files on if it is given none; one of ``vocabulary.SCALES``.

    Raises InputError for files that are no assessments of one format.
    """
    files = files_of(paths)
    return _scale_of(_format_of(files, format), files)


def _scale_of(format: Format, files: list[Path]) -> str:
    return max(map(scale_of_table, files)) if format is TABLE else format.scales[0]


def _format_of(files: list[Path], name: str | None) -> Format:
    """The format of this name, or the one of all files; those without judgements go with the others."""
    if name is not None:
        check_known("assessment format", name, ASSESSMENTS)
        return ASSESSMENTS[name]
    formats: dict[Format | None, Path] = {}
    problems = []
    for file in files:
        try:
            kind = recognised(file, ASSESSMENTS, "assessments", "assessments")
        except InputError as error:
            problems.extend(error.problems)
            continue
        if kind != UNMARKED:
            formats.setdefault(format_of(kind), file)
    if len(formats) > 1:
        told = ", ".join(f"{format.name} ({file})" for format, file in formats.items() if format)
        problems.append(
            Problem(str(files[0].parent), "", f"several formats: {told}", "give the files of one format")
        )
    if problems:
        raise InputError(problems)
    return next(iter(formats), None) or INEX2003


#: kinds of which it is reported how often something is judged again
_COUNTED = ("elements", "sizes", "grades")


def assessments_of(read: Mapping[str, GoldColumns], scale: str, place: str = "line") -> RawAssessments:
    """The assessments of a campaign, from what its files say; ``place`` is what the numbers of lines count.

    Raises
    ------
    InputError
        with every problem of every file.
    """
    problems = [
        problem
        for source, columns in read.items()
        for problem in (*problems_of(source, columns.refused, place), *columns.problems)
    ]
    frames = {kind: _frame(kind, read) for kind in JUDGEMENTS}
    for frame in frames.values():
        wrong = rows_of(frame[(frame["topic"] == ALL).to_numpy()], "source", "line")
        problems += [Problem(source, f"{place} {line}", *RESERVED) for source, line in wrong]
    declared = chain.from_iterable(columns.topics for columns in read.values())
    topics = [*dict.fromkeys([*declared, *_names(frames, "topic")])]
    if not topics and not problems:
        problems.append(Problem([*read][-1], "", "no assessments", "give a file that holds some"))
    frames, shortened = _with_documents(frames, topics, [*read])
    remarks = Counter({SHORTENED: shortened})
    has_text = (frames["passages"]["end"] > frames["passages"]["start"]).to_numpy()
    remarks[EMPTY] = int((~has_text).sum())
    passages = frames["passages"] = frames["passages"][has_text].reset_index(drop=True)
    passages.insert(5, "place", np.arange(len(passages)))
    sizes = frames["sizes"]
    sizes["times"] = sizes.groupby(["topic", "document"], observed=True)["line"].transform("size")
    if sizes.empty:  # else the passages of a document are on one line, and disjoint
        remarks[OVERLAPPING] = overlapping(passages[passages["grade"] > 0])
    once = {kind: _once(frame, JUDGEMENTS[kind], place, problems) for kind, frame in frames.items()}
    if problems:
        raise InputError(problems)
    remarks[REPEATED] = sum(len(frames[kind]) - len(once[kind]) for kind in _COUNTED)
    passages, irrelevant = by_relevance(once["passages"])
    remarks[NOT_RELEVANT] = len(irrelevant)
    irrelevant = pd.concat([once["irrelevant"], irrelevant[[*once["irrelevant"]]]])
    irrelevant = irrelevant.drop_duplicates(["topic", "document"], ignore_index=True)
    pools: dict[str, set[str]] = {}
    for topic, pool in chain.from_iterable(columns.pools for columns in read.values()):
        pools.setdefault(topic, set()).add(pool)
    some = {kind: frame if len(frame) else None for kind, frame in once.items()}
    return RawAssessments(
        scale=scale,
        topics=topics,
        pools=pools,
        elements=once["elements"].assign(path=named(once["elements"]["path"])),
        passages=passages if any("passages" in columns.tables for columns in read.values()) else None,
        xpath_passages=some["xpath_passages"],
        entry_points=once["entry_points"],
        documents=None if some["sizes"] is None else once["sizes"].drop(columns="rest"),
        remarks=remarks,
        source=next(iter(read)) if len(read) == 1 else os.path.commonpath(read),
        grades=some["grades"],
        irrelevant=irrelevant if len(irrelevant) else None,
        place=place,
    )


def _names(frames: Mapping[str, pd.DataFrame], column: str) -> list[str]:
    """The names in a column of all kinds, as they appear."""
    return [*dict.fromkeys(name for frame in frames.values() for name in frame[column].unique())]


def _frame(kind: str, read: Mapping[str, GoldColumns]) -> pd.DataFrame:
    """The rows of a kind of all files."""
    values = JUDGEMENTS[kind].values
    columns = ["topic", "document", *values, "source", "line"]
    tables = [
        pd.DataFrame({**values, **of.tables[kind], "source": source}, columns=columns)
        for source, of in read.items()
        if kind in of.tables
    ]
    types = {
        name: type(value) if isinstance(value, int | float) else object for name, value in values.items()
    }
    whole = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)
    return whole.astype({**types, "line": "int64"})


def by_relevance(passages: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gold passages in order, and those with a grade of 0 or below: judged, and not relevant."""
    relevant = (passages["grade"] > 0).to_numpy()
    order = ["topic", "document", "start"]
    return passages[relevant].sort_values(order, kind="stable", ignore_index=True), passages[~relevant]


def _with_documents(
    frames: Mapping[str, pd.DataFrame], topics: Sequence[str], sources: Sequence[str]
) -> tuple[dict[str, pd.DataFrame], int]:
    """The rows that are on documents, with names as categories, and how many documents had longer names."""
    rows = {}
    for kind, frame in frames.items():
        frame = frame[(frame["document"] != "").to_numpy()]
        rows[kind] = frame.assign(document=named(frame["document"]).remove_unused_categories())
    given = named(pd.Series(_names(rows, "document"), dtype=object))
    documents, longer = without_extensions(given)
    known = {"topic": topics, "source": sources}
    types = {name: pd.CategoricalDtype(pd.Index(some, dtype="str")) for name, some in known.items()}
    for kind, frame in rows.items():
        code = pd.Categorical(frame["document"], given.categories).codes
        rows[kind] = frame.astype(types).assign(document=documents.take(code))
    return rows, len(longer)


def _once(frame: pd.DataFrame, kind: Judgements, place: str, problems: list[Problem]) -> pd.DataFrame:
    """The frame with each row once; what is judged differently is a problem."""
    key, values = ["topic", "document", *kind.of], kind.judged
    again = frame.duplicated(key).to_numpy()
    first = frame[~again]
    if values and again.any():
        for row in frame[again].merge(first, on=key, suffixes=("", "_first")).to_dict("records"):
            now, then = ([row[value + which] for value in values] for which in ("", "_first"))
            if now != then:
                judgement_of = " ".join(str(row[name]) for name in key if row[name] != "")
                judged = ", but ".join(" ".join(map(str, judgement)) for judgement in (now, then))
                above = f"{row['source_first']}, {place} {row['line_first']}"
                found = f"{judgement_of} is judged {judged} in {above}"
                where = f"{place} {row['line']}"
                problems.append(Problem(row["source"], where, found, "keep one of the two judgements"))
    return first.reset_index(drop=True)


def overlapping(passages: pd.DataFrame) -> int:
    """How many passages hold text of an earlier one of their topic and document, of whichever file."""
    documents = len(passages["document"].cat.categories)
    text = codes_of(passages["topic"]).astype(np.int64) * documents + codes_of(passages["document"])
    start, end = passages["start"].to_numpy(), passages["end"].to_numpy()
    return int((new_text(text, start, end) < end - start).sum())
