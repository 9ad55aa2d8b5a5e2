"""Functions that all jobs use to log messages, and to report bad input without a traceback."""

import os
import resource
import sys
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

from focuseval.errors import SHOWN, InputError, counted, in_campaign, problem_lines, visible
from focuseval.files import remove_unfinished, sha256
from focuseval.model.parallel import claim

#: beginning of the last line in the log of a successful job
_TOOK = "took "


def prefer_source(folder: Path) -> None:
    """If ``folder`` exists, put it first in the module path of Python programs that this program starts."""
    if folder.is_dir():
        others = filter(None, [os.environ.get("PYTHONPATH")])
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder.resolve()), *others])


@contextmanager
def job(outputs: Iterable[str | Path], log: str | Path) -> Iterator[None]:
    """Run the block as a job of the workflow: log its messages, and end the program if its input is bad.

    An InputError ends the program with a message, and a file next to the log lists all problems. Any other error is
    logged with its traceback. After a success, checksums of all output folders are written, and the log ends with time
    and memory.
    """
    listing = _problems_of(log)
    listing.unlink(missing_ok=True)
    claim()
    begin = time.monotonic()
    for path in outputs:
        remove_unfinished(path)
    with open(log, "w", buffering=1, encoding="utf-8") as stream, redirect_stderr(stream):
        try:
            yield
            for folder in filter(Path.is_dir, map(Path, outputs)):
                write_checksums(folder)
            print(f"{_TOOK}{time.monotonic() - begin:.2f} s, {_resources_used()}", file=stream)
        except InputError as error:
            listing.write_text(
                "".join(f"{one.line(in_campaign)}\n" for one in error.problems), encoding="utf-8"
            )
            message = "\n".join(problem_lines(error.problems, f"see {listing}", in_campaign))
            print(message, file=stream)
            sys.exit(message)
        except Exception:
            traceback.print_exc(file=stream)
            raise


def write_checksums(folder: Path) -> None:
    """Write ``FOLDER.sha256``, which lists a folder's files with checksums for ``sha256sum --check``."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    lines = (f"{sha256(path)}  {path.relative_to(folder.parent).as_posix()}\n" for path in files)
    listing = folder.with_name(f"{folder.name}.sha256")
    listing.write_text("".join(lines), encoding="utf-8", errors="surrogateescape")


def forget_incomplete(results: Path) -> None:
    """Remove the checksum list of each folder with missing files, so that Snakemake makes the folder again.

    Snakemake itself does not check which files an output folder contains.
    """
    for listing in results.rglob("*.sha256"):
        lines = listing.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        if not all((listing.parent / line.partition("  ")[2]).exists() for line in lines):
            listing.unlink()


def failure(log: str | Path) -> str:
    """Return why a job failed: the problems of its input, or else the last line of its log.

    The result is "" if the reason is unknown.
    """
    listing = _problems_of(log)
    if listing.is_file():
        lines = listing.read_text(encoding="utf-8").splitlines()
        more = [f"{counted(len(lines) - SHOWN, 'more line')} in {listing}"] if len(lines) > SHOWN else []
        return "\n".join(lines[:SHOWN] + more)
    lines = Path(log).read_text(encoding="utf-8").splitlines() if Path(log).is_file() else []
    return "" if not lines or lines[-1].startswith(_TOOK) else f"{lines[-1]} ({log})"


def _problems_of(log: str | Path) -> Path:
    return Path(log).with_suffix(".problems.txt")


def place(path: str | Path, inside: str) -> Path:
    """Return ``path / inside``, or ``path`` if ``inside`` is empty."""
    return Path(str(path), inside)


def optional_place(path: str | Path, inside: str) -> Path | None:
    """Return the result of `place`; None if ``path`` is empty."""
    return place(path, inside) if path else None


def log_messages(campaign: str, lines: Sequence[str], log: str | Path) -> None:
    """Log all messages on a campaign, and print the first of them with the campaign's name."""
    messages = [visible(line) for line in lines]
    for line in messages:
        print(line, file=sys.stderr)
    more = len(messages) - SHOWN
    for line in messages[:SHOWN] + (
        [f"{counted(more, 'more line')} like these in {log}"] if more > 0 else []
    ):
        print(f"{campaign}: {line}", file=sys.__stderr__)


def _resources_used() -> str:
    """Describe the CPU time including child processes, and the peak memory of this process and of a child process."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in used)
    own, child = (usage.ru_maxrss / 1024 for usage in used)
    return f"{seconds:.2f} s of CPU, {own:.0f} MB, largest child {child:.0f} MB"
