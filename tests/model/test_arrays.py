"""What is asked of columns of numbers, beside a literal second way."""

import numpy as np
import pytest

from focuseval.model.arrays import is_among


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("largest", [3, 60, 10**12], ids=["all small", "small", "large"])
def test_values_are_found_among_known_ones(seed: int, largest: int) -> None:
    rng = np.random.default_rng(seed)
    known = np.sort(rng.integers(0, largest, int(rng.integers(0, 20))))
    if seed % 4 == 3:
        known = np.append(-1, known)
    values = np.append(rng.integers(-1, 2 * largest, int(rng.integers(0, 30))), known[: seed % 3])
    found, place = is_among(values, known)
    assert found.tolist() == [value in known.tolist() for value in values.tolist()]
    assert place[found].tolist() == [known.tolist().index(value) for value in values[found].tolist()]
    assert ((place >= -len(known)) & (place < max(len(known), 1))).all()  # places of all, to be passed over
