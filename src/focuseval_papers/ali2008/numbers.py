"""Computations on a campaign: the studies of accuracy and fidelity in every task, Table 3, repetition in runs.

The study of accuracy asks whether SRP orders systems as nxCG does, and what the structural summary has to do with it;
that of fidelity, whether SRP puts perturbed runs in the expected order: its arrays have the six versions of L lists in
the order that the paper expects (`EXPECTED`), best first.

The perturbations of Section 7.1 leave nothing to chance where they take hold of all ranks. Where they take hold of a
share of them, a draw says of which (`focuseval.transformations.perturbations.perturb`, ``share`` and ``seed``). Here
all draws of a set of runs are made at once, and only the first ranks of each perturbed list are scored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import AfterValidator, Field

from focuseval.measures import structural, xcg
from focuseval.measures.declaration import Measure
from focuseval.measures.quantisation import QUANTISATIONS, quantised
from focuseval.measures.structural import article_clusters, earlier_in_place
from focuseval.measures.structural_summary import EDGES, NAMED, WEIGHTS, Summary, all_probabilities, summarise
from focuseval.model.arrays import Bools, Floats, Ints, changes
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, place_in_list
from focuseval.report.parts import Analysis
from focuseval.report.tables import p_value
from focuseval.statistics.correlations import Correlation, pearson, spearman
from focuseval.statistics.means import column_means, means_by
from focuseval.statistics.significance import difference, mean_intervals
from focuseval.transformations.lists import generator
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, forest, holds
from focuseval_papers.publication.claims import (
    Words,
    facts,
    means_over,
    named,
    repeated,
    rows_of,
    stacked,
)
from focuseval_papers.publication.correlations import estimates_of
from focuseval_papers.publication.estimates import Quantity, Sample, pearson_of
from focuseval_papers.publication.paper import Context, Material, of_module
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.runsets import runs_for
from focuseval_papers.workflow.settings import OneOf, Positive, Seed, Settings, rising

#: measures of systems in the study: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: divisors of SRP@k: the length of the list, as in Section 6, and k
DIVISORS = "length", "k"

#: SRP without a summary: all results count in full, or the first result of each document only
PRECISION = "precision (π = 1)"
WITHOUT_SUMMARY = {PRECISION: 1.0, "first result of a document (π = 0)": 0.0}

#: a summary, its edges and their weight
Setting = tuple[str, str, str]
SETTING = ["summary", "edges", "weight"]


#: number of best systems for which rho is shown separately
BEST = 10

#: columns of `accuracy`
OF_ACCURACY = [
    "part", "cutoff", "statistic", "coefficient", "p_value", "systems",
    "best_ten", "nxCG_from", "nxCG_to", "moved",
]  # fmt: skip


def accuracy(scores: pd.DataFrame, orders: Mapping[int, Correlation] | None = None) -> pd.DataFrame:
    """Test whether SRP orders systems as nxCG does: Table 3, A and B.

    ``scores`` has the columns run, cutoff, structural, reference: the means over topics of the two measures
    at each cut-off, for every run. Returns part, cutoff, statistic, coefficient, p_value, systems: *overall*,
    Spearman's rho of the two columns at one cut-off; *relative*, Pearson's r of the changes of a system's
    rank from the cut-off before (not defined at the first one). Two-tailed p-values; NaN where a column is
    constant. Beside rho are that of the `BEST` systems under the reference (best_ten), and its lowest and highest mean;
    beside r how many systems change rank under both (moved).
    ``orders`` are Spearman's rho by cut-off, as far as they are known.
    """
    scores = scores.sort_values(["cutoff", "run"])
    changes = rank_changes(scores, ["structural", "reference"])
    orders = orders or {}
    rows = []
    for cutoff, at in scores.groupby("cutoff"):
        systems, reference = len(at), at["reference"]
        order = orders.get(int(cutoff)) or spearman(at["structural"], reference)
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
    """Return changes of the rank of each run under some columns from one cut-off to the next; NaN at the first one.

    ``scores`` has the columns run and cutoff, and is sorted by cut-off.
    """
    ranks = scores.groupby("cutoff")[list(columns)].rank(ascending=False)
    return ranks - ranks.groupby(scores["run"]).shift()


def coefficient_of(p_value: float, n: int) -> float:
    """Return the positive coefficient of n pairs with this two-tailed p-value: r = t / sqrt(n - 2 + t²)."""
    from scipy import special

    t = -float(special.stdtrit(n - 2, p_value / 2))
    return t / float(np.sqrt(n - 2 + t * t))


def readings(mean: pd.DataFrame, estimates: pd.DataFrame) -> pd.DataFrame:
    """`accuracy` of every task, structural measure and reference, from means over topics.

    ``mean`` has the columns task, label, cutoff, run, value; ``estimates`` are the correlations of the campaign
    (`correlates`). Adds the columns task, structural, reference, reading;
    the paper's reading (the first of each) comes first.
    """
    tables = []
    known = {
        (row.group.removesuffix(" runs"), row.a, row.b): Correlation(row.value, row.p_value)
        for row in estimates.itertuples()
    }
    for task, part in mean.groupby("task", sort=False):
        wide = part.pivot(index=["run", "cutoff"], columns="label", values="value").reset_index()
        for measure, reference in product(STRUCTURAL, REFERENCE):
            pair = wide.rename(columns={measure: "structural", reference: "reference"})
            of = {"task": task, "structural": measure, "reference": reference}
            orders = {
                k: known[task, LABEL.format(measure, k), LABEL.format(reference, k)]
                for k in pair["cutoff"].unique()
                if (task, LABEL.format(measure, k), LABEL.format(reference, k)) in known
            }
            found = accuracy(pair[["run", "cutoff", "structural", "reference"]], orders)
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

    An element that is returned a second time is not relevant; a list that is shorter than a rank is divided by its
    length. Columns run, cutoff, value.
    """
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    again = pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    place, deepest = place_in_list(results.run, results.topic), max(cutoffs)
    shown = ~again & (place < deepest)
    worth = np.zeros((len(results.runs) * len(results.topics), deepest))
    worth[number[shown], place[shown]] = relevance_of(results, topics, quantisation)[shown]
    rank = np.arange(1, deepest + 1)
    length = np.bincount(number, minlength=len(worth))
    mean = np.cumsum(np.cumsum(worth, axis=1) / np.clip(rank, 1, length[:, None]), axis=1) / rank
    of_runs = mean.reshape(len(results.runs), len(results.topics), deepest).sum(axis=1)
    of_runs /= relevant_topics(topics, quantisation)
    return pd.concat(
        pd.DataFrame({"run": results.runs.astype(str), "cutoff": k, "value": of_runs[:, k - 1]})
        for k in cutoffs
    )


