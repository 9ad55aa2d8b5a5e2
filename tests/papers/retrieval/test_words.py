r"""Words of texts as numbers, against the regular expression ``\w+``; compiled, and as the function stands."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from focuseval.model.compiled import Kernel
from focuseval_papers.retrieval.indexing import numbered_words

#: of one byte to four; letters, digits, marks that are and are not part of words, half a surrogate pair
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
    "\ud800",
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
    texts = ["".join(rng.choice(CHARACTERS, int(rng.integers(0, 40)))) for _ in range(60)]
    known: dict[str, int] = {}
    expected = [[known.setdefault(word, len(known)) for word in re.findall(r"\w+", text)] for text in texts]
    words, spelled = numbered_words(texts)
    assert [each.tolist() for each in words] == expected
    assert spelled.to_pylist() == list(known)
    assert len(known) > 100


@pytest.mark.parametrize("texts", [[], [""], ["", " - "], ["one"]])
def test_texts_without_words(texts: list[str]) -> None:
    words, spelled = numbered_words(texts)
    assert [each.tolist() for each in words] == [[0] if text == "one" else [] for text in texts]
    assert spelled.to_pylist() == ["one"] * ("one" in texts)
