"""Structural relevance: a result counts less if the user has probably seen it already while navigating.

A list ranks *units*: elements, or trees, which are sets of elements of one document. Source: Ali, Kazai, Consens &
Lalmas (CIKM 2008).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, Sentence
from focuseval.files import kept_by_content
from focuseval.measures.curves import at_end, at_ranks, means_up_to
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter, existing_file
from focuseval.measures.navigation import read_columns, read_table, refuse
from focuseval.measures.quantisation import ALL_QUANTISATIONS, quantised
from focuseval.measures.structural_summary import (
    BY_SUMMARY,
    EDGES,
    WEIGHTS,
    Summary,
    parse_expression,
    power_iteration,
    probabilities,
    set_codes,
    summarise,
)
from focuseval.model.arrays import (
    Bools,
    Floats,
    Ints,
    changes,
    divided,
    is_among,
    matches,
    place_in_group,
    ranges,
)
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


def _no_rows() -> Ints:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Browsing:
    """The probability ``p(e; f)`` that a user who visits element f sees element e (Ali et al. 2008, Definition 4.1).

    It is 1 for e = f, and 0 if e and f are in different documents. The probabilities of some pairs are listed. For all
    other pairs, the probability is ``1 - unseen[group[e]]``.

    With a structural summary, the groups are its partitions, and ``unseen`` is their steady-state probability (Eq. 7).
    With a user's table, the pairs of the table are listed, and ``unseen`` is 1.
    """

    group: Ints  #: the group of each element of the collection
    unseen: Floats  #: for each group, the probability that one of its elements is not shown by a visit to another one
    seen: Ints = field(default_factory=_no_rows)  #: row of e in each listed pair, in increasing order
    #: row of f in each listed pair; f is in the document of e
    visited: Ints = field(default_factory=_no_rows)
    probability: Floats = field(default_factory=lambda: np.empty(0))  #: p(e; f) of each listed pair


def read_transitions(file: str, summary: Summary) -> pd.DataFrame:
    """Read transition weights between partitions from a TSV file with the columns source, target, weight.

    The file names partitions by their paths (`Summary.paths`). Weights are non-negative numbers, such as counts or
    probabilities. The returned table has numbers instead of paths. Raises InputError that lists all problems of
    the file.
    """
    frame = read_columns(file, ("source", "target", "weight"), "transitions")
    names = pd.Index(summary.partitions["path"])
    weight = pd.to_numeric(frame["weight"], errors="coerce").to_numpy(dtype=float)
    ends = {name: names.get_indexer(frame[name]) for name in ("source", "target")}
    unknown = f"expected one of the partitions of the summary '{summary.expression}'"
    pair = "the pair from " + frame["source"].map(repr) + " to " + frame["target"].map(repr)
    refuse(
        file,
        *(
            (partitions < 0, "the partition " + frame[name].map(repr) + " is unknown", unknown)
            for name, partitions in ends.items()
        ),
        (
            ~((weight >= 0) & (weight < np.inf)),
            "the weight is " + frame["weight"].map(repr),
            "expected a number of at least 0",
        ),
        (frame.duplicated(["source", "target"]), pair + " occurs twice", "give each pair once"),
    )
    return pd.DataFrame({**ends, "weight": weight})


def read_pairs(file: str, collection: Collection) -> Browsing:
    """Read from a file (`read_table`) the probabilities p(e; f) that a user who visits element f sees element e.

    A line from f to e contains p(e; f). Pairs that are not listed have the probability 0, except p(e; e) = 1. Raises
    InputError for a line with elements of two documents, and for a p(e; e) other than 1.
    """
    reach = read_table(file, collection)
    apart = reach.source != reach.target
    crossing = collection.document_of(reach.source) != collection.document_of(reach.target)
    unseen = ~apart & (reach.probability != 1)
    lines = len(apart)
    refuse(
        file,
        (
            crossing,
            ["the elements are in different documents"] * lines,
            "delete this line, because the probability of such a pair is always 0",
        ),
        (
            unseen,
            ["both elements are the same"] * lines,
            "delete this line, because the probability of such a pair is always 1",
        ),
    )
    pairs = np.flatnonzero(apart)
    order = pairs[np.lexsort((reach.source[pairs], reach.target[pairs]))]
    everywhere = np.zeros(len(collection), dtype=np.int8)
    return Browsing(
        everywhere, np.ones(1), reach.target[order], reach.source[order], reach.probability[order]
    )


_summary = lru_cache(maxsize=8)(summarise)


@kept_by_content
def browsing(
    collection: Collection, *, summary: str, edges: str, weight: str, transitions: str, pairs: str
) -> Browsing:
    """Return, for the settings of a measure, the probabilities that a user who visits one element sees another.

    Raises InputError if a summary needs a more complete collection, or if both ``transitions`` and ``pairs`` are set.
    """
    source = "structural relevance"
    if transitions and pairs:
        found = "transitions and pairs are both given"
        raise InputError.of(source, found, "give only one of the two files")
    if pairs:
        return read_pairs(pairs, collection)
    if not collection.complete:
        remedy = Sentence(GIVE_DOCUMENTS, ", or set pairs=FILE")
        raise InputError.of(source, "a structural summary needs all elements of all documents", remedy)
    partitions = _summary(collection, summary)
    if transitions:
        names = partitions.partitions["path"].tolist()
        return Browsing(
            partitions.partition, power_iteration(read_transitions(transitions, partitions), names)
        )
    return Browsing(partitions.partition, probabilities(partitions, edges, weight))


#: the unit that a list ranks: an element, connected elements of equal rank, or consecutive elements of one article
TREES = ("off", "ranks", "articles")

#: how the nodes of a tree are weighted in its relevance
TREE_RELEVANCE = ("mean", "size", "depth")


@dataclass(frozen=True, eq=False)
class RelevanceBase:
    """The relevant elements of a topic, and the probabilities that a user who visits one element sees another."""

    collection: Collection
    element: Ints  #: sorted rows of the relevant elements
    relevance: Floats  #: rel(e) of each relevant element, in (0, 1]
    browsing: Browsing

    def of(self, rows: Ints) -> Floats:
        """Return the relevance of the element in each row, or 0 if it is not relevant."""
        relevant, place = is_among(rows, self.element)
        return np.where(relevant, self.relevance[place], 0.0)


def prepare(
    topic: Topic,
    *,
    summary: str,
    edges: str,
    weight: str,
    transitions: str,
    pairs: str,
    quantisation: str,
    trees: str,
    relevance: str,
) -> RelevanceBase | None:
    """Return the relevant elements of a topic with the probabilities of `browsing`, or None if none is relevant.

    The relevance of an element is its quantised score divided by the maximum of the quantisation. Raises InputError if
    the settings need a more complete collection.
    """
    score = quantised(topic, quantisation, ALL_QUANTISATIONS) / ALL_QUANTISATIONS[quantisation].maximum
    relevant = score > 0
    if not relevant.any():
        return None
    collection = topic.collection
    if trees != "off" and relevance == "size" and not collection.complete:
        raise InputError.of("relevance=size", "the sizes of elements are unknown", GIVE_DOCUMENTS)
    model = browsing(
        collection, summary=summary, edges=edges, weight=weight, transitions=transitions, pairs=pairs
    )
    return RelevanceBase(collection, topic.element[relevant], score[relevant], model)


def article_clusters(document: Ints) -> Ints:
    """Return, for each result, the index of its cluster. Consecutive results of one document form a cluster.

    A result without a document (-1) is a cluster of its own.
    """
    return np.cumsum(changes(document) | (document < 0)) - 1


def connected_pieces(group: Ints, element: Ints, parent: Ints) -> Ints:
    """Return, for each result, the index of its subtree, in the order of first appearance.

    Two elements of a ``group`` are in one subtree if parent-child edges between elements of the group connect them. A
    result that is not an element (-1) is a subtree of its own.
    """
    size = len(parent) + 1
    resolved = np.flatnonzero(element >= 0)
    keys, inverse = np.unique(group[resolved] * size + element[resolved], return_inverse=True)
    above = parent[keys % size]
    up = np.where(above >= 0, keys - keys % size + above, -1)
    place = np.minimum(np.searchsorted(keys, up), max(len(keys) - 1, 0))
    top = np.where(keys[place] == up, place, np.arange(len(keys)))
    while True:
        higher = top[top]
        if np.array_equal(higher, top):
            break
        top = higher
    piece = -1 - np.arange(len(element))
    piece[resolved] = top[inverse]
    return pd.factorize(piece)[0]


def units(results: ResultList, collection: Collection, trees: str) -> Ints:
    """Return, for each result, the index of its unit, which is the element or tree that the list ranks."""
    if trees == "off":
        return np.arange(len(results))
    if trees == "articles":
        return article_clusters(results.document)
    group = np.cumsum(np.diff(results.rank, prepend=results.rank[:1]) != 0)
    return connected_pieces(group, np.where(results.resolved, results.element, -1), collection.parent)


def _exceptions(unit: Ints, row: Ints, model: Browsing) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of elements e and f for which p(e; f) of `Browsing` is not ``1 - unseen(e)``.

    The three arrays contain the unit of e, the earlier unit of f, and the amount by which p(e; f) is larger. ``unit``
    and ``row`` list the members of units, sorted by row, and then by unit.
    """
    unseen = model.unseen[model.group[row]]
    before = place_in_group(row)
    # Pairs with e = f come first: if an earlier unit also contains e, e has certainly been seen.
    place: Ints = np.arange(len(row))
    e, f = np.repeat(place, before), ranges(before, place - before)
    later, earlier, more = [unit[e]], [unit[f]], [unseen[e]]
    if len(model.seen):
        e, pair = matches(row, model.seen)
        which, f = matches(model.visited[pair], row)
        e, pair = e[which], pair[which]
        earlier_first = unit[f] < unit[e]
        e, f, pair = e[earlier_first], f[earlier_first], pair[earlier_first]
        later, earlier = [*later, unit[e]], [*earlier, unit[f]]
        more = [*more, model.probability[pair] - (1 - unseen[e])]
    return np.concatenate(later), np.concatenate(earlier), np.concatenate(more)


