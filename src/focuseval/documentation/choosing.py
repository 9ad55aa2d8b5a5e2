"""The tables of `docs/choosing.md`, written from finished audits.

    python -m focuseval.documentation.choosing docs/choosing.md results/audit

writes a table between each pair of lines ``<!-- audited: CAMPAIGN MEASURE ... -->`` and ``<!-- audited: end -->``: what
the audit of the campaign in the folder found of these measures.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.auditing.findings import BREAKS
from focuseval.documentation import with_tables
from focuseval.report.parts import read_analysis
from focuseval.report.tables import to_markdown

#: breaches that are named; of others there is the number
_NAMED = 4


def written(text: str, folder: Path) -> str:
    """The text with all tables as the audits in a folder have them. Raises KeyError for a measure that is not there."""

    def of_campaign(words: Sequence[str]) -> str:
        return to_markdown(table(folder / words[0], words[1:]), _DECIMALS)

    return with_tables(text, "audited", of_campaign)


_DECIMALS = {"told apart": 2, "swaps": 3, "tau": 2}


def table(folder: Path, measures: Sequence[str]) -> pd.DataFrame:
    """What the audit in a folder found of some measures.

    Columns measure; not broken, as in ``17 of 20 in 5311 cases``; breaks, the transformations with the per cent of
    lists, the worst first; told apart, the share of pairs of systems at .05 (randomisation test); swaps and tau between
    halves of the topics.
    """
    analysis = read_analysis(folder / "analysis")
    findings = analysis["findings"].set_index("measure")
    chosen = pd.read_csv(folder / "chosen_by.csv").set_index("measure").loc[list(measures)]
    breaks = []
    for measure in measures:
        broken = findings.loc[[measure]]
        broken = broken[broken["verdict"] == BREAKS]
        share = 100 * broken["broken"] / np.maximum(broken["tried"], 1)
        worst = [
            f"{name} ({percent:.0f} %)" if percent >= 1 else f"{name} (<1 %)"
            for percent, name in sorted(zip(share, broken["transformation"], strict=True), reverse=True)
        ]
        more = [f"{len(worst) - _NAMED} more"] if len(worst) > _NAMED else []
        breaks.append(", ".join(worst[:_NAMED] + more) or "nothing")
    return pd.DataFrame(
        {
            "measure": [f"`{measure}`" for measure in measures],
            "not broken": [
                f"{row.not_broken} of {row.properties} in {row.cases} cases" for row in chosen.itertuples()
            ],
            "breaks": breaks,
            "told apart": chosen["told_apart_randomisation"].to_numpy(),
            "swaps": chosen["swap_rate"].to_numpy(),
            "tau": chosen["tau"].to_numpy(),
        }
    )


if __name__ == "__main__":
    path, folder = map(Path, sys.argv[1:])
    path.write_text(written(path.read_text(encoding="utf-8"), folder), encoding="utf-8")
