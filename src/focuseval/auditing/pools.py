"""Pools: what would a system score had it not taken part in the pool that was judged?

A run that brought relevant documents which no other run brought is scored without the judgements of these (Zobel,
SIGIR 1998). What changes little here is fair to systems that come after the pool.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval.auditing.comparing import scored
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Bools, Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.statistics.means import column_means
from focuseval.transformations.lists import of_runs, places, taken


def unjudged(topic: Topic, documents: Ints) -> Topic:
    """The topic as if some documents had not been judged: nothing in them is relevant."""

    def others(of: Ints) -> Bools:
        return ~np.isin(of, documents)

    topic = topic.judging(others(topic.collection.document_of(topic.element)))
    if (marks := topic.highlights) is not None:
        topic = replace(topic, highlights=marks.among(others(marks.document)))
    if (spans := topic.spans) is not None:
        topic = replace(topic, spans=spans.among(others(spans.document)))
    if topic.entry_point is not None:
        gone = set(documents.tolist())
        points = {document: at for document, at in topic.entry_point.items() if document not in gone}
        topic = replace(topic, entry_point=points)
    if topic.assessed is not None:
        kept = others(topic.assessed)
        grade = None if topic.grade is None else topic.grade[kept]
        topic = replace(topic, assessed=topic.assessed[kept], grade=grade)
    return topic


def brought_alone(topics: Sequence[Topic], results: Results, depth: int) -> dict[str, dict[str, Ints]]:
    """Relevant documents that one run alone has among its first ``depth`` results: by run, then by topic."""
    first = taken(results, (places(results) < depth) & (results.document >= 0))
    pairs = pd.DataFrame(
        {"topic": first.topic, "document": first.document, "run": first.run}
    ).drop_duplicates()
    alone = pairs[~pairs.duplicated(["topic", "document"], keep=False)]
    found: dict[str, dict[str, Ints]] = {}
    relevant = {topic.name: topic.relevant_documents for topic in topics}
    for (run, topic), part in alone.groupby(["run", "topic"]):
        name = str(first.topics[topic])
        mine = np.intersect1d(part["document"].to_numpy(), relevant.get(name, np.empty(0, dtype=np.int64)))
        if len(mine):
            found.setdefault(str(first.runs[run]), {})[name] = mine
    return found


def without_own_pool(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], depths: Sequence[int]
) -> pd.DataFrame:
    """Every run scored as if it had not taken part in the pool of each run's first ``depth`` results.

    A row for each depth, measure and run: columns depth, measure, run, documents (relevant ones that it alone brought,
    over all topics), mean, and without, the mean over the same topics without these judgements. A topic to which
    nothing else is relevant stays out of the run's second mean. Measures that cannot be computed are left out.
    """
    whole = scored(topics, results, specs).values
    runs = [str(run) for run in results.runs]
    parts = []
    for depth in depths:
        alone = brought_alone(topics, results, depth)
        for number, run in enumerate(runs):
            before = whole[whole.index.get_level_values("run") == run].droplevel("run")
            after = before.copy()
            documents = alone.get(run, {})
            if documents:
                fewer = [
                    unjudged(topic, documents[topic.name]) for topic in topics if topic.name in documents
                ]
                own = of_runs(results, np.array([number]))
                own = taken(own, np.isin(own.topics[own.topic], list(documents)))
                again = scored(fewer, own, specs).values.droplevel("run")
                known = before.index.intersection(list(documents))
                after.loc[known] = again.reindex(index=known, columns=before.columns)
            parts.append(
                pd.DataFrame(
                    {
                        "depth": depth,
                        "measure": before.columns,
                        "run": run,
                        "documents": sum(map(len, documents.values())),
                        "mean": column_means(before.to_numpy()),
                        "without": column_means(after.to_numpy()),
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def pool_effect(found: pd.DataFrame) -> pd.DataFrame:
    """How much it matters to take part in the pool, from `without_own_pool`.

    A row for each depth and measure: columns depth, measure, mean_change (of without less mean, over runs),
    largest_fall (of a run's mean; 0 where none falls), of (the run), and ranks, the most places that a run falls among
    the others, which keep their scores.
    """
    rows = []
    for (depth, measure), part in found.groupby(["depth", "measure"], sort=False):
        mean, without = part["mean"].to_numpy(), part["without"].to_numpy()
        fall = np.nan_to_num(mean - without)
        worst = int(np.argmax(fall))
        ahead = (mean[None, :] > without[:, None]) & (mean[None, :] <= mean[:, None])
        np.fill_diagonal(ahead, False)
        of = part["run"].iloc[worst] if fall[worst] > 0 else ""
        rows.append((depth, measure, -fall.mean(), max(fall[worst], 0.0), of, int(ahead.sum(axis=1).max())))
    return pd.DataFrame(rows, columns=["depth", "measure", "mean_change", "largest_fall", "of", "ranks"])
