"""Piwowarski & Dupret (SIGIR 2006), Expected precision-recall with user modelling (EPRUM): the declaration."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.campaign.runsets import RunSet, task_sets
from focuseval.campaign.settings import OneOf, Seed, Settings, distinct
from focuseval.findings import Finding
from focuseval.measures import eprum, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.model.arrays import Bools, Floats
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Examples, Paper, Request, on_scales
from focuseval.papers.piwowarski2006.examples import numbers, table1
from focuseval.papers.piwowarski2006.findings import METRICS, PARTS, findings, of_campaign, printed_evidence
from focuseval.present.items import Analysis, Figure, Item, Table
from focuseval.statistics.weighted import pearson_of
from focuseval.transformations.perturbed_runs import MOVING, name_of

#: the perturbed runs of Section 7, as a set
MOVED = "moved"

#: average precision, by how tables name it: the two metrics of Section 7, and EPRUM without navigation
AVERAGES = {
    "EPRUM": "EPRUM(navigation=length-ratio,quantisation={})",
    "EPRUM_standard": "EPRUM(navigation=standard,quantisation={})",
    "MAep": "MAep(quantisation={},overlap=on)",
    "iMAep": "iMAep(quantisation={},overlap=on)",
}

#: the two panels of Figure 4
CURVES = dict(
    zip(METRICS, (f"{AVERAGES['EPRUM']}@curve", "ep(quantisation={},overlap=on)@curve"), strict=True)
)

#: what "MAP of EP/GR" may be: over the ranks with a gain, or over gain-recall 0.01 … 1.00
EFFORT_PRECISION = ("MAep", "iMAep")

#: by what values are ranked to find the top ones: the paper does not say
RANKED_BY = ("both", "EPRUM", "EP/GR")

#: recall levels at which the table of perturbed runs shows their curves
_LEVELS = (0.1, 0.5, 0.9)

_KNOWN = {measure.name: measure for measure in (*eprum.MEASURES, *xcg.MEASURES)}


class PiwowarskiSettings(Settings):
    """Piwowarski & Dupret (2006). The first quantisation is that of Figure 4 and of the findings."""

    quantisations: Annotated[
        list[Annotated[str, OneOf(("gen", "strict", "genLifted"))]], AfterValidator(distinct)
    ] = Field(default=["gen", "strict"], min_length=1, description="a list of strict, gen or genLifted")
    seed: Seed = 2006
    top: int = Field(default=48, ge=2, description="a whole number of values, 2 or more")


def runs_of(context: Context) -> RunSet:
    """The runs of CO.Focussed, or of the first task that the campaign has."""
    sets = task_sets(context.campaign)
    return sets.get("CO.Focussed", next(iter(sets.values())))


def of_submitted(quantisations: Sequence[str]) -> tuple[str, ...]:
    """The measures that submitted runs are scored under."""
    return tuple(AVERAGES[name].format(q) for q in quantisations for name in ("EPRUM", *EFFORT_PRECISION))


def of_perturbed(quantisation: str) -> tuple[str, ...]:
    """The measures that perturbed runs are scored under."""
    return tuple(name.format(quantisation) for name in (*AVERAGES.values(), *CURVES.values()))


def asks(context: Context) -> list[Request]:
    """Average precision of the campaign's runs under both metrics; that of perturbed runs, with curves."""
    runs, settings = runs_of(context), context.settings
    first = settings.quantisations[0]
    moved = runs.transformed(MOVED, "perturbed_runs", quantisation=first, seed=settings.seed)
    return [Request(runs, of_submitted(settings.quantisations)), Request(moved, of_perturbed(first))]