def relevant_topics(topics: Sequence[Topic], quantisation: str) -> int:
    """Count the topics with anything relevant; the others are left out of means."""
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
    7), and so g / j to SRP at each rank j from i on: ``MASRP@k = 1/k sum_(i <= k) g_i (1/i + … + 1/k)``; beyond the end
    of a list j stays its length. What is sorted and counted is the same for all settings. ``by_setting`` from
    `pi_by_setting`; `WITHOUT_SUMMARY` stands behind. Columns summary, edges, weight, cutoff, run, value.
    """
    relevance = relevance_of(results, topics, quantisation)
    number = results.run.astype(np.int64) * len(results.topics) + results.topic
    known = results.element >= 0
    new = known & ~pd.MultiIndex.from_arrays([number, results.element]).duplicated()
    document = np.where(known, results.document, -1) + 1
    earlier = earlier_in_place(number * (int(document.max(initial=0)) + 1) + document, new)
    place = place_in_list(results.run, results.topic)
    counted = np.flatnonzero(new & (relevance > 0) & (place < max(cutoffs)))
    length = np.bincount(number)[number[counted]]
    run, place, earlier = results.run[counted], place[counted], earlier[counted]
    element, relevance = results.element[counted], relevance[counted]
    of = {name: summary.partition[element] for name, summary in summaries.items()}
    gains = {key: relevance * pi[of[key[0]]] ** earlier for key, pi in by_setting.items()}
    gains |= {(name, "", ""): relevance * pi**earlier for name, pi in WITHOUT_SUMMARY.items()}
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, max(cutoffs) + 1))])
    topics_with_relevant = relevant_topics(topics, quantisation)
    names = results.runs.astype(str)
    tables = []
    for k in cutoffs:
        last = np.minimum(length, k)
        weight = harmonic[last] - harmonic[np.minimum(place, last)] + (k - last) / length
        weight = np.where(place < k, weight, 0.0) / (k * topics_with_relevant)
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


#: lists perturbed at once, and columns of each unit
AT_ONCE, UNIT_COLUMNS = 256, ("document", "element", "relevance", "unseen")


@dataclass(frozen=True, eq=False)
class Units:
    """The units at the ranks of L lists, U in all: elements, or the clusters of an article."""

    lists: pd.DataFrame  #: run, topic (names), length (units) of each list
    row: Ints  #: (U,) list of each unit, sorted
    document: Ints  #: (U,) -1 for what is no element
    element: Ints  #: (U,) -1 for what is no element; each cluster has a number of its own
    relevance: Floats  #: (U,) rel(t)
    unseen: Floats  #: (U,) 1 - p(t; s) for other units s of the document
    share: Mapping[str, Floats]  #: (U,) of each unit, what a perturbation that sorts puts first
    parent: Ints | None  #: parents of the elements in the collection; None for units that do not overlap

    def batches(self) -> Iterator[tuple[slice, "Units"]]:
        """Yield the lists, `AT_ONCE` at a time, with their units: small arrays stay in the processor's cache."""
        ends = np.append(np.arange(0, len(self.lists), AT_ONCE), len(self.lists))
        for lists, units in zip(pairwise(ends), pairwise(np.searchsorted(self.row, ends)), strict=True):
            of, part = slice(*lists), slice(*units)
            columns = {name: getattr(self, name)[part] for name in UNIT_COLUMNS}
            share = {name: values[part] for name, values in self.share.items()}
            row = self.row[part] - of.start
            yield of, replace(self, lists=self.lists[of], row=row, share=share, **columns)

    def matrix(self, values: Any, padding: float) -> Any:
        """Return (L, W) the values (U,) of each list's units; ``padding`` fills the space after its end."""
        length = self.lists["length"].to_numpy()
        filled = np.full((len(length), int(length.max())), padding, dtype=values.dtype)
        filled[np.arange(filled.shape[1]) < length[:, None]] = values
        return filled


def units_of(
    results: Results, topics: Sequence[Topic], unseen: Floats, quantisation: str, clusters: bool
) -> Units | None:
    """The units of some runs; ``unseen`` (N,) is 1 - p(e; f) of each element of the collection.

    None for clusters of which two are of one document, or hold elements that overlap: such runs break the rules of
    Relevant in Context, and what one cluster leaves of another is not a matter of its document alone.
    """
    collection = topics[0].collection
    element = np.where(results.start >= 0, results.element, -1).astype(np.int64)
    opens = changes(results.run, results.topic)
    row, begins = np.cumsum(opens) - 1, np.flatnonzero(opens)
    run, topic = results.runs[results.run[begins]], results.topics[results.topic[begins]]
    known = element >= 0
    relevance = relevance_of(results, topics, quantisation)
    share = {"i": (relevance > 0).astype(float)}
    share |= {name: (known & holds(element, collection, name)).astype(float) for name in ("iv", "v")}
    document = np.where(known, results.document, -1).astype(np.int64)
    if clusters:
        unit = article_clusters(np.where(known, row * len(collection.names) + document, -1))
        first = np.flatnonzero(changes(unit))
        size = np.diff(first, append=len(unit))
        again = pd.MultiIndex.from_arrays([row[first], document[first]]).duplicated() & (document[first] >= 0)
        if again.any() or _dropped(*forest(row, element, collection.parent), np.ones(len(row), bool)).any():
            return None
        relevance = np.bincount(unit, relevance) / size
        share = {name: np.bincount(unit, value) / size for name, value in share.items()}
        row, document = row[first], document[first]
        element = np.where(document >= 0, np.arange(len(first)), -1)
    length = np.bincount(row, minlength=len(begins))
    lists = pd.DataFrame({"run": run.astype(str), "topic": topic.astype(str), "length": length})
    parent = None if clusters else collection.parent
    of_units = np.ones(len(row)) if clusters else unseen[element]
    return Units(lists, row, document, element, relevance, of_units, share, parent)


