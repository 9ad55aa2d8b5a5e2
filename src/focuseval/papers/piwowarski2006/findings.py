"""The paper's findings (Section 7) as checks on a campaign's numbers, or on the printed ones."""

from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.papers.piwowarski2006.draws import (
    FALLS,
    HIGH,
    KEPT,
    REWARD,
    ROUNDING,
    SIBLINGS_FALL,
    SIBLINGS_REWARD,
    STEEPEST,
    TAIL,
)
from focuseval.transformations.perturbed_runs import MOVING

#: the two metrics of Section 7, as the panels of Figure 4 name them
METRICS = ("EPRUM", "EP/GR")

#: parts of the values of Section 7's correlations, by how the published table names them
PARTS = {
    "all": "Section 7 Pearson correlation of MAP(EP/GR) and MAP(EPRUM) over topic-run values",
    "top": "Section 7 Pearson correlation over the 48 top ranked values",
    "rest": "Section 7 Pearson correlation over the other values",
}

#: the strongly perturbed runs, and what is nearly nothing at high recall
STRONG, NOTHING = (0.7, 0.8, 0.9), 0.05

#: correlations from here on are "around 0.9"
AROUND = 0.85


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty where unknown."""

    curves: pd.DataFrame  #: metric, m, recall, mean: precision, mean over topics and draws
    tested: (
        pd.DataFrame
    )  #: statistic, metric, m, draws, mean, low, high: means over draws with their intervals
    correlation: dict[str, float]  #: Pearson's r of all values, the top ranked ones and the rest


def of_campaign(curves: pd.DataFrame, tested: pd.DataFrame, correlations: pd.DataFrame) -> Evidence:
    """The evidence of a campaign: correlations under the first quantisation, with MAep, ranked by both."""
    first = correlations[correlations["quantisation"] == correlations["quantisation"].iloc[0]]
    first = first[(first["EP/GR"] == "MAep") & (first["ranked_by"].isna() | (first["ranked_by"] == "both"))]
    return Evidence(curves, tested, first.set_index("part")["pearson_r"].to_dict())


def printed_evidence(published: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it: the correlations. Columns quantity, value."""
    known = published.set_index("quantity")["value"]
    return Evidence(
        pd.DataFrame(columns=["metric", "m", "recall", "mean"]),
        pd.DataFrame(columns=["statistic", "metric", "m", "draws", "mean", "low", "high"]),
        {part: known[name] for part, name in PARTS.items()},
    )


