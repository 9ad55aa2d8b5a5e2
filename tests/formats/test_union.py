"""Names of several arrays together."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuseval.formats import union as module
from focuseval.formats.union import union

#: of no byte to many; few different ends, and some
SPELLED = st.one_of(
    st.text("ab", max_size=3), st.text("aé€🙂", max_size=4), st.integers(0, 60).map("document{}.html".format)
)


#: of which the codes know the beginning only
LONG = st.integers(0, 3).map(lambda i: "long" * 100 + str(i))


def by_length(names: pa.Array) -> np.ndarray:
    return np.array([len(name) for name in names.to_pylist()], dtype=np.uint64) << np.uint64(50)


@given(
    st.lists(st.lists(SPELLED | LONG, max_size=30), min_size=1, max_size=4),
    st.sampled_from([None, lambda names: np.zeros(len(names), np.uint64), by_length]),
)
def test_names_of_several_arrays_are_numbered_as_they_appear(
    several: list[list[str]], codes: Callable[[pa.Array], np.ndarray] | None
) -> None:
    """By a table; and by codes of all, also where those of different names are alike."""
    expected: dict[str, int] = {}
    numbers = [[expected.setdefault(name, len(expected)) for name in one] for one in several]
    slices = [pa.array(["before", *one, "behind"], pa.large_string())[1:-1] for one in several]
    by_table = union(slices)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_MANY", 1)
        patched.setattr(module, "differ", lambda some: True)
        if codes:
            patched.setattr(module, "_codes", codes)
        by_codes = union(slices)
    for found, numbered in (by_table, by_codes):
        assert found.to_pylist() == list(expected)
        assert [of.tolist() for of in numbered] == numbers
        assert all(of.dtype == np.int32 for of in numbered)


@given(st.lists(SPELLED, unique=True, max_size=30))
def test_names_that_differ_have_codes_that_differ(several: list[str]) -> None:
    """In their upper bits, too; whatever stands before and behind them."""
    codes = module._codes(pa.array(["before", *several, "behind"], pa.large_string())[1:-1])
    assert len(set((codes >> np.uint64(8)).tolist())) == len(several)
    assert codes.tolist() == [module._codes(pa.array([name], pa.large_string()))[0] for name in several]
