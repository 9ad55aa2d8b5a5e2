"""Segments by intersection over union, and detected cases: worked examples, literal implementations, identities."""

import math

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.judgements import Topic
from tests.passages import Passage, list_of, random_case, topic_of

PLAGDET = ("plagdet", "plagdet.precision", "plagdet.recall", "plagdet.granularity")


def value(topic: Topic, read: list[Passage], name: str) -> float:
    [spec] = parse_specs(name, MEASURES)
    found = spec.value(topic, list_of(read))
    assert found is not None
    return found


def test_worked_example_of_moments() -> None:
    """IoU of the results: 5/15, 8/12 and 10/10 with the first moment, 18/20 with the second."""
    topic = topic_of([100], [(0, 0, 10), (0, 40, 60)])
    read: list[Passage] = [(0, 5, 15), (0, 2, 12), (0, 42, 60), (0, 0, 10)]
    assert [value(topic, read, f"IoU_R@{k}") for k in (1, 2)] == [0, 1]
    assert [value(topic, read, f"IoU_R(t=0.7)@{k}") for k in (1, 2, 3)] == [0, 0, 1]
    assert value(topic, read, "IoU_R(t=0.9)@3") == 1
    # Up to .65 ranks 2 and 3 find both moments; up to .9 ranks 3 and 4; at .95 rank 4 finds one.
    assert value(topic, read, "IoU_mAP") == pytest.approx((4 * 2 / 3 + 5 * 1 / 2 + 1 / 4 / 2) / 10)


def test_worked_example_of_cases() -> None:
    """Two results on one case of 10, 4 and 3 characters of it; one of the other's 20, whole; one of none."""
    topic = topic_of([100], [(0, 0, 10), (0, 40, 60)])
    read: list[Passage] = [(0, 0, 4), (0, 7, 13), (0, 40, 60), (0, 80, 90)]
    precision, recall, granularity = (1 + 0.5 + 1 + 0) / 4, (0.7 + 1) / 2, 3 / 2
    expected = (2 * precision * recall / (precision + recall)) / math.log2(1 + granularity)
    found = [value(topic, read, name) for name in PLAGDET]
    assert found == pytest.approx([expected, precision, recall, granularity])


def characters(passage: Passage) -> set[tuple[int, int]]:
    document, start, end = passage
    return {(document, i) for i in range(start, end)}


def literal_map(gold: list[Passage], read: list[Passage]) -> float:
    """Threshold by threshold, as the program of QVHighlights goes through results and gold."""
    added = 0.0
    for threshold in [x / 100 for x in range(50, 100, 5)]:
        taken, hits = set(), []
        for mine in map(characters, read):
            by_overlap = sorted(
                ((len(mine & characters(g)) / len(mine | characters(g)), i) for i, g in enumerate(gold)),
                reverse=True,
            )
            free = [i for overlap, i in by_overlap if overlap >= threshold - 1e-9 and i not in taken]
            taken |= set(free[:1])
            hits.append(bool(free))
        points = [(sum(hits[:k]) / len(gold), sum(hits[:k]) / k) for k in range(1, len(hits) + 1)]
        before = 0.0
        for recall in sorted({recall for recall, _ in points}):
            added += (recall - before) * max(precision for other, precision in points if other >= recall)
            before = recall
    return added / 10


def literal_cases(gold: list[Passage], read: list[Passage]) -> list[float]:
    relevant, returned = (set().union(*map(characters, some)) for some in (gold, read))
    shares = [len(c & relevant) / len(c) if (c := characters(p)) else 0 for p in read]
    precision = sum(shares) / len(read) if read else 0
    recall = sum(len(characters(g) & returned) / len(characters(g)) for g in gold) / len(gold)
    detections = [sum(bool(characters(g) & characters(p)) for p in read) for g in gold]
    detected = [count for count in detections if count]
    granularity = sum(detected) / len(detected) if detected else 1
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    return [f1 / math.log2(1 + granularity), precision, recall, granularity]


@pytest.mark.parametrize("seed", range(1))
def test_agree_with_literal_implementations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compared = 0
    while compared < 150:
        case = random_case(rng)
        gold = list(dict.fromkeys(span for span in case.highlights if span[2] > span[1]))
        if not gold:
            continue
        compared += 1
        topic = topic_of(case.lengths, gold)
        read = [p for p in case.passages if p[1] is not None]
        if rng.random() < 0.5:  # results that are near to gold
            read += [(d, max(s - int(rng.integers(0, 3)), 0), e) for d, s, e in gold]
        assert [value(topic, read, name) for name in PLAGDET] == pytest.approx(
            literal_cases(gold, read), abs=1e-12
        )
        assert value(topic, read, "IoU_mAP") == pytest.approx(literal_map(gold, read), abs=1e-12)
        k, t = int(rng.integers(1, 5)), float(rng.choice([0.3, 0.5, 0.7]))
        best = [
            len(characters(p) & characters(g)) / len(characters(p) | characters(g))
            for p in read[:k]
            for g in gold
        ]
        assert value(topic, read, f"IoU_R(t={t})@{k}") == any(overlap >= t - 1e-9 for overlap in best)


def test_gold_itself_is_perfect_and_pieces_are_not() -> None:
    gold: list[Passage] = [(0, 0, 10), (0, 40, 60)]
    topic = topic_of([100], gold)
    for name in (*PLAGDET, "IoU_mAP", "IoU_R(t=1)@1"):
        assert value(topic, gold, name) == 1, name
    halves: list[Passage] = [(0, 0, 5), (0, 5, 10), (0, 40, 50), (0, 50, 60)]
    assert value(topic, halves, "plagdet.granularity") == 2
    assert value(topic, halves, "plagdet") == pytest.approx(1 / math.log2(3))
    assert value(topic, [*gold, *gold], "plagdet.granularity") == 2  # the same again is one detection more
    assert value(topic, [*gold, *gold], "IoU_mAP") == 1
