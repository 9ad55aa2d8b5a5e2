"""Aspects and nuggets: ndeval's numbers, worked examples, identities and limits; novelty by a literal implementation."""

import math
from dataclasses import replace

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.model.judgements import Spans
from tests.passages import topic_of, value

NAMES = ("StRecall@1", "StRecall@3", "alpha_nDCG@3", "alpha_nDCG@20", "ERR_IA@3", "ERR_IA@20", "NRBP")


def topic_with(gold):
    """Return a topic with gold passages whose aspects are letters."""
    spans = Spans(
        *np.array(list(gold)).T, ["|".join(names) if names.isalpha() else names for names in gold.values()]
    )
    return replace(topic_of([100, 100], list(gold)), spans=spans)


GOLD = {(0, 0, 10): "ab", (0, 20, 30): "a", (1, 0, 10): "c", (1, 20, 30): "bc"}
READ = [(0, 25, 35), (1, 50, 60), (0, 5, 9), (1, 3, 7), (1, 20, 30)]


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
def test_worked_example(name, expected):
    assert value(topic_with(GOLD), READ, name) == pytest.approx(expected, abs=1e-15)


def test_a_list_that_has_every_aspect_first_is_perfect():
    topic = topic_with({(0, 0, 10): "abc", (1, 0, 10): "b"})
    read = [(0, 0, 10), (1, 0, 10)]
    assert value(topic, read, "StRecall@1") == value(topic, read, "alpha_nDCG@2") == 1
    assert value(topic, read, "ERR_IA(alpha=1)@2") == value(topic, read, "NRBP(alpha=1)") == 1


def test_text_that_is_returned_again_finds_nothing():
    topic = topic_with(GOLD)
    again = [passage for passage in READ for _ in range(2)]
    for name in NAMES[2:]:
        nothing = [p for passage in READ for p in (passage, (1, 60, 70))]
        assert value(topic, again, name) == value(topic, nothing, name), name


def test_without_novelty_alpha_ndcg_of_one_aspect_is_ndcg():
    topic = topic_with(dict.fromkeys(GOLD, "a"))
    for k in (1, 3, 20):
        ndcg = value(topic, READ, f"nDCG(relevant=touches)@{k}")
        assert value(topic, READ, f"alpha_nDCG(alpha=0)@{k}") == pytest.approx(ndcg)


def test_a_result_with_more_than_one_gold_passage_exceeds_the_ideal_list():
    topic = topic_with({(0, 0, 10): "a", (0, 20, 30): "b"})
    assert value(topic, [(0, 0, 100)], "alpha_nDCG@1") == 2


def test_gold_without_aspects_is_left_out():
    assert value(topic_with({(0, 0, 10): ""}), READ, "NRBP") is None


#: of document 0: a vital nugget in sentences 2 and 3, an okay one in 3, another vital one in 6
NUGGETS = {(0, 2, 4): "a", (0, 3, 4): "okay:b", (0, 6, 7): "c"}


@pytest.mark.parametrize(
    ("name", "read", "expected"),
    [
        ("nugget_recall(okay=0)@1", [(0, 3, 4)], 1 / 2),
        ("nugget_recall@1", [(0, 3, 4)], 1.5 / 2.5),
        ("nugget_recall(okay=1)@1", [(0, 3, 4)], 2 / 3),
        ("nugget_recall(okay=1)@2", [(0, 3, 4), (0, 0, 3)], 2 / 3),
        ("nugget_F@1", [(0, 3, 4), (0, 10, 90)], 5 / 9.5),
        # two nuggets allow two of four units: brevity 1/2, recall 1/2, whatever beta is
        ("nugget_F(allowance=1)@1", [(0, 2, 6)], 1 / 2),
        # brevity 1/3, recall 1/2: 10 P R / (9 P + R)
        ("nugget_F(allowance=1)@1", [(0, 0, 6)], 10 / 6 / (3 + 1 / 2)),
        ("nugget_F@1", [(0, 10, 20)], 0.0),
        # the answer's new nuggets a and b, one sentence without any, two with new ones: 2 * 3 / (2 + 3)
        ("NDNS@1", [(0, 1, 4)], (6 / 5) / (6 / 3)),
        ("NDNS(variant=relaxed)@1", [(0, 1, 4)], (6 / 4) / (6 / 3)),
        # then b is new in sentence 3, and sentence 2 has a known nugget only: 2 / (1 + 2), of the ideal 2 + 1/log2(3)
        ("NDNS@2", [(0, 2, 3), (0, 2, 4)], (1 + 2 / 3 / math.log2(3)) / (2 + 1 / math.log2(3))),
    ],
)
def test_worked_examples_of_nuggets(name, read, expected):
    assert value(topic_with(NUGGETS), read, name) == pytest.approx(expected, abs=1e-15)


