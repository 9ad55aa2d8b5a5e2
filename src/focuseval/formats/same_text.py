"""Compare two texts: verbatim, after normalisation, or by the share of common characters.

`focuseval locate` writes into each line how it found the line's text in the document (``normalise``, ``share``).
`is_same` later compares the text with the document in the same way.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from focuseval.model.arrays import Ints

#: levels of normalisation, each of which ignores more differences between texts than the level before it
Normalisation = Literal["none", "spaces", "hyphenation", "typography"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

#: the normalisation by which a text is compared with the document unless its line gives another one
USUAL: Normalisation = "spaces"

#: makes quotes and dashes plain, and removes marks of Markdown, soft hyphens and zero-width characters
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛‹›′´", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("*_`~#|>\\[]\u00ad\u200b\u200c\u200d\u2060\ufeff")
)

#: ranges of combining marks, such as accents
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
#: patterns of one combining mark, and of a character with its combining marks
_MARK, _UNIT = re.compile(f"[{_MARKS}]"), re.compile(f".[{_MARKS}]*", re.DOTALL)

#: in a text without white space, matches hyphens that may divide a word: between letters or at an end of the text
_HYPHEN = re.compile(r"(?<![\W\d_])[-‐‑\u00ad](?![\W\d_])")


@cache
def _composed(unit: str) -> str:
    return "".join(unicodedata.normalize("NFC", unit).split())


@cache
def _folded(unit: str) -> str:
    """Return the plainest form of a character: ligatures and ellipses are expanded, quotes and dashes are plain."""
    folded = unicodedata.normalize("NFKC", unit.translate(_TYPOGRAPHY))
    return "".join(folded.translate(_TYPOGRAPHY).split())


@dataclass(frozen=True)
class Normalised:
    """A normalised text, with the offset of each of its characters in the original text.

    In the original text, a character and its combining marks are one unit.
    """

    text: str
    unit: Ints  #: index of the unit of the original text that each normalised character comes from
    begins: Ints  #: offset of each unit in the original text, followed by the length of the text

    @classmethod
    def of(cls, text: str, normalise: Normalisation) -> "Normalised":
        """Normalise a text at the level ``normalise``."""
        if normalise == "none":
            return cls(text, np.arange(len(text)), np.arange(len(text) + 1))
        units = _UNIT.findall(text) if _MARK.search(text) else text
        parts = [*map(_folded if normalise == "typography" else _composed, units)]
        begins = np.append(0, np.cumsum([*map(len, units)], dtype=np.int64))
        unit = np.repeat(np.arange(len(parts)), np.fromiter(map(len, parts), np.int64, len(parts)))
        joined = "".join(parts)
        if normalise != "spaces" and (hyphens := [match.start() for match in _HYPHEN.finditer(joined)]):
            joined, unit = _HYPHEN.sub("", joined), np.delete(unit, hyphens)
        return cls(joined, unit, begins)

    @cached_property
    def place(self) -> Ints:
        """The offset of each normalised character in the original text."""
        return self.begins[self.unit]

    def span(self, at: int, size: int) -> tuple[int, int]:
        """Return the start and end, in the original text, of ``size`` normalised characters from index ``at``."""
        return int(self.place[at]), int(self.begins[self.unit[at + size - 1] + 1])

    def beginning(self, at: int) -> int:
        """Return the offset, in the original text, of the normalised character ``at``.

        If ``at`` is the end of the normalised text, return the length of the original text.
        """
        return int(self.place[at]) if at < len(self.text) else int(self.begins[-1])

    def index(self, start: int) -> int:
        """Return the index of the first normalised character that is at or after ``start`` in the original text."""
        return int(np.searchsorted(self.place, start))


def share_of(text: str, document_text: str) -> float:
    """Return the similarity of two texts, from 0 to 1.

    It is 2 M / (n + m), where n and m are the lengths of the texts, and M is the length of their longest common
    subsequence.
    """
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(text, document_text)


class Match(NamedTuple):
    """The normalisation and the share of common characters with which a text was found in its document."""

    normalise: Normalisation = USUAL
    share: float = 1.0

    @classmethod
    def of_line(cls, line: Mapping[str, Any]) -> "Match":
        """Return how `focuseval locate` found the text of a line. Missing and invalid values become defaults."""
        normalise, share = line.get("normalise"), line.get("share")
        return cls(
            normalise if normalise in NORMALISATIONS else USUAL,
            share if isinstance(share, float) and 0 < share < 1 else 1.0,
        )


def is_same(text: str, document_text: str, match: Match = Match()) -> bool:  # noqa: B008
    """Return whether a text equals ``document_text``, if both are compared as ``match`` states."""
    if text == document_text:
        return True
    one, other = (Normalised.of(each, match.normalise).text for each in (text, document_text))
    return bool(one) and (one == other or (match.share < 1 and share_of(one, other) >= match.share - 1e-9))


def least_normalisation(text: str, document_text: str, most: Normalisation) -> Normalisation:
    """Return the lowest level of normalisation that makes two texts equal, given that the level ``most`` does."""
    for normalise in NORMALISATIONS[: NORMALISATIONS.index(most)]:
        if Normalised.of(text, normalise).text == Normalised.of(document_text, normalise).text:
            return normalise
    return most


def difference(text: str, document_text: str, normalise: Normalisation) -> tuple[int, int]:
    """Return the offset in each of two texts at which the texts first differ after normalisation."""
    one, other = Normalised.of(text, normalise), Normalised.of(document_text, normalise)
    pairs = enumerate(zip(one.text, other.text, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one.text), len(other.text)))
    return one.beginning(same), other.beginning(same)
