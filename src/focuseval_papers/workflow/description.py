"""Statistics that describe a campaign: its relevant text, and the results of each run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign.notices import ALIKE
from focuseval.measures.recall_base import full, ideal
from focuseval.model.arrays import distinct, divided
from focuseval.model.elements import Collection
from focuseval.model.judgements import TOO_SMALL, Topic
from focuseval.model.results import Results
from focuseval_papers.workflow.campaign_size import gold_spans

#: the highest exhaustivity and specificity on each scale
_HIGHEST = {"inex2002": (3, 3), "inex2003": (3, 3), "inex2005": (2, 1), "highlights": (2, 1)}


def relevance_statistics(topics: Sequence[Topic]) -> dict[str, float]:
    """Return statistics of a campaign's relevant text by name; {} without documents or judged elements.

    If there are `gold_spans`, they are counted instead of elements. An element is highly exhaustive or specific if it
    has the highest value of its scale. The root of a document has depth 1.
    """
    if spans := gold_spans(topics):
        gold = [topic.highlights for topic in topics if topic.highlights is not None]
        return {
            "topics": len(topics),
            "gold spans": spans,
            "documents with gold": len(distinct(np.concatenate([text.document for text in gold]))),
            f"gold {topics[0].collection.unit}": sum(int((text.end - text.start).sum()) for text in gold),
        }
    if not topics or topics[0].scale not in _HIGHEST or not topics[0].collection.complete:
        return {}
    collection, scale = topics[0].collection, topics[0].scale
    relevant = pd.concat(
        pd.DataFrame(
            {"topic": number, "row": topic.element, "e": topic.exhaustivity, "s": topic.specificity}
        )[topic.relevant]
        for number, topic in enumerate(topics)
    )
    row = relevant["row"].to_numpy(np.int64)
    documents = len(relevant[["topic"]].assign(document=collection.document_of(row)).drop_duplicates())
    exhaustive, specific = (
        relevant[column].to_numpy() == best for column, best in zip("es", _HIGHEST[scale], strict=True)
    )
    both = exhaustive & specific
    facts = {
        "topics": len(topics),
        "elements per document": len(collection) / len(collection.names),
        "mean depth of an element": float(collection.depth.mean(dtype=float)) + 1,
        "relevant documents per topic": documents / len(topics),
        "relevant elements per topic": len(row) / len(topics),
        "relevant elements per relevant document": _share(len(row), documents),
        "highly specific elements": int(specific.sum()),
        "highly specific, % of relevant elements": 100 * _share(specific.sum(), len(row)),
        "no whole documents, % of highly specific elements": 100
        * _share((specific & (collection.parent[row] >= 0)).sum(), specific.sum()),
    }
    if scale == "highlights":  # all relevant elements of this scale have the same exhaustivity
        return facts | _passages(topics)
    facts |= {
        "highly exhaustive, % of relevant elements": 100 * _share(exhaustive.sum(), len(row)),
        "highly exhaustive and specific elements per topic": both.sum() / len(topics),
        "highly exhaustive and specific, % of relevant elements": 100 * _share(both.sum(), len(row)),
        "topics without such an element": len(topics) - relevant.loc[both, "topic"].nunique(),
    }
    if scale == "inex2005":
        facts["too small, % of relevant elements"] = 100 * _share(
            (relevant["e"] == TOO_SMALL).sum(), len(row)
        )
        for quantisation in ("strict", "gen"):
            counts = (int(ideal(topic.collection, *full(topic, quantisation)).sum()) for topic in topics)
            facts[f"ideal elements per topic, {quantisation}"] = sum(counts) / len(topics)
    return facts


def _passages(topics: Sequence[Topic]) -> dict[str, float]:
    """Return statistics of highlighted passages by name; a document is counted once for each topic."""
    highlights = [topic.highlights for topic in topics if topic.highlights is not None]
    length = np.concatenate([text.end - text.start for text in highlights])
    passages, share = [], []
    for text in highlights:
        documents, place, count = np.unique(text.document, return_inverse=True, return_counts=True)
        passages.append(count)
        sizes = topics[0].collection.size[topics[0].collection.root(documents)]
        share.append(np.bincount(place, text.end - text.start, len(documents)) / sizes)
    each, shares = np.concatenate(passages), 100 * np.concatenate(share)
    return {
        "passages per relevant document": _share(each.sum(), len(each)),
        "with one passage, % of relevant documents": 100 * _share((each == 1).sum(), len(each)),
        "median length of a passage": float(np.median(length)),
        "mean length of a passage": float(length.mean()),
        "median of highlighted text, % of a relevant document": float(np.median(shares)),
        "above 90 % highlighted, % of relevant documents": 100 * _share((shares > 90).sum(), len(shares)),
    }


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def result_statistics(results: Results, collection: Collection) -> pd.DataFrame:
    """Return a table with statistics of the results of each run.

    The columns are run, results (mean number for a topic), overlapping and documents (shares of results), and length
    (mean size). A result overlaps if a part of its text is in an earlier result of the list. The share documents counts
    results that are whole documents. Unknown values are NaN.
    """
    # for each run, the numbers of lists, results, overlapping results and whole documents, and the total length
    counts = {str(run): np.zeros(5) for run in results.runs}
    for list_ in results.lists():
        whole = list_.element >= 0
        whole[whole] = collection.parent[list_.element[whole]] < 0
        length = list_.size[list_.resolved].sum()
        unknown = list_.resolved & (list_.end < list_.start)
        if unknown.any():
            beyond = max(list_.end.max(), 0) + 1  # a whole document of unknown size ends after all results
            list_, length = replace(list_, end=np.where(unknown & whole, beyond, list_.end)), np.nan
        overlapping = (list_.new_text < list_.size)[list_.resolved].sum()
        if (unknown & ~whole).any():
            overlapping = np.nan
        counts[list_.run] += (1, len(list_), overlapping, whole.sum(), length)
    lists, number, *sums = np.array(list(counts.values())).reshape(-1, 5).T
    means = [np.divide(each, number, out=np.full(len(number), np.nan), where=number > 0) for each in sums]
    results_a_topic = divided(number, lists)
    names = ["run", "results", "overlapping", "documents", "length"]
    return pd.DataFrame(dict(zip(names, [list(counts), results_a_topic, *means], strict=True)))


def led_by_cuts(request: Mapping[str, Any], lengths: pd.Series) -> tuple[dict[str, Any], str]:
    """Put the measure ``IoU`` before ``AiP`` in a request for an overview if runs have results of different sizes.

    ``request`` contains arguments of `focuseval.statistics.comparisons.overview`, and ``lengths`` has the mean size of
    each run's results. If ``request["named"]`` is true, the order does not change. Returns the request, and a text that
    explains the order, or "".
    """
    first, *others = request["measures"] or [""]
    if first not in ("AiP", "IoU") or len(lengths) < 2 or lengths.isna().any():
        return dict(request), ""
    smallest, largest = lengths.min(), lengths.max()
    sizes = f"Results have a mean size of {smallest:,.0f} to {largest:,.0f}, by run"
    why = (
        f"{sizes}: runs cut differently. AiP depends on that, and IoU on the amount of text that a run returns; "
        "char_recall@2000c depends on neither"
    )
    if alike := largest <= ALIKE * smallest:
        why = f"{sizes}. These are similar, so AiP compares the rankings of the runs"
    if alike or request["named"] or "IoU" not in others:
        return dict(request), why if first == "AiP" else ""
    return {**request, "measures": ["IoU", first, *(name for name in others if name != "IoU")]}, why
