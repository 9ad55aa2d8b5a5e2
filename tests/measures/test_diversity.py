"""Diversity over aspects: ndeval's numbers, a literal second implementation, identities and limits."""

import math
from dataclasses import replace

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.judgements import Spans, Topic
from tests.passages import Passage, list_of, random_case, topic_of

NAMES = ("StRecall@1", "StRecall@3", "alpha_nDCG@3", "alpha_nDCG@20", "ERR_IA@3", "ERR_IA@20", "NRBP")


def value(topic: Topic, read: list[Passage], name: str) -> float | None:
    [spec] = parse_specs(name, MEASURES)
    return spec.value(topic, list_of(read))


def topic_with(gold: dict[tuple[int, int, int], str]) -> Topic:
    """Gold passages and their aspects, letters."""
    spans = Spans(
        *np.array(list(gold)).T, ["|".join(names) if names.isalpha() else names for names in gold.values()]
    )
    return replace(topic_of([100, 100], list(gold)), spans=spans)


GOLD = {(0, 0, 10): "ab", (0, 20, 30): "a", (1, 0, 10): "c", (1, 20, 30): "bc"}
READ: list[Passage] = [(0, 25, 35), (1, 50, 60), (0, 5, 9), (1, 3, 7), (1, 20, 30)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # printed by ndeval (pyndeval 0.0.8) for documents of these aspects
        ("StRecall@5", 1.0),
        ("alpha_nDCG@5", 0.7525587241130413),
        ("alpha_nDCG@20", 0.7525587241130413),
        ("ERR_IA@5", 0.4720121028744327),
        ("ERR_IA@20", 0.46887591772030046),
        ("NRBP", 0.390625),
        ("StRecall@2", 1 / 3),
    ],
)
def test_worked_example(name: str, expected: float) -> None:
    assert value(topic_with(GOLD), READ, name) == pytest.approx(expected, abs=1e-15)


def literal(gold: list[tuple[Passage, set[str]]], read: list[Passage], alpha: float, beta: float, k: int):
    """Set by set: what `NAMES` are at k, alpha and beta."""
    passages: dict[Passage, set[str]] = {}
    for passage, names in gold:
        passages[passage] = passages.get(passage, set()) | names
    aspects = set().union(*passages.values())

    def worth(names: set[str], counts: dict[str, int]) -> float:
        return sum((1 - alpha) ** counts[name] for name in names)

    counts, met, gains, recall = dict.fromkeys(aspects, 0), set(), [], []
    for document, start, end in read:
        now = {p for p in passages if p[0] == document and set(range(start, end)) & set(range(p[1], p[2]))}
        names = set().union(*(passages[p] for p in now - met))
        met |= now
        gains.append(worth(names, counts))
        counts.update({name: counts[name] + 1 for name in names})
        recall.append(sum(count > 0 for count in counts.values()) / len(aspects))
    counts, left, ideal = dict.fromkeys(aspects, 0), sorted(passages, reverse=True), []
    while left:
        best = max(left, key=lambda p: worth(passages[p], counts))
        ideal.append(worth(passages[best], counts))
        counts.update({name: counts[name] + 1 for name in passages[best]})
        left.remove(best)

    def discounted(found: list[float]) -> float:
        return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(found[:k], 1))

    highest = sum((1 - alpha) ** (rank - 1) / rank for rank in range(1, k + 1))
    return {
        f"StRecall@{k}": recall[min(k, len(recall)) - 1] if recall else 0.0,
        f"alpha_nDCG(alpha={alpha})@{k}": discounted(gains) / discounted(ideal),
        f"ERR_IA(alpha={alpha})@{k}": sum(gain / rank for rank, gain in enumerate(gains[:k], 1))
        / len(aspects)
        / highest,
        f"NRBP(alpha={alpha},beta={beta})": (1 - (1 - alpha) * beta)
        / len(aspects)
        * sum(gain * beta**i for i, gain in enumerate(gains)),
    }


@pytest.mark.parametrize("seed", range(1))
def test_agree_with_a_literal_implementation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    compared = 0
    while compared < 200:
        case = random_case(rng)
        gold = [span for span in case.highlights if span[2] > span[1]]
        if not gold:
            continue
        compared += 1
        topic = topic_of(case.lengths, gold)
        named = list(zip(gold, [set(names.split("|")) for names in topic.spans.aspects], strict=True))
        read = [p for p in case.passages if p[1] is not None]
        alpha, beta, k = (
            float(rng.choice([0.25, 0.5, 1])),
            float(rng.choice([0.25, 0.5])),
            int(rng.integers(1, 9)),
        )
        for name, expected in literal(named, read, alpha, beta, k).items():
            assert value(topic, read, name) == pytest.approx(expected, abs=1e-12), name


def test_a_list_that_has_every_aspect_first_is_perfect() -> None:
    topic = topic_with({(0, 0, 10): "abc", (1, 0, 10): "b"})
    read: list[Passage] = [(0, 0, 10), (1, 0, 10)]
    assert value(topic, read, "StRecall@1") == value(topic, read, "alpha_nDCG@2") == 1
    assert value(topic, read, "ERR_IA(alpha=1)@2") == value(topic, read, "NRBP(alpha=1)") == 1


def test_text_that_is_returned_again_finds_nothing() -> None:
    topic = topic_with(GOLD)
    again = [passage for passage in READ for _ in range(2)]
    for name in NAMES[2:]:
        nothing = [p for passage in READ for p in (passage, (1, 60, 70))]
        assert value(topic, again, name) == value(topic, nothing, name), name


def test_without_novelty_alpha_ndcg_of_one_aspect_is_ndcg() -> None:
    topic = topic_with(dict.fromkeys(GOLD, "a"))
    for k in (1, 3, 20):
        ndcg = value(topic, READ, f"nDCG(relevant=touches)@{k}")
        assert value(topic, READ, f"alpha_nDCG(alpha=0)@{k}") == pytest.approx(ndcg)


def test_a_result_with_more_than_one_gold_passage_exceeds_the_ideal_list() -> None:
    topic = topic_with({(0, 0, 10): "a", (0, 20, 30): "b"})
    assert value(topic, [(0, 0, 100)], "alpha_nDCG@1") == 2


def test_gold_without_aspects_is_left_out() -> None:
    assert value(topic_with({(0, 0, 10): ""}), READ, "NRBP") is None