def _dropped(node: Ints, up: Ints, drawn: Bools) -> Bools:
    """Return the results that (iii) drops among those of a draw; nodes and their parents from `forest`."""
    from focuseval.model.overlap import overlapping  # compiled: slow to import

    dropped: Bools = overlapping(node, np.arange(len(node)), up, ~drawn)
    return dropped


def _drawn(units: Units, share: float, draws: int, seed: int) -> Bools:
    """(D, U) whether a draw takes hold of a unit. Every list has its own random numbers."""
    return np.concatenate(
        [
            generator(seed, run, topic).random((draws, length)) < share
            for run, topic, length in units.lists.itertuples(index=False)
        ],
        axis=1,
    )


def _sorted_by(units: Units) -> dict[str, Ints]:
    """(U,) by perturbation, keys that sort the units of each list as it does; 0 leaves a unit where it is.

    Small whole numbers, which NumPy sorts in no time.
    """
    keys = {}
    for name, share in units.share.items():
        levels, key = np.unique(share, return_inverse=True)
        key = (key + (levels[0] > 0)).astype(np.int8 if len(levels) < 126 else np.int16)
        keys[name] = -key
        if name == "i":
            keys["ii"] = key
    return keys


def _earlier(code: Ints, counted: Bools) -> Ints:
    """Count (L, K) earlier counted units of the same code in each list."""
    width = code.shape[1]  # code and place as one number sort faster than codes alone
    code, order = np.divmod(np.sort((code + 1) * width + np.arange(width), axis=1), width)
    counted = np.take_along_axis(counted, order, 1)
    before: Ints = np.cumsum(counted, axis=1) - counted
    opens = np.diff(code, axis=1, prepend=-1) != 0
    base = np.maximum.accumulate(np.where(opens, before, 0), axis=1)
    earlier: Ints = np.empty_like(before)
    np.put_along_axis(earlier, order, before - base, 1)
    return earlier


def perturbed(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[str, int, Floats]]:
    """Version, draw (from 1; 0 for the lists as they are) and SRP (L, C) of every list at each cut-off, rising."""
    ranks, length = np.array(cutoffs), units.lists["length"].to_numpy()
    columns = (
        units.matrix(units.document, -1),
        units.matrix(units.element, -1),
        units.matrix(units.relevance, 0.0),
        units.matrix(units.unseen, 1.0),
    )

    def score(key: Ints, kept: Ints) -> Floats:
        """Return SRP of the lists with their units sorted by keys (U,), cut after the kept ones."""
        padding = np.iinfo(key.dtype).max
        first = np.argsort(units.matrix(key, padding), axis=1, kind="stable")[:, : ranks[-1]]
        document, element, relevance, unseen = (np.take_along_axis(column, first, 1) for column in columns)
        new = (np.arange(first.shape[1]) < kept[:, None]) & (element >= 0)
        new &= _earlier(element, new) == 0
        gain, counted = np.zeros(new.shape), new & (relevance > 0)
        gain[counted] = relevance[counted] * unseen[counted] ** _earlier(document, new)[counted]
        reached = np.cumsum(gain, axis=1)
        looked_at = np.clip(ranks, 1, np.maximum(kept, 1)[:, None])
        found: Floats = reached[:, np.minimum(ranks, reached.shape[1]) - 1] / looked_at
        return found

    keys = _sorted_by(units)
    overlaps = None if units.parent is None else forest(units.row, units.element, units.parent)
    original = score(np.zeros(len(units.row), dtype=np.int8), length)
    yield ORIGINAL, 0, original
    for draw, drawn in enumerate(_drawn(units, share, draws, seed), start=1):
        for name, key in keys.items():
            yield name, draw, score(key * drawn, length)
        if overlaps is None:
            yield "iii", draw, original
        else:
            dropped = _dropped(*overlaps, drawn)
            yield (
                "iii",
                draw,
                score(
                    dropped.astype(np.int8), length - np.bincount(units.row[dropped], minlength=len(length))
                ),
            )


#: differences up to this are rounding
ROUNDING = 1e-12

#: the versions between the best and the worst one, which alone would make a correlation
MIDDLE = slice(1, -1)

#: pairs of which the first should be no worse: neighbours in the expected order, and each version next to the original
PAIRS = tuple(
    dict.fromkeys(
        [
            *pairwise(EXPECTED),
            *((version, ORIGINAL) for version in EXPECTED[: EXPECTED.index(ORIGINAL)]),
            *((ORIGINAL, version) for version in EXPECTED[EXPECTED.index(ORIGINAL) + 1 :]),
        ]
    )
)

#: task, cut-off, and what is studied there: SRP by run and topic (rows) and version, or of the draws
Studied = tuple[str, int, Any]

