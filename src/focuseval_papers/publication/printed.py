"""Intervals of printed numbers, so that one rule decides claims on printed and on reproduced numbers.

The interval of a printed number follows from n, the number of runs or topics that the paper used. `publication.yaml`
declares n under ``in_print``, for a quantity or for a pattern. In a pattern, ``*`` stands for any key::

    in_print:
      tau: {kind: kendall, n: 20}
      r_of_sizes[*, strict]: {kind: pearson, n: 56}

Two printed numbers are resampled independently, because their correlation is unknown. The interval of their difference
is therefore too wide if they are computed from one set of runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated
from zlib import crc32

import numpy as np
import pandas as pd

from focuseval.errors import extra
from focuseval.model.arrays import Floats
from focuseval_papers.publication.claims import Quantities, fits
from focuseval_papers.publication.estimates import Estimate, Quantity, Sample, value_of
from focuseval_papers.workflow.settings import OneOf, Settings

with extra("workflow"):
    from pydantic import Field

#: the number of values that represent the distribution of a printed number
DRAWN = 4000


class Unprinted(Sample):
    """The unknown sample from which a paper computed a printed number; only the number of its members is known."""

    def tail(self, level: float) -> float:
        """Return the share of values below the lower limit, and above the upper limit, of an interval at a level.

        The share is not corrected for few members, because the distribution already depends on their number.
        """
        return (1 - level) / 2


#: takes a printed value, its n and shares between 0 and 1; returns the quantiles at these shares
_Quantiles = Callable[[float, int, Floats], Floats]


def _fisher(variance: Callable[[int], float]) -> _Quantiles:
    """Return a correlation's quantile function (Fisher's z); ``variance(n)`` is the variance of z for n members."""

    def quantiles(value: float, n: int, shares: Floats) -> Floats:
        from scipy import special

        return np.tanh(np.arctanh(value) + special.ndtri(shares) * np.sqrt(variance(n)))

    return quantiles


def _share(value: float, n: float, shares: Floats) -> Floats:
    """Return the quantiles of a share that is estimated from n members, as in Jeffreys' interval."""
    from scipy import special

    return np.asarray(special.betaincinv(value * n + 0.5, (1 - value) * n + 0.5, shares))


def _pairs(value: float, n: int, shares: Floats) -> Floats:
    """Return the quantiles of a count of pairs that is estimated from n members.

    The share of pairs varies at most like a mean over n / 2 members (Hoeffding, 1948).
    """
    pairs = n * (n - 1) / 2
    return pairs * _share(value / pairs, n / 2, shares)


_KINDS: Mapping[str, _Quantiles] = {
    "pearson": _fisher(lambda n: 1 / (n - 3)),
    "spearman": _fisher(lambda n: 1.06 / (n - 3)),
    "kendall": _fisher(lambda n: 0.437 / (n - 4)),
    "share": _share,
    "pairs": _pairs,
    # a count is exact, because it is not estimated from a sample
    "count": lambda value, n, shares: np.full(len(shares), value),
}


class InPrint(Settings):
    """The settings from which the interval of a printed number is computed."""

    kind: Annotated[str, OneOf([*_KINDS, "mean"])]
    n: int = Field(default=0, ge=0)
    """the number of runs or topics of the sample, a non-negative integer"""
    over: str = Field(default="runs", description="the members of the sample")
    deviation: str = ""
    """for a mean: the quantity with the printed standard deviation"""

    def drawn(self, name: str, value: float, deviation: float) -> Estimate:
        """Turn the printed number ``value`` into an estimate, with `DRAWN` values that represent its distribution.

        Values are shuffled by ``name``, which makes numbers with different names independent. ``deviation`` is the
        printed standard deviation of a mean.
        """
        from scipy import special

        shares = (np.arange(DRAWN) + 0.5) / DRAWN
        if self.kind == "mean":
            values = value + deviation / np.sqrt(self.n) * special.stdtrit(self.n - 1, shares)
        else:
            values = _KINDS[self.kind](value, self.n, shares)
        mixed = np.random.default_rng(crc32(name.encode())).permutation(values)
        sample = Unprinted("printed", ("",) * self.n, self.over, DRAWN, 0)
        return Estimate(value, mixed, {sample: np.full(self.n, np.nan)})


def with_intervals(quantities: Quantities, declared: Mapping[str, InPrint]) -> dict[str, Quantity]:
    """Turn the printed numbers that match a name or pattern in ``declared`` into estimates with intervals."""
    values = dict(quantities)
    for name, value in quantities.items():
        how = next((each for pattern, each in declared.items() if fits(pattern, name)), None)
        if how is not None and not isinstance(value, Estimate):
            keys = name.partition("[")[1:]
            deviation = value_of(quantities.get(how.deviation + "".join(keys), np.nan))
            values[name] = how.drawn(name, float(value), deviation)
    return values


def inside(printed: Quantities, draws: Sequence[Quantities]) -> pd.DataFrame:
    """Compare printed numbers with the 95 % intervals of these quantities over all draws of a campaign.

    The columns are quantity, printed, low, high, inside (whether the printed number is inside the interval), draws (how
    many) and over (runs or topics). A quantity that is undefined in all draws, or not an estimate, has no row.
    """
    rows = []
    for name, number in printed.items():
        values = [draw[name] for draw in draws if name in draw]
        estimates = [one for one in values if isinstance(one, Estimate) and not np.isnan(one.value)]
        if not estimates:
            continue
        together = replace(estimates[0], drawn=np.concatenate([one.drawn for one in estimates]))
        low, high = together.interval
        value = value_of(number)
        rows.append((name, value, low, high, low <= value <= high, len(estimates), together.over))
    table = pd.DataFrame(rows, columns=["quantity", "printed", "low", "high", "inside", "draws", "over"])
    return table.astype({"printed": float, "low": float, "high": float, "inside": bool, "draws": int})
