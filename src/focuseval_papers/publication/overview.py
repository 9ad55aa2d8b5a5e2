"""A table of all evaluations of public campaigns."""

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
    "τ is Kendall's τ-b between the rankings by the official and the corrected measure, with its 95 % interval over "
    "topics. Swapped pairs are pairs of systems that the two measures rank in opposite order. A swapped pair is "
    "significant by a measure if the 95 % interval of the difference between its systems excludes 0. The last column "
    "lists the properties that the official measure breaks and the corrected measure keeps, according to the audit. If "
    "there are none, the rankings differ because of how gold and runs are read. Systems with identical scores on all "
    "topics count as one system."
)


def overview(evaluations: Iterable[tuple[Publication, Analysis]]) -> pd.DataFrame:
    """Summarise all evaluations for the report, with a row for each group of systems."""
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
                    "swapped pairs": f"{row.swapped} of {row.pairs}",
                    "significant (official)": row.official_significant,
                    "significant (corrected)": row.other_significant,
                    "broken only by the official": ", ".join(broken) or "none",
                }
            )
    return pd.DataFrame(rows)


def deciding(evaluation: Evaluation, findings: pd.DataFrame) -> pd.DataFrame:
    """Return the audit's findings on properties that the official measure breaks and the corrected measure keeps."""
    broken = findings[findings["verdict"] == BREAKS]
    mended = ~broken["transformation"].isin(
        broken.loc[broken["measure"] == evaluation.corrected, "transformation"]
    )
    return broken[(broken["measure"] == evaluation.official) & mended]


def make_overview(table: pd.DataFrame, file: str) -> str:
    """Return the section of the report with the table of all evaluations, which is also saved in ``file``."""
    html = page.shown_table("overview", "All campaigns", CAPTION, table, {}, [file])
    return page.section(
        "evaluations", "Evaluations of public campaigns", "", [html], group="Public campaigns"
    )
