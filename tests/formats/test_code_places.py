"""Places in source code from diffs, answers of agents and JSON lines; `places.transcript` shows what is read."""

import difflib
from time import process_time

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.formats.code_places import Place, is_diff, places_in_answer, places_in_diff, read_places


@pytest.mark.parametrize("context", [0, 1, 3])
def test_lines_of_random_diffs_against_the_operations_they_are_made_of(context):
    rng = np.random.default_rng(context)
    for _ in range(200):
        old = [f"line {rng.integers(4)}\r\n" for _ in range(rng.integers(1, 12))]
        new = [line for line in old if rng.random() > 0.2]
        for _ in range(rng.integers(3)):
            new.insert(int(rng.integers(len(new) + 1)), "new\r\n")
        expected = set()
        for kind, low, high, _, _ in difflib.SequenceMatcher(None, old, new).get_opcodes():
            if kind in ("delete", "replace"):
                expected |= set(range(low + 1, high + 1))
            elif kind == "insert":
                expected |= {low, low + 1}
        diff = "".join(difflib.unified_diff(old, new, "a/x.py", "b/x.py", n=context))
        places = [place for place in places_in_diff(diff, Place("t")) if place.lines]
        touched = {line for place in places for line in range(place.lines[0], place.lines[1] + 1)}
        assert touched & set(range(1, len(old) + 1)) == expected & set(range(1, len(old) + 1)), (old, new)
        assert all(
            old[number - 1].strip() == numbered.strip()
            for place in places
            for number, numbered in place.old_lines
        )


@pytest.mark.parametrize(
    "line",
    [
        "a" + " " * 40_000 + "b",
        "a" + "`" * 40_000 + "b",
        "a/" * 20_000 + "(",
        "a.b" * 20_000 + "(",
        "a:1" * 20_000 + "x",
    ],
)
def test_an_answer_of_one_long_line_is_read_in_linear_time(line):
    """A quadratic reader needs more than 10 s for these."""
    begun = process_time()
    assert len([*places_in_answer(f"{line}\nm.py:3\nfunction: f{' ' * 40_000}", Place("q"))]) <= 3
    assert process_time() - begun < 1


def test_problems_of_rows_in_memory_name_the_row():
    rows = [{"topic": "t", "path": "a.py"}, {"topic": "t", "path": "a.py", "function": "f"}]
    with pytest.raises(InputError, match='gold, row 1: the key "function" is unknown; did you mean "name"?'):
        list(read_places(rows, "gold", None))


def test_an_empty_text_is_a_diff_without_places():
    assert list(places_in_diff("", Place("t"))) == [] and is_diff(" \n") and not is_diff("a.py:3\n")
