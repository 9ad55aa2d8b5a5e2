"""What every script does around its work: messages go to the log, bad input is told without a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from focuseval.errors import InputError


@contextmanager
def job(log: str) -> Iterator[None]:
    """Send standard error to the log file; end with the message of an InputError instead of a traceback."""
    with open(log, "w", buffering=1, encoding="utf-8") as stream:
        sys.stderr = stream
        try:
            yield
        except InputError as error:
            print(error, file=stream)
            sys.exit(1)
        finally:
            sys.stderr = sys.__stderr__