def not_seen(unit: Ints, row: Ints, count: int, document: Ints, model: Browsing) -> Floats:
    """Return, for each unit, the probability that earlier units do not show it: Ali et al. (2008), Eq. 3-5.

    For unit t, this is the product of ``1 - p(t; u)`` over the distinct earlier units u in its document. ``p(t; u)`` is
    the mean of p(e; f) (`Browsing`) over e in t and f in u. A repeated unit and a unit without elements have
    the value 0, and do not count as earlier units.

    ``unit`` and ``row`` list the members of the units, sorted and distinct. ``document`` lists the document of each
    unit.
    """
    size = np.bincount(unit, minlength=count)
    code = set_codes(unit, row, count)
    first = np.full(int(code.max(initial=0)) + 1, count)
    np.minimum.at(first, code, np.arange(count))
    live = (size > 0) & (first[code] == np.arange(count))
    unseen = live[unit]
    unit, row = unit[unseen], row[unseen]
    mean = np.zeros(count)
    mean[live] = np.bincount(unit, model.unseen[model.group[row]], minlength=count)[live] / size[live]

    # Except for `_exceptions`, all earlier units have the same factor: the mean of unseen(e) over the unit's elements.
    earlier = earlier_in_place(document, live)

    by_row = np.argsort(row, kind="stable")
    t_i, t_j, more = _exceptions(unit[by_row], row[by_row], model)
    pairs, inverse = np.unique(t_i * count + t_j, return_inverse=True)
    t_i, t_j = pairs // max(count, 1), pairs % max(count, 1)
    excess = np.bincount(inverse, more, minlength=len(pairs)) / (size[t_i] * size[t_j])
    product = live.astype(float)
    np.multiply.at(product, t_i, np.clip(mean[t_i] - excess, 0.0, 1.0))
    return product * mean ** (earlier - np.bincount(t_i, minlength=count))


