"""The audit of an evaluation's measures: what they do when the runs that they ordered are transformed."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import pandas as pd

from focuseval.auditing.audit import audit, tried
from focuseval.auditing.findings import BREAKS
from focuseval.measures import MEASURES, parse_specs
from focuseval.transformations.declaration import REPORTED
from focuseval.transformations.lists import of_runs
from focuseval_papers.publication.declaration import Evaluation
from focuseval_papers.publication.material import Material
from focuseval_papers.workflow.runsets import view

#: so many runs and topics are audited, evenly spread
RUNS, TOPICS = 6, 40

Part = TypeVar("Part")


def audited(asked: Evaluation, material: Material) -> pd.DataFrame:
    """What the official and the corrected measure, under their labels, do under transformations that decide something.

    The columns are those of `focuseval.auditing.findings.Finding`; each measure is tried on the view that it scores.
    """
    found = []
    for label in (asked.official, asked.corrected):
        if asked.measures[label].formula:
            continue  # a number of means, which no list has
        [spec] = parse_specs(asked.measures[label].measure, MEASURES)
        runs = view(material.context.campaign, asked.measures[label].view)
        results = material.results(runs)
        findings = audit(
            spread(material.topics(runs), TOPICS),
            of_runs(results, np.array(spread(range(len(results.runs)), RUNS))),
            [spec],
            transformations=[one for one in tried() if one.expected(spec) != REPORTED],
        )
        found.append(findings[findings["verdict"] != REPORTED].assign(measure=label))
    return pd.concat(found, ignore_index=True)


def properties(findings: pd.DataFrame) -> pd.DataFrame:
    """A row for each transformation: its property, and how often each measure breaks it, as people see it."""
    from focuseval.auditing.section import matrix  # with what draws figures: slow to import

    cells = matrix(findings).set_index("measure").T.fillna("-")
    cells.insert(
        0, "property", findings.drop_duplicates("transformation").set_index("transformation")["property"]
    )
    return cells.rename_axis(index="transformation", columns=None).reset_index()


def examples(findings: pd.DataFrame) -> pd.DataFrame:
    """The smallest example of every breach, a line each, as people see it."""
    shown = findings.loc[findings["verdict"] == BREAKS, ["measure", "transformation", "property", "example"]]
    lines = (
        shown["example"]
        .str.strip()
        .replace({r"(?m)^(\S.*)\n +": r"\1: ", r"\n +": ", ", r"\n": "; "}, regex=True)
    )
    return shown.assign(example=lines).reset_index(drop=True)


def spread(members: Sequence[Part], most: int) -> list[Part]:
    """At most so many of the members, evenly spread."""
    places = np.linspace(0, len(members) - 1, min(most, len(members))).round().astype(int)
    return [members[place] for place in places]
