"""The systematic perturbations of runs in Ali et al. (2008), Section 7.1.

All results at one rank move together. A measure should order the perturbed versions of a run as in `EXPECTED`.
"""

from collections.abc import Callable, Sequence

import numpy as np

from focuseval.arguments import one_of, read_argument
from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Bools, Ints, changes
from focuseval.model.elements import Collection, with_ancestors
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import FALLS, MEANS, declared
from focuseval.transformations.lists import Relevance, draws, list_of, rank_of, results_at

#: each perturbation with its description
PERTURBATIONS = {
    "i": "relevant results ranked higher",
    "ii": "relevant results ranked lower",
    "iii": "overlap removed",
    "iv": "leaf nodes ranked higher",
    "v": "mid-branch nodes ranked higher",
}

#: the name of the unperturbed version, and the order of versions that the paper expects of a measure, best first
ORIGINAL = "S0"
EXPECTED = ("i", "iii", ORIGINAL, "iv", "v", "ii")


def forest(group: Ints, element: Ints, parent: Ints) -> tuple[Ints, Ints]:
    """Build, for each group of elements, the trees that contain them and their ancestors.

    Returns the node of each element, and the parent of each node. An element of -1 has the node -1, and a root has the
    parent -1.
    """
    size, resolved = len(parent), element >= 0
    own = group * size + element
    keys = with_ancestors(own[resolved], parent)
    node = np.where(resolved, np.searchsorted(keys, own), -1)
    above = parent[keys % size]
    return node, np.where(above >= 0, np.searchsorted(keys, keys - keys % size + above), -1)


def holds(element: Ints, collection: Collection, perturbation: str) -> Bools:
    """Return whether perturbation ``iv`` or ``v`` moves each element up.

    Perturbation ``iv`` moves leaves up, and ``v`` moves elements between the root and the leaves up.
    """
    leaf = collection.last[element] == element + 1
    return leaf if perturbation == "iv" else ~leaf & (collection.parent[element] >= 0)


def perturb(
    results: Results,
    topics: Sequence[Topic],
    perturbation: str,
    *,
    relevant: Callable[[Topic], Bools] = lambda topic: topic.relevant,
    share: float = 1.0,
    seed: int = 0,
) -> Results:
    """Perturb runs by one of the `PERTURBATIONS`.

    Perturbation (iii) removes every element that overlaps an element kept at an earlier rank. All other perturbations
    sort the ranks of each list by the proportion of one kind of elements at the rank: relevant elements in (i) and
    (ii), leaves in (iv), and elements between the root and the leaves in (v). Ranks with the largest proportions come
    first, except in (ii), where they come last. Ranks with equal proportions keep their order.

    ``relevant`` returns which judged elements of a topic count as relevant. Each rank is perturbed with the probability
    ``share``. Other ranks lose no element in (iii), and otherwise have the proportion 0. New ranks count from 1, ties
    are kept, and scores are removed. Raises InputError for an unknown perturbation.
    """
    read_argument("perturbation", perturbation, one_of(PERTURBATIONS))
    collection, element = topics[0].collection, results.element.astype(np.int64)
    unit, list_, resolved = rank_of(results), list_of(results), element >= 0
    is_perturbed = np.ones(len(results), dtype=bool)
    if share < 1:
        is_perturbed = draws(results_at(results, changes(unit)), seed)[unit] < share
    if perturbation == "iii":
        from focuseval.model.overlap import overlapping  # imported only here, because compilation is slow

        node, up = forest(list_, element, collection.parent)
        return results_at(results, ~overlapping(node, unit, up, ~is_perturbed), ranked=True)
    if perturbation in ("i", "ii"):
        size = len(collection)
        keys = [number * size + topic.element[relevant(topic)] for number, topic in enumerate(topics)]
        is_promoted = resolved & np.isin(Relevance(topics).of(results) * size + element, np.concatenate(keys))
    else:
        is_promoted = resolved & holds(np.maximum(element, 0), collection, perturbation)
    proportion = np.bincount(unit, is_promoted & is_perturbed) / np.bincount(unit)
    order = np.lexsort((unit, proportion[unit] if perturbation == "ii" else -proportion[unit], list_))
    return results_at(results, order, ranked=True)


@declared(
    summary="move relevant results up (i) or down (ii), remove overlap (iii), move leaves (iv) or inner nodes (v) up",
    expected=FALLS,
    why="the paper expects the order (i), (iii), unchanged, (iv), (v), (ii), best first",
    trait="perturbation-true",
    source="Ali et al. 2008, Section 7.1",
    parameters=(
        Parameter("version", "ii", "the perturbation", choices=(ORIGINAL, *PERTURBATIONS)),
        Parameter("share", 1.0, "share of ranks that are perturbed", low=0, high=1),
        Parameter("seed", 2008.0, "seed of the random choice"),
    ),
    over=MEANS,
    steps=tuple({"version": version} for version in EXPECTED),
)
def perturbed(
    results: Results, topics: Sequence[Topic], *, version: str, share: float, seed: float
) -> Results:
    """Perturb runs by the perturbation ``version`` (`perturb`). If it is `ORIGINAL`, runs are unchanged."""
    if version == ORIGINAL or share == 0:
        return results
    return perturb(results, topics, version, share=share, seed=int(seed))


sinking = declared(
    name="sinking",
    summary="move relevant results down, more of them at each step",
    expected=FALLS,
    why="the later relevant results come, the less a list is worth",
    trait="order-sensitive",
    source="Ali et al. 2008, Section 7.1, perturbation (ii) at growing strength",
    parameters=perturbed.parameters,
    over=MEANS,
    steps=tuple({"share": share} for share in (0.0, 0.5, 1.0)),
)(perturbed.make)
