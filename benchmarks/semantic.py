"""A random collection as heterogeneous as INEX 2009's: thousands of tag names, wrappers nested in wrappers.

Wikipedia's articles of INEX 2009 name what they are about by chains of elements, the general around the special, and
mark up what their text mentions in the same way. Here concepts form a tree; an article lies in the chain of
its concept, a mention in the lower end of its own. Generated from a seed; nobody's documents.
"""

import numpy as np
import pandas as pd

from focuseval.model.elements import Collection

#: of INEX 2009, as far as known: tag names, depth of the deepest element
TAGS, DEEPEST = 5_550, 49

#: tag names that are no concepts: article, header, body, sections, paragraphs, links ...
_PLAIN = (
    "article",
    "header",
    "title",
    "id",
    "bdy",
    "sec",
    "st",
    "ss1",
    "p",
    "list",
    "entry",
    "b",
    "it",
    "link",
)


def concept_chains(rng: np.random.Generator, concepts: int) -> list[np.ndarray]:
    """The chain of each concept, from the most general one: one long line, and a random tree of bushy growth."""
    line = DEEPEST - 10
    chains: list[np.ndarray] = []
    for concept in range(concepts):
        if concept < line:
            above = concept - 1
        elif concept < line + 20:
            above = -1
        else:
            near = concept - 1 - line - 20
            recent = near > 12 and rng.random() < 0.15
            above = concept - 1 - int(rng.integers(12)) if recent else int(rng.integers(line, concept))
        chains.append(np.append(chains[above], concept) if above >= 0 else np.array([concept]))
    return chains


def semantic_collection(rng: np.random.Generator, elements: int, documents: int) -> Collection:
    """Documents of ``elements / documents`` elements on average, under `TAGS` tag names."""
    plain = {name: number for number, name in enumerate(_PLAIN)}
    chains = [len(_PLAIN) + chain for chain in concept_chains(rng, TAGS - len(_PLAIN))]
    popular = rng.permutation(len(chains))
    sizes = rng.lognormal(0, 0.9, documents)
    sizes = np.maximum(sizes / sizes.sum() * elements, 20).astype(int)
    depths: list[int] = []
    tags: list[int] = []
    first = [0]
    for document, size in enumerate(sizes.tolist()):
        end = len(depths) + size
        about = popular[int(len(chains) * rng.random() ** 6)] if document else DEEPEST - 11
        level = 0

        def put(tag: int, at: int) -> None:
            depths.append(at)
            tags.append(tag)

        put(plain["article"], 0)
        for tag in chains[about].tolist():
            level += 1
            put(tag, level)
        top = level + 1
        for name, at in (("header", top), ("title", top + 1), ("id", top + 1), ("bdy", top)):
            put(plain[name], at)
        kinds = rng.random(size)
        which = (len(chains) * rng.random(size) ** 5).astype(int)
        lengths = rng.integers(1, 4, size)
        section, paragraph = top + 1, top  # nothing but a paragraph or a section lies in the body itself
        for kind, number, length in zip(kinds.tolist(), which.tolist(), lengths.tolist(), strict=True):
            if len(depths) >= end:
                break
            if kind < 0.03:
                section = top + 2
                put(plain["sec"], top + 1)
                put(plain["st"], section)
                paragraph = section - 1
            elif kind < 0.04:
                section = min(section + 1, top + 5)
                put(plain["ss1"], section - 1)
                put(plain["st"], section)
                paragraph = section - 1
            elif kind < 0.25 or paragraph < section:
                put(plain["p"], section)
                paragraph = section
            elif kind < 0.35:
                put(plain["list"], section)
                put(plain["entry"], section + 1)
                paragraph = section + 1
            elif kind < 0.86:
                put(plain["link"], paragraph + 1)
            else:
                chain = chains[popular[number]][-length:].tolist()
                for step, tag in enumerate(chain, start=1):
                    put(tag, paragraph + step)
                put(plain["link"], paragraph + 1 + len(chain))
        first.append(len(depths))
    depth, tag = np.array(depths, dtype=np.int16), np.array(tags, dtype=np.int32)
    return _collection(rng, np.array(first), depth, tag, documents)


def nested(depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The parent (-1 for roots) and the row after the descendants of each element, from depths in preorder."""
    parent = np.full(len(depth), -1)
    at = np.zeros(int(depth.max()) + 1, dtype=np.int64)
    for row, level in enumerate(depth.tolist()):
        at[level] = row
        if level:
            parent[row] = at[level - 1]
    last = np.arange(1, len(depth) + 1)
    for level in range(int(depth.max()), 0, -1):
        rows = np.flatnonzero(depth == level)
        np.maximum.at(last, parent[rows], last[rows])
    return parent, last


def _collection(
    rng: np.random.Generator, first: np.ndarray, depth: np.ndarray, tag: np.ndarray, documents: int
) -> Collection:
    """Parents, ends and text from depths in preorder."""
    count = len(depth)
    parent, last = nested(depth)
    own = rng.integers(0, 60, count)
    before = np.concatenate([[0], np.cumsum(own)])
    return Collection(
        names=pd.Index([f"{number:07}" for number in range(documents)]),
        first=first,
        parent=parent,
        last=last,
        depth=depth,
        tag=tag,
        tags=pd.Index([*_PLAIN, *(f"concept_{number:04}" for number in range(TAGS - len(_PLAIN)))]),
        position=np.ones(count, dtype=np.int32),
        start=before[:-1],
        end=before[last],
    )
