"""Computations on a campaign: scores of perturbed runs, and the agreement of EPRUM and EP/GR."""

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.measures import eprum, xcg
from focuseval.model.arrays import Bools, Floats
from focuseval.report.parts import Analysis
from focuseval.statistics.means import means_by
from focuseval.transformations.ideal import IDEAL, MOVING, name_of
from focuseval_papers.publication.claims import Words, means_over, named, rows_of
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.estimates import Quantity, Sample, Statistic, pearson_of, value_of
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.workflow.runsets import task_sets
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, distinct

QUANTISATIONS = ("gen", "strict", "genLifted")

#: the metrics of Section 7, as in the panels of Figure 4
METRICS = ("EPRUM", "EP/GR")

#: forms of average precision under EPRUM and EP/GR
AVERAGES = ("EPRUM", "EPRUM_standard", "MAep", "iMAep")

#: measures that score runs in which results are replaced by siblings
NEARBY = ("EPRUM_distance", "EPRUM", "MAep")

#: recall levels at which tables report precision
LEVELS = (0.1, 0.5, 0.9)

#: probability laws of the number of discovered elements; EPRUM is compared under both laws
LAWS = ("exact", "normal")

#: possible meanings of the paper's "MAP of EP/GR": the mean over ranks with a gain, or over gain-recall 0.01 … 1.00
EFFORT_PRECISION = ("MAep", "iMAep")

#: possible rankings of values, because the paper does not say how it ranks them
RANKED_BY = ("both", "EPRUM", "EP/GR")

#: sets of values that Section 7 of the paper correlates, and the names of the correlations that it prints
PARTS = {
    "all": "Section 7 Pearson correlation of MAP(EP/GR) and MAP(EPRUM) over topic-run values",
    "top": "Section 7 Pearson correlation over the 48 top ranked values",
    "rest": "Section 7 Pearson correlation over the other values",
}

#: numbers that describe a mean curve: name, recall above which points count, and function of these points
OF_CURVES: tuple[tuple[str, float, Callable[[Floats], Floats]], ...] = (
    ("lowest_precision", 0.0, lambda points: points.min(axis=1)),
    ("highest_precision", 0.0, lambda points: points.max(axis=1)),
    ("early_precision", 0.0, lambda points: points[:, 9]),  # precision at recall 0.1
    ("late_precision", 0.0, lambda points: points[:, 89]),  # precision at recall 0.9
    ("deep_precision", 0.6, lambda points: points.mean(axis=1)),
)


_KNOWN = {measure.name: measure for measure in (*eprum.MEASURES, *xcg.MEASURES)}


class PiwowarskiSettings(Settings):
    """Piwowarski & Dupret (2006). Figure 4 and the findings use the first quantisation."""

    quantisations: Annotated[list[Annotated[str, OneOf(QUANTISATIONS)]], AfterValidator(distinct)] = Field(
        default=["gen", "strict"],
        min_length=1,
        description="a list that contains strict, gen or genLifted; findings use the first",
    )
    seed: Seed = 2006
    draws: Positive = Field(default=20, description="the number of draws, a positive integer")
    top: int = Field(default=48, ge=2)
    """the number of top-ranked values to correlate, an integer of at least 2"""


