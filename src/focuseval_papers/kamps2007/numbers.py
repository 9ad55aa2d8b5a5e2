"""Computations on a campaign: comparisons of its best runs, their rankings, random sets of runs, and highest scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from focuseval.measures.in_context import relevant_text
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.report.comparisons import how_tested
from focuseval.report.parts import Analysis
from focuseval.statistics.comparisons import ONE_TAILED, Method, compare
from focuseval.statistics.correlations import COEFFICIENTS as NAMES_OF_COEFFICIENTS
from focuseval.statistics.correlations import kendall
from focuseval.statistics.means import column_means
from focuseval.statistics.score_table import ScoreTable, score_table
from focuseval.statistics.significance import IN_TABLES, TESTS
from focuseval_papers.publication.claims import Words, named
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.estimates import (
    Quantity,
    combined,
    kendall_of,
    mean_of,
    share_of_pairs,
)
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.publication.request_settings import OWN
from focuseval_papers.workflow.settings import Level, OneOf, Positive, Resamples, Seed, Settings

#: the measures that the paper compares, by table; the first is the official measure of the task
MEASURES = {"table1": "MAgP", "table2": "MAP"}

#: coefficients of correlation between means under MAgP and MAP; the paper prints only Kendall's tau
COEFFICIENTS = {name: NAMES_OF_COEFFICIENTS[name] for name in ("kendall", "spearman", "pearson")}

#: names that claims use for the numbers in `config/published/kamps2007.csv`
NAMES = {
    "runs": "systems",
    "pairwise comparisons": "pairs",
    "significant pairs under MAgP": "significant[MAgP]",
    "significant pairs under MAP": "significant[MAP]",
    "kendall_tau(MAP; MAgP)": "tau",
    "largest AgP less AP of a run on a topic": "excess",
    "highest MAgP that elements allow": "possible",
}
RUNS, PAIRS, *_, TAU, EXCESS, POSSIBLE = NAMES
ORDER = "MAP order of the systems labelled by MAgP rank"

#: the search for the highest F-score halves its interval this many times
HALVINGS = 40


class KampsSettings(Settings):
    """Kamps, Lalmas & Pehcevski (2007): the best runs under MAgP, compared pair by pair."""

    size: Positive = Field(default=1500, description="the number of results per topic, a positive integer")
    top: int = Field(default=20, ge=2)
    """the number of best runs to compare, an integer of at least 2"""
    test: Annotated[str, OneOf(TESTS)] = Field(default="bootstrap", description="the significance test")
    alpha: Level = 0.05
    resamples: Resamples = 1000
    seed: Seed = 2007
    sets: Positive = Field(
        default=200,
        description="the number of random sets of runs to compare with the best runs, a positive integer",
    )


#: name under which the campaign stores the correlations of the systems' means
CORRELATED = "best-systems"


def method_of(settings: KampsSettings) -> Method:
    """Return the method of comparing runs: one-tailed tests without correction, and randomisation intervals."""
    return replace(ONE_TAILED, alpha=settings.alpha, resamples=settings.resamples, seed=settings.seed)


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``."""
    return {"tested": how_tested(context.settings.model_dump())}


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    settings = material.context.settings
    printed = material.printed["kamps2007"].set_index("quantity")["value"].astype(object)
    scores = {measure: score_table(material.scores(), measure) for measure in MEASURES.values()}
    best = ScoreTable(scores["MAgP"]).ranked[: settings.top]
    tables: dict[str, pd.DataFrame] = {}
    for name, measure in MEASURES.items():
        compared = compare(ScoreTable(scores[measure]), best, method=method_of(settings), test=settings.test)
        tables |= {f"{name}_{part}": frame for part, frame in compared.items()}
        counts = tables[f"{name}_counts"]
        expected = {settings.test: float(printed[f"significant pairs under {measure}"])}
        counts["printed"] = counts["test"].map(expected).astype("Int64")
    printed_ranks = printed_orders(printed[ORDER])
    systems = orders(tables["table1_systems"], tables["table2_systems"], printed_ranks)
    values = {measure: table[systems["run"]].stack() for measure, table in scores.items()}
    topics = pd.DataFrame(values).rename_axis(["topic", "run"]).reset_index()
    possible = highest_scores(material.topics(material.runs[OWN]))
    estimates = material.correlations(CORRELATED)
    coefficients = correlation(estimates)
    numbers = {
        RUNS: len(systems),
        "topics": len(scores["MAgP"]),
        PAIRS: tables["table1_counts"]["pairs"].iloc[0],
        **significant(tables, [settings.test]),
        TAU: kendall(systems["MAP"], systems["MAgP"]).coefficient,
        "bootstrap resamples": settings.resamples,
        "significance level (one-tailed)": settings.alpha,
        **significant(tables, [test for test in IN_TABLES if test != settings.test], ", {}"),
        EXCESS: (topics["MAgP"] - topics["MAP"]).max(),
        POSSIBLE: possible["AgP"].mean(),
    }
    summary = pd.DataFrame(numbers.items(), columns=["quantity", "here"]).astype({"here": float})
    summary["printed"] = summary["quantity"].map(printed.drop(ORDER).astype(float))
    coefficients.insert(2, "printed", [float(printed[TAU]), np.nan, np.nan])
    return {
        "summary": summary,
        "orders": systems,
        "correlation": coefficients,
        "topics": topics,
        "printed_orders": printed_ranks,
        "possible": possible,
        "sets": sets_of_runs(scores, best, settings),
        "estimates": estimates,
        **tables,
    }


