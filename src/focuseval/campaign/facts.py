"""How large a campaign is, counted."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

Facts = dict[str, float]


def facts(collection: Collection, topics: Sequence[Topic], results: Results) -> Facts:
    """Counts and means of a campaign, by what they count.

    The root of a document has depth 1, as in the INEX literature. A relevant element has both
    dimensions above 0, or was judged "too small". Of a collection that is not complete nothing is counted
    but the documents that assessments and runs name.
    """
    relevant = [(topic.exhaustivity != 0) & (topic.specificity > 0) for topic in topics]
    lists = len(np.unique(results.run.astype(np.int64) * len(results.topics) + results.topic))
    structure: Facts = {
        "documents": len(collection.names),
        "elements": len(collection),
        "elements per document": len(collection) / len(collection.names),
        "mean depth of an element": float(collection.depth.mean(dtype=float)) + 1,
        f"text ({collection.unit})": collection.text_size,
    }
    judged: Facts = {
        "judged elements": sum(len(topic.element) for topic in topics),
        "relevant elements": int(sum(found.sum() for found in relevant)),
    }
    if not judged["judged elements"]:  # assessments of whole documents, or of passages alone
        judged = {}
    if not collection.complete:
        structure, judged = {"documents named": len(collection.names)}, {}
    return {
        **structure,
        "assessed topics": len(topics),
        **judged,
        "runs": len(results.runs),
        "results per topic and run": len(results) / lists if lists else 0.0,
    }


def facts_with(table: pd.DataFrame, runs: str) -> Facts:
    """The facts of a campaign with some of its runs, from a table of `focuseval.campaign.schema.FACTS`."""
    part = table[table["runs"] == runs]
    return dict(zip(part["fact"].astype(str), part["value"], strict=True))


def facts_table(
    facts: Mapping[str, Mapping[str, float]],
    paper: Mapping[str, float] | None = None,
    heading: str = "",
) -> pd.DataFrame:
    """One row per fact: campaigns by name, beside the paper's under ``heading`` (if any); None where unknown."""
    names = list(dict.fromkeys(name for found in facts.values() for name in found))

    def shown(value: float | None) -> str | None:
        if value is None:
            return None
        return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"

    beside = [] if paper is None else [(heading, paper)]
    columns = {
        campaign: pd.array([shown(found.get(n)) for n in names], dtype=object)
        for campaign, found in (*facts.items(), *beside)
    }
    return pd.DataFrame({"": names, **columns})
