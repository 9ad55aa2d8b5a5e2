"""The third job of a paper on a campaign: its section of the report, from what the other two left."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from focuseval.campaign import schema
from focuseval.campaign.facts import facts_table
from focuseval.papers.paper import Context, Paper, Request
from focuseval.present import page
from focuseval.present.items import read_analysis


def left_out_of(requests: Sequence[Request], left_out: Sequence[str], told: str) -> pd.DataFrame:
    """What scoring left out of the runs that were asked for, and how much of the campaign's files was not read.

    ``left_out`` are files of `focuseval.campaign.schema.LEFT_OUT`, ``told`` is one of ``TOLD``.
    """
    asked = [
        (request.runs.name, measure) for request in requests if request.told for measure in request.measures
    ]
    parts = [
        schema.LEFT_OUT.empty_table().to_pandas(),
        *(schema.read(path, schema.LEFT_OUT).to_pandas() for path in left_out),
    ]
    found = pd.concat(parts, ignore_index=True).astype({"runs": str, "kind": str, "of": str})
    # other papers may ask other measures of the same runs
    measured = {(runs, measure.partition("@")[0]) for runs, measure in asked}
    theirs = (found["kind"] == "irrelevant") & ~pd.MultiIndex.from_frame(found[["runs", "of"]]).isin(measured)
    found = found[found["runs"].isin({runs for runs, _ in asked}) & ~theirs]
    files = schema.read(told, schema.TOLD).to_pandas().astype({"kind": str})
    grouped = files.groupby(["kind", "source"], sort=False)["text"]
    remarks = grouped.agg(number="size", which="first").reset_index().rename(columns={"source": "of"})
    remarks.loc[remarks["kind"] == "rejected", "which"] = ""
    return pd.concat([remarks.assign(runs="files"), found], ignore_index=True)


def _facts(requests: Sequence[Request], paths: Sequence[str]) -> dict[str, dict[str, float]]:
    """Facts by campaign, told by the first runs that were asked for of it."""
    found = {}
    for number, path in enumerate(map(Path, paths)):
        of = "earlier" if number else "campaign"
        runs = next(request.runs.runs for request in requests if request.of == of)
        table = schema.read(path, schema.FACTS).to_pandas()
        table = table[table["runs"] == runs]
        found[path.parent.name] = dict(zip(table["fact"].astype(str), table["value"], strict=True))
    return found


def make_section(
    paper: Paper, context: Context, folder: Path, facts: Sequence[str], left_out: pd.DataFrame
) -> str:
    """The paper's section on a campaign, from what the other two jobs left in its folder.

    ``facts`` are files of `focuseval.campaign.schema.FACTS`, the campaign's own first; ``left_out`` from
    `left_out_of`.
    """
    campaign = context.campaign
    credit = f"Data: {campaign.citation} Licence: {campaign.licence}." if campaign.citation else ""
    link = f"{campaign.name}/{paper.name}"
    analysis = read_analysis(folder / "analysis")
    items = page.shown(paper.items(context), analysis, context, folder, link)
    # a paper without runs has no facts, which are told with runs
    found = _facts(paper.asks(context), facts)
    size = facts_table(found, paper.facts, f"{paper.campaign}, in the paper")
    findings = pd.read_parquet(folder / "findings.parquet")
    return page.section(
        f"{paper.name}-{campaign.name}",
        f"{paper.title} on {campaign.name}",
        "\n\n".join(filter(None, [f"{campaign.heading}.", paper.introduction(context), credit])),
        [
            *([page.ShownTable("campaign", "The campaign", paper.of_campaign, size, {})] if found else []),
            *items[: paper.first],
            page.ShownFindings(findings, [f"{link}/findings.csv"]),
            *items[paper.first :],
            page.ShownLeftOut(left_out, [f"{link}/left_out.csv"]),
        ],
        group=paper.title,
        label=campaign.name,
    )
