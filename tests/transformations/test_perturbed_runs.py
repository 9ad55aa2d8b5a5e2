"""Perturbed runs: where the random walks go, and that EPRUM follows them."""

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.scoring import score
from focuseval.transformations.perturbed_runs import MOVING, ideal_run, moved, perturbed_runs
from tests.trees import random_collection, random_topic


def test_walks_go_up_or_down_only() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        collection, _ = random_collection(rng, 3, 15)
        rows = rng.integers(0, len(collection), 40)
        walked = moved(collection, rows, float(rng.random()), rng)
        assert (collection.contains(walked, rows) | collection.contains(rows, walked)).all()


def test_the_length_of_a_walk_is_geometric() -> None:
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
    steps = moved(chain, np.full(draws, 50), m, rng) - 50
    for distance in range(5):
        share = np.mean(np.abs(steps) == distance)
        assert share == pytest.approx(m**distance * (1 - m), abs=5 * 0.5 / np.sqrt(draws))
    assert np.mean(steps < 0) == pytest.approx(m / 2, abs=5 * 0.5 / np.sqrt(draws))


def test_runs_are_seeded_and_the_first_is_ideal() -> None:
    rng = np.random.default_rng(2)
    collection, _ = random_collection(rng, 30, 20)
    topics = [random_topic(rng, collection, "inex2005") for _ in range(3)]
    topics = [type(t)(f"t{i}", *(getattr(t, f) for f in ("scale", "collection", "element", "exhaustivity",
              "specificity", "highlights"))) for i, t in enumerate(topics)]  # fmt: skip
    once, again, other = perturbed_runs(topics), perturbed_runs(topics), perturbed_runs(topics, seed=1)
    assert (once.element == again.element).all()
    assert not (once.element == other.element).all()
    assert list(once.runs) == [f"moved-{m}" for m in MOVING]
    for number, topic in enumerate(topics):
        mine = (once.run == 0) & (once.topic == number)
        assert (once.element[mine] == ideal_run(topic)).all()
    alone = perturbed_runs(topics[1:2], moving=(0.5,))
    assert (alone.element == once.element[(once.run == 5) & (once.topic == 1)]).all()
    means = score(topics, once, parse_specs("EPRUM", MEASURES)).means()["value"].to_numpy()
    assert means[0] == pytest.approx(1, abs=1e-12)
    assert (means[1:] < 1).all()
    assert means[1:4].mean() > means[4:7].mean() > means[7:].mean()
