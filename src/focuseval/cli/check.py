"""``focuseval check``: what files are, and everything that is wrong with them."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.output import list_problems
from focuseval.errors import Problem, told


def add(commands: Any) -> None:
    """Declare the command and its options."""
    check = commands.add_parser("check", help="say what files are and everything that is wrong with them")
    check.add_argument("files", type=Path, nargs="+", metavar="FILE")
    check.add_argument("--problems", type=Path, metavar="LIST", help="write all problems to this file")
    check.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print what each file is and its first problems; 1 if there is any."""
    from focuseval.formats.checking import check

    everything: list[Problem] = []
    for file in options.files:
        description, problems = check(file)
        print(f"{file}: {description}, {len(problems) or 'no'} problem{'s' * (len(problems) != 1)}")
        for line in told(problems):
            print(f"  {line}")
        everything += problems
    list_problems(everything, options.problems)
    return 1 if everything else 0
