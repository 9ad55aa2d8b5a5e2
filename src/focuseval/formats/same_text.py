"""The comparison of two texts: to the letter, normalised, or by the share of characters that both have.

`focuseval locate` writes how it matched a text into the line (``normalise``, ``share``); `is_same` is the one
comparison of such lines with their documents.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from focuseval.model.arrays import Ints

#: ignored differences between texts; each level includes the earlier ones
Normalisation = Literal["none", "spaces", "hyphenation", "typography"]
NORMALISATIONS: tuple[Normalisation, ...] = get_args(Normalisation)

#: comparison of a text next to offsets, unless the line says how it was matched
USUAL: Normalisation = "spaces"

#: plain quotes and dashes; without marks of Markdown, soft hyphens, and characters of no width
_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("‘’‚‛‹›′´", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | dict.fromkeys("*_`~#|>\\[]\u00ad\u200b\u200c\u200d\u2060\ufeff")
)

#: combining marks, and a character with those that follow it
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f"
_MARK, _UNIT = re.compile(f"[{_MARKS}]"), re.compile(f".[{_MARKS}]*", re.DOTALL)

#: without white space: a hyphen next to letters, or to the end of the text
_HYPHEN = re.compile(r"(?<![\W\d_])[-‐‑\u00ad](?![\W\d_])")


@cache
def _composed(unit: str) -> str:
    return "".join(unicodedata.normalize("NFC", unit).split())


@cache
def _folded(unit: str) -> str:
    """A character without its typography: composed, ligatures and ellipses spelled out, quotes and dashes plain."""
    folded = unicodedata.normalize("NFKC", unit.translate(_TYPOGRAPHY))
    return "".join(folded.translate(_TYPOGRAPHY).split())


@dataclass(frozen=True)
class Normalised:
    """A text as it is compared."""

    text: str
    unit: Ints  #: for each compared character, the number of the original character
    begins: Ints  #: beginnings of the original characters with their combining marks, and the end

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
        """The position of each compared character in the original text."""
        return self.begins[self.unit]

    @cached_property
    def backwards(self) -> str:
        """The compared text from its end to its beginning."""
        return self.text[::-1]

    def span(self, at: int, size: int) -> tuple[int, int]:
        """Start and end in the original text of so many compared characters."""
        return int(self.place[at]), int(self.begins[self.unit[at + size - 1] + 1])

    def beginning(self, at: int) -> int:
        """Return the position of a compared character in the original text; the end if there is no such character."""
        return int(self.place[at]) if at < len(self.text) else int(self.begins[-1])

    def index(self, start: int) -> int:
        """The compared character at an offset of the original text, or the next one."""
        return int(np.searchsorted(self.place, start))


def share_of(text: str, there: str) -> float:
    """The share of the characters of two texts that both have, in order: 2 M / (n + m)."""
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(text, there)


class Match(NamedTuple):
    """The way in which a text was matched with its document."""

    normalise: Normalisation = USUAL
    share: float = 1.0

    @classmethod
    def of_line(cls, line: Mapping[str, Any]) -> "Match":
        """Read how `focuseval locate` matched the text of a line; what it would not write counts as not said."""
        normalise, share = line.get("normalise"), line.get("share")
        return cls(
            normalise if normalise in NORMALISATIONS else USUAL,
            share if isinstance(share, float) and 0 < share < 1 else 1.0,
        )


def is_same(text: str, there: str, match: Match = Match()) -> bool:  # noqa: B008
    """Return whether a text is the one of its document, matched in this way."""
    if text == there:
        return True
    one, other = (Normalised.of(each, match.normalise).text for each in (text, there))
    return bool(one) and (one == other or (match.share < 1 and share_of(one, other) >= match.share - 1e-9))


def least_normalisation(text: str, there: str, most: Normalisation) -> Normalisation:
    """Return the first normalisation under which two texts are the same, ``most`` at the latest."""
    for normalise in NORMALISATIONS[: NORMALISATIONS.index(most)]:
        if Normalised.of(text, normalise).text == Normalised.of(there, normalise).text:
            return normalise
    return most


def difference(text: str, there: str, normalise: Normalisation) -> tuple[int, int]:
    """Return where two texts begin to differ, as offsets of both; what the normalisation sets aside is passed over."""
    one, other = Normalised.of(text, normalise), Normalised.of(there, normalise)
    pairs = enumerate(zip(one.text, other.text, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(one.text), len(other.text)))
    return one.beginning(same), other.beginning(same)
