"""``focuseval check``: what files are, and everything that is wrong with them."""

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """Declare the command and its options."""
    check = commands.add_parser("check", help="say what files are and everything that is wrong with them")
    check.add_argument("files", type=Path, nargs="+", metavar="FILE")
    check.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print what each file is and its problems; 1 if there is any."""
    from focuseval.formats.checking import check

    wrong = 0
    for file in options.files:
        description, problems = check(file)
        print(f"{file}: {description}, {len(problems) or 'no'} problem{'s' * (len(problems) != 1)}")
        for problem in problems:
            print(f"  {problem}")
        wrong += bool(problems)
    return 1 if wrong else 0
