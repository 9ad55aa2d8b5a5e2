"""``focuseval locate``: find the offsets of chunks that are given as text."""

import argparse
import json
from pathlib import Path
from typing import IO, Any

from focuseval.cli.common import call, declare, deliver, list_problems, note, require
from focuseval.errors import InputError, Problem, problem_lines


def add(commands: Any) -> None:
    """Declare the command ``focuseval locate`` and its options."""
    locate = commands.add_parser(
        "locate",
        help="find chunks in their documents, and add offsets",
        description="Add start and end to JSON lines that have a document and a text. The exit status is 0 if all are "
        "located, 1 if some are not (these are reported and left out), and 2 if an input cannot be used.",
    )
    locate.add_argument(
        "chunks", type=Path, metavar="CHUNKS",
        help='JSON lines with "text" and, if known, "document"; or a table or data set (docs/formats.md)',
    )  # fmt: skip
    locate.add_argument(
        "--part", choices=("gold", "run"),
        help="texts of a data set to locate: gold is what should be retrieved, run is what was retrieved",
    )  # fmt: skip
    locate.add_argument(
        "--documents",
        type=Path,
        metavar="PATH",
        help="a folder or archive of documents",
    )
    declare(locate, "output", help="write to this file instead of printing")
    locate.add_argument(
        "--order",
        choices=("lines", "none"),
        help="lines: the chunks of a document are in text order, which decides between repeated texts; none: their "
        "order means nothing (default: lines, unless lines have a topic, score, rank or run)",
    )
    locate.add_argument(
        "--normalise",
        choices=("none", "spaces", "hyphenation", "typography"),
        default="none",
        help="spaces: ignore white space and Unicode composition; hyphenation: also ignore hyphens between letters, as "
        "at line ends; typography: also ignore Markdown marks and the kind of quotes, dashes and ellipses; offsets "
        "always refer to the original document",
    )
    locate.add_argument(
        "--fuzzy", type=float, default=1.0, metavar="SHARE",
        help="if a text is not in its document, locate a place with at least this share of the text, such as 0.9, and "
        "add the share and the text there",
    )  # fmt: skip
    locate.add_argument(
        "--repeats", choices=("refuse", "group"), default="refuse",
        help="group: write a line for each occurrence of repeated gold; any one answers the topic (default: refuse)",
    )  # fmt: skip
    locate.add_argument(
        "--header", action="store_true",
        help="allow a first line, such as a title, that the document does not have at this place",
    )  # fmt: skip
    declare(locate, "problems", help="write all problems of lines to this file, including those not shown")
    locate.set_defaults(perform=run, judges=True)


def run(options: argparse.Namespace) -> int:
    """Write the located lines, and report all others. Return 1 if a line could not be located."""
    require(options, "documents")
    from focuseval.chunks.locating import left_out, locate_lines

    lines = _lines_of(options.chunks, options.part)
    located = call(locate_lines, options, lines=lines, source=str(options.chunks))
    list_problems([*located.notes, *located.problems], options.problems)
    for line in problem_lines(located.notes, "use --problems FILE"):
        note(line)
    for line in problem_lines(located.problems, "use --problems FILE"):
        note(f"text not located: {line}")
    deliver(lambda out: _write(located.lines, out), options.output)
    if count := left_out(located):
        note(count)
    return 1 if located.problems else 0


def _lines_of(path: Path, part: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Return the lines or rows of a file as pairs of a place (such as ``line 2``) and a dictionary.

    Raises InputError that lists all unreadable lines.
    """
    from focuseval.formats.chunks import objects_of
    from focuseval.formats.detect import is_table
    from focuseval.formats.parsed import UnusableValue
    from focuseval.formats.tables import items_of

    if is_table(path):
        items, notes = items_of(path, part)
        for deviation, read_as in notes:
            note(f"{path}: {deviation}; {read_as}")
        return items
    lines: list[tuple[str, dict[str, Any]]] = []
    problems = []
    for number, line in objects_of(path):
        if isinstance(line, UnusableValue):
            problems.append(Problem(str(path), f"line {number}", *line.args))
        else:
            lines.append((f"line {number}", line))
    if not lines and not problems:
        problems.append(Problem(str(path), "", "the file has no chunks", "expected at least one JSON line"))
    if problems:
        raise InputError(problems)
    return lines


def _write(lines: list[dict[str, Any]], out: IO[str]) -> None:
    """Write dictionaries as JSON lines. Unpaired surrogates are escaped, because UTF-8 does not have them."""
    for line in lines:
        out.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace").decode() + "\n")
