r"""Documents as plain text, Markdown or HTML, as element tables.

A document becomes a tree of ``document`` (the root), ``section`` (one for each heading, holding what follows
up to the next heading of its level or above), ``title`` (the heading) and ``p`` (a paragraph). Headings
are ``# …`` to ``###### …`` in Markdown and ``h1`` to ``h6`` in HTML; plain text has none.

The text of plain text and Markdown is the file as it is, marks and line ends included, so that offsets
are those of the decoded file. The text of HTML is its character data, references resolved; comments,
``script``, ``style`` and ``template`` are left out. `text_of` gives it.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem
from focuseval.files import is_utf8, read_bytes, suffix_of, without_gz
from focuseval.formats.collection import PLAIN_FILES, Document, Listing, count_ignored, plain_path
from focuseval.formats.collection import SUFFIXES as XML_SUFFIXES
from focuseval.formats.lines import decoded
from focuseval.formats.raw import Refused
from focuseval.formats.xml_elements import ParsedDocument
from focuseval.formats.xml_scan import COLUMNS
from focuseval.model.arrays import Ints, sums_before


class Piece(NamedTuple):
    """A heading (level 1 to 6) or a paragraph (level 0): characters ``[start, end)`` of the text."""

    level: int
    start: int
    end: int


class Element(NamedTuple):
    """An element of the tree that is being built."""

    parent: int
    depth: int
    tag: int
    position: int
    start: int


_TAGS = ["document", "section", "title", "p"]
_DOCUMENT, _SECTION, _TITLE, _PARAGRAPH = range(4)


def is_text(tags: Iterable[str]) -> bool:
    """Whether elements with these tags are those of plain text, Markdown and HTML, and of no XML."""
    return set(tags) <= set(_TAGS)


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\r?\n?$)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")

#: HTML elements that begin and end a paragraph
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
        figcaption figure footer form head header hgroup hr html legend li main menu nav ol optgroup option
        p pre search section select summary table tbody td textarea tfoot th thead title tr ul""",
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WITHOUT_TEXT = frozenset(("script", "style", "template"))


def plain(content: str) -> tuple[str, list[Piece]]:
    """Text and pieces of plain text: paragraphs are separated by blank lines."""
    return content, list(_paragraphs((line[0], line.start(), line.end()) for line in _LINE.finditer(content)))


def _paragraphs(lines: Iterable[tuple[str, int, int]]) -> Iterable[Piece]:
    """The runs of lines that are not blank."""
    start = end = -1
    for line, begin, after in lines:
        if line.strip():
            start, end = (begin if start < 0 else start), after
        elif start >= 0:
            yield Piece(0, start, end)
            start = -1
    if start >= 0:
        yield Piece(0, start, end)


def markdown(content: str) -> tuple[str, list[Piece]]:
    """Text and pieces of Markdown. A fenced block of code is one paragraph, whatever it holds."""
    pieces: list[Piece] = []
    waiting: list[tuple[str, int, int]] = []
    fence, code = "", 0
    for match in _LINE.finditer(content):
        line, start, end = match[0], match.start(), match.end()
        heading, mark = _HEADING.match(line), _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                pieces.append(Piece(0, code, end))
                fence = ""
        elif mark or heading:
            pieces += _paragraphs(waiting)
            waiting = []
            if mark:
                fence, code = mark[1], start
            elif heading:
                pieces.append(Piece(len(heading[1]), start, end))
        else:
            waiting.append((line, start, end))
    if fence:
        pieces.append(Piece(0, code, len(content)))
    return content, [*pieces, *_paragraphs(waiting)]


