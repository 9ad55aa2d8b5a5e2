"""Plain functions: their examples, and the numbers of the declared measures on random lists."""

import doctest

import numpy as np
import pytest

import focuseval
from focuseval import api, functional
from focuseval.measures import recall_base
from tests.passages import list_of, random_case, value
from tests.trees import random_cases

TEXT = {
    "char_recall": functional.char_recall,
    "char_precision": functional.char_precision,
    "char_F1": functional.char_f1,
    "IoU": functional.iou,
    "AiP": functional.average_interpolated_precision,
}


@pytest.mark.parametrize("module", [functional, api])
def test_examples(module):
    try:
        assert doctest.testmod(module).failed == 0
    finally:
        focuseval.MEASURES.pop("first_recall", None)


def test_text_is_counted_as_the_declared_measures_count_it():
    compared = 0
    for seed in range(60):
        case = random_case(np.random.default_rng(seed))
        read = [passage for passage in case.passages if passage[1] is not None]
        for name, function in TEXT.items():
            expected = value(case.topic, list_of(read), name)
            if expected is not None:
                assert function(case.highlights, read) == expected, (seed, name)
                compared += 1
    assert compared > 100


def test_gains_and_structural_relevance_of_elements_are_those_of_the_declared_measures():
    compared = 0
    for rng, case in random_cases(7, 80):
        base = recall_base.full(case.topic, "gen")
        resolved = case.results.element >= 0
        if not len(base[0]) or not resolved.any():
            continue
        score = np.zeros(len(case.collection))
        score[base[0]] = base[1]
        parent, size, rows = case.collection.parent, case.collection.size, case.results.element[resolved]
        best = score[functional.ideal_elements(parent, score)]
        read = case.results.first(0) if not resolved.all() else case.results
        if not len(read):
            continue
        gains = functional.xcg_gains(parent, size, score, rows, alpha=1.0)
        k = int(rng.integers(1, 9))
        assert functional.nxcg(gains, best, k) == value(case.topic, read, f"nxCG@{k}")
        assert functional.maep(gains, best) == value(case.topic, read, "MAep")
        expected = value(case.topic, read, "ep@0.3")
        assert functional.effort_precision(gains, best, [0.3])[0] == expected
        compared += 1
    assert compared > 20


def test_eprum_without_navigation_is_precision_over_the_ideal_elements():
    for _, case in random_cases(11, 40):
        rows, score = recall_base.full(case.topic, "strict")
        ideal = rows[recall_base.ideal_elements(case.topic, "strict")]
        if not len(ideal) or (case.results.element < 0).any() or case.results.repeats.any():
            continue
        chances = (case.results.element[:, None] == ideal[None, :]).astype(float)
        expected = value(case.topic, case.results, "EPRUM(navigation=standard,quantisation=strict)@0.5")
        assert functional.eprum(chances, [0.5])[0] == pytest.approx(expected, abs=1e-12)


def test_items():
    assert functional.precision_at([1, 0, 1], 2) == 0.5
    assert functional.average_precision([0, 1], total=1) == 0.5
    assert functional.ndcg([3, 2], ideal=[3, 2, 0]) == 1


@pytest.mark.parametrize("wrong", [[(5, 1)], [(1, 2, 3, 4)], [(-1, 2)]])
def test_input_without_intervals_is_refused(wrong):
    with pytest.raises(focuseval.InputError, match="expected rows"):
        functional.char_recall([(0, 1)], wrong)


def test_a_function_becomes_a_measure():
    gold = [{"topic": "q", "document": "a", "start": 0, "end": 10}]
    run = [{"topic": "q", "document": "a", "start": 4, "end": 10}, *gold]
    try:
        focuseval.register(
            "first", lambda gold_spans, read: functional.char_recall(gold_spans, read[:1]), summary="mine"
        )
        assert focuseval.score(["first"], gold=gold, runs={"r": run})["value"].tolist() == [0.6]
        with pytest.raises(focuseval.InputError, match="the name 'first' is in use"):
            focuseval.register("first", lambda gold_spans, read: 1.0)
    finally:
        focuseval.MEASURES.pop("first", None)
    with pytest.raises(focuseval.InputError, match="expected a Measure"):
        focuseval.register("first")
