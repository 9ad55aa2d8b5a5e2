"""Perturbed runs against a literal implementation, list by list."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.model.results import Results
from focuseval.transformations.lists import of_runs, results_at
from focuseval.transformations.perturbations import (
    EXPECTED,
    ORIGINAL,
    PERTURBATIONS,
    perturb,
)
from focuseval_papers.simulation.perturbations import article_ranks, reordered
from tests.trees import random_collection, random_topic

TOPICS = ("1", "2", "3")


def random_run(rng, collection, ties):
    rows = []
    for run, topic in itertools.product(range(2), range(3)):
        count = int(rng.integers(0, 25))
        rank = np.cumsum(rng.integers(0, 2, count)) if ties else np.arange(count) + 5
        rows += [
            (run, topic, r, e) for r, e in zip(rank, rng.integers(-1, len(collection), count), strict=True)
        ]
    run, topic, rank, element = np.array(rows).T
    row_or_0 = np.maximum(element, 0)
    document = np.where(element >= 0, collection.document_of(row_or_0), -1)
    places = document, element, collection.start[row_or_0], collection.end[row_or_0]
    names = pd.Index(["A", "B"]), pd.Index(TOPICS)
    return Results(*names, run, topic, rank, *places, score=rng.random(len(rows)))


def random_topics(rng, collection):
    return [replace(random_topic(rng, collection, "inex2005"), name=name) for name in TOPICS]


def literal(ranks, topic, collection, kind, relevant):
    """Perturb one list, given as the elements at each rank."""

    def holds(row):
        if row < 0:
            return False
        children = [r for r in range(len(collection)) if collection.parent[r] == row]
        if kind in ("i", "ii"):
            return (topic, row) in relevant
        if kind == "iv":
            return not children
        return bool(children) and collection.parent[row] >= 0

    def share(rank):
        return sum(holds(row) for row in rank) / len(rank)

    if kind != "iii":
        return sorted(ranks, key=lambda rank: share(rank) if kind == "ii" else -share(rank))
    kept = []
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


def ranks_of(results):
    """Return the elements at each rank of each list."""
    return {
        (one.run, one.topic): [one.element[one.rank == rank].tolist() for rank in np.unique(one.rank)]
        for one in results.lists()
    }


@pytest.mark.parametrize("kind", list(PERTURBATIONS))
@pytest.mark.parametrize("ties", [False, True])
def test_agrees_with_a_literal_implementation(kind, ties):
    rng = np.random.default_rng(31)
    changed = 0
    for _ in range(15):
        collection, _ = random_collection(rng, documents=3, elements=8)
        results, topics = random_run(rng, collection, ties), random_topics(rng, collection)
        pairs = {(one.name, row) for one in topics for row in one.element[one.relevant].tolist()}
        perturbed = perturb(results, topics, kind)
        assert np.isnan(perturbed.score).all()
        after = ranks_of(perturbed)
        for (run, topic), ranks in ranks_of(results).items():
            expected = literal(ranks, topic, collection, kind, pairs)
            assert after[run, topic] == expected
            changed += expected != ranks
        for one in perturbed.lists():
            assert np.unique(one.rank).tolist() == list(range(1, one.rank.max() + 1))
    assert changed > 15


def test_only_a_share_is_perturbed_by_its_seed_and_list_by_list():
    rng = np.random.default_rng(32)
    collection, _ = random_collection(rng, documents=3, elements=8)
    results, topics = random_run(rng, collection, ties=False), random_topics(rng, collection)
    for kind in PERTURBATIONS:
        untouched = perturb(results, topics, kind, share=0)
        assert untouched.element.tolist() == results.element.tolist()
        half = perturb(results, topics, kind, share=0.5, seed=3)
        assert ranks_of(half) == ranks_of(perturb(results, topics, kind, share=0.5, seed=3))
        # a list is perturbed alike alone and among others
        alone = ranks_of(perturb(of_runs(results, np.array([1])), topics, kind, share=0.5, seed=3))
        assert alone == {key: ranks for key, ranks in ranks_of(half).items() if key[0] == "B"}
    first, second = (perturb(results, topics, "i", share=0.5, seed=s) for s in (3, 4))
    assert first.element.tolist() != second.element.tolist()


def test_names_and_errors():
    rng = np.random.default_rng(33)
    collection, _ = random_collection(rng)
    results, topics = random_run(rng, collection, ties=False), random_topics(rng, collection)
    assert set(EXPECTED) == {ORIGINAL, *PERTURBATIONS}
    with pytest.raises(InputError, match="expected one of i, ii, iii, iv, v"):
        perturb(results, topics, "vi")
    nothing = results_at(results, np.zeros(len(results), dtype=bool))
    assert [len(perturb(nothing, topics, kind)) for kind in PERTURBATIONS] == [0] * 5


def test_clusters_of_an_article_share_a_rank():
    run, topic, document, element = np.array(
        [(0, 0, 7, 1), (0, 0, 7, 2), (0, 0, 3, 9), (0, 0, 7, 4), (0, 1, 7, 1), (0, 1, -1, -1), (1, 0, -1, -1)]
    ).T
    places = np.array([1, 2, 3, 4, 1, 2, 1]), document, element, element, element
    names = pd.Index(["A", "B"]), pd.Index(["1", "2"])
    results = Results(*names, run, topic, *places, np.zeros(7))
    assert article_ranks(results).rank.tolist() == [1, 1, 2, 3, 1, 2, 1]


@pytest.mark.parametrize("clusters", [False, True])
def test_transformed_results_are_perturbed_and_cut(clusters):
    rng = np.random.default_rng(29)
    collection, _ = random_collection(rng)
    results, topics = random_run(rng, collection, ties=False), random_topics(rng, collection)
    plain = article_ranks(results) if clusters else results
    several = ranks_of(reordered(results, topics, clusters=clusters, ranks=100))
    assert {run for run, _ in several} == {f"{name}/{run}" for name in EXPECTED for run in "AB"}
    for name in (ORIGINAL, *PERTURBATIONS):
        version = reordered(results, topics, versions=[name], clusters=clusters, ranks=100)
        assert list(version.runs) == [f"{name}/{run}" for run in results.runs]
        own = {key: ranks for key, ranks in several.items() if key[0].startswith(f"{name}/")}
        assert ranks_of(version) == own
        positive = {"relevant": lambda topic: quantised(topic, "gen", QUANTISATIONS) > 0}
        expected = plain if name == ORIGINAL else perturb(plain, topics, name, **positive)
        for column in ("run", "topic", "rank", "element", "start"):
            assert getattr(version, column).tolist() == getattr(expected, column).tolist(), name
        most = int(version.rank.max()) - 1
        first = reordered(results, topics, versions=[name], clusters=clusters, ranks=most)
        kept = version.rank <= most
        assert 0 < len(first) == kept.sum() < len(version)
        assert first.element.tolist() == version.element[kept].tolist()
