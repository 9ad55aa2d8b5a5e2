"""The ideal rankings of XCG, as if systems had returned them: what a measure should give its highest value."""

from collections.abc import Mapping, Sequence

import pandas as pd

from focuseval.measures import recall_base as recallbase
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, as_results, by_score


def name_of(setting: Mapping[str, str]) -> str:
    """The name of the ideal run of a setting, such as ``gen, on, off``."""
    return ", ".join(setting.values())


def transform(results: Results, topics: Sequence[Topic], *, settings: Sequence[Mapping[str, str]]) -> Results:
    """One run for each setting (quantisation, overlap, fetch_browse), from the judgements alone.

    ``overlap=off`` ranks the full recall-base, ``on`` the ideal one, ``fetch_browse=article`` the articles with
    something relevant; by falling score, equal ones in document order. Kazai & Lalmas (2005), Section 2.
    """
    lists = [_ideal(topic, setting).assign(run=name_of(setting)) for setting in settings for topic in topics]
    return as_results(pd.concat(lists, ignore_index=True), topics[0].collection)


def _ideal(topic: Topic, setting: Mapping[str, str]) -> pd.DataFrame:
    """Columns topic, rank, document, node, score; no row where nothing is relevant."""
    collection = topic.collection
    row, score = recallbase.full(topic, setting["quantisation"])
    if len(row) and setting["fetch_browse"] == "article":
        row, score = recallbase.articles(collection, row, score)
    elif len(row) and setting["overlap"] == "on":
        chosen = recallbase.ideal(collection, row, score, "paper")
        row, score = row[chosen], score[chosen]
    return by_score(topic, row, score)
