"""What commands have in common: notes on standard error, and results printed or written as a whole."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from focuseval.errors import InputError, Problem


def note(text: str) -> None:
    """Say something beside the results."""
    print(f"focuseval: {text}", file=sys.stderr)


def check_output(file: Path | None, option: str = "--output") -> None:
    """Say at once if there can be no such file, not after the work."""
    if file is not None:
        from focuseval.files import check_target

        check_target(file, option)


def check_standard_output(options: argparse.Namespace) -> None:
    """Say at once, too, if there is no standard output, where no file is named instead."""
    if sys.stdout is None and getattr(options, "output", None) is None:
        expected = "leave it open" + ", or name a file (--output)" * hasattr(options, "output")
        raise InputError(Problem("standard output", "", "it is closed", expected))


def let_go() -> None:
    """Let go what standard output does not take: Python would try it again, and complain, when the process ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: options that name a file to write
TARGETS = ("output", "save", "problems")


def check_targets(options: argparse.Namespace) -> None:
    """Refuse to write over a file that is read: what is there would be lost."""
    given = vars(options)
    read: set[Path] = set()
    for name, value in given.items():
        for path in value if isinstance(value, list) else [value]:
            if name not in TARGETS and isinstance(path, str | Path) and os.path.isfile(path):
                read.add(Path(path).resolve())
    for name in TARGETS:
        target = given.get(name)
        if isinstance(target, Path) and target.resolve() in read:
            found = f"{target} is read here, too"
            raise InputError(Problem(f"--{name}", "", found, "give another file: it would be lost"))


def list_problems(problems: Sequence[Problem], file: Path | None) -> None:
    """Write all problems to a file if there is one to write, a line each."""
    if file is not None:
        deliver(lambda out: out.writelines(f"{problem}\n" for problem in problems), file)


def deliver(write: Callable[[IO[str]], object], file: Path | None) -> int:
    """Let ``write`` print, or fill a file that appears complete or not at all."""
    if file is None:
        write(sys.stdout)
        return 0
    from focuseval.files import write_atomically

    with write_atomically(file) as out:
        write(out)
    return 0
