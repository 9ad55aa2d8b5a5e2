"""What benchmarks have in common: CPU seconds, and a file of what was measured, which `write.py` makes tables of."""

import contextlib
import csv
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MEASURED = Path(__file__).parent / "measured"

#: bytes in a unit of the most memory that a process had
_PEAK = 1024 if sys.platform != "darwin" else 1


class Measured(NamedTuple):
    """One piece of work, here and by a peer in the same run."""

    work: str
    ours: float
    unit: str  #: of ``ours`` and ``peer``
    peer: float | None = None
    against: str = ""  #: the peer
    bound: str = ""  #: such as ``ratio >= 2`` or ``ours <= 0.15``

    @property
    def ratio(self) -> float | None:
        """How many times what we take the peer takes: above 1 we take less."""
        return None if self.peer is None else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        """Whether the bound is kept; None if there is none."""
        if not self.bound:
            return None
        what, sign, limit = self.bound.split()
        found = self.ratio if what == "ratio" else self.ours
        assert found is not None and what in ("ratio", "ours") and sign in ("<=", ">=")
        return found <= float(limit) if sign == "<=" else found >= float(limit)


def record(name: str, rows: Sequence[Measured]) -> None:
    """Print what was measured, and keep it as ``measured/NAME.csv`` with the command and the machine's load."""
    MEASURED.mkdir(exist_ok=True)
    given = [os.path.relpath(word) if os.path.isabs(word) else word for word in sys.argv[1:]]
    command = " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *given])
    load = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    with open(MEASURED / f"{name}.csv", "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*Measured._fields[:5], "ratio", "bound", "met", "load", "command"])
        for row in rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
            met = {None: "", True: "yes", False: "no"}[row.met]
            peer = "" if row.peer is None else f"{row.peer:.3g}"
            shown = (row.work, f"{row.ours:.3g}", row.unit, peer, row.against, ratio, row.bound, met)
            writer.writerow([*shown, load, command])
            print("  ".join(filter(None, shown)))


class Spent(NamedTuple):
    """What a piece of work took: seconds of CPU, the processes it starts included, and by the clock."""

    cpu: float
    clock: float


def spent(work: Callable[[], object]) -> Spent:
    """What a piece of work takes, once."""
    before, begun = _cpu_seconds(), time.perf_counter()
    work()
    return Spent(_cpu_seconds() - before, time.perf_counter() - begun)


def _cpu_seconds() -> float:
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_turn(works: Mapping[str, Callable[[], object]], times: int = 5) -> dict[str, Spent]:
    """The least that each of several works takes, which take turns, as the machine may be busy in between."""
    turns = [{name: spent(work) for name, work in works.items()} for _ in range(times)]
    return {
        name: Spent(min(turn[name].cpu for turn in turns), min(turn[name].clock for turn in turns))
        for name in works
    }


class Process(NamedTuple):
    """What a command took."""

    seconds: float  #: of CPU
    clock: float  #: seconds by the clock
    mebibytes: float  #: the most it had in memory
    output: str


def process(command: Sequence[str]) -> Process:
    """Run a command to its end. Python may keep its bytecode, as of what is installed: only a first run compiles."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.monotonic()
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    assert started.stdout is not None
    output = started.stdout.read()
    _, status, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"{command[0]} failed with {started.returncode}")
    clock = time.monotonic() - begun
    return Process(used.ru_utime + used.ru_stime, clock, used.ru_maxrss * _PEAK / 2**20, output)


def most_memory(command: Sequence[str]) -> float:
    """The most that a command has in memory, MiB, with the processes it starts: what these share counts once.

    It is asked for all the time, which takes time: not of a process that is timed.
    """
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0.0
    while started.poll() is None:
        most = max(most, sum(map(_share_of_memory, _with_children(started.pid))))
        time.sleep(0.005)
    if started.returncode:
        raise SystemExit(f"{command[0]} failed with {started.returncode}")
    return most


def _with_children(process: int) -> list[int]:
    """A process and all that come of it (Linux)."""
    found = [process]
    for one in found:
        with contextlib.suppress(OSError):
            children = [path.read_text() for path in Path(f"/proc/{one}/task").glob("*/children")]
            found += map(int, " ".join(children).split())
    return found


def _share_of_memory(process: int) -> float:
    """MiB, those that it shares with others by halves and so on; 0 of one that has ended."""
    with contextlib.suppress(OSError):
        rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024
    return 0.0


def least(command: Sequence[str], times: int = 5) -> Process:
    """The one of several runs that took the least CPU time, with the least time by the clock of all."""
    runs = [process(command) for _ in range(times)]
    return min(runs, key=lambda one: one.seconds)._replace(clock=min(run.clock for run in runs))
