"""Functions that process tasks on several cores. The number of cores does not affect the results.

Threads are used for NumPy, parsers and compiled functions, which release Python's lock, and for tasks that share much
memory. Processes are used for Python code, and if there are more cores than threads can use.
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
    """Return whether this process runs only focuseval, so that it may be forked."""
    return _ours


def claim() -> None:
    """Declare that this process runs only focuseval, and tune the process. Call this before any computation."""
    global _ours
    _ours = True
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle threads of OpenBLAS would keep cores busy
    # this allocator returns freed memory to the operating system
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    gc.set_threshold(400_000, 30, 30)  # search for reference cycles rarely, and not at exit
    atexit.register(gc.freeze)


Task = TypeVar("Task")
Result = TypeVar("Result")

#: the maximum number of threads; more would not help, because each holds Python's lock for part of the time
_MOST = 4


def cores() -> int:
    """Return the number of threads that this process should use."""
    return min(processors(), _MOST)


def processors() -> int:
    """Return the number of cores for this process and its children, which Snakemake sets as ``OMP_NUM_THREADS``."""
    import pyarrow as pa

    return int(pa.cpu_count())


def in_threads(work: Callable[[Task], Result], tasks: Iterable[Task], threads: int) -> Iterator[Result]:
    """Apply ``work`` to every task, in up to ``threads`` threads, and yield the results in task order."""
    coming = iter(tasks)
    first = list(islice(coming, 2))
    if threads == 1 or len(first) == 1:
        yield from map(work, chain(first, coming))
    else:
        with ThreadPoolExecutor(threads) as pool:
            yield from _in_order(pool, work, chain(first, coming), threads)


def in_parallel(work: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Iterator[Result]:
    """Apply ``work`` to every task, in forks or, if forks are unsafe, in threads. Yield the results in task order.

    The first task runs in this process, so that forks share what it loads. Tasks and results must be picklable.
    """
    coming = iter(tasks)
    yield from map(work, islice(coming, 1))
    yield from (in_forks if workers > 1 and forks() else in_threads)(work, coming, workers)


def in_processes(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Apply ``work`` to every task, using several child processes, and yield the results in task order.

    With one process, no child is started. Otherwise, ``work``, tasks and results must be picklable.
    """
    if processes == 1:
        yield from map(work, tasks)
    else:
        yield from _in_pool(work, tasks, processes, _start_method())


def forks() -> bool:
    """Return whether this process can safely be forked, so that children share its memory."""
    return _start_method() == "fork"


def in_forks(work: Callable[[Task], Result], tasks: Iterable[Task], processes: int) -> Iterator[Result]:
    """Apply ``work`` to every task, using several forks of this process, and yield the results in task order.

    Tasks and results must be picklable. ``work`` need not be, because forks inherit it.
    """
    yield from _in_pool(work, tasks, processes, "fork")


def _in_pool(
    work: Callable[[Task], Result], tasks: Iterable[Task], processes: int, method: str
) -> Iterator[Result]:
    """Apply ``work`` to every task, using several child processes. End them after an error, or if the caller stops."""
    with _pool(work, processes, method) as pool:
        try:
            yield from _in_order(pool, _work_of_process, tasks, processes)
        except BaseException:
            for process in active_children():
                process.terminate()
            raise


#: the function that a child process applies to tasks
_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any]) -> None:
    """Initialise a child process, which runs ``work`` in one thread and ends when its parent ends."""
    import pyarrow as pa

    global _work
    _work = work
    pa.set_cpu_count(1)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # only the parent reports Ctrl-C
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work_of_process(task: Any) -> Any:
    return _work(task)


def _pool(work: Callable[[Any], Any], processes: int, method: str) -> ProcessPoolExecutor:
    """Return a pool of processes. Raises RuntimeError if its threads cannot be started.

    The pool would wait forever if its two threads failed to start. Therefore, two other threads are started first.
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
    """Return the method of starting processes. Forks share imports, but are unsafe if there are other threads."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "forkserver" if "forkserver" in get_all_start_methods() else "spawn"


def _in_order(
    pool: Executor, work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """Apply ``work`` to tasks in a pool, and yield the results in task order.

    At most two tasks for each worker are in the pool at a time.
    """
    waiting: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            waiting.append(pool.submit(work, task))
            if len(waiting) >= 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:  # after an error or Ctrl-C, waiting tasks must not start
        for future in waiting:
            future.cancel()
