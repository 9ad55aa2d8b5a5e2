"""Article-level MAP beside pytrec_eval: 50 runs of 75,000 lines, from files to the scores of every topic.

    python benchmarks/peers.py [RUNS]

pytrec_eval is trec_eval's own code behind a Python interface; where the program `trec_eval` is on the path it is timed
as well. Each starts as a process of its own, so that imports and the reading of files count; here, that one scores the
runs in as many more as there are cores, whose memory is added up. Results are drawn from collections of so many
documents; the scores must agree. pytrec_eval is given one run after another, and, for its memory, all runs at once.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from measuring import Measured, Process, least, most_memory, record

TOPICS, RESULTS = 50, 1500
REPETITIONS = 5

#: documents of the collection, and how they are named
COLLECTIONS = {
    12_107: "an/{0}/a{1:05d}",
    200_000: "clueweb09-en{2:04d}-{3:02d}-{1:05d}",
    8_800_000: "passage_{3}_{1}",
}

OURS = ["-m", "focuseval", "score", "--measure", "MAP", "--per-topic", "--assessments"]

_PYTREC_EVAL = """
import sys, pytrec_eval
def read(path):
    with open(path) as lines:
        return pytrec_eval.parse_run(lines)
with open(sys.argv[1].replace(".fol", ".qrels")) as lines:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"map"})
%s
for path, run in runs:
    for topic, values in evaluator.evaluate(run).items():
        print(path.rpartition("/")[2].removesuffix(".run"), topic, f"{values['map']:.6f}")
"""
ONE_BY_ONE = _PYTREC_EVAL % "runs = ((path, read(path)) for path in sys.argv[2:])"
AT_ONCE = _PYTREC_EVAL % "runs = [(path, read(path)) for path in sys.argv[2:]]"

#: it scores one run, and prints four digits
TREC_EVAL = 'for run in "${@:2}"; do trec_eval -q -m map "${1/.fol/.qrels}" "$run"; done'


def write(folder: Path, runs: int, documents: int) -> tuple[Path, list[Path]]:
    """Seeded qrels (as FOL and as trec_eval's) and runs, of scores without ties."""
    rng = np.random.default_rng(2006)
    folder.mkdir()

    def name(i: int) -> str:
        return COLLECTIONS[documents].format(1990 + i % 12, i, i % 13, i % 97)

    with open(folder / "a.fol", "w") as fol, open(folder / "a.qrels", "w") as qrels:
        for topic in range(TOPICS):
            for i in sorted(rng.choice(documents, 100, replace=False).tolist()):
                relevant = rng.random() < 0.5
                fol.write(f"{topic} Q0 {name(i)} {90 * relevant} 1000{' 0 0:90' if relevant else ''}\n")
                qrels.write(f"{topic} 0 {name(i)} {int(relevant)}\n")
    paths = []
    (folder / "runs").mkdir()
    for run in range(runs):
        paths.append(folder / "runs" / f"run{run:02}.run")
        with open(paths[-1], "w") as out:
            for topic in range(TOPICS):
                for rank, i in enumerate(rng.choice(documents, RESULTS, replace=False).tolist(), start=1):
                    out.write(f"{topic} Q0 {name(i)} {rank} {1000 / (rank + 0.37):.6f} run{run:02}\n")
    os.sync()  # so that nothing is written to the disk while it is measured
    return folder / "a.fol", paths


def timed(code: str, qrels: Path, runs: list[Path], times: int = REPETITIONS) -> Process:
    """What a Python program takes."""
    return least([sys.executable, "-c", code, str(qrels), *map(str, runs)], times)


def scores_in(printed: str) -> list[str]:
    """Run, topic and value of every topic, as pytrec_eval's are printed."""
    rows = [line.split("\t") for line in printed.splitlines()[1:]]
    return sorted(f"{run} {topic} {float(value):.6f}" for run, topic, _, value in rows if topic != "all")


def same_digits(ours: str, printed: str) -> bool:
    """Whether the scores are those that trec_eval printed, whose order of topics is another one."""
    found = [float(line.split()[2]) for line in printed.splitlines() if line.split()[1] != "all"]
    known = [float(line.split()[2]) for line in scores_in(ours)]
    return len(found) == len(known) and np.allclose(np.sort(found), np.sort(known), rtol=0, atol=0.51e-4)


def main() -> None:
    """Measure all collections."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    rows = []
    for documents in COLLECTIONS:
        with tempfile.TemporaryDirectory() as folder:
            qrels, runs = write(Path(folder) / "runs", count, documents)
            command = [sys.executable, *OURS, str(qrels), "--run", str(qrels.parent / "runs")]
            ours = least(command, REPETITIONS)
            peer = timed(ONE_BY_ONE, qrels, runs)
            assert scores_in(ours.output) == sorted(peer.output.splitlines()), "other scores"
            work = f"{count} runs x {TOPICS * RESULTS:,} lines of {documents:,} documents, MAP"
            rows.append(
                Measured(work, ours.clock, "s by the clock", peer.clock, "pytrec_eval", "ratio >= 1.2")
            )
            rows.append(
                Measured(
                    "its CPU time", ours.seconds, "s of CPU", peer.seconds, "pytrec_eval", "ratio >= 0.7"
                )
            )
            if shutil.which("trec_eval"):
                program = least(
                    ["bash", "-c", TREC_EVAL, "trec_eval", str(qrels), *map(str, runs)], REPETITIONS
                )
                assert same_digits(ours.output, program.output), "other scores than trec_eval's"
                rows.append(
                    Measured(work, ours.clock, "s by the clock", program.clock, "trec_eval", "ratio >= 1.5")
                )
            taken = most_memory(command)
            for code, how, bound in (
                (AT_ONCE, "all runs at once", "ratio >= 1"),
                (ONE_BY_ONE, "one run after another", ""),
            ):
                peers = most_memory([sys.executable, "-c", code, str(qrels), *map(str, runs)])
                rows.append(Measured("its memory", taken, "MiB", peers, f"pytrec_eval, {how}", bound))
    record("peers", rows)


if __name__ == "__main__":
    main()
