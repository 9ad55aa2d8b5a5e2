"""What the core does without: packages that come with an extra, as in ``pip install 'focuseval[plots]'``."""

from collections.abc import Iterator
from contextlib import contextmanager

from focuseval.errors import InputError, Problem


class MissingExtra(InputError, ImportError):
    """A package is not installed that comes with an extra: its name, and the command that brings it."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import what an extra brings; raises MissingExtra if it is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        brings = f"pip install 'focuseval[{name}]' brings it"
        raise MissingExtra(Problem(package, "", "is not installed", brings)) from None
