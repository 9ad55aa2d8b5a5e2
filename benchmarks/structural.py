"""Structural relevance: a summary of 8 million elements, and SRP of 45 runs on 39 topics of 1,500 results.

    PYTHONPATH=src python benchmarks/structural.py

CPU seconds of one process. The collection is random: documents of about 660 elements under some thirty tags.
"""

import resource
import time
from dataclasses import replace

import numpy as np
import pandas as pd
from semantic import nested

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.structural_summary import steady_state, summarise, weighted_edges
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score

ELEMENTS, DOCUMENTS = 8_000_000, 12_107
RUNS, TOPICS, RESULTS = 45, 39, 1500


def random_collection(rng: np.random.Generator, elements: int, documents: int) -> Collection:
    """Random documents: each element lies in one of the last few open ones, tags follow from the parent's."""
    first = np.append(0, np.sort(rng.choice(np.arange(1, elements), documents - 1, replace=False)))
    first = np.append(first, elements)
    depth = np.zeros(elements, dtype=np.int64)
    steps = rng.choice([-3, -2, -1, 0, 0, 0, 1, 1], elements)
    roots = np.zeros(elements, dtype=bool)
    roots[first[:-1]] = True
    level = 0
    for row, (root, step) in enumerate(zip(roots.tolist(), steps.tolist(), strict=True)):
        level = 0 if root else min(max(level + step, 1), level + 1, 10)
        depth[row] = level
    parent, last = nested(depth)
    tag = np.where(depth == 0, 0, 1 + 3 * depth + rng.choice([0, 0, 0, 1, 1, 2], elements))
    own = rng.integers(0, 60, elements)
    before = np.concatenate([[0], np.cumsum(own)])
    return Collection(
        names=pd.Index([f"d{i}" for i in range(documents)]),
        first=first,
        parent=parent,
        last=last,
        depth=depth,
        tag=tag,
        tags=pd.Index([f"t{i}" for i in range(int(tag.max()) + 1)]),
        position=np.ones(elements, dtype=np.int64),
        start=before[:-1],
        end=before[last],
    )


def random_campaign(rng: np.random.Generator, collection: Collection) -> tuple[list[Topic], Results]:
    """Topics of 1,000 relevant elements in 40 documents; runs that draw from 150 documents, half relevant."""
    topics, lists = [], []
    for t in range(TOPICS):
        documents = rng.choice(len(collection.names), 150, replace=False)
        rows = np.concatenate([np.arange(collection.first[d], collection.first[d + 1]) for d in documents])
        near = rows[: len(rows) // 4]
        relevant = np.sort(rng.choice(near, 1000, replace=False))
        e, s = rng.choice([1.0, 2.0], 1000), rng.random(1000)
        topics.append(Topic(f"{t:02}", "inex2005", collection, relevant, e, s, None))
        for _ in range(RUNS):
            half = rng.choice(relevant, RESULTS // 2, replace=False)
            element = rng.permutation(np.concatenate([half, rng.choice(rows, RESULTS - len(half))]))
            lists.append(element)
    order = np.arange(RUNS * TOPICS).reshape(TOPICS, RUNS).T.ravel()
    element = np.concatenate([lists[i] for i in order])
    many = len(element)
    results = Results(
        runs=pd.Index([f"run{i:02}" for i in range(RUNS)]),
        topics=pd.Index([topic.name for topic in topics]),
        run=np.repeat(np.arange(RUNS), TOPICS * RESULTS),
        topic=np.tile(np.repeat(np.arange(TOPICS), RESULTS), RUNS),
        rank=np.tile(np.arange(1, RESULTS + 1), RUNS * TOPICS),
        document=collection.document_of(element),
        element=element,
        start=collection.start[element],
        end=collection.end[element],
        score=np.full(many, np.nan),
    )
    return topics, results


def main() -> None:
    rng = np.random.default_rng(1)
    collection = random_collection(rng, ELEMENTS, DOCUMENTS)
    collection.own_text  # noqa: B018  (part of the element table)
    for expression in ("incoming", "incoming-outgoing", "children"):
        began = time.process_time()
        summary = summarise(collection, expression)
        for edges in ("child", "descendant"):
            steady_state(weighted_edges(summary, edges), len(summary.partitions))
        spent = time.process_time() - began
        print(f"summary {expression:18} {spent:6.2f} s  {len(summary.partitions):9,} partitions", flush=True)

    topics, results = random_campaign(rng, collection)
    names = ["SRP@10", "SRP@100", "SRP@1500", "MASRP@1500"]
    grouped = np.lexsort((results.rank, results.document, results.topic, results.run))
    clustered = replace(
        results, **{c: getattr(results, c)[grouped] for c in ("document", "element", "start", "end")}
    )
    for setting, runs in (("", results), ("(trees=ranks)", results), ("(trees=articles)", clustered)):
        specs = [spec for name in names for spec in parse_specs(name.replace("@", f"{setting}@"), MEASURES)]
        score(topics[:1], runs, specs[:1])  # the summary is known
        began = time.process_time()
        score(topics, runs, specs)
        spent = time.process_time() - began
        print(
            f"score {setting or '(elements)':18} {spent:6.2f} s  {len(runs):,} results, {len(specs)} measures"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GiB")


if __name__ == "__main__":
    main()
