"""What is to be known of the program and of its measures, as checks on numbers computed here, or by the program."""

from dataclasses import dataclass

import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.papers.genomics2007.analysis import (
    ASPECT,
    DOCUMENT,
    HALVED,
    IRRELEVANT,
    MEAN,
    PASSAGE,
    PASSAGE2,
    RELEVANT,
    change,
)

#: half a unit of the last digit that the program prints, and a little for arithmetic in another order
ROUNDING = 0.51e-8

#: PASSAGE of the two official runs that the lists are named like (york07ga1, york07ga2), as the track published it:
#: https://dmice.ohsu.edu/trec-gen/2007results.html
OFFICIAL = (0.0947, 0.0859)

#: a change of a mean below this is none: the sums are taken in another order, or printed with eight digits
NOTHING = 1e-6


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on."""

    means: (
        pd.DataFrame
    )  #: columns run, measure, line (of the mean, as the program prints it), mean (of the topics)
    changes: pd.DataFrame  #: columns variant, run, measure, change
    difference: float  #: the largest from what the program prints for a topic, NaN where nothing was computed


def of_campaign(means: pd.DataFrame, variants: pd.DataFrame) -> Evidence:
    """The evidence of what was computed here, from the tables of `focuseval.papers.genomics2007.analysis`."""
    found = means.rename(columns={"printed": "line", "corrected": "mean"})
    return Evidence(found, variants, float(means["largest_deviation"].max()))


def printed_evidence(topics: pd.DataFrame, variants: pd.DataFrame) -> Evidence:
    """The evidence of the program's own output, from the tables of `config/published`.

    Columns of ``topics`` run, measure, topic, printed; of ``variants`` variant, run, measure, printed.
    """
    of_mean = topics["topic"] == MEAN
    key = ["run", "measure"]
    mean = topics[~of_mean].groupby(key)["printed"].mean().rename("mean")
    line = topics[of_mean].set_index(key)["printed"].rename("line")
    means = pd.concat([line, mean], axis=1).reset_index()
    found = variants.merge(means, on=key)
    return Evidence(means, found.assign(change=change(found["mean"], found["printed"])), float("nan"))


def findings(evidence: Evidence) -> list[Finding]:
    """The findings on one body of evidence."""
    means = evidence.means.pivot(index="run", columns="measure", values="mean")
    lines = evidence.means.pivot(index="run", columns="measure", values="line")
    of_document = lines.sub(means[DOCUMENT], axis=0).abs()

    def changes(variant: str, measure: str) -> pd.Series:
        table = evidence.changes
        return table.loc[(table["variant"] == variant) & (table["measure"] == measure), "change"]

    def largest(variant: str, measure: str) -> float:
        return float(changes(variant, measure).abs().max())

    best = means[PASSAGE2].idxmax()
    halved = changes(HALVED, PASSAGE)
    return [
        Finding(
            "the-program-is-reproduced",
            "the program",
            "The four measures are those of the track's program, topic by topic, to the eight digits that "
            "it prints.",
            "No value of a topic differs by more than half a unit of the eighth digit.",
            [Comparison("largest difference", evidence.difference, "≤", ROUNDING)],
        ),
        Finding(
            "every-mean-is-that-of-documents",
            "the program",
            "This copy of the program prints DOCUMENT's mean in the line of every measure's mean.",
            "All lines equal DOCUMENT's mean to eight digits, and PASSAGE's mean is another.",
            [
                Comparison(
                    "largest difference from DOCUMENT's mean", float(of_document.max().max()), "≤", ROUNDING
                ),
                Comparison(
                    "smallest difference of PASSAGE's mean and its line",
                    float((lines[PASSAGE] - means[PASSAGE]).abs().min()),
                    ">",
                    ROUNDING,
                ),
            ],
        ),
        Finding(
            "cutting-raises-passage",
            "PASSAGE",
            "Cutting every passage in half, the same text in the same order, raises PASSAGE by 20 to 36 %.",
            "The smallest rise of a list is at least 0.20 of its mean, the largest below 0.365.",
            [
                Comparison("smallest rise", float(halved.min()), "≥", 0.20),
                Comparison("largest rise", float(halved.max()), "<", 0.365),
            ],
        ),
        Finding(
            "cutting-leaves-passage2",
            "PASSAGE2",
            "PASSAGE2 does not see where passages are cut.",
            "The largest change of a list's mean is below 1e-6 of it.",
            [Comparison("largest change", largest(HALVED, PASSAGE2), "<", NOTHING)],
        ),
        Finding(
            "cutting-lowers-aspect",
            "ASPECT",
            "Cut in half, lists lose a third of ASPECT or more: halves without relevant text take ranks.",
            "The largest change of a list's mean is at most minus a third of it.",
            [Comparison("largest change", float(changes(HALVED, ASPECT).max()), "≤", -1 / 3)],
        ),
        Finding(
            "relevant-text-again-is-free",
            "PASSAGE2",
            "PASSAGE2 does not charge relevant text that is read again.",
            "The largest change of a list's mean is below 1e-6 of it.",
            [Comparison("largest change", largest(RELEVANT, PASSAGE2), "<", NOTHING)],
        ),
        Finding(
            "irrelevant-text-again-is-charged",
            "PASSAGE2",
            "PASSAGE2 charges irrelevant text every time that it is read.",
            "The mean of every list falls by a tenth or more.",
            [Comparison("smallest fall", float(-changes(IRRELEVANT, PASSAGE2).max()), "≥", 0.1)],
        ),
        Finding(
            "relevant-text-again-raises-passage",
            "PASSAGE",
            "PASSAGE counts relevant text as often as it is returned: reading it again raises it by four "
            "fifths or more.",
            "The smallest rise of a list is at least 0.8 of its mean.",
            [Comparison("smallest rise", float(changes(RELEVANT, PASSAGE).min()), "≥", 0.8)],
        ),
        Finding(
            "these-are-not-the-official-runs",
            "the lists",
            "The five lists are not the official runs that they are named like.",
            "The highest PASSAGE of a list is below the lower one of the two official runs.",
            [Comparison("highest PASSAGE", float(means[PASSAGE].max()), "<", min(OFFICIAL))],
        ),
        Finding(
            "the-best-list-is-another",
            "PASSAGE, PASSAGE2",
            "The best of the five lists under PASSAGE2 is not the best under PASSAGE.",
            "The highest PASSAGE is above that of the list with the highest PASSAGE2.",
            [
                Comparison(
                    "highest PASSAGE | that list's",
                    float(means[PASSAGE].max()),
                    ">",
                    float(means[PASSAGE].loc[best]),
                )
            ],
        ),
    ]
