"""The measures of INEX 2006-2010: identities, limits and trec_eval; worked examples are in the transcripts (`shown`)."""

import itertools

import numpy as np
import pytest

from focuseval.model.judgements import Topic
from tests.passages import Passage, list_of, random_case, topic_of, value

RANKED = ("F", "gP@1", "gP@5", "gR@1", "gR@5", "AgP", "MAgP", "T2I", "BEP", "MAP")
TEXT = (
    "iP@0",
    "iP@0.01",
    "iP@0.1",
    "iP@1",
    "AiP",
    "AiP(again=charged)",
    "MAiP",
    "char_precision",
    "char_recall",
)


def test_limits_and_monotony() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        case = random_case(rng)
        if not case.relevant:
            continue
        topic, results = case.topic, list_of(case.passages)
        for name in RANKED + TEXT:
            assert 0 <= value(topic, results, name) <= 1 + 1e-12
        curve = [value(topic, results, f"iP@{x / 10}") for x in range(11)]
        assert all(a >= b for a, b in itertools.pairwise(curve))
        # Every tenth character counts the same: nothing depends on the unit.
        scaled = topic_of(
            [10 * n for n in case.lengths],
            [(d, 10 * a, 10 * b) for d, a, b in case.highlights],
            {d: 10 * p for d, p in case.entry_point.items()},
        )
        resolved = [p for p in case.passages if p[1] is not None]
        tenfold: list[Passage] = [(d, 10 * (a or 0), 10 * (b or 0)) for d, a, b in resolved]
        for one, ten in [("AgP", "AgP"), ("AiP", "AiP"), ("BEP(n=5)", "BEP(n=50)")]:
            assert value(topic, list_of(resolved), one) == pytest.approx(value(scaled, list_of(tenfold), ten))


def test_map_is_trec_eval_s() -> None:
    """With distinct scores; trec_eval breaks ties of scores by document name, we by the order of the file."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    rng = np.random.default_rng(7)
    for _ in range(100):
        documents = int(rng.integers(1, 30))
        marked = rng.random(documents) < 0.3
        marked[int(rng.integers(0, documents))] = True
        topic = topic_of([10] * documents, [(d, 2, 5) for d in np.flatnonzero(marked)])
        ranked = rng.permutation(documents)[: int(rng.integers(0, documents + 1))]
        passages: list[Passage] = []
        for document in ranked:
            passages += [(int(document), i, i + 3) for i in range(int(rng.integers(1, 4)))]
        found = value(topic, list_of(passages), "MAP")
        qrel = {"t": {f"d{d}": int(marked[d]) for d in range(documents)}}
        run = {"t": {f"d{d}": -float(i) for i, d in enumerate(ranked)}}
        scores = pytrec_eval.RelevanceEvaluator(qrel, {"map"}).evaluate(run)
        assert found == pytest.approx(scores["t"]["map"] if len(ranked) else 0.0, abs=1e-12)


def test_map_of_judged_elements() -> None:
    """Without highlights an article is relevant if an element of it is."""
    topic = topic_of([10, 10, 10], [])
    judged = Topic(
        "t", "inex2005", topic.collection, np.arange(3), np.array([2.0, -1, 0]), np.array([0.5, 1, 0]), None
    )
    assert value(judged, list_of([(2, 0, 1), (1, 0, 1), (0, 0, 1)]), "MAP") == pytest.approx(
        (1 / 2 + 2 / 3) / 2
    )
