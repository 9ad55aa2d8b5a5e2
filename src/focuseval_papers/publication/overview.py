"""All evaluations of public campaigns, in one table."""

from collections.abc import Iterable

import pandas as pd

from focuseval.auditing.findings import BREAKS
from focuseval.report import page
from focuseval.report.parts import Analysis
from focuseval.report.tables import with_intervals
from focuseval_papers.publication.claims import rows_of
from focuseval_papers.publication.declaration import Evaluation
from focuseval_papers.publication.paper import Publication

CAPTION = (
    "Systems with equal values of all topics are one. τ: Kendall's τ-b of the orders by the official and the corrected "
    "measure, with its 95 % interval over topics; of the pairs of systems that both put in an order, how many change, "
    "and how many of these are apart by either measure (the interval of their difference is without 0); which "
    "properties the audit finds broken by the official measure, as it scored the runs, and not by the corrected one. "
    "Where there is none, what decides lies in how gold and runs were read."
)


def overview(evaluations: Iterable[tuple[Publication, Analysis]]) -> pd.DataFrame:
    """A row for each group of systems, as people see it."""
    rows = []
    for publication, analysis in evaluations:
        declared, evaluation = publication.declared, publication.declared.evaluation
        if evaluation is None:
            continue
        broken = deciding(evaluation, analysis["findings"])["property"].unique()
        for group in evaluation.groups or [""]:
            of_group = {"group": group} if group else {}
            [row] = rows_of(analysis["agreement"], measure=evaluation.corrected, **of_group).itertuples()
            rows.append(
                {
                    "campaign": ", ".join(filter(None, [declared.campaign, group])),
                    "systems": row.systems,
                    "topics": int(
                        rows_of(analysis["means"], measure=evaluation.official, **of_group)["topics"].max()
                    ),
                    "official": evaluation.official,
                    "corrected": evaluation.corrected,
                    "τ": with_intervals(
                        pd.DataFrame({"value": [row.tau], "low": [row.low], "high": [row.high]})
                    )[0],
                    "pairs that change": f"{row.swapped} of {row.pairs}",
                    "apart by the official": row.official_apart,
                    "by the corrected": row.other_apart,
                    "only the official breaks": ", ".join(broken) or "nothing that was tried",
                    "who should know": evaluation.who if group in (*evaluation.groups[:1], "") else "",
                }
            )
    return pd.DataFrame(rows)


def deciding(evaluation: Evaluation, findings: pd.DataFrame) -> pd.DataFrame:
    """The findings on what the official measure breaks and the corrected one does not."""
    broken = findings[findings["verdict"] == BREAKS]
    mended = ~broken["transformation"].isin(
        broken.loc[broken["measure"] == evaluation.corrected, "transformation"]
    )
    return broken[(broken["measure"] == evaluation.official) & mended]


def make_overview(table: pd.DataFrame, file: str) -> str:
    """The section of the report that comes before those on single campaigns."""
    html = page.shown_table("overview", "All campaigns", CAPTION, table, {}, [file])
    return page.section(
        "evaluations", "Evaluations of public campaigns", "", [html], group="Public campaigns"
    )
