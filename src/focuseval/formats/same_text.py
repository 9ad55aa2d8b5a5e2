"""Compare two texts: verbatim, normalised, or by the share of common characters.

`focuseval locate` records in each line how its text was matched (``normalise``, ``share``). `is_same` compares these
lines with their documents.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from focuseval.model.arrays import Ints

#: levels of normalisation; each level also ignores all differences that the levels before it ignore
Normalisation = Literal["none", "spaces", "hyphenation", "typography"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

#: the default normalisation for the comparison of a text with the text at its offsets
USUAL: Normalisation = "spaces"

#: a translation to plain quotes and dashes, without marks of Markdown, soft hyphens and zero-width characters
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛‹›′´", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("*_`~#|>\\[]\u00ad\u200b\u200c\u200d\u2060\ufeff")
)

#: combining marks, a pattern of one mark, and a pattern of a character with its marks
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
_MARK, _UNIT = re.compile(f"[{_MARKS}]"), re.compile(f".[{_MARKS}]*", re.DOTALL)

#: pattern of hyphens between letters or at either end of a text, for texts without white space
_HYPHEN = re.compile(r"(?<![\W\d_])[-‐‑\u00ad](?![\W\d_])")


@cache
def _composed(unit: str) -> str:
    return "".join(unicodedata.normalize("NFC", unit).split())


@cache
def _folded(unit: str) -> str:
    """Return a character in its plainest form: ligatures and ellipses expanded, quotes and dashes plain."""
    folded = unicodedata.normalize("NFKC", unit.translate(_TYPOGRAPHY))
    return "".join(folded.translate(_TYPOGRAPHY).split())


@dataclass(frozen=True)
class Normalised:
    """A normalised text, with the place of each of its characters in the original text."""

    text: str
    unit: Ints  #: for each normalised character, the number of the original character
    begins: Ints  #: starts of the original characters with their combining marks, and the end

    @classmethod
    def of(cls, text: str, normalise: Normalisation) -> "Normalised":
        """Normalise a text."""
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
        """Return start and end of normalised characters in the original text."""
        return int(self.place[at]), int(self.begins[self.unit[at + size - 1] + 1])

    def beginning(self, at: int) -> int:
        """Return the offset of a normalised character in the original text, or the end of the text."""
        return int(self.place[at]) if at < len(self.text) else int(self.begins[-1])

    def index(self, start: int) -> int:
        """Return the first normalised character at or after an offset of the original text."""
        return int(np.searchsorted(self.place, start))


def share_of(text: str, there: str) -> float:
    """Return the similarity of two texts: 2 M / (n + m), with M common characters and lengths n and m."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(text, there)


class Match(NamedTuple):
    """The way in which a text was matched with its document."""

    normalise: Normalisation = USUAL
    share: float = 1.0

    @classmethod
    def of_line(cls, line: Mapping[str, Any]) -> "Match":
        """Return how `focuseval locate` matched the text of a line. Invalid values are replaced by defaults."""
        normalise, share = line.get("normalise"), line.get("share")
        return cls(
            normalise if normalise in NORMALISATIONS else USUAL,
            share if isinstance(share, float) and 0 < share < 1 else 1.0,
        )


def is_same(text: str, there: str, match: Match = Match()) -> bool:  # noqa: B008
    """Return whether a text equals the text ``there`` in the document, if both are compared as in ``match``."""
    if text == there:
        return True
    one, other = (Normalised.of(each, match.normalise).text for each in (text, there))
    return bool(one) and (one == other or (match.share < 1 and share_of(one, other) >= match.share - 1e-9))


def least_normalisation(text: str, there: str, most: Normalisation) -> Normalisation:
    """Return the first normalisation that makes two texts equal. The last one that is tried is ``most``."""
    for normalise in NORMALISATIONS[: NORMALISATIONS.index(most)]:
        if Normalised.of(text, normalise).text == Normalised.of(there, normalise).text:
            return normalise
    return most


def difference(text: str, there: str, normalise: Normalisation) -> tuple[int, int]:
    """Return the offset in each text at which the texts first differ after normalisation."""
    one, other = Normalised.of(text, normalise), Normalised.of(there, normalise)
    pairs = enumerate(zip(one.text, other.text, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one.text), len(other.text)))
    return one.beginning(same), other.beginning(same)
