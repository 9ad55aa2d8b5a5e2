"""Functions that read the queries of topics."""

from focuseval.campaign.assembly import Paths
from focuseval.formats.chunks import objects_of
from focuseval.formats.inex import read_topics
from focuseval.formats.parsed import UnusableValue, files_of


def queries_of(assessments: Paths | None) -> dict[str, str]:
    """Return the query of each topic from files of assessments in JSON lines.

    If a topic has several queries, the first is returned. Lines without a query and unreadable lines are ignored.
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
    """Return the title of each topic in INEX topic files as its query, or its castitle if the title is empty.

    Without topic files, queries are read from the assessments.
    """
    if topics is None:
        return queries_of(assessments)
    table = read_topics(topics)
    queries = table["title"].where(table["title"] != "", table["castitle"])
    return dict(zip(table["topic"], queries, strict=True))
