"""Results of runs that the library makes."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results


def by_score(topic: Topic, row: Ints, score: Floats) -> pd.DataFrame:
    """Elements by falling score, equal ones in their order: columns topic, rank (from 1), document, node, score."""
    order = np.argsort(-score, kind="stable")
    document = topic.collection.document_of(row[order])
    columns = {
        "rank": np.arange(1, len(row) + 1),
        "document": document,
        "node": row[order],
        "score": score[order],
    }
    return pd.DataFrame({"topic": topic.name, **columns})


def as_results(runs: pd.DataFrame | Mapping[str, pd.DataFrame], collection: Collection) -> Results:
    """Results of made runs: a frame with the columns run, topic, rank, document, node (row) and score.

    Or frames without the column run, by the names of the runs. Lists stand in the order of the runs, then
    of the topics, as they appear; results of a list in the order of the frame, ranks non-decreasing.
    """
    if not isinstance(runs, pd.DataFrame):
        runs = pd.concat([frame.assign(run=name) for name, frame in runs.items()], ignore_index=True)
    run, names = pd.factorize(runs["run"])
    topic, topics = pd.factorize(runs["topic"])
    order = np.argsort(run * len(topics) + topic, kind="stable")
    row = runs["node"].to_numpy()[order]
    return Results(
        runs=pd.Index(names, dtype=object),
        topics=pd.Index(topics, dtype=object),
        run=run[order],
        topic=topic[order],
        rank=runs["rank"].to_numpy()[order],
        document=runs["document"].to_numpy()[order],
        element=row,
        start=collection.start[row],
        end=collection.end[row],
        score=runs["score"].to_numpy(float)[order],
    )
