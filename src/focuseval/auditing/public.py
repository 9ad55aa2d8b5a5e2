"""The audit in one call: of a campaign of files or of what is in memory, or of the small one that is embedded."""

from collections.abc import Sequence
from typing import Unpack

import pandas as pd

from focuseval.auditing.audit import TRIED, tried
from focuseval.auditing.audit import audit as audit_measures
from focuseval.auditing.embedded import embedded
from focuseval.campaign import notices
from focuseval.campaign.assembly import assemble
from focuseval.campaign.settings import Inputs, InputSettings, Runs, check_names
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, Problem
from focuseval.scoring.refusals import without_assessed_topics
from focuseval.scoring.runs import specs_of


def audit(
    measures: str | Sequence[str],
    *,
    transformations: str | Sequence[str] | None = None,
    runs: Runs | None = None,
    examples: bool = True,
    seed: int = 0,
    **inputs: Unpack[InputSettings],
) -> pd.DataFrame:
    """What measures do when runs are transformed: a row for each measure and transformation.

    ``measures`` are names as for `focuseval.score`, ``transformations`` those of docs/audit.md (all if not given).
    ``runs`` and ``inputs`` are the arguments of `focuseval.read_campaign`; without them a small campaign of
    focuseval's own is taken, on which chance and known cases show most of what can break; what they do not break is
    not proven. ``examples`` says whether the smallest case is looked for that shows each breach, ``seed`` what the
    intervals of mean changes are drawn with.

    The columns are measure, transformation, property, expected, verdict (``not broken``, ``breaks``, ``reported``),
    tried, broken, largest, mean_change, low, high, note and example (`focuseval.auditing.findings.Finding`). Raises
    InputError as `focuseval.read_campaign` does, and for unknown names.
    """
    check_names(audit, inputs)
    specs = specs_of(measures)
    asked = tried([transformations] if isinstance(transformations, str) else transformations or TRIED)
    topics, results = embedded()
    if runs is None and any(inputs.values()):
        raise InputError(Problem("runs", "", "none is given", "give runs, or nothing for a small campaign"))
    if runs is not None:
        given = Inputs(**inputs)
        campaign = assemble(given, in_frames(runs, given))
        topics, results = campaign.topics, campaign.results
        notices.warn(campaign.notices)
        if strangers := without_assessed_topics(topics, results):
            raise InputError(strangers)  # or only ideal runs would be tried, and nobody told
    return audit_measures(topics, results, specs, transformations=asked, examples=examples, seed=seed)
