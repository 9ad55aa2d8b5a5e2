"""Source code as documents: a tree of ``file``, ``class``, ``function``, ``block`` and ``line``.

The text of a document is its file, decoded: UTF-8, or Latin-1 if it is not that. Classes and functions stand where
tree-sitter finds them (`languages.toml` says what they are in each language), with their decorators; blocks are
statements that hold others. A line is without the white space around it and has no line end; where a unit begins or
ends within it, it is the pieces on both sides, and none where a unit is all of it. Code that cannot be parsed gives
what was parsed; a file of no known language has lines only.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from focuseval.errors import extra
from focuseval.files import LARGEST_TREE, beyond, suffix_of
from focuseval.formats.xml_elements import ParsedDocument, with_words_and_bytes
from focuseval.model.arrays import Ints

TAGS = ["file", "class", "function", "block", "line"]
FILE, CLASS, FUNCTION, BLOCK, LINE = range(5)


@cache
def languages() -> dict[str, dict[str, Any]]:
    """What is declared of each language, by name."""
    return tomllib.loads((files("focuseval.formats") / "languages.toml").read_text("utf-8"))


@cache
def suffixes() -> dict[str, str]:
    """The language of files with these suffixes."""
    return {suffix: name for name, language in languages().items() for suffix in language["suffixes"]}


@cache
def _parser(language: str) -> tuple[Any, Any]:
    """The parser of a language, and the query for its units."""
    declared = languages()[language]
    like = languages()[declared.get("like", language)]
    package, function = declared["grammar"].split(".")
    with extra("code"):
        tree_sitter = import_module("tree_sitter")
        grammar = tree_sitter.Language(getattr(import_module(package), function)())
    blocks = " ".join(f"({kind})" for kind in like["blocks"].split())
    return tree_sitter.Parser(grammar), tree_sitter.Query(grammar, f"{like['units']}[{blocks}] @block")


@dataclass(frozen=True, eq=False)
class Source:
    """A file of source code: its units (U) in preorder, the first of which is the file itself."""

    text: str
    kind: Ints  #: (U,) `FILE`, `CLASS`, `FUNCTION` or `BLOCK`
    start: Ints  #: (U,) characters
    end: Ints  #: (U,)
    names: Sequence[str]  #: (U,) ``Class.method``; those of files and blocks are empty
    broken: bool = False  #: whether some of it could not be parsed
    latin: bool = False  #: whether it is not UTF-8, and was read as Latin-1

    @cached_property
    def _codes(self) -> Ints:
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def _visible(self) -> Ints:
        """The places of characters that are no white space."""
        codes = self._codes
        blank = (codes <= 32) & ((codes == 32) | ((codes >= 9) & (codes <= 13)))
        return np.flatnonzero(~blank)

    @cached_property
    def line_starts(self) -> Ints:
        """(L + 1,) where each line begins, in characters, and where the text ends."""
        begins = np.append(0, np.flatnonzero(self._codes == 10) + 1)
        return np.append(begins, len(self.text)) if begins[-1] < len(self.text) else begins

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return len(self.line_starts) - 1

    def trimmed(self, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """The intervals without white space around them; those of white space alone are left out."""
        first, last = (np.searchsorted(self._visible, point) for point in (start, end))
        kept = last > first
        return self._visible[first[kept]], self._visible[last[kept] - 1] + 1

    def line_pieces(self) -> tuple[Ints, Ints]:
        """Start and end of the elements ``line``."""
        bounds = np.concatenate([self.line_starts, self.start, self.end])
        points = np.unique(bounds)
        start, end = self.trimmed(points[:-1], points[1:])
        stride = len(self.text) + 1
        alone = ~np.isin(start * stride + end, self.start * stride + self.end)
        return start[alone], end[alone]


class _Unit(NamedTuple):
    """A unit, in the order of `Source`: outer ones first."""

    start: int
    minus_end: int
    kind: int
    name: str


def read_source(content: bytes, name: str) -> Source:
    """The units of a file, in the language that the suffix of its name tells."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text, latin = content.decode(), False
    except UnicodeDecodeError:
        text, latin = content.decode("latin-1"), True
        content = text.encode()
    units, broken = [_Unit(0, -len(content), FILE, "")], False
    if language := suffixes().get(suffix_of(name)):
        parser, query = _parser(language)
        root = parser.parse(content + b"\n").root_node  # some grammars want the last line to end
        broken = root.has_error
        units = _qualified(sorted([*units, *_units(query, root)]))
    columns = np.array([unit[:3] for unit in units], dtype=np.int64)
    start, end = columns[:, 0], np.minimum(-columns[:, 1], len(content))
    if len(text) < len(content):
        begins = np.frombuffer(content, np.uint8) & 0xC0 != 0x80  # the bytes that begin a character
        start, end = (np.append(0, np.cumsum(begins))[point] for point in (start, end))
    return Source(text, columns[:, 2], start, end, [unit.name for unit in units], broken, latin)


