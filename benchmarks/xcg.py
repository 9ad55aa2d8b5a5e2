"""How fast the XCG measures are: CPU seconds beside their bounds and beside a peer, and their growth.

    python benchmarks/xcg.py [--documents 1000]

Writes measured/xcg.csv, and xcg.csv and xcg.svg, the growth with the length of a list.

The collection, topics and runs are random, with nested and repeated results. The peer is trec_eval
(pytrec_eval): the time it takes in the same process to give average precision for as many lists of as many
results, a ratio that carries over from one machine to another.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytrec_eval
from measuring import Measured, record

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score

ELEMENTS = 1366  #: a document, as in evidence-inference
RELEVANT_DOCUMENTS = 40
TABLE_1 = ["nxCG@10", "nxCG@25", "nxCG@50", "MAnxCG@10", "MAnxCG@25", "MAnxCG@50", "MAep", "iMAep", "Q", "R"]


def template(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """One document's columns: a root, sections, paragraphs, and elements within, with mixed content."""
    depth = np.minimum(rng.geometric(0.3, ELEMENTS), 8)
    depth[0] = 0
    depth[1:] = np.minimum.accumulate(depth[1:] - np.arange(ELEMENTS - 1)) + np.arange(ELEMENTS - 1)
    open_at = np.zeros(10, dtype=np.int64)
    parent = np.full(ELEMENTS, -1)
    last = np.full(ELEMENTS, ELEMENTS)
    start, end = np.zeros(ELEMENTS, dtype=np.int64), np.zeros(ELEMENTS, dtype=np.int64)
    cursor, level = 0, 0
    for row in range(ELEMENTS):
        target = 0 if row == 0 else max(1, min(int(depth[row]), level + 1))
        for closing in range(level, target - 1, -1):
            if row:
                last[open_at[closing]], end[open_at[closing]] = row, cursor
        depth[row], level = target, target
        parent[row] = open_at[target - 1] if target else -1
        open_at[target] = row
        start[row] = cursor
        cursor += int(rng.integers(0, 60))
    for closing in range(level, -1, -1):
        end[open_at[closing]] = cursor
    return {"depth": depth, "parent": parent, "last": last, "start": start, "end": end}


def collection_of(rng: np.random.Generator, documents: int) -> Collection:
    one = template(rng)
    first = np.arange(documents + 1) * ELEMENTS
    offset = np.repeat(first[:-1], ELEMENTS)
    tiled = {name: np.tile(column, documents) for name, column in one.items()}
    return Collection(
        names=pd.Index([f"d{i}" for i in range(documents)]),
        first=first,
        parent=np.where(tiled["parent"] >= 0, tiled["parent"] + offset, -1),
        last=tiled["last"] + offset,
        depth=tiled["depth"],
        tag=np.zeros(len(offset), dtype=np.int64),
        tags=pd.Index(["x"]),
        position=np.ones(len(offset), dtype=np.int64),
        start=tiled["start"],
        end=tiled["end"],
    )