#: name under which the campaign stores the correlations of Section 7
CORRELATED = "values-of-runs-on-topics"


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``.

    The task is CO.Focussed, or the campaign's first task if CO.Focussed is missing.
    """
    sets = task_sets(context.campaign)
    return {"task": "CO.Focussed" if "CO.Focussed" in sets else next(iter(sets))}


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    settings = material.context.settings
    first, draws = settings.quantisations[0], settings.draws
    average, curve = (with_m(labelled(material, name), "moved", draws) for name in ("moved", "curves"))
    sibling = with_m(labelled(material, "siblings"), "sibling", draws)
    once = {law: with_m(labelled(material, law), "moved", 1) for law in LAWS}
    by_draw = means_by(curve, ["label", "m", "draw", "cutoff"])
    by_draw = by_draw.sort_values(["m", "draw", "cutoff"], ignore_index=True)
    bands = with_bands(by_draw, ["label", "m", "cutoff"])
    points = bands[bands["cutoff"].isin(LEVELS)]
    points = points.assign(label=points["label"] + "@" + points["cutoff"].map("{:g}".format))
    labels = [*AVERAGES, *(f"{metric}@{level}" for metric in METRICS for level in LEVELS)]
    estimates = material.correlations(CORRELATED)
    scores = values({q: labelled(material, q) for q in settings.quantisations})
    return {
        "averages": by_topic(average),
        "below": pd.DataFrame([below_standard(average)], columns=["lists", "below"]),
        "nearby": by_topic(sibling),
        "curves": means_by(curve, ["label", "m", "topic", "cutoff"]),
        "falls": steepest(by_draw),
        "figure4": figure4(bands),
        "perturbed": with_draws(pd.concat([_bands_of(average), points]), labels, ["EPRUM", "MAep"]),
        "siblings": with_draws(_bands_of(sibling), NEARBY, NEARBY),
        "siblings_drawn": _bands_of(sibling),
        "laws": laws(once),
        "values": scores,
        "scatter": scatter(rows_of(scores, quantisation=first), settings.top),
        "correlation": correlations(scores, estimates, material.printed["piwowarski2006"], settings.top),
        "estimates": estimates,
    }


def labelled(material: Material, name: str) -> pd.DataFrame:
    """Return the scores of the run set ``name``, with the label of each measure."""
    return material.labelled(name, (*eprum.MEASURES, *xcg.MEASURES))


def with_m(scores: pd.DataFrame, stem: str, draws: int) -> pd.DataFrame:
    """Add the columns m (the randomisation level) and draw (from 1) to the scores of perturbed runs.

    The ideal run has m = 0 and draw = 1. The names of perturbed runs begin with ``stem``.
    """
    draws_by_name = {name_of(m, draw, stem): (m, draw) for m in MOVING for draw in range(1, draws + 1)}
    draws_by_name[IDEAL] = 0.0, 1
    code, runs = pd.factorize(scores["run"])
    m, draw = np.array([draws_by_name[run] for run in runs]).reshape(-1, 2).T
    return scores.assign(m=m[code], draw=draw[code].astype(int))


def below_standard(scores: pd.DataFrame) -> tuple[int, int]:
    """Return the number of lists, and the number of lists with a lower EPRUM with navigation than without it."""
    wide = scores.pivot(index=["m", "draw", "topic"], columns="label", values="value")
    return len(wide), int((wide["EPRUM"] < wide["EPRUM_standard"] - 1e-9).sum())


def by_topic(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each topic's mean score over draws, for each label and randomisation level m."""
    return scores.groupby(["label", "m", "topic"])["value"].mean().reset_index()


