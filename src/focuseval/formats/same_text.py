"""Compare two texts: verbatim, after normalisation, or by the share of common characters.

`focuseval locate` writes into each line how it found the text in the document (``normalise`` and ``share``). `is_same`
uses these values.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from focuseval.model.arrays import Ints

#: levels of normalisation, from the strictest to the most tolerant comparison
Normalisation = Literal["none", "spaces", "hyphenation", "typography"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

#: the normalisation for lines that give none
USUAL: Normalisation = "spaces"

#: replaces quotes and dashes by plain ones, and removes marks of Markdown, soft hyphens and zero-width characters
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛‹›′´", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("*_`~#|>\\[]\u00ad\u200b\u200c\u200d\u2060\ufeff")
)

#: ranges of combining marks, such as accents
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
#: match a combining mark, and a character with its combining marks
_MARK, _UNIT = re.compile(f"[{_MARKS}]"), re.compile(f".[{_MARKS}]*", re.DOTALL)

#: matches hyphens that may divide a word: between letters or at an end, after white space has been removed
_HYPHEN = re.compile(r"(?<![\W\d_])[-‐‑\u00ad](?![\W\d_])")


@cache
def _composed(unit: str) -> str:
    return "".join(unicodedata.normalize("NFC", unit).split())


@cache
def _folded(unit: str) -> str:
    """Return a character in its plainest form, without ligatures and typographic quotes and dashes."""
    folded = unicodedata.normalize("NFKC", unit.translate(_TYPOGRAPHY))
    return "".join(folded.translate(_TYPOGRAPHY).split())


@dataclass(frozen=True)
class Normalised:
    """A normalised text, with the positions of its characters in the original text.

    A unit is a character of the original text with its combining marks.
    """

    text: str
    unit: Ints  #: index of the unit from which each normalised character comes
    begins: Ints  #: offset of each unit in the original text, followed by the length of the original text

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
        """The offset in the original text of each normalised character."""
        return self.begins[self.unit]

    def span(self, at: int, size: int) -> tuple[int, int]:
        """Return the start and end in the original text of the ``size`` normalised characters from index ``at``."""
        return int(self.place[at]), int(self.begins[self.unit[at + size - 1] + 1])

    def beginning(self, at: int) -> int:
        """Return the offset in the original text of the normalised character with the index ``at``.

        If ``at`` is the end of the normalised text, return the length of the original text.
        """
        return int(self.place[at]) if at < len(self.text) else int(self.begins[-1])

    def index(self, start: int) -> int:
        """Return the index of the first normalised character at or after the offset ``start`` in the original text."""
        return int(np.searchsorted(self.place, start))


def share_of(text: str, document_text: str) -> float:
    """Return the similarity of two texts, from 0 to 1.

    It is 2 M / (n + m) for texts of n and m characters. M is the length of their longest common subsequence.
    """
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(text, document_text)


class Match(NamedTuple):
    """The normalisation and the share of common characters with which a text was found in its document."""

    normalise: Normalisation = USUAL
    share: float = 1.0

    @classmethod
    def of_line(cls, line: Mapping[str, Any]) -> "Match":
        """Read the values that `focuseval locate` wrote into a line. Missing and invalid values become defaults."""
        normalise, share = line.get("normalise"), line.get("share")
        return cls(
            normalise if normalise in NORMALISATIONS else USUAL,
            share if isinstance(share, float) and 0 < share < 1 else 1.0,
        )


def is_same(text: str, document_text: str, match: Match = Match()) -> bool:  # noqa: B008
    """Return whether two normalised texts are equal, or have at least the share of common characters in ``match``."""
    if text == document_text:
        return True
    one, other = (Normalised.of(each, match.normalise).text for each in (text, document_text))
    return bool(one) and (one == other or (match.share < 1 and share_of(one, other) >= match.share - 1e-9))


def least_normalisation(text: str, document_text: str, most: Normalisation) -> Normalisation:
    """Return the lowest normalisation with which two texts are equal, or ``most`` if they differ at lower levels."""
    for normalise in NORMALISATIONS[: NORMALISATIONS.index(most)]:
        if Normalised.of(text, normalise).text == Normalised.of(document_text, normalise).text:
            return normalise
    return most


def difference(text: str, document_text: str, normalise: Normalisation) -> tuple[int, int]:
    """Return two offsets, one in each original text, at which the normalised texts first differ."""
    one, other = Normalised.of(text, normalise), Normalised.of(document_text, normalise)
    pairs = enumerate(zip(one.text, other.text, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one.text), len(other.text)))
    return one.beginning(same), other.beginning(same)
