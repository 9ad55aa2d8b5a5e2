"""XML files, read as a stream and without trust.

No network, no external entity, no DTD from elsewhere, and libxml2's limits on depth, on the length of
a text and on the expansion of entities stay in force. Whatever stops the parser becomes an
`InputError` with the file, the line and the way out.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree

from focuseval.errors import InputError, Problem
from focuseval.files import read_bytes, unpacked

_CUT = "the file seems to be cut off: get it again, complete"
_REMEDIES = (
    (("ENTITY_LOOP",), "write the text that the entity stands for"),
    (
        ("RESOURCE_LIMIT",),
        "the parser's limits are kept: write entities out, nest less deeply, or split the text",
    ),
    (
        ("ENCODING", "INVALID_CHAR"),
        "save the file in the encoding that its first line declares (or in UTF-8)",
    ),
    (("NOT_FINISHED", "NOT_STARTED"), _CUT),
    (("DOCUMENT_EMPTY", "DOCUMENT_END"), "expected one well-formed XML document"),
)
_STRING = etree.XPath("string()")
_EXTERNAL = rb"<!ENTITY\s+(?:%%\s+)?%s\s+(?:SYSTEM|PUBLIC)"


def stream(path: str | Path, tags: Sequence[str]) -> Iterator[tuple[str, etree._Element]]:
    """The ``start`` and ``end`` of every element with one of the local names, in document order.

    At the start an element has its attributes; at the end its content as well. It is emptied when
    the next event is asked for, so that memory does not grow with the file.

    Raises
    ------
    InputError
        if the file cannot be read, is not well-formed, names an external or unknown entity, or
        exceeds a limit of libxml2.
    """
    last = 0
    events: etree.iterparse | None = None
    try:
        with unpacked(path) as opened:
            events = etree.iterparse(
                opened,
                events=("start", "end"),
                tag=[f"{{*}}{tag}" for tag in tags],
                resolve_entities="internal",
                no_network=True,
                load_dtd=False,
                huge_tree=False,
            )
            for event, element in events:
                last = line_of(element) or last
                yield event, element
                if event == "end":
                    element.clear()
                    parent = element.getparent()
                    while parent is not None and element.getprevious() is not None:
                        del parent[0]
    except etree.XMLSyntaxError as error:
        raise InputError(_problem(path, events, last)) from error


def local_name(element: etree._Element) -> str:
    """An element's tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def line_of(element: etree._Element) -> int:
    """The line on which an element starts."""
    line: int | None = element.sourceline
    return line or 0


def text_of(element: etree._Element) -> str:
    """All character data of an element, with white space runs as single blanks."""
    text = str(_STRING(element)) if len(element) else element.text or ""
    return " ".join(text.split())


def _problem(path: str | Path, parser: etree.iterparse, last: int) -> Problem:
    """What stopped the parser, where, and what to do about it."""
    entry = next(iter(parser.error_log), None)
    kind = entry.type_name if entry else "ERR_DOCUMENT_EMPTY"
    found = (entry.message if entry else "no element found").strip().removesuffix(".")
    line = entry.line if entry and entry.filename != "<string>" else last
    where = f"line {max(line, 1)}"
    if kind == "ERR_RESOURCE_LIMIT":
        found = found.partition(", ")[0]
    if "UNDECLARED_ENTITY" in kind or "ENTITY_IS_EXTERNAL" in kind:
        return Problem(str(path), where, *_entity(path, found))
    if found.startswith("xmlParseCharRef"):
        return Problem(str(path), where, found, "leave the reference out: it is no character")
    for kinds, remedy in _REMEDIES:
        if any(part in kind for part in kinds):
            return Problem(str(path), where, found, remedy)
    return Problem(
        str(path), where, f"not well-formed: {found}", _CUT if _is_cut(path) else "correct the XML"
    )


def _is_cut(path: str | Path) -> bool:
    """Whether a file ends inside a tag or a text, in whatever encoding."""
    return not read_bytes(path).rstrip(b"\0 \t\r\n").endswith(b">")


def _entity(path: str | Path, message: str) -> tuple[str, str]:
    """What was found and what to do, for an entity that is unknown, or declared outside the file."""
    name = message.partition("'")[2].partition("'")[0]
    with unpacked(path) as opened:
        head = opened.read(1 << 20).replace(b"\0", b"")
    if re.search(_EXTERNAL % re.escape(name.encode()), head):
        return (
            f"external entity '{name}'",
            "external entities are never read: put the text into the file itself",
        )
    return f"unknown entity '{name}'", "write the character itself, or declare the entity in the file"
