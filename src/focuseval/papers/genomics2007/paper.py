"""TREC 2007 Genomics Track: its measures beside its own scoring program; the declaration."""

from collections.abc import Sequence

import pandas as pd

from focuseval.campaign.configuration import CampaignSettings
from focuseval.campaign.runsets import RunSet, own_runs
from focuseval.campaign.settings import Resamples, Seed, Settings
from focuseval.papers.genomics2007.analysis import (
    HALVED,
    IRRELEVANT,
    MEASURES,
    RELEVANT,
    VARIANTS,
    by_topic,
    means,
    tables_of,
    variants,
    variants_by_topic,
)
from focuseval.papers.genomics2007.findings import findings, of_campaign, printed_evidence
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Paper, Request, on_importer
from focuseval.present.items import Analysis, Figure, Item, Table

#: what makes the campaigns that suit it
IMPORTER = "trec_genomics"


class GenomicsSettings(Settings):
    """TREC 2007 Genomics Track: the intervals of the means."""

    resamples: Resamples = 10_000
    seed: Seed = 2007


def suits(campaign: CampaignSettings) -> str:
    """Why it cannot be computed on a campaign: its passages have aspects, and the program's output is of its lists."""
    return on_importer(campaign, IMPORTER, "the paper is on passages of TREC Genomics, with aspects")


def _sets(context: Context) -> dict[str, RunSet]:
    """The lists as they are, and rewritten."""
    runs = own_runs(context.campaign)
    return {
        "runs": runs,
        HALVED: runs.transformed(HALVED, "halved"),
        RELEVANT: runs.transformed(RELEVANT, "repeated", relevant=True),
        IRRELEVANT: runs.transformed(IRRELEVANT, "repeated", relevant=False),
    }


def asks(context: Context) -> list[Request]:
    """All four measures of all lists."""
    return [Request(runs, MEASURES, told=name == "runs") for name, runs in _sets(context).items()]


def analyse(material: Material) -> Analysis:
    """The measures by topic beside the program's, their means, and how these change when lists are rewritten."""
    settings, printed = material.context.settings, material.printed["genomics2007"]
    submitted = tables_of(material.scores("runs"))
    topics = by_topic(submitted, printed)
    rewritten = {name: tables_of(material.scores(name)) for name in VARIANTS}
    return {
        "measures": means(submitted, topics, printed, settings.resamples, settings.seed),
        "topics": topics,
        "variants": variants(rewritten, submitted, material.printed["genomics2007_variants"]),
        "variants_by_topic": variants_by_topic(rewritten, submitted),
    }


def as_percent(table: pd.DataFrame) -> pd.DataFrame:
    """The table of `variants` for people: what is done in words, changes in per cent."""
    change = [f"{100 * value:+.1f} %".replace("-", "\N{MINUS SIGN}") for value in table["change"]]
    return table.assign(variant=table["variant"].map(VARIANTS), change=pd.array(change, dtype=object))


def items(context: Context) -> Sequence[Item]:
    """The means, the values of topics, and what rewriting does."""
    eight = dict.fromkeys(("printed", "reproduced", "corrected", "submitted"), 8)
    return [
        Table(
            "measures",
            "Means: printed, reproduced, corrected",
            "Printed is the program's line of the mean (MAP), which is DOCUMENT's for all measures: "
            "reproduced as such, and corrected to the mean of the measure, with its 95 % interval "
            "(all that a randomisation test does not reject). The last column is the largest difference from a value "
            "that the program prints for a topic, with eight digits.",
            decimals={**eight, "low": 4, "high": 4, "largest_deviation": ".1e"},
        ),
        Table(
            "topics",
            "Every topic, beside the program's output",
            "Values of topics; the program prints eight digits.",
            decimals={**eight, "difference": ".1e"},
            fold=lambda table: f"All {len(table)} values",
        ),
        Figure(
            "changes",
            "What rewriting does to the means",
            "Each line is a list. On the left every passage is cut in two halves: the same text in the "
            "same order. In the middle the relevant text of a passage stands again behind it, on the right "
            "every passage without relevant text stands twice. A measure of the text that is read would "
            "stay at 0 on the left.",
        ),
        Table(
            "variants",
            "What rewriting does to the means, in numbers",
            "Printed are the means of the values that the program prints for the topics of lists rewritten "
            "in the same way.",
            decimals={**eight, "difference": ".1e"},
            show=as_percent,
            fold=lambda table: f"All {len(table)} means",
        ),
    ]


def introduction(context: Context) -> str:
    """What the lists are, and what they are compared with."""
    return (
        "The track's four measures on five public lists of passages, beside what its own scoring program "
        "(trecgen2007_score.py) prints for them. Where these lists come from is not certain: their names "
        "are like those of runs that were submitted, but three files carry one name and two another. They "
        "are witnesses for the program; they say nothing about anybody's official results. The texts of "
        "the documents are not at hand, and no measure here "
        "needs them.\n\n"
        "The findings are on the program and on its measures, and are checked on the numbers computed here "
        "and on those of the program itself."
    )


PAPER = Paper(
    name="genomics2007",
    title="TREC Genomics (2007)",
    settings=GenomicsSettings,
    suits=suits,
    asks=asks,
    analyse=analyse,
    items=items,
    findings=lambda analysis, printed, context: (
        findings(of_campaign(analysis["measures"], analysis["variants_by_topic"], context.sample)),
        findings(printed_evidence(printed["genomics2007"], printed["genomics2007_variants"])),
    ),
    introduction=introduction,
    printed=("genomics2007", "genomics2007_variants"),
    campaign="TREC 2007",
    facts={"assessed topics": 36, "runs": 66},
    first=1,
    texts=False,
    elements=False,
)
