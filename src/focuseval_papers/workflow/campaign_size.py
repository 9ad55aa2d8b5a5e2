"""The size of a campaign: counts and means of its documents, topics and results."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.model.vocabulary import TEXT_TAGS

Facts = dict[str, float]


def gold_spans(topics: Sequence[Topic]) -> int:
    """Count the gold spans if the documents have no elements, or are not available; otherwise return 0."""
    if not topics or (topics[0].collection.complete and not set(topics[0].collection.tags) <= set(TEXT_TAGS)):
        return 0
    return sum(len(topic.spans) for topic in topics if topic.spans is not None)


def facts(collection: Collection, topics: Sequence[Topic], results: Results) -> Facts:
    """Return counts and means that describe the size of a campaign, by name.

    The root of a document has depth 1, as in the INEX literature. If there are `gold_spans`, they are counted instead
    of elements.
    """
    relevant = [topic.relevant for topic in topics]
    lists = len(np.unique(results.run.astype(np.int64) * len(results.topics) + results.topic))
    spans = gold_spans(topics)
    elements: Facts = {
        "elements": len(collection),
        "elements per document": len(collection) / len(collection.names),
        "mean depth of an element": float(collection.depth.mean(dtype=float)) + 1,
    }
    judged: Facts = {
        "judged elements": sum(len(topic.element) for topic in topics),
        "relevant elements": int(sum(is_relevant.sum() for is_relevant in relevant)),
    }
    if spans:
        elements, judged = {}, {"gold spans": spans}
    elif not judged["judged elements"] or not collection.complete:
        judged = {}  # there are no documents, or only passages or documents were judged
    structure = {
        "documents": len(collection.names),
        **elements,
        f"text ({collection.unit})": collection.text_size,
    }
    if not collection.complete:
        structure = {"documents named": len(collection.names)}
    return {
        **structure,
        "assessed topics": len(topics),
        **judged,
        "runs": len(results.runs),
        "results per topic and run": len(results) / lists if lists else 0.0,
    }


def facts_with(table: pd.DataFrame, runs: str) -> Facts:
    """Return the `facts` of the run file ``runs``, by name, from a table with the columns of `schema.FACTS`."""
    part = table[table["runs"] == runs]
    return dict(zip(part["fact"].astype(str), part["value"], strict=True))


def facts_table(
    facts: Mapping[str, Mapping[str, float]],
    paper: Mapping[str, float | str] | None = None,
    heading: str = "",
) -> pd.DataFrame:
    """Return a table of `facts` with a column for each campaign; ``heading`` names the column of a paper.

    A fact in ``paper`` may be a text instead of a number. Unknown facts are None.
    """
    names = list(dict.fromkeys(name for facts_of_campaign in facts.values() for name in facts_of_campaign))

    def shown(value: float | str | None) -> str | None:
        if value is None or isinstance(value, str):
            return value
        return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"

    paper_sizes = [] if paper is None else [(heading, paper)]
    columns = {
        campaign: pd.array([shown(facts_of_campaign.get(n)) for n in names], dtype=object)
        for campaign, facts_of_campaign in (*facts.items(), *paper_sizes)
    }
    return pd.DataFrame({"": names, **columns})
