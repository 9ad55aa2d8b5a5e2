"""The measures of INEX 2006 to 2010: worked examples, identities, trec_eval, and runs that break rules."""

import itertools

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign.notices import UNRULY
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from tests.affected import affected
from tests.passages import list_of, random_case, topic_of, value

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

#: document 0 has 100 characters of 400 highlighted, document 1 all of its 50, document 2 nothing
TOPIC = topic_of([400, 50, 80], [(0, 100, 150), (0, 300, 350), (1, 0, 50)], {0: 100, 1: 0})
RUN = [(0, 100, 200), (2, 0, 30), (1, 10, 50)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # P = 50/100 and R = 50/100; nothing; P = 1 and R = 40/50
        ("F@1", 0.5),
        ("F@2", 0),
        ("F@3", 1.6 / 1.8),
        ("F@4", 0),
        ("F", (0.5 + 1.6 / 1.8) / 2),
        ("F(beta=0)@3", 1),
        ("F(beta=0.25)@3", 1.0625 * 0.8 / (0.0625 + 0.8)),
        ("gP@1", 0.5),
        ("gP@2", 0.25),
        ("gP@3", (0.5 + 1.6 / 1.8) / 3),
        ("gP@5", (0.5 + 1.6 / 1.8) / 5),  # INEX's program divides by the three existing articles
        ("gR@1", 0.5),
        ("gR@2", 0.5),
        ("gR@5", 1),
        ("AgP", (0.5 + (0.5 + 1.6 / 1.8) / 3) / 2),
        ("MAP", (1 + 2 / 3) / 2),
        # P and R over text: 50/100 and 50/150, 50/130, 90/170 and 90/150
        ("char_precision@1", 0.5),
        ("char_recall@1", 1 / 3),
        ("char_precision@2", 50 / 130),
        ("char_precision", 90 / 170),
        ("char_recall", 0.6),
        ("char_F1@1", 0.4),
        ("char_F1", 2 * 90 / (170 + 150)),
        ("iP@0", 90 / 170),
        ("iP@0.6", 90 / 170),
        ("iP@0.61", 0),
        ("AiP", 61 / 101 * 90 / 170),
        # starts at the best entry point, and 10 characters off
        ("BEP", (1 + (1 + 490 / 500) / 3) / 2),
        ("BEP(n=20)", (1 + (1 + 0.5) / 3) / 2),
        # document 0: 50 relevant, 50 not, then 0-100, 200-300: 150 more and 50 relevant at the end.
        # document 1: read to the end
        ("T2I", (100 / 400 + (100 / 400 + 1) / 3) / 2),
        ("T2I(tolerance=120)", (50 / 170 + (50 / 170 + 1) / 3) / 2),
    ],
)
def test_worked_example(name, expected):
    assert value(TOPIC, list_of(RUN), name) == pytest.approx(expected)


def test_a_recall_on_a_level_has_reached_it():
    """In doubles 100 x 0.29 is 28.999999999999996, so INEX's program misses the level."""
    topic = topic_of([100], [(0, 0, 100)])
    assert value(topic, list_of([(0, 0, 29)]), "iP@0.29") == 1
    assert value(topic, list_of([(0, 0, 29)]), "iP@0.3") == 0
    large = topic_of([10**10], [(0, 0, 10**10)])
    assert value(large, list_of([(0, 0, 5 * 10**9 - 5)]), "iP@0.5") == 1
    assert value(large, list_of([(0, 0, 5 * 10**9 - 50)]), "iP@0.5") == 0


def test_perfect_passages():
    topic = topic_of([60, 50, 90], [(0, 0, 10), (0, 40, 60), (2, 5, 80)], {0: 0, 2: 5})
    results = list_of([(2, 5, 80), (0, 0, 10), (0, 40, 60)])
    for name in ("F", "gP@2", "gR@2", "AgP", "MAP", "iP@1", "AiP", "char_precision", "char_recall", "BEP"):
        assert value(topic, results, name) == 1, name
    # A tolerant reader reads on: 15 and 30 irrelevant characters behind the passages.
    assert value(topic, results, "T2I") == pytest.approx((75 / 90 + (75 / 90 + 30 / 60) / 2) / 2)


