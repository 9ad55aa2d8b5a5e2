"""Read source code as documents, with elements named ``file``, ``class``, ``function``, ``block`` and ``line``.

The text of a document is its file, decoded as UTF-8, or as Latin-1 if it is not UTF-8. tree-sitter finds the units of a
file: classes and functions with their decorators, and blocks, which are statements that contain statements
(`languages.toml`). In broken code, only the units that could be parsed are found. A file of an unknown language has
only lines.

A line excludes its line end and surrounding white space. If a unit begins or ends within a line, the line is split
there. A line that equals a unit is omitted.
"""

import json
import os
import re
import sqlite3
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from focuseval.errors import extra
from focuseval.files import LARGEST_TREE, beyond, suffix_of
from focuseval.formats.xml_elements import ParsedDocument, Tree
from focuseval.model.arrays import Ints

TAGS = ["file", "class", "function", "block", "line"]
FILE, CLASS, FUNCTION, BLOCK, LINE = range(5)

#: the kind of unit for each name in `languages.toml` (a signature precedes its function)
_DECLARED = {"class": CLASS, "function": FUNCTION, "block": BLOCK, "signature": (_SIGNATURE := len(TAGS))}


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return the declaration of each programming language in `languages.toml`."""
    return tomllib.loads((files("focuseval.formats") / "languages.toml").read_text("utf-8"))


@cache
def suffixes() -> dict[str, str]:
    """Return the name of the programming language for each file suffix."""
    return {suffix: name for name, language in languages().items() for suffix in language["suffixes"]}


@cache
def _parser(language: str) -> tuple[Any, Any]:
    """Return tree-sitter's parser of a language, and the query that finds units, such as functions."""
    declared = languages()[language]
    like = languages()[declared.get("like", language)]
    package, function = declared["grammar"].split(".")
    with extra("code"):
        tree_sitter = import_module("tree_sitter")
        grammar = tree_sitter.Language(getattr(import_module(package), function)())
    blocks = " ".join(f"({kind})" for kind in like["blocks"].split())
    return tree_sitter.Parser(grammar), tree_sitter.Query(grammar, f"{like['units']}[{blocks}] @block")


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file of source code with its units (such as functions) in preorder. The first unit is the file itself."""

    text: str
    kind: Ints  #: the kind of each unit: `FILE`, `CLASS`, `FUNCTION` or `BLOCK`
    start: Ints  #: the start of each unit in characters
    end: Ints  #: the end of each unit in characters
    names: Sequence[str]  #: the name of each unit, such as ``Class.method``, or "" for files and blocks
    broken: bool = False  #: whether parts of the file could not be parsed
    latin: bool = False  #: whether the file was decoded as Latin-1

    @cached_property
    def _codes(self) -> Ints:
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def _visible(self) -> Ints:
        """The offsets of all characters that are not white space."""
        codes = self._codes
        blank = (codes <= 32) & ((codes == 32) | ((codes >= 9) & (codes <= 13)))
        return np.flatnonzero(~blank)

    @cached_property
    def line_starts(self) -> Ints:
        """The offset in characters at which each line starts, and the length of the text."""
        begins = np.append(0, np.flatnonzero(self._codes == 10) + 1)
        return np.append(begins, len(self.text)) if begins[-1] < len(self.text) else begins

    @property
    def lines(self) -> int:
        """The number of lines in the file."""
        return len(self.line_starts) - 1

    def trimmed(self, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Remove white space at both ends of intervals of the text, and leave out blank intervals."""
        first, last = (np.searchsorted(self._visible, point) for point in (start, end))
        nonempty = last > first
        return self._visible[first[nonempty]], self._visible[last[nonempty] - 1] + 1

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Remove white space at both ends of an interval of the text, unless the interval is blank."""
        first, last = self.trimmed(np.array([start]), np.array([end]))
        return (int(first[0]), int(last[0])) if len(first) else (start, end)

    def lines_of(self, first: int, last: int) -> tuple[int, int]:
        """Return the start of line ``first`` and the end of line ``last``, without surrounding white space.

        Lines are numbered from 1. A blank first or last line keeps its white space.
        """
        begin, finish = (self.line_starts[line - 1 : line + 1].tolist() for line in (first, last))
        return self.within(*begin)[0], self.within(*finish)[1]

    def line_pieces(self) -> tuple[Ints, Ints]:
        """Return the starts and ends of ``line`` elements: lines, split at borders of units, except whole units."""
        bounds = np.concatenate([self.line_starts, self.start, self.end])
        points = np.unique(bounds)
        start, end = self.trimmed(points[:-1], points[1:])
        stride = len(self.text) + 1
        alone = ~np.isin(start * stride + end, self.start * stride + self.end)
        return start[alone], end[alone]


class _Unit(NamedTuple):
    """A unit of a source file, such as a function. Its end is negated, so that sorted units are in preorder."""

    start: int
    minus_end: int
    kind: int
    name: str


#: version of the cache, to be increased when units are found in another way
_CACHE_VERSION = 2

#: size in bytes above which the cache is deleted
_CACHE_LIMIT = 1 << 30


class Parses:
    """A context manager that caches the units (such as functions) of source files on disk.

    Files are parsed without the cache if it cannot be read or written.
    """

    def __init__(self) -> None:
        self._cache: sqlite3.Connection | None = None
        self._new: list[tuple[bytes, str]] = []

    def __enter__(self) -> Self:
        with suppress(OSError, RuntimeError, sqlite3.Error):
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "focuseval")
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / "parses.sqlite"
            if file.exists() and file.stat().st_size > _CACHE_LIMIT:
                file.unlink()
            self._cache = sqlite3.connect(file, timeout=1)
            table = "parses (key BLOB PRIMARY KEY, units TEXT) WITHOUT ROWID"
            self._cache.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        return self

    def __exit__(self, *raised: object) -> None:
        if self._cache is not None:
            with suppress(sqlite3.Error), self._cache:
                self._cache.executemany("INSERT OR REPLACE INTO parses VALUES (?, ?)", self._new)
            self._cache.close()

    def units(self, content: bytes, language: str) -> tuple[list[_Unit], bool]:
        """Return the units of a source file, and whether parts of the file could not be parsed.

        The units are unsorted. Their names do not include the names of enclosing units.
        """
        if self._cache is None:
            return _units_in(content, language)
        key = blake2b(content, key=_settings_hash(language), digest_size=20).digest()
        row = None
        try:
            row = self._cache.execute("SELECT units FROM parses WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:  # the cache is damaged, or another process writes to it
            self._cache = None
        check, _, saved = str(row[0]).partition(" ") if row else ("", "", "")
        if row and check == _checksum(saved):
            units, broken = json.loads(saved)
            return [_Unit(*unit) for unit in units], broken
        units_and_errors = _units_in(content, language)
        text = json.dumps(units_and_errors)
        self._new.append((key, f"{_checksum(text)} {text}"))
        return units_and_errors


def _checksum(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


@cache
def _settings_hash(language: str) -> bytes:
    """Return a hash of everything that determines which units are found, such as the version of the grammar."""
    declared = languages()[language]
    package = declared["grammar"].partition(".")[0].replace("_", "-")
    versions = [version(name) for name in ("tree-sitter", package)]
    everything = _CACHE_VERSION, declared, languages()[declared.get("like", language)], versions
    return blake2b(repr(everything).encode()).digest()


_NO_CACHE = Parses()


def read_source(content: bytes, name: str, parses: Parses = _NO_CACHE) -> SourceFile:
    """Read the text and the units of a source file. The suffix of ``name`` determines its language."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text, latin = content.decode(), False
    except UnicodeDecodeError:
        text, latin = content.decode("latin-1"), True
        content = text.encode()
    units, broken = [_Unit(0, -len(content), FILE, "")], False
    if language := suffixes().get(suffix_of(name)):
        file_units, broken = parses.units(content, language)
        units = _qualified(sorted([*units, *file_units]))
    columns = np.array([unit[:3] for unit in units], dtype=np.int64)
    start, end = columns[:, 0], np.minimum(-columns[:, 1], len(content))
    if len(text) < len(content):
        begins = np.frombuffer(content, np.uint8) & 0xC0 != 0x80  # bytes at which a character begins
        start, end = (np.append(0, np.cumsum(begins))[point] for point in (start, end))
    return SourceFile(text, columns[:, 2], start, end, [unit.name for unit in units], broken, latin)


