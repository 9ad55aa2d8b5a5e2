"""Systematic perturbations of runs: Ali et al. (2008), Section 7.1.

A run is a table of results with rows of a collection; what stands at one rank (an element, or a tree of
tied elements) moves as a whole. The measure under study should put the perturbed runs in the order
`EXPECTED`.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem, check_known
from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Bools, Floats, Ints, changes
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import COLUMNS, Results
from focuseval.transformations.declaration import FALLS, MEANS, declared
from focuseval.transformations.lists import generator, with_ancestors

#: the perturbations, and what each does
PERTURBATIONS = {
    "i": "relevant results ranked higher",
    "ii": "relevant results ranked lower",
    "iii": "overlap removed",
    "iv": "leaf nodes ranked higher",
    "v": "mid-branch nodes ranked higher",
}

#: the run as it is, and the order in which a faithful measure puts the six, best first
ORIGINAL = "S0"
EXPECTED = ("i", "iii", ORIGINAL, "iv", "v", "ii")

_LIST = ["run", "topic"]


def forest(group: Ints, element: Ints, parent: Ints) -> tuple[Ints, Ints]:
    """The elements of each group with their ancestors: (K,) node of each element, and each node's parent."""
    size, known = len(parent), element >= 0
    keys = with_ancestors(group[known], element[known], parent)
    node = np.where(known, np.searchsorted(keys, group * size + element), -1)
    above = parent[keys % size]
    return node, np.where(above >= 0, np.searchsorted(keys, keys - keys % size + above), -1)


def holds(element: Ints, collection: Collection, perturbation: str) -> Bools:
    """(K,) whether each element is what (iv) or (v) puts first: a leaf; or neither root nor leaf."""
    leaf = collection.last[element] == element + 1
    return leaf if perturbation == "iv" else ~leaf & (collection.parent[element] >= 0)


def _drawn(results: pd.DataFrame, unit: Ints, share: float, seed: int) -> Bools:
    """(K,) whether each result's unit is among the share that is perturbed.

    Every list has random numbers of its own, from the seed and the names of its run and topic: they do not
    depend on what else is in the table.
    """
    if share == 1:
        return np.ones(len(results), dtype=bool)
    draws = np.zeros(int(unit.max(initial=-1)) + 1)
    for (run, topic), rows in results.groupby(_LIST, sort=False, observed=True).indices.items():
        own = np.unique(unit[rows])
        draws[own] = generator(seed, str(run), str(topic)).random(len(own))
    return draws[unit] < share


def _first(unit: Ints, share: Floats) -> Ints:
    """Order of the results (by unit, then as they stood) with the units of the highest share first."""
    mean = np.bincount(unit, share) / np.bincount(unit)
    return np.lexsort((unit, -mean[unit]))


def _wanted(
    results: pd.DataFrame, collection: Collection, perturbation: str, relevant: pd.DataFrame
) -> Bools:
    """(K,) whether each result is what a perturbation puts first, or last in (ii)."""
    element = results["element"].to_numpy(dtype=np.int64)
    known, safe = element >= 0, np.maximum(element, 0)
    if perturbation not in ("i", "ii"):
        return known & holds(safe, collection, perturbation)
    topic = pd.factorize(pd.concat([results["topic"], relevant["topic"]]))[0] * len(collection)
    pairs = topic[: len(results)] + safe
    return known & np.isin(pairs, topic[len(results) :] + relevant["element"].to_numpy())


