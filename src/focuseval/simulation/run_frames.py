"""From the frames that retrieval and simulated runs give to the record that measures take."""

import pandas as pd

from focuseval.elements import Collection
from focuseval.results import Results


def as_results(frame: pd.DataFrame, collection: Collection) -> Results:
    """Results from columns run, topic, rank, document, element, score, with the collection's offsets.

    ``element`` is a row of the collection, in whatever unit it is: rows are the same in all. Runs and
    topics come in the order in which they first occur; ranks stay as they are.
    """
    run, runs = pd.factorize(frame["run"])
    topic, topics = pd.factorize(frame["topic"])
    columns = frame.assign(run=run, topic=topic)
    columns = columns.sort_values(["run", "topic", "rank"], kind="stable")
    element = columns["element"].to_numpy()
    return Results(
        runs=pd.Index(runs, dtype=object),
        topics=pd.Index(topics, dtype=object),
        run=columns["run"].to_numpy(),
        topic=columns["topic"].to_numpy(),
        rank=columns["rank"].to_numpy(),
        document=columns["document"].to_numpy(),
        element=element,
        start=collection.start[element],
        end=collection.end[element],
        score=columns["score"].to_numpy(dtype=float),
    )