def with_bands(by_draw: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the mean, the lowest and the highest value over draws, for each combination of ``keys``."""
    bands = by_draw.groupby(list(keys), sort=False)["value"].agg(["mean", "min", "max"]).reset_index()
    return bands.rename(columns={"min": "lowest", "max": "highest"})


def _bands_of(scores: pd.DataFrame) -> pd.DataFrame:
    keys = ["label", "m", "draw"]
    return with_bands(means_by(scores, keys).sort_values(keys), ["label", "m"])


def with_draws(bands: pd.DataFrame, labels: Sequence[str], with_ends: Sequence[str]) -> pd.DataFrame:
    """Return the mean over draws for each randomisation level m (row) and label (column).

    Labels in ``with_ends`` also have columns for the lowest and the highest value.
    """
    wide = bands.pivot(index="m", columns="label", values=["mean", "lowest", "highest"])
    columns = {}
    for label in labels:
        columns[label] = wide["mean", label]
        if label in with_ends:
            columns |= {f"{label}_{end}": wide[end, label] for end in ("lowest", "highest")}
    return pd.DataFrame(columns).reset_index()


def figure4(bands: pd.DataFrame) -> pd.DataFrame:
    """Return the curves of Figure 4, with the names of lines and axes."""
    table = bands.sort_values("label", key=lambda label: label.map(METRICS.index), kind="stable")
    effort = table["label"] == "EP/GR"
    return table.assign(
        line=table["m"].map("{:.1f}".format),
        x_label=np.where(effort, "gain-recall", "recall level"),
        y_label=np.where(effort, "effort-precision", "precision"),
    )


def steepest(by_draw: pd.DataFrame) -> pd.DataFrame:
    """Return the largest fall of each curve from one tenth of recall to the next, in each draw."""
    keys = ["label", "m", "draw"]
    # with t ideal elements, precision at recall l changes only if ceil(l t) changes, so hundredths would be too fine
    tenths = by_draw[(100 * by_draw["cutoff"]).round() % 10 == 0]
    below = tenths.groupby(keys, sort=False)["value"].shift(-1)
    # the largest fall is found in each draw, because the mean curve of many draws falls more smoothly
    return tenths.assign(value=tenths["value"] - below).groupby(keys)["value"].max().reset_index()


def laws(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare EPRUM under the exact and the normal law, for the first draw of each perturbed run.

    ``scores`` has a table for each law. The column largest is the largest absolute difference of any topic.
    """
    table = pd.DataFrame({law: of.set_index(["label", "m", "topic"])["value"] for law, of in scores.items()})
    # sums are accurate only to about 1e-13; adding 0 turns -0 into 0
    table["difference"] = (table["normal"] - table["exact"]).round(12) + 0.0
    by_run = table.groupby(level=["label", "m"])
    differences = by_run.mean().assign(largest=table["difference"].abs().groupby(level=["label", "m"]).max())
    rows = ["average", *(f"recall {level}" for level in LEVELS)]
    differences = differences.loc[rows].rename_axis(["of", "m"]).reset_index()
    return differences[["of", "m", "exact", "normal", "difference", "largest"]]


def values(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row with EPRUM, MAep and iMAep for each quantisation, run and topic.

    ``scores`` has a table of labelled scores for each quantisation.
    """
    table = pd.concat([part.assign(quantisation=q) for q, part in scores.items()])
    table = table.pivot(index=["quantisation", "run", "topic"], columns="label", values="value")
    return table.loc[list(scores), ["EPRUM", *EFFORT_PRECISION]].reset_index().rename_axis(columns=None)


def top_ranked(table: pd.DataFrame, measure: str, ranked_by: str, top: int) -> Bools:
    """Mark the ``top`` highest values in the ranking ``ranked_by``.

    ``ranked_by`` is one of `RANKED_BY`. ``EP/GR`` ranks by the column ``measure``, and ``both`` by the mean of the
    ranks under EPRUM and EP/GR.
    """
    ranks = (-table[["EPRUM", measure]]).rank().set_axis(["EPRUM", "EP/GR"], axis=1)
    rank = ranks.sum(axis=1) if ranked_by == "both" else ranks[ranked_by]
    chosen = np.zeros(len(table), dtype=bool)
    chosen[np.argsort(rank, kind="stable")[:top]] = True
    return chosen


def scatter(table: pd.DataFrame, top: int) -> pd.DataFrame:
    """Arrange scores in three panels: all scores, the ``top`` scores with the best ranks, and the other scores."""
    chosen = top_ranked(table, "MAep", "both", top)
    parts = {
        "All values": chosen | ~chosen,
        f"The {chosen.sum()} top ranked values": chosen,
        "The other values": ~chosen,
    }
    return pd.concat([table[which].assign(panel=title) for title, which in parts.items() if which.sum() > 1])


def _coefficients(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    from focuseval.statistics.correlations import pearson, spearman

    if len(table) < 2:
        return np.nan, np.nan
    return pearson(table["EPRUM"], table[measure]).r, spearman(table["EPRUM"], table[measure]).coefficient


def _within_topics(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    """Return Pearson's r and Spearman's rho within a topic, averaged over topics.

    Topics on which all runs tie under a measure are left out.
    """
    each = [
        _coefficients(part, measure)
        for _, part in table.groupby("topic")
        if part["EPRUM"].nunique() > 1 and part[measure].nunique() > 1
    ]
    r, rho = np.mean(each, axis=0) if each else (np.nan, np.nan)
    return float(r), float(rho)


def correlations(
    scores: pd.DataFrame, estimates: pd.DataFrame, published: pd.DataFrame, top: int
) -> pd.DataFrame:
    """Return the correlations between EPRUM and EP/GR over the scores of runs on topics, with the printed correlations.

    ``scores`` is the result of `values`, and ``estimates`` are the correlations that the campaign stores. The column
    influential_run is the run whose removal changes r most.
    """
    printed = in_print({"piwowarski2006": published})
    of_all = estimates.set_index(["group", "b", "coefficient"])["value"]
    rows: list[tuple[object, ...]] = []
    for q, table in scores.groupby("quantisation", sort=False):
        for measure in EFFORT_PRECISION:
            parts: list[tuple[str, str | None, pd.DataFrame]] = [("all", None, table)]
            for name in RANKED_BY:
                chosen = top_ranked(table, measure, name, top)
                parts += [("top", name, table[chosen]), ("rest", name, table[~chosen])]
            for part, ranked_by, of in parts:
                r, rho = _coefficients(of, measure)
                if part == "all" and len(of) > 1:
                    r, rho = (of_all[f"topics, {q}", measure, name] for name in ("pearson", "spearman"))
                p = value_of(printed[named("r", part, q)])
                count = len(of), of["topic"].nunique()
                rows.append(
                    (q, measure, part, ranked_by, *count, r, p, r - p, *_without_a_run(of, measure, r), rho)
                )
            r, rho = _within_topics(table, measure)
            count = len(table), table["topic"].nunique()
            rows.append((q, measure, "within topics", None, *count, r, np.nan, np.nan, None, np.nan, rho))
    names = ["quantisation", "EP/GR", "part", "ranked_by", "values", "topics"]
    numbers = ["pearson_r", "printed", "difference", "influential_run", "r_without_it", "spearman_ρ"]
    return pd.DataFrame(rows, columns=[*names, *numbers])


def _without_a_run(table: pd.DataFrame, measure: str, r: float) -> tuple[str | None, float]:
    """Return the run whose removal changes r most, and r without this run; (None, NaN) if there is no such run."""
    code, runs = pd.factorize(table["run"])
    if len(runs) < 2 or np.isnan(r):
        return None, np.nan
    weights = (code[None, :] != np.arange(len(runs))[:, None]).astype(float)
    without = pearson_of(table["EPRUM"].to_numpy(), table[measure].to_numpy())(weights)
    most = int(np.argmax(np.nan_to_num(np.abs(without - r))))
    return str(runs[most]), float(without[most])


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims.

    Scores of perturbed runs are means over draws, so the intervals over topics include the randomness of the draws.
    """
    averages, falls = analysis["averages"], analysis["falls"].astype({"draw": str})
    topics = context.sample("perturbed topics", list(averages["topic"].unique()), "topics")
    draws = context.sample("draws", sorted(falls["draw"].unique()), "draws")
    of_all = estimates_of(analysis["estimates"], "pearson")
    agreement = [
        _agreement(part, str(q), of_all.get((f"topics, {q}", "EPRUM", "MAep"), np.nan), context)
        for q, part in analysis["values"].groupby("quantisation", sort=False)
    ]
    ideal = rows_of(analysis["nearby"], label="EPRUM_distance", m=0.0)["value"]
    [(lists, below)] = analysis["below"].itertuples(index=False)
    return {
        **{"lists": lists, "lists_below": below},
        **{"ideal_lists": len(ideal), "ideal_above_1": int((ideal > 1 + 1e-9).sum())},
        **means_over(topics, averages, "AP", ["label", "m"]),
        **means_over(topics, analysis["nearby"], "AP_of_siblings", ["label", "m"]),
        **means_over(draws, falls, "fall", ["label", "m"], member="draw"),
        **_of_curves(analysis["curves"], topics),
        **ChainMap(*agreement),
    }


def _of_curves(curves: pd.DataFrame, topics: Sample) -> dict[str, Quantity]:
    """Return the numbers of `OF_CURVES` for each mean curve."""

    def mean_curve(points: Floats, statistic: Callable[[Floats], Floats]) -> Statistic:
        # the total weight of a resample is 0 if it omits a curve's only topic
        return lambda w: statistic(w @ points / np.maximum(w.sum(axis=1, keepdims=True), 1))

    numbers: dict[str, Quantity] = {}
    for key, part in curves.groupby(["label", "m"]):
        points = part.pivot(index="topic", columns="cutoff", values="value").loc[list(topics.members)]
        for name, low, statistic in OF_CURVES:
            above = points.loc[:, points.columns > low + 1e-9].to_numpy()
            numbers[named(name, *key)] = topics.estimate(mean_curve(above, statistic))
    return numbers


def _agreement(
    values: pd.DataFrame, quantisation: str, of_all: Quantity, context: Context
) -> dict[str, Quantity]:
    """Return Pearson's r between EPRUM and MAep over all scores, over the top-ranked scores, and over the other scores.

    Scores are ranked by their mean rank under EPRUM and MAep. ``of_all`` is r over all scores.
    """
    topics = context.sample(f"topics, {quantisation}", list(values["topic"].unique()), "topics")
    order = np.argsort((-values[["EPRUM", "MAep"]]).rank().sum(axis=1).to_numpy(), kind="stable")
    x, y = (values[name].to_numpy()[order] for name in ("EPRUM", "MAep"))
    row = pd.Index(topics.members).get_indexer(pd.Index(values["topic"]))[order]

    def part(first: float, last: float) -> Statistic:
        """Return a function that computes Pearson's r over the scores ranked from ``first`` to ``last``."""

        def statistic(weights: Floats) -> Floats:
            end = np.cumsum(weights[:, row], axis=1)
            overlap = np.clip(np.minimum(end, last) - np.maximum(end - weights[:, row], first), 0.0, None)
            return pearson_of(x, y)(overlap)

        return statistic

    top = float(context.settings.top)
    limits = {"top": (0.0, top), "rest": (top, np.inf)}
    return {named("r", "all", quantisation): of_all} | {
        named("r", name, quantisation): topics.estimate(part(*places)) for name, places in limits.items()
    }


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed correlations that the claims of the paper compare.

    Each correlation is returned for every quantisation, because the paper does not state which quantisation it uses.
    """
    numbers = tables["piwowarski2006"].set_index("quantity")["value"]
    return {
        named("r", part, q): float(numbers.get(name, np.nan))
        for part, name in PARTS.items()
        for q in QUANTISATIONS
    }


PAPER = of_module(__name__, PiwowarskiSettings)
