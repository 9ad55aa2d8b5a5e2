"""Measures of text, words, spans, detected cases and TREC Genomics: worked examples, identities and limits."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.errors import InputWarning
from focuseval.measures import MEASURES, genomics
from focuseval.model.elements import Words
from focuseval.model.judgements import Spans
from tests.measures import text_literal as literal
from tests.passages import list_of, text_of, topic_of, value


@pytest.mark.filterwarnings("ignore::focuseval.InputWarning")
@pytest.mark.parametrize("name", ["DOCUMENT", "PASSAGE", "PASSAGE2", "ASPECT"])
def test_results_of_one_rank_are_read_in_the_order_of_document_names(name):
    gold = [{"topic": "1", "document": "b", "start": 0, "end": 5, "aspects": ["cost"]}]
    tied, read = (
        [
            {"topic": "1", "document": d, "start": 0, "end": 5, "rank": rank}
            for d, rank in zip(order, ranks, strict=True)
        ]
        for order, ranks in (("bac", (1, 1, 2)), ("abc", (1, 2, 3)))
    )
    for texts in (dict.fromkeys("abc", "a text"), None):
        scores = focuseval.score(name, gold=gold, runs={"tied": tied, "read": read}, texts=texts)
        assert scores["value"].nunique() == 1


def test_long_stretches_are_added_up_to_all_digits():
    for start, length in ((0, 1), (0, 300), (200, 100), (255, 2), (256, 1), (1000, 3), (10**6, 10**5)):
        exact = float(np.sum(1 / (start + np.arange(1, length + 1, dtype=np.longdouble))))
        stretch = genomics._harmonic_stretch(np.array([start]), np.array([length]))[0]
        assert stretch == pytest.approx(exact, rel=1e-14)


def test_halves_raise_passage_and_leave_passage2_alone():
    topic = topic_of([100], [(0, 10, 50)])
    whole, halves = [(0, 0, 40)], [(0, 0, 20), (0, 20, 40)]
    assert value(topic, whole, "PASSAGE") == 30 / 40
    assert value(topic, halves, "PASSAGE") == (10 / 20 + 30 / 40) / 2
    assert value(topic, whole, "PASSAGE2") == value(topic, halves, "PASSAGE2")


def test_a_result_that_only_touches_gold_is_no_hit():
    topic = topic_of([100], [(0, 10, 20), (0, 18, 40)])
    assert value(topic, [(0, 0, 10)], "PASSAGE") == 0
    assert value(topic, [(0, 5, 10), (0, 20, 30)], "PASSAGE") == (10 / 15) / 2


def test_the_value_of_a_topic_without_gold():
    topic = topic_of([20], [])
    nothing, something = [], [(0, 0, 5)]
    for name in ("word_F1", "span_F1", "gold_coverage"):
        behind = "" if MEASURES[name].value else "@0.5"
        assert value(topic, nothing, name + behind) == value(topic, something, name + behind) == 0
        assert value(topic, nothing, f"{name}(without_gold=perfect){behind}") == 1
        assert value(topic, something, f"{name}(without_gold=perfect){behind}") == 0
        assert value(topic, nothing, f"{name}(without_gold=left-out){behind}") is None
    for name in ("char_recall", "IoU", "PASSAGE2", "ASPECT"):
        assert value(topic, something, name) is None
    # A list that misses existing gold is never perfect.
    assert value(topic_of([20], [(0, 0, 3)]), nothing, "word_precision(without_gold=perfect)") == 0


def test_of_pairs_with_equal_overlap_the_later_is_matched_first():
    """Result 2 overlaps both gold spans equally, result 1 one of them; the right order matches both."""
    gold, one, other = [(0, 2, 6), (0, 6, 10)], (0, 0, 4), (0, 4, 8)
    assert value(topic_of([10], gold), [one, other], "span_F1@0.2") == 1
    assert value(topic_of([10], gold[::-1]), [one, other], "span_F1@0.2") == 1 / 2
    assert value(topic_of([10], gold), [other, one], "span_F1@0.2") == 1


def test_spans_without_words_return_no_word():
    """`text_of` puts a blank into every document; a span of only this blank has no word."""
    topic = topic_of([20], [])
    blank = text_of(0, 20).index(" ")
    scores = {
        name: value(topic, [(0, blank, blank + 1)], f"{name}(without_gold=perfect){behind}")
        for name, behind in (("word_F1", ""), ("span_F1", "@0.5"))
    }
    assert scores == {"word_F1": 1, "span_F1": 0}


def test_noise_on_topics_without_gold_is_no_gain_if_lower_is_better():
    """Topics t1-t8 have a gold span, u1-u3 none; the noisy run returns four spans for each of u1-u3."""
    gold = [{"topic": f"t{i}", "document": "d", "start": 0, "end": 4} for i in range(1, 9)]
    noise = [
        {"topic": f"u{i}", "document": "d", "start": start, "end": start + 2}
        for i in (1, 2, 3)
        for start in (0, 3, 6, 9)
    ]
    inputs = {
        "gold": [*gold, *({"topic": f"u{i}"} for i in (1, 2, 3))],
        "runs": {"quiet": gold, "noisy": gold + noise},
    }
    with pytest.warns(
        InputWarning, match="3 topics without relevant content are left out of the mean: u1, u2, u3"
    ):
        means = focuseval.score(["over_prediction(average=macro)"], **inputs)
    assert means["value"].tolist() == [1, 1]
    with pytest.warns(InputWarning, match="3 topics without gold are counted: u1, u2, u3"):
        added = focuseval.score(["over_prediction"], **inputs)
    assert added["value"].tolist() == [1, 20 / 8]


@pytest.mark.parametrize(
    "name", ["span_F1@0.5", "contained_F1@0.5", "gold_coverage@1", "any_overlap", "over_prediction"]
)
def test_a_gold_span_with_several_aspects_counts_once_for_any_number_of_lines(name):
    topic = topic_of([40], [(0, 0, 10), (0, 20, 30)])
    documents, starts, ends = np.zeros(3, dtype=np.int64), np.array([0, 20, 0]), np.array([10, 30, 10])
    by_aspect = Spans(documents, starts, ends, ["cost", "", "risk"])
    results = [(0, 0, 10)]
    assert value(dataclasses.replace(topic, spans=by_aspect), results, name) == value(topic, results, name)


def test_summed_counts_exceed_1_and_say_so():
    topic = topic_of([200], [(0, 100, 200)])
    results = [(0, 80, 180), (0, 120, 200), (0, 100, 150)]
    assert value(topic, results, "char_recall(counting=summed)") == 2.1
    assert value(topic, results, "char_recall") == 1
    for name in ("char_recall", "IoU"):
        assert MEASURES[name].bounds_of({"counting": "summed"}) == (0, float("inf"))
        assert MEASURES[name].bounds_of({}) == (0, 1)
        assert MEASURES[name].range == "0 to 1; can exceed 1 with counting=summed"


spans = st.tuples(st.integers(0, 2), st.integers(0, 40), st.integers(1, 15)).map(
    lambda span: (span[0], span[1], span[1] + span[2])
)
TEXT = (
    "char_precision",
    "char_recall",
    "char_F1",
    "IoU",
    "word_precision",
    "word_recall",
    "word_F1",
    "PASSAGE2",
)
SPANS = (
    "span_F1@0.5",
    "contained_F1@0.8",
    "gold_coverage@0.8",
    "any_overlap",
    "PASSAGE",
    "ASPECT",
    "DOCUMENT",
)
LENGTHS = [60, 60, 60]


@settings(max_examples=25)
@given(st.lists(spans, min_size=1, max_size=5), st.lists(spans, max_size=6), st.integers(0, 30))
def test_splitting_and_joining_change_nothing(gold, returned, middle):
    topic = topic_of(LENGTHS, gold)
    pieces = []
    for document, start, end in returned:
        cut = min(start + middle, end)
        pieces += [(document, start, cut), (document, cut, end)]
    for name in (*TEXT, "gold_coverage@0.7", "any_overlap", "char_recall@25c", "char_precision@9c"):
        one, other = (value(topic, list_of(passages), name) for passages in (returned, pieces))
        assert one == pytest.approx(other), name


@settings(max_examples=25)
@given(st.lists(spans, min_size=1, max_size=5), st.lists(spans, max_size=6))
def test_values_are_from_0_to_1_and_recall_never_falls(gold, returned):
    topic = topic_of(LENGTHS, gold)
    for name in (*TEXT, *SPANS, "IoU(counting=chroma)", "char_precision(counting=summed)"):
        assert 0 <= value(topic, list_of(returned), name) <= 1 + 1e-12, name
    for name in (
        "char_recall",
        "char_recall(counting=summed)",
        "word_recall",
        "gold_coverage@0.5",
        "any_overlap",
    ):
        curve = [value(topic, list_of(returned[:k]), name) for k in range(len(returned) + 1)]
        assert curve == sorted(curve), name
    for name in ("char_recall@{}c", "word_recall@{}c", "char_recall@{}w", "word_recall@{}w"):
        curve = [value(topic, list_of(returned), name.format(n)) for n in (1, 2, 5, 10, 20, 50, 100)]
        assert curve == sorted(curve), name
    for name in ("span_F1", "contained_F1", "gold_coverage"):
        curve = [value(topic, list_of(returned), f"{name}@{t}") for t in (0.1, 0.3, 0.5, 0.8, 1)]
        assert curve == sorted(curve, reverse=True), name


@settings(max_examples=20)
@given(st.lists(spans, min_size=1, max_size=5))
def test_returning_the_gold_itself_is_perfect(gold):
    distinct = list(dict.fromkeys(gold))
    topic = topic_of(LENGTHS, distinct)
    for name in (
        *TEXT,
        "span_F1@1",
        "contained_F1@1",
        "gold_coverage@1",
        "any_overlap",
        "DOCUMENT",
    ):
        if name.startswith("word") and not literal.words([text_of(i, 60) for i in range(3)], distinct):
            continue  # only blanks: there are no words
        assert value(topic, list_of(distinct), name) == pytest.approx(1), name
    assert value(topic, list_of(distinct), "over_prediction") == 1


def test_words_are_read_once_and_only_by_measures_of_words():
    texts = {0: "one two", 1: "", 2: "\u00a0caf\u00e9\u2003s. \n"}
    documents_read = []

    def read(documents):
        documents_read.append(documents.tolist())
        return [(i, texts[i]) for i in documents.tolist()]

    words = Words(read)
    document, start, end = np.array([2, 0, 0, 2, -1]), np.array([0, 0, 2, 5, 0]), np.array([2, 3, 5, 7, 9])
    low, high = words.touched(document, start, end)
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [(0, 1), (0, 1), (0, 2), (1, 2), (0, 9)]
    words.touched(np.array([0, 1]), np.array([0, 0]), np.array([7, 0]))
    assert documents_read == [[0, 2], [1]]
    assert (words.end_of(0, 1), words.end_of(2, 0)) == (7, 5)
    # An empty interval touches nothing.
    low, high = words.touched(np.zeros(8, dtype=int), np.arange(8), np.arange(8))
    assert (low == high).all()


PLAGDET = ("plagdet", "plagdet.precision", "plagdet.recall", "plagdet.granularity")


def test_worked_example_of_moments():
    """IoU of the results: 5/15, 8/12 and 10/10 with the first moment, 18/20 with the second."""
    topic = topic_of([100], [(0, 0, 10), (0, 40, 60)])
    read = [(0, 5, 15), (0, 2, 12), (0, 42, 60), (0, 0, 10)]
    assert [value(topic, read, f"IoU_R@{k}") for k in (1, 2)] == [0, 1]
    assert [value(topic, read, f"IoU_R(t=0.7)@{k}") for k in (1, 2, 3)] == [0, 0, 1]
    assert value(topic, read, "IoU_R(t=0.9)@3") == 1
    # Up to .65 ranks 2 and 3 find both moments; up to .9 ranks 3 and 4; at .95 rank 4 finds one.
    assert value(topic, read, "IoU_mAP") == pytest.approx((4 * 2 / 3 + 5 * 1 / 2 + 1 / 4 / 2) / 10)


def test_worked_example_of_cases():
    """Two results have 4 and 3 of 10 characters of one case, one has another case of 20, one none."""
    topic = topic_of([100], [(0, 0, 10), (0, 40, 60)])
    read = [(0, 0, 4), (0, 7, 13), (0, 40, 60), (0, 80, 90)]
    precision, recall, granularity = (1 + 0.5 + 1 + 0) / 4, (0.7 + 1) / 2, 3 / 2
    expected = (2 * precision * recall / (precision + recall)) / math.log2(1 + granularity)
    scores = [value(topic, read, name) for name in PLAGDET]
    assert scores == pytest.approx([expected, precision, recall, granularity])


def test_gold_itself_is_perfect_and_pieces_are_not():
    gold = [(0, 0, 10), (0, 40, 60)]
    topic = topic_of([100], gold)
    for name in (*PLAGDET, "IoU_mAP", "IoU_R(t=1)@1"):
        assert value(topic, gold, name) == 1, name
    halves = [(0, 0, 5), (0, 5, 10), (0, 40, 50), (0, 50, 60)]
    assert value(topic, halves, "plagdet.granularity") == 2
    assert value(topic, halves, "plagdet") == pytest.approx(1 / math.log2(3))
    assert value(topic, [*gold, *gold], "plagdet.granularity") == 2  # a repeated span is another detection
    assert value(topic, [*gold, *gold], "IoU_mAP") == 1


def test_silence_is_not_perfect_if_lower_is_better():
    with pytest.raises(TypeError, match="perfect: not a choice if lower is better"):
        dataclasses.replace(MEASURES["any_overlap"], higher_is_better=False)
