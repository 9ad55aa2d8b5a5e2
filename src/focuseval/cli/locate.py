"""``focuseval locate``: the offsets of chunks that are given as text."""

import argparse
import json
from pathlib import Path
from typing import IO, Any

from focuseval.cli.common import declare, deliver, list_problems, note, require
from focuseval.errors import InputError, Problem, problem_lines


def add(commands: Any) -> None:
    """Declare the command and its options."""
    locate = commands.add_parser(
        "locate",
        help="find where chunks are in their documents: text becomes offsets",
        description="Add start and end to JSON lines that have a document and a text. The exit status is 0 if "
        "all are located, 1 if some are not (they are named, and left out), 2 if an input cannot be used.",
    )
    locate.add_argument(
        "chunks", type=Path, metavar="CHUNKS",
        help='JSON lines with "text", and "document" if known; or a table or data set (docs/formats.md)',
    )  # fmt: skip
    locate.add_argument(
        "--part", choices=("gold", "run"),
        help="which texts of a data set: those to retrieve, or those that were retrieved",
    )  # fmt: skip
    locate.add_argument(
        "--documents",
        type=Path,
        metavar="PATH",
        help="folder or archive, as score --documents",
    )
    declare(locate, "output", help="write there instead of printing")
    locate.add_argument(
        "--order",
        choices=("lines", "none"),
        help="lines: the chunks of a document begin one behind the other, which decides where a repeated text "
        "stands; none: it is never decided (default: lines, unless lines have a topic, score, rank or run)",
    )
    locate.add_argument(
        "--normalise",
        choices=("none", "spaces", "hyphenation", "typography"),
        default="none",
        help="spaces: compare without white space, composed or decomposed characters alike; hyphenation: also without "
        "hyphens between letters, as at line ends; typography: also with plain quotes, dashes and ellipses, without "
        "marks of Markdown; offsets stay those of the document",
    )
    locate.add_argument(
        "--fuzzy", type=float, default=1.0, metavar="SHARE",
        help="a text that is not in its document is located where at least this share of it is, as 0.9; with the "
        "share and the text found there",
    )  # fmt: skip
    locate.add_argument(
        "--repeats", choices=("refuse", "group"), default="refuse",
        help="group: gold that occurs several times gets a line for each place; any of them answers the topic",
    )  # fmt: skip
    locate.add_argument(
        "--header", action="store_true",
        help="a text may begin with a header, as a title, that its document does not have there, up to a line end",
    )  # fmt: skip
    declare(locate, "problems", help="write all that is reported of lines there, also what is not shown")
    locate.set_defaults(perform=run, judges=True)


def run(options: argparse.Namespace) -> int:
    """Write the located lines, and report other lines."""
    require(options, "documents")
    from focuseval.chunks.locating import left_out, locate_lines

    lines = _lines_of(options.chunks, options.part)
    located = locate_lines(
        lines,
        options.documents,
        source=str(options.chunks),
        order=options.order,
        normalise=options.normalise,
        fuzzy=options.fuzzy,
        repeats=options.repeats,
        header=options.header,
    )
    list_problems([*located.notes, *located.problems], options.problems)
    for line in problem_lines(located.notes, "--problems FILE"):
        note(line)
    for line in problem_lines(located.problems, "--problems FILE"):
        note(f"not located: {line}")
    deliver(lambda out: _write(located.lines, out), options.output)
    if count := left_out(located):
        note(count)
    return 1 if located.problems else 0


def _lines_of(path: Path, part: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Return place and object of every line or row. Raises InputError with all unreadable lines."""
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
        problems.append(Problem(str(path), "", "no chunks", "expected JSON lines, at least one"))
    if problems:
        raise InputError(problems)
    return lines


def _write(lines: list[dict[str, Any]], out: IO[str]) -> None:
    """Write JSON lines. Unpaired surrogates remain escaped."""
    for line in lines:
        out.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace").decode() + "\n")