def analyse(material: Material) -> Analysis:
    """Averages and curves of the perturbed runs; values of the campaign's runs, and how these correlate."""
    settings = material.context.settings
    perturbed, first = material.scores(MOVED), settings.quantisations[0]
    average, curve = averages(perturbed, first), curves(perturbed, first)
    found = values(material.scores(runs_of(material.context).name), settings.quantisations)
    return {
        "averages": average,
        "averages_by_topic": averages(perturbed, first, ["m", "topic"]),
        "curves": curve,
        "curves_by_topic": curves(perturbed, first, ["topic"]),
        "perturbed": perturbed_table(average, curve),
        "values": found,
        "correlation": correlations(found, material.printed["piwowarski2006"], settings.top),
    }


def _under(scores: pd.DataFrame, measures: Mapping[str, str], quantisation: str) -> pd.DataFrame:
    """The scores under measures by their labels: columns run, topic, cutoff, value, label.

    A campaign's scores also hold what others asked for, with other parameters or cut-offs.
    """
    parts = []
    for label, name in measures.items():
        spec = parse_specs(name.format(quantisation), _KNOWN)[0]
        own = (scores["measure"] == spec.measure.name) & (scores["parameters"] == spec.settings)
        own &= scores["cutoff"].isna() == (spec.cutoff is None)
        parts.append(scores.loc[own, ["run", "topic", "cutoff", "value"]].assign(label=label))
    return pd.concat(parts, ignore_index=True).astype({"run": str, "topic": str})


def _moving(runs: pd.Series) -> pd.Series:
    """The moving probability m of each perturbed run."""
    return runs.map({name_of(m): m for m in MOVING})


def averages(scores: pd.DataFrame, quantisation: str, by: Sequence[str] = ("m",)) -> pd.DataFrame:
    """The average precision of each perturbed run: columns of ``by`` (m, and topic if it is asked for) and measures.

    Means over topics of tidy scores unless they are by topic.
    """
    part = _under(scores, AVERAGES, quantisation)
    part = part.assign(m=_moving(part["run"]))
    table = part.pivot_table(index=list(by), columns="label", values="value")
    return table[list(AVERAGES)].reset_index().rename_axis(columns=None)


