"""Measures of passages against literal second implementations, on the same random cases."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.rules import rule_violations
from tests.measures import text_literal as literal
from tests.passages import agrees, list_of, random_case


def cases(count):
    """Draw random cases with gold."""
    rng = np.random.default_rng(0)
    drawn = []
    while len(drawn) < count:
        if (case := random_case(rng)).relevant:
            drawn.append(case)
    return drawn


CASES = cases(150)


@pytest.mark.parametrize("twin", literal.TWINS, ids=lambda twin: twin.__name__.removesuffix("_twin"))
def test_measures_are_their_literal_twins(twin):
    rng = np.random.default_rng(1)
    between = Counter()
    for case in CASES:
        results = list_of(literal.TWINS[twin](case))
        expected = twin(rng, case)
        agrees(case.topic, results, expected)
        for name, number in expected.items():
            between[name.partition("(")[0].partition("@")[0]] += number > 0
    assert min(between.values()) > 5


def test_counts_of_spans_one_by_one():
    """Averages over topics add up the numbers of right, returned, found and relevant spans."""
    for case in CASES:
        gold, read = list(dict.fromkeys(literal.gold_of(case))), literal.read_of(case)
        for name, counts in literal.span_counts(gold, read, 0.5).items():
            [spec] = parse_specs(name if MEASURES[name].value else f"{name}@0.5", MEASURES)
            trace = spec.trace(spec.prepare(case.topic), list_of(read))
            counted = (
                spec.declared_cutoff.at(trace, np.array([0.5]))[0]
                if spec.declared_cutoff
                else spec.measure.value(trace)
            )
            assert tuple(counted) == counts, name


def test_genomics_character_by_character():
    """Results of one rank are read by document, offset and length."""
    rng = np.random.default_rng(2)
    for case in CASES:
        gold, read = literal.gold_of(case), literal.read_of(case)
        ranks = np.cumsum(rng.integers(0, 2, len(read)))
        aspect_lists = [names.split("|") for names in case.topic.spans.aspects]
        expected = literal.genomics(
            list(zip(gold, aspect_lists, strict=True)), list(zip(ranks.tolist(), read, strict=True))
        )
        agrees(case.topic, replace(list_of(read), rank=ranks), expected)


def test_rules_of_tasks():
    for case in CASES:
        seen = set()
        overlap, resumed, second = [], [], []
        blocks = []
        in_first_block = {}
        for i, (document, _, _) in enumerate(case.passages):
            overlap.append(bool(case.text(i) & seen))
            seen |= case.text(i)
            article = ("unknown", i) if document < 0 else document
            second.append(article in blocks)
            if not blocks or blocks[-1] != article:
                in_first_block[article] = article not in blocks
            resumed.append(not in_first_block[article])
            blocks.append(article)
        expected = {
            "thorough": [],
            "focused": [i for i, bad in enumerate(overlap) if bad],
            "relevant-in-context": [i for i in range(len(overlap)) if overlap[i] or resumed[i]],
            "best-in-context": [i for i, bad in enumerate(second) if bad],
        }
        for rule, positions in expected.items():
            index, breaches = rule_violations(rule, list_of(case.passages))
            assert index.tolist() == positions and len(breaches) == len(positions)
            if rule == "relevant-in-context":
                assert ["interleaved" in breach.found for breach in breaches] == [
                    resumed[i] for i in positions
                ]
