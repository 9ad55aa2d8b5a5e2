"""Element tables on one core and on two: wall seconds, taking turns, each in a new process.

    python benchmarks/two_cores.py

On the documents of the campaign `concept-space-full` (8.1 million elements), made first, and on five copies of them.
Wall time tells something on an idle machine only; the least of some turns is taken.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from measuring import Measured, record

from focuseval.model.parallel import claim
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection

TURNS = 5


def copies(source: Path, count: int, out: Path) -> None:
    """An archive of so many copies of the documents of another."""
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        for copy in range(count):
            for member in given.infolist():
                new.writestr(f"copy{copy}/{member.filename}", given.read(member))


def build(source: str, jobs: int) -> None:
    """Build element tables as a job does, and print how many elements there are and the seconds of wall time."""
    claim()
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        build_collection(source, folder, jobs=jobs)
        took = time.monotonic() - begin
        print(len(load_collection(folder)), took)


def measured(source: Path) -> Measured:
    """One core beside two, the least of some turns."""
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(TURNS):
        for jobs, found in seconds.items():
            command = [sys.executable, __file__, "--build", str(source), "--jobs", str(jobs)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            elements, took = printed.split()
            found.append(float(took))
    work = f"element tables, {int(elements) / 1e6:.1f} million elements, two cores"
    return Measured(work, min(seconds[2]), "s of wall time", min(seconds[1]), "one core", "ratio >= 1.8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", help=argparse.SUPPRESS)
    parser.add_argument("--jobs", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.build:
        build(arguments.build, arguments.jobs)
        return
    with tempfile.TemporaryDirectory() as made:
        write_campaign(settings(size="full", seed=2003), Path(made), processes=2)
        source, larger = Path(made, "collection.zip"), Path(made, "copies.zip")
        copies(source, 5, larger)
        record("two_cores", [measured(source), measured(larger)])


if __name__ == "__main__":
    main()