def highest_scores(topics: Sequence[Topic]) -> pd.DataFrame:
    """Return the highest AgP that a run of elements can reach on each topic.

    From each relevant article, the run returns the disjoint elements that together have the highest F-score. It ranks
    articles by this F-score.
    """
    rows = []
    for topic, text in zip(topics, map(relevant_text, topics), strict=True):
        if text is None:
            continue
        collection, marked_text = topic.collection, text.highlights
        element, gold = collection.highlighted(marked_text.document, marked_text.start, marked_text.end)
        size, level = collection.size[element], collection.depth[element]
        up = np.searchsorted(element, collection.parent[element])
        place = np.searchsorted(text.document, collection.document_of(element))
        root = np.flatnonzero(level == 0)
        low, high = np.zeros(len(root)), np.ones(len(root))
        # disjoint elements reach the F-score x if their sum of 2 g - x s is at least x G (g, G: relevant text of an
        # element and of its article; s: size of the element)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            own, inside = 2 * gold - middle[place] * size, np.zeros(len(element))
            for depth in range(level.max(), -1, -1):
                at = level == depth
                inside[at] = np.maximum(own[at], inside[at])
                if depth:
                    np.add.at(inside, up[at], inside[at])
            reached = inside[root] >= middle * gold[root]
            low, high = np.where(reached, middle, low), np.where(reached, high, middle)
        precision = np.cumsum(np.sort(low)[::-1]) / np.arange(1, len(low) + 1)
        rows.append((topic.name, precision.mean()))
    return pd.DataFrame(rows, columns=["topic", "AgP"])


def sets_of_runs(
    scores: Mapping[str, pd.DataFrame], best: Sequence[str], settings: KampsSettings
) -> pd.DataFrame:
    """Compare the set of the best runs (set 0) with random sets of the same number of runs.

    ``scores`` has, for each measure, a table of topics (rows) and runs (columns). The columns significant_* count pairs
    that differ significantly, and the columns spread_* have the difference between the highest and the lowest mean.
    """
    runs = scores["MAgP"].columns
    draw = np.random.default_rng(settings.seed)
    others = [draw.choice(len(runs), len(best), replace=False) for _ in range(settings.sets)]
    weights = np.zeros((1 + settings.sets, len(runs)))
    for row, members in zip(weights, [runs.get_indexer(best), *others], strict=True):
        row[members] = 1
    pairs, columns = len(best) * (len(best) - 1) / 2, {}
    means = {measure: column_means(table[runs].to_numpy(float)) for measure, table in scores.items()}
    for measure, table in scores.items():
        compared = compare(ScoreTable(table), method=method_of(settings))
        differ = difference_flags(compared["pairs"], runs, settings)
        columns[f"significant_{measure}"] = pairs * share_of_pairs(differ)(weights)
        of_set = np.where(weights > 0, means[measure], np.nan)
        columns[f"spread_{measure}"] = np.nanmax(of_set, axis=1) - np.nanmin(of_set, axis=1)
    chosen = ["the best by MAgP"] + ["at random"] * settings.sets
    tau = kendall_of(means["MAP"], means["MAgP"])(weights)
    return pd.DataFrame({"set": range(len(weights)), "chosen": chosen, **columns, "tau": tau})


def sets_table(sets: pd.DataFrame) -> pd.DataFrame:
    """Format the result of `sets_of_runs` for the report, with the mean and the 95 % range of random sets.

    The column more_under_MAgP_% is the percentage of sets with more significant pairs under MAgP than under MAP.
    """
    numbers = sets.drop(columns=["set", "chosen"])
    more = 100.0 * (numbers["significant_MAgP"] > numbers["significant_MAP"])
    numbers.insert(2, "more_under_MAgP_%", more)
    others = numbers.iloc[1:]
    limits = others.quantile([0.025, 0.975]).assign(**{"more_under_MAgP_%": np.nan})
    table = pd.concat([numbers.iloc[:1], others.mean().to_frame().T, limits], ignore_index=True)
    table.insert(0, "runs", ["the best by MAgP", "at random: mean", "95 % from", "95 % to"])
    return table


