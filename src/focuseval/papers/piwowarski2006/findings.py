"""The paper's findings (Section 7) as checks on a campaign's numbers, or on the printed ones."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.model.arrays import Floats
from focuseval.transformations.perturbed_runs import MOVING

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


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty where unknown."""

    averages: pd.DataFrame  #: m, EPRUM, EPRUM_standard, MAep, iMAep
    curves: pd.DataFrame  #: metric, m, recall, precision
    correlation: dict[str, float]  #: Pearson's r of all values, the top ranked ones and the rest


def of_campaign(averages: pd.DataFrame, curves: pd.DataFrame, correlations: pd.DataFrame) -> Evidence:
    """The evidence of a campaign: correlations under the first quantisation, with MAep, ranked by both."""
    first = correlations[correlations["quantisation"] == correlations["quantisation"].iloc[0]]
    first = first[(first["EP/GR"] == "MAep") & (first["ranked_by"].isna() | (first["ranked_by"] == "both"))]
    return Evidence(averages, curves, first.set_index("part")["pearson_r"].to_dict())


def printed_evidence(published: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it: the correlations. Columns quantity, value."""
    known = published.set_index("quantity")["value"]
    return Evidence(pd.DataFrame(), pd.DataFrame(), {part: known[name] for part, name in PARTS.items()})


def findings(evidence: Evidence) -> list[Finding]:
    """The findings of Section 7, in its order."""
    graphs = {
        (metric, round(m, 6)): (part["recall"].to_numpy(), part["precision"].to_numpy())
        for (metric, m), part in (evidence.curves.groupby(["metric", "m"]) if len(evidence.curves) else ())
    }
    unknown = (np.full(1, np.nan), np.full(1, np.nan))

    def precision(metric: str, m: float, low: float = 0.0) -> Floats:
        """The points of a curve at a recall above ``low``."""
        recall, found = graphs.get((metric, m), unknown)
        return found[(recall > low + ROUNDING) | np.isnan(found)]

    def at(metric: str, m: float, level: float) -> float:
        recall, found = graphs.get((metric, m), unknown)
        return float(found[np.argmin(np.abs(recall - level))])

    def average(label: str, m: float) -> float:
        table = evidence.averages
        return float(table.loc[np.isclose(table["m"], m), label].iloc[0]) if len(table) else float("nan")

    def drop(metric: str, m: float) -> float:
        """The largest fall between two neighbouring points of a curve."""
        found = precision(metric, m)
        return float((found[:-1] - found[1:]).max()) if len(found) > 1 else float("nan")

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
                    Comparison(f"{metric}: lowest | 1", precision(metric, 0.0).min(), "≥", 1 - ROUNDING),
                    Comparison(f"{metric}: highest | 1", precision(metric, 0.0).max(), "≤", 1 + ROUNDING),
                )
            ],
        ),
        Finding(
            "smooth-degradation",
            "7, Figure 4",
            "Performance degrades smoothly from m = 0 to 0.9, under both metrics.",
            "Average precision, the mean over topics, falls with every step of 0.1: EPRUM, and MAep for EP/GR.",
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
                    at("EPRUM", m, 0.9) / at("EPRUM", m, 0.1),
                    ">",
                    at("EP/GR", m, 0.9) / at("EP/GR", m, 0.1),
                )
                for m in moved
            ],
        ),
        Finding(
            "ep-gr-collapses",
            "7, Figure 4",
            "Under EP/GR strongly perturbed runs (m from 0.7) have a precision near null above recall 0.6.",
            f"Their mean effort-precision over gain-recall 0.61 … 1.00 is below {NOTHING}.",
            [
                Comparison(
                    f"m = {m:.1f}: EP/GR | {NOTHING}", precision("EP/GR", m, HIGH).mean(), "<", NOTHING
                )
                for m in STRONG
            ],
        ),
        Finding(
            "no-collapse-at-high-recall",
            "7, Figure 4",
            "Under EPRUM the same runs keep a precision above null there.",
            f"Their mean precision over recall 0.61 … 1.00 is above {NOTHING}.",
            [
                Comparison(
                    f"m = {m:.1f}: EPRUM | {NOTHING}", precision("EPRUM", m, HIGH).mean(), ">", NOTHING
                )
                for m in STRONG
            ],
        ),
        Finding(
            "smoother-curves",
            "7, Figure 4",
            "The curves of EPRUM decrease more smoothly than those of EP/GR.",
            "The largest fall between two neighbouring hundredths of recall is smaller under EPRUM, for each "
            "perturbed run.",
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
            [
                Comparison(
                    f"m = {m:.1f}: length-ratio | standard",
                    average("EPRUM", m),
                    ">",
                    average("EPRUM_standard", m),
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
