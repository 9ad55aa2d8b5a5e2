"""Reading a text run of a million lines: CPU seconds here, and of two peers on the same file.

    python benchmarks/read_runs.py [LINES]

The run is as INEX runs are: 1,500 results a topic, over 12,107 documents and some 15,000 paths.
``pandas.read_csv`` only splits lines and reads numbers; ``pytrec_eval.parse_run`` knows documents only.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytrec_eval

from focuseval.formats.runs import read_runs

PEAK = 1024 if sys.platform != "darwin" else 1024**2


def write_run(path: Path, lines: int, form: str) -> None:
    """A seeded run with XPaths, or with offsets and lengths, or of whole documents."""
    place = np.random.default_rng(2006).integers(0, 15000, lines)
    document = (np.arange(lines) // 1500 * 31 + np.arange(lines) % 1500 * 7) % 12107  # once in a topic
    with open(path, "w", encoding="utf-8") as out:
        for i in range(lines):
            rank = i % 1500 + 1
            name = f"an/{1990 + document[i] % 12}/a{document[i]:05d}"
            sec, p = divmod(place[i], 600)
            tail = {
                "XPaths": f" /article[1]/bdy[1]/sec[{sec + 1}]/p[{p + 1}]",
                "offsets": f" {place[i]} {document[i]}",
            }
            out.write(
                f"{i // 1500 + 1} Q0 {name} {rank} {1000 / (rank + 0.37):.6f} run{tail.get(form, '')}\n"
            )


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """The least CPU seconds of some runs of a piece of work."""
    spent = []
    for _ in range(times):
        before = time.process_time()
        work()
        spent.append(time.process_time() - before)
    return min(spent)


def main() -> None:
    """Print one line for each form of run."""
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        read_runs(_written(Path(folder) / "warm.run", 10, "XPaths"))
        for form in ("XPaths", "offsets", "documents"):
            path = _written(Path(folder) / f"{form}.run", lines, form)
            ours = cpu(lambda path=path: read_runs(path))
            tabs = path.with_suffix(".tabs")
            tabs.write_bytes(path.read_bytes().replace(b" ", b"\t"))
            odd = path.with_suffix(".odd")
            odd.write_bytes(path.read_bytes() + b"1 Q0 d 1 nan run /a\n")
            peer = cpu(lambda path=path: pd.read_csv(path, sep=" ", header=None))
            told = (
                f"{form}: {lines} lines, {path.stat().st_size / 1e6:.0f} MB: focuseval {ours:.2f} s, "
                f"with tabs {cpu(lambda tabs=tabs: read_runs(tabs)):.2f} s, "
                f"with a bad line {cpu(lambda odd=odd: read_runs(odd, lenient=True), 1):.2f} s; "
                f"pandas.read_csv {peer:.2f} s"
            )
            if form == "documents":
                trec = cpu(lambda path=path: _trec_eval(path), 1)
                told += f"; pytrec_eval.parse_run {trec:.2f} s"
            print(told)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / PEAK:.0f} MiB")


def _trec_eval(path: Path) -> object:
    with open(path, encoding="utf-8") as lines:
        return pytrec_eval.parse_run(lines)


def _written(path: Path, lines: int, form: str) -> Path:
    write_run(path, lines, form)
    return path


if __name__ == "__main__":
    main()
