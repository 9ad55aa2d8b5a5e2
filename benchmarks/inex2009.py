"""Scoring at INEX 2009's size: 2.7 million documents, 100 million elements, 68 topics, 60 runs of 1,500 results.

    python benchmarks/inex2009.py FOLDER

The element tables are made (`semantic.py`) and written as a campaign leaves them, some 2 GB in ``FOLDER``, unless
they are there already, with the recall-bases; then the scoring jobs, one for each metric, run as in the workflow, one
after the other in a process of its own.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
from measuring import Measured, record
from semantic import semantic_collection

from focuseval.measures.declaration import parse_specs
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.scoring import ideal_quantisation, measures_of, metrics_of, score_runs
from focuseval_papers.workflow.store import (
    load_collection,
    named_documents,
    results_of_set,
    topics_of_set,
    write_recall_base,
    write_results,
    write_topics,
)

DOCUMENTS, ELEMENTS, SHARDS = 2_700_000, 100_000_000, 30
TOPICS, RUNS, RESULTS = 68, 60, 1500

#: documents that a topic's runs draw from, and relevant elements in some of them
POOLED, RELEVANT = 6_000, 1_000

MEASURES = (
    *("precall(quantisation=generalised)", "nxCG@25", "MAep", "EPRUM"),
    *(f"inex2003(variant={variant},quantisation=generalised)" for variant in "so"),
)

SECONDS, MEBIBYTES = 60, 2048


def write_elements(folder: Path) -> None:
    """The same documents in every shard, under other names."""
    folder.mkdir(parents=True)
    documents = DOCUMENTS // SHARDS
    part = semantic_collection(np.random.default_rng(2009), ELEMENTS // SHARDS, documents)
    document = np.repeat(np.arange(documents), np.diff(part.first))
    base = part.first[document]
    words, size = part.start // 6, np.diff(part.first)
    columns = {
        "node": np.arange(len(part)) - base,
        "parent": np.where(part.parent < 0, -1, part.parent - base),
        "last": part.last - base,
        "depth": part.depth,
        "tag": pa.DictionaryArray.from_arrays(pa.array(part.tag, pa.int32()), list(part.tags)),
        "position": part.position,
        **{f"{unit}start": part.start - part.start[base] for unit in ("", "byte_")},
        **{f"{unit}end": part.end - part.start[base] for unit in ("", "byte_")},
        "word_start": words - words[base],
        "word_end": part.end // 6 - words[base],
    }
    text = part.size[part.first[:-1]]
    listed = []

    def rows() -> Iterator[pa.Table]:
        for shard in range(SHARDS):
            yield pa.table({"document": document + shard * documents, **columns})

    schema.write_parts(rows(), schema.ELEMENTS, folder / "elements.parquet")
    for shard in range(SHARDS):
        number = shard * documents + np.arange(documents)
        names = [f"{place:07}" for place in number.tolist()]
        about = {"document": number, "name": names, "shard": np.full(documents, shard), "elements": size}
        listed.append(pa.table({**about, "characters": text, "words": text // 6, "bytes": text}))
    schema.write(pa.concat_tables(listed), schema.DOCUMENTS, folder / "documents.parquet")


def write_campaign(folder: Path) -> None:
    """Judgements and runs of the campaign: elements of some thousand documents a topic."""
    rng = np.random.default_rng(68)
    pools = [np.sort(rng.choice(DOCUMENTS, POOLED, replace=False)) for _ in range(TOPICS)]
    collection = load_collection(folder / "collection", documents=np.unique(np.concatenate(pools)))
    topics = [a_topic(rng, collection, f"{2009001 + number}", pool) for number, pool in enumerate(pools)]
    write_topics(topics, folder / "assessments/all")
    for quantisation in quantisations():
        write_recall_base(topics, quantisation, folder / f"recall_base/all.{quantisation}.parquet")
    write_results(the_runs(rng, collection, topics, pools), collection, folder / "runs/all.parquet")


def quantisations() -> list[str]:
    """The quantisations of the ideal recall-bases that the measures compare with."""
    specs = [spec for name in MEASURES for spec in parse_specs(name, measures_of(metrics_of([name])))]
    return sorted(set(map(ideal_quantisation, specs)) - {""})


def rows_in(collection: Collection, documents: np.ndarray) -> np.ndarray:
    """All elements of documents."""
    begin, size = collection.first[documents], np.diff(collection.first)[documents]
    return np.arange(size.sum()) + np.repeat(begin - np.cumsum(size) + size, size)


def a_topic(rng: np.random.Generator, collection: Collection, name: str, pool: np.ndarray) -> Topic:
    rows = rows_in(collection, pool[: POOLED // 20])
    relevant = np.sort(rng.choice(rows, RELEVANT, replace=False))
    e, s = rng.choice([1.0, 2.0], RELEVANT), rng.random(RELEVANT)
    return Topic(name, "inex2005", collection, relevant, e, s, None)


def the_runs(
    rng: np.random.Generator, collection: Collection, topics: list[Topic], pools: list[np.ndarray]
) -> Results:
    everything = [rows_in(collection, pool) for pool in pools]
    lists = []
    for _ in range(RUNS):
        for topic, rows in zip(topics, everything, strict=True):
            good = rng.choice(topic.element, RESULTS // 5, replace=False)
            lists.append(rng.permutation(np.concatenate([good, rng.choice(rows, RESULTS - len(good))])))
    element = np.concatenate(lists)
    return Results(
        [f"run{number:02}" for number in range(RUNS)],
        [topic.name for topic in topics],
        np.repeat(np.arange(RUNS), TOPICS * RESULTS),
        np.tile(np.repeat(np.arange(TOPICS), RESULTS), RUNS),
        np.tile(np.arange(1, RESULTS + 1), RUNS * TOPICS),
        collection.document_of(element),
        element,
        collection.start[element],
        collection.end[element],
        np.full(len(element), np.nan),
    )


def score_all(folder: Path) -> None:
    """The scoring jobs, in a process of its own."""
    began, rows, runs = time.process_time(), 0, RunSet("all")
    assessments, path = folder / "assessments/all/topics.parquet", folder / runs.artefact
    for metric, names in metrics_of(MEASURES).items():
        specs = [spec for name in names for spec in parse_specs(name, measures_of([metric]))]
        bases = {quantisation for spec in specs if (quantisation := ideal_quantisation(spec))}
        files = [str(folder / f"recall_base/all.{quantisation}.parquet") for quantisation in sorted(bases)]
        documents = named_documents(assessments.parent, path)
        collection = load_collection(folder / "collection", documents=documents)
        topics = topics_of_set(runs, [str(assessments)], collection, files)
        results = results_of_set(runs, path, collection, topics)
        table, _ = score_runs(runs, topics, results, specs, campaign="inex2009", lenient=False)
        rows += len(table)
    assert rows == len(MEASURES) * RUNS * TOPICS
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main(folder: Path) -> None:
    if not (folder / "collection").exists():
        write_elements(folder / "collection")
    if not (folder / "assessments").exists():
        write_campaign(folder)
    command = [sys.executable, __file__, "--score", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, mebibytes = map(float, done.stdout.split())
    work = f"{len(MEASURES)} measures, {RUNS} runs x {TOPICS} topics x {RESULTS:,} of {ELEMENTS:,} elements"
    rows = [
        Measured(work, seconds, "s of CPU", bound=f"ours <= {SECONDS}"),
        Measured("its memory", mebibytes, "MiB", bound=f"ours <= {MEBIBYTES}"),
    ]
    sys.argv[1:] = ["FOLDER"]
    record("inex2009", rows)


if __name__ == "__main__":
    if sys.argv[1] == "--score":
        score_all(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
