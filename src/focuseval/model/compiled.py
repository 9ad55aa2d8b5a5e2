"""Functions in machine code, once there is so much to do that it pays.

What is read byte by byte, with memory of what went before, is no column operation. Such a function is written once, so
that it runs as it stands and compiled alike: bytes and arrays go in, arrays are filled.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

#: bytes that a process reads before it compiles: the interpreter takes 0.3 s for them, loading Numba 0.4 s
PATIENCE = 1 << 20


class Kernel:
    """A function of bytes and arrays, compiled once there is so much to read that it pays, for all of them together."""

    patience = PATIENCE  #: bytes that are yet to be read in this process before any is compiled

    def __init__(self, function: Callable[..., Any], *parts: Callable[..., Any], effort: int = 1) -> None:
        self.function = function
        self.parts = parts  #: what it calls
        self.effort = effort  #: how long a byte takes, in that of others

    @cached_property
    def machine_code(self) -> Callable[..., Any]:
        """The function compiled, or loaded from Numba's cache."""
        from numba import njit
        from numba.extending import register_jitable

        for part in self.parts:
            register_jitable(part)
        compiled: Callable[..., Any] = njit(cache=True, nogil=True)(self.function)
        return compiled

    def __call__(self, read: bytes | np.ndarray, *arguments: Any) -> Any:
        """The function's value; its first argument is what it reads."""
        Kernel.patience -= self.effort * len(read)
        if Kernel.patience >= 0:
            return self.function(read, *arguments)
        given = np.frombuffer(read, dtype=np.uint8) if isinstance(read, bytes) else read
        return self.machine_code(given, *arguments)