def _units(query: Any, root: Any) -> Iterable[_Unit]:
    """The classes, functions and blocks of a tree, in no order, by their own names."""
    from tree_sitter import QueryCursor

    blocks, outermost = [], dict[int, _Unit]()
    for _, captured in QueryCursor(query).matches(root):
        kind = next(kind for kind in (CLASS, FUNCTION, BLOCK) if TAGS[kind] in captured)
        [node] = captured[TAGS[kind]]
        if node.end_byte == node.start_byte:  # what is missing in broken code
            continue
        unit = _Unit(node.start_byte, -node.end_byte, kind, "")
        if kind == BLOCK:
            blocks.append(unit)
            continue
        named = captured["name"][0]
        before = outermost.setdefault(named.start_byte, unit)
        parts = [_plain(part[0]) for part in (captured.get("owner"), captured["name"]) if part]
        outermost[named.start_byte] = min(before, unit)._replace(name=".".join(parts))
    return [*blocks, *outermost.values()]


def _plain(node: Any) -> str:
    """A name without type parameters, pointers and quotes; its parts are separated by dots."""
    name = node.text.decode(errors="replace").replace("::", ".")
    return name if "operator" in name else re.sub(r"<.*>|\[.*\]|[\s*&'\"]", "", name)


def _qualified(units: list[_Unit]) -> list[_Unit]:
    """The sorted units by the names of those that hold them, and their own."""
    found: list[_Unit] = []
    around: list[_Unit] = []
    for unit in units:
        while around and -around[-1].minus_end <= unit.start:
            around.pop()
        if unit.name:
            above = next((outer.name for outer in reversed(around) if outer.name), "")
            unit = unit._replace(name=f"{above}.{unit.name}" if above else unit.name)
        around.append(unit)
        found.append(unit)
    return found


def parse(content: bytes, source: str, entities: object = None, most: int = LARGEST_TREE) -> ParsedDocument:
    """Elements and text of one file. Raises InputError for more than ``most`` elements."""
    return parsed(read_source(content, source), source, most)


def parsed(source: Source, name: str, most: int = LARGEST_TREE) -> ParsedDocument:
    """Elements and text of a file that was read. Raises InputError for more than ``most`` elements."""
    begin, finish = source.line_pieces()
    start, end = np.append(source.start, begin), np.append(source.end, finish)
    tag = np.append(source.kind, np.full(len(begin), LINE))
    if len(start) > most:
        raise beyond(name, most, "elements")
    order = np.lexsort((tag, -end, start))
    start, end, tag = start[order], end[order], tag[order]
    last = np.searchsorted(start, end)
    last[0] = len(start)  # also of an empty file
    rows = np.arange(len(start))
    depth = rows - np.cumsum(np.bincount(last, minlength=len(start) + 1))[:-1]
    parent = np.full(len(start), -1)
    for level in range(1, depth.max() + 1):
        here, above = np.flatnonzero(depth == level), np.flatnonzero(depth == level - 1)
        parent[here] = above[np.searchsorted(above, here) - 1]
    by_parent = np.lexsort((rows, tag, parent))
    group = (parent * len(TAGS) + tag)[by_parent]
    first = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    position = np.empty_like(rows)
    position[by_parent] = rows - np.repeat(first, np.diff(np.append(first, len(rows)))) + 1
    tree = np.stack([parent, last, depth, tag, position, start, end], axis=1)
    return ParsedDocument(with_words_and_bytes(tree, source.text), list(TAGS), source.text.encode())


def text_in(content: bytes, source: str, entities: object = None) -> str:
    """The text of one file."""
    return read_source(content, "").text
