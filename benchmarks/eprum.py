"""CPU time of EPRUM on a campaign of INEX 2005's size, and its growth with the number of ideal elements.

    python benchmarks/eprum.py

Made-up trees of 111 elements (an article, 10 sections, 100 paragraphs). A topic's ideal elements are
paragraphs with as many different degrees of idealism as elements, spread over a tenth as many articles,
and a run finds them, their sections and articles, and others, at random. Times are CPU seconds of this
process, without the compilation of kernels; a list's share of preparing its topic is a fifth, but where as many runs
as a campaign has are on a topic. Writes eprum.csv and eprum.svg.
"""

import time
from pathlib import Path

import numpy as np
import pandas as pd
from measuring import Measured, record

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score

ARTICLES, RUNS, TOPICS, RESULTS, IDEAL = 2000, 45, 29, 1500, 1000


def trees(articles: int) -> Collection:
    inside = np.arange(111)
    section = np.where(inside > 0, 1 + (inside - 1) // 11 * 11, -1)
    parent = np.where(inside == 0, -1, np.where(inside == section, 0, section))
    depth = np.where(inside == 0, 0, np.where(inside == section, 1, 2))
    last = np.where(inside == 0, 111, np.where(inside == section, inside + 11, inside + 1))
    paragraph = np.cumsum(depth == 2) - (depth == 2)
    start = 100 * np.where(depth == 2, paragraph, np.where(depth == 1, (inside - 1) // 11 * 10, 0))
    end = start + np.array([10_000, 1000, 100])[depth]
    shift = np.repeat(np.arange(articles) * 111, 111)

    def all_of(column: np.ndarray, offset: bool = False) -> np.ndarray:
        repeated = np.tile(column, articles)
        return np.where(repeated < 0, -1, repeated + shift) if offset else repeated

    position = np.where(depth == 0, 1, np.where(depth == 1, (inside - 1) // 11 + 1, (inside - 1) % 11))
    return Collection(
        names=pd.Index([f"d{i}" for i in range(articles)]),
        first=np.arange(articles + 1) * 111,
        parent=all_of(parent, True),
        last=all_of(last, True),
        depth=all_of(depth),
        tag=all_of(depth),
        tags=pd.Index(["article", "sec", "p"]),
        position=all_of(position),
        start=all_of(start),
        end=all_of(end),
    )


def a_topic(collection: Collection, name: str, ideal: int, rng: np.random.Generator, graded: bool) -> Topic:
    held = rng.choice(ARTICLES, max(ideal // 10, 1), replace=False)
    paragraphs = np.flatnonzero(np.isin(np.repeat(np.arange(ARTICLES), 111), held) & (collection.depth == 2))
    rows = np.sort(rng.choice(paragraphs, ideal, replace=False))
    specificity = rng.uniform(0.01, 1, ideal) if graded else np.ones(ideal)
    return Topic(name, "inex2005", collection, rows, np.full(ideal, 2.0), specificity, None)


def some_runs(topics: list[Topic], runs: int, rng: np.random.Generator) -> Results:
    collection = topics[0].collection
    rows, run_of, topic_of = [], [], []
    for run in range(runs):
        for number, topic in enumerate(topics):
            ideal = rng.permutation(topic.element)
            above = collection.parent[ideal]
            near = np.concatenate(
                [ideal, above, collection.parent[above], rng.integers(0, len(collection), RESULTS)]
            )
            mine = pd.unique(rng.permutation(np.unique(near)))[:RESULTS]
            rows.append(mine)
            run_of.append(np.full(len(mine), run))
            topic_of.append(np.full(len(mine), number))
    element = np.concatenate(rows)
    rank = np.concatenate([np.arange(1, len(mine) + 1) for mine in rows])
    return Results(
        pd.Index([f"r{i}" for i in range(runs)]), pd.Index([t.name for t in topics]),
        np.concatenate(run_of), np.concatenate(topic_of), rank, collection.document_of(element), element,
        collection.start[element], collection.end[element], -rank.astype(float),
    )  # fmt: skip


def seconds(topics: list[Topic], results: Results, name: str, times: int = 1) -> float:
    """The least CPU seconds of some runs."""
    specs = parse_specs(name, MEASURES)
    spent = []
    for _ in range(times):
        begin = time.process_time()
        score(topics, results, specs)
        spent.append(time.process_time() - begin)
    return min(spent)


def main(folder: Path) -> None:
    rng = np.random.default_rng(0)
    collection = trees(ARTICLES)
    names = {
        "average precision": "EPRUM",
        "curve of 100 levels": "EPRUM@curve",
        "average precision, binary": "EPRUM(quantisation=strict)",
        "average precision, distance": "EPRUM(navigation=distance)",
        "PRUM": "PRUM",
    }
    small = [a_topic(collection, "warm", 20, rng, True)]
    for name in [*names.values(), "EPRUM(distribution=normal)@0.5", "EPRUM@10"]:
        score(small, some_runs(small, 2, rng), parse_specs(name, MEASURES))
    times = []
    for ideal in (10, 30, 100, 300, 1000, 2000):
        for label, name in names.items():
            topic = [a_topic(collection, "t", ideal, rng, "strict" not in name)]
            used = seconds(topic, some_runs(topic, 5, rng), name, 5) / 5
            times.append({"ideal elements": ideal, "what": label, "CPU ms per list": 1000 * used})
            print(times[-1], flush=True)
    table = pd.DataFrame(times)
    table.to_csv(folder / "eprum.csv", index=False, float_format="%.3f")
    topics = [a_topic(collection, f"t{i}", IDEAL, rng, True) for i in range(TOPICS)]
    results = some_runs(topics, RUNS, rng)
    campaign = f"{RUNS} runs x {TOPICS} topics x {RESULTS:,}, {IDEAL:,} ideal elements"
    rows = [
        Measured(f"{name}, {campaign}", seconds(topics, results, name), "s of CPU", bound=f"ours <= {bound}")
        for name, bound in (("EPRUM", 5), ("EPRUM@10", 5), ("EPRUM@curve", 30))
    ]
    for label in ("average precision, distance", "PRUM"):
        used = min(t["CPU ms per list"] for t in times if t["what"] == label and t["ideal elements"] == IDEAL)
        work = f"{names[label]}, one list, {IDEAL:,} ideal elements"
        rows.append(Measured(work, used, "ms of CPU", bound="ours <= 120"))
        topic = [a_topic(collection, "t", IDEAL, rng, True)]
        used = 1000 * seconds(topic, some_runs(topic, RUNS, rng), names[label], 3) / RUNS
        work = f"{names[label]}, one of {RUNS} lists on a topic, {IDEAL:,} ideal elements"
        rows.append(Measured(work, used, "ms of CPU", bound="ours <= 120"))
    record("eprum", rows)

    draw(table, folder / "eprum.svg")


def draw(table: pd.DataFrame, path: Path) -> None:
    """Time of a list by the number of ideal elements."""
    import matplotlib.pyplot as plt

    from focuseval.report.figures import COLOURS

    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    curves = table.groupby("what", sort=False)
    for (label, part), colour, marker in zip(curves, COLOURS, "osD^v", strict=False):
        axes.loglog(part["ideal elements"], part["CPU ms per list"], marker=marker, color=colour, label=label)
    axes.set(xlabel="ideal elements", ylabel="CPU time per list of 1,500 results (ms)")
    axes.legend(frameon=False)
    plt.rcParams["svg.hashsalt"] = "eprum"
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(Path(__file__).parent)
