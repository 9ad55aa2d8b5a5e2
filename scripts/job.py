"""What every script does around its work: messages go to the log, bad input is told without a traceback."""

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from focuseval.errors import InputError


@contextmanager
def job(log: str) -> Iterator[None]:
    """Send standard error to the log file while the work is done.

    An InputError ends the job with its message, in the log and on the screen; any other error ends it
    with its traceback in both places.
    """
    with open(log, "w", buffering=1, encoding="utf-8") as stream:
        sys.stderr = stream
        try:
            yield
        except InputError as error:
            print(error, file=stream)
            sys.exit(str(error))
        except Exception:
            traceback.print_exc(file=stream)
            raise
        finally:
            sys.stderr = sys.__stderr__
