"""Gold passages of which any one will do: the one that a list brings soonest and most, by sets of characters."""

import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import focuseval
from focuseval.scoring.one_run import answered_by
from tests.passages import Case, list_of, random_case

MEASURES = [
    "char_recall",
    "char_precision",
    "AiP",
    "span_F1@0.5",
    "P(relevant=touches)@3",
    "AP(relevant=touches)",
]


def literal_members(case: Case, groups: list[int], members: list[int]) -> list[int]:
    """The places of the passages that count, by the formula of `answered_by`."""
    together: dict[tuple[int, int], list[int]] = {}
    for i, (group, member) in enumerate(zip(groups, members, strict=True)):
        together.setdefault((group, -1 - i if member < 0 else member), []).append(i)
    best: dict[int, tuple[Fraction, int, list[int]]] = {}
    for (group, _), places in together.items():
        text = {(p, case.highlights[p][0], at) for p in places for at in range(*case.highlights[p][1:])}
        seen: set[tuple[int, int, int]] = set()
        total = Fraction(0)
        for i in range(len(case.passages)):
            new = {(p, *at) for p in places for at in case.text(i)} & text - seen
            seen |= new
            total += Fraction(len(new) * (len(case.passages) - i), len(text))
        best[group] = max(best.get(group, (Fraction(-1), 0, [])), (total, -places[0], places))
    return [i for i, group in enumerate(groups) if group < 0 or i in best[group][2]]


def test_the_member_that_a_list_brings_soonest_and_most() -> None:
    rng = np.random.default_rng(7)
    left_out = 0
    for _ in range(150):
        case = random_case(rng)
        case = replace(case, highlights=[mark for mark in case.highlights if mark[2] > mark[1]])
        groups, members = (rng.integers(-1, 3, len(case.highlights)).tolist() for _ in range(2))
        topic = case.topic
        assert topic.spans is not None
        columns = {"group": np.array(groups, dtype=np.int64), "member": np.array(members, dtype=np.int64)}
        grouped = replace(topic, spans=replace(topic.spans, **columns))
        found = answered_by(grouped, list_of(case.passages))
        kept = literal_members(case, groups, members)
        assert found.spans is not None and found.highlights is not None
        assert list(zip(found.spans.document, found.spans.start, found.spans.end, strict=True)) == [
            case.highlights[i] for i in kept
        ]
        text = {(d, at) for d, start, end in (case.highlights[i] for i in kept) for at in range(start, end)}
        marked = zip(found.highlights.document, found.highlights.start, found.highlights.end, strict=True)
        assert text == {(d, at) for d, start, end in marked for at in range(start, end)}
        left_out += len(groups) - len(kept)
    assert left_out > 50


def span(start: int, end: int, **more: object) -> dict[str, object]:
    return {"topic": "q", "document": "d", "start": start, "end": end, **more}


GOLD = [span(0, 10, group="a"), span(20, 40, group="a"), span(50, 60)]


