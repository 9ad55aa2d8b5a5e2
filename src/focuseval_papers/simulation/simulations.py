"""Simulated runs, made from assessments and recall-bases.

`ideal` runs are the ideal rankings of XCG. The runs `perfect` and `ancestors` follow Gövert et al. (2006), Section 4.1.
A comparison of these two runs shows how a measure treats overlap.
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
    """Join the values of a setting into the name of its ideal run, such as ``gen, on, off``."""
    return ", ".join(setting.values())


def ideal(topics: Sequence[Topic], *, rankings: Sequence[Mapping[str, str]]) -> Results:
    """Return an ideal run for each setting in ``rankings`` (Kazai & Lalmas, 2005, Section 2).

    A setting contains values of quantisation, overlap and fetch_browse. Results of equal score are in document order.
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
    """Return the run ``perfect``, which ranks all relevant elements of specificity 3 by exhaustivity.

    Judgements are first mapped to the scales of INEX 2003. Elements of equal exhaustivity share a rank, without gaps.
    """
    return _run("perfect", map(_perfect, map(on_four_points, topics)), topics)


def ancestors(topics: Sequence[Topic]) -> Results:
    """Return the run ``ancestors``: the perfect run, followed by all other ancestors of its elements.

    These ancestors share the last rank and have the score 0.
    """
    return _run("ancestors", map(_with_ancestors, map(on_four_points, topics)), topics)


def _run(name: str, lists: Iterable[pd.DataFrame], topics: Sequence[Topic]) -> Results:
    """Combine ``lists`` into a run. The columns are topic, rank, document, node and score."""
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
