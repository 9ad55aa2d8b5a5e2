"""Work on several cores: what comes out of it, and in which order, is the same on any number of them.

Threads are for what is done in NumPy, in parsers and in compiled functions, which let other threads go on, and for
what shares much memory. Processes are for what is done in Python as well, and for more than a few cores.
"""

import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, islice
from multiprocessing import get_all_start_methods, get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


#: threads that are of use where part of the work holds Python's lock
_MOST = 4


def cores() -> int:
    """Cores for the threads of this process: as many as ``OMP_NUM_THREADS`` says, which Snakemake sets for each job."""
    import pyarrow as pa

    return min(pa.cpu_count(), _MOST)


def in_threads(work: Callable[[Task], Result], tasks: Iterable[Task], threads: int) -> Iterator[Result]:
    """What ``work`` makes of each task, in the order of the tasks; a single one needs no other thread."""
    coming = iter(tasks)
    first = list(islice(coming, 2))
    if threads == 1 or len(first) == 1:
        yield from map(work, chain(first, coming))
    else:
        yield from _in_order(ThreadPoolExecutor(threads), work, chain(first, coming), threads)


def in_processes(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """What ``work`` makes of each task, in the order of the tasks; both and their results can be pickled."""
    if processes == 1:
        yield from map(work, tasks)
    else:
        executor = ProcessPoolExecutor(processes, mp_context=get_context(_start_method()))
        yield from _in_order(executor, work, tasks, processes)


def beside(work: Callable[[Task], Result], task: Task, meanwhile: Callable[[], object]) -> Result:
    """What ``work`` makes of a task, in another process that is forked, while this one does something else.

    Where none is safe to be forked, this one does both.
    """
    if (method := _start_method()) != "fork":
        meanwhile()
        return work(task)
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as other:
        result = other.submit(work, task)
        meanwhile()
        return result.result()


def _start_method() -> str:
    """How processes are started: forked ones have everything imported, but none is safe that had other threads."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "forkserver" if "forkserver" in get_all_start_methods() else "spawn"


def _in_order(
    executor: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """Results in the order of tasks, of which two for each worker are at hand, and no more."""
    with executor as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(work, task))
                if len(waiting) >= 2 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # after an error, or Ctrl-C, nothing more is begun
            for future in waiting:
                future.cancel()
