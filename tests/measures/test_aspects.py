"""Novelty by a literal implementation; what ndeval prints, worked examples and limits are in the transcripts (`shown`)."""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from focuseval.model.judgements import Spans, Topic
from tests.passages import Passage, topic_of, value


def topic_with(gold: dict[tuple[int, int, int], str]) -> Topic:
    """Gold passages and their aspects, letters."""
    spans = Spans(
        *np.array(list(gold)).T, ["|".join(names) if names.isalpha() else names for names in gold.values()]
    )
    return replace(topic_of([100, 100], list(gold)), spans=spans)


def gain(sentences: Iterable[set[str]], seen: set[str], variant: str) -> tuple[float, set[str]]:
    """What an answer made of sentences is worth, and its nuggets: sentence by sentence."""
    nuggets, factor, novel = set(), 0, 0
    for names in sentences:
        nuggets |= names
        novel += bool(names - seen)
        factor += not names or (not names - seen and variant != "partial")
    new = len(nuggets - seen)
    factor += novel if variant == "exact" else min(novel, 1)
    return new * (new + 1) / (new + factor) if new else 0.0, nuggets


def literal_ndns(gold: dict[tuple[int, int, int], str], read: list[Passage], variant: str) -> float:
    """NDNS by sets of nuggets, and lists of answers that grow one by one."""
    has: dict[tuple[int, int], set[str]] = {}
    for (document, start, end), names in gold.items():
        for unit in range(start, end):
            has.setdefault((document, unit), set()).update(names)

    def sentences(answer: Passage) -> list[set[str]]:
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
    lists: list[tuple[float, set[str]]] = [(0.0, set())]
    for rank in range(1, 100):
        longer = []
        for score, known in lists:
            for answer in answers:
                worth, nuggets = gain(sentences(answer), known, variant)
                if worth > 0:
                    longer.append((score + worth / math.log2(rank + 1), known | nuggets))
        if not longer:
            break
        lists = sorted(longer, key=lambda one: -one[0])[:10]
    return total / max(score for score, _ in lists)


@pytest.mark.parametrize("variant", ["exact", "relaxed", "partial"])
def test_ndns_agrees_with_a_literal_implementation(variant: str) -> None:
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
        found = value(topic, read, f"NDNS(variant={variant})")
        assert found == pytest.approx(literal_ndns(gold, read, variant), abs=1e-12)
