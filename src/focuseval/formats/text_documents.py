r"""Parse plain text, Markdown and HTML into tables of elements.

A document is a tree of ``document`` (the root), ``section`` (from a heading to the next heading of its level or above),
``title`` (the heading) and ``p`` (a paragraph). Headings are ``# …`` to ``###### …`` in Markdown and ``h1`` to ``h6``
in HTML. Plain text has no headings.

The text of a plain text file or a Markdown file is the whole decoded file, including marks and line ends. The text of
HTML is its character data with references resolved, without comments, ``script``, ``style`` and ``template``. A line
end is added where a block element or ``br`` separates texts in one line. `text_of` returns the text of a file.
"""

import io
import re
from array import array
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

from focuseval.errors import InputError, Problem
from focuseval.files import (
    beyond,
    is_utf8,
    largest_document,
    read_bytes,
    suffix_of,
    wide_encoding,
    without_gz,
)
from focuseval.formats.lines import MARK, decoded
from focuseval.formats.parsed import UnusableValue
from focuseval.formats.xml_elements import ParsedDocument, Tree
from focuseval.model.arrays import Ints
from focuseval.model.vocabulary import TEXT_TAGS

#: level (1 to 6 for headings, 0 for paragraphs), start and end of each heading or paragraph
Pieces = Iterable[tuple[int, int, int]]

_DOCUMENT, _SECTION, _TITLE, _PARAGRAPH = range(len(TEXT_TAGS))


#: matches the beginning of a heading or of a fenced code block in Markdown
_MARK = r" {0,3}(?:#{1,6}(?:[ \t]|\r?(?:\n|\Z))|`{3,}(?![^\n]*`)|~{3,})"


def _piece(mark: str) -> re.Pattern[str]:
    """Return a pattern for a line that begins with ``mark``, or for text up to the next such line or blank line."""
    # the outer group is not possessive, because before Python 3.11.5 it would include the next mark
    text = rf"(?:(?!{mark})[^\S\n]*+\S[^\n]*+\n?+)+"
    marked = rf"(?={mark}) {{0,3}}(?P<mark>(?P<one>[#`~])(?P=one)*+)[^\n]*+\n?+"
    return re.compile(rf"(?:[^\S\n]*+\n)*+(?P<piece>{marked}|{text})")


_PLAIN, _MARKDOWN = _piece("(?!)"), _piece(_MARK)

#: HTML elements whose tags end a paragraph
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


def plain(content: str) -> tuple[str, Pieces]:
    """Return the content of a plain text file, and its paragraphs, which blank lines separate."""
    return content, _pieces(_PLAIN, content)


def markdown(content: str) -> tuple[str, Pieces]:
    """Return the content of a Markdown file, and its headings and paragraphs. A fenced code block is a paragraph."""
    return content, _pieces(_MARKDOWN, content)


def _pieces(piece: re.Pattern[str], content: str) -> Pieces:
    """Yield the level, start and end of each heading, code block and paragraph that matches ``piece``."""
    at = 0
    while match := piece.match(content, at):
        start, at = match.span("piece")
        mark = match["mark"] or ""
        if mark[:1] in ("`", "~"):
            closed = rf"^ {{0,3}}{mark[0]}{{{len(mark)},}}+[^\S\n]*+(?:\n|\Z)"
            end = re.compile(closed, re.MULTILINE).search(content, at)
            mark, at = "", end.end() if end else len(content)
        yield len(mark), start, at


class _Html(HTMLParser):
    """A parser that collects the text of HTML, and divides it into headings and paragraphs."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.data = io.StringIO()
        self.pieces = array("i"), array("i"), array("i")
        self.length = self.begun = self.level = self.silent = 0
        self.blank = True
        # whether the current line has text, and whether a line end must precede the next text
        self.same_line = self.divided = False

    def cut(self, level: int = 0) -> None:
        """End the current heading or paragraph, and begin one of this ``level`` (0 for a paragraph)."""
        self.divided = self.same_line
        if not self.blank:
            for column, value in zip(self.pieces, (self.level, self.begun, self.length), strict=True):
                column.append(value)
        self.begun, self.level, self.blank = self.length, level, True

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _WITHOUT_TEXT:
            self.silent += 1
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.cut(_HEADINGS.get(tag, 0))
        elif tag == "br":
            self.divided = self.same_line

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        if tag in _BLOCKS or tag == "br":
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _WITHOUT_TEXT:
            self.silent = max(self.silent - 1, 0)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.cut()

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Read ``<![`` as a comment, as browsers do, because Python's own method often raises an error."""
        return self.parse_bogus_comment(i)

    def handle_data(self, data: str) -> None:
        if self.silent:
            return
        if printed := data.strip():
            before, _, after = data.partition(printed)
            if self.divided and "\n" not in before:
                data = f"{before}\n{data[len(before) :]}"
                self.begun = self.length + len(before) + 1 if self.blank else self.begun
            self.same_line, self.divided, self.blank = "\n" not in after, False, False
        elif "\n" in data:
            self.same_line = self.divided = False
        self.data.write(data)
        self.length += len(data)


