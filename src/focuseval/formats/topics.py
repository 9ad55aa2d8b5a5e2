"""INEX topics: ``<inex_topic topic_id query_type …>`` and, since 2009, ``<inex-topic-file><topic id …>``."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from focuseval.errors import InputError, Problem, meant
from focuseval.formats.parsed import files_of
from focuseval.formats.xmlfile import line_of, local_name, stream, text_of

#: columns of the topics
COLUMNS = ("topic", "query_type", "title", "castitle", "description", "narrative", "keywords")

#: the root of a file of topics
ROOTS = ("inex_topic", "INEX-Topic", "inex-topic-file")

_TAGS = ("inex_topic", "INEX-Topic", "topic")
_NAMES = ("topic_id", "topic-id", "id")


def of_query_type(topics: pd.DataFrame, query_type: str, source: str | Path) -> pd.DataFrame:
    """The topics of a type, of those that were read from a source. Raises InputError for a type that none has."""
    found = topics[topics["query_type"] == query_type]
    if found.empty:
        known = sorted({*topics["query_type"]} - {""})
        have = f"the topics have {', '.join(known)}" if known else "no topic has one"
        expected = f"{meant(query_type, known)}{have}"
        raise InputError(Problem(str(source), "", f"no topic of the query_type {query_type!r}", expected))
    return found


def read_topics(paths: str | Path | Iterable[str | Path]) -> pd.DataFrame:
    """Topics of a file, several files, or a directory, in the order of the files: strings in `COLUMNS`.

    Parts that a topic does not have are empty strings.

    Raises
    ------
    InputError
        for a topic without a name, the same topic twice, and a file without topics.
    """
    rows: dict[str, dict[str, str]] = {}
    places: dict[str, str] = {}
    problems: list[Problem] = []
    for path in files_of(paths):
        before = len(rows) + len(problems)
        try:
            for event, element in stream(path, _TAGS):
                if event == "start":
                    continue
                where = f"line {line_of(element)}"
                row = dict.fromkeys(COLUMNS, "")
                row["query_type"] = element.get("query_type", element.get("query-type", ""))
                for part in element.iterchildren("*"):
                    name = local_name(part).lower()
                    if name in COLUMNS[2:]:
                        row[name] = text_of(part)
                row["topic"] = next(filter(None, (element.get(name, "").strip() for name in _NAMES)), "")
                if not row["topic"]:
                    problems.append(
                        Problem(str(path), where, "a topic without a name", "expected topic_id or id")
                    )
                elif row["topic"] in rows:
                    found = f"topic {row['topic']} again, after {places[row['topic']]}"
                    problems.append(Problem(str(path), where, found, "keep one of the two"))
                else:
                    rows[row["topic"]] = row
                    places[row["topic"]] = f"{path}, {where}"
        except InputError as error:
            problems.extend(error.problems)
        if len(rows) + len(problems) == before:
            problems.append(Problem(str(path), "", "no topics", "expected <inex_topic> or <inex-topic-file>"))
    if problems:
        raise InputError(problems)
    return pd.DataFrame(list(rows.values()), columns=list(COLUMNS))
