"""The study of accuracy: does SRP order systems as nxCG does, and what has the structural summary to do with it?"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.measures.structural import earlier_in_place
from focuseval.measures.structural_summary import Summary, all_probabilities
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, place_in_list
from focuseval.statistics.correlations import pearson, spearman
from focuseval_papers.publication.frames import rows_of, stacked

#: measures of systems in the study: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: what SRP is without any summary: every result counts in full; only the first result of a document does
PRECISION = "precision (π = 1)"
WITHOUT_SUMMARY = {PRECISION: 1.0, "first result of a document (π = 0)": 0.0}

#: a summary, its edges and their weight
Setting = tuple[str, str, str]
SETTING = ["summary", "edges", "weight"]


#: of how many of the best systems rho is shown by itself
BEST = 10

#: columns of `accuracy`
OF_ACCURACY = [
    *("part", "cutoff", "statistic", "coefficient", "p_value", "systems"),
    *("best_ten", "nxCG_from", "nxCG_to", "moved"),
]


def accuracy(scores: pd.DataFrame) -> pd.DataFrame:
    """Does SRP order systems as nxCG does? Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural, reference: the means over topics of the two measures
    at each cut-off, for every run. Returns part, cutoff, statistic, coefficient, p_value, systems: *overall*,
    Spearman's rho of the two columns at one cut-off; *relative*, Pearson's r of the changes of a system's
    rank from the cut-off before (not defined at the first one). Two-tailed p-values; NaN where a column is
    constant. Beside rho are that of the `BEST` systems under the reference (best_ten), and its lowest and highest mean;
    beside r how many systems change rank under both (moved).
    """
    scores = scores.sort_values(["cutoff", "run"])
    changes = rank_changes(scores, ["structural", "reference"])
    rows = []
    for cutoff, at in scores.groupby("cutoff"):
        systems, reference = len(at), at["reference"]
        order = spearman(at["structural"], reference)
        best = at.nlargest(BEST, "reference")
        ends = spearman(best["structural"], best["reference"]).coefficient, reference.min(), reference.max()
        rows.append(("overall", cutoff, "spearman", order.coefficient, order.p_value, systems, *ends, np.nan))
        change = changes.loc[at.index].dropna()
        line, moved = pearson(*change.to_numpy().T) if len(change) else None, (change != 0).all(axis=1).sum()
        numbers = (line.r, line.p_value) if line else (np.nan, np.nan)
        rows.append(("relative", cutoff, "pearson", *numbers, systems, *[np.nan] * 3, moved))
    table = pd.DataFrame(rows, columns=OF_ACCURACY)
    return table.sort_values(["part", "cutoff"], ignore_index=True)


def rank_changes(scores: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """How the rank of each run under some columns changes from the cut-off before; NaN at the first one.

    ``scores`` has the columns run and cutoff, and is sorted by cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """The coefficient above 0 of n pairs whose two-tailed p-value this is: r = t / sqrt(n - 2 + t²)."""
    from scipy import stats

    t = float(stats.t.isf(p_value / 2, n - 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame) -> pd.DataFrame:
    """`accuracy` of every task, structural measure and reference, from means over topics.

    ``mean`` has the columns task, label, cutoff, run, value. Adds the columns task, structural, reference, reading;
    the paper's reading (the first of each) comes first.
    """
    tables = []
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for measure, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={measure: "structural", reference: "reference"})
            of = {"task": task, "structural": measure, "reference": reference}
            found = accuracy(pair[["run", "cutoff", "structural", "reference"]])
            tables.append(found.assign(**of, reading=f"{measure} and {reference}"))
    return stacked(tables, ["task", "structural", "reference", "reading", *OF_ACCURACY])


# ---------------------------------------------------------------------------------------- every setting of SRP


def relevance_of(results: Results, topics: Sequence[Topic], quantisation: str) -> Floats:
    """(M,) rel(e) of each result on its topic: its quantised score, of the highest possible; 0 for the rest."""
    size, highest = len(topics[0].collection), QUANTISATIONS[quantisation].maximum
    place = {str(name): i for i, name in enumerate(results.topics)}
    worth = [
        pd.Series(quantised(topic, quantisation) / highest, place[topic.name] * size + topic.element)
        for topic in topics
        if topic.name in place
    ]
    key = np.where(results.element >= 0, results.topic.astype(np.int64) * size + results.element, -1)
    return pd.concat([pd.Series(dtype=float), *worth]).reindex(key).fillna(0.0).to_numpy()


