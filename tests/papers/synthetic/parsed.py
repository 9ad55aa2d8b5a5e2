"""Documents read back with a plain XML parser, as dictionaries and as a collection."""

import re
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from lxml import etree

from focuseval.model.elements import Collection

WORD = re.compile(r"\w+")


@dataclass
class Element:
    tag: str
    path: str
    parent: int
    depth: int
    position: int
    start: int = 0
    end: int = 0
    last: int = 0
    own: list[str] = field(default_factory=list)


def parse(xml: bytes | str) -> tuple[list[Element], str]:
    """The elements of a document in document order (offsets in characters) and its text."""
    found: list[Element] = []
    text: list[str] = []
    length = 0

    def add(piece: str | None, owner: Element) -> None:
        nonlocal length
        if piece:
            text.append(piece)
            length += len(piece)
            owner.own.append(piece)

    def walk(node: etree._Element, parent: int, above: str, position: int) -> None:
        row = len(found)
        depth = found[parent].depth + 1 if parent >= 0 else 0
        element = Element(node.tag, f"{above}/{node.tag}[{position}]", parent, depth, position)
        found.append(element)
        element.start = length
        add(node.text, element)
        seen: dict[str, int] = {}
        for child in node:
            seen[child.tag] = seen.get(child.tag, 0) + 1
            walk(child, row, element.path, seen[child.tag])
            add(child.tail, element)
        element.end = length
        element.last = len(found)

    walk(etree.fromstring(xml), -1, "", 1)
    return found, "".join(text)


def collection_of(documents: dict[str, str], unit: str = "words") -> tuple[Collection, list[tuple[str, str]]]:
    """A collection of documents given as XML, and their texts."""
    names = sorted(documents)
    columns: dict[str, list[int]] = {
        name: [] for name in ("parent", "last", "depth", "position", "start", "end")
    }
    tags: list[str] = []
    first, texts = [0], []
    for name in names:
        elements, text = parse(documents[name])
        texts.append((name, text))
        starts = [match.start() for match in WORD.finditer(text)]
        base = first[-1]
        for element in elements:
            tags.append(element.tag)
            columns["parent"].append(element.parent + base if element.parent >= 0 else -1)
            columns["last"].append(element.last + base)
            columns["depth"].append(element.depth)
            columns["position"].append(element.position)
            for side in ("start", "end"):
                place = getattr(element, side)
                columns[side].append(sum(s < place for s in starts) if unit == "words" else place)
        first.append(base + len(elements))
    codes, distinct = pd.factorize(np.array(tags, dtype=object))
    return (
        Collection(
            names=pd.Index(names),
            first=np.array(first),
            tag=codes,
            tags=pd.Index(distinct),
            unit=unit,
            **{name: np.array(values) for name, values in columns.items()},
        ),
        texts,
    )
