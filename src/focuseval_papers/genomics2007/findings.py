"""What is to be known of the program and of its measures, as checks on numbers computed here, or by the program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from focuseval.findings import Comparison, Finding, given
from focuseval.statistics.estimates import (
    Quantity,
    combined,
    difference,
    highest,
    lowest,
    ratio,
    value_of,
)
from focuseval.statistics.weighted import mean_of
from focuseval_papers.genomics2007.analysis import (
    ASPECT,
    DOCUMENT,
    HALVED,
    IRRELEVANT,
    MEAN,
    MEASURES,
    PASSAGE,
    PASSAGE2,
    RELEVANT,
    change,
)
from focuseval_papers.publication.paper import Draw

#: half a unit of the last digit that the program prints, and a little for arithmetic in another order
ROUNDING = 0.51e-8

#: PASSAGE of the two official runs that the lists are named like (york07ga1, york07ga2), as the track published it:
#: https://dmice.ohsu.edu/trec-gen/2007results.html
OFFICIAL = (0.0947, 0.0859)

#: a change of a mean below this is none: the sums are taken in another order, or printed with eight digits
NOTHING = 1e-6


#: why some comparisons cannot fail on what is computed here; of the program they are found
_CHARACTERS = (
    "PASSAGE2 is computed character by character, each relevant one where it is read first: where passages are cut, "
    "and what is read again of it, is not part of its definition."
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on."""

    lines: pd.DataFrame  #: runs × measures: the line of the mean, as the program prints it
    means: Mapping[tuple[str, str], Quantity]  #: of the topics, by run and measure
    changes: Mapping[tuple[str, str], Sequence[Quantity]]  #: of each list's mean, by variant and measure
    difference: float  #: the largest from what the program prints for a topic, NaN where nothing was computed
    values: int = 0  #: how many values of topics the program prints
    by_definition: str = ""  #: why PASSAGE2 cannot be otherwise


def of_campaign(measures: pd.DataFrame, by_topic: pd.DataFrame, draw: Draw) -> Evidence:
    """The evidence of what was computed here, from the tables of `focuseval_papers.genomics2007.analysis`.

    ``by_topic`` has the columns variant, run, measure, topic, submitted, value.
    """
    topics = draw("topics", sorted(by_topic["topic"].unique()), "topics")
    means: dict[tuple[str, str], Quantity] = {}
    changes: dict[tuple[str, str], list[Quantity]] = {}
    for (variant, measure, run), part in by_topic.groupby(["variant", "measure", "run"], sort=False):
        before, after = (
            topics.estimate(mean_of(part.set_index("topic")[name].loc[list(topics.members)].to_numpy()))
            for name in ("submitted", "value")
        )
        means[str(run), str(measure)] = before
        changes.setdefault((str(variant), str(measure)), []).append(ratio(difference(after, before), before))
    lines = measures.pivot(index="run", columns="measure", values="printed")
    largest = float(measures["largest_deviation"].max())
    return Evidence(lines, means, changes, largest, measures["topics"].sum(), _CHARACTERS)


def printed_evidence(topics: pd.DataFrame, variants: pd.DataFrame) -> Evidence:
    """The evidence of the program's own output, from the tables of `config/published`.

    Columns of ``topics`` run, measure, topic, printed; of ``variants`` variant, run, measure, printed.
    """
    of_mean = topics["topic"] == MEAN
    mean = topics[~of_mean].groupby(["run", "measure"])["printed"].mean().rename("mean")
    found = variants.merge(mean.reset_index(), on=["run", "measure"])
    found = found.assign(change=change(found["mean"], found["printed"]))
    changes = {
        (str(variant), str(measure)): part["change"].tolist()
        for (variant, measure), part in found.groupby(["variant", "measure"])
    }
    lines = topics[of_mean].pivot(index="run", columns="measure", values="printed")
    return Evidence(lines, {key: float(value) for key, value in mean.items()}, changes, float("nan"))


