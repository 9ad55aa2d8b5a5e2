"""The third job of a paper on a campaign: its section of the report, from what the other two left."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from focuseval.measures.declaration import parts_of
from focuseval.report import page
from focuseval.report.items import read_analysis
from focuseval.report.notices import of_files
from focuseval_papers.publication.declared import Publication
from focuseval_papers.publication.paper import Context, Request
from focuseval_papers.publication.verdicts import claims_of, shown_findings
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_size import facts_table, facts_with


def left_out_of(
    requests: Sequence[Request],
    left_out: Sequence[str | Path],
    told: Sequence[str | Path],
    groups: Sequence[str] = (),
) -> pd.DataFrame:
    """What scoring left out of the runs that were asked for, and how much of the campaigns' files was not read.

    ``left_out`` are files of `focuseval.campaign.schema.LEFT_OUT`, one for each scoring job that is asked for, in the
    order of the requests; ``told`` are those of ``TOLD``, one for each campaign. What several jobs leave out of the
    same runs stands there once. Runs of ``groups`` (`Evaluation.groups`) lack no topics of other groups.
    """
    jobs = dict.fromkeys((request.of, request.batch) for request in requests)
    found = [
        _asked_for(
            [request for request in requests if request.told and (request.of, request.batch) == job],
            schema.read(path, schema.LEFT_OUT).to_pandas(),
        ).assign(campaign=job[0])
        for job, path in zip(jobs, left_out, strict=True)
    ]
    files = pd.concat([schema.read(path, schema.TOLD).to_pandas() for path in told], ignore_index=True)
    scored = pd.concat(found).drop_duplicates().drop(columns="campaign")
    if groups:
        scored = _within(groups, scored)
    return pd.concat([of_files(files), scored], ignore_index=True)


def _within(groups: Sequence[str], left_out: pd.DataFrame) -> pd.DataFrame:
    """The rows without the missing topics of groups that are not the run's: names begin with ``GROUP/``."""
    missing = left_out["kind"] == "missing"
    own = [tuple(f"{group}/" for group in groups if group in run.split("/")) for run in left_out["of"]]
    named = [
        [topic for topic in which.split(", ") if topic.startswith(start)]
        for which, start in zip(left_out["which"], own, strict=True)
    ]
    left_out = left_out.assign(
        number=left_out["number"].where(~missing, list(map(len, named))),
        which=left_out["which"].where(~missing, list(map(", ".join, named))),
    )
    return left_out[~missing | (left_out["number"] > 0)]


def _asked_for(requests: Sequence[Request], left_out: pd.DataFrame) -> pd.DataFrame:
    """The rows of one scoring job that are of these requests: other papers ask it for other runs and measures."""
    left_out = left_out.astype({"runs": str, "kind": str, "of": str})
    asked = [(request.runs.name, measure) for request in requests for measure in request.measures]
    measured = {(runs, parts_of(measure).uncut) for runs, measure in asked}
    of_measure = pd.MultiIndex.from_frame(left_out[["runs", "of"]]).isin(measured)
    theirs = (left_out["kind"] == "irrelevant") & ~of_measure
    return left_out[left_out["runs"].isin({runs for runs, _ in asked}) & ~theirs]


def _facts(requests: Sequence[Request], paths: Sequence[str]) -> dict[str, dict[str, float]]:
    """Facts by campaign, told by the first runs that were asked for of it."""
    found = {}
    for number, path in enumerate(map(Path, paths)):
        of = "earlier" if number else "campaign"
        runs = next(request.runs.runs for request in requests if request.of == of)
        found[path.parent.name] = facts_with(schema.read(path, schema.FACTS).to_pandas(), runs)
    return found


def make_section(
    paper: Publication, context: Context, folder: Path, facts: Sequence[str], left_out: pd.DataFrame
) -> str:
    """The paper's section on a campaign, from what the other two jobs left in its folder.

    ``facts`` are files of `focuseval_papers.workflow.schema.FACTS`, the campaign's own first; ``left_out`` from
    `left_out_of`.
    """
    campaign = context.campaign
    credit = f"Data: {campaign.citation} Licence: {campaign.licence}." if campaign.citation else ""
    link = f"{campaign.name}/{paper.name}"
    analysis = read_analysis(folder / "analysis")
    before, after = paper.parts(context)
    items = page.shown([*before, *after], analysis, context, folder, link)
    size = facts_table(
        _facts(paper.asks(context), facts), paper.declared.facts, f"{paper.declared.campaign}, in the paper"
    )
    findings = pd.read_parquet(folder / "findings.parquet")
    anchor = f"{paper.name}-{campaign.name}"
    return page.section(
        anchor,
        f"{paper.declared.title} on {campaign.name}",
        "\n\n".join(filter(None, [f"{campaign.heading}.", paper.introduction(context), credit])),
        [
            page.shown_table("campaign", "The campaign", paper.declared.of_campaign, size, {}),
            *items[: len(before)],
            shown_findings(findings, anchor, [f"{link}/findings.csv"]),
            *items[len(before) :],
            page.shown_left_out(left_out, [f"{link}/left_out.csv"]),
        ],
        group=paper.declared.title,
        label=campaign.name,
        campaign=campaign.name,
        claims=claims_of(findings, paper.declared.findings),
    )
