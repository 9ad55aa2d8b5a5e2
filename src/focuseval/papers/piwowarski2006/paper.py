"""Piwowarski & Dupret (SIGIR 2006), Expected precision-recall with user modelling (EPRUM): the declaration."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.campaign.runsets import RunSet, task_sets
from focuseval.campaign.settings import OneOf, Positive, Resamples, Seed, Settings, distinct
from focuseval.measures import eprum, xcg
from focuseval.measures.declaration import parse_specs
from focuseval.model.arrays import Bools, Floats
from focuseval.papers.material import Material
from focuseval.papers.paper import Context, Examples, Paper, Request, on_scales
from focuseval.papers.piwowarski2006.draws import intervals, runs_drawn, statistics, with_bands
from focuseval.papers.piwowarski2006.examples import normal_law, numbers, session, table1
from focuseval.papers.piwowarski2006.findings import METRICS, PARTS, findings, of_campaign, printed_evidence
from focuseval.present.items import Analysis, Figure, Item, Table

#: sets of runs: the perturbed ones of Section 7; the first draw of them, for the normal law; those of siblings
MOVED, ONCE, SIBLINGS = "moved", "moved, first draw", "siblings"

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

#: average precision of runs of siblings: a user who also reads on from a result, one who only goes up and down, EP/GR
NEARBY = {
    "EPRUM_distance": "EPRUM(navigation=distance,quantisation={})",
    "EPRUM": AVERAGES["EPRUM"],
    "MAep": AVERAGES["MAep"],
}

#: recall levels at which tables show curves
_LEVELS = (0.1, 0.5, 0.9)

#: EPRUM by the exact law and by the normal one: average precision, and at recall levels
LAWS = {
    law: {
        "average": f"EPRUM(navigation=length-ratio,quantisation={{}},distribution={law})",
        **{
            f"recall {level}": f"EPRUM(navigation=length-ratio,quantisation={{}},distribution={law})@{level}"
            for level in _LEVELS
        },
    }
    for law in ("exact", "normal")
}

#: what "MAP of EP/GR" may be: over the ranks with a gain, or over gain-recall 0.01 … 1.00
EFFORT_PRECISION = ("MAep", "iMAep")

#: by what values are ranked to find the top ones: the paper does not say
RANKED_BY = ("both", "EPRUM", "EP/GR")

_KNOWN = {measure.name: measure for measure in (*eprum.MEASURES, *xcg.MEASURES)}


class PiwowarskiSettings(Settings):
    """Piwowarski & Dupret (2006). The first quantisation is that of Figure 4 and of the findings."""

    quantisations: Annotated[
        list[Annotated[str, OneOf(("gen", "strict", "genLifted"))]], AfterValidator(distinct)
    ] = Field(default=["gen", "strict"], min_length=1, description="a list of strict, gen or genLifted")
    seed: Seed = 2006
    draws: Positive = 20
    resamples: Resamples = 1000
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
    drawn = {"quantisation": first, "seed": settings.seed}
    laws = tuple(name.format(first) for law in LAWS.values() for name in law.values())
    nearby = tuple(name.format(first) for name in NEARBY.values())
    return [
        Request(runs, of_submitted(settings.quantisations)),
        Request(
            runs.transformed(MOVED, "perturbed_runs", **drawn, draws=settings.draws), of_perturbed(first)
        ),
        Request(runs.transformed(ONCE, "perturbed_runs", **drawn, draws=1), laws),
        Request(runs.transformed(SIBLINGS, "sibling_runs", **drawn, draws=settings.draws), nearby),
    ]


def analyse(material: Material) -> Analysis:
    """Averages and curves of the perturbed runs; values of the campaign's runs, and how these correlate."""
    settings = material.context.settings
    perturbed, first, draws = material.scores(MOVED), settings.quantisations[0], settings.draws
    average, curve = averages(perturbed, AVERAGES, first, "moved", draws), curves(perturbed, first, draws)
    nearby = averages(material.scores(SIBLINGS), NEARBY, first, "sibling", draws)
    found = values(material.scores(runs_of(material.context).name), settings.quantisations)
    tested = intervals(statistics(average, curve, nearby), settings.resamples, settings.seed)
    return {
        "averages": average,
        "curves": with_bands(curve, ["metric", "m", "recall"], "precision"),
        "perturbed": perturbed_table(average, curve),
        "siblings": with_bands(nearby, ["label", "m"], "value"),
        "laws": laws(material.scores(ONCE), first),
        "tested": tested,
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
        if spec.cutoff is None:
            own &= scores["cutoff"].isna()
        elif name.endswith("@curve"):
            own &= scores["cutoff"].notna()
        else:
            own &= scores["cutoff"] == spec.cutoff
        parts.append(scores.loc[own, ["run", "topic", "cutoff", "value"]].assign(label=label))
    return pd.concat(parts, ignore_index=True)


def _drawn(means: pd.DataFrame, stem: str, draws: int) -> pd.DataFrame:
    """A table with the columns m and draw in the place of run."""
    known = runs_drawn(stem, draws)
    at = known.index.get_indexer(means["run"].astype(str))
    return means.drop(columns="run").assign(m=known["m"].to_numpy()[at], draw=known["draw"].to_numpy()[at])


def averages(
    scores: pd.DataFrame, measures: Mapping[str, str], quantisation: str, stem: str, draws: int
) -> pd.DataFrame:
    """Columns label, m, draw, value: average precision of each perturbed run, means over topics of tidy scores."""
    part = _under(scores, measures, quantisation)
    mean = part.groupby(["label", "run"], observed=True, sort=False)["value"].mean().reset_index()
    return _drawn(mean, stem, draws).sort_values(["label", "m", "draw"], ignore_index=True)


def curves(scores: pd.DataFrame, quantisation: str, draws: int) -> pd.DataFrame:
    """Columns metric, m, draw, recall, precision: the graphs of perturbed runs, means over topics."""
    points = _under(scores, CURVES, quantisation)
    mean = points.groupby(["label", "run", "cutoff"], observed=True, sort=False)["value"].mean().reset_index()
    mean = mean.rename(columns={"label": "metric", "cutoff": "recall", "value": "precision"})
    found = _drawn(mean, "moved", draws)
    return found.sort_values(["metric", "m", "draw", "recall"], key=_in_order, ignore_index=True)


def _in_order(column: pd.Series) -> pd.Series:
    return column.map(METRICS.index) if column.name == "metric" else column


def perturbed_table(average: pd.DataFrame, curve: pd.DataFrame) -> pd.DataFrame:
    """Average precision of the perturbed runs, means over draws, and precision at three recall levels.

    Of EPRUM and MAep the lowest and the highest draw stand beside the mean.
    """
    bands = with_bands(average, ["label", "m"], "value")
    table = pd.DataFrame({"m": sorted(set(average["m"]))})
    for label in AVERAGES:
        part = bands[bands["label"] == label].set_index("m")
        table[label] = table["m"].map(part["mean"])
        if label in ("EPRUM", "MAep"):
            table[f"{label}_lowest"] = table["m"].map(part["lowest"])
            table[f"{label}_highest"] = table["m"].map(part["highest"])
    points = with_bands(curve, ["metric", "m", "recall"], "precision")
    for metric in METRICS:
        for level in _LEVELS:
            at = points[(points["metric"] == metric) & np.isclose(points["recall"], level)]
            table[f"{metric}@{level}"] = table["m"].map(at.set_index("m")["mean"])
    return table


def siblings_table(bands: pd.DataFrame) -> pd.DataFrame:
    """Average precision of runs of siblings: a row for each m, mean, lowest and highest draw of each metric."""
    table = pd.DataFrame({"m": sorted(set(bands["m"]))})
    for label in NEARBY:
        part = bands[bands["label"] == label].set_index("m")
        table[label] = table["m"].map(part["mean"])
        table[f"{label}_lowest"] = table["m"].map(part["lowest"])
        table[f"{label}_highest"] = table["m"].map(part["highest"])
    return table


def laws(scores: pd.DataFrame, quantisation: str) -> pd.DataFrame:
    """EPRUM of the first draw of perturbed runs under the exact law and the normal one: means over topics.

    Columns m, of (average, or a recall level), exact, normal, difference (normal less exact), and largest: the largest
    absolute difference of any topic.
    """
    wide = {
        law: _under(scores, measures, quantisation).set_index(["label", "run", "topic"])["value"]
        for law, measures in LAWS.items()
    }
    table = pd.DataFrame(wide)
    table["difference"] = table["normal"] - table["exact"]
    table["largest"] = table["difference"].abs()
    means: dict[str, str | Callable[[pd.Series], float]] = dict.fromkeys(
        ("exact", "normal", "difference"), "mean"
    )
    found = table.groupby(level=["label", "run"], observed=True, sort=False).agg(means | {"largest": "max"})
    found = _drawn(found.reset_index(), "moved", 1).rename(columns={"label": "of"})
    order = {label: place for place, label in enumerate(LAWS["exact"])}
    found = found.sort_values(
        ["of", "m"], key=lambda c: c.map(order) if c.name == "of" else c, ignore_index=True
    )
    return found[["of", "m", "exact", "normal", "difference", "largest"]]


def values(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """One row per quantisation, run and topic: columns EPRUM, MAep and iMAep, from tidy scores."""
    labels = ["EPRUM", *EFFORT_PRECISION]
    tables = []
    for q in quantisations:
        part = _under(scores, {label: AVERAGES[label] for label in labels}, q)
        part = part.astype({"run": str, "topic": str})
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
    pearson_r, printed, difference, spearman_ρ.
    """
    printed = published.set_index("quantity")["value"]
    rows: list[tuple[str, str, str, str | None, int, int, float, float, float, float]] = []
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
                rows.append((q, measure, part, ranked_by, *count, r, p, r - p, rho))
            r, rho = _within_topics(table, measure)
            rows.append((q, measure, "within topics", None, len(x), topic.nunique(), r, np.nan, np.nan, rho))
    names = ["quantisation", "EP/GR", "part", "ranked_by", "values", "topics"]
    return pd.DataFrame(rows, columns=[*names, "pearson_r", "printed", "difference", "spearman_ρ"])


ITEMS: tuple[Item, ...] = (
    Figure(
        "figure4",
        "Figure 4. EPRUM and EP/GR of perturbed runs",
        "EPRUM precision against recall level, and effort-precision against gain-recall, means over topics, of ten "
        "runs: the ideal run (m = 0.0), and nine in which every element has moved up or down its document by a "
        "random walk that goes on with probability m. Where an element moves is left to chance: lines are means over "
        "the draws, and bands go from the lowest draw to the highest. (The caption in the paper says 0.1 to 0.9; its "
        "text has the ideal run, too. It does not say how many draws it shows.)",
    ),
    Table(
        "perturbed",
        "Perturbed runs",
        "Average precision and points of the curves of Figure 4, means over topics and draws; of EPRUM and MAep the "
        "lowest and the highest draw beside them. EPRUM_standard is EPRUM for users who do not navigate.",
        lambda analysis, _: analysis["perturbed"],
        {
            **dict.fromkeys(AVERAGES, 4),
            **{f"{label}_{end}": 4 for label in ("EPRUM", "MAep") for end in ("lowest", "highest")},
            **{f"{metric}@{level}": 3 for metric in METRICS for level in _LEVELS},
        },
    ),
    Table(
        "tested",
        "Perturbed runs: what the findings rest on",
        "Means over the draws of what the findings on Figure 4 and on siblings compare, with 95 % bootstrap "
        "intervals over the draws. Fall: average precision at the m before less that at this one. Kept: precision "
        "at recall 0.9 over that at 0.1. Tail: mean precision above recall 0.6. Steepest: the largest fall between "
        "two neighbouring hundredths of recall. Reward: EPRUM with navigation less EPRUM without; of siblings, "
        "EPRUM by distance less EPRUM up and down.",
        lambda analysis, _: analysis["tested"],
        {"mean": 4, "low": 4, "high": 4},
        fold=lambda table: f"{len(table)} means with their intervals",
    ),
    Figure(
        "siblings",
        "Section 7. An ideal element replaced by one of its siblings",
        "Average precision, means over topics and draws, of runs in which every element of the ideal run is "
        "replaced with probability m by one of its siblings; bands go from the lowest draw to the highest. EPRUM "
        "(distance) has the user of Section 3.3, who also reads on from a result to what is near; EPRUM (up and "
        "down) the one of Figure 4, to whom a sibling is worth nothing; MAep is the average of EP/GR.",
    ),
    Table(
        "siblings",
        "Runs of siblings",
        "The numbers of the figure, with the lowest and the highest draw. A user who reads on may see an ideal element "
        "before its turn, so that the ideal run itself can score a little above 1 (errata).",
        lambda analysis, _: siblings_table(analysis["siblings"]),
        {f"{label}{end}": 4 for label in NEARBY for end in ("", "_lowest", "_highest")},
    ),
    Table(
        "laws",
        "Section 5. The normal law in the place of the exact one",
        "EPRUM of the first draw of the perturbed runs, means over topics: average precision, and precision at three "
        "recall levels. The exact law is that of Equation 7; the paper puts a normal law in its place from ten "
        "uncertain elements on. Largest is the largest absolute difference of any topic.",
        lambda analysis, _: analysis["laws"],
        {"exact": 4, "normal": 4, "difference": 4, "largest": 4},
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
        {"pearson_r": 3, "printed": 2, "difference": 3, "spearman_ρ": 3},
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
    analyse=lambda: {
        "session": session(),
        "table1": table1(),
        "normal_law": normal_law(),
        "numbers": numbers(),
    },
    items=(
        Table(
            "session",
            "Figure 1. A user session",
            "The list (a, b, c, d, e) of Section 3.2, rank by rank: what one user reaches, which ideal elements are "
            "among it, which of them are discovered, that is, seen for the first time, and F, how many have been "
            "discovered by then. The text prints the last F as F_4 (errata). How the document's tree is drawn, and "
            "where a user goes inside it, is not in the text; what is reached from each rank is.",
            lambda analysis, _: analysis["session"],
        ),
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
            "normal_law",
            "Section 5. The normal law against the exact one",
            "The probability that at least f of n uncertain ideal elements have been seen, where the two laws "
            "differ most. "
            'The paper takes the normal law from n = 10 on ("experiments have shown that n = 10 is enough"), with a '
            "correction of 1/2 for continuity here. It is close where probabilities are near 1/2, and off where "
            "they are small, as most length ratios are.",
            lambda analysis, _: analysis["normal_law"],
            {"exact": 4, "normal": 4, "difference": 4},
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

PAPER = Paper(
    name="piwowarski2006",
    title="Piwowarski & Dupret (2006)",
    settings=PiwowarskiSettings,
    suits=lambda campaign: on_scales(campaign, "inex2005", "highlights"),
    asks=asks,
    analyse=analyse,
    items=lambda _: ITEMS,
    findings=lambda analysis, printed, _: (
        findings(of_campaign(analysis["curves"], analysis["tested"], analysis["correlation"])),
        findings(printed_evidence(printed["piwowarski2006"])),
    ),
    introduction=introduction,
    printed=("piwowarski2006",),
    campaign="INEX 2005",
    facts={"assessed topics": 29, "runs": 45},
    examples=EXAMPLES,
)
