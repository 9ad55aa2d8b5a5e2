"""Perturbed runs: the targets of random walks, and EPRUM's navigation along them."""

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.scoring.score import score
from focuseval.transformations.ideal import (
    IDEAL,
    MOVING,
    ElementTree,
    ideal_run,
    moved,
    name_of,
    perturbed_runs,
)
from focuseval_papers.simulation.perturbations import replace_by_siblings
from tests.trees import random_collection, random_topic


def test_walks_are_up_or_down_only():
    rng = np.random.default_rng(0)
    for _ in range(50):
        collection, _ = random_collection(rng, 3, 15)
        rows = rng.integers(0, len(collection), 40)
        walked = moved(ElementTree.of(collection), rows, float(rng.random()), rng)
        assert (collection.contains(walked, rows) | collection.contains(rows, walked)).all()


def test_the_length_of_a_walk_is_geometric():
    """On a path without branches: P(moved d steps) = m^d (1 - m), up and down alike."""
    rng = np.random.default_rng(1)
    collection, _ = random_collection(rng, 1, 1)
    while len(collection) < 3:
        collection, _ = random_collection(rng, 1, 9)
    names = {name: getattr(collection, name) for name in type(collection).__dataclass_fields__}
    n = 101
    chain = {
        **names,
        "first": np.array([0, n]),
        "parent": np.arange(n) - 1,
        "last": np.full(n, n),
        "depth": np.arange(n),
        "start": np.zeros(n, int),
        "end": np.full(n, 10),
    }
    chain = type(collection)(**{k: v for k, v in chain.items() if k in names})
    draws, m = 50_000, 0.6
    steps = moved(ElementTree.of(chain), np.full(draws, 50), m, rng) - 50
    for distance in range(5):
        share = np.mean(np.abs(steps) == distance)
        assert share == pytest.approx(m**distance * (1 - m), abs=5 * 0.5 / np.sqrt(draws))
    assert np.mean(steps < 0) == pytest.approx(m / 2, abs=5 * 0.5 / np.sqrt(draws))


def test_runs_are_seeded_and_the_first_is_ideal():
    rng = np.random.default_rng(2)
    collection, _ = random_collection(rng, 30, 20)
    topics = [random_topic(rng, collection, "inex2005") for _ in range(3)]
    topics = [type(t)(f"t{i}", *(getattr(t, f) for f in ("scale", "collection", "element", "exhaustivity",
              "specificity", "highlights"))) for i, t in enumerate(topics)]  # fmt: skip
    once, again, other = perturbed_runs(topics), perturbed_runs(topics), perturbed_runs(topics, seed=1)
    assert (once.element == again.element).all()
    assert not (once.element == other.element).all()
    assert list(once.runs) == [IDEAL, *(f"moved-{m}.1" for m in MOVING[1:])]
    for number, topic in enumerate(topics):
        mine = (once.run == 0) & (once.topic == number)
        assert (once.element[mine] == ideal_run(topic)).all()
    alone = perturbed_runs(topics[1:2], moving=(0.5,))
    assert (alone.element == once.element[(once.run == 5) & (once.topic == 1)]).all()
    means = score(topics, once, parse_specs("EPRUM", MEASURES)).means()["value"].to_numpy()
    assert means[0] == pytest.approx(1, abs=1e-12)
    assert (means[1:] < 1).all()
    assert means[1:4].mean() > means[4:7].mean() > means[7:].mean()


def test_draws_are_runs_of_their_own_and_the_first_is_that_of_the_seed():
    rng = np.random.default_rng(3)
    collection, _ = random_collection(rng, 30, 20)
    topics = [random_topic(rng, collection, "inex2005")]
    three = perturbed_runs(topics, moving=(0.0, 0.5), seed=4, draws=3)
    assert list(three.runs) == [IDEAL, *(name_of(0.5, draw) for draw in (1, 2, 3))]
    for draw in (1, 2, 3):
        alone = perturbed_runs(topics, moving=(0.5,), seed=3 + draw)
        assert (three.element[three.run == draw] == alone.element).all()
    assert len({tuple(three.element[three.run == draw]) for draw in range(4)}) == 4
    assert (three.rank[three.run == 2] == np.arange(1, (three.run == 2).sum() + 1)).all()


def test_siblings_take_the_place_of_elements():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(30):
        collection, _ = random_collection(rng, 3, 15)
        tree, rows = ElementTree.of(collection), rng.integers(0, len(collection), 60)
        assert (replace_by_siblings(tree, rows, 0.0, rng) == rows).all()
        siblings_drawn = replace_by_siblings(tree, rows, 1.0, rng)
        for row, other in zip(rows, siblings_drawn, strict=True):
            parent = collection.parent[row]
            siblings = [r for r in np.flatnonzero(collection.parent == parent) if r != row and parent >= 0]
            assert other in siblings if siblings else other == row
            seen.add(len(siblings))
    assert {0, 1, 2} <= seen
    # of three siblings the other two are equally likely
    three = next(
        rows
        for rows in (np.flatnonzero(collection.parent == p) for p in range(len(collection)))
        if len(rows) >= 3
    )
    drawn = replace_by_siblings(tree, np.full(9_000, three[1]), 0.5, rng)
    stayed = np.mean(drawn == three[1])
    assert stayed == pytest.approx(0.5, abs=0.03)
    for other in np.delete(three, 1):
        assert np.mean(drawn == other) == pytest.approx(0.5 / (len(three) - 1), abs=0.03)
