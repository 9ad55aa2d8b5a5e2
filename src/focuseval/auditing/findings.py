"""What an audit finds: a row for each measure and transformation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

#: what is said of a measure under a transformation: what should happen did in every case tried, which is no proof, or
#: did not in some, or no verdict is given
UNBROKEN, BREAKS, REPORTED = VERDICTS = ("not broken", "breaks", "reported")


@dataclass(frozen=True)
class Finding:
    """What one measure says of one transformation; `COLUMNS` of the audit's table, in this order."""

    measure: str  #: canonical name
    transformation: str  #: its name with the parameters that differ from their defaults
    property: str  #: what the measure has if no case breaks it, as ``--require`` names it
    expected: str  #: what should happen, one of `focuseval.transformations.declaration.EXPECTATIONS`
    verdict: str  #: one of `VERDICTS`; ``reported`` where nothing is expected, or nothing could be decided
    tried: int  #: pairs of scores that were compared: lists that changed, or means
    broken: int  #: those among them that did not do what they should
    largest: float = np.nan  #: how far the worst of these went the wrong way; NaN where there is none
    #: mean of the score after less the score before, over what was tried; NaN for none
    mean_change: float = np.nan
    low: float = np.nan  #: its 95 % interval over topics
    high: float = np.nan
    note: str = ""  #: why nothing could be decided, or what was left out
    example: str = ""  #: the smallest case that shows a breach, as text; "" where there is none


#: columns of the audit's table
COLUMNS = tuple(Finding.__dataclass_fields__)


def table(findings: Sequence[Finding]) -> pd.DataFrame:
    """The findings as a frame with the columns `COLUMNS`, numbers as numbers."""
    frame = pd.DataFrame([vars(one) for one in findings], columns=list(COLUMNS))
    whole, real = ["tried", "broken"], ["largest", "mean_change", "low", "high"]
    return frame.astype(dict.fromkeys(whole, np.int64) | dict.fromkeys(real, float))
