"""``focuseval check``: recognise input files, and report the problems of each file and of all files together."""

import argparse
import sys
from pathlib import Path
from typing import Any

from focuseval.cli.common import OPTIONS, READ, call, declare, fit, list_problems


def add(commands: Any) -> None:
    """Declare the command ``focuseval check`` and its options."""
    check = commands.add_parser(
        "check",
        help="recognise files, and report everything that is wrong with them",
        description="Report the format and the problems of each FILE; or, for --gold, --run and --documents, "
        "everything that focuseval score would report. The exit status is 1 if there is a problem (warnings do not "
        "count), else 0.",
    )
    check.add_argument("files", type=Path, nargs="*", metavar="FILE")
    check.usage = "%(prog)s [OPTION ...] [FILE ...]"
    declare(check, *READ)
    declare(check, "measures", help=f"{OPTIONS['measures']['help']}; check that it can be computed")
    declare(check, "task", default=None, help="task whose rules runs must follow (default: thorough)")
    declare(check, "problems", metavar="LIST", help="write all problems to this file")
    check.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print the kind of each input, and the first problems. Return 1 if there is a problem."""
    from focuseval.scoring.examining import check

    checked = call(check, options)
    for part in checked.parts:
        for line in part.lines():
            print(fit(line, sys.stdout))
    list_problems(checked.problems, options.problems)
    return 0 if checked.ok else 1