def gain(sentences, seen, variant):
    """Return the gain of an answer and its nuggets, sentence by sentence."""
    nuggets, factor, novel = set(), 0, 0
    for names in sentences:
        nuggets |= names
        novel += bool(names - seen)
        factor += not names or (not names - seen and variant != "partial")
    new = len(nuggets - seen)
    factor += novel if variant == "exact" else min(novel, 1)
    return new * (new + 1) / (new + factor) if new else 0.0, nuggets


def literal_ndns(gold, read, variant):
    """Compute NDNS from sets of nuggets, after each answer of the list."""
    has = {}
    for (document, start, end), names in gold.items():
        for unit in range(start, end):
            has.setdefault((document, unit), set()).update(names)

    def sentences(answer):
        return [has.get((answer[0], unit), set()) for unit in range(answer[1], answer[2])]

    seen, total = set(), 0.0
    for rank, answer in enumerate(read, 1):
        worth, nuggets = gain(sentences(answer), seen, variant)
        seen |= nuggets
        total += worth / math.log2(rank + 1)
    answers = []
    for document in sorted({document for document, _ in has}):
        units = [unit for of, unit in has if of == document]
        places = range(min(units), max(units) + 2)
        answers += [(document, i, j) for i in places for j in places if i < j]
    lists = [(0.0, set())]
    for rank in range(1, 100):
        longer = []
        for score, seen_aspects in lists:
            for answer in answers:
                worth, nuggets = gain(sentences(answer), seen_aspects, variant)
                if worth > 0:
                    longer.append((score + worth / math.log2(rank + 1), seen_aspects | nuggets))
        if not longer:
            break
        lists = sorted(longer, key=lambda one: -one[0])[:10]
    return total / max(score for score, _ in lists)


@pytest.mark.parametrize("variant", ["exact", "relaxed", "partial"])
def test_ndns_agrees_with_a_literal_implementation(variant):
    rng = np.random.default_rng(len(variant))
    for _ in range(40):
        starts = rng.integers(0, 7, size=rng.integers(1, 6)).tolist()
        gold = {
            (int(rng.integers(2)), start, start + int(rng.integers(1, 4))): "".join(
                rng.choice(list("abcd"), size=rng.integers(1, 3), replace=False)
            )
            for start in starts
        }
        read = [
            (int(rng.integers(2)), start, start + int(rng.integers(1, 6)))
            for start in rng.integers(0, 9, size=rng.integers(0, 6)).tolist()
        ]
        topic = topic_with({place: "|".join(names) for place, names in gold.items()})
        score = value(topic, read, f"NDNS(variant={variant})")
        assert score == pytest.approx(literal_ndns(gold, read, variant), abs=1e-12)


def test_limits():
    topic = topic_with(NUGGETS)
    for okay in ("nugget_recall(okay=1)@3", "StRecall@3"):
        assert value(topic, [(0, 3, 9)], okay) == 1
    best = [(0, 3, 4), (0, 6, 7)]
    assert value(topic, best, "NDNS") == value(topic, best, "nugget_F@2") == 1
    assert value(topic, [best[0], *best], "NDNS") < 1 == value(topic, [best[0], *best], "nugget_recall@3")


def test_topics_without_counted_nuggets_are_left_out():
    okay = topic_with({(0, 0, 1): "okay:a"})
    assert (
        value(okay, [(0, 0, 1)], "nugget_F@1") is None is value(okay, [(0, 0, 1)], "nugget_recall(okay=0)@1")
    )
    assert value(okay, [(0, 0, 1)], "nugget_recall@1") == 1
    assert value(topic_with({(0, 0, 1): ""}), [], "NDNS") is None


def test_novelty_reads_sentences():
    with pytest.raises(InputError, match="use sentences as the unit of gold and runs"):
        value(topic_with({(0, 0, 5000): "a"}), [], "NDNS")