def test_limits_and_monotony():
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
        tenfold = [(d, 10 * (a or 0), 10 * (b or 0)) for d, a, b in resolved]
        for one, ten in [("AgP", "AgP"), ("AiP", "AiP"), ("BEP(n=5)", "BEP(n=50)")]:
            assert value(topic, list_of(resolved), one) == pytest.approx(value(scaled, list_of(tenfold), ten))


def test_map_agrees_with_trec_eval():
    """Scores are distinct: trec_eval orders ties by document name, focuseval by the file."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    rng = np.random.default_rng(7)
    for _ in range(100):
        documents = int(rng.integers(1, 30))
        marked = rng.random(documents) < 0.3
        marked[int(rng.integers(0, documents))] = True
        topic = topic_of([10] * documents, [(d, 2, 5) for d in np.flatnonzero(marked)])
        ranked = rng.permutation(documents)[: int(rng.integers(0, documents + 1))]
        passages = []
        for document in ranked:
            passages += [(int(document), i, i + 3) for i in range(int(rng.integers(1, 4)))]
        average_precision = value(topic, list_of(passages), "MAP")
        qrel = {"t": {f"d{d}": int(marked[d]) for d in range(documents)}}
        run = {"t": {f"d{d}": -float(i) for i, d in enumerate(ranked)}}
        scores = pytrec_eval.RelevanceEvaluator(qrel, {"map"}).evaluate(run)
        assert average_precision == pytest.approx(scores["t"]["map"] if len(ranked) else 0.0, abs=1e-12)


def test_map_of_judged_elements_counts_an_article_with_a_relevant_element_as_relevant():
    topic = topic_of([10, 10, 10], [])
    judged = Topic(
        "t", "inex2005", topic.collection, np.arange(3), np.array([2.0, -1, 0]), np.array([0.5, 1, 0]), None
    )
    assert value(judged, list_of([(2, 0, 1), (1, 0, 1), (0, 0, 1)]), "MAP") == pytest.approx(
        (1 / 2 + 2 / 3) / 2
    )


def test_t2i_requires_sizes():
    topic = topic_of([-1, 20, -1], [(0, 0, 5), (1, 0, 5)])
    with pytest.raises(InputError, match="document d0: the size of the document is unknown"):
        value(topic, list_of([]), "T2I")


def results_of(lists):
    """Return the results of one run by topic."""
    rows = [passage for passages in lists.values() for passage in passages]
    result_list = list_of(rows)
    counts = [len(passages) for passages in lists.values()]
    return Results(
        runs=pd.Index(["run"]),
        topics=pd.Index(list(lists)),
        run=np.zeros(len(rows), dtype=np.int64),
        topic=np.repeat(np.arange(len(counts)), counts),
        rank=np.concatenate([np.arange(1, n + 1) for n in counts]),
        document=result_list.document,
        element=result_list.element,
        start=result_list.start,
        end=result_list.end,
        score=np.full(len(rows), np.nan),
    )


TOPICS = [topic_of([400, 50, 80], [(0, 100, 150)], {0: 100}, name=name) for name in "ab"]
BROKEN = {
    "a": [(0, 0, 50), (0, 40, 60), (1, 0, 5), (0, 70, 80), (0, 75, 90)],
    "x": [(0, 0, 50), (0, 0, 50)],
    "b": [(0, 0, 50), (1, 0, 9), (1, 8, 10)],
}


def test_overlap_is_no_fault_where_no_rule_forbids_it():
    specs = [spec for name in ("AiP", "char_recall", "MAP") for spec in parse_specs(name, MEASURES)]
    scores = score(TOPICS, results_of(BROKEN), specs)
    assert not affected(scores.notices, UNRULY)


def test_lenient_scores_and_counts():
    [spec] = parse_specs("AgP", MEASURES)
    scores = score(TOPICS, results_of(BROKEN), [spec], lenient=True)
    assert affected(scores.notices, UNRULY) == {"run": 4}
    assert any("4 results break a rule" in note for note in scores.notes())
    by_topic = dict(zip(scores.per_topic["topic"], scores.per_topic["value"], strict=True))
    for topic in TOPICS:
        expected = value(topic, list_of(BROKEN[topic.name]), "AgP")
        assert by_topic[topic.name] == expected
