"""The page itself: one file that opens from disk without a network, and a folder beside it for what is too large.

All data is in it as JSON, compressed, in base64: no character of a document, a name or a run can be read as
HTML. The page's policy allows its own script, by its hash, and nothing else; what lies in the folder beside it is
data of the same form, which that script loads.
"""

import base64
import html
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from focuseval.errors import InputError, Problem, counted
from focuseval.files import check_target, is_stream, write_atomically
from focuseval.viewer.contents import Contents

#: the most that a page has, in bytes
LARGEST = 20_000_000

#: largest size of a page in a notebook, which stores it with all other output
LARGEST_IN_NOTEBOOKS = 5_000_000

#: the share of a page that results may take; texts of documents have the rest
_RESULTS = 0.7

#: bytes for what is reported of what does not fit, and for the elements that data are in
_ROOM_TO_TELL = 2_000

#: bytes of a compressed text for each of its characters, at the least: so many texts are tried
_DENSEST = 0.35

#: bytes that an element takes, less its data
_ROOM_OF_BLOCK = 100

#: compression level; higher ones take half as long again and save two per cent
_LEVEL = 4


def pack(value: Any) -> str:
    """A value as JSON, compressed, in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), _LEVEL)).decode("ascii")


def render(core: Mapping[str, Any], blocks: Mapping[str, str], *, loads: bool) -> str:
    """Render the page of a campaign with packed data by name; ``loads`` if its script loads neighbouring files."""
    from focuseval.report.html import digest, policy, templates

    environment = templates("focuseval.viewer")
    style = environment.get_template("view.css").render()
    script = files("focuseval.viewer").joinpath("templates/view.js").read_text(encoding="utf-8")
    return environment.get_template("view.html").render(
        core=core,
        policy=policy(
            script_src=digest(script) + (" 'strict-dynamic'" if loads else ""),
            style_src=digest(style),
        ),
        style=style,
        script=script,
        blocks=blocks,
    )


@dataclass(frozen=True, eq=False)
class Page:
    """A page within a size, and what did not fit into it."""

    html: str
    topics: list[int]  #: topics whose results are not in it
    documents: list[int]  #: documents whose texts are not in it, though they are at hand
    notes: list[str]  #: messages about it, a sentence each


def page(contents: Contents, largest: int = LARGEST, folder: str | None = None) -> Page:
    """A page of at most so many bytes.

    Results come before texts, topics in their order; texts of documents with gold before those of others, and these by
    the best rank of a result. The page loads what does not fit from a ``folder`` beside it, or else says so.
    """
    empty = render(contents.core, {"core": pack(contents.core)}, loads=True)
    left = largest - len(empty.encode("utf-8", "replace")) - _ROOM_TO_TELL
    blocks: dict[str, str] = {}

    def add_block(name: str, packed: str, least: float) -> bool:
        """Return whether a block fits if ``least`` must remain."""
        nonlocal left
        if left - len(packed) < least:
            return False
        blocks[name] = packed
        left -= len(packed) + _ROOM_OF_BLOCK
        return True

    at_hand = contents.texts is not None
    sizes = contents.collection.size[contents.collection.root(contents.documents)] if at_hand else np.empty(0)
    enough = min(left * (1 - _RESULTS), sizes.sum() / 2)
    topics = [n for n, part in enumerate(contents.topics) if not add_block(f"t{n}", pack(part), enough)]
    tried, total = set(), 0.0
    for number, cost in enumerate(_DENSEST * sizes):
        if total + cost <= left:
            tried.add(number)
            total += cost
    texts = {number: pack(columns) for number, columns in contents.document_texts(sorted(tried))}
    not_fitting = {n for n in sorted(texts) if not add_block(f"d{n}", texts[n], _ROOM_OF_BLOCK)}
    documents = sorted(set(range(len(sizes))) - tried | not_fitting)
    folder_name = folder if topics or documents else None
    notes = _notes(len(topics), len(documents), contents, folder_name)
    core = {**contents.core, "folder": folder_name, "notes": [*notes, *contents.core["notes"]]}
    text = render(core, {"core": pack(core), **blocks}, loads=folder_name is not None)
    return Page(text, topics, documents, notes)


def _notes(topics: int, documents: int, contents: Contents, folder: str | None) -> list[str]:
    """Describe what did not fit, a sentence each."""
    where = f"are in the folder {folder}, which belongs beside this page" if folder else "are left out"
    lost = {"results": (topics, len(contents.topics), "topic")}
    lost["texts"] = (documents, len(contents.documents), "document")
    return [
        f"The {what} of {n:,} of {counted(of, unit)} {where}." for what, (n, of, unit) in lost.items() if n
    ]


def save(contents: Contents, path: Path, largest: int = LARGEST, *, alone: bool = False) -> Page:
    """Write the page; the rest goes into the folder ``NAME_files`` next to it, unless ``alone``.

    Raises InputError for files in that folder that are called as parts of a page are, and are none.
    """
    folder = path.with_name(f"{path.stem}_files")
    before = {*folder.glob("[td][0-9]*.js")}
    if foreign := [part for part in before if not part.read_bytes().startswith(b'focuseval("')]:
        expected = "give the page another name: the folder is for what does not fit into it"
        raise InputError([Problem(str(part), "", "no part of a page", expected) for part in sorted(foreign)])
    html = page(contents, largest, None if alone else folder.name)
    written = set()
    if not alone and (html.topics or html.documents):
        folder.mkdir(exist_ok=True)
        for name, packed in _packed(contents, html):
            file = folder / f"{name}.js"
            file.write_text(f'focuseval("{name}","{packed}")\n', encoding="ascii")
            written.add(file)
    for old in before - written:  # parts of a page that was here before
        old.unlink()
    with write_atomically(path) as out:
        out.write(html.html)
    return html


def _packed(contents: Contents, page: Page) -> Iterator[tuple[str, str]]:
    """Names and packed data of what is not in the page."""
    for number in page.topics:
        yield f"t{number}", pack(contents.topics[number])
    for number, columns in contents.document_texts(page.documents):
        yield f"d{number}", pack(columns)


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """A page to look into a campaign; shown as such in notebooks, and saved as a file."""

    contents: Contents
    notes: list[str]  #: notices, a line each

    @property
    def signature(self) -> str:
        """The line that makes its scores repeatable."""
        return str(self.contents.core["signature"])

    def to_html(self, largest: int = LARGEST) -> str:
        """The page as one text of at most so many bytes; what does not fit is left out, and reported on it."""
        return page(self.contents, largest).html

    def save(self, path: str | Path, *, alone: bool = False) -> list[str]:
        """Write the page as a file, at most 20 MB, and the rest into a folder ``NAME_files`` next to it.

        ``alone`` leaves out what does not fit; so does a stream, which has nothing beside it. Returns what is told
        of it, a line each. Raises InputError if the path is a folder, or in one that is not there.
        """
        check_target(Path(path), "path")
        return save(self.contents, Path(path), alone=alone or is_stream(path)).notes

    def _repr_html_(self) -> str:
        text = html.escape(self.to_html(LARGEST_IN_NOTEBOOKS))
        return (
            f'<iframe srcdoc="{text}" sandbox="allow-scripts" title="focuseval view" '
            'style="width: 100%; height: 48rem; border: 1px solid #8884"></iframe>'
        )

    def __repr__(self) -> str:
        core = self.contents.core
        return (
            f"View: {counted(len(core['runs']), 'run')}, {counted(len(core['topics']), 'topic')}, "
            f"{counted(core['documents'], 'document')}; "
            'save("page.html") writes the page\n'
        )
