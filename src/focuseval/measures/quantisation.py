"""Quantisations: functions that turn the exhaustivity and specificity of an element into scores.

A quantisation returns one score, or one score for each dimension. To add a quantisation, enter it in `QUANTISATIONS`.
Functions for the four-point scales of INEX 2002 and 2003 use `four_point`, which maps newer scales to 0..3.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from focuseval.errors import InputError, Option, Sentence
from focuseval.model.arrays import Floats
from focuseval.model.judgements import TOO_SMALL, Topic
from focuseval.model.vocabulary import SCALES


def four_point(exhaustivity: Floats, specificity: Floats, scale: str) -> tuple[Floats, Floats]:
    """Map judgements (exhaustivity, specificity) on any scale to the 0..3 scales of INEX 2003.

    These are the values for the scales of INEX 2005 and of highlights:

    - exhaustivity: 2 becomes 3 (highly), 1 becomes 2 (fairly), and `?` becomes 1 (marginally exhaustive)
    - specificity: 1 becomes 3 (the topic is the only theme), [0.5, 1) becomes 2 (a major theme), and (0, 0.5) becomes 1
      (a minor theme)

    If one dimension is 0, both become 0.
    """
    if scale in ("inex2002", "inex2003"):
        e, s = exhaustivity, specificity
    else:
        e = np.select([exhaustivity == 2, exhaustivity == 1, exhaustivity == TOO_SMALL], [3.0, 2.0, 1.0], 0.0)
        s = np.select([specificity >= 1, specificity >= 0.5, specificity > 0], [3.0, 2.0, 1.0], 0.0)
    both = (e > 0) & (s > 0)
    return np.where(both, e, 0.0), np.where(both, s, 0.0)


def on_four_points(topic: Topic) -> Topic:
    """Return the topic with its judgements on the 0..3 scales of INEX 2003 (`four_point`)."""
    e, s = four_point(topic.exhaustivity, topic.specificity, topic.scale)
    return replace(topic, scale="inex2003", exhaustivity=e, specificity=s, recall_bases={})


#: score for each exhaustivity (row) and specificity (column): Gövert et al. (2006), Eq. 9
_GENERALISED = np.array(
    [[0.00, 0.00, 0.00, 0.00], [0.00, 0.25, 0.25, 0.50], [0.00, 0.50, 0.50, 0.75], [0.00, 0.75, 0.75, 1.00]]
)
#: score for each relevance (row) and coverage N, L, S, E (column) of INEX 2002; (3, S) scores 0, because a highly
#: relevant component cannot be too small
_GENERALISED_2002 = _GENERALISED.copy()
_GENERALISED_2002[3, 2] = 0.00


def _strict_single(e: Floats, s: Floats, scale: str) -> Floats:
    """Return 1 if exhaustivity and specificity are both 3, else 0: Gövert et al. (2006), Eq. 8."""
    e, s = four_point(e, s, scale)
    return ((e == 3) & (s == 3)).astype(float)


def _generalised_single(e: Floats, s: Floats, scale: str) -> Floats:
    """Return scores in [0, 1] that grow with exhaustivity and specificity: Gövert et al. (2006), Eq. 9."""
    e, s = four_point(e, s, scale)
    table = _GENERALISED_2002 if scale == "inex2002" else _GENERALISED
    return table[e.astype(int), s.astype(int)]


def _too_small_as_zero(e: Floats) -> Floats:
    return np.where(e == TOO_SMALL, 0.0, e)


def _strict(e: Floats, s: Floats, scale: str) -> Floats:
    """Return 1 if exhaustivity is 2 and specificity is 1, else 0: Kazai & Lalmas (2005), Eq. 1."""
    return ((e == 2) & (s == 1)).astype(float)


def _gen(e: Floats, s: Floats, scale: str) -> Floats:
    """Return exhaustivity times specificity, where the exhaustivity `?` counts as 0: Kazai & Lalmas (2005), Eq. 2."""
    return _too_small_as_zero(e) * s


def _gen_lifted(e: Floats, s: Floats, scale: str) -> Floats:
    """Return (exhaustivity + 1) times specificity, 0 if irrelevant: Kazai & Lalmas (2005), Eq. 3. `?` counts as 0."""
    relevant = (s > 0) & ((e > 0) | (e == TOO_SMALL))
    return np.where(relevant, (_too_small_as_zero(e) + 1) * s, 0.0)


def _specificity(e: Floats, s: Floats, scale: str) -> Floats:
    """Return the specificity, or 0 if the exhaustivity is 0."""
    return np.where((s > 0) & (e != 0), s, 0.0)


@dataclass(frozen=True)
class Quantisation:
    """A function from exhaustivity and specificity to scores, with the highest score and the scales that it accepts."""

    function: Callable[[Floats, Floats, str], Floats]
    maximum: float  #: the highest score
    scales: tuple[str, ...]  #: names of the scales of judgements on which the function is defined


_CONTINUOUS = ("inex2005", "highlights")

#: the quantisations of precall by name; each returns a single score
PRECALL_QUANTISATIONS = {
    "strict": Quantisation(_strict_single, 1, SCALES),
    "generalised": Quantisation(_generalised_single, 1, SCALES),
}
QUANTISATIONS = {
    "strict": Quantisation(_strict, 1, _CONTINUOUS),
    "gen": Quantisation(_gen, 2, _CONTINUOUS),
    "genLifted": Quantisation(_gen_lifted, 3, _CONTINUOUS),
    "specificity": Quantisation(_specificity, 1, _CONTINUOUS),
}
#: all quantisations by name; ``strict`` is the quantisation of precall, which is defined on more scales
ALL_QUANTISATIONS = {**QUANTISATIONS, **PRECALL_QUANTISATIONS}


def quantised(topic: Topic, quantisation: str, table: dict[str, Quantisation] = QUANTISATIONS) -> Floats:
    """Return the score of each judged element of a topic.

    ``table`` maps names to quantisations. Raises InputError if the quantisation is not defined on the topic's scale.
    """
    entry = table[quantisation]
    if topic.scale not in entry.scales:
        usable = [f"quantisation={name}" for name, other in table.items() if topic.scale in other.scales]
        wanted = " or ".join(usable) or f"a measure for {topic.scale}, such as precall or inex2003"
        raise InputError.of(
            f"topic {topic.name}",
            f"the quantisation {quantisation!r} requires the scale {' or '.join(entry.scales)}, not {topic.scale}",
            Sentence(f"choose {wanted}, or set ", Option("scale"), " if a table was read on the wrong scale"),
        )
    return entry.function(topic.exhaustivity, topic.specificity, topic.scale)


def quantised_dimensions(topic: Topic, quantisation: str) -> tuple[Floats, Floats]:
    """Return the exhaustivity scores and the specificity scores of the judged elements. They are in [0, 1].

    ``strict`` scores 1 for the value 3, else 0. ``generalised`` scores a third of the value. The coverage of INEX 2002
    is first mapped to specificity (``Topic.coverage``). Source: Gövert et al. (2006), Eq. 2-5.
    """
    specificity = topic.specificity
    if topic.scale == "inex2002":
        specificity = np.array(topic.coverage)[specificity.astype(int)]
    e, s = four_point(topic.exhaustivity, specificity, topic.scale)
    if quantisation == "strict":
        return (e == 3).astype(float), (s == 3).astype(float)
    return e / 3, s / 3
