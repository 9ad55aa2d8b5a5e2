"""The page itself: one file that opens from disk without a network, and a folder beside it for what is too large.

All data stands in it as JSON, compressed, in base64: no character of a document, a name or a run can be read as
HTML. The page's policy allows its own script, by its hash, and nothing else; what lies in the folder beside it is
data of the same form, which that script loads.
"""

import base64
import hashlib
import html
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from focuseval.errors import counted
from focuseval.files import check_target, is_stream, write_atomically
from focuseval.model.arrays import Ints
from focuseval.viewer.contents import Contents

#: the most that a page has, in bytes
LARGEST = 20_000_000

#: the most that a page has in a notebook, which holds it with all that is printed
LARGEST_IN_NOTEBOOKS = 5_000_000

#: the share of a page that results may take; texts of documents have the rest
_RESULTS = 0.7

#: bytes for what is told of what does not fit, and for the elements that data stand in
_ROOM_TO_TELL = 2_000

#: bytes of a compressed text for each of its characters, at the least: so many texts are tried
_DENSEST = 0.35


#: of compression: higher ones take half as long again, and save two per cent
_LEVEL = 4


def pack(value: Any) -> str:
    """A value as JSON, compressed, in base64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), _LEVEL)).decode("ascii")


@cache
def _parts() -> tuple[Any, str, str]:
    """The template, the style and the script."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("focuseval.viewer", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    assert environment.loader is not None
    style, script = (environment.loader.get_source(environment, f"view.{kind}")[0] for kind in ("css", "js"))
    return environment.get_template("view.html"), style, script


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def render(title: str, blocks: Iterable[tuple[str, str]], *, loads: bool) -> str:
    """The page with blocks of packed data by their names; ``loads`` if its script loads others from beside it."""
    template, style, script = _parts()
    policy = [
        "default-src 'none'",
        f"script-src {_hash(script)}" + " 'strict-dynamic'" * loads,
        f"style-src {_hash(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return str(
        template.render(
            title=title,
            policy="; ".join(policy),
            style=style,
            script=script,
            blocks=list(blocks),
        )
    )


@dataclass(frozen=True, eq=False)
class Page:
    """A page within a size, and what did not fit into it."""

    html: str
    topics: list[int]  #: topics whose results are not in it
    documents: list[int]  #: documents whose texts are not in it, though they are at hand


def page(contents: Contents, largest: int = LARGEST, folder: str | None = None) -> Page:
    """A page of at most so many bytes.

    Results come before texts, topics in their order; texts of documents with gold before those of others, and these by
    the best rank of a result. The page loads what does not fit from a ``folder`` beside it, or else says so.
    """
    title = str(contents.core["title"])
    empty = render(title, [("core", pack(contents.core))], loads=True)
    left = largest - len(empty.encode("utf-8", "replace")) - _ROOM_TO_TELL
    blocks: list[tuple[str, str]] = []
    topics: list[int] = []
    characters = 0 if contents.texts is None else int(_sizes(contents).sum())
    enough = min(left * (1 - _RESULTS), characters / 2)
    for number, part in enumerate(contents.topics):
        packed = pack(part)
        if left - len(packed) < enough:
            topics.append(number)
            continue
        blocks.append((f"t{number}", packed))
        left -= len(packed) + 100
    documents: list[int] = []
    if contents.texts is not None:
        tried = _likely(contents, left)
        packed_texts = dict(
            sorted((number, pack(columns)) for number, columns in contents.document_texts(tried))
        )
        for number, packed in packed_texts.items():
            if len(packed) + 100 > left:
                documents.append(number)
                continue
            blocks.append((f"d{number}", packed))
            left -= len(packed) + 100
        documents += sorted(set(range(len(contents.documents))) - set(tried))
    beside = folder if topics or documents else None
    core = {
        **contents.core,
        "folder": beside,
        "notes": [*_told(len(topics), len(documents), contents, beside), *contents.core["notes"]],
    }
    text = render(title, [("core", pack(core)), *blocks], loads=beside is not None)
    return Page(text, topics, sorted(documents))


def _sizes(contents: Contents) -> Ints:
    """(D,) size of every document that is touched."""
    return contents.collection.size[contents.collection.root(contents.documents)]


def _likely(contents: Contents, left: float) -> list[int]:
    """The documents whose texts may fit into so many bytes, those that are looked at first."""
    tried, total = [], 0.0
    for number, size in enumerate(_sizes(contents).tolist()):
        cost = _DENSEST * size
        if total + cost <= left:
            tried.append(number)
            total += cost
    return tried


def _told(topics: int, documents: int, contents: Contents, folder: str | None) -> list[str]:
    """What did not fit, a sentence each."""
    told = []
    where = f"stand in the folder {folder}, which belongs beside this page" if folder else "are left out"
    if topics:
        told.append(f"The results of {topics:,} of {counted(len(contents.topics), 'topic')} {where}.")
    if documents:
        told.append(f"The texts of {documents:,} of {counted(len(contents.documents), 'document')} {where}.")
    return told


def save(contents: Contents, path: Path, largest: int = LARGEST, *, alone: bool = False) -> Page:
    """Write the page; what does not fit goes into the folder ``NAME_files`` beside it, unless it is ``alone``."""
    folder = path.with_name(f"{path.stem}_files")
    made = page(contents, largest, None if alone else folder.name)
    written = set()
    if not alone and (made.topics or made.documents):
        folder.mkdir(exist_ok=True)
        for name, packed in _beside(contents, made):
            file = folder / f"{name}.js"
            file.write_text(f'focuseval("{name}","{packed}")\n', encoding="ascii")
            written.add(file)
    if folder.is_dir():  # what a page that was here before had beside it
        for old in {*folder.glob("[td][0-9]*.js")} - written:
            old.unlink()
    with write_atomically(path) as out:
        out.write(made.html)
    return made


def _beside(contents: Contents, made: Page) -> Iterator[tuple[str, str]]:
    """Names and packed data of what is not in the page."""
    for number in made.topics:
        yield f"t{number}", pack(contents.topics[number])
    for number, columns in contents.document_texts(made.documents):
        yield f"d{number}", pack(columns)


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """A page to look into a campaign; shown as such in notebooks, and saved as a file."""

    contents: Contents
    notes: list[str]  #: what was left out, merged or counted as nothing, a line each

    def to_html(self, largest: int = LARGEST) -> str:
        """The page as one text of at most so many bytes; what does not fit is left out, and told on it."""
        return page(self.contents, largest).html

    def save(self, path: str | Path, *, alone: bool = False) -> list[str]:
        """Write the page as a file, at most 20 MB, and what does not fit into a folder ``NAME_files`` beside it.

        ``alone`` leaves out what does not fit; so does a stream, which has nothing beside it. Returns what is told
        of it, a line each. Raises InputError if the path is a folder, or in one that is not there.
        """
        check_target(Path(path), "path")
        alone = alone or is_stream(path)
        made = save(self.contents, Path(path), alone=alone)
        folder = None if alone else f"{Path(path).stem}_files"
        return _told(len(made.topics), len(made.documents), self.contents, folder)

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
