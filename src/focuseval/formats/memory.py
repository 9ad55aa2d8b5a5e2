"""Read gold and runs in memory: frames, Arrow tables, lists of dictionaries, or dictionaries of topics.

Columns have the names of keys in JSON lines (`focuseval.formats.chunks`). Tables are read as columns. If this fails,
rows are read one by one, so that messages describe each problem. Without ``start`` and ``end``, rows are whole
documents, and gold has a ``grade``. Dictionaries are ``{topic: {document: grade or score}}``, as in pytrec_eval and
ranx. None and NaN are missing values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.errors import InputError, Problem, described, listed
from focuseval.formats.chunks import COMPARED, KEYS, MARKS_OF_RUNS, name_in, objects_in
from focuseval.formats.parsed import RawAssessments, RawRun, UnusableValue
from focuseval.formats.readers import assessments_of, ranked_run
from focuseval.formats.tables import RawTable, gold_of, run_of
from focuseval.model.results import Ranking

#: how messages describe the expected gold and runs
EXPECTED = (
    "expected {topic: {document: number}}, or a frame, an Arrow table or a list of dictionaries with topic, document, "
    "start and end"
)
#: advice in messages if a file is given in place of a run in memory
_RUNS_IN_FILES = "a named run must be in memory, so give files as runs=FILE or runs=[FILE, …]"

_SPAN = {"start", "end"}
#: columns that are read
_READ = [*KEYS, *MARKS_OF_RUNS, "grade", "aspects", "group", "alternative", "text", "normalise", "share"]


def read_gold(data: Any) -> RawAssessments:
    """Read gold spans or graded documents from data in memory. Raises an InputError that lists all unusable rows."""
    source = "gold"
    table = _table(data, source, "grade").renamed(run=False)
    _refuse_without_keys(table, data, source)
    _refuse_text_alone(table.frame, source)
    try:
        columns = gold_of(table)
    except UnusableValue as error:
        raise InputError.of(source, *error.args) from None
    gold = assessments_of({source: columns}, "grades" if "grades" in columns.tables else "highlights")
    return replace(gold, offsets=_rows_with_text(table.frame))


def read_runs(
    runs: Mapping[str, Any], ranking: Ranking, *, lenient: bool = False
) -> tuple[list[RawRun], list[Problem]]:
    """Read runs from data in memory. Return the runs, and the problems of rows that were left out.

    The keys of ``runs`` are the names of the runs. Raises an InputError that lists all unusable rows. If ``lenient`` is
    true, unusable rows are left out, and only a run that cannot be used at all raises an error.
    """
    read: list[RawRun] = []
    rejected: list[Problem] = []
    fatal: list[Problem] = []
    if not runs:
        fatal.append(Problem("runs", "", "there are no runs", 'give at least one run, as in {"name": frame}'))
    names: set[str] = set()
    for key, data in runs.items():
        of_run: list[Problem] = []
        try:
            name = name_in({"run": key}, "run")
            if name in names:
                raise UnusableValue(f"two runs have the name {name!r}", "give each run its own name")
            names.add(name)
            read.append(_read_run(name, data, ranking, of_run))
            rejected += of_run
        except UnusableValue as error:
            fatal.append(Problem("runs", "", *error.args))
        except InputError as error:
            fatal += dict.fromkeys([*error.problems, *of_run])
    if fatal or (rejected and not lenient):
        raise InputError([*fatal, *rejected])
    return read, rejected


def _read_run(name: str, data: Any, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    source = f"run {name}"
    table = _table(data, source, "score").renamed(run=True)
    _refuse_without_keys(table, data, source)
    _refuse_text_alone(table.frame, source)
    read = run_of(replace(table, frame=table.frame.drop(columns="run", errors="ignore")), name)
    return replace(ranked_run(read, ranking, rejected, source), offsets=_rows_with_text(table.frame))


def _refuse_without_keys(table: RawTable, data: Any, source: str) -> None:
    """Raise InputError for a table without a column of topics or without a column of documents."""
    if lacking := [f'"{name}"' for name in ("topic", "document") if name not in table.frame]:
        among = f", only {listed([*map(str, there)])}" if (there := _names_of_columns(data)) else ""
        raise InputError.of(source, f"there is no column {' and '.join(lacking)}{among}", EXPECTED)


def _refuse_text_alone(frame: pd.DataFrame, source: str) -> None:
    """Raise InputError for a frame of texts without offsets, because each text would count as its whole document."""
    if "text" in frame and not _SPAN & set(frame):
        expected = "find the offsets with focuseval.locate, or leave the text out if you mean whole documents"
        raise InputError.of(source, 'there is a column "text" but no "start" and "end"', expected)


def _rows_with_text(frame: pd.DataFrame) -> list[tuple[int, dict[str, Any]]]:
    """Return the numbers and values of the first `COMPARED` rows with a text and offsets, to check the offsets."""
    if not {"text", *_SPAN} <= set(frame):
        return []
    rows = np.flatnonzero(frame["text"].notna())[:COMPARED]
    read_columns = frame.loc[:, frame.columns.isin(_READ)].iloc[rows]
    return [(int(row), record) for row, (_, record) in zip(rows, objects_in(read_columns), strict=True)]


def check_places(gold: Any, runs: Mapping[str, Any]) -> None:
    """Raise InputError if gold and runs are probably swapped.

    This is assumed if gold has a column ``score``, ``rank`` or ``run``, and no run has scores or any of these columns.
    """
    marks = [name for name in MARKS_OF_RUNS if name in _names_of_columns(gold)]
    scored = (
        isinstance(run, Mapping) or {*MARKS_OF_RUNS} & {*_names_of_columns(run)} for run in runs.values()
    )
    if marks and not any(scored):
        found = f'the gold has a column "{marks[0]}", as in runs, but no run has any of {", ".join(MARKS_OF_RUNS)}'
        expected = "did you swap gold and runs? if not, leave the column out"
        raise InputError.of("gold", found, expected)


def _is_list(data: Any) -> bool:
    """Return whether the data is a sequence other than a text."""
    return isinstance(data, Sequence) and not isinstance(data, str)


def _names_of_columns(data: Any) -> Sequence[str]:
    """Return the names of a table's columns, or an empty list for dictionaries and for streams of rows."""
    if _is_list(data):
        return list(data[0]) if data and isinstance(data[0], Mapping) else []
    names = getattr(data, "column_names", None)  # Arrow tables have this attribute
    return list(getattr(data, "columns", ()) if names is None else names)


