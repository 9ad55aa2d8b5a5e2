"""Work on several cores: what comes out of it, and in which order, is the same on any number of them.

Threads are for what is done in NumPy, in parsers and in compiled functions, which let other threads go on, and for
what shares much memory. Processes are for what is done in Python as well, and for more than a few cores.
"""

import atexit
import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import chain, islice
from multiprocessing import active_children, get_all_start_methods, get_context, parent_process
from typing import Any, TypeVar

_ours = False


def is_ours() -> bool:
    """Return whether nothing else runs in this process: then it may be forked."""
    return _ours


def claim() -> None:
    """Make this process one of ours, before anything is computed."""
    global _ours
    _ours = True
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle threads of OpenBLAS busy-wait
    os.environ.setdefault(
        "ARROW_DEFAULT_MEMORY_POOL", "system"
    )  # the system's allocator returns freed memory
    gc.set_threshold(400_000, 30, 30)  # collect cycles rarely, and not when the process ends
    atexit.register(gc.freeze)


Task = TypeVar("Task")
Result = TypeVar("Result")

#: threads are of no use beyond these, as part of the work holds Python's lock
_MOST = 4


def cores() -> int:
    """Cores for the threads of this process."""
    return min(processors(), _MOST)


def processors() -> int:
    """Return the number of cores for this process and its children: ``OMP_NUM_THREADS``, which Snakemake sets."""
    import pyarrow as pa

    return int(pa.cpu_count())


def in_threads(work: Callable[[Task], Result], tasks: Iterable[Task], threads: int) -> Iterator[Result]:
    """Yield ``work`` of each task, in the order of the tasks; a single one needs no other thread."""
    coming = iter(tasks)
    first = list(islice(coming, 2))
    if threads == 1 or len(first) == 1:
        yield from map(work, chain(first, coming))
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield from _in_order(pool, work, chain(first, coming), threads)


def in_parallel(work: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Iterator[Result]:
    """Yield ``work`` of each task, in their order: in forked processes, or threads where none is safe.

    The first task is done here, so that processes have what it loads; results can be pickled.
    """
    coming = iter(tasks)
    yield from map(work, islice(coming, 1))
    yield from (in_forks if workers > 1 and forks() else in_threads)(work, coming, workers)


def in_processes(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Yield ``work`` of each task, in the order of the tasks; both and their results can be pickled."""
    if processes == 1:
        yield from map(work, tasks)
    else:
        yield from _in_pool(work, tasks, processes, _start_method())


def forks() -> bool:
    """Return whether processes can be forked from this one, which have all that it has in memory."""
    return _start_method() == "fork"


def in_forks(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Yield ``work`` of each task, in the order of the tasks, in forked processes.

    Only tasks and results can be pickled: ``work`` may refer to whatever is in memory.
    """
    yield from _in_pool(work, tasks, processes, "fork")


def _in_pool(
    work: Callable[[Task], Result], tasks: Iterable[Task], processes: int, method: str
) -> Iterator[Result]:
    """Yield ``work`` of each task, in processes that end at once when nobody asks for more results."""
    with _pool(work, processes, method) as pool:
        try:
            yield from _in_order(pool, _work_of_process, tasks, processes)
        except BaseException:
            for process in active_children():
                process.terminate()
            raise


#: the work of a process that another one started
_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any]) -> None:
    """Make a process that was started one of a single thread, which ends with the one that started it."""
    import pyarrow as pa

    global _work
    _work = work
    pa.set_cpu_count(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the process that started it reports Ctrl-C
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_of_process(task: Any) -> Any:
    return _work(task)


def _pool(work: Callable[[Any], Any], processes: int, method: str) -> ProcessPoolExecutor:
    """Processes for tasks; RuntimeError without memory for the two threads that look after them.

    The pool starts them later, and would wait for ever for one that fails: so two threads are started here before.
    """
    done = threading.Event()
    threads = [threading.Thread(target=done.wait) for _ in range(2)]
    try:
        for thread in threads:
            thread.start()
    finally:
        done.set()
    for thread in threads:
        thread.join()
    return ProcessPoolExecutor(processes, get_context(method), _begin, (work,))


def _start_method() -> str:
    """Return how processes start: forked ones have everything imported, but are unsafe if there were other threads."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "forkserver" if "forkserver" in get_all_start_methods() else "spawn"


def _in_order(
    pool: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """Yield results in the order of tasks, with two tasks for each worker at hand."""
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
