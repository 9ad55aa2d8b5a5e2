"""Readers of the queries of topics."""

from focuseval.campaign.assembly import Paths
from focuseval.formats.chunks import objects_of
from focuseval.formats.inex import read_topics
from focuseval.formats.parsed import UnusableValue, files_of


def queries_of(assessments: Paths | None) -> dict[str, str]:
    """Return queries by topic from files of JSON lines. If a topic has several, the first counts.

    Lines without a query are ignored. Scoring has already reported unusable lines.
    """
    queries: dict[str, str] = {}
    if assessments is None:
        return queries
    for path in files_of(assessments):
        if str(path) == "-" or ".json" not in path.name.lower():
            continue
        for _, line in objects_of(path):
            if isinstance(line, UnusableValue) or not isinstance(line.get("query"), str):
                continue
            topic = line.get("topic")
            if isinstance(topic, str | int):
                queries.setdefault(str(topic).strip(), line["query"])
    return queries


def queries_of_campaign(topics: Paths | None, assessments: Paths | None) -> dict[str, str]:
    """Return queries by topic: the titles in INEX topic files, or without such files, `queries_of` the assessments."""
    if topics is None:
        return queries_of(assessments)
    found = read_topics(topics)
    queries = found["title"].where(found["title"] != "", found["castitle"])
    return dict(zip(found["topic"], queries, strict=True))
