"""Functions that are compiled once the input is so large that compiling pays.

A scanner reads byte by byte and keeps a state, so that it is no column operation. It is a function from bytes and
arrays to arrays, which runs as Python and as machine code alike.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

#: bytes that a process reads with the interpreter before it compiles: 0.3 s; loading Numba takes 0.4 s
PATIENCE = 1 << 20


class Kernel:
    """A function of bytes and arrays, compiled after all kernels together have read `PATIENCE` bytes."""

    patience = PATIENCE  #: bytes left in this process before kernels are compiled

    def __init__(self, function: Callable[..., Any], *parts: Callable[..., Any], effort: int = 1) -> None:
        self.function = function
        self.parts = parts  #: what it calls
        self.effort = effort  #: relative cost of a byte

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
        """The value of the function, whose first argument is the bytes that it reads."""
        Kernel.patience -= self.effort * len(read)
        if Kernel.patience >= 0:
            return self.function(read, *arguments)
        given = np.frombuffer(read, dtype=np.uint8) if isinstance(read, bytes) else read
        return self.machine_code(given, *arguments)
