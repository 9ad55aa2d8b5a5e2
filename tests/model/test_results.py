"""Runs as columns."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.model.judgements import Highlights
from focuseval.model.results import ResultList, Results
from focuseval_papers.simulation.perturbations import highlights_inside


def results(lists, sources=()):
    """Return results by run and topic: rows of elements in ranked order."""
    runs, topics = (list(dict.fromkeys(key[side] for key in lists)) for side in (0, 1))
    rows = sorted(
        ((runs.index(run), topics.index(topic), rank, row) for (run, topic), rows_of_list in lists.items()
         for rank, row in enumerate(rows_of_list, 1))
    )  # fmt: skip
    run, topic, rank, row = (np.array(column) for column in zip(*rows, strict=True))
    return Results(
        pd.Index(runs), pd.Index(topics), run, topic, rank, row * 0, row, row, row + 1, 1.0 / rank,
        np.arange(1, len(row) + 1) if sources else None, sources,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_articles_and_repeats_are_those_of_a_literal_loop(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(0, 12))
    document = rng.choice(40, count, replace=False) if seed % 3 == 0 else rng.integers(0, 6, count)
    element = np.where(rng.random(count) < (seed % 2) / 3, -1, document * 3 + rng.integers(0, 2, count))
    document[rng.random(count) < (seed % 5 == 4) / 2] = -1
    element[document < 0] = -1
    start = np.where(element < 0, rng.integers(0, 2, count), 0)
    result_list = ResultList("r", "1", np.arange(count), document, element, start, start + 5)
    articles = []
    seen = []
    for row in range(count):
        name = int(document[row]) if document[row] >= 0 else f"unknown {row}"
        if name not in articles:
            articles.append(name)
        same = (document[row], element[row], start[row]) if element[row] < 0 else (element[row],)
        assert result_list.article[row] == articles.index(name)
        assert result_list.repeats[row] == (same in seen and document[row] >= 0)
        seen.append(same)


def test_lists_have_numbers_that_can_be_multiplied():
    narrow = results({("a", "1"): [5, 6], ("b", "1"): [7]})
    narrow = replace(narrow, **{name: getattr(narrow, name).astype(np.int32) for name in ("element", "end")})
    assert [len(each) for each in narrow.lists()] == [2, 1]
    for each in narrow.lists():
        assert (each.element * 10**12 == [row * 10**12 for row in each.element.tolist()]).all()
        assert each.end.dtype == np.int64


def test_no_results_have_no_lists():
    whole = results({("a", "1"): [5]})
    columns = ("run", "topic", "rank", "document", "element", "start", "end", "score")
    none = replace(whole, **{name: getattr(whole, name)[:0] for name in columns})
    assert list(none.lists()) == [] and none.bounds.tolist() == [0]


def test_text_is_found_in_documents_of_high_number():
    text = Highlights(np.array([400_000, 500_000]), np.array([90_000, 10]), np.array([90_020, 30]))
    numbers = (np.array(column, dtype=np.int32) for column in ([500_000, 400_000], [0, 90_010], [20, 90_100]))
    place, start, end = highlights_inside(text, *numbers)
    assert (place.tolist(), start.tolist(), end.tolist()) == ([0, 1], [10, 90_010], [20, 90_020])


def test_elements_are_found_among_others_as_in_a_loop():
    rng = np.random.default_rng(4)
    for targets in (np.empty(0, dtype=np.int64), np.sort(rng.choice(40, 9)), 10**9 + np.arange(0, 99, 7)):
        element = np.append(rng.choice(np.append(targets, [5, 17]), 30), [-1, -1])
        present, place = ResultList("a", "1", *[element] * 5).found_among(targets)
        assert present.tolist() == [value in targets for value in element.tolist()]
        assert (targets[place[present]] == element[present]).all()
