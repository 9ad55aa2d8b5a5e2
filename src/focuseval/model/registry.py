"""What can be asked for by name: what focuseval declares, what installed packages declare, and what is registered."""

import warnings
from collections import UserDict
from collections.abc import Callable, Iterable
from importlib.metadata import entry_points
from threading import RLock
from typing import Any

from focuseval.errors import InputError, InputWarning, described


class Registry(UserDict[str, Any]):
    """Declarations by their ``name``; those of installed packages are loaded when it is first read.

    A package names its declarations as entry points of the ``group``. One that cannot be loaded is an InputWarning.
    """

    def __init__(
        self, own: Iterable[Any], group: str, kind: type, has: Callable[[Any], bool] = lambda one: True
    ) -> None:
        """``kind`` is what declarations are, of which this ``has`` some."""
        self._declared = {one.name: one for one in own}
        self._group, self._kind, self._has = group, kind, has
        self._loaded, self._lock = False, RLock()

    @property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        """All of them: our own first."""
        with self._lock:
            if not self._loaded:
                self._loaded = True  # for a package that reads this while it is loaded
                for point in entry_points(group=self._group):
                    try:
                        self.add(point.load())
                    except Exception as error:
                        said = f"{self._group}: {point.value} cannot be used: {error}"
                        warnings.warn(said, InputWarning, stacklevel=2)
            return self._declared

    def add(self, one: Any) -> None:
        """Take another one, if it is one of these. Raises InputError for anything else, and for a taken name."""
        if not isinstance(one, self._kind):
            expected = f"expected a {self._kind.__name__} (docs/adding.md)"
            raise InputError.of(self._group, described(one), expected)
        name = one.name  # type: ignore[attr-defined]
        if self._has(one) and self.setdefault(name, one) != one:
            raise InputError.of(self._group, f"a second {name!r}", "give it a name of its own")

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        """How it comes to another process: as a dictionary."""
        return dict, (dict(self),)
