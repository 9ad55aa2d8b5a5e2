"""Parse XML documents into tables of their elements.

Most documents are plain: they are in UTF-8 and use only XML's five entities. Expat checks plain documents, and NumPy
finds their elements. The entities of HTML are replaced first. libxml2 makes other documents plain by resolving their
entities. Neither the network nor other files are read.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html.entities import html5
from itertools import count
from typing import NamedTuple
from xml.parsers import expat

import numpy as np
from lxml import etree

from focuseval.errors import LENIENT, InputError, Problem, Sentence
from focuseval.files import LARGEST_TREE, beyond, limit, wide_encoding
from focuseval.formats.xml_tags import BEGINS, ENDS, split_at_tags
from focuseval.model.arrays import Bools, Ints, place_in_group, sums_before
from focuseval.model.elements import borders_in, looked_up

#: the columns of a table of elements, with offsets in characters, words and bytes
COLUMNS = (
    "parent", "last", "depth", "tag", "position", "start", "end",
    "word_start", "word_end", "byte_start", "byte_end",
)  # fmt: skip
#: maximum depth of nested elements, as in libxml2
MAX_DEPTH = 256

_XML_ENTITIES = frozenset((b"lt", b"gt", b"amp", b"quot", b"apos"))
_ENCODING = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml\s[^>]*?(\sencoding\s*=\s*["']([^"']*)["'])""")
#: matches an XML declaration whose version libxml2 refuses, although expat accepts it
_OTHER_VERSION = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml\s+version\s*=\s*["'](?!1\.[0-9]*["'])""")
_REFERENCE = re.compile(rb"""&([^\s;&<#"']+);""")
_ENTITY = re.compile(
    rb"""<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"""
    rb"""|<!ENTITY\s+(?P<declared>[^\s%"'<>]+)(?P<external>\s+(?:SYSTEM|PUBLIC)\s)?"""
    rb"""|&(?P<name>[^\s;&<#"']+);""",
    re.DOTALL,
)

#: remedies for XML that cannot be read
CORRECT, CUT = "correct the XML", "the file seems to be incomplete, so get it again"
#: remedies for errors of libxml2, by parts of the errors' names
_REMEDIES = (
    (("ENTITY_LOOP",), "replace the entity, which contains itself, by text"),
    (("RESOURCE_LIMIT",), "replace entities with their text, nest less deeply, or split the text"),
    (
        ("ENCODING", "INVALID_CHAR"),
        "save the file in UTF-8 without control characters, and declare no other encoding in its first line",
    ),
    (("NOT_FINISHED", "NOT_STARTED"), CUT),
    (("DOCUMENT_EMPTY", "DOCUMENT_END"), "expected one well-formed XML document"),
)


class Document(NamedTuple):
    """A document of a collection before it is parsed."""

    name: str
    source: str  #: the document's place in messages: the collection, and the path in it
    xml: bytes
    file: str  #: path of the archive or file that contains the document
    allowed: int  #: maximum number of elements in this archive or file

    @property
    def most(self) -> int:
        """The maximum number of elements in the document."""
        return min(self.allowed, limit(LARGEST_TREE))


@dataclass(frozen=True)
class ParsedDocument:
    """The elements and the text of one document."""

    rows: Ints  #: the `COLUMNS`, with a row for each element, in preorder
    tags: list[str]  #: distinct tags without prefixes (the column ``tag`` has their indexes)
    text: bytes  #: the document's text without tags, in UTF-8


class Tree:
    """A builder of the table of a document's elements, from the start and the end of each element."""

    def __init__(self) -> None:
        self.tags: list[int] = []  #: the tag of each element, in order of starts
        self.marks: list[int] = []  #: the offset of each start, and the inverted offset (``~``) of each end

    @property
    def open(self) -> int:
        """The number of elements that have begun and not ended."""
        return 2 * len(self.tags) - len(self.marks)

    def begin(self, tag: int, start: int) -> None:
        """Start an element with the tag number ``tag`` at the offset ``start``."""
        self.tags.append(tag)
        self.marks.append(start)

    def end(self, end: int) -> None:
        """End the innermost open element at the offset ``end``."""
        self.marks.append(~end)

    def table(self, text: str) -> Ints:
        """Return the table of all elements. Their offsets must count characters of the document's ``text``."""
        marks = np.array(self.marks, dtype=np.int64)
        begins = marks >= 0
        places = np.where(begins, marks, ~marks)
        return table(text, np.array(self.tags, dtype=np.int32), begins, places, bytes_before(text, places))


def table(text: str, tag: Ints, begins: Bools, places: Ints, sizes: Ints, *, xml: bool = False) -> Ints:
    """Return the table of a document's elements from sorted marks, one at the start and one at the end of each element.

    ``tag`` has the tag number of each element. ``begins`` states whether each mark is a start. ``places`` and ``sizes``
    are the offsets of the marks in characters and in bytes. If ``xml`` is true, tags also end words.
    """
    # the start and end marks of an element both carry its level (0 for the root)
    level = np.cumsum(np.where(begins, 1, -1)) - begins
    # the marks of each level alternate between starts and ends
    narrow = level.astype(np.min_scalar_type(level.max()))  # NumPy sorts narrow integers faster
    first, last = np.argsort(narrow, kind="stable").reshape(-1, 2).T
    keys = level[first] * len(level) + first
    # the parent of an element is the last earlier element one level above it
    above = np.searchsorted(keys, keys - len(level)) - 1
    before = np.cumsum(begins)  # number of elements that start at or before each mark
    parent, ends = np.empty((2, len(tag)), dtype=np.int64)
    row = before[first] - 1
    parent[row], ends[row] = np.where(level[first] > 0, row[above], -1), last
    start, end = places[begins], places[ends]
    family = parent * (int(tag.max()) + 1) + tag
    siblings = np.argsort(family, kind="stable")
    position = np.empty_like(tag)
    position[siblings] = place_in_group(family[siblings]) + 1
    borders = borders_in(text, parent, start, end) if xml else places[:0]
    words = words_before(text, places, borders)
    columns = (parent, before[ends], level[begins], tag, position, start, end)
    units = (words[begins], words[ends], sizes[begins], sizes[ends])
    return np.stack([*columns, *units], dtype=np.int32, casting="same_kind").T


@cache
def word_characters() -> Bools:
    r"""Return whether each Unicode code point can be part of a word (``\w``)."""
    known = np.zeros(0x110000, dtype=np.bool_)
    every = np.arange(len(known), dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for run in re.finditer(r"\w+", every):
        known[run.start() : run.end()] = True
    return known


def words_before(text: str, places: Ints, borders: Ints) -> Ints:
    """Count the words of a text that start before each offset in ``places``.

    Words also end at ``borders``, which are sorted offsets.
    """
    word = looked_up(word_characters(), text)
    begins = word.copy()
    begins[1:] &= ~word[:-1]
    inside = borders[borders < len(text)]
    begins[inside] = word[inside]
    return sums_before(begins)[places]


def bytes_before(text: str, places: Ints) -> Ints:
    """Convert offsets in the characters of a text to offsets in its UTF-8 bytes."""
    if text.isascii():
        return places
    continues = np.flatnonzero(np.frombuffer(text.encode(), np.uint8) & 0xC0 == 0x80)
    # for each continuation byte, the index of its character
    character = continues - np.arange(1, len(continues) + 1)
    return places + np.searchsorted(character, places)


@dataclass(frozen=True)
class ParsedDocuments:
    """The elements of several documents, in one table."""

    names: list[str]  #: names of the parsed documents, in order
    elements: Ints  #: number of elements in each document
    columns: dict[str, Ints]  #: the `COLUMNS`, with a row for each element of all documents
    tags: list[str]  #: distinct tags without prefixes (the column ``tag`` has their indexes)
    problems: list[Problem]  #: why other documents could not be parsed


def parse_documents(
    documents: Iterable[Document], parse: Callable[[bytes, str, int], ParsedDocument]
) -> ParsedDocuments:
    """Parse documents with the function ``parse``, and join their tables of elements.

    Unreadable documents are left out, and their problems are returned. Raises InputError if an archive has too many
    elements.
    """
    names: list[str] = []
    tables: list[Ints] = [np.empty((0, len(COLUMNS)), dtype=np.int32)]
    problems: list[Problem] = []
    tags: dict[str, int] = {}
    tag_column = COLUMNS.index("tag")
    element_counts = Counter[str]()
    for document in documents:
        try:
            parsed = parse(document.xml, document.source, document.most)
        except InputError as error:
            problems.extend(error.problems)
            continue
        element_counts[document.file] += len(parsed.rows)
        if element_counts[document.file] > document.allowed:
            raise beyond(document.file, document.allowed, "elements")
        codes = np.array([tags.setdefault(tag, len(tags)) for tag in parsed.tags], dtype=np.int32)
        parsed.rows[:, tag_column] = codes[parsed.rows[:, tag_column]]
        names.append(document.name)
        tables.append(parsed.rows)
    elements = np.array([len(table) for table in tables[1:]], dtype=np.int64)
    columns = dict(zip(COLUMNS, np.concatenate([table.T for table in tables], axis=1), strict=True))
    return ParsedDocuments(names, elements, columns, list(tags), problems)


def parse_document(xml: bytes, source: str, most: int = LARGEST_TREE) -> ParsedDocument:
    """Return the elements and the text of an XML document, which may use HTML's entities.

    Raises InputError for XML that is not well-formed or not in its encoding, and for external or undefined entities.
    Also raises InputError if the document exceeds the limits on entities, on depth (`MAX_DEPTH`), or on the number of
    elements (``most``).
    """
    xml = _in_utf8(xml)
    if not _XML_ENTITIES.issuperset(_REFERENCE.findall(xml)):
        _refuse_many(xml, source, most)
        xml = _with_entities(xml, source)
    parsed = _if_plain(xml, source, most)
    if parsed is None:
        _refuse_many(xml, source, most)
        parsed = _by_expat(_plain(xml, source), source, most)
    if parsed is None:
        raise InputError.of(source, "libxml2 could not resolve an entity", "replace the entity with its text")
    return parsed


def _refuse_many(xml: bytes, source: str, most: int) -> None:
    """Raise InputError if a document has more tags or references than ``most``."""
    if max(xml.count(b"<") // 2, xml.count(b"&")) > most:
        raise beyond(source, most, "tags or references")


def _if_plain(xml: bytes, source: str, most: int) -> ParsedDocument | None:
    """Parse well-formed XML 1.x in UTF-8 that declares no entity, or return None for other documents."""
    declared = _ENCODING.match(xml)
    if declared is not None and declared[2].lower() not in (b"utf-8", b"us-ascii"):
        return None
    if _OTHER_VERSION.match(xml):
        return None
    return None if b"<!ENTITY" in xml else _by_expat(xml, source, most)


def _by_expat(xml: bytes, source: str, most: int) -> ParsedDocument | None:
    """Parse a document in UTF-8, or return None if expat does not accept it."""
    try:
        if xml.count(b"<") <= most:
            expat.ParserCreate(encoding="utf-8", namespace_separator=" ").Parse(xml, True)
            marked, names = split_at_tags(xml) or _by_callbacks(xml, source, most)
        else:
            marked, names = _by_callbacks(xml, source, most)
    except expat.ExpatError:
        return None
    content = np.frombuffer(marked, np.uint8)
    marks = np.flatnonzero(content <= ord(ENDS))
    begins = content[marks] == ord(BEGINS)
    more = np.flatnonzero(content & 0xC0 == 0x80)  # offsets of continuation bytes of characters
    sizes = marks - np.arange(len(marks))
    places = sizes - np.searchsorted(more, marks)
    index_of = defaultdict[bytes, int](count().__next__)  # gives each new name the next index
    numbers = np.fromiter(map(index_of.__getitem__, names), np.int32, len(names))
    tags: dict[str, int] = {}
    tag_of = np.array([tags.setdefault(_local_name(name), len(tags)) for name in index_of], np.int32)
    text = marked.translate(None, BEGINS + ENDS)
    rows = table(text.decode(), tag_of[numbers], begins, places, sizes, xml=True)
    if int(rows[:, COLUMNS.index("depth")].max()) >= MAX_DEPTH:
        found = f"elements are nested more than {MAX_DEPTH} levels deep"
        raise InputError.of(source, found, Sentence("correct the document, or skip it (", LENIENT, ")"))
    return ParsedDocument(rows, list(tags), text)


def _by_callbacks(xml: bytes, source: str, most: int) -> tuple[bytes, list[bytes]]:
    """Split any document like `split_at_tags`, but more slowly. Raises ExpatError if it is not well-formed."""
    pieces, names = list[bytes](), list[bytes]()

    def begin(name: str, _: object) -> None:
        if len(names) == most:
            raise beyond(source, most, "elements")
        names.append(name.encode())
        pieces.append(BEGINS)

    parser = expat.ParserCreate(encoding="utf-8", namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _: pieces.append(ENDS)
    parser.CharacterDataHandler = lambda text: pieces.append(text.encode())
    parser.Parse(xml, True)
    return b"".join(pieces), names


@lru_cache(1024)
def _local_name(name: bytes) -> str:
    """Return a tag without < and without its prefix or the namespace that expat puts before it."""
    return re.split(b"[ :<]", name)[-1].decode()


def _in_utf8(xml: bytes) -> bytes:
    """Convert a document from UTF-16 or UTF-32 to UTF-8. Return other documents unchanged."""
    encoding = wide_encoding(xml)
    if encoding is None:
        return xml
    try:
        xml = xml.decode(encoding).encode()
    except UnicodeDecodeError:
        return xml
    declared = _ENCODING.match(xml)
    return xml[: declared.start(1)] + xml[declared.end(1) :] if declared else xml


def _plain(xml: bytes, source: str) -> bytes:
    """Rewrite a document in UTF-8 with libxml2, with resolved entities, and without DTD, comments and CDATA."""
    parser = etree.XMLParser(
        no_network=True,
        load_dtd=False,
        resolve_entities="internal",
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as error:
        log: Sequence[etree._LogEntry] = [e for e in parser.error_log if e.level >= etree.ErrorLevels.ERROR]
        report = dict.fromkeys((entry.line, *fault(entry)) for entry in log)
        skip = Sentence(" (to skip the document, set ", LENIENT, ")")
        problems = [
            Problem(source, f"line {line}", found, Sentence(remedy, skip)) for line, found, remedy in report
        ]
        raise InputError(problems) from error
    return etree.tostring(root, encoding="utf-8", with_tail=False)


def fault(entry: etree._LogEntry) -> tuple[str, str]:
    """Return the problem in XML that an entry in the log of libxml2 reports, and the remedy."""
    message, kind = entry.message.strip().removesuffix("."), entry.type_name
    if message.startswith("xmlParseCharRef"):
        return (
            f"the reference &#{message.split()[-1]}; does not stand for a valid character",
            "remove the reference",
        )
    remedy = next((remedy for kinds, remedy in _REMEDIES if any(part in kind for part in kinds)), CORRECT)
    if kind == "ERR_RESOURCE_LIMIT":
        return f"the XML exceeds a limit of the parser ({message.partition(', ')[0]})", remedy
    return f"the XML cannot be read ({message})", remedy


def _with_entities(xml: bytes, source: str) -> bytes:
    """Replace HTML's entities by character references, unless the document defines these entities.

    Raises InputError with the first reference to each undefined or external entity.
    """
    internal = set(_XML_ENTITIES)
    external: set[bytes] = set()
    for match in _ENTITY.finditer(xml):
        if match["declared"]:
            (external if match["external"] else internal).add(match["declared"])
    external -= internal
    problems: dict[bytes, Problem] = {}  # the first problem of each faulty reference
    line, counted = 1, 0

    def report(match: re.Match[bytes], found: str, expected: str) -> bytes:
        nonlocal line, counted
        line, counted = line + xml.count(b"\n", counted, match.start()), match.start()
        problems.setdefault(match[0], Problem(source, f"line {line}", found, expected))
        return match[0]

    def replace(match: re.Match[bytes]) -> bytes:
        name = match["name"]
        if name is None or name in internal:
            return match[0]
        shown = name.decode("utf-8", "replace")
        if name in external:
            return report(
                match, f"the external entity &{shown}; is not read", "replace the entity with its text"
            )
        characters = html5.get(f"{shown};")
        if characters is None:
            return report(
                match,
                f"the entity &{shown}; is not defined",
                "define the entity in the DOCTYPE of the document, or correct its name",
            )
        return b"".join(b"&#%d;" % ord(character) for character in characters)

    resolved = _ENTITY.sub(replace, xml)
    if problems:
        raise InputError(list(problems.values()))
    return resolved
