"""Work in threads and processes: results are in the order of the tasks, whichever takes longest."""

import os
import subprocess
import sys
import threading
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from focuseval.errors import InputError, Problem
from focuseval.model.parallel import forks, in_forks, in_parallel, in_processes, in_threads
from tests.formats.test_text_documents import alarmed


def slow_first(task):
    time.sleep(0.05 if task == 0 else 0)
    if task == 13:
        raise InputError(Problem("13", "", "a bad task", "expected another"))
    return task * task


def process_of(_):
    return os.getpid()


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("way", [in_threads, in_processes, in_parallel])
def test_results_are_in_the_order_of_the_tasks(way, workers):
    assert list(way(slow_first, range(10), workers)) == [task * task for task in range(10)]
    assert list(way(slow_first, [], workers)) == []


@pytest.mark.parametrize("way", [in_threads, in_processes, in_parallel])
def test_an_exception_of_a_task_is_raised(way):
    with pytest.raises(InputError, match="a bad task"):
        list(way(slow_first, range(20), 2))


@pytest.mark.parametrize("threads", [1, 2])
def test_forked_processes_get_all_tasks_but_the_first_unless_there_are_threads(threads, monkeypatch):
    monkeypatch.setattr(threading, "active_count", lambda: threads)
    first, *processes = in_parallel(process_of, range(5), 2)
    assert forks() == (threads == 1 and sys.platform == "linux")
    assert first == os.getpid()
    assert (os.getpid() in processes) != forks()
    assert set(in_parallel(process_of, range(5), 1)) == {os.getpid()}


@pytest.mark.parametrize("way", [in_processes, in_forks])
def test_threads_that_cannot_be_started_are_reported_and_not_awaited(way, monkeypatch):
    """The first thread of a pool of processes starts the second one, which finds no memory."""
    started, start = [], threading.Thread.start

    def second_fails(thread):
        started.append(thread)
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", second_fails)
    with pytest.raises(RuntimeError, match="can't start"):
        alarmed(lambda: list(way(slow_first, range(3), 2)))


def test_one_task_needs_no_other_thread():
    assert list(in_threads(lambda _: threading.current_thread(), [1], 2)) == [threading.current_thread()]
    assert threading.current_thread() not in in_threads(lambda _: threading.current_thread(), [1, 2], 2)


def test_nothing_more_is_begun_after_an_error():
    begun = []

    def work(task):
        begun.append(task)
        time.sleep(0.05)
        raise InputError(Problem(str(task), "", "a bad task", "expected another"))

    with pytest.raises(InputError):
        list(in_threads(work, range(100), 2))
    assert len(begun) <= 4  # two more may begin before the error is seen


def test_no_more_tasks_are_at_hand_than_can_be_worked_on():
    drawn_tasks = 0

    def tasks():
        nonlocal drawn_tasks
        for drawn_tasks in range(1, 101):
            yield drawn_tasks - 1

    results = in_threads(lambda task: task, tasks(), 2)
    assert next(results) == 0
    assert drawn_tasks <= 4
    results.close()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_forked_processes_have_objects_that_cannot_be_pickled():
    lock = threading.Lock()

    def work(task):
        return task, lock.locked(), os.getpid() == parent

    parent = os.getpid()
    with lock:
        assert list(in_forks(work, range(5), 2)) == [(task, True, False) for task in range(5)]
    with pytest.raises(InputError, match="a bad task"):
        list(in_forks(slow_first, range(20), 2))


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_forked_processes_end_when_no_more_results_are_needed():
    begun = time.monotonic()
    for result in in_forks(lambda task: time.sleep(60 * task), range(4), 2):
        assert result is None
        break
    assert time.monotonic() - begun < 30 and not active_children()


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_processes_end_with_their_parent(tmp_path):
    code = """
import os, pathlib, time
from focuseval.model.parallel import {how}
def work(task):
    pathlib.Path("{folder}", str(os.getpid())).touch()
    time.sleep(60)
list({how}(work, [1, 2], 2))
"""
    for how in ("in_forks", "in_processes"):
        folder = tmp_path / how
        folder.mkdir()
        with subprocess.Popen([sys.executable, "-c", code.format(how=how, folder=folder)]) as parent:
            wait_until(lambda: len(list(folder.iterdir())) == 2)  # noqa: B023
            parent.kill()
        wait_until(lambda: not any(is_running(one.name) for one in folder.iterdir()))  # noqa: B023


def is_running(process):
    try:
        return "\nState:\tZ" not in Path("/proc", process, "status").read_text()
    except OSError:
        return False


def wait_until(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it does not come")