def difference_flags(pairs: pd.DataFrame, runs: Sequence[str], settings: KampsSettings) -> Floats:
    """Return 1 for each pair of ``runs`` that differs significantly, and 0 for each other pair.

    Pairs are in the order of `numpy.triu_indices`.
    """
    rows = pairs[pairs[f"p_{settings.test}"] <= settings.alpha]
    differ = set(map(frozenset, zip(rows["higher_run"], rows["lower_run"], strict=True)))
    return np.array([frozenset(pair) in differ for pair in combinations(runs, 2)], dtype=float)


def significant(analysis: Analysis, tests: list[str], name: str = "") -> dict[str, float]:
    """Count the pairs of runs that differ significantly, for each measure and test.

    ``name`` is appended to each key. The name of the test replaces ``{}`` in ``name``.
    """
    return {
        f"significant pairs under {measure}{name.format(test)}": counts["significant"][test]
        for test in tests
        for table, measure in MEASURES.items()
        for counts in [analysis[f"{table}_counts"].set_index("test")]
    }


def printed_orders(order: str) -> pd.DataFrame:
    """Return the printed ranks of systems under MAgP and MAP.

    ``order`` lists the MAgP rank of each system in the order of MAP: ``5 1 2 …``.
    """
    labels = list(map(int, order.split()))
    return pd.DataFrame({"MAgP_rank": labels, "MAP_rank": range(1, len(labels) + 1)})


def correlation(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the correlations between the systems' means under MAgP and MAP.

    ``estimates`` are the correlations that the campaign stores.
    """
    columns = {
        **{"coefficient": "coefficient", "value": "here", "n": "systems", "low": "low", "high": "high"},
        **{"influential": "influential_run", "without": "without_it"},
    }
    table = estimates[list(columns)].rename(columns=columns)
    return table.assign(coefficient=table["coefficient"].map(COEFFICIENTS))


def orders(by_magp: pd.DataFrame, by_map: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return the means and ranks of systems under MAgP and MAP, sorted by rank under MAgP.

    ``by_magp`` and ``by_map`` are tables of systems from `focuseval.statistics.comparisons.compare`. The column
    printed_MAP_rank is NaN if the paper has no system with this rank under MAgP.
    """
    ranked = by_map.assign(MAP_rank=range(1, len(by_map) + 1)).rename(columns={"mean": "MAP"})
    table = by_magp.rename(columns={"mean": "MAgP"})[["label", "run", "MAgP"]]
    table = table.merge(ranked[["label", "MAP", "MAP_rank"]], on="label").rename(
        columns={"label": "MAgP_rank"}
    )
    table = table.astype({"MAgP_rank": int})
    printed_ranks = printed.set_index("MAgP_rank")["MAP_rank"]
    return table.assign(printed_MAP_rank=table["MAgP_rank"].map(printed_ranks))


def as_shown(numbers: pd.DataFrame) -> pd.DataFrame:
    """Format numbers of the paper's text: counts without decimals, other numbers with three significant digits."""

    def text(value: float) -> str | None:
        if np.isnan(value):
            return None
        return f"{value:,.0f}" if value == int(value) else f"{value:.3g}".replace("-", "\N{MINUS SIGN}")

    texts = {name: pd.array([text(v) for v in numbers[name]], dtype=object) for name in ("here", "printed")}
    quantity = numbers["quantity"].replace({TAU: "Kendall's tau of MAP and MAgP"})
    return numbers.assign(quantity=quantity, **texts)


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims.

    Correlations and numbers of significant pairs are resampled over runs, because the tests already resample topics.
    """
    topics, possible = analysis["topics"], analysis["possible"]
    runs = list(dict.fromkeys(topics["run"]))
    systems = context.sample("systems", runs, "runs")
    numbers = in_print({"kamps2007": analysis["summary"].rename(columns={"here": "value"})})
    numbers["scores"] = len(topics)
    numbers["tau"] = estimates_of(analysis["estimates"], "kendall")["systems", "MAP", "MAgP"]
    for name, measure in MEASURES.items():
        differ = difference_flags(analysis[f"{name}_pairs"], runs, context.settings)
        share, every = systems.estimate(share_of_pairs(differ)), len(differ)
        numbers[named("significant", measure)] = combined(lambda part, every=every: every * part, share)
    sample = context.sample("topics", list(possible["topic"]), "topics")
    numbers["possible"] = sample.estimate(mean_of(possible["AgP"].to_numpy(float)))
    return numbers


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed numbers that the paper's claims compare, by their names in the claims."""
    values = tables["kamps2007"].set_index("quantity")["value"]
    numbers: dict[str, Quantity] = {
        NAMES[name]: float(values[name]) for name in values.index if name in NAMES
    }
    if ORDER in values:
        ranks = printed_orders(values[ORDER])
        numbers["first"] = float(ranks["MAgP_rank"].iloc[0])
        numbers["rise"] = float((ranks["MAgP_rank"] - ranks["MAP_rank"]).max())
    return numbers


PAPER = of_module(__name__, KampsSettings)