#: the frames of both studies, by task and cut-off
FRAMES = {
    "fidelity": ["level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"],
    "steps": ["step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%", "holds_%"],
    "by_topic": ["topic", *EXPECTED],
    "versions": list(EXPECTED),
    "by_draw": ["draw", "coefficient", "middle", "as_expected", *EXPECTED],
}


def version(name: str) -> str:
    """Return the name of a version: S0, (i)."""
    return name if name == ORIGINAL else f"({name})"


def observed_orders(values: Floats) -> Floats:
    """(L, V) ranks among the versions of each list, 1 for the highest value of SRP (L, V).

    Values that agree to twelve decimals are equal, and share their mean rank.
    """
    rounded = np.round(values, 12)
    one, other = rounded[:, :, None], rounded[:, None, :]
    ranks: Floats = (other > one).sum(axis=2) + ((other == one).sum(axis=2) + 1) / 2
    return ranks


def agreement(orders: Floats) -> Correlation:
    """Spearman's rho of the expected and the `observed_orders` of all versions of all lists (L, V), pooled."""
    lists, versions = orders.shape
    return spearman(np.tile(np.arange(versions), lists), orders.ravel())


def as_expected(values: Floats) -> Bools:
    """(L,) whether SRP never rises along the expected order."""
    return np.asarray((np.diff(values, axis=1) <= ROUNDING).all(axis=1))


def fidelity(wide: pd.DataFrame) -> pd.DataFrame:
    """Test whether SRP puts perturbed runs in the expected order: Figure 6 and Table 3, C.

    ``wide`` has an index of run and topic, and SRP of the versions (`EXPECTED`) as columns, at one cut-off. Spearman's
    rho between expected and observed ranks, pooled over all runs and topics, over the runs of each topic (Figure 6),
    and over the topics of each run. Returns level (overall, topic, run), name, coefficient, p_value (two-tailed),
    middle and middle_p (the same of the middle four versions alone), lists (pairs of run and topic), as_expected (the
    share of lists whose values never rise along the expected order).
    """
    values = wide[list(EXPECTED)].to_numpy(float)
    whole, middle, expected = observed_orders(values), observed_orders(values[:, MIDDLE]), as_expected(values)
    groups: list[tuple[str, str, Any]] = [("overall", "all", slice(None))]
    for level in ("topic", "run"):
        groups += [(level, str(name), of) for name, of in wide.groupby(level=level).indices.items()]
    rows = []
    for level, name, of in groups:
        rhos = [agreement(orders[of]) for orders in (whole, middle)]
        numbers = [number for rho in rhos for number in (rho.coefficient, rho.p_value)]
        rows.append((level, name, *numbers, len(expected[of]), float(expected[of].mean())))
    return pd.DataFrame(rows, columns=FRAMES["fidelity"])


