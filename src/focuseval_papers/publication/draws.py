"""Printed numbers beside what draws of a synthetic campaign come to, from seed to seed and from sample to sample."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from focuseval_papers.publication.claims import Quantities
from focuseval_papers.publication.estimates import Estimate, value_of


def inside(printed: Quantities, draws: Sequence[Quantities]) -> pd.DataFrame:
    """Whether printed numbers lie inside the 95 % intervals of the same quantities over the draws of a campaign.

    Columns: quantity; printed; low and high, the limits of `Estimate.interval` of the resamples of all draws together;
    inside; draws, how many there are; over, what was resampled (runs or topics). Quantities that are not resampled, or
    are defined in no draw, have no row.
    """
    rows = []
    for name, number in printed.items():
        found = [draw[name] for draw in draws if name in draw]
        estimates = [one for one in found if isinstance(one, Estimate) and not np.isnan(one.value)]
        if not estimates:
            continue
        together = replace(estimates[0], drawn=np.concatenate([one.drawn for one in estimates]))
        low, high = together.interval
        value = value_of(number)
        rows.append((name, value, low, high, low <= value <= high, len(estimates), together.over))
    table = pd.DataFrame(rows, columns=["quantity", "printed", "low", "high", "inside", "draws", "over"])
    return table.astype({"printed": float, "low": float, "high": float, "inside": bool, "draws": int})
