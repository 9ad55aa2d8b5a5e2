"""Piwowarski & Dupret (SIGIR 2006), Expected precision-recall with user modelling (EPRUM): the declaration."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.model.arrays import Bools, Floats
from focuseval.report.items import Analysis, Figure, Item, Table
from focuseval.statistics.findings import Finding
from focuseval.statistics.weighted import pearson_of
from focuseval_papers.piwowarski2006.draws import (
    AVERAGES,
    CURVES,
    LAWS,
    LEVELS,
    NEARBY,
    averages,
    curves,
    laws,
    perturbed_table,
    siblings_table,
    steepest,
    under,
    with_bands,
)
from focuseval_papers.piwowarski2006.examples import normal_law, numbers, session, table1
from focuseval_papers.piwowarski2006.findings import METRICS, PARTS, findings, of_campaign, printed_evidence
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Examples, Paper, Request, on_scales
from focuseval_papers.workflow.runsets import RunSet, task_sets
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, distinct

#: sets of runs: the perturbed ones of Section 7; the first draw of them, for the normal law; those of siblings
MOVED, ONCE, SIBLINGS = "moved", "moved, first draw", "siblings"

#: the scoring job of those: as much work as all others together, on a core of its own
PERTURBED = "perturbed"

#: what "MAP of EP/GR" may be: over the ranks with a gain, or over gain-recall 0.01 … 1.00
EFFORT_PRECISION = ("MAep", "iMAep")

#: by what values are ranked to find the top ones: the paper does not say
RANKED_BY = ("both", "EPRUM", "EP/GR")


class PiwowarskiSettings(Settings):
    """Piwowarski & Dupret (2006). The first quantisation is that of Figure 4 and of the findings."""

    quantisations: Annotated[
        list[Annotated[str, OneOf(("gen", "strict", "genLifted"))]], AfterValidator(distinct)
    ] = Field(default=["gen", "strict"], min_length=1, description="a list of strict, gen or genLifted")
    seed: Seed = 2006
    draws: Positive = 20
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
        *(
            Request(runs.transformed(name, made_by, **drawn, draws=draws), measures, batch=PERTURBED)
            for name, made_by, draws, measures in (
                (MOVED, "perturbed_runs", settings.draws, of_perturbed(first)),
                (ONCE, "perturbed_runs", 1, laws),
                (SIBLINGS, "sibling_runs", settings.draws, nearby),
            )
        ),
    ]


def analyse(material: Material) -> Analysis:
    """Averages and curves of the perturbed runs; values of the campaign's runs, and how these correlate."""
    settings = material.context.settings
    first, draws = settings.quantisations[0], settings.draws
    perturbed, once, nearby = (material.scores(name, batch=PERTURBED) for name in (MOVED, ONCE, SIBLINGS))
    average, by_topic = averages(perturbed, AVERAGES, first, "moved", draws)
    curve, curve_by_topic = curves(perturbed, first, draws)
    of_siblings, siblings_by_topic = averages(nearby, NEARBY, first, "sibling", draws)
    found = values(material.scores(runs_of(material.context).name), settings.quantisations)
    return {
        "averages": average,
        "averages_by_topic": by_topic,
        "curves": with_bands(curve, ["metric", "m", "recall"], "precision"),
        "curves_by_topic": curve_by_topic,
        "steepest": steepest(curve),
        "perturbed": perturbed_table(average, curve),
        "siblings": with_bands(of_siblings, ["label", "m"], "value"),
        "siblings_by_topic": siblings_by_topic,
        "laws": laws(once, first),
        "values": found,
        "correlation": correlations(found, material.printed["piwowarski2006"], settings.top),
    }


def values(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """One row per quantisation, run and topic: columns EPRUM, MAep and iMAep, from tidy scores."""
    labels = ["EPRUM", *EFFORT_PRECISION]
    tables = []
    for q in quantisations:
        part = under(scores, {label: AVERAGES[label] for label in labels}, q).astype(
            {"run": str, "topic": str}
        )
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
        "random walk that goes on with probability m. Where an element moves is left to chance: lines are means over "
        "the draws, and bands go from the lowest draw to the highest. (The caption in the paper says 0.1 to 0.9; its "
        "text has the ideal run, too. It does not say how many draws it shows.)",
    ),
    Table(
        "perturbed",
        "Perturbed runs",
        "Average precision and points of the curves of Figure 4, means over topics and draws; of EPRUM and MAep the "
        "lowest and the highest draw beside them. EPRUM_standard is EPRUM for users who do not navigate.",
        decimals={
            **dict.fromkeys(AVERAGES, 4),
            **{f"{label}_{end}": 4 for label in ("EPRUM", "MAep") for end in ("lowest", "highest")},
            **{f"{metric}@{level}": 3 for metric in METRICS for level in LEVELS},
        },
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
        decimals={"exact": 4, "normal": 4, "difference": 4, "largest": 4},
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
        decimals={"pearson_r": 3, "printed": 2, "difference": 3, "r_without_it": 3, "spearman_ρ": 3},
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
        ),
        Table(
            "table1",
            "Table 1. The situations of Section 4",
            "The list (c, d, a) of Figure 3, ideal elements a and b. A row for each column of the printed table: the "
            "ranks at which a and b are first seen, the share of users to whom this happens, and A/ML for recall 1 "
            "and 2; the last row has the sum of the shares and the expected A/ML, by Eq. 5. Printed thirds are given "
            "to three digits.",
            decimals={"share_%": 2, "printed_%": 2, "A/ML_1": 4, "printed_1": 3, "A/ML_2": 4, "printed_2": 3},
        ),
        Table(
            "normal_law",
            "Section 5. The normal law against the exact one",
            "The probability that at least f of n uncertain ideal elements have been seen, where the two laws "
            "differ most. "
            'The paper takes the normal law from n = 10 on ("experiments have shown that n = 10 is enough"), with a '
            "correction of 1/2 for continuity here. It is close where probabilities are near 1/2, and off where "
            "they are small, as most length ratios are.",
            decimals={"exact": 4, "normal": 4, "difference": 4},
        ),
        Table(
            "numbers",
            "Every number of Sections 2 to 5",
            "What the paper prints in its text, and what its equations give with the same program that scores runs. "
            "A number agrees if it rounds to the printed digits.",
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
        analysis["siblings_by_topic"],
        analysis["steepest"],
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