def graded_precision(
    results: Results, topics: Sequence[Topic], quantisation: str, cutoffs: Sequence[int]
) -> pd.DataFrame:
    """The mean over topics, and over the ranks up to each cut-off, of precision with graded relevance, for every run.

    An element that is returned a second time is not relevant. Columns run, cutoff, value.
    """
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    again = pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    place, deepest = place_in_list(results.run, results.topic), max(cutoffs)
    shown = ~again & (place < deepest)
    worth = np.zeros((len(results.runs) * len(results.topics), deepest))
    worth[number[shown], place[shown]] = relevance_of(results, topics, quantisation)[shown]
    rank = np.arange(1, deepest + 1)
    mean = np.cumsum(np.cumsum(worth, axis=1) / rank, axis=1) / rank
    of_runs = mean.reshape(len(results.runs), len(results.topics), deepest).sum(axis=1)
    of_runs /= relevant_topics(topics, quantisation)
    return pd.concat(
        pd.DataFrame({"run": results.runs.astype(str), "cutoff": k, "value": of_runs[:, k - 1]})
        for k in cutoffs
    )


def relevant_topics(topics: Sequence[Topic], quantisation: str) -> int:
    """How many topics have anything relevant: the others are left out of means."""
    return sum(bool((quantised(topic, quantisation) > 0).any()) for topic in topics)


def pi_by_setting(summaries: Mapping[str, Summary]) -> dict[Setting, Floats]:
    """By summary, edges and weight, (P,) pi of each partition: 1 - p(e; f) of its elements (Eq. 7)."""
    return {
        (name, *setting): pi
        for name, summary in summaries.items()
        for setting, pi in all_probabilities(summary).items()
    }


def masrp_by_setting(
    results: Results,
    topics: Sequence[Topic],
    summaries: Mapping[str, Summary],
    by_setting: Mapping[Setting, Floats],
    quantisation: str,
    cutoffs: Sequence[int],
) -> pd.DataFrame:
    """The mean over topics of MASRP of every run, by the settings of SRP; results are elements.

    A result at rank i adds ``g = rel(e) pi(e)^n`` to SR, n being the elements of its document above it (Eq. 1, 3 and
    7), and so g / j to SRP at each rank j from i on: ``MASRP@k = 1/k sum_(i <= k) g_i (1/i + … + 1/k)``. What is
    sorted and counted is the same for all settings. ``by_setting`` from `pi_by_setting`; `WITHOUT_SUMMARY` stands
    behind. Columns summary, edges, weight, cutoff, run, value.
    """
    relevance = relevance_of(results, topics, quantisation)
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    known = results.element >= 0
    new = known & ~pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    document = np.where(known, results.document, -1) + 1
    earlier = earlier_in_place(number * (int(document.max(initial=0)) + 1) + document, new)
    place = place_in_list(results.run, results.topic)
    counted = np.flatnonzero(new & (relevance > 0) & (place < max(cutoffs)))
    run, place, earlier = results.run[counted], place[counted], earlier[counted]
    element, relevance = results.element[counted], relevance[counted]
    of = {name: summary.partition[element] for name, summary in summaries.items()}
    gains = {key: relevance * pi[of[key[0]]] ** earlier for key, pi in by_setting.items()}
    gains |= {(name, "", ""): relevance * pi**earlier for name, pi in WITHOUT_SUMMARY.items()}
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, max(cutoffs) + 1))])
    asked = relevant_topics(topics, quantisation)
    names = results.runs.astype(str)
    tables = []
    for k in cutoffs:
        weight = np.where(place < k, harmonic[k] - harmonic[np.minimum(place, k)], 0.0) / (k * asked)
        for setting, gain in gains.items():
            value = np.bincount(run, gain * weight, minlength=len(names))
            keys = dict(zip(SETTING, setting, strict=True))
            tables.append(pd.DataFrame({**keys, "cutoff": k, "run": names, "value": value}))
    return pd.concat(tables, ignore_index=True)


