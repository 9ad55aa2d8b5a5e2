"""Processes of our own, the command line and the jobs of workflows: what lets them start and end quickly.

A library may do none of it: it would change what else runs in its process.
"""

import atexit
import gc
import os

_ours = False


def is_ours() -> bool:
    """Whether nothing else runs in this process: then it may be forked."""
    return _ours


def claim() -> None:
    """Make this process one of ours, before anything is computed."""
    global _ours
    _ours = True
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle threads of OpenBLAS busy-wait
    gc.set_threshold(400_000, 30, 30)  # collect cycles rarely, and not when the process ends
    atexit.register(gc.freeze)
