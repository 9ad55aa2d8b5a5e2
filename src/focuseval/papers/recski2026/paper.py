"""Recski et al. (2026), ACL-Verbatim: the table of extraction, and what it leaves open; the declaration."""

from collections.abc import Sequence

import pandas as pd

from focuseval.campaign.configuration import CampaignSettings
from focuseval.campaign.runsets import RunSet, own_runs
from focuseval.campaign.settings import Level, Resamples, Seed, Settings
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Paper, Request, on_importer
from focuseval.papers.recski2026.analysis import (
    F1,
    MACRO,
    MACRO_WITH_GOLD,
    PUBLISHED,
    RUNS,
    WHERE_RELEVANT,
    against_the_first,
    averages,
    by_query,
    counts,
    extraction,
)
from focuseval.papers.recski2026.findings import Evidence, findings, of_campaign, printed_evidence
from focuseval.present.items import Analysis, Figure, Item, Table

#: what makes the campaigns that suit it
IMPORTER = "acl_verbatim"


class RecskiSettings(Settings):
    """Recski et al. (2026): intervals and tests over queries."""

    alpha: Level = 0.05
    resamples: Resamples = 10_000
    seed: Seed = 2026


def suits(campaign: CampaignSettings) -> str:
    """Why it cannot be computed on a campaign: the systems of its table extracted spans from its own chunks."""
    return on_importer(campaign, IMPORTER, "the paper is on spans that systems extract from given chunks")


def _runs(context: Context) -> RunSet:
    return own_runs(context.campaign, RUNS)


def asks(context: Context) -> list[Request]:
    """The measures of the table; F1 over words in other averages, and of relevant chunks alone."""
    runs = _runs(context)
    return [
        Request(runs, (*PUBLISHED.values(), MACRO, MACRO_WITH_GOLD)),
        Request(runs.transformed(WHERE_RELEVANT, "where_relevant"), (F1,), told=False),
    ]


def analyse(material: Material) -> Analysis:
    """The table with intervals, the comparisons with its first system, and the averages."""
    settings = material.context.settings
    scores = {name: material.scores(name) for name in (RUNS, WHERE_RELEVANT)}
    drawn = settings.resamples, settings.seed, settings.alpha
    return {
        "extraction": extraction(scores[RUNS], material.printed["recski2026"], *drawn),
        "compared": against_the_first(scores[RUNS], *drawn),
        "averages": averages(scores),
        "counts": counts(scores),
        "by_query": by_query(scores),
    }


def as_published(table: pd.DataFrame) -> pd.DataFrame:
    """The table of `extraction` for people: a row for each system, printed and reproduced where they differ."""

    def cell(row: pd.Series) -> str:
        told = f"{row['reproduced']:.3f}"
        if not abs(row["reproduced"] - row["printed"]) <= 5e-4:
            told += " (not printed)" if pd.isna(row["printed"]) else f" (printed {row['printed']:.3f})"
        return f"{told} [{row['low']:.2f}, {row['high']:.2f}]"

    shown = table.assign(cell=[cell(row) for _, row in table.iterrows()])
    wide = shown.pivot(index="system", columns="measure", values="cell")
    return (
        wide.loc[table["system"].unique(), table["measure"].unique()].reset_index().rename_axis(columns=None)
    )


def items(context: Context) -> Sequence[Item]:
    """The table, how sure its order is, and what its averages leave open."""
    level = f"{100 * (1 - context.settings.alpha):g} %"
    two = dict.fromkeys(("F1", "difference"), 3) | dict.fromkeys(
        ("low", "high", "difference_low", "difference_high"), 2
    )
    return [
        Table(
            "extraction",
            "The table of extraction, with intervals",
            f"Reproduced numbers with their {level} intervals (of random subsets of the queries, the "
            "counts of each going with it). A printed number stands there only where it "
            "differs. The CSV has all digits of both.",
            show=as_published,
        ),
        Figure(
            "intervals",
            "How sure the order is",
            f"On the left F1 over words with {level} intervals over queries; on the right how far each "
            "system is behind the first, queries drawn in pairs. What is orange cannot be told from the "
            "first by these queries.",
        ),
        Table(
            "compared",
            "Every system against the first",
            "Differences are the first system's F1 less that of the row, with their intervals; p-values of "
            "the paired randomisation test on pooled counts, two-tailed, adjusted after Holm for the "
            "comparisons of this table. Wins, ties and losses are queries on which the first has the "
            "higher, the same, the lower F1.",
            decimals={**two, "p": ".3g", "p_adjusted": ".3g"},
        ),
        Figure(
            "averages",
            "F1 over words, averaged in several ways",
            "The same spans of the same systems. Pooled counts let a query weigh as much as it has gold "
            "and as systems return for it; in a mean all queries weigh the same, those without gold with a "
            "0. In relevant chunks alone, nothing that is returned elsewhere counts.",
        ),
        Table(
            "averages",
            "The averages in numbers",
            "Each average with the rank of the system under it; the last column is the share of all words "
            "a system returns that are in chunks without gold.",
            decimals=dict.fromkeys(
                ("micro", "macro", "macro_with_gold", "where_relevant", "in_irrelevant_chunks"), 3
            ),
        ),
    ]


def introduction(context: Context) -> str:
    """What the systems did, and what is reproduced."""
    settings = context.settings
    return (
        "Ten systems extract verbatim spans that answer queries from chunks of research papers that were "
        "retrieved for them: 20 queries with five chunks each. 47 of the 100 chunks hold gold spans, 78 in "
        "all; three queries have none. The published table adds the counts of all queries up before it "
        "divides. All its 80 cells are reproduced from the published spans, and what it lacks stands "
        "beside it: intervals, paired comparisons, other averages. Intervals and tests draw queries "
        f"({settings.resamples:,} times, seed {settings.seed}), never single spans or words."
    )


def of_analysis(analysis: Analysis, context: Context) -> Evidence:
    """What findings rest on, from the frames of the analysis."""
    frames = (analysis[name] for name in ("extraction", "compared", "counts", "by_query"))
    extraction, compared, counted, queries = frames
    return of_campaign(extraction, compared, counted, queries, context.sample)


PAPER = Paper(
    name="recski2026",
    title="Recski et al. (2026)",
    settings=RecskiSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=lambda analysis, printed, context: (
        findings(of_analysis(analysis, context)),
        findings(printed_evidence(printed["recski2026"])),
    ),
    introduction=introduction,
    printed=("recski2026",),
    campaign="ACL-Verbatim",
    facts={"documents": 89, "assessed topics": 20, "runs": 10},
    first=3,
    elements=False,
)