def earlier_in_place(place: Ints, new: Bools) -> Ints:
    """Return, for each result, the number of earlier ``new`` results in its document (``place``)."""
    order = np.argsort(place, kind="stable")
    new, opens = new[order], changes(place[order])
    before: Ints = np.cumsum(new) - new
    earlier = np.empty(len(order), dtype=np.int64)
    earlier[order] = before - before[opens][np.cumsum(opens) - 1]
    return earlier


def _weight(collection: Collection, row: Ints, relevance: str) -> Floats:
    """Return the weight with which each element counts in the relevance of its tree."""
    if relevance == "size":
        return collection.size[row].astype(float)
    if relevance == "depth":
        return collection.depth[row] + 1.0
    return np.ones(len(row))


def novel_relevance(relevance: Floats, unseen: Floats, document: Ints, new: Bools) -> Floats:
    """Return structural relevance SR after each result, the sum of ``rel(e) (1 - p(e))^m``.

    Each argument has an entry for each result. rel(e) is its ``relevance``. 1 - p(e) is ``unseen``, the probability
    that a visit to another element does not show e. m is the number of earlier new results in the document of e. A
    repeated element, which is not ``new``, adds 0. SR is at least 0. Source: Ali et al. (2008), Eq. 1 with Eq. 7.
    """
    return np.cumsum(np.where(new, relevance * unseen ** earlier_in_place(document, new), 0.0))


