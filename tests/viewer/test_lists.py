"""Contributions of results, against sets of characters and the arrays of measures."""

import numpy as np
import pandas as pd
import pytest

from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.model.judgements import Topic
from focuseval.viewer.lists import REASONS, brought, gold_of, judged_as

from ..passages import flat_collection, list_of, random_case, topic_of
from ..trees import element_list, random_collection, random_topic

COLUMNS = ("size", "new", "gold", "found")


def columns_of(case):
    topic = case.topic
    has = brought(topic, list_of(case.passages), gold_of(topic), topic.relevant_documents)
    return {name: getattr(has, name).tolist() for name in (*COLUMNS, "why")}


def literal(case):
    """Compute the contributions of results from sets of characters."""
    seen = set()
    gold_documents = {document for document, _ in case.relevant}
    rows = []
    for index, (document, start, _) in enumerate(case.passages):
        text = case.text(index)
        new, gold = text - seen, text & case.relevant
        right = gold - seen
        if start is None or document < 0:
            why = "lost"
        elif not text:
            why = "empty"
        elif right:
            why = "found" if new == text else "partly"
        elif not new:
            why = "again"
        elif gold:
            why = "known"
        else:
            why = "beside" if document in gold_documents else "outside"
        rows.append((len(text), len(new), len(gold), len(right), list(REASONS).index(why)))
        seen |= text
    return {name: [row[i] for row in rows] for i, name in enumerate((*COLUMNS, "why"))}


@pytest.mark.parametrize("seed", range(60))
def test_lengths_and_reasons_are_those_of_sets_of_characters(seed):
    case = random_case(np.random.default_rng(seed))
    assert columns_of(case) == literal(case)


def test_random_cases_have_every_reason():
    seen = {why for seed in range(60) for why in literal(random_case(np.random.default_rng(seed)))["why"]}
    assert {list(REASONS)[why] for why in seen} == set(REASONS) - {"judged", "unjudged"}


RELEVANT = [seed for seed in range(40) if random_case(np.random.default_rng(seed)).relevant]


@pytest.mark.parametrize("seed", RELEVANT)
def test_lengths_add_up_to_what_measures_compute_at_every_rank(seed):
    case = random_case(np.random.default_rng(seed))
    topic, results = case.topic, list_of(case.passages)
    size, new, gold, new_gold = (np.cumsum(columns_of(case)[name]) for name in COLUMNS)
    total = len(case.relevant)
    for k in range(1, len(results) + 1):
        sizes = {"once": (new_gold[k - 1], new[k - 1]), "summed": (gold[k - 1], size[k - 1])}
        for counting, (right, read) in sizes.items():
            expected = {
                "char_recall": right / total,
                "char_precision": right / max(read, 1),
                "IoU": right / (read + total - right),
            }
            for name, value in expected.items():
                spec = parse_specs(f"{name}(counting={counting})@{k}", MEASURES)[0]
                assert spec.value(topic, results) == pytest.approx(value, abs=1e-12), (name, k)


@pytest.mark.parametrize("scale, wholly", [("inex2003", 3), ("inex2005", 1)])
def test_gold_of_judged_elements_is_the_text_of_fully_specific_ones(scale, wholly):
    rng = np.random.default_rng(5)
    for _ in range(20):
        collection, nodes = random_collection(rng)
        topic = random_topic(rng, collection, scale)
        pairs = zip(topic.element, topic.exhaustivity, topic.specificity, strict=True)
        gold = {c for row, e, s in pairs if e and s == wholly for c in nodes[row].text}
        passages = gold_of(topic)
        parts = zip(passages.document, passages.start, passages.end, strict=True)
        assert {(d, i) for d, start, end in parts for i in range(start, end)} == gold


def graded(sizes):
    collection = flat_collection(sizes)
    nothing = np.empty(0)
    return Topic(
        "t", "grades", collection, nothing.astype(np.int64), nothing, nothing, None,
        assessed=np.array([2, 0]), grade=np.array([1, 0]),
    )  # fmt: skip


@pytest.mark.parametrize("sizes, unit", [([-1, -1, -1], 1), ([30, 20, 10], 10)])
def test_graded_documents_are_read_as_wholes(sizes, unit):
    topic = graded(sizes)
    rows = np.array([2, 0, 2])
    results = element_list(topic.collection, rows)
    has = brought(topic, results, gold_of(topic), topic.relevant_documents)
    assert has.found.tolist() == [unit, 0, 0] and has.gold.tolist() == [unit, 0, unit]
    assert [list(REASONS)[i] for i in has.why] == ["found", "outside", "again"]
    assert judged_as(topic, results) == ["grade 1", "grade 0", "grade 1"]


def test_elements_of_unknown_size_are_classified_by_their_judgements():
    collection = flat_collection([-1, -1])
    topic = Topic("t", "inex2003", collection, np.array([1]), np.array([2.0]), np.array([3.0]), None)
    results = element_list(collection, np.array([0, 1, 1]))
    has = brought(topic, results, gold_of(topic), topic.relevant_documents)
    assert [list(REASONS)[i] for i in has.why] == ["unjudged", "judged", "again"]
    assert has.size.tolist() == has.new.tolist() == [0, 0, 0]
    assert judged_as(topic, results) == ["", "E2 S3", "E2 S3"]


def test_a_topic_without_anything_relevant_has_no_gold():
    topic = topic_of([5], [])
    assert not len(gold_of(topic).document) and not len(topic.relevant_documents)
    assert pd.Index(judged_as(topic, list_of([(0, 0, 1)]))).tolist() == [""]
