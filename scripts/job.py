"""What every script does around its work: messages go to the log, bad input is told without a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from focuseval.errors import InputError


@contextmanager
def job(log: str) -> Iterator[None]:
    """Send standard error to the log file; end with the message of an InputError instead of a traceback.

    The log stays open, so that the traceback of any other error goes there, too.
    """
    sys.stderr = open(log, "w", buffering=1, encoding="utf-8")  # noqa: SIM115
    try:
        yield
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
