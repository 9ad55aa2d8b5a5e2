"""A campaign on heterogeneous documents, as a user has it: XML, topics, highlighted passages, submitted runs.

Runs look for relevant text with more or less luck, in some documents and at elements of a size that they prefer, so
that what they return nests and overlaps. Generated from a seed; nobody's documents.
"""

import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from semantic import semantic_collection

from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered
from focuseval.model.overlap import apart

ELEMENTS, DOCUMENTS, RUNS, TOPICS, RESULTS = 3_400_000, 9_804, 56, 7, 1500

#: documents of a topic that its runs find, of these assessed, of these relevant: about as at INEX 2009
FOUND, ASSESSED, RELEVANT = 1_400, 750, 75

#: folders of runs
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"


class Highlighted(NamedTuple):
    """A topic: the documents that runs find, the assessed ones first, and its passages."""

    name: str
    found: Ints
    document: Ints  #: of each passage
    start: Ints
    end: Ints


def write_campaign(folder: Path) -> None:
    """Write ``documents.zip``, ``topics.xml``, ``qrels.fol.txt`` and a folder of runs for each of three tasks."""
    rng = np.random.default_rng(2009)
    collection = semantic_collection(rng, ELEMENTS, DOCUMENTS)
    words = np.array(
        ["".join(rng.choice(list("aeioubdfklmnprst"), size)) for size in rng.integers(2, 9, 20_000)]
    )
    text = words[(len(words) * rng.random(400_000) ** 4).astype(int)]  # few words stand for most of it
    _write_documents(folder / "documents.zip", collection, " ".join(text))
    topics = [_topic(rng, collection, f"{2009001 + number}") for number in range(TOPICS)]
    titles = [" ".join(rng.choice(words, 3)) for _ in topics]
    listed = "".join(
        f'<topic id="{topic.name}"><title>{title}</title></topic>\n'
        for topic, title in zip(topics, titles, strict=True)
    )
    (folder / "topics.xml").write_text(f"<topics>\n{listed}</topics>\n")
    with open(folder / "qrels.fol.txt", "w") as out:
        for topic in topics:
            out.writelines(_qrels(collection, topic))
    _write_runs(rng, folder / "runs", collection, topics)


def _write_documents(path: Path, collection: Collection, text: str) -> None:
    """Each element begins with its own text, a piece of ``text``."""
    own = collection.own_text.tolist()
    tags = [collection.tags[tag] for tag in collection.tag.tolist()]
    place = (collection.start % (len(text) - 60)).tolist()
    last, first = collection.last.tolist(), collection.first.tolist()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, begin, end in zip(collection.names, first, first[1:], strict=False):
            parts: list[str] = []
            open_: list[tuple[int, str]] = []
            for row in range(begin, end):
                while open_ and open_[-1][0] == row:
                    parts.append(f"</{open_.pop()[1]}>")
                parts.append(f"<{tags[row]}>{text[place[row] : place[row] + own[row]]}")
                open_.append((last[row], tags[row]))
            parts += [f"</{tag}>" for _, tag in reversed(open_)]
            archive.writestr(zipfile.ZipInfo(f"{name}.xml", (1980, 1, 1, 0, 0, 0)), "".join(parts))


def _topic(rng: np.random.Generator, collection: Collection, name: str) -> Highlighted:
    """One to three passages in each relevant document."""
    found = rng.choice(DOCUMENTS, FOUND, replace=False)
    passages = []
    for document in found[:RELEVANT].tolist():
        size = int(collection.size[collection.first[document]])
        ends = np.sort(rng.choice(size, 2 * int(rng.integers(1, 4)), replace=False))
        passages += [(document, *pair) for pair in ends.reshape(-1, 2).tolist()]
    return Highlighted(name, found, *np.array(passages).T)


