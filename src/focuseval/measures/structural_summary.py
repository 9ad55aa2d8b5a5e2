"""Structural summaries: partitions of a collection's elements by their context.

A summary is a graph (Ali et al. 2008, Section 5.2). Its nodes are partitions. Its edges join partitions that contain
nested elements. With weights on its edges, it is a Markov chain of user navigation. `focuseval.measures.structural`
uses the steady-state probabilities of this chain.

A *path expression* defines the partitions by terms that are joined by ``|``. Two elements are in one partition if all
their terms have equal values. These are the terms and their values:

========  ===============================================================================
``p*``    the tag names on the path from the root to the element
``p``     the tag names of the element and its parent; with ``p2``, ``p3`` ..., also of further ancestors
``p0``    the tag name of the element
``c``     the set of the tag names of the element's children
``c2``    like ``c``, with the set of each child's own children's tag names; ``c3`` ... go deeper
``pc*``   the path from the root, where each step has its tag name and the set of its children's tag names
========  ===============================================================================
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem, extra
from focuseval.model.arrays import Floats, Ints, changes, distinct
from focuseval.model.elements import Collection

#: maps the names of common path expressions to the expressions
NAMED = {"incoming": "p*", "incoming-outgoing": "p*|c", "children": "c"}

#: whether edges join the partitions of parents and children, or of ancestors and descendants
EDGES = ("child", "descendant")

#: chooses "descendant" for ``p*`` (the paper's Table 1), and "child" for other summaries (Table 2)
BY_SUMMARY = "by-summary"

#: the weight of an edge: the number of elements in its lower partition, or the length of their own text
WEIGHTS = ("extent", "length")

_TERM = re.compile(r"p\*|pc\*|p(?:[0-9]{1,2})?|c(?:[1-9][0-9]?)?")


def parse_expression(text: str, source: str = "summary") -> tuple[str, ...]:
    """Split a path expression, or the name of one, into its terms. Raises InputError for invalid text."""
    terms = tuple(NAMED.get(text, text).replace(" ", "").split("|"))
    if not all(_TERM.fullmatch(term) for term in terms):
        choices = f"one of {', '.join(NAMED)}, or terms such as p*, p, p2, c, c2 and pc*, joined by |"
        raise InputError.of(source, f"the summary is {text!r}", f"expected {choices}")
    return terms


@dataclass(frozen=True, eq=False)
class Summary:
    """A structural summary, which divides the elements of a collection into partitions.

    Partitions are numbered in the order of their first elements in the documents.
    """

    collection: Collection
    expression: str
    partition: Ints  #: number of each element's partition
    first: Ints  #: row of the first element of each partition

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def extent(self) -> Ints:
        """The number of elements in each partition."""
        return np.bincount(self.partition, minlength=len(self))

    @cached_property
    def length(self) -> Ints:
        """The size of the text in the elements of each partition, without the text of their children."""
        return np.bincount(self.partition, self.collection.own_text, minlength=len(self)).astype(np.int64)

    def weight(self, kind: str) -> Floats:
        """Return the weight of an edge that leads down to each partition: its ``extent`` or its ``length``."""
        return (self.extent if kind == "extent" else self.length).astype(float)

    def paths(self, partitions: Ints) -> list[str]:
        """Describe each of these partitions by its path, such as ``/article/sec|{p,title}``."""
        terms = self.expression.split("|")
        return [
            "|".join(_term_text(self.collection, term, row) for term in terms)
            for row in self.first[partitions].tolist()
        ]

    @cached_property
    def partitions(self) -> pd.DataFrame:
        """A table with a row for each partition, and the columns path, extent and length."""
        path = pd.Series(self.paths(np.arange(len(self))), dtype=object)
        return pd.DataFrame({"path": path, "extent": self.extent, "length": self.length})

    @cached_property
    def _tree(self) -> tuple[Ints, Ints]:
        """The distinct paths of partitions from roots to elements, in two arrays.

        For each path, the first array contains the number of the path without its last partition, or -1 for a root. The
        second array contains the last partition.
        """
        return _label_paths(self.collection, self.partition)[1:]

    def pairs(self, edges: str) -> tuple[Ints, Ints]:
        """Return the distinct pairs of an upper and a lower partition that edges join, as two arrays.

        Pairs are sorted. Edges join the partitions of parents and children ("child"), or of ancestors and descendants
        ("descendant"). `BY_SUMMARY` means "descendant" for the expression ``p*``, and "child" for all others.
        """
        if edges == BY_SUMMARY:
            edges = "descendant" if self.expression == "p*" else "child"
        above, last = self._tree
        lower = np.flatnonzero(above >= 0)
        upper = above[lower]
        numbers = [last[upper] * len(self) + last[lower]]
        while edges == "descendant" and len(lower):
            higher = above[upper] >= 0
            lower, upper = lower[higher], above[upper[higher]]
            numbers.append(last[upper] * len(self) + last[lower])
        return np.divmod(distinct(np.concatenate(numbers)), len(self))


def set_codes(owner: Ints, item: Ints, owners: int) -> Ints:
    """Return a code for each owner's set of items.

    Equal sets have equal codes, and the empty set has the code 0. ``owner`` and ``item`` form distinct and sorted
    pairs. Items are at least 0.
    """
    code = np.zeros(owners, dtype=np.int64)
    next_code = 1
    while len(owner):
        # In each step, neighbouring items of an owner are joined, and each distinct pair becomes one item. A set is
        # done if one item is left, or if no other set begins with its first item.
        opens = np.flatnonzero(changes(owner))
        counts = np.diff(opens, append=len(owner))
        begins, distinct = pd.factorize(item[opens])
        done = (counts == 1) | (np.bincount(begins, minlength=len(distinct))[begins] == 1)
        code[owner[opens[done]]] = next_code + begins[done]
        next_code += len(distinct)
        if done.all():
            break
        first = np.flatnonzero((np.arange(len(owner)) - np.repeat(opens, counts)) % 2 == 0)
        first = first[~np.repeat(done, (counts + 1) // 2)]
        follows = np.append(owner[1:] == owner[:-1], False)[first]
        second = np.where(follows, item[np.minimum(first + 1, len(item) - 1)], -1)
        item = pd.factorize(item[first] * (int(item.max()) + 2) + second + 1)[0]
        owner = owner[first]
    return code


def _paired(first: Ints, second: Ints) -> Ints:
    """Return a code for each pair of codes.

    Equal pairs have equal codes. The codes in pairs are at least -1.
    """
    return pd.factorize((first + 1) * (int(second.max(initial=0)) + 2) + second + 1)[0]


def _child_sets(collection: Collection, label: Ints) -> Ints:
    """Return, for each element, a code for the set of its children's labels."""
    inner = np.flatnonzero(collection.parent >= 0)
    width = int(label.max(initial=0)) + 1
    pairs = np.sort(pd.unique(collection.parent[inner].astype(np.int64) * width + label[inner]))
    return set_codes(pairs // width, pairs % width, len(collection))


def _label_paths(collection: Collection, label: Ints) -> tuple[Ints, Ints, Ints]:
    """Return a code for the path of labels from the root to each element, and two arrays over these codes.

    For each code, the first array contains the code of the path without its last label, or -1 for a root. The second
    array contains the last label.
    """
    code = np.zeros(len(collection), dtype=np.int64)
    above: list[Ints] = [np.empty(0, dtype=np.int64)]
    ends: list[Ints] = [np.empty(0, dtype=np.int64)]
    width = int(label.max(initial=0)) + 1
    # NumPy sorts 16-bit integers by radix, which is faster than sorting longer integers.
    by_depth = np.argsort(collection.depth.astype(np.int16), kind="stable")
    bounds = np.cumsum(np.bincount(collection.depth, minlength=1))
    next_label = 0
    for level, end in enumerate(bounds):
        rows = by_depth[bounds[level - 1] if level else 0 : end]
        outer = code[collection.parent[rows]] if level else np.full(len(rows), -1)
        new, distinct = pd.factorize((outer + 1) * width + label[rows])
        code[rows] = next_label + new
        above.append(distinct // width - 1)
        ends.append(distinct % width)
        next_label += len(distinct)
    return code, np.concatenate(above), np.concatenate(ends)


def _term_codes(collection: Collection, term: str) -> Ints:
    """Return a code for each element. Elements that agree in a term of a path expression have equal codes."""
    tag: Ints = collection.tag.astype(np.int64)
    if term == "p*":
        return _label_paths(collection, tag)[0]
    if term == "pc*":
        return _label_paths(collection, _paired(tag, _child_sets(collection, tag)))[0]
    steps = int(term[1:] or 1)
    if term.startswith("p"):
        names, parent = tag, collection.parent
        for _ in range(steps):
            names = _paired(np.where(parent >= 0, names[parent], -1), tag)
        return names
    children = _child_sets(collection, tag)
    for _ in range(1, steps):
        children = _child_sets(collection, _paired(tag, children))
    return children


def _child_text(collection: Collection, row: int, steps: int) -> str:
    """Describe the children of an element: ``{p,title}``, or, with more than one step, ``{sec{p,title}}``."""
    children = collection.children(row)
    inside = {
        str(collection.tags[collection.tag[child]])
        + (_child_text(collection, child, steps - 1) if steps > 1 else "")
        for child in children
    }
    return f"{{{','.join(sorted(inside))}}}"


def _term_text(collection: Collection, term: str, row: int) -> str:
    """Describe an element by one term of a path expression, such as ``//sec/p`` or ``{p,title}``."""
    if term.startswith("c"):
        return _child_text(collection, row, int(term[1:] or 1))
    path = [row, *collection.ancestors(row)]
    suffix = path if term.endswith("*") else path[: int(term[1:] or 1) + 1]
    anchor = "/" if len(suffix) == len(path) and term != "p0" else "//"
    steps = [str(collection.tags[collection.tag[r]]) for r in reversed(suffix)]
    if term == "pc*":
        steps = [s + _child_text(collection, r, 1) for s, r in zip(steps, reversed(suffix), strict=True)]
    return anchor + "/".join(steps)


def summarise(collection: Collection, expression: str = "incoming") -> Summary:
    """Return the structural summary of a collection.

    ``expression`` is a path expression or a name in `NAMED`. Raises InputError for an invalid expression.
    """
    terms = parse_expression(expression)
    code = _term_codes(collection, terms[0])
    for term in terms[1:]:
        code = _paired(code, _term_codes(collection, term))
    partition, codes = pd.factorize(code)
    first = np.empty(len(codes), dtype=np.int64)
    first[partition[::-1]] = np.arange(len(partition) - 1, -1, -1)
    return Summary(collection, "|".join(terms), partition, first)


def weighted_edges(summary: Summary, edges: str = BY_SUMMARY, weight: str = "extent") -> pd.DataFrame:
    """Return a table of the edges of a summary, in both directions. The columns are ``source``, ``target``, ``weight``.

    The weight of an edge is the extent or the length of its lower partition. If an edge leads down from each of two
    partitions to the other, the weights are added. A partition has at most one edge to itself.
    """
    upper, lower = summary.pairs(edges)
    down = pd.DataFrame({"source": upper, "target": lower, "weight": summary.weight(weight)[lower]})
    up = down[down["source"] != down["target"]].rename(columns={"source": "target", "target": "source"})
    return pd.concat([down, up]).groupby(["source", "target"])["weight"].sum().reset_index()


def steady_state(edges: pd.DataFrame, count: int) -> Floats:
    """Return the share of time that a user spends in each of ``count`` partitions.

    It is ``pi(e) = sum_f w(e, f) / sum_f sum_g w(f, g)``, where w(e, f) is the weight of the edge from e to f. If
    weights are symmetric, this is the stationary distribution of a time-reversible chain: Ali et al. (2008), Eq. 8. The
    shares add up to 1. Without weights, the shares are equal.
    """
    weight = np.bincount(edges["source"], edges["weight"].to_numpy(float), minlength=count).astype(float)
    total = weight.sum()
    return weight / total if total > 0 else np.full(count, 1 / max(count, 1))


def probabilities(summary: Summary, edges: str = BY_SUMMARY, weight: str = "extent") -> Floats:
    """Return the steady-state probability of each partition, computed by `steady_state` from `weighted_edges`."""
    return steady_state(weighted_edges(summary, edges, weight), len(summary))


def all_probabilities(summary: Summary) -> dict[tuple[str, str], Floats]:
    """Return the `probabilities` of a summary for every choice of edges and weight."""
    return {(edges, weight): probabilities(summary, edges, weight) for edges in EDGES for weight in WEIGHTS}


#: shift of the matrix in power iteration
SHIFT = 1e-9
#: power iteration stops when the absolute changes add up to less than this number
CHANGE = 1e-13
#: maximum number of steps of power iteration
MAXIMUM_STEPS = 10_000


def power_iteration(transitions: pd.DataFrame, states: Sequence[object]) -> Floats:
    """Return the stationary distribution of a Markov chain by power iteration, for any transition weights.

    ``states`` are the names of the states. ``transitions`` has the columns ``source``, ``target`` (numbers of states)
    and ``weight`` (non-negative).

    If the chain has several closed classes, each class gets its share of the total weight, as in Eq. 8. States outside
    closed classes, and states without weight, get 0. If there are no weights, all shares are equal. Raises InputError
    if a state can be entered but not left, or if `MAXIMUM_STEPS` do not suffice.
    """
    with extra("full"):
        from scipy.sparse import coo_array, eye_array
        from scipy.sparse.csgraph import connected_components
        from scipy.sparse.linalg import splu

    solid = transitions[transitions["weight"] > 0]
    source, target = solid["source"].to_numpy(), solid["target"].to_numpy()
    count = len(states)
    if len(source) == 0:
        return np.full(count, 1 / max(count, 1))
    out = np.bincount(source, solid["weight"].to_numpy(float), minlength=count)
    if problems := [
        Problem(
            "transitions",
            str(states[state]),
            "the state can be entered but not left",
            "add a transition out of the state",
        )
        for state in np.setdiff1d(target, source)
    ]:
        raise InputError(problems)
    step = coo_array((solid["weight"].to_numpy(float) / out[source], (target, source)), shape=(count, count))
    classes, member = connected_components(step, connection="strong")
    closed = np.ones(classes, dtype=bool)
    closed[member[source[member[source] != member[target]]]] = False
    closed[member[out == 0]] = False
    inside = np.flatnonzero(closed[member])
    member = member[inside]
    share = np.bincount(member, out[inside], minlength=classes) / out[inside].sum()

    step = step.tocsc()[:, inside][inside]
    # The inverse has the eigenvectors of ``step``. Iterating ``step`` itself would be slow for long, narrow graphs, and
    # would not converge for a periodic chain.
    solver = splu(((1 + SHIFT) * eye_array(len(inside)) - step).tocsc())
    state = (share / np.maximum(np.bincount(member, minlength=classes), 1))[member]
    for _ in range(MAXIMUM_STEPS):
        after = solver.solve(state)
        after *= share[member] / np.bincount(member, after, minlength=classes)[member]
        change = np.abs(after - state).sum()
        state = after
        if change < CHANGE:
            result = np.zeros(count)
            result[inside] = state
            return result
    found = f"there is no steady state after {MAXIMUM_STEPS} steps"
    raise InputError.of("transitions", found, "add transitions between states")
