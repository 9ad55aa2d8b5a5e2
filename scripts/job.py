"""What every script does around its work: messages go to the log, bad input is told without a traceback."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from focuseval.errors import InputError


@contextmanager
def job(log: str) -> Iterator[None]:
    """Send standard error to the log file; end with the message of an InputError instead of a traceback.

    The log stays open, so that the traceback of any other error goes there, too. Its last line says
    what the job took.
    """
    sys.stderr = open(log, "w", buffering=1, encoding="utf-8")  # noqa: SIM115
    begin = time.monotonic()
    try:
        yield
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    print(f"took {time.monotonic() - begin:.2f} s, {_took()}", file=sys.stderr)


def _took() -> str:
    """CPU time of this process and those it started, and the most memory that one of them held."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in used)
    own, child = (usage.ru_maxrss / 1024 for usage in used)
    return f"{seconds:.2f} s of CPU, {own:.0f} MB, largest child {child:.0f} MB"
