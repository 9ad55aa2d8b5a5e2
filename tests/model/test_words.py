"""Words against the regular expression that says what they are."""

import re
import sys

from hypothesis import given
from hypothesis import strategies as st

from focuseval.model.elements import words_in

texts = st.one_of(st.text(), st.text(alphabet="aä文😀_- \t\n\x1f\x85\u00a0\u2003\u3000\u3001"))


@given(texts)
def test_words_are_runs_of_what_is_no_white_space(text: str) -> None:
    expected = [word.span() for word in re.finditer(r"\S+", text)]
    assert list(zip(*words_in(text), strict=True)) == expected


def test_every_white_space_of_unicode_is_known() -> None:
    points = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    text = "".join(f"{chr(point)}a" for point in points)
    assert len(words_in(text)[0]) == len(re.findall(r"\S+", text))
