"""Topics and results on disk: what a campaign's steps hand on, beside the element tables.

Parquet files with the columns that `focuseval.schema` says, named by document and node, so that they
do not depend on how a collection is held in memory; and one JSON file with what is no table.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval import schema
from focuseval.arrays import Ints
from focuseval.elements import Collection
from focuseval.judgements import Highlights, Topic
from focuseval.results import Results


def _category(codes: Ints, names: Sequence[str]) -> pd.Categorical:
    return pd.Categorical.from_codes(np.asarray(codes), categories=pd.Index(names, dtype=object))


def _node(collection: Collection, document: Ints, row: Ints) -> Ints:
    """Nodes of rows, counted from the root of their document; -1 for no row."""
    return np.where(row >= 0, row - collection.first[np.maximum(document, 0)], -1)


def _row(collection: Collection, document: Ints, node: Ints) -> Ints:
    """Rows of nodes of documents; -1 for no node."""
    return np.where(node >= 0, node + collection.first[np.maximum(document, 0)], -1)


def save_topics(topics: Sequence[Topic], judgements: Path, highlights: Path, about: Path) -> None:
    """Write the judged elements, the highlighted passages, and what else there is to know of topics."""
    names = [topic.name for topic in topics]
    document = [topic.collection.document_of(topic.element) for topic in topics]
    judged = pd.DataFrame(
        {
            "topic": _category(np.repeat(np.arange(len(topics)), [len(t.element) for t in topics]), names),
            "document": np.concatenate(document),
            "node": np.concatenate(
                [_node(t.collection, d, t.element) for t, d in zip(topics, document, strict=True)]
            ),
            "exhaustivity": np.concatenate([topic.exhaustivity for topic in topics]),
            "specificity": np.concatenate([topic.specificity for topic in topics]),
        }
    )
    schema.write(judged, schema.JUDGEMENTS, judgements)
    none = np.zeros(0, dtype=np.int64)
    marked = [topic.highlights or Highlights(none, none, none) for topic in topics]
    passages = pd.DataFrame(
        {
            "topic": _category(np.repeat(np.arange(len(topics)), [len(m.document) for m in marked]), names),
            "document": np.concatenate([m.document for m in marked]),
            "start": np.concatenate([m.start for m in marked]),
            "end": np.concatenate([m.end for m in marked]),
        }
    )
    schema.write(passages, schema.PASSAGES, highlights)
    facts = {
        "scale": topics[0].scale,
        "coverage": list(topics[0].coverage),
        "topics": [
            {
                "name": topic.name,
                "highlights": topic.highlights is not None,
                "entry_point": None
                if topic.entry_point is None
                else sorted([int(d), int(at)] for d, at in topic.entry_point.items()),
            }
            for topic in topics
        ],
    }
    about.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def load_topics(collection: Collection, judgements: Path, highlights: Path, about: Path) -> list[Topic]:
    """The topics that `save_topics` wrote, on their collection."""
    facts = json.loads(about.read_text(encoding="utf-8"))
    judged = schema.read(judgements, schema.JUDGEMENTS).to_pandas()
    judged["row"] = _row(collection, judged["document"].to_numpy(), judged["node"].to_numpy())
    elements = dict(tuple(judged.groupby("topic", sort=False, observed=True)))
    passages = schema.read(highlights, schema.PASSAGES).to_pandas()
    marked = dict(tuple(passages.groupby("topic", sort=False, observed=True)))
    topics = []
    for entry in facts["topics"]:
        part = elements.get(entry["name"], judged.iloc[:0])
        found = None
        if entry["highlights"]:
            mine = marked.get(entry["name"], passages.iloc[:0])
            found = Highlights(*(mine[column].to_numpy(np.int64) for column in ("document", "start", "end")))
        entries = entry["entry_point"]
        topics.append(
            Topic(
                name=entry["name"],
                scale=facts["scale"],
                collection=collection,
                element=part["row"].to_numpy(np.int64),
                exhaustivity=part["exhaustivity"].to_numpy(),
                specificity=part["specificity"].to_numpy(),
                highlights=found,
                entry_point=None if entries is None else dict(map(tuple, entries)),
                coverage=tuple(facts["coverage"]),
            )
        )
    return topics


def save_results(results: Results, collection: Collection, path: Path) -> None:
    """Write the results of runs."""
    columns = {
        "run": _category(results.run, list(results.runs)),
        "topic": _category(results.topic, list(results.topics)),
        "rank": results.rank,
        "document": results.document,
        "node": _node(collection, results.document, results.element),
        "start": results.start,
        "end": results.end,
        "score": results.score,
    }
    schema.write(pd.DataFrame(columns), schema.RESULTS, path)


def load_results(collection: Collection, path: Path, *, size: int | None = None) -> Results:
    """The results that `save_results` wrote, on their collection; each list cut at ``size``, if given."""
    frame = schema.read(path, schema.RESULTS).to_pandas()
    run, topic = frame["run"].cat, frame["topic"].cat
    if size is not None:
        new_list = np.diff(run.codes, prepend=-1).astype(bool) | np.diff(topic.codes, prepend=-1).astype(bool)
        begins = np.flatnonzero(new_list)
        place = np.arange(len(frame)) - np.repeat(begins, np.diff(np.append(begins, len(frame))))
        frame = frame[place < size]
    document = frame["document"].to_numpy(np.int64)
    return Results(
        runs=run.categories,
        topics=topic.categories,
        run=frame["run"].cat.codes.to_numpy(np.int64),
        topic=frame["topic"].cat.codes.to_numpy(np.int64),
        rank=frame["rank"].to_numpy(np.int64),
        document=document,
        element=_row(collection, document, frame["node"].to_numpy(np.int64)),
        start=frame["start"].to_numpy(np.int64),
        end=frame["end"].to_numpy(np.int64),
        score=frame["score"].to_numpy(),
    )
