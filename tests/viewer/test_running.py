"""The value after each result is that of the list up to this result."""

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.viewer.lists import at_every_rank, changing, depth_within

from ..passages import list_of, random_case
from ..trees import random_collection, random_list, random_topic

OF_PASSAGES = (
    "AiP", "iP@0.1", "char_recall", "char_precision@3", "IoU(counting=summed)", "char_recall(average=micro)", "AiP@12c",
    "word_F1", "span_F1@0.5", "gold_coverage@0.5", "over_prediction", "MAgP", "T2I", "F", "P@2", "AP", "nDCG@3", "RR", "DOCUMENT",
)  # fmt: skip
OF_ELEMENTS = (
    "nxCG(overlap=off)@3",
    "MAep(overlap=off)",
    "inex2003",
    "precall",
    "EPRUM",
    "ep(overlap=off)@0.5",
    "SR",
)


def compare(name, topic, results):
    spec = parse_specs(name, MEASURES)[0]
    base = spec.prepare(topic)
    if base is None or not len(results):
        return 0
    changes = changing(spec, results, topic.relevant_documents)
    values = at_every_rank(spec, base, results, changes)
    expected = [spec.value(topic, results.first(k)) for k in range(1, len(results) + 1)]
    np.testing.assert_allclose(values, expected, atol=1e-12)
    return int(np.count_nonzero(~changes))


@pytest.mark.parametrize("name", OF_PASSAGES)
def test_of_passages(name):
    skipped = 0
    for seed in range(25):
        case = random_case(np.random.default_rng(seed))
        skipped += compare(name, case.topic, list_of(case.passages))
    assert (skipped > 0) == ("tail" in parse_specs(name, MEASURES)[0].measure.claims)


@pytest.mark.parametrize("name", OF_ELEMENTS)
def test_of_elements(name):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        collection, _ = random_collection(rng, documents=4)
        topic = random_topic(rng, collection, "inex2005")
        try:
            compare(name, topic, random_list(rng, collection, ties=False))
        except InputError:
            pytest.fail(f"{name} cannot be computed")


def test_values_that_are_too_many_end_at_the_same_rank_of_all_lists():
    lists = [np.array([True, True, False, True]), np.array([True, True])]
    assert [depth_within(steps, lists) for steps in (0, 1, 2, 3, 4, 5, 9)] == [0, 0, 1, 1, 3, 4, 4]
    assert depth_within(5, []) == 0
