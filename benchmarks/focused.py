"""CPU seconds of the measures of INEX 2006-2010: the 7,517-line run, and many lines read and scored.

Run as ``PYTHONPATH=src python benchmarks/focused.py``. The first figure needs ``../shared``.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measuring import least

from focuseval.api import read_campaign, score_campaign
from focuseval.compat.inex_eval import TASKS, inex_eval

OFFICIAL = Path(__file__).parents[2] / "shared" / "data" / "inex2009-official"
MEASURES = [
    "AiP",
    "iP@0.01",
    "iP@0.1",
    "char_precision",
    "char_recall",
    "AgP(beta=0.25)",
    "gP@10",
    "gR@10",
    "F",
]
RUNS, TOPICS, SIZE = 10, 67, 1500

#: topics and results of each, of one run that is scored as inex_eval does
OFFICIAL_TOPICS, OFFICIAL_SIZE = 70, 7500

#: a program that imports what a run is read with, has it read, and does nothing with it
READ_ONLY = """
import sys
import pandas
from pyarrow import csv
csv.read_csv(sys.argv[1], csv.ReadOptions(column_names=list("tqdrsnol")), csv.ParseOptions(delimiter=" "))
"""


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds that work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def write_campaign(folder: Path, count: int, topics: int, size: int) -> tuple[Path, list[Path]]:
    """Qrels, and runs of three disjoint passages an article."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    qrels = folder / "qrels"
    with open(qrels, "w") as out:
        for topic in range(topics):
            for document in rng.choice(20_000, 80, replace=False):
                offset, length = int(rng.integers(0, 9000)), int(rng.integers(1, 3000))
                out.write(f"{topic} Q0 {document} {length} 12000 {offset} {offset}:{length}\n")
    runs = []
    for number in range(count):
        runs.append(folder / f"run{number}")
        with open(runs[-1], "w") as out:
            for topic in range(topics):
                documents = np.repeat(rng.choice(20_000, size // 3, replace=False), 3)
                offsets = np.tile([0, 4000, 8000], size // 3) + rng.integers(0, 2000, size)
                lengths = rng.integers(1, 2000, size)
                for rank, (d, offset, length) in enumerate(zip(documents, offsets, lengths, strict=True), 1):
                    out.write(f"{topic} Q0 {d} {rank} {1 / rank:.5f} run{number} {offset} {length}\n")
    return qrels, runs


def main() -> None:
    """Print all figures."""
    if OFFICIAL.exists():
        qrels, run = OFFICIAL / "qrels.fol.txt", OFFICIAL / "passages.run"
        for task in TASKS[:4]:
            spent = seconds(lambda task=task: inex_eval(task, qrels, run))
            print(f"inex_eval, {task}, 7,517 lines: {spent:.3f} s")
        read = seconds(lambda: read_campaign(assessments=qrels, runs=run))
        campaign = read_campaign(assessments=qrels, runs=run)
        scored = seconds(lambda: score_campaign(campaign, MEASURES))
        print(f"the library, 7,517 lines: {read:.3f} s to read and {scored:.3f} s to score")
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = write_campaign(Path(folder, "official"), 1, OFFICIAL_TOPICS, OFFICIAL_SIZE)
        for task in TASKS[:4]:
            files = ["--assessments", str(qrels), "--run", str(runs[0])]
            command = [
                sys.executable,
                "-m",
                "focuseval",
                "score",
                "--like",
                "inex_eval",
                "--task",
                task,
                *files,
            ]
            taken = least(command)
            told = f"{taken.seconds:.2f} s, {taken.mebibytes:.0f} MiB, the process included"
            print(f"--like inex_eval, {task}, {OFFICIAL_TOPICS * OFFICIAL_SIZE:,} lines: {told}")
        read_only = least([sys.executable, "-c", READ_ONLY, str(runs[0])])
        print(f"pandas imported and the run read by Arrow, no more: {read_only.seconds:.2f} s")
        qrels, runs = write_campaign(Path(folder, "library"), RUNS, TOPICS, SIZE)
        read = seconds(lambda: read_campaign(assessments=qrels, runs=runs))
        campaign = read_campaign(assessments=qrels, runs=runs)
        scored = seconds(lambda: score_campaign(campaign, MEASURES, task="relevant-in-context"))
        lines = RUNS * TOPICS * SIZE
        print(f"the library, {lines:,} lines: {read:.2f} s to read and {scored:.2f} s to score")


if __name__ == "__main__":
    main()
