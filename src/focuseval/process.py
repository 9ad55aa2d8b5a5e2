"""Processes of our own, the command line and the jobs of workflows: what lets them start and end quickly.

A library may do none of it: it would change what else runs in its process.
"""

import atexit
import gc
import os
import sys
from typing import NoReturn


def claim() -> None:
    """Make this process one of ours, before anything is computed."""
    # threads for products of matrices wait for work by working: a quarter of the CPU time of a short process
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # rings of objects are looked for seldom, and not when the process ends: a fifth of a short one
    gc.set_threshold(200_000, 30, 30)
    atexit.register(gc.freeze)
    if _NumbaAlone not in sys.meta_path:
        sys.meta_path.insert(0, _NumbaAlone)


class _NumbaAlone:
    """Lets Numba start as it does where there is no SciPy.

    It looks for SciPy's linear algebra, in case that a compiled function multiplies matrices, which none here does.
    To import that takes as long as all else.
    """

    @classmethod
    def find_spec(cls, name: str, *_: object) -> None:
        """Find nothing; but now is the time."""
        if name == "numba.np.arraymath":
            from numba.np import linalg

            linalg.ensure_blas = _without


def _without() -> NoReturn:
    raise ImportError("no linear algebra is asked for")