def trace(base: RelevanceBase, results: ResultList, *, trees: str, relevance: str) -> Floats:
    """Return structural relevance after each unit: ``SR = sum_i rel(t_i) (1 - p(t_i; R[t_(i-1)]))``.

    p(t_i; R[t_(i-1)]) is the probability that earlier units show the unit t_i. The relevance rel(t) of a tree is the
    mean over its elements (Eq. 9). Elements can be weighted by size, or by depth, which is 1 for roots. If all weights
    are 0, rel(t) is 0. Source: Ali et al. (2008), Eq. 1.
    """
    collection, model = base.collection, base.browsing
    # This shortcut is faster: if results are elements and no pairs are listed, the factor is pi(e)^m (Eq. 7).
    if trees == "off" and not len(model.seen):
        new = results.resolved & (results.element >= 0) & ~results.repeats
        rel, unseen = np.zeros(len(results)), np.zeros(len(results))
        rel[new] = base.of(results.element[new])
        unseen[new] = model.unseen[model.group[results.element[new]]]
        return novel_relevance(rel, unseen, results.document, new)
    unit = units(results, collection, trees)
    count = int(unit.max(initial=-1)) + 1
    ranks = np.flatnonzero(results.resolved & (results.element >= 0))
    members = np.unique(unit[ranks] * len(collection) + results.element[ranks])
    member, row = members // len(collection), members % len(collection)
    document = np.full(count, -1)
    document[unit[ranks]] = results.document[ranks]

    share = _weight(collection, row, "mean" if trees == "off" else relevance)
    total = np.bincount(member, share, minlength=count)
    worth = np.bincount(member, share * base.of(row), minlength=count)
    relevance_of_tree = divided(worth, total)
    return np.cumsum(relevance_of_tree * not_seen(member, row, count, document, model))


def sr(reached: Floats) -> float:
    """Return structural relevance SR after the last unit (see `trace`).

    It is between 0 and the number of relevant units, and higher is better. Source: Ali et al. (2008), Eq. 1.
    """
    return at_end(reached)


def srp_at(reached: Floats, ranks: Ints, *, divisor: str) -> Floats:
    """Return ``SRP@k`` for each rank k: SR@k divided by k. It is in [0, 1], and higher is better.

    SR@k is the structural relevance of the first k units. If ``divisor`` is "length", SR@k is divided by the length of
    a list that is shorter than k, as in Ali et al. (2008), Section 6.
    """
    looked_at = ranks if divisor == "k" else np.clip(ranks, 1, max(len(reached), 1))
    return at_ranks(reached, ranks) / looked_at


