"""Examples: they show the breach, and nothing can be left out of them."""

import re

import numpy as np
import pytest

from focuseval.auditing.examples import (
    Breach,
    case_of,
    gold_of,
    is_sound,
    smallest,
    stretches,
    with_documents,
    with_elements,
    with_gold,
    with_results,
    without_text,
)
from focuseval.auditing.public import embedded
from focuseval.measures import MEASURES, parse_specs
from focuseval.transformations.declaration import parse_applied
from focuseval.transformations.declared import TRANSFORMATIONS
from tests.auditing.campaigns import broken, random_campaign


def first_breach(measure, transformation):
    (spec,) = parse_specs(measure, MEASURES)
    applied = parse_applied(transformation, TRANSFORMATIONS)
    breach = Breach(spec, applied, applied.expected(spec), 0.01)
    topics, results = embedded()
    by_name = {topic.name: topic for topic in topics}
    for ranking in results.lists():
        case = case_of(by_name[ranking.topic], results, ranking.run)
        if breach.shown(case):
            return case, breach
    raise AssertionError("no list shows it")


def smaller_ones(case):
    """Yield each case that lacks one result, passage, document, element or character."""
    for count, keep in (
        (len(case.results), with_results),
        (gold_of(case), with_gold),
        (len(case.collection.names), with_documents),
        (len(case.collection), with_elements),
    ):
        for i in range(count):
            kept = np.arange(count) != i
            fewer = keep(case, kept)
            if (len(fewer.collection), len(fewer.results), gold_of(fewer)) != (
                len(case.collection),
                len(case.results),
                gold_of(case),
            ):
                yield fewer
    for document, start, end in stretches(case):
        for at in range(start, end):
            yield without_text(case, document, at, at + 1)


@pytest.mark.parametrize(
    ("measure", "transformation"),
    [
        ("PASSAGE", "halves"),
        ("nxCG@5", "larger"),
        ("nxCG@5", "ideal"),
        ("T2I.rank", "smaller"),
        ("EPRUM", "ties"),
        ("inex2003(variant=s)", "ancestors"),
    ],
)
def test_nothing_can_be_left_out(measure, transformation):
    case, breach = first_breach(measure, transformation)
    reduced = smallest(case, breach)
    assert breach.shown(reduced)
    assert len(reduced.results) <= len(case.results)
    assert not any(is_sound(one) and len(one.results) and breach.shown(one) for one in smaller_ones(reduced))
    if transformation != "ideal":
        assert broken(breach.spec, breach.applied, reduced.topic, reduced.results) >= 0.01 * (1 - 1e-6)


def test_an_example_is_described():
    text = (lambda case, breach: breach.text(smallest(case, breach)))(*first_breach("PASSAGE", "halves"))
    lines = text.splitlines()
    assert [line for line in lines if not line.startswith(" ")][:-1] == ["documents", "gold", "run", "halves"]
    before, after = re.fullmatch(
        r"PASSAGE: (\S+) before, (\S+) after \(expected: the same\)", lines[-1]
    ).groups()
    assert abs(float(after) - float(before)) >= 0.01


def test_scores_stay_when_untouched_documents_elements_and_text_are_left_out():
    (spec,) = parse_specs("char_recall", MEASURES)
    for seed in range(30):
        topic, results = random_campaign(seed)
        case = case_of(topic, results, "elements")
        of = np.unique(np.concatenate([case.results.document, topic.spans.document]))
        kept = np.isin(np.arange(len(topic.collection.names)), of)
        fewer = with_documents(case, kept)
        bare = with_elements(fewer, np.zeros(len(fewer.collection), dtype=bool))
        values = [spec.value(one.topic, next(one.results.lists())) for one in (case, fewer, bare)]
        assert values[0] == pytest.approx(values[1]) == pytest.approx(values[2])
        for one in (fewer, bare):
            collection = one.collection
            rows = np.flatnonzero(collection.parent >= 0)
            above = collection.parent[rows]
            assert (collection.start[above] <= collection.start[rows]).all()
            assert (collection.end[above] >= collection.end[rows]).all()
            assert (collection.depth[rows] == collection.depth[above] + 1).all()
            assert ((above < rows) & (rows < collection.last[above])).all()
