"""The audit in one call: of a campaign of files or of what is in memory, or of the small one that is embedded."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Unpack

import pandas as pd

from focuseval.api import read_campaign, specs_of, spelled_out
from focuseval.auditing.audit import TRIED, tried
from focuseval.auditing.audit import audit as audit_measures
from focuseval.auditing.embedded import embedded
from focuseval.campaign.assembly import Paths, ReadingSettings, Runs, check_settings
from focuseval.errors import InputError, Problem
from focuseval.model.elements import Collection
from focuseval.scoring.score import without_assessed_topics


@spelled_out
def audit(
    measures: str | Sequence[str],
    *,
    transformations: str | Sequence[str] | None = None,
    runs: Runs | None = None,
    assessments: Paths | None = None,
    gold: Any = None,
    collection: Collection | str | PathLike[str] | None = None,
    texts: Mapping[str, str] | None = None,
    examples: bool = True,
    seed: int = 0,
    lenient: bool = False,
    **reading: Unpack[ReadingSettings],
) -> pd.DataFrame:
    """What measures do when runs are transformed: a row for each measure and transformation.

    ``measures`` are names as for `focuseval.score`, ``transformations`` those of docs/audit.md (all if not given).
    ``runs`` and the arguments behind it are those of `focuseval.read_campaign`; without them a small campaign of
    focuseval's own is taken, on which chance and known cases show most of what can break; what they do not break is
    not proven. ``examples`` says whether the smallest case is looked for that shows each breach, ``seed`` what the
    intervals of mean changes are drawn with.

    The columns are measure, transformation, property, expected, verdict (``not broken``, ``breaks``, ``reported``),
    tried, broken, largest, mean_change, low, high, note and example (`focuseval.auditing.findings.Finding`). Raises
    InputError as `focuseval.read_campaign` does, and for unknown names.
    """
    check_settings(reading, audit)
    given: dict[str, Any] = {
        "runs": runs, "assessments": assessments, "gold": gold, "collection": collection, "texts": texts,
    }  # fmt: skip
    settings = {name: value for name, value in given.items() if value is not None}
    if settings or lenient or reading:
        settings |= {"lenient": lenient, **reading}
    return audited(measures, transformations, examples=examples, seed=seed, **settings)[0]


def audited(
    measures: str | Sequence[str],
    transformations: str | Sequence[str] | None,
    *,
    examples: bool = True,
    seed: int = 0,
    **given: Any,
) -> tuple[pd.DataFrame, list[str]]:
    """The findings of `audit`, and what is told of the inputs, a line each."""
    specs = specs_of(measures)
    asked = tried([transformations] if isinstance(transformations, str) else transformations or TRIED)
    if given:
        if "runs" not in given:
            raise InputError(
                Problem("runs", "", "none is given", "give runs, or nothing for a small campaign")
            )
        campaign = read_campaign(**given)
        topics, results, notes = campaign.topics, campaign.results, campaign.notes
        if strangers := without_assessed_topics(topics, results):
            raise InputError(strangers)  # or only ideal runs would be tried, and nobody told
    else:
        (topics, results), notes = embedded(), []
    return audit_measures(topics, results, specs, transformations=asked, examples=examples, seed=seed), notes