def topics_in_order(of_divisors: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the numbers of Figure 6, by the divisor of SRP.

    From `fidelity` of every task and cut-off. Columns task, cutoff, divisor, coefficient (of all lists), topics,
    not_in_order (topics whose rho is not positive with p < 0.05).
    """
    table = pd.concat([frame.assign(divisor=name) for name, frame in of_divisors.items()])
    keys, of_topics = ["task", "cutoff", "divisor"], table[table["level"] == "topic"]
    in_order = (of_topics["coefficient"] > 0) & (of_topics["p_value"] < 0.05)
    counts = (~in_order).groupby([of_topics[key] for key in keys]).agg(["size", "sum"])
    counts = counts.rename(columns={"size": "topics", "sum": "not_in_order"})
    overall = table.loc[table["level"] == "overall", [*keys, "coefficient"]]
    return overall.join(counts, on=keys).sort_values(["task", "cutoff"], kind="stable", ignore_index=True)


def fidelity_steps(wide: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order by itself: means of both sides, and in how many lists it holds, in per cent.

    ``wide`` as for `fidelity`. Columns step, mean_better, mean_worse (over runs and topics), and the shares of lists
    where the first side is higher, equal, lower, and where it holds (higher or equal).
    """
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        shares = (gain > ROUNDING).mean(), (gain.abs() <= ROUNDING).mean(), (gain < -ROUNDING).mean()
        step = f"{version(better)} ≥ {version(worse)}"
        in_percent = [100 * float(share) for share in (*shares, sum(shares[:2]))]
        rows.append((step, wide[better].mean(), wide[worse].mean(), *in_percent))
    return pd.DataFrame(rows, columns=FRAMES["steps"])


def gains(by_topic: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """Mean differences of versions (`PAIRS`) over topics, with their intervals.

    ``by_topic`` from both studies, with the column perturbed. Columns task, cutoff, perturbed, difference, mean, low,
    high: the 95 % interval over topics (`mean_intervals`).
    """
    keys = ["perturbed", "task", "cutoff"]
    tables = []
    for key, part in by_topic.groupby(keys, sort=False):
        better, worse = (part[list(side)].to_numpy(float) for side in zip(*PAIRS, strict=True))
        gain = difference(worse, better)
        low, high = mean_intervals(gain, resamples=resamples, seed=seed)
        columns = {"mean": column_means(gain), "low": low, "high": high}
        names = [f"{version(better)} − {version(worse)}" for better, worse in PAIRS]
        tables.append(
            pd.DataFrame({"difference": names, **columns}).assign(**dict(zip(keys, key, strict=True)))
        )
    return stacked(tables, ["task", "cutoff", "perturbed", "difference", "mean", "low", "high"])


def by_topic(wide: pd.DataFrame) -> pd.DataFrame:
    """A column for each version: mean SRP over runs."""
    return wide.groupby(level="topic")[list(EXPECTED)].mean().reset_index()


def by_draw(values: Floats) -> pd.DataFrame:
    """Return, by draw (D, L, V), coefficient, middle and as_expected as in `fidelity`, and mean SRP by version."""
    rows = [
        (
            draw,
            *(agreement(observed_orders(of)).coefficient for of in (one, one[:, MIDDLE])),
            *(as_expected(one).mean(), *one.mean(axis=0)),
        )
        for draw, one in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=FRAMES["by_draw"])


def perturbed_in_part(
    units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[tuple[int, Floats]]:
    """Every cut-off, and (D, L, V) SRP of the lists there, perturbed in part in many draws."""
    values = np.empty((draws, len(units.lists), len(EXPECTED), len(cutoffs)))
    for lists, batch in units.batches():
        for name, draw, reached in perturbed(batch, cutoffs, share=share, draws=draws, seed=seed):
            values[slice(None) if draw == 0 else draw - 1, lists, EXPECTED.index(name)] = reached
    return zip(cutoffs, np.moveaxis(values, -1, 0), strict=True)


def together(studied: Sequence[Studied], name: str, study: Callable[[Any], pd.DataFrame]) -> pd.DataFrame:
    """A study (one of `FRAMES`) of all tasks and cut-offs, with the columns task and cutoff."""
    tables = [study(of).assign(task=task, cutoff=cutoff) for task, cutoff, of in studied]
    return stacked(tables, ["task", "cutoff", *FRAMES[name]])


#: the paper's tasks, by the names of `focuseval.measures.rules`
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"
HEADINGS = {THOROUGH: "Thorough", FOCUSED: "Focused", IN_CONTEXT: "Relevant in Context"}

#: tasks of INEX 2005 in their place; runs of Fetch and Browse are grouped by article
_OF_INEX_2005 = {THOROUGH: "CO.Thorough", FOCUSED: "CO.Focussed", IN_CONTEXT: "CO.FetchBrowse"}

#: the tasks of the two studies
ACCURACY, FIDELITY = (THOROUGH, FOCUSED), (THOROUGH, IN_CONTEXT)

#: units at a rank: elements, or the clusters of an article (Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: columns that are not in Table 3
NOT_PRINTED = "not printed"

#: the parts of Table 3 by task and part of a study, in its order
PARTS = {
    (THOROUGH, "overall"): "A",
    (FOCUSED, "overall"): "B overall",
    (FOCUSED, "relative"): "B relative",
    (IN_CONTEXT, "fidelity"): "C",
    (THOROUGH, "relative"): NOT_PRINTED,
    (THOROUGH, "fidelity"): NOT_PRINTED,
}

#: pairs that the printed p-values are of: 26 systems, and the six versions of 10 runs on 104 topics
PRINTED_N = {"A": 26, "B overall": 26, "B relative": 26, "C": 6 * 10 * 104}

#: perturbations of runs: all ranks, or a share of them in many draws
IN_FULL, IN_PART = "in full", "in part"

#: runs perturbed in part are looked at up to here: what chance does further down changes nothing
DEEPEST = 100

#: orders of runs perturbed in full and in part
ORDERS = {
    "coefficient": "ρ of all six",
    "middle": "ρ of the middle four",
    "as_expected": "lists as expected",
}


# ---------------------------------------------------------------------------------------- what is set and asked

#: ranks that are examined in each task
_CUTOFFS = {THOROUGH: [10, 100, 500, 1000], FOCUSED: [5, 10, 25, 50], IN_CONTEXT: [10, 20, 50, 100]}

#: numbers of runs and topics in the paper: Thorough and Focused of INEX 2006, Relevant in Context of INEX 2007
_RUNS = {THOROUGH: 26, FOCUSED: 26, IN_CONTEXT: 10}
_TOPICS = {THOROUGH: 114, FOCUSED: 114, IN_CONTEXT: 104}

_Task = Annotated[str, OneOf(HEADINGS)]
_Ranks = Annotated[
    list[Positive],
    AfterValidator(rising),
    Field(min_length=2, description="a list of two ranks or more, rising"),
]


class AliSettings(Settings):
    """Ali, Kazai, Consens & Lalmas (2008): how SRP is set, and where runs are looked at."""

    summary: str = Field(
        default="incoming",
        min_length=1,
        description="a structural summary: incoming, incoming-outgoing, children, or a path expression",
    )
    edges: Annotated[str, OneOf(EDGES)] = Field(
        default="descendant", description="which partitions are joined"
    )
    weight: Annotated[str, OneOf(WEIGHTS)] = Field(default="extent", description="what an edge weighs")
    quantisation: Annotated[str, OneOf(("gen", "strict", "genLifted"))] = Field(
        default="gen", description="what elements are worth"
    )
    cutoffs: Annotated[dict[_Task, _Ranks], AfterValidator(lambda given: _CUTOFFS | given)] = Field(
        default=_CUTOFFS, description="lists of ranks, rising, for {thorough, focused, relevant-in-context}"
    )
    runs: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _RUNS | given)] = Field(
        default=_RUNS, description="whole numbers of runs of a campaign that is made here, by task"
    )
    share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="the share of the ranks that is perturbed in part, above 0 and up to 1",
    )
    draws: Positive = 20
    seed: Seed = 2008
    topics: Annotated[dict[_Task, Positive], AfterValidator(lambda given: _TOPICS | given)] = Field(
        default=_TOPICS, description="whole numbers of topics of a campaign that is made here, by task"
    )


def tasks_of(campaign: CampaignSettings) -> list[str]:
    """The paper's tasks that a campaign has."""
    return [task for task in HEADINGS if runs_for(campaign, task)]


def asked_of(settings: AliSettings, task: str) -> dict[str, object]:
    """Return how a task is scored: runs and topics as in the paper, cut-offs, and the elements of one rank."""
    return {
        "task": task,
        "runs": settings.runs[task],
        "topics": settings.topics[task],
        "cutoffs": settings.cutoffs[task],
        "deepest": max(settings.cutoffs[task]),
        "trees": TREES.get(task),
        "clusters": TREES.get(task) == "articles",
        "in_context": task == IN_CONTEXT,
    }


