"""The place where a measure's user stops reading, against reading by characters and the measure's values."""

import numpy as np
import pytest

from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.scoring.failures import limit_of
from focuseval.viewer.lists import brought, end_of, gold_of

from ..passages import Case, list_of, random_case


def end_of_reading(name, case):
    spec, topic, results = parse_specs(name, MEASURES)[0], case.topic, list_of(case.passages)
    gold = gold_of(topic)
    return end_of(spec, topic, results, brought(topic, results, gold, topic.relevant_documents), gold)


def literal(case, budget):
    """Return where a reader stops who reads result by result and character by character."""
    read = []
    for place in range(len(case.passages)):
        text = sorted(case.text(place))
        left = budget - len(read)
        if not left or len(text) > left:
            read += text[:left]
            end = {"whole": place, "part": left, "size": len(read), "new": len(set(read))}
            return {**end, "found": len(set(read) & case.relevant)}
        read += text
    return None


def test_budgets_end_where_so_many_characters_are_read():
    ends = []
    for seed in range(60):
        case = random_case(np.random.default_rng(seed))
        for budget in (1, 5, 12, 30, 70):
            ends.append(end_of_reading(f"char_recall@{budget}c", case))
            assert ends[-1] == literal(case, budget)
    reached = [end for end in ends if end]
    assert len(reached) < len(ends) and len({end["part"] > 0 for end in reached}) == 2


@pytest.mark.parametrize("name", ["char_recall@20c", "char_recall@6w", "char_recall@2", "AiP@20c"])
def test_the_text_found_until_the_end_of_reading_gives_the_value(name):
    ended = 0
    for seed in range(40):
        case = random_case(np.random.default_rng(seed))
        end, total = end_of_reading(name, case), len(case.relevant)
        if end is None or not total:
            continue
        ended += 1
        assert 0 <= end["whole"] < len(case.passages)
        value = parse_specs(name.replace("AiP", "char_recall"), MEASURES)[0].value(
            case.topic, list_of(case.passages)
        )
        assert end["found"] / total == pytest.approx(value)
    assert ended > 5


def test_ranks_are_of_results_or_of_documents_at_their_first():
    case = Case([50, 50, 50], [(0, 0, 10)], {}, [(0, 0, 5), (0, 5, 9), (1, 0, 5), (0, 9, 12), (2, 0, 5)])
    for name, whole in (
        ("P(relevant=touches)@2", 2),
        ("P@2", 4),
        ("P@1", 2),
        ("MAP@2", 4),
        ("char_recall@4", 4),
    ):
        end = end_of_reading(name, case)
        assert end is not None and (end["whole"], end["part"]) == (whole, 0)
    for name in ("P@3", "char_recall@5", "char_recall", "iP@0.1", "gP@1"):
        assert end_of_reading(name, case) is None


def test_limits_in_words():
    sentences = {
        "char_recall@2000c": "2,000 characters",
        "char_recall@1": "1 result",
        "P@5": "5 documents",
        "P(relevant=touches)@5": "5 results",
        "AiP@300w": "300 words",
        "gP@5": "",
        "iP@0.1": None,
        "AiP": None,
    }
    assert {name: limit_of(parse_specs(name, MEASURES)[0]) for name in sentences} == sentences
