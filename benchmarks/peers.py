"""TREC runs beside pytrec_eval, from files to the scores of every topic; INEX runs beside pandas, reading alone.

    python benchmarks/peers.py

pytrec_eval is trec_eval's own code behind a Python interface. Each program starts as a process of its own, so that
imports and the reading of files count. Runs are scored in as many processes as there are cores: their CPU time and
memory are added up. Results are drawn from a collection of 200,000 documents; the scores must agree.
"""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from measuring import Measured, in_turn, most_memory, process, record

from focuseval.formats.readers import read_runs

TOPICS, RESULTS, DOCUMENTS = 50, 1500, 200_000
#: runs that are timed, and runs whose memory is measured
TIMED, HELD = 20, 50
REPETITIONS = 3

OURS = ["-m", "focuseval", "score", "--measure", "MAP", "--per-topic", "--gold"]

PYTREC_EVAL = """
import sys, pytrec_eval
def read(path):
    with open(path) as lines:
        return pytrec_eval.parse_run(lines)
with open(sys.argv[1].replace(".fol", ".qrels")) as lines:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"map"})
for path in sys.argv[2:]:
    for topic, values in evaluator.evaluate(read(path)).items():
        print(path.rpartition("/")[2].removesuffix(".run"), topic, f"{values['map']:.6f}")
"""


def write(folder: Path) -> tuple[Path, list[Path]]:
    """Write seeded qrels (as FOL and as trec_eval's) and runs, of scores without ties."""
    rng = np.random.default_rng(2006)

    def name(i: int) -> str:
        return f"clueweb09-en{i % 13:04d}-{i % 97:02d}-{i:05d}"

    with open(folder / "a.fol", "w") as fol, open(folder / "a.qrels", "w") as qrels:
        for topic in range(TOPICS):
            for i in sorted(rng.choice(DOCUMENTS, 100, replace=False).tolist()):
                relevant = rng.random() < 0.5
                fol.write(f"{topic} Q0 {name(i)} {90 * relevant} 1000{' 0 0:90' if relevant else ''}\n")
                qrels.write(f"{topic} 0 {name(i)} {int(relevant)}\n")
    paths = [folder / f"run{run:02}.run" for run in range(HELD)]
    for path in paths:
        with open(path, "w") as out:
            for topic in range(TOPICS):
                for rank, i in enumerate(rng.choice(DOCUMENTS, RESULTS, replace=False).tolist(), start=1):
                    out.write(f"{topic} Q0 {name(i)} {rank} {1000 / (rank + 0.37):.6f} {path.stem}\n")
    os.sync()  # so that nothing is written to the disk while it is measured
    return folder / "a.fol", paths


def write_paths(folder: Path, runs: int = 30, lines: int = 15_000) -> list[Path]:
    """Write seeded runs of XPaths: 1,500 results a topic, over 12,107 documents and some 15,000 paths."""
    rng = np.random.default_rng(2006)
    paths = [folder / f"paths{run:02}.run" for run in range(runs)]
    for path in paths:
        with open(path, "w") as out:
            for i, place in enumerate(rng.integers(0, 15_000, lines).tolist()):
                topic, rank = divmod(i, RESULTS)
                document = (topic * 31 + rank * 7) % 12107  # once in a topic
                name, element = (
                    f"an/{1990 + document % 12}/a{document:05d}",
                    f"sec[{place // 600 + 1}]/p[{place % 600 + 1}]",
                )
                line = f"{topic} Q0 {name} {rank + 1} {1000 / (rank + 1.37):.6f} run /article[1]/bdy[1]/{element}"
                out.write(line + "\n")
    return paths


def scores_in(printed: str) -> list[str]:
    """Run, topic and value of every topic, as pytrec_eval's are printed."""
    rows = [line.split("\t") for line in printed.splitlines()[1:]]
    return sorted(f"{run} {topic} {float(value):.6f}" for run, topic, _, value in rows if topic != "all")


def main() -> None:
    """Measure both."""
    with tempfile.TemporaryDirectory() as name:
        qrels, runs = write(Path(name))

        def commands(some: list[Path]) -> tuple[list[str], list[str]]:
            files = list(map(str, some))
            given = [argument for file in files for argument in ("--run", file)]
            return (
                [sys.executable, *OURS, str(qrels), *given],
                [sys.executable, "-c", PYTREC_EVAL, str(qrels), *files],
            )

        turns = [[process(command) for command in commands(runs[:TIMED])] for _ in range(REPETITIONS)]
        assert scores_in(turns[0][0].output) == sorted(turns[0][1].output.splitlines()), "other scores"
        ours, peer = (min(turn[i].seconds for turn in turns) for i in (0, 1))
        held, of_peer = map(most_memory, commands(runs))
        paths = write_paths(Path(name))
        spent = in_turn(
            {
                "ours": lambda: read_runs(paths),
                "pandas": lambda: [pd.read_csv(path, sep=" ", header=None) for path in paths],
            }
        )
    of_runs = f"runs x {TOPICS * RESULTS:,} lines of {DOCUMENTS:,} documents, MAP"
    trec_eval, pandas = "pytrec_eval", "pandas.read_csv"
    rows = [
        Measured(f"{TIMED} {of_runs}", ours, "s of CPU", peer, trec_eval, "ratio >= 0.6"),
        Measured(f"{HELD} {of_runs}: memory", held, "MiB", of_peer, trec_eval, "ours <= 260"),
        Measured(
            f"{len(paths)} runs x 15,000 lines with XPaths, read",
            spent["ours"].cpu,
            "s of CPU",
            spent["pandas"].cpu,
            pandas,
            "ratio >= 0.15",
        ),
    ]
    record("peers", rows)


if __name__ == "__main__":
    main()
