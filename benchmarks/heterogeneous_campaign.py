"""A campaign on heterogeneous documents through the whole workflow, with all five papers.

    python benchmarks/heterogeneous_campaign.py FOLDER

The campaign is made (`semantic_campaign.py`), unless it is in ``FOLDER`` already; then ``snakemake --cores 2`` makes
everything from its files in an empty folder. Prints what each job took, from the last line of its log.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from growth import TOOK
from measuring import Measured, record
from semantic_campaign import ELEMENTS, FOCUSED, IN_CONTEXT, RESULTS, RUNS, THOROUGH, TOPICS, write_campaign

REPOSITORY = Path(__file__).resolve().parent.parent

NAME = "heterogeneous"

CONFIGURATION = f"""\
campaigns:
  - name: {NAME}
    folder: ..
    collection: documents.zip
    topics: topics.xml
    assessments: qrels.fol.txt
    scale: highlights
    task: relevant-in-context
    runs: runs/{IN_CONTEXT}
    tasks:
      CO.Focussed: {{runs: runs/{FOCUSED}}}
      CO.Thorough: {{runs: runs/{THOROUGH}}}
      CO.FetchBrowse: {{}}
    papers: [goevert2006, kazai2005, piwowarski2006, kamps2007, ali2008]
"""

SECONDS = 90


def workflow(folder: Path) -> tuple[float, float]:
    """Seconds of wall time and of CPU of the whole workflow, from nothing but the campaign's files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "campaign.yaml").write_text(CONFIGURATION)
    command = ["snakemake", "--cores", "2", "--snakefile", str(REPOSITORY / "Snakefile")]
    command += ["--profile", str(REPOSITORY / "profiles/default"), "--configfile", "campaign.yaml"]
    began, before = time.monotonic(), os.times()
    subprocess.run([sys.executable, "-m", *command], cwd=folder, check=True)
    after = os.times()
    return time.monotonic() - began, sum(after[2:4]) - sum(before[2:4])


def jobs(logs: Path) -> list[tuple[str, float, float, int]]:
    """Name, seconds of wall time, of CPU, and most megabytes of a process of each job, the heaviest first."""
    found = []
    for log in logs.rglob("*.log"):
        if line := TOOK.search(log.read_text(encoding="utf-8")):
            memory = max(int(line[3]), int(line[4]))
            found.append((str(log.relative_to(logs).with_suffix("")), float(line[1]), float(line[2]), memory))
    return sorted(found, key=lambda job: -job[2])


def main(folder: Path) -> None:
    """Make the campaign, run the workflow, print and record what it took."""
    if not (folder / "runs").exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_campaign(folder)
    wall, seconds = workflow(folder / "work")
    print("| job | wall s | CPU s | MB |\n|---|---:|---:|---:|")
    ran = jobs(folder / "work/results/logs")
    for name, took, cpu, memory in ran:
        print(f"| {name} | {took:.1f} | {cpu:.1f} | {memory} |")
    rows = [
        Measured(
            f"all five papers, {ELEMENTS:,} elements, {RUNS} runs x {TOPICS} topics x {RESULTS:,}, three tasks",
            wall,
            "s",
            bound=f"ours <= {SECONDS}",
        ),
        Measured("its CPU time", seconds, "s of CPU"),
        Measured("most memory of a job", max(memory for *_, memory in ran), "MB"),
    ]
    sys.argv[1:] = ["FOLDER"]
    record("heterogeneous_campaign", rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
