"""Intervals against sets of characters."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.model.intervals import covered, meetings, merge, new_text

intervals = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 25), st.integers(0, 25)).map(
        lambda t: (t[0], min(t[1:]), max(t[1:]))
    ),
    max_size=25,
)


def columns(items):
    table = np.array(items, dtype=np.int64).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]


def characters(item):
    return {(item[0], place) for place in range(item[1], item[2])}


@settings(max_examples=120)
@given(intervals)
def test_new_text_is_in_no_earlier_interval(items):
    seen = set()
    expected = []
    for item in items:
        expected.append(len(characters(item) - seen))
        seen |= characters(item)
    assert new_text(*columns(items)).tolist() == expected


@settings(max_examples=120)
@given(intervals)
def test_merge_is_the_union_in_as_few_intervals_as_can_be(items):
    merged = list(zip(*(column.tolist() for column in merge(*columns(items))), strict=True))
    union = set().union(*(characters(item) for item in items))
    assert set().union(*(characters(item) for item in merged)) == union
    assert sum(end - start for _, start, end in merged) == len(union)
    assert merged == sorted(merged) and all(start < end for _, start, end in merged)
    assert not any(a[0] == b[0] and a[2] >= b[1] for a, b in pairwise(merged))


@settings(max_examples=120)
@given(intervals, intervals)
def test_covered_counts_common_characters(items, outer):
    union = set().union(*(characters(item) for item in items))
    disjoint = merge(*columns(items))
    shuffled = np.random.default_rng(0).permutation(len(disjoint[0]))
    held = covered(*(column[shuffled] for column in disjoint), *columns(outer))
    assert held.tolist() == [len(characters(item) & union) for item in outer]


def test_unresolved_results_meet_no_text():
    group, start, end = columns([(0, -18, 0), (0, 0, 5), (0, -18, 0), (1, -18, 0)])
    assert new_text(group, start, end).tolist() == [18, 5, 0, 18]


def test_many_intervals_of_large_texts():
    rng = np.random.default_rng(3)
    group = rng.integers(0, 50_000, 4000)
    start = rng.integers(0, 2**31 - 2**20, 4000)
    end = start + rng.integers(0, 2**20, 4000)
    group[::2], start[::2] = group[1::2], start[1::2]
    expected, seen = [], dict[int, list[tuple[int, int]]]()
    for g, a, b in zip(group.tolist(), start.tolist(), np.maximum(start, end).tolist(), strict=True):
        new = [(a, b)]
        for c, d in seen.get(g, []):
            new = [p for x, y in new for p in ((x, min(y, c)), (max(x, d), y)) if p[0] < p[1]]
        expected.append(sum(y - x for x, y in new))
        seen.setdefault(g, []).append((a, b))
    assert new_text(group, start, np.maximum(start, end)).tolist() == expected


@settings(max_examples=120)
@given(intervals, intervals)
def test_meetings_are_all_pairs_that_share_text(items, targets):
    pairs = (
        (i, j, characters(one) & characters(other))
        for i, one in enumerate(items)
        for j, other in enumerate(targets)
    )
    expected = [(i, j, len(both)) for i, j, both in pairs if both]
    assert list(zip(*meetings(*columns(targets), *columns(items)), strict=True)) == expected