def curves(scores: pd.DataFrame, quantisation: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """The graphs of perturbed runs: columns metric, m, those of ``by`` (topic, or none), recall, precision.

    Means over topics unless they are by topic.
    """
    points = _under(scores, CURVES, quantisation)
    points = points.rename(columns={"label": "metric", "cutoff": "recall", "value": "precision"})
    points = points.assign(m=_moving(points["run"]))
    keys = ["metric", "m", *by, "recall"]
    mean = points.groupby(keys)["precision"].mean().reset_index()
    return mean.sort_values(keys, key=_in_order, ignore_index=True)


def _in_order(column: pd.Series) -> pd.Series:
    return column.map(METRICS.index) if column.name == "metric" else column


def perturbed_table(average: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Average precision of each perturbed run, and its precision at three recall levels."""
    table = average.copy()
    for metric in METRICS:
        for level in _LEVELS:
            at = curve[(curve["metric"] == metric) & np.isclose(curve["recall"], level)]
            table[f"{metric}@{level}"] = table["m"].map(at.set_index("m")["precision"])
    return table


def values(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """One row per quantisation, run and topic: columns EPRUM, MAep and iMAep, from tidy scores."""
    labels = ["EPRUM", *EFFORT_PRECISION]
    tables = []
    for q in quantisations:
        part = _under(scores, {label: AVERAGES[label] for label in labels}, q)
        table = part.pivot(index=["run", "topic"], columns="label", values="value")[labels]
        tables.append(table.reset_index().rename_axis(columns=None).assign(quantisation=q))
    found = pd.concat(tables, ignore_index=True)
    return found[["quantisation", "run", "topic", *labels]]


def top_ranked(eprum: Floats, ep_gr: Floats, ranked_by: str, top: int) -> Bools:
    """Which of n values are among the ``top`` highest: by one measure, or by the mean rank under both."""
    ranks = {
        "EPRUM": pd.Series(-eprum).rank().to_numpy(),
        "EP/GR": pd.Series(-ep_gr).rank().to_numpy(),
    }
    ranks["both"] = ranks["EPRUM"] + ranks["EP/GR"]
    chosen = np.zeros(len(eprum), dtype=bool)
    chosen[np.argsort(ranks[ranked_by], kind="stable")[:top]] = True
    return chosen


def _coefficients(x: Floats, y: Floats) -> tuple[float, float]:
    from focuseval.statistics.correlations import pearson, spearman

    if len(x) < 2:
        return np.nan, np.nan
    return pearson(x, y).r, spearman(x, y).coefficient


def _within_topics(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    """The means over topics of the coefficients of each topic's values."""
    each = [
        _coefficients(part["EPRUM"].to_numpy(), part[measure].to_numpy())
        for _, part in table.groupby("topic")
        if part["EPRUM"].nunique() > 1 and part[measure].nunique() > 1
    ]
    r, rho = np.mean(each, axis=0) if each else (np.nan, np.nan)
    return float(r), float(rho)


def correlations(found: pd.DataFrame, published: pd.DataFrame, top: int) -> pd.DataFrame:
    """Correlations of EPRUM and EP/GR over topic-run values: all, the top ranked, the others, by topic.

    ``found`` from `values`; ``published`` has the columns quantity and value. Columns quantisation, EP/GR
    (the measure), part, ranked_by (missing where nothing is ranked), values, topics (how many they are of),
    pearson_r, printed, difference, influential_run (without whose values r changes most), r_without_it, spearman_ρ.
    """
    printed = published.set_index("quantity")["value"]
    rows: list[tuple[object, ...]] = []
    for q, table in found.groupby("quantisation", sort=False):
        x, topic = table["EPRUM"].to_numpy(), table["topic"]
        for measure in EFFORT_PRECISION:
            y = table[measure].to_numpy()
            parts: list[tuple[str, str | None, Bools]] = [("all", None, np.ones(len(x), dtype=bool))]
            for name in RANKED_BY:
                chosen = top_ranked(x, y, name, top)
                parts += [("top", name, chosen), ("rest", name, ~chosen)]
            for part, ranked_by, which in parts:
                r, rho = _coefficients(x[which], y[which])
                p = float(printed[PARTS[part]])
                count = int(which.sum()), topic[which].nunique()
                without = _without_a_run(x[which], y[which], table["run"][which], r)
                rows.append((q, measure, part, ranked_by, *count, r, p, r - p, *without, rho))
            r, rho = _within_topics(table, measure)
            unknown = np.nan, np.nan, None, np.nan
            rows.append((q, measure, "within topics", None, len(x), topic.nunique(), r, *unknown, rho))
    names = ["quantisation", "EP/GR", "part", "ranked_by", "values", "topics"]
    numbers = ["pearson_r", "printed", "difference", "influential_run", "r_without_it", "spearman_ρ"]
    return pd.DataFrame(rows, columns=[*names, *numbers])


def _without_a_run(x: Floats, y: Floats, run: pd.Series, r: float) -> tuple[str | None, float]:
    """The run without whose values r changes most, and what it is then."""
    code, runs = pd.factorize(run)
    if len(runs) < 2 or np.isnan(r):
        return None, np.nan
    kept = (code[None, :] != np.arange(len(runs))[:, None]).astype(float)
    found = pearson_of(x, y)(kept)
    most = int(np.argmax(np.nan_to_num(np.abs(found - r))))
    return str(runs[most]), float(found[most])


ITEMS: tuple[Item, ...] = (
    Figure(
        "figure4",
        "Figure 4. EPRUM and EP/GR of perturbed runs",
        "EPRUM precision against recall level, and effort-precision against gain-recall, means over topics, of ten "
        "runs: the ideal run (m = 0.0), and nine in which every element has moved up or down its document by a "
        "random walk that goes on with probability m. (The caption in the paper says 0.1 to 0.9; its text has the "
        "ideal run, too.)",
    ),
    Table(
        "perturbed",
        "Perturbed runs",
        "Average precision and points of the curves of Figure 4, means over topics. EPRUM_standard is EPRUM for "
        "users who do not navigate.",
        lambda analysis, _: analysis["perturbed"],
        {**dict.fromkeys(AVERAGES, 4), **{f"{metric}@{level}": 3 for metric in METRICS for level in _LEVELS}},
    ),
    Figure(
        "scatter",
        "Average precision of submitted runs under EPRUM and EP/GR",
        "Each point is a run on a topic. The top ranked values are those with the highest mean rank under both "
        "measures; the paper does not say what it ranks by.",
    ),
    Table(
        "correlation",
        "Correlation of EPRUM and EP/GR",
        "Pearson's r and Spearman's ρ of the average precision of EPRUM and of EP/GR over all pairs of run and "
        "topic, over the top ranked of them, and over the rest, beside the printed r, and how many topics those "
        'values are of; "within topics" is the mean over topics of the correlation among the values of one topic. '
        "The paper does not say by what it ranks (both: the mean of the two ranks), which quantisation it uses, or "
        "how the curve of EP/GR is averaged (MAep: over ranks with a gain; iMAep: over gain-recall 0.01 … 1.00). "
        "Of 45 runs and 29 topics it counts 645 values, where 45 · 29 = 1,305.",
        lambda analysis, _: analysis["correlation"],
        {"pearson_r": 3, "printed": 2, "difference": 3, "r_without_it": 3, "spearman_ρ": 3},
    ),
)


def introduction(context: Context) -> str:
    """Whose runs they are, and what both metrics share."""
    return (
        f"The runs are those of the task {runs_of(context).name}. Both metrics have the same ideal elements, and "
        "users navigate by the ratio of lengths (Section 7). Numbers differ from the printed ones because the data "
        "differ; whether the paper's findings hold on these data is checked below."
    )


EXAMPLES = Examples(
    introduction="The paper's examples need no campaign: every number that it prints follows from the probabilities "
    "that it gives, or does not; then a note says why, and the errata have the arithmetic.",
    analyse=lambda: {"table1": table1(), "numbers": numbers()},
    items=(
        Table(
            "table1",
            "Table 1. The situations of Section 4",
            "The list (c, d, a) of Figure 3, ideal elements a and b. A row for each column of the printed table: the "
            "ranks at which a and b are first seen, the share of users to whom this happens, and A/ML for recall 1 "
            "and 2; the last row has the sum of the shares and the expected A/ML, by Eq. 5. Printed thirds are given "
            "to three digits.",
            lambda analysis, _: analysis["table1"],
            {"share_%": 2, "printed_%": 2, "A/ML_1": 4, "printed_1": 3, "A/ML_2": 4, "printed_2": 3},
        ),
        Table(
            "numbers",
            "Every number of Sections 2 to 5",
            "What the paper prints in its text, and what its equations give with the same program that scores runs. "
            "A number agrees if it rounds to the printed digits.",
            lambda analysis, _: analysis["numbers"],
        ),
    ),
)


def both_findings(
    analysis: Analysis, printed: Mapping[str, pd.DataFrame], context: Context
) -> tuple[list[Finding], list[Finding]]:
    """The findings on a campaign's analysis, under the first quantisation, and on the printed numbers."""
    values = analysis["values"]
    first = values[values["quantisation"] == context.settings.quantisations[0]]
    here = of_campaign(
        analysis["averages_by_topic"],
        analysis["curves_by_topic"],
        first,
        context.settings.top,
        context.sample,
    )
    return findings(here), findings(printed_evidence(printed["piwowarski2006"]))


PAPER = Paper(
    name="piwowarski2006",
    title="Piwowarski & Dupret (2006)",
    settings=PiwowarskiSettings,
    suits=lambda campaign: on_scales(campaign, "inex2005", "highlights"),
    asks=asks,
    analyse=analyse,
    items=lambda _: ITEMS,
    findings=both_findings,
    introduction=introduction,
    printed=("piwowarski2006",),
    campaign="INEX 2005",
    facts={"assessed topics": 29, "runs": 45},
    examples=EXAMPLES,
)
