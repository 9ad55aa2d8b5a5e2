"""Perturbed runs against literal ones, list by list."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.model.elements import Collection
from focuseval.model.results import Results
from focuseval.transformations.perturbations import (
    EXPECTED,
    ORIGINAL,
    PERTURBATIONS,
    perturb,
)
from focuseval_papers.transformations.of_runs import article_ranks, perturbations
from tests.trees import random_collection, random_topic


def random_run(rng: np.random.Generator, collection: Collection, ties: bool) -> pd.DataFrame:
    frames = []
    for run in ("A", "B"):
        for topic in ("1", "2", "3"):
            count = int(rng.integers(0, 25))
            element = rng.integers(-1, len(collection), count)
            rank = np.cumsum(rng.integers(0, 2, count)) if ties else np.arange(count) + 5
            document = np.where(element >= 0, collection.document_of(np.maximum(element, 0)), -1)
            frames.append(
                pd.DataFrame(
                    {
                        "run": run,
                        "topic": topic,
                        "rank": rank,
                        "document": document,
                        "element": element,
                        "score": rng.random(count),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def random_relevant(rng: np.random.Generator, collection: Collection) -> pd.DataFrame:
    pairs = [
        (topic, row) for topic in ("1", "2", "3") for row in range(len(collection)) if rng.random() < 0.4
    ]
    return pd.DataFrame(pairs, columns=["topic", "element"])


def literal(
    ranks: list[list[int]], topic: str, collection: Collection, kind: str, relevant: set[tuple[str, int]]
) -> list[list[int]]:
    """One list, a list of ranks of elements, perturbed."""

    def holds(row: int) -> bool:
        if row < 0:
            return False
        children = [r for r in range(len(collection)) if collection.parent[r] == row]
        if kind in ("i", "ii"):
            return (topic, row) in relevant
        if kind == "iv":
            return not children
        return bool(children) and collection.parent[row] >= 0

    def share(rank: list[int]) -> float:
        return sum(holds(row) for row in rank) / len(rank)

    if kind != "iii":
        return sorted(ranks, key=lambda rank: share(rank) if kind == "ii" else -share(rank))
    kept: list[int] = []
    left = []
    for rank in ranks:
        stays = []
        for row in rank:
            lines = {row, *collection.ancestors(row)} if row >= 0 else set()
            overlaps = any(k in lines or row in collection.ancestors(k) for k in kept)
            if row < 0 or not overlaps:
                stays.append(row)
        kept += [row for row in stays if row >= 0]
        if stays:
            left.append(stays)
    return left


@pytest.mark.parametrize("kind", list(PERTURBATIONS))
@pytest.mark.parametrize("ties", [False, True])
def test_agrees_with_a_literal_implementation(kind: str, ties: bool) -> None:
    rng = np.random.default_rng(31)
    changed = 0
    for _ in range(25):
        collection, _ = random_collection(rng, documents=3, elements=8)
        results, relevant = random_run(rng, collection, ties), random_relevant(rng, collection)
        pairs = set(relevant.itertuples(index=False, name=None))
        found = perturb(results, collection, kind, relevant)
        assert list(found.columns) == list(results.columns)
        assert found["score"].isna().all()
        for (run, topic), before in results.groupby(["run", "topic"]):
            ranks = [list(rows) for _, rows in before.groupby("rank")["element"]]
            expected = literal(ranks, topic, collection, kind, pairs)
            after = found[(found["run"] == run) & (found["topic"] == topic)]
            assert [list(rows) for _, rows in after.groupby("rank")["element"]] == expected
            assert sorted(after["rank"].unique()) == list(range(1, len(expected) + 1))
            changed += expected != ranks
    assert changed > 30


def test_only_a_share_is_perturbed_by_its_seed_and_list_by_list() -> None:
    rng = np.random.default_rng(32)
    collection, _ = random_collection(rng, documents=3, elements=8)
    results, relevant = random_run(rng, collection, ties=False), random_relevant(rng, collection)
    for kind in PERTURBATIONS:
        untouched = perturb(results, collection, kind, relevant, share=0)
        assert list(untouched["element"]) == list(results["element"])
        half = perturb(results, collection, kind, relevant, share=0.5, seed=3)
        pd.testing.assert_frame_equal(half, perturb(results, collection, kind, relevant, share=0.5, seed=3))
        # a list alone is perturbed as it is among others
        alone = perturb(results[results["run"] == "B"], collection, kind, relevant, share=0.5, seed=3)
        pd.testing.assert_frame_equal(alone, half[half["run"] == "B"].reset_index(drop=True))
    first, second = (perturb(results, collection, "i", relevant, share=0.5, seed=s) for s in (3, 4))
    assert list(first["element"]) != list(second["element"])


def test_names_and_errors() -> None:
    rng = np.random.default_rng(33)
    collection, _ = random_collection(rng)
    results, relevant = random_run(rng, collection, ties=False), random_relevant(rng, collection)
    assert set(EXPECTED) == {ORIGINAL, *PERTURBATIONS}
    with pytest.raises(InputError, match="expected one of i, ii, iii, iv, v"):
        perturb(results, collection, "vi", relevant)
    with pytest.raises(InputError, match="expected a number from 0 to 1"):
        perturb(results, collection, "i", relevant, share=1.5)
    assert len(perturb(results.iloc[:0], collection, "iii", relevant)) == 0


def test_clusters_of_an_article_share_a_rank() -> None:
    results = pd.DataFrame(
        {
            "run": ["A"] * 6 + ["B"],
            "topic": ["1"] * 4 + ["2"] * 2 + ["1"],
            "rank": [1, 2, 3, 4, 1, 2, 1],
            "document": [7, 7, 3, 7, 7, -1, -1],
            "element": [1, 2, 9, 4, 1, -1, -1],
        }
    )
    assert list(article_ranks(results)["rank"]) == [1, 1, 2, 3, 1, 2, 1]


@pytest.mark.parametrize("clusters", [False, True])
def test_transformed_results_are_perturbed_and_cut(clusters: bool) -> None:
    rng = np.random.default_rng(29)
    collection, _ = random_collection(rng)
    topics = [replace(random_topic(rng, collection, "inex2005"), name=name) for name in ("1", "2", "3")]
    table = random_run(rng, collection, ties=False)
    table = table.sort_values(["run", "topic", "rank"], kind="stable", ignore_index=True)
    runs, lists = pd.Index(["A", "B"]), pd.Index(["1", "2", "3"])
    known = np.maximum(table["element"].to_numpy(), 0)
    results = Results(
        runs,
        lists,
        runs.get_indexer(table["run"]),
        lists.get_indexer(table["topic"]),
        *(table[column].to_numpy() for column in ("rank", "document", "element")),
        collection.start[known],
        collection.end[known],
        table["score"].to_numpy(),
    )
    relevant = pd.DataFrame(
        [
            (topic.name, row)
            for topic in topics
            for row in topic.element[quantised(topic, "gen", QUANTISATIONS) > 0]
        ],
        columns=["topic", "element"],
    )
    plain = article_ranks(table) if clusters else table
    for name in (ORIGINAL, *PERTURBATIONS):
        version = perturbations(results, topics, version=name, clusters=clusters, ranks=100)
        expected = plain if name == ORIGINAL else perturb(plain, collection, name, relevant)
        assert list(version.rank) == list(expected["rank"]), name
        assert list(version.element) == list(expected["element"]), name
        assert list(runs[version.run]) == list(expected["run"])
        assert list(lists[version.topic]) == list(expected["topic"])
        assert list(version.start) == list(collection.start[np.maximum(version.element, 0)])
        most = int(version.rank.max()) - 1
        first = perturbations(results, topics, version=name, clusters=clusters, ranks=most)
        kept = version.rank <= most
        assert 0 < len(first) == kept.sum() < len(version)
        assert list(first.element) == list(version.element[kept])
