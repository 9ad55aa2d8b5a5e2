"""Names of several arrays together."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuseval.formats import names
from focuseval.formats.names import union

#: of no byte to many; few different ends, and some
SPELLED = st.one_of(
    st.text("ab", max_size=3), st.text("aé€🙂", max_size=4), st.integers(0, 60).map("document{}.html".format)
)


@given(st.lists(st.lists(SPELLED, unique=True, max_size=30), min_size=1, max_size=4), st.integers(1, 40))
def test_names_of_several_arrays_are_numbered_as_they_appear(several: list[list[str]], many: int) -> None:
    expected: dict[str, int] = {}
    numbers = [[expected.setdefault(name, len(expected)) for name in one] for one in several]
    slices = [pa.array(["before", *one, "behind"], pa.large_string())[1:-1] for one in several]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(names, "_MANY", many)
        patched.setattr(names, "_differ", lambda some: True)
        found, numbered = union(slices)
    assert found.to_pylist() == list(expected)
    assert [of.tolist() for of in numbered] == numbers
    assert all(of.dtype == np.int32 for of in numbered)
