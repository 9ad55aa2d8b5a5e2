"""Simulated runs, made from assessments and recall-bases.

*Ideal* runs are XCG's ideal rankings. The runs *perfect* and *ancestors* (Gövert et al., 2006, Section 4.1) show how a
metric treats overlap: *ancestors* adds only elements that contain an element of *perfect*.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures import recall_base as recallbase
from focuseval.measures.quantisation import on_four_points
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, as_results, by_score
from focuseval.transformations.ideal import perfect_elements


def name_of(setting: Mapping[str, str]) -> str:
    """Return the name of an ideal run: the values of its setting, such as ``gen, on, off``."""
    return ", ".join(setting.values())


def ideal(topics: Sequence[Topic], *, rankings: Sequence[Mapping[str, str]]) -> Results:
    """Return an ideal run for each setting in ``rankings`` (values of quantisation, overlap and fetch_browse).

    With ``fetch_browse=article``, a run ranks the articles with relevant elements. Otherwise, it ranks the ideal
    recall-base if ``overlap=on``, and the full recall-base if ``overlap=off``. Results are sorted by decreasing score,
    and results of equal score are in document order. See Kazai & Lalmas (2005), Section 2.
    """
    lists = [_ideal(topic, setting).assign(run=name_of(setting)) for setting in rankings for topic in topics]
    return as_results(pd.concat(lists, ignore_index=True), topics[0].collection)


def _ideal(topic: Topic, setting: Mapping[str, str]) -> pd.DataFrame:
    """Return the ideal ranking of a topic under a setting, with the columns topic, rank, document, node and score."""
    collection = topic.collection
    row, score = recallbase.full(topic, setting["quantisation"])
    if len(row) and setting["fetch_browse"] == "article":
        row, score = recallbase.articles(collection, row, score)
    elif len(row) and setting["overlap"] == "on":
        chosen = recallbase.ideal_elements(topic, setting["quantisation"])
        row, score = row[chosen], score[chosen]
    return by_score(topic, row, score)


def perfect(topics: Sequence[Topic]) -> Results:
    """Return the run ``perfect``, which ranks all elements of specificity 3 (scale of INEX 2003) by exhaustiveness.

    The score of an element is its exhaustiveness. Elements of equal exhaustiveness share a rank, and ranks count from
    1 without gaps. A topic without elements of specificity 3 has no list.
    """
    return _run("perfect", map(_perfect, map(on_four_points, topics)), topics)


def ancestors(topics: Sequence[Topic]) -> Results:
    """Return the run ``ancestors``: the perfect run, then all ancestors of its elements, which share the next rank.

    Ancestors that the perfect run contains keep their rank. All other ancestors have the score 0.
    """
    return _run("ancestors", map(_with_ancestors, map(on_four_points, topics)), topics)


def _run(name: str, lists: Iterable[pd.DataFrame], topics: Sequence[Topic]) -> Results:
    """Return a run made of ``lists``, which have the columns topic, rank, document, node and score."""
    tables = list(lists)
    table = pd.concat([table for table in tables if len(table)] or tables, ignore_index=True)
    return as_results(table.assign(run=name), topics[0].collection)


def _with_ancestors(topic: Topic) -> pd.DataFrame:
    table = _perfect(topic)
    above = np.setdiff1d(topic.collection.with_ancestors(table["node"].to_numpy()), table["node"])
    rest = by_score(topic, above, np.zeros(len(above))).assign(rank=table["rank"].max() + 1)
    tables = [table, rest]
    return pd.concat([part for part in tables if len(part)] or tables, ignore_index=True)


def _perfect(topic: Topic) -> pd.DataFrame:
    table = by_score(topic, *perfect_elements(topic))
    return table.assign(rank=table["score"].rank(method="dense", ascending=False).astype(int))
