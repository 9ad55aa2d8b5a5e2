"""The published table with intervals, comparisons with the first system, and several averages of F1."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.measures import focused, spans
from focuseval.measures.declaration import COUNTS, parse_specs
from focuseval.model.arrays import Floats, divided
from focuseval.report.parts import Analysis
from focuseval.statistics.means import means_by
from focuseval.statistics.score_table import ScoreTable, score_tables
from focuseval.statistics.significance import holm, order_of
from focuseval_papers.publication.claims import Quantities, Words, means_over, named
from focuseval_papers.publication.declaration import read_declaration
from focuseval_papers.publication.estimates import Quantity, Statistic, highest
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.publication.request_settings import OWN
from focuseval_papers.workflow.settings import Level, Resamples, Seed, Settings

DECLARED = read_declaration(Path(__file__).with_name("publication.yaml"))

#: the measures of the published table, by their names in `config/published/recski2026.csv`
PUBLISHED = DECLARED.measures(OWN)

#: F1, by which systems are ranked, and its means over all queries and over the queries that have gold spans
F1 = PUBLISHED["word_F1"]
MEANS = DECLARED.measures("means")

#: run sets: the published runs, and these runs without results in irrelevant chunks
RUNS, WHERE_RELEVANT = OWN, "where-relevant"

#: the paper's own system, and the number of runners-up that claims compare with the first system
CLASSIFIER, NEXT = "ACL-Verbatim ModernBERT reranker", 4

_KNOWN = {measure.name: measure for measure in (*focused.MEASURES, *spans.MEASURES)}


class RecskiSettings(Settings):
    """Recski et al. (2026): intervals and tests over queries."""

    alpha: Level = 0.05
    resamples: Resamples = 10_000
    seed: Seed = 2026


def pooled(scores: pd.DataFrame, name: str) -> ScoreTable:
    """Return the scores under the measure ``name``, computed from counts that are added up over all queries."""
    return score_tables(scores, [name], {name: parse_specs(name, _KNOWN)[0].number_of}, ())[name]


def counts_of(counted: ScoreTable) -> Floats:
    """Return the counts in a table of scores as an array of shape (queries, runs, 4)."""
    # every table of this module is computed from counts
    assert counted.counts is not None
    return counted.counts


def analyse(material: Material) -> Analysis:
    """Compute every table of the paper from the data of a campaign, and return the tables by name."""
    settings = material.context.settings
    scores = {name: material.scores(name) for name in (RUNS, WHERE_RELEVANT)}
    resampling = settings.resamples, settings.seed, settings.alpha
    compared = against_the_first(scores[RUNS], *resampling)
    significant = np.where(compared["difference_low"] > 0, "yes", "no")
    return {
        "extraction": extraction(scores[RUNS], material.printed["recski2026"], *resampling),
        "compared": compared,
        "intervals": compared.assign(significant=np.where(compared["rank"] > 1, significant, "")),
        "averages": averages(scores),
        "counts": counts(scores),
        "by_query": by_query(scores[RUNS]),
    }


def extraction(
    scores: pd.DataFrame, printed: pd.DataFrame, resamples: int, seed: int, alpha: float
) -> pd.DataFrame:
    """Return every cell of the published table, as printed and as reproduced, with an interval over queries.

    Systems that the paper prints come first, in printed order.
    """
    parts = []
    for label, name in PUBLISHED.items():
        counted = pooled(scores, name)
        low, high = counted.intervals(1 - alpha, resamples, seed)
        columns = {"reproduced": counted.numbers, "low": low, "high": high}
        parts.append(pd.DataFrame({"system": counted.runs, "measure": label, **columns}))
    table = pd.concat(parts, ignore_index=True).merge(printed, how="left", on=["system", "measure"])
    order = {system: i for i, system in enumerate(dict.fromkeys([*printed["system"], *table["system"]]))}
    table = table.sort_values(
        "system", key=lambda systems: systems.map(order), kind="stable", ignore_index=True
    )
    return table[["system", "measure", "printed", "reproduced", "low", "high"]]


def against_the_first(scores: pd.DataFrame, resamples: int, seed: int, alpha: float) -> pd.DataFrame:
    """Compare each system with the first system, which has the highest pooled F1.

    A positive difference or a win is in favour of the first system. P-values are from two-tailed paired randomisation
    tests.
    """
    counted = pooled(scores, F1)
    counted = counted.among(counted.ranked)
    low, high = counted.intervals(1 - alpha, resamples, seed)
    places = np.arange(len(counted.runs))
    comparison = counted.differences(places, np.zeros_like(places))
    least, most = comparison.interval(1 - alpha, resamples, seed)
    p = comparison.p_values("randomisation", resamples, seed, two_tailed=True)[1:]
    by_query = parse_specs(F1, _KNOWN)[0].number_of(counts_of(counted))
    ahead = order_of(by_query, by_query[:, :1])
    return pd.DataFrame(
        {
            "rank": 1 + places,
            "system": counted.runs,
            "F1": counted.numbers,
            "low": low,
            "high": high,
            "difference": comparison.difference,
            "difference_low": least,
            "difference_high": most,
            "p": np.append(np.nan, p),
            "p_adjusted": np.append(np.nan, holm(p)),
            "wins": np.count_nonzero(ahead > 0, axis=0),
            "ties": np.count_nonzero(ahead == 0, axis=0),
            "losses": np.count_nonzero(ahead < 0, axis=0),
        }
    )


def averages(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return F1 over words under several averages, and the rank of each system under each average.

    ``scores`` has a table for each run set. A query without gold counts as 0 in macro, and is left out of
    macro_with_gold.
    """
    counted = pooled(scores[RUNS], F1)
    runs = counted.runs
    relevant = pooled(scores[WHERE_RELEVANT], F1).among(runs)
    mean = means_by(scores[RUNS].astype({"run": str, "name": str}), ["name", "run"]).set_index(
        ["name", "run"]
    )
    columns = {
        "micro": counted.numbers,
        **{label: mean.loc[name, "value"].loc[runs].to_numpy() for label, name in MEANS.items()},
        "where_relevant": relevant.numbers,
    }
    table = pd.DataFrame({"system": runs})
    for name, values in columns.items():
        table[name] = values
        table[f"{name}_rank"] = table[name].rank(ascending=False, method="min").astype(int)
    of_words = COUNTS.index("returned")
    returned, inside = (counts_of(each).sum(axis=0)[:, of_words] for each in (counted, relevant))
    table["in_irrelevant_chunks"] = divided(returned - inside, returned)
    return table.sort_values("micro", ascending=False, kind="stable", ignore_index=True)


