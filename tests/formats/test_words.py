r"""Words of texts as numbers, against the regular expression ``\w+``; compiled, and as the functions stand."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from focuseval.formats.names import Names
from focuseval.formats.words import numbers
from focuseval.model.compiled import Kernel

#: of one byte to four; letters, digits, marks that are and are not part of words, a half surrogate pair
CHARACTERS = [
    "a",
    "b",
    "1",
    "_",
    " ",
    "-",
    ".",
    "\n",
    "é",
    "ß",
    "\u0301",
    "日",
    "\u3000",
    "𝔸",
    "😀",
    "\u200d",
]


@pytest.fixture(params=["compiled", "interpreted"])
def kernel(request: pytest.FixtureRequest) -> Iterator[None]:
    before = Kernel.patience
    Kernel.patience = -1 if request.param == "compiled" else 1 << 40
    yield
    Kernel.patience = before


@pytest.mark.usefixtures("kernel")
def test_words_are_those_of_the_regular_expression_by_their_first_appearance() -> None:
    rng = np.random.default_rng(3)
    names, known = Names(), dict[str, int]()
    for _ in range(60):
        text = "".join(rng.choice(CHARACTERS, int(rng.integers(0, 40))))
        expected = [known.setdefault(word, len(known)) for word in re.findall(r"\w+", text)]
        assert numbers(text.encode(), names).tolist() == expected
    assert names.index().tolist() == list(known)
    assert len(known) > 100


@pytest.mark.usefixtures("kernel")
def test_half_surrogate_pairs_part_words() -> None:
    names = Names()
    assert numbers("one\ud800two one".encode("utf-8", "surrogatepass"), names).tolist() == [0, 1, 0]


def test_names_of_others_get_numbers_in_their_order() -> None:
    mine, theirs = Names(["b", "a"]), Names(["c", "a", "", "b"])
    assert mine.codes_of(theirs).tolist() == [2, 1, 3, 0]
    assert mine.index().tolist() == ["b", "a", "c", ""]
