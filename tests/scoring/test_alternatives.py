"""Alternative gold passages: each number of a list is that of its best choice."""

import warnings
from itertools import combinations

import numpy as np
import pytest

import focuseval
from focuseval.errors import InputError
from focuseval.measures import MEASURES as KNOWN
from focuseval.measures import parse_specs
from focuseval.transformations.declaration import parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval.viewer.lists import best_at_every_rank

MEASURES = [
    "char_recall",
    "char_precision",
    "AiP",
    "span_F1@0.5",
    "P(relevant=touches)@3",
    "AP(relevant=touches)",
]


def span(start, end, **more):
    return {"topic": "q", "document": "d", "start": start, "end": end, **more}


GOLD = [span(0, 10, group="a"), span(20, 40, group="a"), span(50, 60)]


def scores(runs, gold, measures):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores_by_run = focuseval.to_dict(focuseval.score(measures, gold=gold, runs=runs))
    return {run: values["all"] for run, values in scores_by_run.items()}


def test_a_group_is_found_with_its_best_member():
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
    # the values are recall, precision, found places, right places among two, and F1 of spans
    assert scores(runs, GOLD, names) == {
        "first": dict(zip(names, [1, 1, 1, 1, 1], strict=True)),
        "second": dict(zip(names, [1, 1, 1, 1, 1], strict=True)),
        "both": dict(zip(names, [1, 30 / 40, 1, 0.5, 0.8], strict=True)),  # the same answer is read twice
        "other": dict(
            zip(names, [0.5, 0.5, 0.5, 0.5, 0.5], strict=True)
        ),  # the first of equal choices counts, and it is missed
    }


TAIL = [{"topic": "q", "document": name, "start": 0, "end": 100, "group": "x"} for name in ("A", "B")]


def test_a_complete_alternative_counts_even_if_another_was_begun():
    results = [{**TAIL[1], "end": 60}, TAIL[0], {**TAIL[0], "document": "C"}, {**TAIL[0], "document": "D"}]
    names = [
        "RR(relevant=touches)",
        "Success(relevant=touches)@1",
        "char_recall@1",
        "Success(relevant=exact)@2",
    ]
    lists = {"short": results[:2], "long": results}
    for gold in (TAIL, TAIL[::-1]):
        assert {run: list(of.values()) for run, of in scores(lists, gold, names).items()} == {
            "short": [1, 1, 0.6, 1],
            "long": [1, 1, 0.6, 1],
        }


def test_counts_that_are_added_up_are_those_of_each_topics_best_choice():
    gold = [
        span(0, 10, group="a"),
        span(20, 40, group="a"),
        span(0, 30, topic="r"),
        span(0, 90, topic="s", group="b"),
    ]
    gold.append(span(100, 110, topic="s", group="b"))
    runs = {"r": [span(20, 40), span(0, 15, topic="r")]}
    # found are all 20 units of q, 15 of 30 of r, and of the missing s none of the shorter alternative's 10
    values = scores(
        runs, gold, ["char_recall(average=micro)", "char_precision(average=micro)", "any_overlap"]
    )
    assert list(values["r"].values()) == [35 / 60, 1.0, 2 / 3]