def _units_in(content: bytes, language: str) -> tuple[list[_Unit], bool]:
    """Return the units of a source file, and whether parts of the file could not be parsed.

    The units are unsorted. Their names do not include the names of enclosing units.
    """
    parser, query = _parser(language)
    from tree_sitter import QueryCursor

    root = parser.parse(content + b"\n").root_node  # some grammars need a final newline
    blocks, outermost = [], dict[int, _Unit]()
    for _, captured in QueryCursor(query).matches(root):
        kind, [node] = next((_DECLARED[name], nodes) for name, nodes in captured.items() if name in _DECLARED)
        if node.end_byte == node.start_byte:  # an empty node that the parser inserted into broken code
            continue
        unit = _Unit(node.start_byte, -node.end_byte, kind, "")
        if kind == BLOCK:
            blocks.append(unit)
            continue
        name_node = captured["name"][0]
        before = outermost.setdefault(name_node.start_byte, unit)
        parts = [_plain(part[0]) for part in (captured.get("owner"), captured["name"]) if part]
        outermost[name_node.start_byte] = min(before, unit)._replace(name=".".join(parts))
    return [*blocks, *outermost.values()], root.has_error


def _plain(node: Any) -> str:
    """Return the name in a node of the syntax tree, without type parameters, pointers and quotes."""
    name = node.text.decode(errors="replace").replace("::", ".")
    return name if "operator" in name else re.sub(r"<.*>|\[.*\]|[\s*&'\"]", "", name)


