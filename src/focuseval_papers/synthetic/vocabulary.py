"""Words for synthetic text: pronounceable, plain ASCII, drawn by a law of Zipf's form.

All weights and draws are whole numbers, so that nothing depends on a machine's floating-point library.
"""

from dataclasses import dataclass

import numpy as np

from focuseval.model.arrays import Ints

_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aeiou"]

#: the commonest words of the text, which systems are expected to stop
FUNCTION_WORDS = ("the", "of", "and", "to", "in", "a", "is", "for", "that", "with", "on", "by", "as", "are")

NUMERALS = 1_000

#: which of its six words expresses a concept: one of these, each as likely
_CHOICE = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5])


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """All words of a campaign: numerals, background words by rank, topical words."""

    spelled: list[str]
    background: Ints  #: table of word codes by which a uniform draw is one from Zipf's law
    topical: Ints  #: codes of all topical words
    concepts: Ints  #: (C, 6) codes of the words that express each concept

    def express(self, rng: np.random.Generator, concept: Ints) -> Ints:
        """Codes of words for the given concepts."""
        return self.concepts[concept, drawn(rng, _CHOICE, len(concept))]


def drawn(rng: np.random.Generator, codes: Ints, count: int) -> Ints:
    """So many of some codes, each as likely at every draw."""
    return codes[rng.integers(0, len(codes), count)]


def make_vocabulary(
    rng: np.random.Generator, background: int, concepts: int, *, ambiguity: int
) -> Vocabulary:
    """Spell the words; every concept has six, each shared by ``ambiguity`` concepts on average."""
    per_concept = int(_CHOICE.max()) + 1
    topical = max(concepts * per_concept // ambiguity, 2 * per_concept)
    common = list(FUNCTION_WORDS[:background])
    spelled = [str(number) for number in range(NUMERALS)] + common
    spelled += [_spell(int(number)) for number in rng.permutation(background - len(common) + topical)]
    first_topical = NUMERALS + background
    # Steps of equal length around the circle of topical words: six different ones for each concept.
    start = rng.integers(0, topical, concepts)
    step = rng.integers(1, topical // per_concept + 1, concepts)
    words = (start[:, None] + step[:, None] * np.arange(per_concept)) % topical
    return Vocabulary(
        spelled=spelled,
        background=NUMERALS + _zipf_table(background),
        topical=first_topical + np.arange(topical),
        concepts=first_topical + words,
    )


def _spell(number: int) -> str:
    """A word of two or more syllables; distinct numbers give distinct words."""
    number += len(_SYLLABLES)
    word = ""
    while number:
        number, syllable = divmod(number, len(_SYLLABLES))
        word = _SYLLABLES[syllable] + word
    return word


def _zipf_table(words: int, length: int = 1 << 18) -> Ints:
    """A table in which rank r stands about in proportion to 1 / (r + 4), r counted from 0."""
    total = np.cumsum(10**9 // (np.arange(words, dtype=np.int64) + 4))
    return np.searchsorted(total, np.arange(length, dtype=np.int64) * total[-1] // length, side="right")
