"""The command line, one module for each command; what they compute with is loaded when they run."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from focuseval.cli import check, measures, score
from focuseval.cli.output import note
from focuseval.errors import InputError

#: modules with ``add(commands)``, which declares a command, in the order of the help
COMMANDS = (score, check, measures)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="focuseval", description="Evaluate systems that answer with parts of documents."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, 1 (something is wrong with an input) or 2 (usage)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, TextIOWrapper
        ):  # the same bytes as in files, and names of files that are no text
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        return int(options.perform(options))
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except OSError as error:
        note(f"{error.filename}: {error.strerror}")
        return 1
