"""The table of extraction with intervals, paired comparisons with its winner, and what its averages leave open."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from focuseval.measures import spans, words
from focuseval.measures.declaration import COUNTS, parse_specs
from focuseval.model.arrays import Floats, divided
from focuseval.statistics.means import means_by
from focuseval.statistics.pooled import Pooled, pooled_of
from focuseval.statistics.significance import TOLERANCE, holm, score_table

#: the measures of the published table, counts of all queries added up, by their names in
#: `config/published/recski2026.csv`
PUBLISHED = {
    "word_precision": "word_precision(average=micro)",
    "word_recall": "word_recall(average=micro)",
    "word_F1": "word_F1(average=micro)",
    "span_F1@0.5": "span_F1@0.5",
    "contained_F1@1": "contained_F1@1",
    "gold_coverage@0.8": "gold_coverage@0.8",
    "any_overlap": "any_overlap",
    "over_prediction": "over_prediction",
}

#: the measure that systems are ordered by, and its means over queries: all of them, and those with gold
F1, MACRO, MACRO_WITH_GOLD = PUBLISHED["word_F1"], "word_F1", "word_F1(without_gold=left-out)"

KNOWN = {measure.name: measure for measure in (*words.MEASURES, *spans.MEASURES)}

#: the sets of runs: as published, and without what they return in irrelevant chunks
RUNS, WHERE_RELEVANT = "runs", "where-relevant"


def pooled(scores: pd.DataFrame, name: str) -> tuple[list[str], Pooled]:
    """The runs, and what was counted of them on every query, by its name, of a measure of one set of runs."""
    table = score_table(scores, name).sort_index()
    found = pooled_of(scores, table, name, {name: parse_specs(name, KNOWN)[0].number_of})
    if found is None:
        raise ValueError(f"{name} is no number of counts")
    return list(map(str, table.columns)), found


def extraction(
    scores: pd.DataFrame, printed: pd.DataFrame, resamples: int, seed: int, alpha: float
) -> pd.DataFrame:
    """Every cell of the published table: columns system, measure, printed, reproduced, low, high.

    The limits are those of `PooledDifferences.interval` over queries. Systems are in the printed order, those
    that are not printed behind.
    """
    parts = []
    for label, name in PUBLISHED.items():
        runs, found = pooled(scores, name)
        low, high = found.interval(1 - alpha, resamples, seed)
        columns = {"reproduced": found.numbers, "low": low, "high": high}
        parts.append(pd.DataFrame({"system": runs, "measure": label, **columns}))
    table = pd.concat(parts, ignore_index=True).merge(printed, how="left", on=["system", "measure"])
    systems = list(dict.fromkeys([*printed["system"], *table["system"]]))
    order = [systems.index(system) for system in table["system"]]
    table = table.iloc[np.argsort(order, kind="stable")].reset_index(drop=True)
    return table[["system", "measure", "printed", "reproduced", "low", "high"]]


def against_the_first(scores: pd.DataFrame, resamples: int, seed: int, alpha: float) -> pd.DataFrame:
    """The systems by falling pooled F1, each compared with the first, query by query.

    Columns rank, system, F1, low, high; difference (the first less this one) with the limits difference_low and
    difference_high of its interval, queries drawn in pairs; p (paired randomisation test, two-tailed) and p_adjusted
    (Holm); wins, ties, losses: queries on which the first has the higher, the same, the lower F1.
    """
    runs, found = pooled(scores, F1)
    value = found.numbers
    order = np.argsort(-value, kind="stable")
    low, high = (limit[order] for limit in found.interval(1 - alpha, resamples, seed))
    behind = found.differences(order, np.full(len(order), order[0]))
    least, most = behind.interval(1 - alpha, resamples, seed)
    p = behind.p_values("randomisation", resamples, seed, two_tailed=True)[1:]
    by_query = found.number(found.counts)[:, order]
    ahead = by_query[:, :1] - by_query
    return pd.DataFrame(
        {
            "rank": 1 + np.arange(len(runs)),
            "system": [runs[i] for i in order],
            "F1": value[order],
            "low": low,
            "high": high,
            "difference": behind.difference,
            "difference_low": least,
            "difference_high": most,
            "p": np.append(np.nan, p),
            "p_adjusted": np.append(np.nan, holm(p)),
            "wins": np.count_nonzero(ahead > TOLERANCE, axis=0),
            "ties": np.count_nonzero(np.abs(ahead) <= TOLERANCE, axis=0),
            "losses": np.count_nonzero(ahead < -TOLERANCE, axis=0),
        }
    )


def averages(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """F1 over words averaged in several ways, a row for each system by falling pooled F1, and its ranks.

    Columns system; micro, macro (the mean over all queries, 0 where there is no gold), macro_with_gold (over
    queries with gold), where_relevant (pooled, of what is returned in relevant chunks), each followed by its
    rank; and in_irrelevant_chunks: the share of all words returned that are there. ``scores`` by sets of runs.
    """
    runs, found = pooled(scores[RUNS], F1)
    names, kept = pooled(scores[WHERE_RELEVANT], F1)
    there = [names.index(run) for run in runs]
    columns = {
        "micro": found.numbers,
        "macro": _means(scores[RUNS], MACRO, runs),
        "macro_with_gold": _means(scores[RUNS], MACRO_WITH_GOLD, runs),
        "where_relevant": kept.numbers[there],
    }
    table = pd.DataFrame({"system": runs})
    for name, values in columns.items():
        table[name] = values
        table[f"{name}_rank"] = table[name].rank(ascending=False, method="min").astype(int)
    words, inside = (each.counts.sum(axis=0)[:, COUNTS.index("returned")] for each in (found, kept))
    outside = words - inside[there]
    table["in_irrelevant_chunks"] = divided(outside, words)
    return table.sort_values("micro", ascending=False, kind="stable", ignore_index=True)


#: what findings look at query by query: measures of the published table, and F1 over words averaged otherwise
WORDS = ("word_precision", "word_recall", "word_F1")


def counts(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """What is added up of every system and query: columns of, measure, system, topic, and `COUNTS`.

    ``of`` is the set of runs; of those without what is returned in irrelevant chunks there is F1 alone.
    """
    parts = []
    for of, labels in ((RUNS, WORDS), (WHERE_RELEVANT, ("word_F1",))):
        for label in labels:
            runs, found = pooled(scores[of], PUBLISHED[label])
            topics = list(score_table(scores[of], PUBLISHED[label]).sort_index().index)
            table = pd.DataFrame(found.counts.reshape(-1, len(COUNTS)), columns=list(COUNTS))
            index = pd.MultiIndex.from_product([topics, runs], names=["topic", "system"])
            parts.append(pd.concat([index.to_frame(index=False), table], axis=1).assign(of=of, measure=label))
    return pd.concat(parts, ignore_index=True)[["of", "measure", "system", "topic", *COUNTS]]


def by_query(scores: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """F1 over words of every query: columns average (macro, macro_with_gold), system, topic, value."""
    parts = [
        score_table(scores[RUNS], name)
        .sort_index()
        .melt(ignore_index=False, var_name="system", value_name="value")
        .reset_index(names="topic")
        .assign(average=label)
        for label, name in (("macro", MACRO), ("macro_with_gold", MACRO_WITH_GOLD))
    ]
    return pd.concat(parts, ignore_index=True)[["average", "system", "topic", "value"]]


def _means(scores: pd.DataFrame, name: str, runs: Sequence[str]) -> Floats:
    part = scores[scores["name"] == name].astype({"run": str})
    return means_by(part, ["run"]).set_index("run")["value"].loc[list(runs)].to_numpy()