def _qualified(units: list[_Unit]) -> list[_Unit]:
    """Add names of enclosing units to the names of sorted units. Join signatures to the functions that follow."""
    whole: list[_Unit] = []
    around: list[_Unit] = []
    for unit in units:
        while around and -around[-1].minus_end <= unit.start:
            around.pop()
        if unit.name:
            above = next((outer.name for outer in reversed(around) if outer.name), "")
            unit = unit._replace(name=f"{above}.{unit.name}" if above else unit.name)
        around.append(unit)
        if whole and (whole[-1].kind, whole[-1].name) == (_SIGNATURE, unit.name) and unit.kind != CLASS:
            unit = unit._replace(start=whole.pop().start)
        whole.append(unit)
    return [unit._replace(kind=FUNCTION) if unit.kind == _SIGNATURE else unit for unit in whole]


def parse(content: bytes, source: str, most: int = LARGEST_TREE) -> ParsedDocument:
    """Return the elements and the text of a file of source code.

    ``source`` is the file's name. Raises InputError for more than ``most`` elements.
    """
    return parsed(read_source(content, source), source, most)


def parsed(source: SourceFile, name: str, most: int = LARGEST_TREE) -> ParsedDocument:
    """Return the elements and the text of a file that `read_source` returns.

    ``name`` is the file's name in messages. Raises InputError for more than ``most`` elements.
    """
    begin, finish = source.line_pieces()
    start, end = np.append(source.start, begin), np.append(source.end, finish)
    tag = np.append(source.kind, np.full(len(begin), LINE))
    if len(start) > most:
        raise beyond(name, most, "elements")
    tree, open_ends = Tree(), list[int]()
    order = np.lexsort((tag, -end, start))
    for begins, ends, kind in zip(*(column[order].tolist() for column in (start, end, tag)), strict=True):
        while open_ends and open_ends[-1] <= begins:
            tree.end(open_ends.pop())
        tree.begin(kind, begins)
        open_ends.append(ends)
    while open_ends:
        tree.end(open_ends.pop())
    return ParsedDocument(tree.table(source.text), list(TAGS), source.text.encode())


def text_in(content: bytes, source: str) -> str:
    """Return the text of a file of source code."""
    return read_source(content, "").text
