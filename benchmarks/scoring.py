"""Scoring from Parquet: 56 runs x 36 topics x 1,500 results under precall and inex2003, 8 million elements.

    python benchmarks/scoring.py

A random collection of articles of 660 elements, judgements and runs are written as the workflow
writes them; one new process then loads and scores them. The peer is pytrec_eval's `map` on the same
lists, in the same run, without the time it takes to build its dictionaries.
"""

import math
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from measuring import Measured, process, record

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.store import (
    load_collection,
    load_results,
    load_topics,
    write_results,
    write_topics,
)

RUNS, TOPICS, RESULTS, DOCUMENTS = 56, 36, 1500, 12_107
ELEMENTS = 660  # of an article
SHARD = 500  # documents
NAMES = [
    f"{metric}quantisation={quantisation})"
    for metric in ("precall(", "inex2003(variant=s,", "inex2003(variant=o,")
    for quantisation in ("strict", "generalised")
]


def article(rng: np.random.Generator) -> pd.DataFrame:
    """One article of about the depth of INEX's: five levels below the root, 40 characters a leaf."""
    parent = np.full(ELEMENTS, -1)
    depth = np.zeros(ELEMENTS, dtype=int)
    open_ = [0]
    for node in range(1, ELEMENTS):
        level = int(rng.integers(1, min(len(open_), 6) + 1))
        open_ = [*open_[:level], node]
        parent[node], depth[node] = open_[level - 1], level
    last = np.arange(1, ELEMENTS + 1)
    for node in range(ELEMENTS - 1, 0, -1):
        last[parent[node]] = max(last[parent[node]], last[node])
    leaf = last == np.arange(1, ELEMENTS + 1)
    before = np.concatenate([[0], np.cumsum(leaf * 40)])
    start, end = before[:-1], before[last]
    columns = {"parent": parent, "last": last, "depth": depth, "start": start, "end": end}
    units = {"word_start": start, "word_end": end, "byte_start": start, "byte_end": end}
    return pd.DataFrame({"node": np.arange(ELEMENTS), **columns, **units, "position": 1, "tag": "p"})


def write_inputs(folder: Path, documents: int) -> None:
    """Collection, judgements and results as the workflow leaves them."""
    rng = np.random.default_rng(2003)
    one = article(rng)
    size = int(one["end"].max())
    every = {"shard": 0, "elements": ELEMENTS, "characters": size, "words": size, "bytes": size}
    names = [f"d{i:06d}" for i in range(documents)]
    schema.write(
        pd.DataFrame({"document": np.arange(documents), "name": names, **every}),
        schema.DOCUMENTS,
        folder / "collection/documents.parquet",
    )

    def parts() -> Iterator[pa.Table]:
        for first in range(0, documents, SHARD):
            here = np.arange(first, min(first + SHARD, documents))
            rows = pd.concat([one] * len(here), ignore_index=True)
            yield pa.Table.from_pandas(rows.assign(document=np.repeat(here, ELEMENTS)))

    schema.write_parts(parts(), schema.ELEMENTS, folder / "collection/elements.parquet")
    collection = load_collection(folder / "collection")
    topics = []
    for number in range(TOPICS):
        relevant = rng.choice(documents, min(50, documents), replace=False)
        chosen = collection.first[relevant][:, None] + rng.integers(0, ELEMENTS, (len(relevant), 3))
        element = collection.with_ancestors(np.unique(chosen))
        grades = rng.integers(1, 4, (2, len(element))).astype(float)
        topics.append(Topic(str(number), "inex2003", collection, element, *grades, None))
    write_topics(topics, folder / "assessments/all")
    shape = (RUNS, TOPICS, RESULTS)
    element = rng.integers(0, len(collection), shape)
    for number, topic in enumerate(topics):
        hit = rng.random((RUNS, RESULTS)) < 0.2
        element[:, number][hit] = rng.choice(topic.element, int(hit.sum()))
    element = element.ravel()
    run, topic_of, rank = (index.ravel() for index in np.indices(shape))
    results = Results(
        pd.Index([f"run{i}" for i in range(RUNS)]),
        pd.Index([str(i) for i in range(TOPICS)]),
        run,
        topic_of,
        rank,
        collection.document_of(element),
        element,
        collection.start[element],
        collection.end[element],
        np.full(len(element), np.nan),
    )
    write_results(results, collection, folder / "runs.parquet")


def load_and_score(folder: Path) -> None:
    """Do what a scoring job of the workflow does; print CPU seconds, of pytrec_eval's `map` too, and MiB."""
    begun = time.process_time()
    collection = load_collection(folder / "collection")
    topics = load_topics(folder / "assessments/all", collection)
    results = load_results(folder / "runs.parquet", collection)
    score(topics, results, [spec for name in NAMES for spec in parse_specs(name, MEASURES)])
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    import pytrec_eval

    qrels = {t.name: dict.fromkeys(map(str, t.element.tolist()), 1) for t in topics}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    lists = {f.topic: dict(zip(map(str, f.element.tolist()), range(len(f), 0, -1), strict=True))
             for f in results.lists() if f.run == "run0"}  # fmt: skip
    begun = time.process_time()
    evaluator.evaluate(lists)
    print(seconds, (time.process_time() - begun) * RUNS * len(NAMES), peak)


def measured(documents: int) -> tuple[float, ...]:
    """Return the least of three: CPU seconds here, of the peer for as many lists and measures, MiB."""
    with tempfile.TemporaryDirectory() as name:
        write_inputs(Path(name), documents)
        runs = [process([sys.executable, __file__, name]).output.split() for _ in range(3)]
    return tuple(min(map(float, column)) for column in zip(*runs, strict=True))


def main() -> None:
    """Measure a campaign of INEX 2002's size, and one of a quarter of its documents."""
    (small, _, _), (seconds, peer, peak) = measured(DOCUMENTS // 4), measured(DOCUMENTS)
    work = f"{len(NAMES)} measures, {RUNS} runs x {TOPICS} topics x {RESULTS:,}, {DOCUMENTS * ELEMENTS:,} elements"
    rows = [
        Measured(
            work, seconds, "s of CPU", peer, "pytrec_eval, map of the same number of lists", "ours <= 20"
        ),
        Measured("peak memory of the same scores", peak, "MiB", bound="ours <= 2048"),
        Measured("growth of time with elements", math.log(seconds / small, 4), "exponent", bound="ours <= 1"),
    ]
    record("scoring", rows)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        load_and_score(Path(sys.argv[1]))
    else:
        main()
