"""What commands have in common: notes on standard error, and results printed or written as a whole."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from focuseval.errors import InputError, Problem, visible


class Visible:
    """A stream to a terminal, where control characters in names are seen and not obeyed."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text as `focuseval.errors.visible` has it."""
        return int(self._stream.write(visible(text)))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of some texts."""
        for line in lines:
            self.write(line)


def note(text: str) -> None:
    """Say something beside the results."""
    print(f"focuseval: {text}", file=sys.stderr)


def let_go() -> None:
    """Let go what standard output does not take: Python would try it again, and complain, when the process ends."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: said of libraries that cannot be loaded, and of threads that cannot be started, without memory
_NO_MEMORY = re.compile(
    "failed to map segment|cannot allocate memory|can't start new thread|resource temporarily unavailable",
    re.IGNORECASE,
)


def of_memory(error: BaseException | None) -> bool:
    """Whether there was no memory for an array, a library or a thread, also if that led to another error."""
    return error is not None and (
        isinstance(error, MemoryError)
        or bool(_NO_MEMORY.search(str(error)))
        or of_memory(error.__cause__ or error.__context__)
    )


#: options that name a file to write
TARGETS = ("output", "save", "problems")


def check_targets(options: argparse.Namespace) -> None:
    """Say at once, not after the work, if a file cannot be written, or is read: what is there would be lost.

    A command whose output may be a folder has the default ``into_folder``.
    """
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
        if target is not None and not (name == "output" and given.get("into_folder")):
            from focuseval.files import check_target

            check_target(target, f"--{name}")


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