class _Html(HTMLParser):
    """The character data of HTML, cut into headings and paragraphs where block elements begin and end."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.data: list[str] = []
        self.pieces: list[Piece] = []
        self.length = self.begun = self.level = self.silent = 0
        self.blank = True

    def cut(self, level: int = 0) -> None:
        """End the current piece; the next one has the given level."""
        if not self.blank:
            self.pieces.append(Piece(self.level, self.begun, self.length))
        self.begun, self.level, self.blank = self.length, level, True

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _WITHOUT_TEXT:
            self.silent += 1
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.cut(_HEADINGS.get(tag, 0))

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        if tag in _BLOCKS:
            self.cut()

    def handle_endtag(self, tag: str) -> None:
        if tag in _WITHOUT_TEXT:
            self.silent = max(self.silent - 1, 0)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.cut()

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Take ``<![`` for the beginning of a comment, as browsers do; Python's parser fails on most of them."""
        return self.parse_bogus_comment(i)

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.data.append(data)
            self.length += len(data)
            self.blank &= not data.strip()


def html(content: str) -> tuple[str, list[Piece]]:
    """Text and pieces of HTML: a paragraph is the text between two ends of block elements."""
    parser = _Html()
    parser.feed(content)
    if re.match(r"<[!?/a-zA-Z]", parser.rawdata):  # a tag or comment without end: nothing follows it
        parser.rawdata = ""
    parser.close()
    parser.cut()
    return "".join(parser.data), parser.pieces


#: text and pieces of a file's content, by the suffix of its name
READERS: dict[str, Callable[[str], tuple[str, list[Piece]]]] = {
    ".txt": plain,
    ".md": markdown,
    ".markdown": markdown,
    ".html": html,
    ".htm": html,
}


def parse_text(content: bytes, source: str) -> ParsedDocument:
    """Elements and text of one document; what it is, the suffix of ``source`` tells.

    Raises InputError for what is not UTF-8, or has NUL characters.
    """
    text, pieces = READERS[suffix_of(source)](_content(content, source))
    return ParsedDocument(_rows(text, pieces), list(_TAGS), text.encode())


def text_in(content: bytes, source: str) -> str:
    """The text of one document alone, as `parse_text` finds it."""
    return READERS[suffix_of(source)](_content(content, source))[0]


def parse_given(text: str, name: str) -> ParsedDocument:
    """Elements of a text that is in memory: of Markdown, if the name says so; of plain text with any other name."""
    is_markdown = READERS.get(Path(name).suffix.lower()) is markdown
    return ParsedDocument(_rows(*(markdown if is_markdown else plain)(text)), list(_TAGS), text.encode())


def text_of(path: str | Path) -> str:
    """The text that offsets into a plain text, Markdown or HTML file count in.

    Raises InputError for a file that cannot be read, is not UTF-8 or has another suffix.
    """
    suffix = without_gz(path).suffix
    if suffix.lower() not in READERS:
        raise InputError(
            Problem(str(path), "", f"suffix {suffix!r}", f"expected one of {', '.join(READERS)}")
        )
    return READERS[suffix.lower()](_content(read_bytes(path), str(path)))[0]


def _content(content: bytes, source: str) -> str:
    """A file as characters. A byte order mark is none of them."""
    if not is_utf8(source):
        raise InputError(
            Problem(source, "", "a name that is not UTF-8", "rename the file, or the folder that it is in")
        )
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return decoded(content)
    except Refused:
        for number, line in enumerate(content.split(b"\n"), 1):
            try:
                decoded(line)
            except Refused as refused:
                raise InputError(Problem(source, f"line {number}", *refused.args)) from None
        raise