def scores_under(scores: pd.DataFrame, measure: str, *columns: str) -> pd.DataFrame:
    """Return the scores under one measure, with the columns topic and system and the additional ``columns``."""
    part = scores[scores["name"] == measure].astype({"topic": str, "run": str})
    return part.rename(columns={"run": "system"})[["topic", "system", *columns]]


def counts(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return, for each query and system, the counts from which the numbers in claims are computed."""
    requested = (
        ("word_precision", "micro", RUNS, "word_precision"),
        ("word_recall", "micro", RUNS, "word_recall"),
        ("F1", "micro", RUNS, "word_F1"),
        ("F1", "where_relevant", WHERE_RELEVANT, "word_F1"),
    )
    parts = [
        scores_under(scores[of], PUBLISHED[label], *COUNTS)
        .sort_values("topic", kind="stable")
        .assign(name=quantity, average=average, measure=label)
        for quantity, average, of, label in requested
    ]
    return pd.concat(parts, ignore_index=True)


def by_query(scores: pd.DataFrame) -> pd.DataFrame:
    """Return F1 over words of each system and query, for each average in `MEANS`."""
    parts = [scores_under(scores, name, "value").assign(average=label) for label, name in MEANS.items()]
    return pd.concat(parts, ignore_index=True)


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the numbers that the paper's claims compare, by their names in the claims."""
    counted, by_hand = analysis["counts"], analysis["extraction"]
    queries = context.sample("queries", sorted(counted["topic"].unique()), "queries")
    numbers: dict[str, Quantity] = {}
    for (name, average, system, measure), part in counted.groupby(
        ["name", "average", "system", "measure"], sort=False
    ):
        table = part.set_index("topic").loc[list(queries.members), list(COUNTS)].to_numpy()
        numbers[named(str(name), average, system)] = queries.estimate(_pooled(table, measure))
    numbers |= means_over(queries, analysis["by_query"], "F1", ["average", "system"])
    following = analysis["compared"].iloc[1 : 1 + NEXT]
    return {
        **numbers,
        **_best_of_others(numbers),
        "cells": len(by_hand),
        "largest_difference": (by_hand["reproduced"] - by_hand["printed"]).abs().max(skipna=False),
        "smallest_p": following["p_adjusted"].min() if len(following) == NEXT else np.nan,
        "highest_low": following["difference_low"].max() if len(following) == NEXT else np.nan,
    }


def _pooled(counts: np.ndarray, measure: str) -> Statistic:
    """Return a function that computes a measure from the weighted sums of ``counts``, for rows of weights."""
    number = parse_specs(PUBLISHED[measure], _KNOWN)[0].number_of
    return lambda weights: number(weights @ counts)


def _best_of_others(numbers: Quantities) -> dict[str, Quantity]:
    """Return the highest F1 of any system except the paper's own system, for each average."""
    return {
        f"best_of_others[{average}]": highest(
            value
            for name, value in numbers.items()
            if name.startswith(f"F1[{average}, ") and name != f"F1[{average}, {CLASSIFIER}]"
        )
        for average in ("micro", *MEANS, "where_relevant")
    }


def words(context: Context) -> Words:
    """Return the values that replace names in braces in the texts of ``publication.yaml``."""
    return {"level": f"{100 * (1 - context.settings.alpha):g} %"}


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the printed numbers that the paper's claims compare, by their names in the claims."""
    table = tables["recski2026"].replace({"measure": {"word_F1": "F1"}})
    numbers = {
        named(measure, "micro", system): float(value) for system, measure, value in table.to_numpy().tolist()
    }
    return {**numbers, **_best_of_others(numbers)}


def as_published(table: pd.DataFrame) -> pd.DataFrame:
    """Format the result of `extraction` for the report, with a row for each system."""

    def cell(row: pd.Series) -> str:
        number = f"{row['reproduced']:.3f}"
        if not abs(row["reproduced"] - row["printed"]) <= 5e-4:
            number += " (not printed)" if pd.isna(row["printed"]) else f" (printed {row['printed']:.3f})"
        return f"{number} [{row['low']:.2f}, {row['high']:.2f}]"

    cells = table.assign(cell=[cell(row) for _, row in table.iterrows()])
    wide = cells.pivot(index="system", columns="measure", values="cell")
    return (
        wide.loc[table["system"].unique(), table["measure"].unique()].reset_index().rename_axis(columns=None)
    )


PAPER = of_module(__name__, RecskiSettings)
