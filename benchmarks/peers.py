"""Article-level MAP beside pytrec_eval: 50 runs of 75,000 lines, from files to the scores of every topic.

    python benchmarks/peers.py [RUNS]

pytrec_eval is trec_eval's own code behind a Python interface; where the program `trec_eval` is on the path
it is timed as well. Each starts as a process of its own, so that imports and the reading of files count.
CPU seconds of five repetitions in turn, the best one of each. The scores must agree.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TOPICS, RESULTS, DOCUMENTS = 50, 1500, 12_107
REPETITIONS = 5

OURS = """
import sys, focuseval
scores = focuseval.score(["MAP"], assessments=sys.argv[1], runs=sys.argv[2:], per_topic=True)
for run, topic, value in scores[["run", "topic", "value"]].itertuples(index=False):
    if topic != "all":
        print(run, topic, f"{value:.6f}")
"""

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1].replace(".fol", ".qrels")) as lines:
    evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"map"})
for path in sys.argv[2:]:
    with open(path) as lines:
        scores = evaluator.evaluate(pytrec_eval.parse_run(lines))
    for topic, values in scores.items():
        print(path.rpartition("/")[2].removesuffix(".run"), topic, f"{values['map']:.6f}")
"""

TREC_EVAL = """
for run in "${@:2}"; do
  trec_eval -q -m map "${1/.fol/.qrels}" "$run" | awk -v run="$(basename "$run" .run)" '$2 != "all" {print run, $2, $3}'
done
"""


def write(folder: Path, runs: int) -> tuple[Path, list[Path]]:
    """Seeded qrels (as FOL and as trec_eval's) and runs, of scores without ties."""
    rng = np.random.default_rng(2006)
    names = [f"an/{1990 + i % 12}/a{i:05d}" for i in range(DOCUMENTS)]
    with open(folder / "a.fol", "w") as fol, open(folder / "a.qrels", "w") as qrels:
        for topic in range(TOPICS):
            for i in sorted(rng.choice(DOCUMENTS, 100, replace=False)):
                relevant = rng.random() < 0.5
                fol.write(f"{topic} Q0 {names[i]} {90 * relevant} 1000{' 0 0:90' if relevant else ''}\n")
                qrels.write(f"{topic} 0 {names[i]} {int(relevant)}\n")
    paths = []
    for run in range(runs):
        paths.append(folder / f"run{run:02}.run")
        with open(paths[-1], "w") as out:
            for topic in range(TOPICS):
                for rank, i in enumerate(rng.permutation(DOCUMENTS)[:RESULTS], start=1):
                    out.write(f"{topic} Q0 {names[i]} {rank} {1000 / (rank + 0.37):.6f} run{run:02}\n")
    return folder / "a.fol", paths


def timed(command: list[str], qrels: Path, runs: list[Path]) -> tuple[float, list[str]]:
    """CPU seconds of a command, and its lines."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, str(qrels), *map(str, runs)], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, sorted(done.stdout.splitlines())


def main() -> None:
    """Print a line for each of them."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    commands = {
        "focuseval": [sys.executable, "-c", OURS],
        "pytrec_eval": [sys.executable, "-c", PYTREC_EVAL],
    }
    if shutil.which("trec_eval"):
        commands["trec_eval"] = ["bash", "-c", TREC_EVAL, "trec_eval"]
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = write(Path(folder), count)
        lines = count * TOPICS * RESULTS
        turns = [
            {name: timed(command, qrels, runs) for name, command in commands.items()}
            for _ in range(REPETITIONS)
        ]
    found = {name: min(turn[name] for turn in turns) for name in commands}
    for name, (seconds, scores) in found.items():
        places = 4 if name == "trec_eval" else 6
        same = (
            [s[: len(s) - 6 + places] for s in found["focuseval"][1]] == scores
            if places == 4
            else (found["focuseval"][1] == scores)
        )
        told = "the same scores" if same else "OTHER SCORES"
        print(
            f"{name:12} {seconds:6.2f} s of CPU, {lines / seconds / 1e6:.2f} million lines a second, {told}"
        )


if __name__ == "__main__":
    main()
