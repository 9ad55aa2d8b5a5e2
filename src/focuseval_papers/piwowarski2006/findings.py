"""The paper's findings (Section 7) as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats
from focuseval.statistics.estimates import Quantity, Sample, ratio
from focuseval.statistics.findings import Comparison, Finding, given
from focuseval.statistics.weighted import Statistic, mean_of, pearson_of
from focuseval.transformations.perturbed_runs import MOVING
from focuseval_papers.publication.paper import Draw

#: the two metrics of Section 7, as the panels of Figure 4 name them
METRICS = ("EPRUM", "EP/GR")

#: parts of the values of Section 7's correlations, by how the published table names them
PARTS = {
    "all": "Section 7 Pearson correlation of MAP(EP/GR) and MAP(EPRUM) over topic-run values",
    "top": "Section 7 Pearson correlation over the 48 top ranked values",
    "rest": "Section 7 Pearson correlation over the other values",
}

#: the strongly perturbed runs, the recall above which they are looked at, and what is nearly nothing there
STRONG, HIGH, NOTHING = (0.7, 0.8, 0.9), 0.6, 0.05

#: correlations from here on are "around 0.9"
AROUND = 0.85

#: values this close to 1 are 1
ROUNDING = 1e-9


#: why some comparisons cannot fail
_OWN = "Both metrics compare a list with the ideal one: of the ideal list itself both are 1, at every recall."
_LINKS = (
    "Links between elements only add to what a user may see: precision with them is never below that without."
)

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty where unknown."""

    averages: pd.DataFrame  #: m, topic, EPRUM, EPRUM_standard, MAep, iMAep: means over draws
    curves: pd.DataFrame  #: metric, m, topic, recall, precision: means over draws
    steepest: pd.DataFrame  #: m, draw, EPRUM, EP/GR: the largest fall of each curve
    siblings: pd.DataFrame  #: m, topic, EPRUM_distance, EPRUM, MAep of runs of siblings: means over draws
    correlation: Mapping[str, Quantity]  #: Pearson's r of all values, the top ranked ones and the rest
    topics: Sample | None = None  #: those of the averages and the curves
    draws: Sample | None = None  #: those of the perturbed runs


def of_campaign(
    averages: pd.DataFrame,
    curves: pd.DataFrame,
    siblings: pd.DataFrame,
    steepest: pd.DataFrame,
    values: pd.DataFrame,
    top: int,
    draw: Draw,
) -> Evidence:
    """The evidence of a campaign; ``averages``, ``curves``, ``siblings`` and ``steepest`` as in `Evidence`.

    ``values`` has the columns topic, EPRUM and MAep, a row for every topic and run. The top ranked are those with the
    highest mean rank under both. Topics are drawn with the values of all their runs.
    """
    topics = draw("perturbed topics", list(averages["topic"].unique()), "topics")
    valued = draw("topics", list(values["topic"].unique()), "topics")
    x, y = values["EPRUM"].to_numpy(), values["MAep"].to_numpy()
    row = pd.Index(valued.members).get_indexer(pd.Index(values["topic"]))
    ranks = pd.DataFrame({"x": -x, "y": -y}).rank()
    order = np.argsort(ranks.sum(axis=1).to_numpy(), kind="stable")

    def part(first: float, last: float) -> Statistic:
        """Pearson's r of the values from one place to another, when all stand in the order of their ranks."""

        def statistic(weights: Floats) -> Floats:
            drawn = weights[:, row[order]]
            end = np.cumsum(drawn, axis=1)
            taken = np.clip(np.minimum(end, last) - np.maximum(end - drawn, first), 0.0, None)
            return pearson_of(x[order], y[order])(taken)

        return statistic

    parts = {"all": (0.0, np.inf), "top": (0.0, float(top)), "rest": (float(top), np.inf)}
    found = {name: valued.estimate(part(*limits)) for name, limits in parts.items()}
    drawn = draw("draws", sorted(map(str, steepest["draw"].unique())), "draws")
    return Evidence(averages, curves, steepest, siblings, found, topics, drawn)