def findings(evidence: Evidence) -> list[Finding]:
    """The findings on one body of evidence."""
    runs = list(dict.fromkeys(run for run, _ in evidence.means))

    def mean(run: str, measure: str) -> Quantity:
        return evidence.means[run, measure]

    def changes(variant: str, measure: str) -> Sequence[Quantity]:
        return evidence.changes[variant, measure]

    def none(variant: str) -> list[Comparison]:
        """That PASSAGE2 does not change."""
        largest = highest(combined(np.abs, value) for value in changes(variant, PASSAGE2))
        return given(evidence.by_definition, [Comparison("largest change", largest, "<", NOTHING)])

    def from_line(measure: str, of: str, how: str) -> float:
        """The largest or smallest distance of a measure's mean from the line of another's."""
        distances = [abs(value_of(mean(run, measure)) - evidence.lines.loc[run, of]) for run in runs]
        return float(getattr(np, how)(distances))

    best = max(runs, key=lambda run: value_of(mean(run, PASSAGE2)))
    of_documents = [from_line(DOCUMENT, measure, "max") for measure in MEASURES]
    return [
        Finding(
            "the-program-is-reproduced",
            "the program",
            "The four measures are those of the track's program, topic by topic, to the eight digits that "
            "it prints.",
            "No value of a topic differs by more than half a unit of the eighth digit.",
            [Comparison("largest difference", evidence.difference, "≤", ROUNDING, n=evidence.values)],
        ),
        Finding(
            "every-mean-is-that-of-documents",
            "the program",
            "This copy of the program prints DOCUMENT's mean in the line of every measure's mean.",
            "All lines equal DOCUMENT's mean to eight digits, and PASSAGE's mean is another.",
            [
                Comparison(
                    "largest difference from DOCUMENT's mean", float(np.max(of_documents)), "≤", ROUNDING
                ),
                Comparison(
                    "smallest difference of PASSAGE's mean and its line",
                    from_line(PASSAGE, PASSAGE, "min"),
                    ">",
                    ROUNDING,
                ),
            ],
        ),
        Finding(
            "cutting-raises-passage",
            "PASSAGE",
            "Cutting every passage in half, the same text in the same order, raises PASSAGE (that of the five lists by "
            "20 to 36 %).",
            "The smallest rise of a list's mean is above 0.",
            [Comparison("smallest rise", lowest(changes(HALVED, PASSAGE)), ">", 0.0)],
        ),
        Finding(
            "cutting-leaves-passage2",
            "PASSAGE2",
            "PASSAGE2 does not see where passages are cut.",
            "The largest change of a list's mean is below 1e-6 of it.",
            none(HALVED),
        ),
        Finding(
            "cutting-lowers-aspect",
            "ASPECT",
            "Cut in half, lists lose ASPECT (a third or more of it): halves without relevant text take ranks.",
            "The largest change of a list's mean is below 0.",
            [Comparison("largest change", highest(changes(HALVED, ASPECT)), "<", 0.0)],
        ),
        Finding(
            "relevant-text-again-is-free",
            "PASSAGE2",
            "PASSAGE2 does not charge relevant text that is read again.",
            "The largest change of a list's mean is below 1e-6 of it.",
            none(RELEVANT),
        ),
        Finding(
            "irrelevant-text-again-is-charged",
            "PASSAGE2",
            "PASSAGE2 charges irrelevant text every time that it is read (a tenth of the mean or more).",
            "The largest change of a list's mean is below 0.",
            [Comparison("largest change", highest(changes(IRRELEVANT, PASSAGE2)), "<", 0.0)],
        ),
        Finding(
            "relevant-text-again-raises-passage",
            "PASSAGE",
            "PASSAGE counts relevant text as often as it is returned: reading it again raises it (by four fifths or "
            "more).",
            "The smallest rise of a list's mean is above 0.",
            [Comparison("smallest rise", lowest(changes(RELEVANT, PASSAGE)), ">", 0.0)],
        ),
        Finding(
            "these-are-not-the-official-runs",
            "the lists",
            "The five lists are not the official runs that they are named like.",
            "The highest PASSAGE of a list is below the lower one of the two official runs. Both are of the same "
            "topics, so that none are drawn.",
            [
                Comparison(
                    "highest PASSAGE",
                    max(value_of(mean(run, PASSAGE)) for run in runs),
                    "<",
                    min(OFFICIAL),
                    n=len(runs),
                )
            ],
        ),
        Finding(
            "the-best-list-is-another",
            "PASSAGE, PASSAGE2",
            "The best of the five lists under PASSAGE2 is not the best under PASSAGE.",
            "The highest PASSAGE is above that of the list with the highest PASSAGE2.",
            [
                Comparison(
                    "highest PASSAGE | that list's",
                    highest(mean(run, PASSAGE) for run in runs),
                    ">",
                    mean(best, PASSAGE),
                )
            ],
        ),
    ]
