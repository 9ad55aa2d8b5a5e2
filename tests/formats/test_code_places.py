"""Places in source code: of diffs, of what agents print, of JSON lines."""

import difflib

import numpy as np
import pytest

from focuseval.formats.code_places import Place, places_in_diff


@pytest.mark.parametrize("context", [0, 1, 3])
def test_lines_of_random_diffs_against_the_operations_they_are_made_of(context: int) -> None:
    rng = np.random.default_rng(context)
    for _ in range(200):
        old = [f"line {rng.integers(4)}\r\n" for _ in range(rng.integers(1, 12))]
        new = [line for line in old if rng.random() > 0.2]
        for _ in range(rng.integers(3)):
            new.insert(int(rng.integers(len(new) + 1)), "new\r\n")
        expected: set[int] = set()
        for kind, low, high, _, _ in difflib.SequenceMatcher(None, old, new).get_opcodes():
            if kind in ("delete", "replace"):
                expected |= set(range(low + 1, high + 1))
            elif kind == "insert":
                expected |= {low, low + 1}
        diff = "".join(difflib.unified_diff(old, new, "a/x.py", "b/x.py", n=context))
        places = [place for place in places_in_diff(diff, Place("t")) if place.lines]
        found = {line for place in places for line in range(place.lines[0], place.lines[1] + 1)}
        assert found & set(range(1, len(old) + 1)) == expected & set(range(1, len(old) + 1)), (old, new)
        assert all(old[number - 1].strip() == said.strip() for place in places for number, said in place.says)