#: names of columns of correlations: the measure at a cut-off
LABEL = "{}@{}"

#: the correlations of Table 3 A among those of the campaign
CORRELATED = "structural-relevance"


def words(context: Context) -> Words:
    """The tasks of the campaign, which studies it has, and the cut-offs that claims are on."""
    settings, tasks = context.settings, tasks_of(context.campaign)
    accuracy, fidelity = ([task for task in tasks if task in of] for of in (ACCURACY, FIDELITY))
    cutoffs = settings.cutoffs
    thorough, focused = cutoffs[THOROUGH], cutoffs[FOCUSED]
    return {
        "tasks": ", ".join(HEADINGS[task] for task in tasks),
        "accuracy": [asked_of(settings, task) for task in accuracy],
        "fidelity": [asked_of(settings, task) for task in fidelity],
        "of_accuracy": bool(accuracy),
        "of_fidelity": bool(fidelity),
        "divisors": DIVISORS,
        "srp": f"summary={settings.summary},edges={settings.edges},weight={settings.weight}",
        "thorough": thorough,
        "low": thorough[:-1],
        "focused": focused,
        "later": focused[1:],
        "last": focused[-1],
        "shared": sorted(set(thorough) & set(focused)),
        "in_context": cutoffs[IN_CONTEXT],
    }


# ---------------------------------------------------------------------------------------- frames


def analyse(material: Material) -> Analysis:
    """Both studies in every task, Table 3, what the runs repeat, and the campaign's structural summaries."""
    settings = material.context.settings
    tasks = tasks_of(material.context.campaign)
    results = {task: material.results(material.runs[task]) for task in tasks}
    summaries = {name: summarise(material.collection, name) for name in (*NAMED, settings.summary)}
    pi = pi_by_setting(summaries)
    spreads = spread(summaries, pi)
    chosen = settings.summary, settings.edges, settings.weight
    mean, by_setting = system_means(material, tasks, results, summaries, pi)
    unredundant = rows_of(by_setting, summary=PRECISION).assign(label=PRECISION)
    estimates = material.correlations(CORRELATED)
    accuracies = readings(mean, estimates)
    of_versions = faithful(material, tasks, results, pi[chosen][summaries[settings.summary].partition])
    details = correlations(accuracies, of_versions["fidelity"], material.printed["ali2008_table3"])
    repeats = pd.concat(
        [
            repeated(of, None if task == IN_CONTEXT else max(settings.cutoffs[task])).assign(task=task)
            for task, of in results.items()
        ]
    )
    known = {
        "means": pd.concat([mean, unredundant[mean.columns]], ignore_index=True),
        "estimates": estimates,
        "accuracy": accuracies,
        "table3": grid(details),
        "correlations": details,
        "ranks": ranks_of_systems(mean),
        "settings": every_setting(in_words(mean), in_words(by_setting), chosen, spreads),
        **of_versions,
        "repeated_by_run": repeats,
        "repeated": repeated_table(repeats),
        "summaries": spreads,
        "partitions": largest(summaries[settings.summary], pi[chosen]),
        "graph": tree(
            summaries["incoming"], pi["incoming", settings.edges, settings.weight], settings.weight
        ),
    }
    return {name: in_words(frame) for name, frame in known.items()}


def labelled(material: Material, name: str, measures: Iterable[Measure]) -> pd.DataFrame:
    """The scores of a set of runs, by labels without the cut-off."""
    scores = material.labelled(name, measures)
    return scores.assign(label=scores["label"].str.rpartition("@")[0])