@pytest.mark.filterwarnings("ignore")
def test_too_many_choices_are_searched_and_reported_once():
    gold = [span(10 * at, 10 * at + 5 + at % 2, group=str(at // 2)) for at in range(22)]
    runs = {name: [span(10 * at + 1, 10 * at + 6) for at in (0, 1, 3, 5)] for name in "rs"}
    with pytest.warns(focuseval.InputWarning) as warned:
        table = focuseval.score(["char_recall", "Recall(relevant=touches)@2"], gold=gold, runs=runs)
    notice = (
        "1 topic has more than 1,024 combinations of alternatives, so each group was optimised in turn (q)"
    )
    assert [str(one.message) for one in warned if "alternatives" in str(one.message)] == [notice]
    # of three groups, 5 of 6 units are read, more than 4 of 5; of the other groups, the shorter passage has 5 units
    assert table["value"].tolist()[:2] == pytest.approx([15 / 58, 1 / 11])
    chunks = {"mine": [{"document": "d", "start": 0, "end": 6}]}
    assert notice in focuseval.ceiling(chunks, gold=gold, at=["1"]).notes


def test_a_page_has_the_best_choice_at_every_rank():
    gold = [*TAIL, {**TAIL[0], "document": "E", "group": "y"}]
    results = [{**TAIL[1], "end": 60}, TAIL[0], {**TAIL[0], "document": "C"}]
    campaign = focuseval.read_campaign(gold=gold, runs={"r": results})
    [topic] = campaign.topics
    [spec] = parse_specs("char_recall", KNOWN)
    [listed] = campaign.results.lists()
    values = best_at_every_rank(spec, topic, spec.prepare(topic), listed, np.ones(3, dtype=np.bool_))
    assert values.tolist() == [0.3, 0.5, 0.5]


def test_a_ceiling_is_that_of_the_best_choice():
    chunks = [{"document": "B", "start": 0, "end": 100}, {"document": "A", "start": 0, "end": 50}]
    for gold in (TAIL, TAIL[::-1]):
        record = focuseval.ceiling({"mine": chunks}, gold=gold, at=["1", "50c"]).records[0]
        kept = ("gold", "gold_in_no_chunk", "spans", "spans_in_no_single_chunk", "recall@1", "recall@50c")
        assert [record[key] for key in kept] == [100, 0, 1, 0, 1.0, 0.5]
        assert record["chunks@1"][0]["document"] == "B"


@pytest.mark.filterwarnings("ignore")
def test_ideal_lists_have_one_alternative():
    gold = [span(0, 10, group="a"), span(20, 50, group="a", grade=2), span(60, 65)]
    campaign = focuseval.read_campaign(gold=gold, runs={"r": gold})
    for which, place in (("shortest", (0, 10)), ("longest", (20, 50)), ("graded", (20, 50))):
        applied = parse_applied(f"ideal(kind=spans,alternative={which})", TRANSFORMATIONS)
        ideal_lists = applied.transform(campaign.results, campaign.topics)
        assert list(zip(ideal_lists.start, ideal_lists.end, strict=True)) == [place, (60, 65)]


def test_passages_of_one_alternative_are_right_together():
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
        ],  # half of a, two thirds of b
        "later": [span(40, 60), span(0, 10), span(80, 90)],
    }
    names = ["char_recall", "Recall(relevant=exact,credit=once)@5", "Success(relevant=exact,of=all)@3"]
    values_of_runs = scores(runs, gold, names)
    assert {run: list(values.values()) for run, values in values_of_runs.items()} == {
        "first": [1, 1, 1],
        "second": [1, 1, 1],
        "mixed": pytest.approx([30 / 40, 2 / 3, 0]),  # of b and what is in none
        "later": pytest.approx([30 / 40, 2 / 3, 0]),  # of b and what is in none
    }
    # alternatives with the same name in different groups are different
    apart = [{**one, "group": "gh"[i % 2]} for i, one in enumerate(gold[:4])]
    assert list(scores(runs, apart, ["char_recall"])["first"].values()) == [1.0]


def test_a_passage_alone_in_its_group_counts_as_ungrouped():
    rng = np.random.default_rng(3)
    gold = [span(start, start + 7, group=f"g{start}") for start in range(0, 90, 10)]
    plain = [{key: value for key, value in one.items() if key != "group"} for one in gold]
    runs = {"r": [span(start, start + 9) for start in rng.integers(0, 90, 6).tolist()]}
    assert scores(runs, gold, MEASURES) == scores(runs, plain, MEASURES)


@pytest.mark.filterwarnings("ignore")
def test_more_alternatives_lower_no_recall():
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


def test_grades_are_gains_and_thresholds():
    gold = [span(0, 10, grade=1), span(5, 12, grade=3), span(20, 30, grade=2), span(40, 50, grade=0)]
    runs = {"r": [span(40, 50), span(20, 30), span(0, 4)]}
    discount = [1 / np.log2(rank + 1) for rank in (1, 2, 3)]
    values = scores(
        runs,
        gold,
        [
            "nDCG(relevant=touches)",
            "P(relevant=touches)@2",
            "P(relevant=touches,rel=2)@3",
            "RR(relevant=touches,rel=3)",
        ],
    )["r"]
    # of the three items, 0-4 touches the one with grade 1
    ndcg = (2 * discount[1] + discount[2]) / (3 * discount[0] + 2 * discount[1] + discount[2])
    assert list(values.values()) == pytest.approx([ndcg, 0.5, 1 / 3, 0.0])
    with pytest.raises(InputError, match="no topic has relevant content"):  # no item has this grade
        scores(runs, gold, ["P(relevant=touches,rel=4)@3"])


@pytest.mark.filterwarnings("ignore")
def test_no_list_is_better_than_the_best_ideal_list():
    """One alternative is a passage of 50 units, the other two of 40; P prefers two, recall on a budget one."""
    gold = [
        span(0, 50, alternative="one"),
        span(100, 140, alternative="two"),
        span(200, 240, alternative="two"),
    ]
    measures = ["P(relevant=exact)@2", "char_recall@50c", "char_RBP"]
    findings = focuseval.audit(
        measures, gold=gold, runs={"one": gold[:1], "two": gold[1:]}, transformations=["ideal"]
    )
    assert findings["verdict"].tolist() == ["not broken"] * 3
    assert findings["note"].str.rpartition(" ")[2].tolist()[:2] == ["1", "1"]


@pytest.mark.filterwarnings("ignore")
def test_a_ceiling_is_the_best_score_of_any_list_of_chunks():
    rng = np.random.default_rng(11)
    for _ in range(6):
        starts = rng.integers(0, 40, 5).tolist()
        gold = [span(at, at + 12, group=str(i % 2)) for i, at in enumerate(starts)]
        chunks = [{"document": "d", "start": at, "end": at + 9} for at in range(0, 54, 9)]
        runs = {
            str(chosen): [span(chunks[i]["start"], chunks[i]["end"]) for i in chosen]
            for chosen in combinations(range(len(chunks)), 2)
        }
        best = max(values["char_recall@2"] for values in scores(runs, gold, ["char_recall@2"]).values())
        for order in (gold, gold[::-1]):
            assert focuseval.ceiling({"c": chunks}, gold=order, at=["2"]).records[0]["recall@2"] == best
