"""Lists that end before a cut-off."""

import warnings

import pytest

import focuseval
from focuseval import score
from focuseval.errors import InputWarning

GOLD = [{"topic": topic, "document": "a.md", "start": 0, "end": 5} for topic in ("q", "r")]
TEXTS = {"a.md": "Hello big world, and all who live there."}


def run(*ends):
    """Return one result of a topic for each end."""
    return [
        {"topic": topic, "document": "a.md", "start": 0, "end": end, "score": 1}
        for topic, end in zip(("q", "r", "unjudged"), ends, strict=False)
    ]


def notes(*measures, **inputs):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        score(list(measures), **inputs)
    return [
        str(one.message)
        for one in caught
        if "not comparable" in str(one.message) or "no list" in str(one.message)
    ]


def test_lists_that_a_budget_is_not_used_up_by_are_counted_by_run():
    runs = {"long": run(20, 20, 3), "even": run(20, 19), "short": run(5, 19)}
    some = [
        "char_recall@20c: even returned fewer than 20 characters on 1 of 2 topics, short on 2 of 2 topics; their scores "
        "are not comparable with others, so retrieve more results"
    ]
    assert notes("char_recall@20c", gold=GOLD, runs=runs) == some
    assert (
        notes("char_recall@20c", gold=GOLD, runs=runs, texts=TEXTS) == some
    )  # words of texts do not matter for characters
    assert notes("char_recall@5c", "char_recall@1", gold=GOLD, runs=runs) == []
    words = notes(
        "char_recall@4w", gold=GOLD, runs=runs, texts=TEXTS
    )  # the first 19 and the first 20 characters have 4 words
    assert words == [
        "char_recall@4w: short returned fewer than 4 words on 1 of 2 topics; its score is not comparable with others, so retrieve more results"
    ]


def test_lists_of_topics_that_the_mean_leaves_out_are_not_counted():
    judged = [GOLD[0], {"topic": "r"}]
    assert notes("char_recall@20c", gold=judged, runs={"run": run(20, 5)}) == []
    assert notes("char_recall@20c", gold=judged, runs={"run": run(20, 5)[1:]}) == []
    [short] = notes("word_F1@20c", gold=judged, runs={"run": run(20, 5)}, texts=TEXTS)
    assert "run returned fewer than 20 characters on 1 of 2 topics" in short


def test_runs_with_different_amounts_of_text_are_compared_on_a_budget():
    """The mean size of lists is 10, 12.5 and 13 characters."""
    runs = {"least": run(8, 12), "alike": run(10, 15), "most": run(10, 16, 30)}
    measures = ["IoU", "IoU@1", "IoU@5c", "AP(relevant=touches)"]
    amounts = (
        "the measure reads 13 characters per topic in most but 10 in least; to compare equal amounts, set a budget, "
        "as in IoU@10c"
    )
    compared = focuseval.compare(measures, gold=GOLD, runs=runs)
    assert [note for note in compared.notes if "amounts" in note] == [f"IoU and IoU@1: {amounts}"]
    del runs["most"]
    assert not any("amounts" in note for note in focuseval.compare("IoU", gold=GOLD, runs=runs).notes)


@pytest.mark.parametrize(
    ("count", "remark"),
    [
        (1, []),
        (2, ["char_recall@2: no list has 2 results"]),
        (500, ["char_recall@500: no list has 500 results; for a budget of 500 characters, write @500c"]),
    ],
)
def test_a_rank_that_no_list_has_may_be_a_budget(count, remark):
    assert notes(f"char_recall@{count}", f"MAP@{count}", gold=GOLD, runs={"x": run(20, 20)}) == remark
