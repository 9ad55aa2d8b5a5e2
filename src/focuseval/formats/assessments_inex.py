"""What INEX's assessment files of all years share: topics, files, and judgements inside them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from lxml import etree

from focuseval.formats.assessed import Assessed
from focuseval.formats.raw import Refused
from focuseval.formats.xmlfile import line_of, local_name, stream

#: reads one judgement: its element and line
Judge = Callable[[Assessed, etree._Element, int], None]


def read_judgements(path: Path, into: Assessed, tags: Sequence[str], judge: Judge) -> None:
    """Read ``<assessments topic><file file|name> … </file></assessments>``.

    Every element with one of the tags is given to ``judge``, which adds rows or raises `Refused`.
    A file without judgements is an assessed document with nothing relevant in it.
    """
    into.open(path)
    empty = False
    for event, element in stream(path, ("assessments", "file", *tags)):
        name, line = local_name(element), line_of(element)
        try:
            if name in tags:
                empty = False
                if event == "end":
                    judge(into, element, line)
            elif event == "start":
                if name == "assessments":
                    into.topic(element.get("topic"), element.get("pool"))
                else:
                    into.document(element.get("name", element.get("file")))
                    empty = True
            elif name == "file" and empty:
                into.nothing_relevant(line)
                empty = False
        except Refused as refused:
            into.refuse(line, refused)


def grade(text: str | None, what: str) -> float:
    """A grade from 0 to 3."""
    if text not in ("0", "1", "2", "3"):
        raise Refused(f"{what} is {text!r}", "expected 0, 1, 2, 3 or U")
    return float(text)


def both_or_none(exhaustivity: float, specificity: float, found: str) -> None:
    """Refuse a judgement on 0-3 scales with only one dimension at zero."""
    if (exhaustivity == 0) != (specificity == 0):
        raise Refused(f"{found}: only one of them is zero", "expected both zero, or both above")
