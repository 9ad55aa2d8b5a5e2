"""The numbers that findings are checked on: of a campaign with what they rest on, or as the paper prints them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from focuseval.findings import FEWEST_RUNS
from focuseval.model.arrays import Floats
from focuseval.statistics.estimates import Quantity
from focuseval.statistics.weighted import Statistic, mean_of, pearson_of, ranks_of, ratio_of
from focuseval_papers.goevert2006.analysis import (
    ARTICLE,
    KEYS,
    NON_ARTICLE,
    columns_of,
    pairs_of_settings,
    printed_judged,
)
from focuseval_papers.goevert2006.settings import LONG, SHORT
from focuseval_papers.publication.paper import Draw

#: why the findings on Table 1 cannot fail on a synthetic campaign
SET = (
    "The generator of the campaign is set to the printed shares of articles, and the settings of the other elements "
    "were fitted to the printed shares."
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on; what is not known is missing."""

    simulated: Mapping[tuple[str, str, str], Quantity]  #: average precision by metric, quantisation, run
    correlation: Mapping[tuple[str, ...], Quantity]  #: Pearson's r by the values of `KEYS` behind the table
    below: Quantity  #: share of elements below article level among those of specificity 3
    specific: Mapping[str, Quantity]  #: share of specificity 3 among relevant elements, by level
    overlapping: Mapping[str, Quantity] = field(default_factory=dict)  #: share of results, by result set
    rank: Mapping[str, Quantity] = field(default_factory=dict)  #: of the best under INEX 2002, by metric
    same_lists: bool = False  #: whether both sizes of result sets hold the same lists
    set_shares: str = ""  #: why the shares cannot be otherwise
    below_earlier: Quantity = float("nan")  #: as ``below``, in INEX 2002


def _shares(
    counts: pd.DataFrame, share: Callable[[pd.Series, pd.Series], Quantity]
) -> tuple[Quantity, dict[str, Quantity]]:
    """`Evidence.below` and `Evidence.specific`; ``share`` divides the counts of some rows by those of others."""
    specific, relevant = counts["spec"] == 3, counts["exh"] > 0
    level = {name: counts["level"] == name for name in (ARTICLE, NON_ARTICLE)}
    return share(specific & level[NON_ARTICLE], specific), {
        name: share(specific & rows, relevant & rows) for name, rows in level.items()
    }


def campaign_evidence(
    simulated: pd.DataFrame,
    average: pd.DataFrame,
    judged: pd.DataFrame,
    overlap: pd.DataFrame,
    earlier: pd.DataFrame | None = None,
    *,
    quantisations: Sequence[str],
    result_sets: Mapping[str, str],
    sample: Draw,
    set_shares: str = "",
) -> Evidence:
    """The evidence of a campaign, without what rests on fewer than `FEWEST_RUNS` runs.

    Frames from the analysis: ``simulated`` by topic, ``judged`` by topic, ``overlap`` with the column result_set, and
    what is judged in the ``earlier`` campaign.
    ``sample`` draws runs and topics (`focuseval_papers.publication.paper.Context.sample`).
    """
    topics = sample("simulated topics", sorted(simulated["topic"].unique()), "topics")
    values = simulated.pivot(
        index="topic", columns=["metric", "quantisation", "run"], values="average_precision"
    ).reindex(topics.members)
    columns = {
        of: frame for of, frame in columns_of(average, result_sets).items() if len(frame) >= FEWEST_RUNS
    }
    runs = {of: sample(f"{of} runs", list(frame.index), "runs") for of, frame in columns.items()}

    def under(metric: str, quantisation: str, result_set: str) -> Floats | None:
        frame = columns.get(result_sets.get(result_set, ""), pd.DataFrame())
        key = (metric, quantisation, result_set)
        return frame[key].to_numpy() if key in frame else None

    correlation: dict[tuple[str, ...], Quantity] = {}
    for _, metric_a, metric_b, q_a, q_b, set_a, set_b in pairs_of_settings(quantisations, result_sets):
        x, y = under(metric_a, q_a, set_a), under(metric_b, q_b, set_b)
        if x is not None and y is not None:
            key = (metric_a, metric_b, q_a, q_b, set_a, set_b)
            correlation[key] = runs[result_sets[set_a]].estimate(pearson_of(x, y))

    rank: dict[str, Quantity] = {}
    best = under("INEX 2002", "generalised", SHORT)
    for metric in ("INEX 2003s", "INEX 2003o"):
        other = under(metric, "generalised", SHORT)
        if best is not None and other is not None:
            rank[metric] = runs[result_sets[SHORT]].estimate(rank_of_best(best, other))

    below, specific = _shares_by_topic(judged, sample, "assessed topics")
    before = float("nan") if earlier is None else _shares_by_topic(earlier, sample, "earlier topics")[0]
    results = overlap.pivot(index="run", columns="result_set", values=["results", "overlapping"]).astype(
        float
    )
    listed = sample("campaign lists", list(results.index), "runs")
    return Evidence(
        {key: topics.estimate(mean_of(values[key].to_numpy())) for key in values},
        correlation,
        below,
        specific,
        {
            name: listed.estimate(
                ratio_of(*(results[n, name].to_numpy() for n in ("overlapping", "results")))
            )
            for name in results["results"]
        },
        rank,
        {LONG, SHORT} <= set(results["results"])
        and bool((results["results", LONG] == results["results", SHORT]).all()),
        set_shares,
        before,
    )


def _shares_by_topic(judged: pd.DataFrame, sample: Draw, name: str) -> tuple[Quantity, dict[str, Quantity]]:
    """`_shares` of the counts of a campaign, drawn over its topics."""
    topics = sample(name, list(judged["topic"].unique()), "topics")

    def summed(rows: pd.Series) -> Floats:
        counts = judged[rows].groupby("topic")["count"].sum()
        return counts.reindex(topics.members, fill_value=0).to_numpy(float)

    return _shares(judged, lambda part, whole: topics.estimate(ratio_of(summed(part), summed(whole))))


def rank_of_best(best: Floats, other: Floats) -> Statistic:
    """The mean rank by ``other`` (n,) of the quarter of the runs that is highest by ``best`` (n,)."""
    order = np.argsort(-best, kind="stable")
    quarter = max(1, len(best) // 4)

    def statistic(weights: Floats) -> Floats:
        drawn = weights[:, order]
        before = np.cumsum(drawn, axis=1) - drawn
        taken = np.clip(quarter - before, 0.0, drawn)
        ranks = ranks_of(weights, -other)[:, order]
        return (taken * ranks).sum(axis=1) / taken.sum(axis=1)

    return statistic


def printed_evidence(
    simulated: pd.DataFrame, correlations: pd.DataFrame, judged: pd.DataFrame, section53: pd.DataFrame
) -> Evidence:
    """The evidence as far as the paper prints it (the tables as they stand in `config/published`)."""
    shares = section53.set_index("campaign")["below_article_%"] / 100
    counts = printed_judged(judged)

    def share(part: pd.Series, whole: pd.Series) -> Quantity:
        below = float(counts.loc[whole, "count"].sum())
        return float(counts.loc[part, "count"].sum()) / below if below else float("nan")

    keys = ["metric", "quantisation", "run"]
    return Evidence(
        {tuple(key): float(value) for *key, value in simulated[[*keys, "average_precision"]].values.tolist()},
        {tuple(key): float(r) for *key, r in correlations[[*KEYS[1:], "pearson_r"]].values.tolist()},
        *_shares(counts, share),
        below_earlier=float(shares.get("INEX 2002", np.nan)),
    )
