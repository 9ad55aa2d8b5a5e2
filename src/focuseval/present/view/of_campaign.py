"""The page of a campaign of the workflow, from what is scored already."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from focuseval.campaign.collection_store import document_texts, load_collection
from focuseval.campaign.runsets import RunSet
from focuseval.campaign.store import load_results, load_topics
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.present.view.contents import Contents, Shown, contents
from focuseval.statistics.paired import Method

#: measures on a page
MOST_MEASURES = 4

#: the most that a page has, in bytes: less than one that is asked for, since every campaign has one
LARGEST = 6_000_000

#: what of a campaign its page shows
SHOWN = Shown(depth=100, best=20, steps=2_000, method=Method(resamples=2_000))


class Viewed(NamedTuple):
    """Scores of a campaign that its page is made from."""

    batch: str  #: the scoring job
    runs: RunSet
    measures: Sequence[str]  #: canonical names


def viewed(scores: Mapping[str, Sequence[tuple[RunSet, Sequence[str]]]], first: str = "own") -> Viewed | None:
    """Which scores of a campaign to look into, by scoring job: those of its first runs to which nothing was done.

    The job of the campaign's own comparisons comes ``first``. Measures of whole lists come before those at cut-offs.
    None where nothing is scored.
    """
    for batch in sorted(scores, key=lambda name: name != first):
        for runs, names in scores[batch]:
            if not runs.transformation:
                specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
                specs.sort(key=lambda spec: spec.cutoff is not None)
                return Viewed(batch, runs, list(dict.fromkeys(spec.name for spec in specs))[:MOST_MEASURES])
    return None


def campaign_contents(
    folder: Path,
    scores: pd.DataFrame,
    asked: Viewed,
    *,
    title: str,
    unit: str,
    collection: Path | None,
    queries: Mapping[str, str],
    notes: Sequence[str] = (),
) -> Contents:
    """What the page of a campaign shows; ``folder`` holds its artefacts, ``scores`` are those of the scoring job."""
    elements = load_collection(folder / "elements", unit)
    topics = load_topics(folder / "judgements" / asked.runs.judgements, elements, asked.runs.topics)
    results = load_results(folder / "runs" / f"{asked.runs.runs}.parquet", elements, size=asked.runs.size)
    specs = [spec for name in asked.measures for spec in parse_specs(name, MEASURES)]
    return contents(
        topics,
        results,
        scores[scores["runs"].astype(str) == asked.runs.name],
        specs,
        None if collection is None else lambda names: document_texts(collection, documents=set(names)),
        title=title,
        queries=queries,
        notes=notes,
        shown=SHOWN,
    )
