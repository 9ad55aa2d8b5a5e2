"""precall against the definition by hand, a literal second implementation, and its limits."""

import numpy as np
import pytest

from focuseval.measures.curves import RECALL_LEVELS
from focuseval.model.judgements import Topic
from tests.passages import agrees, value
from tests.trees import element_list, random_cases, random_collection

GENERALISED = {
    **{(3, 3): 1.0, (2, 3): 0.75, (3, 2): 0.75, (3, 1): 0.75, (1, 3): 0.5},
    **{(2, 2): 0.5, (2, 1): 0.5, (1, 2): 0.25, (1, 1): 0.25},
}


def literal(topic, results, quantisation, x):
    """Compute Section 4.1 and Eq. 6 to 9 rank by rank."""
    worth = {}
    for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True):
        if quantisation == "strict":
            worth[int(row)] = 1.0 if (e, s) == (3, 3) else 0.0
        else:
            worth[int(row)] = GENERALISED.get((e, s), 0.0)
    n = sum(worth.values())
    ranks = {}
    seen = set()
    for rank, row in zip(results.rank, results.element, strict=True):
        f = worth.get(int(row), 0.0) if row >= 0 and int(row) not in seen else 0.0
        seen.add(int(row))
        ranks.setdefault(int(rank), []).append(f)
    order = [(sum(items), len(items) - sum(items)) for _, items in sorted(ranks.items())]
    retrieved = len(seen - {-1})
    rest = n - sum(r for r, _ in order)
    order.append((rest, len(topic.collection) - retrieved - rest))
    expected = x * n
    cumulated, j = 0.0, 0.0
    for r, i in order:
        if r > 0 and cumulated + r >= expected - 1e-9:
            s = expected - cumulated
            return expected / (expected + j + s * i / (r + 1))
        cumulated += r
        j += i
    raise AssertionError("recall 1 is reached in the last rank")


@pytest.mark.parametrize("quantisation", ["strict", "generalised"])
def test_agrees_with_a_literal_implementation(quantisation):
    name = f"precall(quantisation={quantisation})"
    compared = 0
    for rng, case in random_cases(11, 120, elements=9, scale="inex2003"):
        if value(case.topic, case.results, name) is None:
            continue
        at = {x: literal(case.topic, case.results, quantisation, x) for x in RECALL_LEVELS}
        level = float(rng.choice(RECALL_LEVELS))
        agrees(case.topic, case.results, {name: np.mean([*at.values()]), f"{name}@{level}": at[level]})
        compared += 1
    assert compared > 40


def handmade_topic():
    """Ten elements; rows 0, 1 and 2 are (3, 3)."""
    rng = np.random.default_rng(5)
    collection, _ = random_collection(rng, documents=1, elements=1)
    while len(collection) != 10:
        collection, _ = random_collection(rng, documents=1, elements=10)
    three = np.full(3, 3.0)
    return Topic("t", "inex2003", collection, np.array([0, 1, 2]), three, three, None), [0, 1, 2]


def test_by_hand_without_ties():
    # Ranking: relevant, non-relevant, relevant; one of three relevant elements is not retrieved.
    # X = 3x. Up to X = 1: P = X / (X + 0 + X*0/2) = 1. Up to X = 2: one non-relevant result came
    # before, the rank itself holds none: P = X / (X + 1). Up to X = 3: the last rank holds the other
    # seven elements, six of them non-relevant: P = X / (X + 1 + (X - 2) * 6 / 2).
    topic, _ = handmade_topic()
    results = element_list(topic.collection, np.array([0, 5, 1]))
    expected = []
    for x in RECALL_LEVELS:
        expected_relevant = 3 * x
        if expected_relevant <= 1 + 1e-9:
            expected.append(1.0)
        elif expected_relevant <= 2 + 1e-9:
            expected.append(expected_relevant / (expected_relevant + 1))
        else:
            expected.append(expected_relevant / (expected_relevant + 1 + (expected_relevant - 2) * 6 / 2))
    assert value(topic, results, "precall") == pytest.approx(np.mean(expected), abs=1e-15)


def test_a_tie_is_worth_its_expectation():
    # Cooper: one relevant and two non-relevant results in one rank; expected search length 2/2 = 1.
    topic, _ = handmade_topic()
    results = element_list(topic.collection, np.array([5, 0, 6]), rank=np.array([1, 1, 1]))
    level = 1 / 3
    assert value(topic, results, f"precall@{level!r}") == pytest.approx(1 / (1 + 1), abs=1e-9)


def test_the_ideal_run_scores_1():
    topic, ideal = handmade_topic()
    assert value(topic, element_list(topic.collection, np.array(ideal)), "precall") == 1.0


def test_without_the_collection_precision_ends_where_the_run_ends():
    rng = np.random.default_rng(0)
    collection, _ = random_collection(rng, documents=1, elements=30, complete=False)
    three = np.full(2, 3.0)
    topic = Topic("t", "inex2003", collection, np.array([0, 1]), three, three, None)
    results = element_list(collection, np.array([0]))
    assert value(topic, results, "precall") == 0.5
    assert value(topic, results, "precall@0.51") == 0.0


def test_inex_2002_single_scale_form():
    rng = np.random.default_rng(3)
    collection, _ = random_collection(rng, documents=3, elements=40)
    coverage = {"L": 1.0, "S": 2.0, "E": 3.0}
    expected = {
        **{(3, "E"): 1.0, (2, "E"): 0.75, (3, "L"): 0.75, (1, "E"): 0.5, (2, "L"): 0.5, (2, "S"): 0.5},
        **{(1, "S"): 0.25, (1, "L"): 0.25, (3, "S"): 0.0},
    }
    from focuseval.measures.quantisation import PRECALL_QUANTISATIONS, quantised

    pairs = list(expected)
    e = np.array([float(r) for r, _ in pairs])
    s = np.array([coverage[c] for _, c in pairs])
    topic = Topic("t", "inex2002", collection, np.arange(len(pairs)), e, s, None)
    assert quantised(topic, "generalised", PRECALL_QUANTISATIONS).tolist() == list(expected.values())
    assert quantised(topic, "strict", PRECALL_QUANTISATIONS).tolist() == [p == (3, "E") for p in pairs]


def test_at_recall_0_is_the_limit_from_above():
    # Rank 1 holds nothing relevant: P falls to 0 with X. Without it the limit is 1 / (1 + i / (r + 1)).
    topic, _ = handmade_topic()
    assert value(topic, element_list(topic.collection, np.array([5, 0])), "precall@0") == pytest.approx(
        0, abs=1e-12
    )
    assert value(topic, element_list(topic.collection, np.array([0, 5])), "precall@0") == 1.0
    tied = element_list(topic.collection, np.array([0, 5]), rank=np.array([1, 1]))
    assert value(topic, tied, "precall@0") == pytest.approx(1 / (1 + 1 / 2), abs=1e-12)