def system_means(
    material: Material,
    tasks: Sequence[str],
    results: Mapping[str, Results],
    summaries: Mapping[str, Summary],
    pi: Mapping[Setting, Floats],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Means over topics of the study of accuracy: columns task, label, cutoff, run, value; and by settings of SRP."""
    settings, keys = material.context.settings, ["label", "cutoff", "run"]
    means, others = [], []
    for task in (task for task in ACCURACY if task in tasks):
        cutoffs = settings.cutoffs[task]
        scores = labelled(material, task, (*structural.MEASURES, *xcg.MEASURES))
        mean = means_by(scores.astype({"cutoff": int}), keys).sort_values(keys, ignore_index=True)
        topics, quantisation = material.topics(material.runs[task]), settings.quantisation
        other = masrp_by_setting(results[task], topics, summaries, pi, quantisation, cutoffs)
        precision = graded_precision(results[task], topics, quantisation, cutoffs).assign(label="precision")
        means += [mean.assign(task=task), precision.assign(task=task)]
        others.append(other.assign(task=task))
    return (
        stacked(means, ["task", *keys, "value"]),
        stacked(others, ["task", *SETTING, "cutoff", "run", "value"]),
    )


def faithful(
    material: Material, tasks: Sequence[str], results: Mapping[str, Results], unseen: Floats
) -> dict[str, pd.DataFrame]:
    """The frames of the studies of fidelity, of runs perturbed in full and in part; ``unseen`` as of `units_of`."""
    settings, drawn = material.context.settings, material.context.findings
    of_draws = {"share": settings.share, "draws": settings.draws, "seed": settings.seed}
    by_divisor: dict[str, list[Studied]] = {divisor: [] for divisor in DIVISORS}
    full = by_divisor[DIVISORS[0]]
    part: list[Studied] = []
    means: list[Studied] = []  # means of the draws
    for task in (task for task in FIDELITY if task in tasks):
        scores = labelled(material, f"{task} perturbed", structural.MEASURES)
        scores[["version", "run"]] = scores["run"].str.split("/", n=1, expand=True).to_numpy()
        for (divisor, cutoff), of in scores.astype({"cutoff": int}).groupby(["label", "cutoff"]):
            wide = of.pivot(index=["run", "topic"], columns="version", values="value")
            by_divisor[divisor].append((task, cutoff, wide))
        topics, clusters = material.topics(material.runs[task]), TREES[task] == "articles"
        units = units_of(results[task], topics, unseen, settings.quantisation, clusters)
        cutoffs = settings.cutoffs[task]
        if units is not None:
            near = [k for k in cutoffs if k <= DEEPEST] or cutoffs[:1]
            found = list(perturbed_in_part(units, near, **of_draws))
            part += [(task, cutoff, of) for cutoff, of in found]
            lists = pd.MultiIndex.from_frame(units.lists[["run", "topic"]])
            means += [(task, k, pd.DataFrame(of.mean(axis=0), lists, list(EXPECTED))) for k, of in found]
    of_divisors = {name: together(studied, "fidelity", fidelity) for name, studied in by_divisor.items()}
    orders, written = of_divisors[DIVISORS[0]], {name: version(name) for name in EXPECTED}
    versions = together(full, "versions", lambda wide: wide.mean().to_frame().T)
    draws = together(part, "by_draw", by_draw)
    of_topics = pd.concat(
        [
            together(studied, "by_topic", by_topic).assign(perturbed=perturbed)
            for perturbed, studied in ((IN_FULL, full), (IN_PART, means))
        ]
    )
    return {
        "fidelity": orders,
        "steps": together(full, "steps", fidelity_steps),
        "versions": versions.rename(columns=written),
        "by_topic": of_topics,
        "gains": gains(of_topics, drawn.resamples, drawn.seed),
        "divisors": topics_in_order(of_divisors),
        "orders": beside_draws(rows_of(orders, level="overall"), draws, ORDERS, "number", "left"),
        "draws": beside_draws(versions, draws, written, "version", "right"),
    }


def in_words(table: pd.DataFrame) -> pd.DataFrame:
    """A table with the paper's names of tasks, if it has tasks."""
    return table.assign(task=table["task"].map(HEADINGS)) if "task" in table else table


def repeated_table(repeats: pd.DataFrame) -> pd.DataFrame:
    """Return the repetition in runs (`repeated` by task), over all runs: numbers of results, and shares in per cent."""
    by_task = repeats.groupby("task", sort=False)
    total = by_task[["results", "overlapping", "same_document"]].sum()
    counts = {
        "runs": by_task["run"].nunique(),
        "topics": by_task["topics"].max(),
        "results": total["results"],
    }
    shares = {f"{name}_%": 100 * total[name] / total["results"] for name in ("overlapping", "same_document")}
    return pd.DataFrame({**counts, **shares}).reset_index()


def correlations(accuracies: pd.DataFrame, fidelities: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of Table 3 and their basis, a row per part and cut-off.

    ``accuracies`` from `readings`, of which the paper's reading is taken. Columns part, task, study, cutoff,
    statistic, coefficient, p_value, printed (p), printed_coefficient (of that p among as many systems or ranks as the
    paper has), lists (the number of systems, or of pairs of run and topic), best_ten, nxCG_from, nxCG_to, moved
    (`accuracy`), middle_ρ (of the middle four versions), as_expected_%.
    """
    paper = rows_of(accuracies, structural=STRUCTURAL[0], reference=REFERENCE[0])
    both = [
        paper.rename(columns={"systems": "lists"}),
        rows_of(fidelities, level="overall").assign(part="fidelity", statistic="spearman"),
    ]
    table = pd.concat(both, ignore_index=True).rename(columns={"part": "study", "middle": "middle_ρ"})
    place = pd.MultiIndex.from_tuples(PARTS).get_indexer(pd.MultiIndex.from_frame(table[["task", "study"]]))
    table["part"] = np.array(list(PARTS.values()), dtype=object)[place]
    known = printed.rename(columns={"p_value": "printed"})[["part", "cutoff", "printed"]]
    known["printed_coefficient"] = [
        coefficient_of(p, PRINTED_N[part]) if p else np.nan
        for part, p in zip(known["part"], known["printed"], strict=True)
    ]
    share = 100 * table["as_expected"].astype(float)
    table = table.assign(place=place, **{"as_expected_%": share}).merge(
        known, how="left", on=["part", "cutoff"]
    )
    table = table.sort_values(["place", "cutoff"], kind="stable", ignore_index=True)
    return table[
        [
            "part", "task", "study", "cutoff", "statistic", "coefficient", "p_value",
            "printed", "printed_coefficient", "lists", "best_ten", "nxCG_from", "nxCG_to", "moved",
            "middle_ρ", "as_expected_%",
        ]
    ]  # fmt: skip


def grid(details: pd.DataFrame) -> pd.DataFrame:
    """Arrange `correlations` as Table 3 is: its parts below each other, cut-offs next to each other.

    Columns part, numbers (k, printed p, p here, coefficient here), and texts by place of the cut-off.
    """
    rows = []
    for part, of in details[details["part"] != NOT_PRINTED].groupby("part", sort=False):
        numbers = {
            "k": of["cutoff"].map(str),
            "p, printed": of["printed"].map("{:.3g}".format),
            "p": of["p_value"].map(p_value),
            "coefficient": of["coefficient"].map("{:.3f}".format),
        }
        rows += [(part, name, *texts.replace("nan", "")) for name, texts in numbers.items()]
    places = range(1, max(map(len, rows), default=2) - 1)
    return pd.DataFrame(rows, columns=["part", "numbers", *map(str, places)]).fillna("")


def ranks_of_systems(mean: pd.DataFrame) -> pd.DataFrame:
    """The ranks of systems under SRP (x) and nxCG (y), by the paper's reading: columns panel, run, x, y."""
    wide = mean.pivot(index=["task", "cutoff", "run"], columns="label", values="value")
    wide = wide.loc[list(dict.fromkeys(mean["task"]))]
    ranks = wide.groupby(level=["task", "cutoff"]).rank(ascending=False).reset_index()
    panel = ranks["task"].map(HEADINGS) + ", k = " + ranks["cutoff"].map(str)
    sides = {"x": ranks[STRUCTURAL[0]], "y": ranks[REFERENCE[0]]}
    return pd.DataFrame({"panel": panel, "run": ranks["run"], **sides})


def beside_draws(
    full: pd.DataFrame, by_draw: pd.DataFrame, names: Mapping[str, str], column: str, how: str
) -> pd.DataFrame:
    """Numbers of runs perturbed in full and in part: a row per task, cut-off and name of a number.

    Columns full, and of the draws in part in_part (their mean), lowest and highest. ``how`` says whose rows there are.
    """

    def long(table: pd.DataFrame) -> pd.Series:
        return (
            table.set_index(["task", "cutoff"])[list(names)].astype(float).rename_axis(columns=column).stack()
        )

    drawn = long(by_draw).groupby(level=[0, 1, 2], sort=False).agg(["mean", "min", "max"])
    table = pd.DataFrame({"full": long(full)}).join(drawn, how=how)
    table = table.rename(columns={"mean": "in_part", "min": "lowest", "max": "highest"})
    table = table.reset_index()
    return table.assign(**{column: table[column].map(names)})


# ---------------------------------------------------------------------------------------- quantities


def quantities(analysis: Analysis, context: Context) -> dict[str, Quantity]:
    """Return the quantities of the findings.

    Runs perturbed in full end at the highest cut-off: there the versions that are sorted hold the same results, and
    nothing is looked at.
    """
    focused = rows_of(analysis["repeated_by_run"], task=HEADINGS[FOCUSED])
    agreement = _agreement(analysis["means"], estimates_of(analysis["estimates"]), context)
    known = {**_p_values(analysis), **agreement}
    for (task, perturbed), part in analysis["by_topic"].groupby(["task", "perturbed"]):
        if perturbed == IN_FULL:
            part = part[part["cutoff"] < part["cutoff"].max()]
        gained = pd.concat(
            [part.assign(better=version(a), worse=version(b), value=part[a] - part[b]) for a, b in PAIRS]
        )
        keys = ["task", "perturbed", "better", "worse", "cutoff"]
        known |= means_over(_sample(context, task, "topics", part["topic"]), gained, "gain", keys)
        known[named("nothing_reached", task, perturbed, version(EXPECTED[-1]))] = float(
            not part[EXPECTED[-1]].any()
        )
    if len(focused):
        total = float(focused["results"].sum())
        known |= {of: float(focused[of].sum()) / total for of in ("overlapping", "same_document")}
    return known


def _sample(context: Context, task: str, over: str, members: pd.Series) -> Sample:
    """Systems or topics of a task."""
    key = {heading: key for key, heading in HEADINGS.items()}[task]
    return context.sample(f"{key} {over}", sorted(set(members)), over)


def _p_values(analysis: Analysis) -> dict[str, Quantity]:
    """The p-values of the studies of fidelity: of all lists, with their number, and the highest of any topic.

    A p-value is 1 where the correlation is not positive: it then says nothing for the claim.
    """
    table = analysis["fidelity"]
    positive = (table["coefficient"] > 0) | table["p_value"].isna()
    table = table.assign(p_value=table["p_value"].where(positive, 1.0))
    overall, keys = rows_of(table, level="overall"), ["task", "cutoff"]
    of_topics = rows_of(table, level="topic").groupby(keys)["p_value"].agg(["max", "size"]).reset_index()
    return {
        **facts(overall, "p", keys, "p_value"),
        **facts(overall, "lists", keys, "lists"),
        **facts(of_topics, "highest_p", keys, "max"),
        **facts(of_topics, "topics", keys, "size"),
    }


def _agreement(
    means: pd.DataFrame, orders: Mapping[tuple[str, str, str], Quantity], context: Context
) -> dict[str, Quantity]:
    """Correlations over systems with nxCG: of SRP, and of changes of ranks.

    And the largest difference of SRP without redundancy from precision.
    """
    known: dict[str, Quantity] = {}
    for task, of_task in means.groupby("task", sort=False):
        wide = of_task.pivot(index=["cutoff", "run"], columns="label", values="value")
        changes = rank_changes(wide.reset_index(), [STRUCTURAL[0], REFERENCE[0]]).set_index(wide.index)
        runs = _sample(context, task, "runs", of_task["run"])
        for k in wide.index.unique("cutoff"):
            label, reference = STRUCTURAL[0], REFERENCE[0]
            pair = LABEL.format(label, k), LABEL.format(reference, k)
            known[named("rho", task, label, k)] = orders[runs.name, *pair]
            if not (change := changes.loc[k]).isna().any(axis=None):
                known[named("change", task, k)] = runs.estimate(pearson_of(*change.to_numpy().T))
        known[named("precision_gap", task)] = float((wide[PRECISION] - wide["precision"]).abs().max())
    return known


def in_print(tables: Mapping[str, pd.DataFrame]) -> dict[str, Quantity]:
    """Return the quantities of the findings that are printed (Table 3).

    The text reads every low p-value as agreement, so the coefficients behind them are positive.
    """
    known: dict[str, Quantity] = {}
    of_part = {part: HEADINGS[task] for (task, _), part in PARTS.items()}
    for row in tables["ali2008_table3"].itertuples():
        p, task, n = float(row.p_value), of_part[row.part], PRINTED_N[row.part]
        if row.part == "C":
            known[named("p", task, row.cutoff)] = p
        elif row.part == "B relative":  # the 0 printed at the first cut-off is no value
            known |= {named("change", task, row.cutoff): coefficient_of(p, n)} if p else {}
        else:
            known[named("rho", task, STRUCTURAL[0], row.cutoff)] = coefficient_of(p, n)
    return known


PAPER = of_module(__name__, AliSettings)