def perturb(
    results: pd.DataFrame,
    collection: Collection,
    perturbation: str,
    relevant: pd.DataFrame,
    *,
    share: float = 1.0,
    seed: int = 0,
) -> pd.DataFrame:
    """A run, perturbed in one way of `PERTURBATIONS`.

    ``results`` has the columns run, topic, rank and element (a row of the collection, -1 for what is no
    element), and any others; ``relevant`` has topic and element, the relevant elements of each topic.

    (i), (ii), (iv) and (v) are stable sorts of each list: the ranks with the largest share of relevant, leaf
    (no children) or mid-branch elements (neither root nor leaf) come first, or last in (ii). (iii) walks down
    each list and removes every element that is, holds or lies in one that was kept at an earlier rank.

    Only a ``share`` of the ranks, drawn by ``seed``, is perturbed: the others count as having nothing that
    would move them, and lose nothing. Returns the table with the same columns, sorted by run, topic and
    rank, ranks numbered anew from 1 with ties kept, and ``score`` NaN, if there is one: the system's own
    scores do not belong to the new order. Raises InputError for an unknown perturbation or a share outside
    0..1.
    """
    check_known("perturbation", perturbation, PERTURBATIONS)
    if not 0 <= share <= 1:
        raise InputError(Problem("perturbation", "", f"share {share:g}", "expected a number from 0 to 1"))
    if len(results) == 0:
        return results.copy()
    results = results.sort_values([*_LIST, "rank"], kind="stable", ignore_index=True)
    lists = results.groupby(_LIST, sort=False, observed=True).ngroup().to_numpy()
    rank = results["rank"].to_numpy()
    unit = np.cumsum(changes(lists, rank)) - 1
    element = results["element"].to_numpy(dtype=np.int64)
    drawn = _drawn(results, unit, share, seed)

    if perturbation == "iii":
        from focuseval.model.overlap import overlapping  # compiled: slow to import

        node, up = forest(lists, element, collection.parent)
        order: Ints = np.flatnonzero(~overlapping(node, unit, up, ~drawn))
    else:
        wanted = _wanted(results, collection, perturbation, relevant)
        sign = -1.0 if perturbation == "ii" else 1.0
        order = _first(unit, sign * (wanted & drawn))
        order = order[np.argsort(lists[order], kind="stable")]

    perturbed = results.iloc[order].reset_index(drop=True)
    lists, unit = lists[order], unit[order]
    number = np.cumsum(changes(unit))
    first = np.flatnonzero(changes(lists))
    perturbed["rank"] = number - np.repeat(number[first] - 1, np.diff(first, append=len(lists)))
    if "score" in perturbed:
        perturbed["score"] = np.nan
    return perturbed


def table_of(results: Results) -> pd.DataFrame:
    """Results as `perturb` takes them: their `COLUMNS`."""
    return pd.DataFrame({name: getattr(results, name) for name in COLUMNS})


def as_table(results: Results, table: pd.DataFrame) -> Results:
    """Results of the same runs and topics as a table has them."""
    return Results(results.runs, results.topics, *(table[name].to_numpy() for name in COLUMNS))


def relevant_of(
    results: Results, topics: Sequence[Topic], relevant: Callable[[Topic], Bools]
) -> pd.DataFrame:
    """The judged elements that are ``relevant``, as `perturb` takes them, of the topics that the results have."""
    number = {str(name): i for i, name in enumerate(results.topics)}
    return pd.concat(
        [
            pd.DataFrame({"topic": number[topic.name], "element": topic.element[relevant(topic)]})
            for topic in topics
            if topic.name in number
        ]
    )


@declared(
    summary="the six versions of a run: relevant results up or down, overlap removed, leaves or middle nodes first",
    expected=FALLS,
    why="the order (i), (iii), as it is, (iv), (v), (ii), best first, which the paper expects",
    trait="perturbation-true",
    source="Ali et al. 2008, Section 7.1",
    parameters=(
        Parameter("version", "ii", "the perturbation", choices=(ORIGINAL, *PERTURBATIONS)),
        Parameter("share", 1.0, "of the ranks that are perturbed", low=0, high=1),
        Parameter("seed", 2008.0, "of what is drawn"),
    ),
    over=MEANS,
    steps=tuple({"version": version} for version in EXPECTED),
)
def perturbed(
    results: Results, topics: Sequence[Topic], *, version: str, share: float, seed: float
) -> Results:
    """The runs perturbed in one way (`focuseval.transformations.perturbations`), or as they are."""
    if version == ORIGINAL or share == 0:
        return results
    relevant = relevant_of(results, topics, lambda topic: topic.relevant)
    collection = topics[0].collection
    made = perturb(table_of(results), collection, version, relevant, share=share, seed=int(seed))
    return as_table(results, made)


sinking = declared(
    name="sinking",
    summary="relevant results ranked lower, more of them at each step",
    expected=FALLS,
    why="the later relevant results come, the less a list is worth",
    trait="order-sensitive",
    source="Ali et al. 2008, Section 7.1, perturbation (ii) at growing strength",
    parameters=perturbed.parameters,
    over=MEANS,
    steps=tuple({"share": share} for share in (0.0, 0.5, 1.0)),
)(perturbed.make)
