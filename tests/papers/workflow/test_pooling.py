"""Incomplete assessments against sets: only the first results of some run are judged."""

from dataclasses import replace

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.model.judgements import Highlights
from focuseval_papers.workflow.artefacts import outside, pooled, pools
from tests.papers.materials import results_of
from tests.trees import random_collection, random_topic


def judged(topic):
    values = zip(topic.exhaustivity.tolist(), topic.specificity.tolist(), strict=True)
    return dict(zip(topic.element.tolist(), values, strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_a_pool_is_the_first_results_of_all_runs(seed):
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=3)
    topics = [replace(random_topic(rng, collection, "inex2002"), name=name) for name in "123"]
    lists = {
        (run, topic): rng.integers(-1, len(nodes), int(rng.integers(1, 9))).tolist()
        for run in ("a", "b", "c")
        for topic in ("1", "2")
    }
    depth = int(rng.integers(1, 5))
    halves = [
        results_of({key: value for key, value in lists.items() if (key[0] == "c") == c}, collection)
        for c in (True, False)
    ]
    kept = pooled(topics, pools(halves, depth))

    lost = 0
    for before, after in zip(topics, kept, strict=True):
        pool = {row for (_, topic), rows in lists.items() if topic == before.name for row in rows[:depth]} - {
            -1
        }
        grades = judged(before)
        assert list(judged(after).items()) == [(row, grades.get(row, (0.0, 0.0))) for row in sorted(pool)]
        lost += sum(grade[0] > 0 for row, grade in grades.items() if row not in pool)
    assert not len(kept[2].element)  # no run has a result for this topic
    assert outside(topics, kept, depth).startswith(f"assessments: {lost} of ")


def test_passages_are_in_no_pool_of_elements():
    collection, _ = random_collection(np.random.default_rng(1))
    empty = np.empty(0, dtype=np.int64)
    topic = replace(random_topic(np.random.default_rng(2), collection), name="7")
    with pytest.raises(InputError, match="topic 7.*pool_depth"):
        pooled([replace(topic, highlights=Highlights(empty, empty, empty))], {})
