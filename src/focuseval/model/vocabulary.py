"""The names that users may write: scales, units, tasks, and registered measures and formats.

This module imports few others, so that the command line starts quickly.
"""

import warnings
from collections import UserDict
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from threading import RLock
from typing import Any

from focuseval.arguments import of_type, read_argument
from focuseval.errors import InputError, InputWarning, described, meant

#: the scales of judgements (docs/formats.md); ``grades`` is for judgements of whole documents
SCALES = ("inex2002", "inex2003", "inex2005", "highlights", "grades")

#: the units in which the text of documents can be counted
UNITS = ("characters", "words", "bytes")

#: the kinds of documents: source code, or text and XML
KINDS = ("code", "text")

#: the tags of elements in plain text, Markdown and HTML
TEXT_TAGS = ("document", "section", "title", "p")

#: the units of source code to which gold and results can be mapped
GRAINS = ("file", "class", "function", "block", "line")

THOROUGH = "thorough"
FOCUSED = "focused"
FETCH_AND_BROWSE = "fetch-and-browse"
RELEVANT_IN_CONTEXT = "relevant-in-context"
T2I = "t2i"  #: Relevant in Context, with tolerance to irrelevance
BEST_IN_CONTEXT = "best-in-context"

#: the tasks of INEX's Ad Hoc track
TASKS = (THOROUGH, FOCUSED, FETCH_AND_BROWSE, RELEVANT_IN_CONTEXT, T2I, BEST_IN_CONTEXT)

#: the tasks by their spellings, in lower case and without spaces and punctuation
_SPELLINGS = {
    "t": THOROUGH,
    "f": FOCUSED,
    "focussed": FOCUSED,
    "fetchbrowse": FETCH_AND_BROWSE,
    "r": RELEVANT_IN_CONTEXT,
    "ric": RELEVANT_IN_CONTEXT,
    "i": T2I,
    "b": BEST_IN_CONTEXT,
    "bic": BEST_IN_CONTEXT,
}
_SPELLINGS |= {"".join(filter(str.isalnum, task)): task for task in TASKS}


def task_named(text: str, tasks: tuple[str, ...] = TASKS) -> str:
    """Return the standard name of a task, given any of its spellings, such as ``Relevant in Context`` or ``r``.

    Raises InputError unless the task is one of ``tasks``.
    """
    read_argument("task", text, of_type(str, f"one of {', '.join(tasks)}"))
    task = _SPELLINGS.get("".join(filter(str.isalnum, text.casefold())))
    if task not in tasks:
        expected = f"{meant(text, tasks)}expected one of {', '.join(tasks)}"
        raise InputError.of("task", f"the value is {text!r}", expected)
    return task


class Registry(UserDict[str, Any]):
    """Measures or file formats by name: declarations of focuseval and of other installed packages.

    Packages list their declarations as entry points of a ``group``, which are loaded on first access. An InputWarning
    reports a declaration that cannot be loaded.
    """

    def __init__(
        self, own: Iterable[Any], group: str, kind: type, has: Callable[[Any], bool] = lambda one: True
    ) -> None:
        """Create a registry of ``own`` declarations. Packages add others of type ``kind`` that satisfy ``has``."""
        self._declared = {one.name: one for one in own}
        self._group, self._kind, self._has = group, kind, has
        self._loaded, self._lock = False, RLock()

    @property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        """All declarations by name. The declarations of focuseval come before those of other packages."""
        with self._lock:
            if not self._loaded:
                self._loaded = True  # set first, because loaded packages may access the registry
                for point in entry_points(group=self._group):
                    try:
                        self.add(point.load())
                    except Exception as error:
                        message = f"{self._group}: the entry point {point.value} cannot be used ({error})"
                        warnings.warn(message, InputWarning, stacklevel=2)
            return self._declared

    def add(self, one: Any) -> None:
        """Add a declaration. Raises InputError if its type is wrong or its name is in use."""
        if not isinstance(one, self._kind):
            expected = f"expected a {self._kind.__name__} (docs/adding.md)"
            raise InputError.of(self._group, f"the declaration is {described(one)}", expected)
        name = one.name  # type: ignore[attr-defined]
        if self._has(one) and self.setdefault(name, one) != one:
            raise InputError.of(self._group, f"the name {name!r} is in use", "choose another name")

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        """Pickle the registry as a dictionary."""
        return dict, (dict(self),)