def topics_of(rng: np.random.Generator, collection: Collection, count: int) -> list[Topic]:
    """Topics with highlights in some documents; exhaustivity 1 or 2 by document."""
    length = int(collection.end[0])
    topics = []
    for number in range(count):
        document = np.repeat(rng.choice(len(collection.names), RELEVANT_DOCUMENTS, replace=False), 4)
        start = np.tile(np.arange(4) * (length // 4), RELEVANT_DOCUMENTS)
        end = start + rng.integers(1, length // 32, len(start))
        order = np.lexsort((start, document))
        row, held = collection.highlighted(document[order], start[order], end[order])
        size = collection.end[row] - collection.start[row]
        e = 1.0 + (collection.document_of(row) % 2)
        topics.append(Topic(f"t{number:03}", "inex2005", collection, row, e, held / size, None))
    return topics


def runs_of(rng: np.random.Generator, topics: list[Topic], runs: int, depth: int) -> Results:
    """Half of a list stands in documents with something relevant, half anywhere; a tenth is repeated."""
    collection = topics[0].collection
    element = []
    for _ in range(runs):
        for topic in topics:
            known = rng.choice(np.unique(collection.document_of(topic.element)), depth)
            anywhere = rng.integers(0, len(collection.names), depth)
            document = np.where(rng.random(depth) < 0.5, known, anywhere)
            row = collection.first[document] + rng.integers(0, ELEMENTS, depth)
            again = rng.random(depth) < 0.1
            row[again] = row[rng.integers(0, depth, int(again.sum()))]
            element.append(row)
    row = np.concatenate(element)
    lists = runs * len(topics)
    return Results(
        runs=pd.Index([f"run{i}" for i in range(runs)]),
        topics=pd.Index([topic.name for topic in topics]),
        run=np.repeat(np.arange(runs), len(topics) * depth),
        topic=np.tile(np.repeat(np.arange(len(topics)), depth), runs),
        rank=np.tile(np.arange(1, depth + 1), lists),
        document=collection.document_of(row),
        element=row,
        start=collection.start[row],
        end=collection.end[row],
        score=np.full(len(row), np.nan),
    )


def cpu(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def trec_eval_seconds(rng: np.random.Generator, lists: int, depth: int) -> float:
    """CPU seconds of trec_eval's map on as many lists, in its own dictionaries; building them not counted."""
    names = [f"e{i}" for i in range(depth)]
    qrels = {"t": {name: int(rel) for name, rel in zip(names, rng.integers(0, 2, depth), strict=True)}}
    run = {"t": dict(zip(names, rng.random(depth).tolist(), strict=True))}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map"})
    return cpu(lambda: [evaluator.evaluate(run) for _ in range(lists)])


def named(settings: list[str], measures: list[str]) -> list:
    specs = []
    for setting in settings:
        for measure in measures:
            stem, _, at = measure.partition("@")
            specs += parse_specs(f"{stem}({setting})" + (f"@{at}" if at else ""), MEASURES)
    return specs


def growth(rng: np.random.Generator, topics: list[Topic]) -> Iterator[tuple[int, float]]:
    """Milliseconds a list, for 150 to 15,000 results; the topics are prepared once, as for many runs."""
    specs = named([f"quantisation={q}" for q in ("strict", "gen", "genLifted")], TABLE_1)
    bases = {
        (topic.name, spec.asked): spec.prepare(topic)
        for topic in topics[:5]
        for spec in specs[:: len(TABLE_1)]
    }

    def measure(results: Results) -> None:
        for found in results.lists():
            for begin in range(0, len(specs), len(TABLE_1)):
                first = specs[begin]
                base = bases[found.topic, first.asked]
                if base is not None:
                    curves = first.trace(base, found)
                    for spec in specs[begin : begin + len(TABLE_1)]:
                        spec.read(curves)

    for depth in (150, 500, 1500, 5000, 15000):
        results = runs_of(rng, topics[:5], 4, depth)
        yield depth, 1000 * min(cpu(lambda results=results: measure(results)) for _ in range(5)) / 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000, help=f"of {ELEMENTS} elements each")
    arguments = parser.parse_args()
    rng = np.random.default_rng(2005)
    collection = collection_of(rng, arguments.documents)
    topics = topics_of(rng, collection, 39)
    score(topics[:1], runs_of(rng, topics[:1], 1, 10), named([""], ["MAep"]))  # compiles the kernel
    print(f"{len(collection):,} elements; {len(topics[0].element):,} relevant ones in a topic")

    cases = [
        (
            "10 measures, 3 quantisations, overlap on",
            (45, 29, 1.5),
            named([f"quantisation={q}" for q in ("strict", "gen", "genLifted")], TABLE_1),
        ),
        (
            "11 alphas, all measures",
            (40, 39, 60.0),
            named([f"alpha={k / 10:g}" for k in range(11)], TABLE_1),
        ),
    ]
    rows = []
    for name, (runs, count, bound), specs in cases:
        results = runs_of(rng, topics[:count], runs, 1500)
        seconds = cpu(lambda count=count, results=results, specs=specs: score(topics[:count], results, specs))
        peer = trec_eval_seconds(rng, runs * count, 1500)
        work = f"{name}, {runs} runs x {count} topics x 1,500"
        against = "pytrec_eval, map of as many lists"
        rows.append(Measured(work, seconds, "s of CPU", peer, against, f"ours <= {bound:g}"))
    record("xcg", rows)

    points = pd.DataFrame(growth(rng, topics), columns=["results", "milliseconds"])
    per_unit = points["milliseconds"] / (points["results"] * np.log2(points["results"]))
    points["relative_to_n_log_n"] = per_unit / per_unit.iloc[0]
    for (_, a), (_, b) in pairwise(points.iterrows()):
        exponent = np.log(b["milliseconds"] / a["milliseconds"]) / np.log(b["results"] / a["results"])
        print(f"{a['results']:6.0f} to {b['results']:6.0f} results: time grows with exponent {exponent:.2f}")
    print(points.to_string(index=False, float_format="%.3f"))
    draw(points, Path(__file__).parent)


def draw(points: pd.DataFrame, folder: Path) -> None:
    """The growth beside a straight line and n log n, both through the first point."""
    import matplotlib.pyplot as plt

    points.to_csv(folder / "xcg.csv", index=False, float_format="%.3f")
    length, taken = points["results"], points["milliseconds"]
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    axes.loglog(length, taken, marker="o", color="#0072B2", label="10 measures, 3 quantisations, overlap on")
    ideal = length * np.log2(length)
    axes.loglog(length, taken[0] * ideal / ideal[0], "--", color="#D55E00", label="n log n")
    axes.loglog(length, taken[0] * length / length[0], ":", color="#000000", label="n")
    axes.set(xlabel="results of a topic", ylabel="CPU time per list (ms)")
    axes.legend(frameon=False)
    plt.rcParams["svg.hashsalt"] = "xcg"
    figure.savefig(folder / "xcg.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
