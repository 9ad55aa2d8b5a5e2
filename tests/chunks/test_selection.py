"""The best selection of chunks against all selections."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.chunks.ceiling import best_selection
from focuseval.model.intervals import covered_before, merge

spans = st.tuples(st.integers(0, 14), st.integers(1, 7)).map(lambda t: (t[0], t[0] + t[1]))


def columns(items):
    start, end = np.array(items, dtype=np.int64).reshape(-1, 2).T
    return start, end


def merged(items):
    start, end = columns(items)
    return merge(np.zeros_like(start), start, end)[1:]


def characters(items):
    return {place for start, end in items for place in range(start, end)}


def read(order, budget):
    """Return the characters that a reader of these chunks has seen when the budget is spent."""
    seen = set()
    for start, end in order:
        seen |= set(range(start, min(end, start + budget)))
        budget -= min(budget, end - start)
    return seen


@settings(max_examples=150)
@given(st.lists(spans, max_size=6), st.lists(spans, min_size=1, max_size=4), st.integers(1, 5))
def test_the_best_number_of_chunks(chunks, gold, limit):
    expected = characters(gold)
    most = (
        max(
            len(expected & characters(s)) for n in range(limit + 1) for s in itertools.combinations(chunks, n)
        )
        if chunks
        else 0
    )
    selection = best_selection(*columns(chunks), *merged(gold), limit, characters=False)
    assert selection.covered == most
    assert len(selection.chunks) <= limit and len(set(selection.chunks)) == len(selection.chunks)
    assert len(expected & characters([chunks[i] for i in selection.chunks])) == most


@settings(max_examples=150)
@given(st.lists(spans, max_size=5), st.lists(spans, min_size=1, max_size=4), st.integers(1, 18))
def test_the_best_reading_of_a_budget(chunks, gold, budget):
    expected = characters(gold)
    orders = (order for n in range(len(chunks) + 1) for order in itertools.permutations(chunks, n))
    most = max(len(expected & read(order, budget)) for order in orders)
    selection = best_selection(*columns(chunks), *merged(gold), budget, characters=True)
    assert selection.covered == most
    assert len(set(selection.chunks)) == len(selection.chunks)
    assert len(expected & read([chunks[i] for i in selection.chunks], budget)) == most


def read_tokens(order, budget):
    """Return the characters that a reader of these chunks, lists of tokens, has seen when the budget is spent."""
    tokens = [token for chunk in order for token in chunk]
    return characters(tokens[:budget])


@settings(max_examples=150)
@given(st.data(), st.lists(spans, max_size=4), st.lists(spans, min_size=1, max_size=4), st.integers(1, 9))
def test_the_best_selection_within_a_budget_of_tokens(data, chunks, gold, budget):
    """Tokens have any length; some have no character, like the bytes of one letter."""
    expected, ends = characters(gold), []
    for start, end in chunks:
        inner = data.draw(st.lists(st.integers(start, end), max_size=4).map(sorted))
        ends.append(np.array([*inner, end]))
    cut = [list(zip([a, *e[:-1]], e, strict=True)) for (a, _), e in zip(chunks, ends, strict=True)]
    orders = [o for n in range(len(cut) + 1) for o in itertools.permutations(range(len(cut)), n)]
    most = max(len(expected & read_tokens([cut[i] for i in order], budget)) for order in orders)
    selection = best_selection(*columns(chunks), *merged(gold), budget, characters=False, tokens=ends)
    assert selection.covered == most
    assert len(expected & read_tokens([cut[i] for i in selection.chunks], budget)) == most


@given(st.lists(spans, min_size=1, max_size=5))
def test_gold_before_a_point(gold):
    points = np.arange(25)
    expected = [len(characters(gold) & set(range(point))) for point in points]
    assert covered_before(points, *merged(gold)).tolist() == expected


def test_greedy_is_not_the_best():
    # The middle chunk has the most gold, but the outer two together have all of it.
    chunks = columns([(0, 50), (20, 80), (50, 100)])
    gold = columns([(0, 100)])
    assert best_selection(*chunks, *gold, 1, characters=False) == (60, [1])
    assert best_selection(*chunks, *gold, 2, characters=False) == (100, [0, 2])
    # The budget of 70 characters cuts the second chunk, whose beginning is new.
    assert best_selection(*chunks, *gold, 70, characters=True) == (70, [0, 2])


@pytest.mark.parametrize("characters", [False, True])
def test_nothing_to_choose_from(characters):
    gold = columns([(0, 5)])
    assert best_selection(*columns([]), *gold, 3, characters=characters) == (0, [])
    assert best_selection(*columns([(5, 9)]), *gold, 3, characters=characters) == (0, [])