def html(content: str) -> tuple[str, Pieces]:
    """Return the text of HTML, and its headings and paragraphs. Tags of block elements separate paragraphs."""
    parser = _Html()
    parser.feed(content)
    if re.match(r"<[!?/a-zA-Z]", parser.rawdata):  # a tag or comment without an end is left out
        parser.rawdata = ""
    parser.close()
    parser.cut()
    return parser.data.getvalue(), zip(*parser.pieces, strict=True)


HTML = (".html", ".htm")
#: for each suffix, a function that returns the text of a file with its headings and paragraphs
READERS: dict[str, Callable[[str], tuple[str, Pieces]]] = {
    ".txt": plain,
    ".md": markdown,
    ".markdown": markdown,
    **dict.fromkeys(HTML, html),
}


def parse_text(content: bytes, source: str, most: int) -> ParsedDocument:
    """Return the elements and the text of a document. ``source`` is its file name, whose suffix determines the format.

    Raises InputError for content that is not UTF-8 or contains NUL, and for more than ``most`` elements. Also raises
    InputError for HTML with more than ``most`` tags and references.
    """
    if suffix_of(source) in HTML and content.count(b"<") + content.count(b"&") > most:
        raise beyond(source, most, "tags and references")
    text, pieces = READERS[suffix_of(source)](_content(content, source))
    rows = _rows(text, islice(pieces, most))
    if len(rows) > most:
        raise beyond(source, most, "elements")
    return ParsedDocument(rows, list(TEXT_TAGS), text.encode())


def text_in(content: bytes, source: str) -> str:
    """Return the text of a plain text, Markdown or HTML document. The suffix of ``source`` determines its format."""
    return READERS[suffix_of(source)](_content(content, source))[0]


def parse_given(text: str, name: str) -> ParsedDocument:
    """Parse a text in memory as Markdown if its ``name`` ends in .md or .markdown, else as plain text."""
    is_markdown = READERS.get(Path(name).suffix.lower()) is markdown
    return ParsedDocument(_rows(*(markdown if is_markdown else plain)(text)), list(TEXT_TAGS), text.encode())


def text_of(path: str | Path) -> str:
    """Return the text of a plain text, Markdown or HTML file. Offsets in gold and runs count its characters.

    Raises InputError for a file that is unreadable, too large or not UTF-8, and for other suffixes.
    """
    if suffix_of(path) not in READERS:
        found = f"the suffix is {without_gz(path).suffix!r}"
        raise InputError.of(str(path), found, f"expected one of {', '.join(READERS)}")
    return text_in(read_bytes(path, largest_document()), str(path))


def _content(content: bytes, source: str) -> str:
    """Decode the content of a file. Raises InputError with the first line that is not UTF-8."""
    if not is_utf8(source):
        raise InputError.of(source, "the file name is not UTF-8", "rename the file, or its folder")
    if encoding := wide_encoding(content):
        raise InputError.of(source, f"the text is in {encoding}", "save the file as UTF-8")
    content = content.removeprefix(MARK)
    for number, line in enumerate(io.BytesIO(content), 1):
        try:
            decoded(line)
        except UnusableValue as error:
            raise InputError(Problem(source, f"line {number}", *error.args)) from None
    return content.decode()


def _rows(text: str, pieces: Pieces) -> Ints:
    """Return the table of a document's elements. Levels of headings in ``pieces`` determine the sections."""
    tree = Tree()
    levels: list[int] = []  # levels of the open sections
    tree.begin(_DOCUMENT, 0)
    for level, start, end in pieces:
        if level:
            while levels and levels[-1] >= level:
                levels.pop()
                tree.end(start)
            levels.append(level)
            tree.begin(_SECTION, start)
        tree.begin(_TITLE if level else _PARAGRAPH, start)
        tree.end(end)
    while tree.open:
        tree.end(len(text))
    return tree.table(text)
