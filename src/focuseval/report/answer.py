"""What a comparison of a campaign's systems comes to, in at most five sentences."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from focuseval.errors import counted, listed
from focuseval.report.items import Analysis
from focuseval.report.tables import equals, with_intervals

#: topics that carry a lead, and systems, as many as are named
_NAMED = 3


def answer(asked: Mapping[str, Any], analysis: Analysis) -> list[str]:
    """Which system is best, by how much, whether that is decided, how often it is, and which topics carry it.

    ``asked`` and ``analysis`` are those of `focuseval.statistics.comparisons.overview`, of two systems or more.
    """
    measure, settings = asked["measures"][0], asked["comparison"]["settings"]
    lower = measure in asked["comparison"]["lower"]
    tested = f"p_adjusted_{settings['test']}" if settings["correction"] == "holm" else f"p_{settings['test']}"
    best, second = analysis["systems"]["run"][:2]
    pairs = analysis["pairs"].query("higher_run == @best").set_index("lower_run", drop=False)
    lead, values = pairs.loc[second], analysis["topics"].pivot(index="topic", columns="run", values="value")
    apart = (values[best] - values[second]).sort_values(ascending=lower, kind="stable")
    rest = pd.DataFrame({"difference": [apart.iloc[_NAMED:].mean()]})
    difference, left = with_intervals(
        pd.concat([pairs.loc[[second], ["difference", "low", "high"]], rest]), "+"
    )
    decided = "significant" if lead[tested] <= settings["alpha"] else "undecided"
    ahead = "level with" if lead["difference"] == 0 else "ahead of"
    said = [
        f"Under {measure}{' (lower is better)' * lower} {best} is best. It is {ahead} {second} on {lead['wins']:,} of "
        f"{counted(len(values), 'topic')}, {difference}, p {equals(lead[tested])}: {decided}."
    ]
    alike = pairs.loc[pairs[tested] > settings["alpha"], "lower_run"].tolist()
    if len(pairs) > 1:
        said.append(
            f"Of the {len(pairs)} compared with it, {len(alike)} cannot be told from it: {listed(alike, _NAMED)}."
            if alike
            else f"It is significantly better than each of the {len(pairs)} compared with it."
        )
    if "best" in analysis:
        often = analysis["best"].sort_values("share", ascending=False, kind="stable").head(_NAMED)
        shares = ", ".join(
            f"{run} in {100 * share:.0f} %" for run, share in often[["run", "share"]].to_numpy()
        )
        said.append(f"Best over {settings['resamples']:,} bootstrap resamples of the topics: {shares}.")
    if len(apart) > _NAMED and lead["difference"] != 0 and apart.iloc[0] != apart.iloc[_NAMED]:
        topics = listed([str(topic) for topic in apart.index[:_NAMED]], _NAMED)
        said.append(
            f"The lead is largest on the topics {topics}; the mean difference on the others is {left}."
        )
    return said