def scores(runs: dict[str, list[dict]], gold: list[dict], measures: list[str]) -> dict[str, dict[str, float]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = focuseval.to_dict(focuseval.score(measures, gold=gold, runs=runs))
    return {run: values["all"] for run, values in found.items()}


def test_a_group_is_found_with_its_best_member() -> None:
    runs = {
        "first": [span(0, 10), span(50, 60)],
        "second": [span(20, 40), span(50, 60)],
        "both": [span(20, 40), span(0, 10), span(50, 60)],
        "other": [span(50, 60), span(100, 110)],
    }
    names = [
        "char_recall",
        "char_precision",
        "Recall(relevant=touches)@5",
        "P(relevant=touches)@2",
        "span_F1@1",
    ]
    # in order: recall, precision, places found, right places of two, F1 of spans
    assert scores(runs, GOLD, names) == {
        "first": dict(zip(names, [1, 1, 1, 1, 1], strict=True)),
        "second": dict(zip(names, [1, 1, 1, 1, 1], strict=True)),
        "both": dict(zip(names, [1, 30 / 40, 1, 0.5, 0.8], strict=True)),  # the same answer is read twice
        "other": dict(zip(names, [0.5, 0.5, 0.5, 0.5, 0.5], strict=True)),  # the first of equals is missed
    }


def test_passages_of_one_alternative_are_right_together() -> None:
    gold = [
        *(span(0, 10, alternative="a"), span(20, 30, alternative="a")),
        *(span(20, 30, alternative="b"), span(40, 60, alternative="b")),
        span(80, 90),
    ]
    runs = {
        "first": [span(0, 10), span(20, 30), span(80, 90)],  # all of a
        "second": [span(40, 60), span(20, 30), span(80, 90)],  # all of b
        "mixed": [
            span(0, 10),
            span(40, 60),
            span(80, 90),
        ],  # a third of b later, half of a sooner: 1/2 > 2/3 * 2/3
        "later": [span(40, 60), span(0, 10), span(80, 90)],
    }
    names = ["char_recall", "Recall(relevant=exact,credit=once)@5", "Success(relevant=exact,of=all)@3"]
    found = scores(runs, gold, names)
    assert {run: list(values.values()) for run, values in found.items()} == {
        "first": [1, 1, 1],
        "second": [1, 1, 1],
        "mixed": pytest.approx([20 / 30, 2 / 3, 0]),  # of a and what is in none
        "later": pytest.approx([30 / 40, 2 / 3, 0]),  # of b and what is in none
    }
    # an alternative of a group is not one of another group of that name
    apart = [{**one, "group": "gh"[i % 2]} for i, one in enumerate(gold[:4])]
    assert list(scores(runs, apart, ["char_recall"])["first"].values()) == [1.0]


def test_what_is_alone_in_its_group_is_as_without_one() -> None:
    rng = np.random.default_rng(3)
    gold = [span(start, start + 7, group=f"g{start}") for start in range(0, 90, 10)]
    plain = [{key: value for key, value in one.items() if key != "group"} for one in gold]
    runs = {"r": [span(start, start + 9) for start in rng.integers(0, 90, 6).tolist()]}
    assert scores(runs, gold, MEASURES) == scores(runs, plain, MEASURES)


@pytest.mark.filterwarnings("ignore")
def test_more_alternatives_lower_no_recall() -> None:
    rng = np.random.default_rng(5)
    alone, more, run = [], [], []
    for topic in map(str, range(30)):
        start = int(rng.integers(40, 60))
        first, other, last = (span(*of, topic=topic) for of in ((0, 10), (start, start + 10), (20, 30)))
        alone += [first, last]
        more += [{**first, "group": "a"}, {**other, "group": "a"}, last]
        run += [span(at, at + 6, topic=topic) for at in rng.integers(0, 70, 5).tolist()]
    few, many = (
        focuseval.score("char_recall", gold=gold, runs={"r": run}, per_topic=True)["value"]
        for gold in (alone, more)
    )
    assert len(few) == 31 and (many >= few).all() and (many > few).any()


def test_grades_are_gains_and_thresholds() -> None:
    gold = [span(0, 10, grade=1), span(5, 12, grade=3), span(20, 30, grade=2), span(40, 50, grade=0)]
    runs = {"r": [span(40, 50), span(20, 30), span(0, 4)]}
    discount = [1 / np.log2(rank + 1) for rank in (1, 2, 3)]
    found = scores(
        runs,
        gold,
        [
            "nDCG(relevant=touches)",
            "P(relevant=touches)@2",
            "P(relevant=touches,rel=2)@3",
            "RR(relevant=touches,rel=3)",
        ],
    )["r"]
    # 0-12 is one passage of the highest grade of its parts; of grade 3 only 5-12 is left, which 0-4 does not touch
    ndcg = (2 * discount[1] + 3 * discount[2]) / (3 * discount[0] + 2 * discount[1])
    assert list(found.values()) == pytest.approx([ndcg, 0.5, 1 / 3, 0.0])
    assert scores(runs, gold, ["P(relevant=touches,rel=4)@3"]) == {}  # nothing has it
