"""Less of a list, or the same in other reading units: the first results, whole documents, leaves, larger elements."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from focuseval.measures.declaration import RANK, Parameter, Spec, Value
from focuseval.model.arrays import Ints, ranges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import REPORTED, SAME, declared
from focuseval.transformations.lists import as_elements, list_of, places, taken


def _of_cut(spec: Spec[Any, Any], values: Mapping[str, Value]) -> str:
    ranked = spec.behind is not None and spec.behind.kind is RANK
    of_articles = spec.behind is not None and spec.behind.summary == "article rank"
    within = ranked and not of_articles and spec.cutoff is not None and spec.cutoff <= float(values["k"])
    return SAME if within else REPORTED


@declared(
    summary="the first k results of every list",
    expected=SAME,
    why="a measure at a rank up to k reads no further; of others it is reported what they lose",
    trait="cut-off-true",
    source="docs/measures.md: lists are cut before anything else",
    parameters=(Parameter("k", 10.0, "how many", low=1, high=10**6),),
    expects=_of_cut,
)
def cut(results: Results, topics: Sequence[Topic], *, k: float) -> Results:
    """The first k results of every list."""
    return taken(results, places(results) < int(k))


@declared(
    summary="the first result of each document alone",
    expected=REPORTED,
    why="how much is read of a document beyond its first result",
    trait="reads-on",
    source="Ali et al. 2008, Eq. 7",
)
def first_of_document(results: Results, topics: Sequence[Topic]) -> Results:
    """The first result of each document in every list."""
    return taken(results, _first_of(results, results.document), ranked=True)


@declared(
    summary="every result as its whole document",
    expected=REPORTED,
    why="how much focus counts",
    trait="focus",
    source="Kamps et al. 2007: article retrieval as a baseline",
)
def documents(results: Results, topics: Sequence[Topic]) -> Results:
    """Every result as its whole document, which stands once in a list."""
    collection = topics[0].collection
    first = _first_of(results, results.document)
    document = results.document[first]
    root = np.where(document >= 0, collection.root(np.maximum(document, 0)), -1)
    return as_elements(results, collection, first, root)


@declared(
    summary="every element as the leaves in it",
    expected=REPORTED,
    why="how much the size of results counts",
    trait="focus",
    source="Piwowarski & Dupret 2006: small elements",
    parameters=(Parameter("size", 1500.0, "results of a list at most", low=1, high=10**6),),
)
def leaves(results: Results, topics: Sequence[Topic], *, size: float) -> Results:
    """Every element as the leaves in it that hold text, in their order; lists end where they have so many results."""
    collection = topics[0].collection
    row = np.arange(len(collection))
    leaf = np.flatnonzero((collection.last == row + 1) & (collection.size > 0))
    element = np.maximum(results.element, 0)
    low = np.searchsorted(leaf, element)
    count = np.searchsorted(leaf, collection.last[element]) - low
    inside = (results.element >= 0) & (count > 0)
    count = np.where(inside, count, 1)
    sofar = np.cumsum(count) - count
    sofar -= sofar[places(results) == 0][list_of(results)]
    count = np.clip(int(size) - sofar, 0, count)
    source = np.repeat(np.arange(len(results)), count)
    made = np.full(len(source), -1)
    made[inside[source]] = leaf[ranges(count, low)[inside[source]]]
    return as_elements(results, collection, source, made)


@declared(
    summary="every element as a larger one, some levels above it: paragraph, section, article",
    expected=REPORTED,
    why="which reading unit a measure prefers",
    trait="reading-unit",
    source="the unit of reading, grown",
    parameters=(Parameter("levels", 1.0, "how many levels above it", low=1, high=100),),
)
def wider(results: Results, topics: Sequence[Topic], *, levels: float) -> Results:
    """Every element as its ancestor so many levels above it, its document's root at most; each stands once."""
    parent = topics[0].collection.parent
    element = results.element.copy()
    for _ in range(int(levels)):
        row = np.flatnonzero(element >= 0)
        above = parent[element[row]]
        if not (above >= 0).any():
            break
        element[row] = np.where(above >= 0, above, element[row])
    kept = _first_of(results, element)
    return as_elements(results, topics[0].collection, kept, element[kept])


def _first_of(results: Results, what: Ints) -> Ints:
    """The rows of the first result of each list with each value; all rows with a value below 0."""
    known = np.flatnonzero(what >= 0)
    keys = list_of(results)[known] * (int(what.max(initial=0)) + 1) + what[known]
    _, place = np.unique(keys, return_index=True)
    return np.sort(np.concatenate([np.flatnonzero(what < 0), known[place]]))


TRANSFORMATIONS = (cut, first_of_document, documents, leaves, wider)