def findings(evidence: Evidence) -> list[Finding]:
    """The findings of Section 7, in its order. What draws decide is tested on means over draws with their intervals."""
    curves, tested = evidence.curves, evidence.tested

    def ideal(metric: str) -> pd.Series:
        """The precision of the ideal run at every recall."""
        return curves.loc[(curves["metric"] == metric) & (curves["m"] == 0), "mean"].astype(float)

    def limit(side: str, statistic: str, metric: str, m: float) -> float:
        found = tested[(tested["statistic"] == statistic) & (tested["metric"] == metric)]
        found = found[(found["m"].astype(float) - m).abs() < ROUNDING]
        return float(found[side].iloc[0]) if len(found) else float("nan")

    def above(what: str, statistic: str, metric: str, m: float, bound: float = 0.0) -> Comparison:
        """That a mean over draws is above a bound: the lower limit of its interval is."""
        return Comparison(f"{what}, lower limit", limit("low", statistic, metric, m), ">", bound)

    r = evidence.correlation
    moved = [m for m in MOVING if m > 0]
    return [
        Finding(
            "perfect-ideal-run",
            "7",
            "The ideal run (m = 0) has a perfect performance under both metrics.",
            "The lowest and the highest precision of its two curves, means over topics, are 1 (up to rounding).",
            [
                comparison
                for metric in METRICS
                for comparison in (
                    Comparison(f"{metric}: lowest | 1", ideal(metric).min(), "≥", 1 - ROUNDING),
                    Comparison(f"{metric}: highest | 1", ideal(metric).max(), "≤", 1 + ROUNDING),
                )
            ],
        ),
        Finding(
            "smooth-degradation",
            "7, Figure 4",
            "Performance degrades smoothly from m = 0 to 0.9, under both metrics.",
            "Average precision falls with every step of 0.1: EPRUM, and MAep for EP/GR. The 95 % interval of each "
            "fall, of means over topics in many draws, lies above 0.",
            [
                above(f"{label}: m = {a:.1f} less {b:.1f}", statistic, label, b)
                for label, statistic in FALLS.items()
                for a, b in pairwise(MOVING)
            ],
        ),
        Finding(
            "stable-over-recall",
            "7, Figure 4",
            "EPRUM is more stable than EP/GR at different recall points.",
            "Of its precision at recall 0.1 each perturbed run keeps a larger share at recall 0.9 under EPRUM "
            "than under EP/GR: the interval of the difference over draws lies above 0.",
            [above(f"m = {m:.1f}: EPRUM less EP/GR", KEPT, "EPRUM − EP/GR", m) for m in moved],
        ),
        Finding(
            "ep-gr-collapses",
            "7, Figure 4",
            "Under EP/GR strongly perturbed runs (m from 0.7) have a precision near null above recall 0.6.",
            f"Their mean effort-precision over gain-recall 0.61 … 1.00 is below {NOTHING}, and so is its interval over "
            "draws.",
            [
                Comparison(
                    f"m = {m:.1f}: EP/GR, upper limit | {NOTHING}",
                    limit("high", TAIL, "EP/GR", m),
                    "<",
                    NOTHING,
                )
                for m in STRONG
            ],
        ),
        Finding(
            "no-collapse-at-high-recall",
            "7, Figure 4",
            "Under EPRUM the same runs keep a precision above null there.",
            f"Their mean precision over recall {HIGH + 0.01:.2f} … 1.00 is above {NOTHING}, and so is its interval "
            "over draws.",
            [above(f"m = {m:.1f}: EPRUM | {NOTHING}", TAIL, "EPRUM", m, NOTHING) for m in STRONG],
        ),
        Finding(
            "smoother-curves",
            "7, Figure 4",
            "The curves of EPRUM decrease more smoothly than those of EP/GR.",
            "The largest fall between two neighbouring hundredths of recall is smaller under EPRUM, for each "
            "perturbed run: the interval of the difference over draws lies below 0.",
            [
                Comparison(
                    f"m = {m:.1f}: EPRUM less EP/GR, upper limit",
                    limit("high", STEEPEST, "EPRUM − EP/GR", m),
                    "<",
                    0.0,
                )
                for m in moved
            ],
        ),
        Finding(
            "near-misses-are-rewarded",
            "4",
            "A user who navigates makes near misses worth something: precision is above the standard one.",
            "Average precision of each perturbed run with navigation is above that without (standard): the interval of "
            "the difference over draws lies above 0.",
            [above(f"m = {m:.1f}: length-ratio less standard", REWARD, "EPRUM", m) for m in moved],
        ),
        Finding(
            "siblings-degrade-smoothly",
            "7",
            "Where ideal elements are replaced by siblings, EPRUM with a user who also goes there degrades as "
            "smoothly.",
            "Average precision under navigation by distance falls with every step of 0.1 of the probability to be "
            "replaced: the interval of each fall over draws lies above 0.",
            [
                above(f"EPRUM: m = {a:.1f} less {b:.1f}", SIBLINGS_FALL, "EPRUM_distance", b)
                for a, b in pairwise(MOVING)
            ],
        ),
        Finding(
            "siblings-are-rewarded",
            "7",
            "Such a user rewards systems that return a nearby element instead of the ideal one.",
            "Average precision under navigation by distance is above that of a user who only goes up and down the "
            "tree, for each probability to be replaced: the interval of the difference over draws lies above 0.",
            [
                above(f"m = {m:.1f}: distance less up and down", SIBLINGS_REWARD, "EPRUM_distance", m)
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
