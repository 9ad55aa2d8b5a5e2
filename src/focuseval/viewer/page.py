"""The page: one file that needs no network, and a folder for data that does not fit into the file.

All data is compressed JSON in base64, so that no text is interpreted as HTML. The page's content security policy allows
only its own script, which also loads the data in the folder.
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

#: the default size limit of a page, in bytes
LARGEST = 20_000_000

#: the size limit of a page in a notebook, in bytes; it is low, because notebooks store the page
LARGEST_IN_NOTEBOOKS = 5_000_000

#: the share of a page that results may fill if texts need the rest
_RESULTS = 0.7

#: the number of bytes that are reserved for notes about missing data
_ROOM_TO_TELL = 2_000

#: the assumed minimum number of compressed bytes per character of text
_DENSEST = 0.35

#: the number of bytes of a block without its data
_ROOM_OF_BLOCK = 100

#: the level of compression; higher levels take 50 % longer to save 2 %
_LEVEL = 4


def pack(value: Any) -> str:
    """Return a value as compressed JSON in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), _LEVEL)).decode("ascii")


def render(core: Mapping[str, Any], blocks: Mapping[str, str], *, loads: bool) -> str:
    """Return the HTML of a page for exploring runs.

    ``blocks`` maps names to packed data. If ``loads`` is true, the script may load more files.
    """
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
    """A page of limited size, and lists of data that did not fit."""

    html: str
    topics: list[int]  #: indexes of topics whose results did not fit into the page
    documents: list[int]  #: numbers of documents whose texts did not fit into the page
    notes: list[str]  #: sentences about data that did not fit into the page


def page(contents: Contents, largest: int = LARGEST, folder: str | None = None) -> Page:
    """Return the page for exploring runs, with at most ``largest`` bytes.

    Results are added first, and then texts. The page loads the remaining data from ``folder``. Without a folder, the
    page reports that this data is left out.
    """
    empty = render(contents.core, {"core": pack(contents.core)}, loads=True)
    left = largest - len(empty.encode("utf-8", "replace")) - _ROOM_TO_TELL
    blocks: dict[str, str] = {}

    def add_block(name: str, packed: str, least: float) -> bool:
        """Add a block if at least ``least`` bytes are then left. Return whether it was added."""
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
    candidates, total = set(), 0.0
    for number, cost in enumerate(_DENSEST * sizes):
        if total + cost <= left:
            candidates.add(number)
            total += cost
    texts = {number: pack(columns) for number, columns in contents.document_texts(sorted(candidates))}
    not_fitting = {n for n in sorted(texts) if not add_block(f"d{n}", texts[n], _ROOM_OF_BLOCK)}
    documents = sorted(set(range(len(sizes))) - candidates | not_fitting)
    folder_name = folder if topics or documents else None
    notes = _notes(len(topics), len(documents), contents, folder_name)
    core = {**contents.core, "folder": folder_name, "notes": [*notes, *contents.core["notes"]]}
    text = render(core, {"core": pack(core), **blocks}, loads=folder_name is not None)
    return Page(text, topics, documents, notes)


def _notes(topics: int, documents: int, contents: Contents, folder: str | None) -> list[str]:
    """Return sentences about data that did not fit into the page."""
    where = f"are in the folder {folder}, which must stay next to this page" if folder else "are left out"
    left_out = {"results": (topics, len(contents.topics), "topic")}
    left_out["texts"] = (documents, len(contents.documents), "document")
    return [
        f"The {what} of {n:,} of {counted(of, unit)} {where}."
        for what, (n, of, unit) in left_out.items()
        if n
    ]


def save(contents: Contents, path: Path, largest: int = LARGEST, *, alone: bool = False) -> Page:
    """Write ``contents`` to a page, and the data that does not fit to the folder ``NAME_files`` next to it.

    If ``alone`` is true, only the page is written. Data of an earlier page is removed from the folder. Raises
    InputError if the folder contains a file that belongs to no page, but has a name that this function uses.
    """
    folder = path.with_name(f"{path.stem}_files")
    before = {*folder.glob("[td][0-9]*.js")}
    if foreign := [part for part in before if not part.read_bytes().startswith(b'focuseval("')]:
        found = "the file is not part of a page"
        expected = "choose another name for the page, because its parts are written to this folder"
        raise InputError([Problem(str(part), "", found, expected) for part in sorted(foreign)])
    html = page(contents, largest, None if alone else folder.name)
    written = set()
    if not alone and (html.topics or html.documents):
        folder.mkdir(exist_ok=True)
        for name, packed in _packed(contents, html):
            file = folder / f"{name}.js"
            file.write_text(f'focuseval("{name}","{packed}")\n', encoding="ascii")
            written.add(file)
    for old in before - written:  # these files belong to an earlier page
        old.unlink()
    with write_atomically(path) as out:
        out.write(html.html)
    return html


def _packed(contents: Contents, page: Page) -> Iterator[tuple[str, str]]:
    """Yield the name and the packed data of each part that is not in the page."""
    for number in page.topics:
        yield f"t{number}", pack(contents.topics[number])
    for number, columns in contents.document_texts(page.documents):
        yield f"d{number}", pack(columns)


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """A page for exploring a campaign. Notebooks show the page, and `save` writes it to a file."""

    contents: Contents
    notes: list[str]  #: notices, one line each

    @property
    def signature(self) -> str:
        """The line that states what is needed to reproduce the scores."""
        return str(self.contents.core["signature"])

    def to_html(self, largest: int = LARGEST) -> str:
        """Return the page as HTML of at most ``largest`` bytes. The page reports which data did not fit."""
        return page(self.contents, largest).html

    def save(self, path: str | Path, *, alone: bool = False) -> list[str]:
        """Write the page to a file of at most 20 MB, and other data to the folder ``NAME_files`` next to it.

        If ``alone`` is true or the path is a stream, only the page is written. Returns sentences about data that does
        not fit into the page. Raises InputError if the path is a folder, or if its folder does not exist.
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
            'write the page with save("page.html")\n'
        )