def printed_evidence(published: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it: the correlations. Columns quantity, value."""
    known = published.set_index("quantity")["value"]
    nothing = pd.DataFrame()
    return Evidence(
        nothing,
        nothing,
        nothing,
        nothing,
        {part: float(known[name]) for part, name in PARTS.items()},
    )


def findings(evidence: Evidence) -> list[Finding]:
    """The findings of Section 7, in its order.

    Of perturbed runs each topic has the mean over many draws: its interval over topics holds what is left of chance.
    """
    topics = evidence.topics
    graphs = {
        (metric, round(m, 6)): part.pivot(index="topic", columns="recall", values="precision")
        for (metric, m), part in (evidence.curves.groupby(["metric", "m"]) if len(evidence.curves) else ())
    }

    def of_curve(metric: str, m: float, statistic: Callable[[Floats], Floats], low: float = 0.0) -> Quantity:
        """A statistic of the points (R, P) of a mean curve at a recall above ``low``."""
        if topics is None or (metric, m) not in graphs:
            return _NAN
        points = graphs[metric, m].loc[list(topics.members)]
        values = points.loc[:, points.columns > low + ROUNDING].to_numpy()
        # without its only topic a curve is nowhere: there nothing is drawn of it
        return topics.estimate(lambda w: statistic(w @ values / np.maximum(w.sum(axis=1, keepdims=True), 1)))

    def kept(metric: str, m: float) -> Quantity:
        """What is left at recall 0.9 of the precision at 0.1."""
        if (metric, m) not in graphs:
            return _NAN
        recall = graphs[metric, m].columns.to_numpy()
        high, low = (int(np.argmin(np.abs(recall - level))) for level in (0.9, 0.1))
        return ratio(
            of_curve(metric, m, lambda found: found[:, high], -1.0),
            of_curve(metric, m, lambda found: found[:, low], -1.0),
        )

    def average(label: str, m: float, known: pd.DataFrame = evidence.averages) -> Quantity:
        if topics is None:
            return _NAN
        table = known[np.isclose(known["m"], m)].set_index("topic")
        return topics.estimate(mean_of(table.loc[list(topics.members), label].to_numpy()))

    def drop(metric: str, m: float) -> Quantity:
        """The largest fall between two neighbouring points of a curve, mean over draws."""
        if evidence.draws is None:
            return _NAN
        table = evidence.steepest[np.isclose(evidence.steepest["m"], m)]
        table = table.set_index(table["draw"].astype(str)).loc[list(evidence.draws.members)]
        return evidence.draws.estimate(mean_of(table[metric].to_numpy()))

    def high(metric: str, m: float) -> Quantity:
        return of_curve(metric, m, lambda found: found.mean(axis=1), HIGH)

    r = evidence.correlation
    moved = [m for m in MOVING if m > 0]
    return [
        Finding(
            "perfect-ideal-run",
            "7",
            "The ideal run (m = 0) has a perfect performance under both metrics.",
            "The lowest and the highest precision of its two curves, means over topics, are 1 (up to rounding).",
            given(
                _OWN,
                (
                    Comparison(f"{metric}: {name} | 1", of_curve(metric, 0.0, statistic), relation, bound)
                    for metric in METRICS
                    for name, statistic, relation, bound in (
                        ("lowest", lambda found: found.min(axis=1), "≥", 1 - ROUNDING),
                        ("highest", lambda found: found.max(axis=1), "≤", 1 + ROUNDING),
                    )
                ),
            ),
        ),
        Finding(
            "smooth-degradation",
            "7, Figure 4",
            "Performance degrades smoothly from m = 0 to 0.9, under both metrics.",
            "Average precision, the mean over topics and draws, falls with every step of 0.1: EPRUM, and MAep for "
            "EP/GR.",
            [
                Comparison(f"{label}: m = {a:.1f} | {b:.1f}", average(label, a), ">", average(label, b))
                for label in ("EPRUM", "MAep")
                for a, b in pairwise(MOVING)
            ],
        ),
        Finding(
            "stable-over-recall",
            "7, Figure 4",
            "EPRUM is more stable than EP/GR at different recall points.",
            "Of its precision at recall 0.1 each perturbed run keeps a larger share at recall 0.9 under EPRUM "
            "than under EP/GR.",
            [
                Comparison(
                    f"m = {m:.1f}: EPRUM | EP/GR",
                    kept("EPRUM", m),
                    ">",
                    kept("EP/GR", m),
                )
                for m in moved
            ],
        ),
        Finding(
            "ep-gr-collapses",
            "7, Figure 4",
            "Under EP/GR strongly perturbed runs (m from 0.7) have a precision near null above recall 0.6.",
            f"Their mean effort-precision over gain-recall 0.61 … 1.00 is below {NOTHING}.",
            [Comparison(f"m = {m:.1f}: EP/GR | {NOTHING}", high("EP/GR", m), "<", NOTHING) for m in STRONG],
        ),
        Finding(
            "no-collapse-at-high-recall",
            "7, Figure 4",
            "Under EPRUM the same runs keep a precision above null there.",
            f"Their mean precision over recall 0.61 … 1.00 is above {NOTHING}.",
            [Comparison(f"m = {m:.1f}: EPRUM | {NOTHING}", high("EPRUM", m), ">", NOTHING) for m in STRONG],
        ),
        Finding(
            "smoother-curves",
            "7, Figure 4",
            "The curves of EPRUM decrease more smoothly than those of EP/GR.",
            "The largest fall between two neighbouring hundredths of recall is smaller under EPRUM, for each "
            "perturbed run: the mean over draws of that of each draw's curve, with its interval over draws.",
            [
                Comparison(f"m = {m:.1f}: EPRUM | EP/GR", drop("EPRUM", m), "<", drop("EP/GR", m))
                for m in moved
            ],
        ),
        Finding(
            "near-misses-are-rewarded",
            "4",
            "A user who navigates makes near misses worth something: precision is above the standard one.",
            "Average precision of each perturbed run with navigation is above that without (standard).",
            given(
                _LINKS,
                (
                    Comparison(
                        f"m = {m:.1f}: length-ratio | standard",
                        average("EPRUM", m),
                        ">",
                        average("EPRUM_standard", m),
                    )
                    for m in moved
                ),
            ),
        ),
        Finding(
            "siblings-degrade-smoothly",
            "7",
            "Where ideal elements are replaced by siblings, EPRUM with a user who also goes there degrades as "
            "smoothly.",
            "Average precision under navigation by distance falls with every step of 0.1 of the probability to be "
            "replaced.",
            [
                Comparison(
                    f"EPRUM, distance: m = {a:.1f} | {b:.1f}",
                    average("EPRUM_distance", a, evidence.siblings),
                    ">",
                    average("EPRUM_distance", b, evidence.siblings),
                )
                for a, b in pairwise(MOVING)
            ],
        ),
        Finding(
            "siblings-are-rewarded",
            "7",
            "Such a user rewards systems that return a nearby element instead of the ideal one.",
            "Average precision under navigation by distance is above that of a user who only goes up and down the "
            "tree, for each probability to be replaced.",
            [
                Comparison(
                    f"m = {m:.1f}: distance | up and down",
                    average("EPRUM_distance", m, evidence.siblings),
                    ">",
                    average("EPRUM", m, evidence.siblings),
                )
                for m in moved
            ],
        ),
        Finding(
            "different-behaviour",
            "7",
            "Though they share the user model and the ideal elements, EPRUM and EP/GR behave differently.",
            f"Pearson's r of their average precision over topics and runs is below {AROUND}.",
            [Comparison(f"all values: r | {AROUND}", r["all"], "<", AROUND)],
        ),
        Finding(
            "agreement-at-the-top",
            "7",
            "The top ranked values are highly correlated (around 0.9), unlike the others.",
            f"Pearson's r of the top ranked values is at least {AROUND}, and above that of the others.",
            [
                Comparison(f"top ranked: r | {AROUND}", r["top"], "≥", AROUND),
                Comparison("top ranked | the others", r["top"], ">", r["rest"]),
            ],
        ),
        Finding(
            "the-others-lower-it",
            "7",
            "The values that are not at the top make the correlation of all lower.",
            "Pearson's r of the others is below that of all values.",
            [Comparison("the others | all values", r["rest"], "<", r["all"])],
        ),
    ]