def masr_at(reached: Floats, ranks: Ints) -> Floats:
    """Return, for each rank k, the mean of structural relevance SR over the cut-offs 1 … k.

    It is at least 0, and higher is better.
    """
    return means_up_to(at_ranks(reached, np.arange(1, ranks.max(initial=0) + 1)), ranks)


def masrp_at(reached: Floats, ranks: Ints, *, divisor: str) -> Floats:
    """Return, for each rank k, the mean of SRP (`srp_at`) over the cut-offs 1 … k: Ali et al. (2008), Section 7.1.

    It is in [0, 1], and higher is better.
    """
    return means_up_to(srp_at(reached, np.arange(1, ranks.max(initial=0) + 1), divisor=divisor), ranks)


def _read_summary(text: str, source: str) -> str:
    parse_expression(text, source)
    return text


_PARAMETERS = (
    Parameter(
        "summary",
        "incoming",
        "how elements are partitioned: incoming, incoming-outgoing, children, or a path expression",
        reader=_read_summary,
    ),
    Parameter(
        "edges",
        BY_SUMMARY,
        "which partitions an edge joins. child: of parents and children; descendant: of ancestors and descendants; "
        "by-summary: descendant for p*, child for other summaries",
        choices=(BY_SUMMARY, *EDGES),
    ),
    Parameter(
        "weight",
        "extent",
        "weight of an edge. extent: number of elements in its lower partition; length: size of their own text",
        choices=WEIGHTS,
    ),
    Parameter(
        "transitions",
        "",
        "path of a file of transition weights; it replaces edges and weight",
        reader=existing_file,
    ),
    Parameter(
        "pairs", "", "path of a file of pairwise probabilities; it replaces the summary", reader=existing_file
    ),
    Parameter(
        "quantisation",
        "gen",
        "how exhaustivity and specificity become relevance",
        choices=tuple(ALL_QUANTISATIONS),
    ),
    Parameter(
        "trees",
        "off",
        "what a result is. off: an element; ranks: connected elements at one rank; articles: consecutive elements of "
        "an article",
        choices=TREES,
        tie_choices=("ranks",),
    ),
    Parameter(
        "relevance",
        "mean",
        "weight of each node in a tree's relevance. mean: equal for all; size: its size; depth: its level",
        choices=TREE_RELEVANCE,
    ),
)


_DIVISOR = Parameter(
    "divisor",
    "k",
    "divisor of SR@k. k: always k; length: length of the list, at most k (Section 6 of the paper)",
    choices=("k", "length"),
)


def _measure(
    name: str,
    summary: str,
    at: Callable[..., Floats],
    highest: float,
    value: Callable[[Floats], float] | None = None,
) -> Measure[RelevanceBase, Floats]:
    is_precision = highest == 1
    return Measure(
        name=name,
        summary=summary,
        paper="Ali et al. 2008, Eq. 1-9",
        prepare=prepare,
        trace=trace,
        value=value,
        parameters=(*_PARAMETERS, _DIVISOR) if is_precision else _PARAMETERS,
        cutoffs=(Cutoff(RANK, "elements or trees looked at", at),),
        needs=frozenset({"judgements", "tree", "elements"}),
        bounds=(0.0, highest),
        # SRP has no claims, not even "tail": a result that is added at the end can lower it.
        claims=frozenset() if is_precision else frozenset({"tail"}),
    )


SR = _measure(
    "SR",
    "expected relevance of results that were not seen before; @k: of the first k results",
    at_ranks,
    np.inf,
    sr,
)
SRP = _measure(
    "SRP", "SR@k divided by k or, with divisor=length, by the length of a shorter list", srp_at, 1.0
)
MASR = _measure("MASR", "mean of SR over the cut-offs from 1 to the rank", masr_at, np.inf)
MASRP = _measure("MASRP", "mean of SRP over the cut-offs from 1 to the rank", masrp_at, 1.0)

MEASURES = (SR, SRP, MASR, MASRP)
