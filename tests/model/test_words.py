"""Words against the regular expression that defines them."""

import re
import sys
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focuseval.model.elements import words_in

texts = st.one_of(st.text(), st.text(alphabet="aä文😀_- \t\n\x1f\x85\u00a0\u2003\u3000\u3001"))


@given(texts, st.sets(st.integers(0, 12)))
def test_a_border_ends_the_word_that_holds_it(text, borders):
    places = np.array(sorted(border for border in borders if border <= len(text)), dtype=np.int64)
    pieces = pairwise([0, *places.tolist(), len(text)])
    expected = [
        (low + word.start(), low + word.end())
        for low, high in pieces
        for word in re.finditer(r"\S+", text[low:high])
    ]
    assert list(zip(*words_in(text, places), strict=True)) == expected


@given(texts)
def test_words_are_runs_of_characters_without_white_space(text):
    expected = [word.span() for word in re.finditer(r"\S+", text)]
    assert list(zip(*words_in(text), strict=True)) == expected


def test_every_white_space_of_unicode_separates_words():
    points = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    text = "".join(f"{chr(point)}a" for point in points)
    assert len(words_in(text)[0]) == len(re.findall(r"\S+", text))