def _table(data: Any, source: str, number: str) -> RawTable:
    """Convert data in memory to a table. ``number`` is the column for the numbers if ``data`` is a dictionary."""
    if isinstance(data, pd.DataFrame):
        frame = data
    elif hasattr(data, "__arrow_c_stream__"):
        frame = pa.RecordBatchReader.from_stream(data).read_all().to_pandas()
    elif isinstance(data, Mapping) and data and all(isinstance(part, Mapping) for part in data.values()):
        return RawTable(_of_dictionary(data, source, number), place="entry", topics=tuple(data))
    elif _is_list(data) and all(isinstance(row, Mapping) for row in data):
        columns = {key: [row.get(key) for row in data] for key in dict.fromkeys(chain.from_iterable(data))}
        frame = pd.DataFrame({key: _column(key, values) for key, values in columns.items()})
    else:
        expected = _RUNS_IN_FILES if number == "score" and are_files(data) else EXPECTED
        raise InputError.of(source, f"the value is {described(data)}", expected)
    frame = frame.loc[:, frame.columns.isin(_READ) | ~frame.columns.duplicated()]
    if frame.columns.has_duplicates:
        twice = " and ".join(f'"{name}"' for name in frame.columns[frame.columns.duplicated()])
        raise InputError.of(source, f"there are two columns {twice}", "expected each column once")
    there = _names_of_columns(data)
    if not len(frame) and (not there or len(frame.columns)):
        raise InputError.of(source, "there are no rows", "expected at least one row")
    return RawTable(frame.reset_index(drop=True), place="row")


def are_files(data: Any) -> bool:
    """Return whether the data is a path or a list of paths."""
    paths = data if _is_list(data) else [data]
    return bool(paths) and all(isinstance(path, str | PathLike) for path in paths)


def _column(key: str, values: list[Any]) -> pd.Series:
    """Convert values to a column. Topics and documents keep the type object, because pandas refuses some texts."""
    column = pd.Series(values, dtype=object)
    return column if key in ("topic", "document") else column.infer_objects()


def _of_dictionary(data: Mapping[Any, Mapping[Any, Any]], source: str, number: str) -> pd.DataFrame:
    """Convert ``{topic: {document: number}}`` to a frame with the columns topic, document and ``number``."""
    if any(isinstance(value, Mapping) for value in chain.from_iterable(p.values() for p in data.values())):
        expected = "expected {topic: {document: grade}} for gold, {run: {topic: {document: score}}} for runs"
        raise InputError.of(source, "the dictionary has three levels", expected)
    topics = pd.Series(list(data), dtype=object)
    values = list(chain.from_iterable(part.values() for part in data.values()))
    return pd.DataFrame(
        {
            "topic": topics.repeat([len(part) for part in data.values()]).reset_index(drop=True),
            "document": pd.Series(list(chain.from_iterable(data.values())), dtype=object),
            number: _column(number, values),
        }
    )
