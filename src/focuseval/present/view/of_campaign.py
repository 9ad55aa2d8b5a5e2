"""The page of a campaign of the workflow, from what is scored already."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.campaign.collection_store import document_texts, load_collection
from focuseval.campaign.runsets import RunSet
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures.declaration import Spec
from focuseval.present.view.contents import Contents, Shown, contents
from focuseval.scoring import read_words

#: the most that a page has, in bytes: less than one that is asked for, since every campaign has one
LARGEST = 3_000_000

#: what of a campaign its page shows
SHOWN = Shown(depth=100, best=20, steps=0)


def campaign_contents(
    folder: Path,
    scores: pd.DataFrame,
    runs: RunSet,
    specs: Sequence[Spec[Any, Any]],
    *,
    title: str,
    unit: str,
    collection: Path | None,
    queries: Mapping[str, str],
    notes: Sequence[str] = (),
) -> Contents:
    """What the page of a campaign shows: a set of ``runs`` under measures.

    ``folder`` holds the campaign's artefacts, ``scores`` are those of the job that scored the runs.
    """
    elements = load_collection(folder / "elements", unit, texts=collection)
    topics = load_topics(folder / "judgements" / runs.judgements, elements, runs.topics)
    depth = min(runs.size or SHOWN.depth, SHOWN.depth)
    results = load_results(folder / "runs" / f"{runs.runs}.parquet", elements, size=depth)
    if any("texts" in spec.needs for spec in specs):
        read_words(topics, results)
    first = f"The first {depth} results of each list are shown; scores are of whole lists."
    return contents(
        topics,
        results,
        scores[scores["runs"].astype(str) == runs.name],
        specs,
        None if collection is None else lambda names: document_texts(collection, documents=set(names)),
        title=title,
        queries=queries,
        notes=[first, *notes],
        shown=SHOWN,
    )
