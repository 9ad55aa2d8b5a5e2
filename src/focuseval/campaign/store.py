"""Judgements and results as artefacts: written once, loaded onto their collection in no time."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.campaign import schema
from focuseval.files import write_atomically
from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import Results, among_first


def _codes(column: pa.ChunkedArray) -> tuple[Ints, pd.Index]:
    """Codes and names of a dictionary column."""
    array = column.unify_dictionaries().combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    return array.indices.to_numpy(), pd.Index(array.dictionary.to_pandas(), dtype=object)


def write_topics(topics: Sequence[Topic], folder: Path) -> None:
    """Write ``judgements.parquet``, ``passages.parquet`` and ``topics.json``.

    The latter has names, scale, coverage and, where the assessments list them, the assessed documents.
    """
    judged, passages = [], []
    for topic in topics:
        document = topic.collection.document_of(topic.element)
        judged.append(
            pd.DataFrame(
                {
                    "topic": topic.name,
                    "document": document,
                    "node": topic.element - topic.collection.first[document],
                    "exhaustivity": topic.exhaustivity,
                    "specificity": topic.specificity,
                }
            )
        )
        if topic.highlights is not None:
            columns = {"document": topic.highlights.document, "start": topic.highlights.start}
            passages.append(pd.DataFrame({"topic": topic.name, **columns, "end": topic.highlights.end}))
    schema.write(pd.concat(judged, ignore_index=True), schema.JUDGEMENTS, folder / "judgements.parquet")
    marked = pd.concat(passages, ignore_index=True) if passages else schema.PASSAGES.empty_table()
    schema.write(marked, schema.PASSAGES, folder / "passages.parquet")
    about = {
        "topics": [topic.name for topic in topics],
        "scale": topics[0].scale,
        "coverage": list(topics[0].coverage),
        "highlighted": topics[0].highlights is not None,
        "assessed": {topic.name: topic.assessed.tolist() for topic in topics if topic.assessed is not None},
    }
    with write_atomically(folder / "topics.json") as out:
        json.dump(about, out, ensure_ascii=False)


def load_topics(folder: Path, collection: Collection, names: Sequence[str] | None = None) -> list[Topic]:
    """The topics that `write_topics` wrote: all, or those of these names."""
    about = json.loads((folder / "topics.json").read_text(encoding="utf-8"))
    judged = schema.read(folder / "judgements.parquet", schema.JUDGEMENTS)
    passages = schema.read(folder / "passages.parquet", schema.PASSAGES)

    def by_topic(table: pa.Table) -> dict[str, pd.DataFrame]:
        frame = table.to_pandas()
        return {str(name): part for name, part in frame.groupby("topic", sort=False, observed=True)}

    judgements, marked = by_topic(judged), by_topic(passages)
    none, unmarked = judged.slice(0, 0).to_pandas(), passages.slice(0, 0).to_pandas()
    topics = []
    for name in about["topics"]:
        if names is not None and name not in names:
            continue
        part = judgements.get(name, none)
        assessed = about["assessed"].get(name)
        highlights = None
        if about["highlighted"]:
            mine = marked.get(name, unmarked)
            highlights = Highlights(*(mine[c].to_numpy(np.int64) for c in ("document", "start", "end")))
        topics.append(
            Topic(
                name,
                about["scale"],
                collection,
                collection.first[part["document"].to_numpy()] + part["node"].to_numpy(),
                part["exhaustivity"].to_numpy(),
                part["specificity"].to_numpy(),
                highlights,
                coverage=tuple(about["coverage"]),
                assessed=None if assessed is None else np.array(assessed, dtype=np.int64),
            )
        )
    return topics


def write_results(results: Results, collection: Collection, path: Path) -> None:
    """Write results as one Parquet artefact."""
    document = np.maximum(results.document, 0)
    node = np.where(results.element >= 0, results.element - collection.first[document], -1)
    table = pa.table(
        {
            "run": pa.DictionaryArray.from_arrays(pa.array(results.run, pa.int32()), list(results.runs)),
            "topic": pa.DictionaryArray.from_arrays(
                pa.array(results.topic, pa.int32()), list(results.topics)
            ),
            "rank": results.rank,
            "document": results.document,
            "node": node,
            "start": results.start,
            "end": results.end,
            "score": results.score,
        }
    )
    schema.write(table, schema.RESULTS, path)


def load_results(path: Path, collection: Collection, *, size: int | None = None) -> Results:
    """Results that `write_results` wrote, each list cut at ``size``."""
    table = schema.read(path, schema.RESULTS)
    (run, runs), (topic, topics) = _codes(table["run"]), _codes(table["topic"])
    column = {name: table[name].to_numpy() for name in ("rank", "document", "node", "start", "end", "score")}
    kept = slice(None) if size is None else among_first(run, topic, size)
    document, node = column["document"][kept].astype(np.int64), column["node"][kept].astype(np.int64)
    return Results(
        runs=runs,
        topics=topics,
        run=run[kept],
        topic=topic[kept],
        rank=column["rank"][kept],
        document=document,
        element=np.where(node >= 0, collection.first[np.maximum(document, 0)] + node, -1),
        start=column["start"][kept].astype(np.int64),
        end=column["end"][kept].astype(np.int64),
        score=column["score"][kept],
    )
