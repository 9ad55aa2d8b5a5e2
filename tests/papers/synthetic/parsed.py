"""Documents read back with a plain XML parser, as elements and as a collection."""

import re
from dataclasses import dataclass, field, replace

import pandas as pd
from lxml import etree

from tests.trees import tree_of

WORD = re.compile(r"\w+")


@dataclass
class Element:
    tag: str
    path: str
    parent: int
    depth: int
    start: int = 0
    end: int = 0
    last: int = 0
    own: list[str] = field(default_factory=list)


def parse(xml):
    """Return the elements of a document in document order (offsets in characters) and its text."""
    elements = []
    text = []
    length = 0

    def add(piece, owner):
        nonlocal length
        if piece:
            text.append(piece)
            length += len(piece)
            owner.own.append(piece)

    def walk(node, parent, above, position):
        row = len(elements)
        depth = elements[parent].depth + 1 if parent >= 0 else 0
        element = Element(node.tag, f"{above}/{node.tag}[{position}]", parent, depth)
        elements.append(element)
        element.start = length
        add(node.text, element)
        seen = {}
        for child in node:
            seen[child.tag] = seen.get(child.tag, 0) + 1
            walk(child, row, element.path, seen[child.tag])
            add(child.tail, element)
        element.end = length
        element.last = len(elements)

    walk(etree.fromstring(xml), -1, "", 1)
    return elements, "".join(text)


def collection_of(documents, unit="words"):
    """Return the collection of XML documents, and their texts."""
    columns = {"parent": [], "start": [], "end": []}
    tags = []
    texts = []
    for name in sorted(documents):
        elements, text = parse(documents[name])
        texts.append((name, text))
        words = [match.start() for match in WORD.finditer(text)]
        columns["parent"] += [each.parent + len(tags) if each.parent >= 0 else -1 for each in elements]
        for side in ("start", "end"):
            places = [getattr(each, side) for each in elements]
            counted = [sum(word < place for word in words) for place in places]
            columns[side] += counted if unit == "words" else places
        tags += [each.tag for each in elements]
    tree = tree_of(**columns, tags=tags)
    return replace(tree, names=pd.Index(sorted(documents)), unit=unit), texts
