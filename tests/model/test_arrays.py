"""Functions on columns of numbers against literal second implementations."""

import numpy as np
import pytest

from focuseval.model.arrays import changes, is_among, place_in_group, ranges


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("largest", [3, 60, 10**12], ids=["all small", "small", "large"])
def test_rows_of_values_in_sorted_keys(seed, largest):
    rng = np.random.default_rng(seed)
    keys = np.sort(rng.integers(0, largest, int(rng.integers(0, 20))))
    if seed % 4 == 3:
        keys = np.append(-1, keys)
    values = np.append(rng.integers(-1, 2 * largest, int(rng.integers(0, 30))), keys[: seed % 3])
    present, place = is_among(values, keys)
    assert present.tolist() == [value in keys.tolist() for value in values.tolist()]
    assert place[present].tolist() == [keys.tolist().index(value) for value in values[present].tolist()]
    assert ((place >= -len(keys)) & (place < max(len(keys), 1))).all()  # every place is a valid index


def test_changes_begin_groups_of_equal_rows():
    run, topic = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1])
    assert changes(run).tolist() == [True, False, False, True, False]
    assert changes(run, topic).tolist() == [True, False, True, True, False]
    assert changes(run[:0], topic[:0]).tolist() == []


def test_ranges_are_concatenated():
    count = np.array([2, 0, 3])
    assert ranges(count).tolist() == [0, 1, 0, 1, 2]
    assert ranges(count, np.array([7, 1, 4])).tolist() == [7, 8, 4, 5, 6]
    assert ranges(count[:0]).tolist() == []


def test_places_in_groups_count_from_0():
    run, topic = np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 1])
    assert place_in_group(run, topic).tolist() == [0, 1, 0, 0, 1]
    assert place_in_group(run[:0]).tolist() == []