def _rows(text: str, pieces: list[Piece]) -> Ints:
    """The tree of a document as columns: a section ends where the next of its level or above begins."""
    found = [Element(-1, 0, _DOCUMENT, 1, 0)]
    ends, last = [len(text)], [0]
    opened = [(0, 0)]  # (level of the heading, row) of the root and the open sections
    count: dict[tuple[int, int], int] = {}

    def add(tag: int, start: int, end: int) -> int:
        parent = opened[-1][1]
        position = count[parent, tag] = count.get((parent, tag), 0) + 1
        found.append(Element(parent, found[parent].depth + 1, tag, position, start))
        ends.append(end)
        last.append(len(found))
        return len(found) - 1

    def close(level: int, at: int) -> None:
        """Close all sections of this level and below."""
        while opened[-1][0] >= level:
            _, row = opened.pop()
            ends[row], last[row] = at, len(found)

    for level, start, end in pieces:
        if level:
            close(level, start)
            opened.append((level, add(_SECTION, start, end)))
        add(_TITLE if level else _PARAGRAPH, start, end)
    close(1, len(text))
    last[0] = len(found)

    parents, depths, tags, positions, starts = np.array(found).T
    code = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    width = 1 + (code >= 0x80) + (code >= 0x800) + (code >= 0x10000)
    opens = np.zeros(len(text), dtype=np.int32)
    opens[[word.start() for word in re.finditer(r"\w+", text)]] = 1
    bytes_before, words_before = (sums_before(units) for units in (width, opens))
    columns = {
        **{"parent": parents, "last": np.array(last), "depth": depths, "tag": tags, "position": positions},
        **{"start": starts, "word_start": words_before[starts], "byte_start": bytes_before[starts]},
        **{"end": np.array(ends), "word_end": words_before[ends], "byte_end": bytes_before[ends]},
    }
    return np.stack([columns[name] for name in COLUMNS], axis=1).astype(np.int32)


def text_name(path: str) -> str | None:
    """Name of the text document at a path of an archive, suffix included; None if the file is none."""
    name = plain_path(path)
    return name if Path(name).suffix.lower() in READERS else None


#: what is counted of links to folders, beside suffixes
_FOLDER_LINK = "link to a folder"


def _files(folder: Path) -> tuple[list[str], bool, Counter[str]]:
    """The paths of the text documents of a folder, sorted, whether it holds XML as well, and other files by suffix,
    among them links to folders, which are not gone into; hidden files are left out."""
    found, xml, ignored = [], False, Counter[str]()
    for place, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith(".")]
        ignored[_FOLDER_LINK] += sum(os.path.islink(os.path.join(place, name)) for name in below)
        for name in names:
            suffix = suffix_of(name)
            xml |= suffix in XML_SUFFIXES
            if suffix in READERS and not name.startswith("."):
                found.append(os.path.join(place, name))
            else:
                count_ignored(ignored, name)
    return sorted(found), xml, +ignored


def holds_texts(source: str | Path) -> bool:
    """Whether a source is a text document, or a folder of text documents without any XML document."""
    source = Path(source)
    if source.is_file():
        return suffix_of(source) in READERS
    files, xml, _ = _files(source)
    return bool(files) and not xml


def _documents(source: str | Path) -> tuple[dict[str, Path], Counter[str]]:
    """The file of each text document of a folder, or of one, by names in order; and other files by suffix.

    A name is the path in the folder, with suffix.
    """
    source = Path(source)
    if source.is_file():
        return {without_gz(source).name: source}, Counter()
    files, _, ignored = _files(source)
    begin = len(os.path.join(source, ""))
    named = [(path[begin:].removesuffix(".gz").replace(os.sep, "/"), path) for path in files]
    by_name: dict[str, Path] = {}
    for name, path in sorted(named):
        if name in by_name:
            found = f"the same document name as {by_name[name]}"
            raise InputError(Problem(path, "", found, "rename one of the two files"))
        by_name[name] = Path(path)
    return by_name, ignored


def list_texts(source: str | Path) -> Listing:
    """The text documents of a folder, or of one: names keep the suffix, ``guide/start.md``."""
    found, ignored = _documents(source)
    return Listing(list(found), [path.stat().st_size for path in found.values()], ignored, in_order=True)


def read_texts(
    source: str | Path, wanted: Container[str] | None = None, ignored: Counter[str] | None = None
) -> Iterator[Document]:
    """The text documents, or those of the wanted names, sorted by name. Other files are counted in ``ignored``."""
    found, others = _documents(source)
    if ignored is not None:
        ignored.update(others)
    for name, path in found.items():
        if wanted is None or name in wanted:
            if not path.is_file() and path.exists():  # reading a pipe would wait for ever
                raise InputError(Problem(str(path), "", "a device, pipe or socket", PLAIN_FILES))
            yield Document(name, str(path), read_bytes(path))
