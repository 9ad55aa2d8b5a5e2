"""The page of a campaign, which shows the scores and results of its runs."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.campaign.collection_read import document_texts
from focuseval.campaign.saved_scores import signature
from focuseval.campaign.settings import Inputs
from focuseval.errors import counted
from focuseval.measures.declaration import Spec
from focuseval.report.notices import of_strangers
from focuseval.scoring.one_run import read_words
from focuseval.viewer.contents import Contents, ViewSettings, contents
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, load_results, topics_of_set

#: maximum size of a page in bytes, smaller than for `focuseval view`, because every campaign has a page
LARGEST = 3_000_000

#: limits on the results and runs that the page of a campaign shows
SHOWN = ViewSettings(depth=100, best=20, steps=0)


def campaign_contents(
    files: Any,
    runs: RunSet,
    scores: pd.DataFrame,
    specs: Sequence[Spec[Any, Any]],
    texts: Path | None,
    shown: ViewSettings,
    *,
    unit: str,
    notes: Sequence[str] = (),
) -> Contents | None:
    """Return the contents of the page that shows a run set; None if no measure has a value.

    ``files`` contains the paths of the artefacts: ``collection``, ``assessments`` and ``runs``.
    """
    with_scores = set(scores["name"].astype(str))
    specs = [spec for spec in specs if spec.name in with_scores]  # scoring refused all other measures
    if not specs:
        return None
    elements = load_collection(Path(files.collection[0]).parent, unit, texts=texts)
    topics = topics_of_set(runs, files.assessments, elements)
    depth = min(runs.size or shown.depth, shown.depth)
    results = load_results(Path(files.runs), elements, size=depth)
    if any("texts" in spec.needs for spec in specs):
        read_words(topics, results)
    read = Inputs(assessments=list(files.assessments), unit=unit)
    lists = f"the first {counted(depth, 'result')} of each list"
    first = f"Shown: {lists}. Scores are those of whole lists."
    return contents(
        topics,
        results,
        scores,
        specs,
        None if texts is None else lambda names: document_texts(texts, documents=set(names)),
        replace(shown, signature=signature(specs, read, runs=files.runs), lists=lists),
        [first, *notes],
    )


def notes_of(
    notices: pd.DataFrame, left_out: pd.DataFrame, others: Sequence[str] = ()
) -> tuple[list[str], list[str]]:
    """Return notes for the page of a run set, in two lists: on files, measures and runs; and on topics without values.

    ``left_out`` has the columns of `focuseval.campaign.tables.LEFT_OUT`. ``others`` are measures that only the report
    shows.
    """
    notes = [": ".join(filter(None, row)) for row in zip(notices["source"], notices["text"], strict=True)]
    refused, irrelevant = (left_out[left_out["kind"] == kind] for kind in ("refused", "irrelevant"))
    notes += [f"{row.of}: {row.which}" for row in refused.itertuples()]
    notes += of_strangers(left_out)
    only_in_report = [name for name in others if name not in set(refused["of"])]
    notes += [f"only in the report: {', '.join(only_in_report)}"] if only_in_report else []
    return notes, [
        f"{row.of}: topics without relevant content: {row.which}" for row in irrelevant.itertuples()
    ]


def without_values(title: str, notes: Sequence[str]) -> str:
    """Return an HTML page that explains why there are no scores."""
    lines = "".join(f"<li>{escape(note)}</li>\n" for note in notes)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<h1>{escape(title)}</h1>\n<p>No measure has a value on this campaign, so there are no scores to show.</p>\n"
        f"<ul>\n{lines}</ul>\n</html>\n"
    )
