"""The data for viewing a document: its text, the borders of its blocks, and an outline."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from focuseval.formats import source_code
from focuseval.model.arrays import Ints, sums_before
from focuseval.model.elements import Collection
from focuseval.model.vocabulary import TEXT_TAGS

#: tags of headings in XML, HTML and text
HEADINGS = ("title", "st", "atl", "head", "heading", "h1", "h2", "h3", "h4", "h5", "h6")

#: the maximum number of entries in an outline without headings
MOST_ENTRIES = 40

_WORD = re.compile(r"\w+")


def line_starts(text: str) -> Ints:
    """Return the offset of the first character of each line in a text."""
    begins = [0, *(end.end() for end in re.finditer("\n", text))]
    return np.array(begins[:-1] if begins[-1] == len(text) and text else begins, dtype=np.int64)


def points_in(text: str, unit: str, borders: Iterable[int] = ()) -> Ints | None:
    """Return the offset, in characters, of each word, line or byte in a text, followed by the text's length.

    Returns None if the unit is characters. If the unit is words, the sorted ``borders`` also separate words.
    """
    if unit == "lines":
        return np.append(line_starts(text), len(text))
    if unit == "characters":
        return None
    if unit == "words":
        pieces = pairwise([0, *borders, len(text)])
        begins = (word.start() for low, high in pieces for word in _WORD.finditer(text, low, high))
        return np.array([*begins, len(text)], dtype=np.int64)
    code = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    width = 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    return np.append(np.repeat(np.arange(len(text)), width), len(text))


def document_columns(collection: Collection, document: int, text: str) -> dict[str, Any]:
    """Return the data for viewing the text of a document.

    ``points`` is the result of `points_in`, and ``blocks`` lists the borders between blocks of text. ``outline``
    contains the start, end and level of each section, and the start and end of its heading. ``headed`` is false if
    sections have no headings. ``wraps`` is true if line ends have no meaning. ``code`` is true if each line is a
    block.
    """
    rows = np.arange(collection.first[document], collection.first[document + 1])
    name = str(collection.names[document]).lower()
    words = collection.words
    borders = words.borders(document, text) if words and words.borders and collection.unit == "words" else ()
    points = points_in(text, collection.unit, borders)
    code = collection.unit == "lines" or set(collection.tags) == set(source_code.TAGS)
    plain = code or (set(collection.tags) <= set(TEXT_TAGS) and not name.endswith((".html", ".htm")))
    if code:
        starts = line_starts(text)
        blocks = (starts if points is None else np.searchsorted(points, starts)).tolist()
        outline, headed = _outline_of_code(collection, rows, blocks), False
    else:
        blocks = _blocks(collection, rows, text, points)
        outline, headed = _outline(collection, rows)
    return {
        "text": text,
        "points": None if points is None else points.tolist(),
        "blocks": blocks,
        "outline": outline,
        "headed": headed,
        "wraps": not plain,
        "code": code,
    }


def _outline_of_code(collection: Collection, rows: Ints, blocks: list[int]) -> list[list[int]]:
    """Return an outline of classes and functions, headed by their first lines. ``blocks`` are the line starts."""
    units = rows[np.isin(collection.tags[collection.tag[rows]], ["class", "function"])]
    level = collection.depth[units] - (collection.depth[units].min() if len(units) else 0)
    line = np.searchsorted(blocks, collection.start[units], side="right") - 1
    bounds = np.array(blocks)[line], np.append(blocks, collection.end[rows[0]])[line + 1]
    return np.stack([collection.start[units], collection.end[units], level, *bounds], axis=1).tolist()


def _blocks(collection: Collection, rows: Ints, text: str, points: Ints | None) -> list[int]:
    """Return the sorted starts and ends of blocks. A block is an element that is not part of running text."""
    code = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    blank = (code <= 32) | (code == 0xA0)
    visible = sums_before(~blank)
    at = visible if points is None else visible[points]
    start, end = (np.minimum(c[rows], len(at) - 1) for c in (collection.start, collection.end))
    held = at[end] - at[start]
    above = collection.parent[rows] - rows[0]
    inner = np.flatnonzero(above >= 0)
    own = held - np.bincount(above[inner], weights=held[inner], minlength=len(rows)).astype(np.int64)
    block = held > 0
    block[inner] &= own[above[inner]] == 0
    return np.unique(np.concatenate([start[block], end[block]])).tolist()


def _outline(collection: Collection, rows: Ints) -> tuple[list[list[int]], bool]:
    """Return an outline of sections, and whether they have headings.

    If there are no headings, the outline consists of the largest elements near the root.
    """
    headings = collection.tags.get_indexer(list(HEADINGS))
    has_name = np.isin(collection.tag[rows], headings[headings >= 0]) & (collection.size[rows] > 0)
    heading = rows[has_name]
    heading = heading[collection.parent[heading] >= 0]
    if len(heading):
        _, first = np.unique(collection.parent[heading], return_index=True)
        heading = heading[np.sort(first)]
        section = collection.parent[heading]
    else:
        near = rows[
            (collection.depth[rows] > 0) & (collection.depth[rows] <= 2) & (collection.size[rows] > 0)
        ]
        largest = np.argsort(-collection.size[near], kind="stable")[:MOST_ENTRIES]
        section = heading = np.sort(near[largest])
    level = collection.depth[section] - (collection.depth[section].min() if len(section) else 0)
    columns = (collection.start[section], collection.end[section], level)
    heading_text = (collection.start[heading], collection.end[heading])
    return np.stack([*columns, *heading_text], axis=1).tolist(), bool(has_name.any())


def paths_of(collection: Collection, rows: Ints) -> dict[int, str]:
    """Return the XPath of each element by row. For many elements, this is faster than `Collection.path`."""
    paths: dict[int, str] = {}
    for row in collection.with_ancestors(rows).tolist():  # parents come before their children
        step = f"/{collection.tags[collection.tag[row]]}[{collection.position[row]}]"
        paths[row] = paths.get(int(collection.parent[row]), "") + step
    return paths
