"""Small random collections, with the same trees as plain Python for literal second implementations."""

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList

TAGS = ["article", "sec", "p", "it"]


@dataclass
class Node:
    """An element as a literal implementation sees it: a set of characters and a list of children."""

    row: int
    parent: "Node | None"
    start: int
    end: int
    document: int
    children: list["Node"] = field(default_factory=list)

    @cached_property
    def text(self):
        return frozenset((self.document, i) for i in range(self.start, self.end))

    @cached_property
    def own(self):
        return self.text.difference(*(c.text for c in self.children)) if self.children else self.text


def tree_of(parent, start, end, tags=None, complete=True):
    """Return a collection from each element's parent (-1 for the root of a document) and interval.

    Without ``tags`` an element is called by its depth, as in `TAGS`; positions are among siblings of one tag.
    """
    count = len(parent)
    depth = [0] * count
    last = list(range(1, count + 1))
    for row in range(count):
        depth[row] = 0 if parent[row] < 0 else depth[parent[row]] + 1
    for row in range(count - 1, -1, -1):
        if parent[row] >= 0:
            last[parent[row]] = max(last[parent[row]], last[row])
    names_of_tags = tags or [TAGS[min(one, len(TAGS) - 1)] for one in depth]
    names = list(dict.fromkeys(tags)) if tags else TAGS
    siblings = [(parent[row] if parent[row] >= 0 else -1 - row, names_of_tags[row]) for row in range(count)]
    roots = [row for row in range(count) if parent[row] < 0]
    return Collection(
        names=pd.Index([f"d{i}" for i in range(len(roots))]),
        first=np.array([*roots, count]),
        parent=np.array(parent),
        last=np.array(last),
        depth=np.array(depth),
        tag=np.array([names.index(tag) for tag in names_of_tags]),
        tags=pd.Index(names),
        position=np.array([siblings[: row + 1].count(siblings[row]) for row in range(count)]),
        start=np.array(start),
        end=np.array(end),
        complete=complete,
    )


def random_collection(rng, documents=2, elements=12, complete=True):
    """Return random documents with mixed content and empty elements, as columns and as nodes by row."""
    nodes = []
    for document in range(documents):
        count = int(rng.integers(1, elements + 1))
        parents = [-1] + [int(rng.integers(max(0, i - 3), i)) for i in range(1, count)]
        inside = {}
        for child, parent in enumerate(parents):
            inside.setdefault(parent, []).append(child)
        cursor = 0

        def build(index, above, document=document, inside=inside):
            nonlocal cursor
            node = Node(len(nodes), above, cursor, cursor, document)
            nodes.append(node)
            cursor += int(rng.choice([0, 0, 1, 3, 7]))
            for child in inside.get(index, []):
                node.children.append(build(child, node))
                cursor += int(rng.choice([0, 0, 1, 2]))
            node.end = cursor
            return node

        build(0, None)
    parents = [-1 if n.parent is None else n.parent.row for n in nodes]
    collection = tree_of(parents, [n.start for n in nodes], [n.end for n in nodes], complete=complete)
    position = np.ones(len(nodes), dtype=np.int64)
    for node in nodes:
        for place, child in enumerate(node.children, start=1):
            position[child.row] = place
    return replace(collection, position=position), nodes


def random_topic(rng, collection, scale="inex2003", share=0.6):
    """Return a topic with random judgements, which need not agree: measures must accept any judgements."""
    rows = np.flatnonzero(rng.random(len(collection)) < share)
    if scale in ("inex2002", "inex2003"):
        e, s = rng.integers(1, 4, len(rows)).astype(float), rng.integers(1, 4, len(rows)).astype(float)
        nothing = rng.random(len(rows)) < 0.3
        e[nothing] = s[nothing] = 0
    else:
        e = rng.choice([-1.0, 0.0, 1.0, 2.0], len(rows))
        s = rng.choice([0.0, 0.25, 1 / 3, 0.9, 1.0, 1.0], len(rows))
    return Topic("t", scale, collection, rows, e, s, None)


@dataclass(frozen=True)
class Case:
    """A topic on a random collection, and a result list."""

    collection: Collection
    nodes: list[Node]
    topic: Topic
    results: ResultList


def random_cases(
    seed, count, *, documents=3, elements=10, scale="inex2005", share=0.6, length=10, complete=1
):
    """Yield random cases of limited size.

    ``documents``, ``elements`` of each and the ``length`` of the list are upper bounds; ``complete`` is the share of
    collections that hold all elements.
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        count_of_documents = int(rng.integers(1, documents + 1))
        collection, nodes = random_collection(
            rng, count_of_documents, elements, bool(rng.random() < complete)
        )
        topic = random_topic(rng, collection, scale, share)
        yield rng, Case(collection, nodes, topic, random_list(rng, collection, length))


def element_list(collection, rows, rank=None, run="run"):
    """Return a result list of elements; -1 is an unresolved result."""
    rows = np.asarray(rows, dtype=np.int64)
    resolved = rows >= 0
    safe = np.maximum(rows, 0)
    return ResultList(
        run=run,
        topic="t",
        rank=np.arange(1, len(rows) + 1) if rank is None else rank,
        document=np.where(resolved, collection.document_of(safe), -1),
        element=rows,
        start=np.where(resolved, collection.start[safe], -18),
        end=np.where(resolved, collection.end[safe], 0),
    )


def random_list(rng, collection, length=10, ties=True):
    """Return a random result list with duplicates, unresolved results and, on request, ties."""
    count = int(rng.integers(0, length + 1))
    rows = rng.integers(-1, len(collection), count)
    rank = np.cumsum(rng.integers(0, 2, count)) if ties else np.arange(1, count + 1)
    return element_list(collection, rows, rank)