def every_setting(
    mean: pd.DataFrame, by_setting: pd.DataFrame, chosen: Setting, summaries: pd.DataFrame
) -> pd.DataFrame:
    """Accuracy by every setting of SRP: Spearman's rho over systems of MASRP with nxCG, by task and cut-off.

    ``mean`` as in `readings`, ``by_setting`` from `masrp_by_setting` with the column task, ``summaries`` from
    `spread`. Columns summary, edges, weight, mean_π, like_chosen (the lowest rho with the order under the chosen
    setting), of (task and cut-off), rho.
    """
    rows = []
    for (task, cutoff), part in by_setting.groupby(["task", "cutoff"], sort=False):
        wide = part.pivot(index=SETTING, columns="run", values="value")
        wide = wide.loc[pd.MultiIndex.from_frame(part[SETTING].drop_duplicates())]
        nxcg = rows_of(mean, task=task, cutoff=cutoff, label=REFERENCE[0]).set_index("run")["value"]
        for setting, values in zip(wide.index, wide.to_numpy(), strict=True):
            like = spearman(values, wide.loc[chosen]).coefficient
            rho = spearman(values, nxcg[wide.columns]).coefficient
            rows.append((*setting, like, f"{task}, k = {cutoff}", rho))
    table = pd.DataFrame(rows, columns=[*SETTING, "like_chosen", "of", "rho"])
    table["like_chosen"] = table.groupby(SETTING)["like_chosen"].transform("min")
    mean_pi = summaries.set_index(SETTING)["mean_π"].to_dict()
    mean_pi |= {(name, "", ""): pi for name, pi in WITHOUT_SUMMARY.items()}
    table.insert(
        3, "mean_π", [mean_pi[setting] for setting in zip(*table[SETTING].to_numpy().T, strict=True)]
    )
    return table


# ---------------------------------------------------------------------------------------- summaries


def spread(summaries: Mapping[str, Summary], by_setting: Mapping[Setting, Floats]) -> pd.DataFrame:
    """Summaries by name under all settings: partitions, and how pi is spread.

    ``by_setting`` from `pi_by_setting`. Columns summary, edges, weight, expression, partitions, largest_π, mean_π: the
    mean over elements, the probability that an element is *not* seen on a visit to another one of its document.
    """
    rows = []
    for setting, pi in by_setting.items():
        summary = summaries[setting[0]]
        mean = float(np.average(pi, weights=summary.extent))
        rows.append((*setting, summary.expression, len(summary), pi.max(), mean))
    return pd.DataFrame(rows, columns=[*SETTING, "expression", "partitions", "largest_π", "mean_π"])


def largest(summary: Summary, pi: Floats, most: int = 15) -> pd.DataFrame:
    """The partitions of a summary that are highest by pi: path, extent, length, π."""
    first = np.argsort(-pi, kind="stable")[:most]
    columns = {"extent": summary.extent[first], "length": summary.length[first], "π": pi[first]}
    return pd.DataFrame({"path": summary.paths(first), **columns})


def tree(summary: Summary, pi: Floats, weight: str, most: int = 24) -> pd.DataFrame:
    """The partitions that are drawn of a summary of label paths: the ``most`` of highest pi and all above.

    Columns partition, path, pi, upper (the partition it lies in, -1 for roots), share (the weight of the
    edge to it, of the heaviest edge's), hidden (partitions in it that are not drawn), in document order.
    """
    upper, lower = summary.pairs("child")
    parent = np.full(len(summary), -1)
    parent[lower] = upper
    wanted: set[int] = set()
    for partition in np.argsort(-pi, kind="stable")[:most].tolist():
        at = partition
        while at >= 0 and at not in wanted:
            wanted.add(at)
            at = int(parent[at])
    shown = np.array(sorted(wanted))
    weights = summary.weight(weight)
    hidden = np.bincount(upper[~np.isin(lower, shown)], minlength=len(summary))
    return pd.DataFrame(
        {
            "partition": shown,
            "path": summary.paths(shown),
            "pi": pi[shown],
            "upper": parent[shown],
            "share": weights[shown] / max(weights[lower].max(initial=0.0), 1.0),
            "hidden": hidden[shown],
        }
    )