def _qrels(collection: Collection, topic: Highlighted) -> Iterator[str]:
    for document in topic.found[:ASSESSED].tolist():
        here = topic.document == document
        start, length = topic.start[here], (topic.end - topic.start)[here]
        size = collection.size[collection.first[document]]
        pairs = "".join(f" {a}:{b}" for a, b in zip(start, length, strict=True))
        entry = f" {start[0]}{pairs}" if len(start) else ""
        yield f"{topic.name} Q0 {collection.names[document]} {length.sum()} {size}{entry}\n"


def _write_runs(
    rng: np.random.Generator, folder: Path, collection: Collection, topics: list[Highlighted]
) -> None:
    """The same runs for three tasks: as they are, without overlap, and without overlap by document."""
    position = _positions(collection)
    looked = [_Looked(collection, topic) for topic in topics]
    luck, sizes = rng.uniform(0.2, 2.0, RUNS), rng.uniform(3, 8, RUNS)

    @cache
    def found(row: int) -> tuple[str, str]:
        """The document and the XPath of an element."""
        rows = [row, *collection.ancestors(row)]
        steps = (f"/{collection.tags[collection.tag[r]]}[{position[r]}]" for r in reversed(rows))
        return collection.names[int(collection.document_of(np.array([row]))[0])], "".join(steps)

    for run in range(RUNS):
        lines: dict[str, list[str]] = {THOROUGH: [], FOCUSED: [], IN_CONTEXT: []}
        for topic, pool in zip(topics, looked, strict=True):
            best = pool.best(rng, luck[run], sizes[run], 8 * RESULTS)
            focused = best[apart(best, collection.last[best], RESULTS)]
            by_document = np.argsort(pd.factorize(collection.document_of(focused))[0], kind="stable")
            lists = best[:RESULTS], focused, focused[by_document]
            for of_task, rows in zip(lines.values(), lists, strict=True):
                for rank, row in enumerate(rows.tolist(), start=1):
                    document, path = found(row)
                    score = RESULTS + 1 - rank
                    of_task.append(f"{topic.name} Q0 {document} {rank} {score} run{run:02} {path}\n")
        for task, of_task in lines.items():
            (folder / task).mkdir(parents=True, exist_ok=True)
            (folder / task / f"run{run:02}.txt").write_text("".join(of_task))


class _Looked:
    """The elements of a topic's documents, and how much of each is relevant."""

    def __init__(self, collection: Collection, topic: Highlighted) -> None:
        begin, size = collection.first[topic.found], np.diff(collection.first)[topic.found]
        rows = np.concatenate([np.arange(a, a + n) for a, n in zip(begin, size, strict=True)])
        self.rows = rows[collection.size[rows] > 0]
        document = collection.document_of(self.rows)
        start, end = collection.start[self.rows], collection.end[self.rows]
        root = collection.start[collection.first[document]]
        held = covered(topic.document, topic.start, topic.end, document, start - root, end - root)
        self.document, self.share = document, held / (end - start)
        self.size = np.log(end - start)

    def best(self, rng: np.random.Generator, luck: float, size: float, count: int) -> Ints:
        """The rows of the best elements in the eyes of a run that likes elements of e ** size characters."""
        of_document = rng.normal(0, 0.6, DOCUMENTS)
        worth: Floats = luck * self.share - 0.3 * np.abs(self.size - size) + of_document[self.document]
        worth += rng.normal(0, 0.3, len(worth))
        chosen = np.argpartition(-worth, count)[:count]
        return self.rows[chosen[np.argsort(-worth[chosen], kind="stable")]]


def _positions(collection: Collection) -> Ints:
    """The place of each element among its siblings of the same tag, from 1."""
    above = np.where(collection.parent < 0, np.arange(len(collection)), collection.parent)
    key = above * len(collection.tags) + collection.tag
    order = np.argsort(key, kind="stable")
    opens = np.diff(key[order], prepend=-1) != 0
    since = np.arange(len(key)) - np.maximum.accumulate(np.where(opens, np.arange(len(key)), 0))
    position = np.empty(len(key), dtype=np.int64)
    position[order] = since + 1
    return position
