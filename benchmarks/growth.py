"""How each step of the workflow grows with the collection, from the logs of a finished run.

    snakemake --cores 2 --configfile config/sizes.yaml
    python benchmarks/growth.py results concept-space concept-space-quarter concept-space-full

Prints Markdown: the CPU seconds of every job by campaign and how they grow with the number of elements
(seconds ~ elements ** exponent, between the last two campaigns), wall time, memory and results of the
last campaign; and writes `benchmarks/growth.svg`. What a job took is the last line of its log; a job of
several processes has its CPU time and memory in Snakemake's benchmark file.
"""

import csv
import math
import re
import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import pandas as pd

from focuseval.report.figures import COLOURS

TOOK = re.compile(r"took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB, largest child (\d+) MB\s*\Z")

#: a step that took less CPU time at the largest size grows with what all jobs do before they begin
SHOWN = 5.0


class Took(NamedTuple):
    """Seconds of wall time, seconds of CPU time, megabytes."""

    wall: float = 0.0
    cpu: float = 0.0
    memory: float = 0.0


def measured(results: Path, campaign: str) -> dict[str, Took]:
    """Return what all jobs of each rule took on a campaign."""
    found: dict[str, Took] = {}
    for log in sorted((results / "logs" / campaign).glob("*.log")):
        line = TOOK.search(log.read_text(encoding="utf-8"))
        if line is None:
            continue
        wall, cpu, memory = float(line[1]), float(line[2]), float(line[3])
        benchmark = results / "benchmarks" / campaign / f"{log.stem}.tsv"
        if benchmark.exists():
            with open(benchmark, encoding="utf-8") as lines:
                row = next(csv.DictReader(lines, delimiter="\t"))
            cpu, memory = max(cpu, float(row["cpu_time"])), max(memory, float(row["max_rss"]))
        name = log.stem.partition(".")[0]
        before = found.get(name, Took())
        found[name] = Took(before.wall + wall, before.cpu + cpu, max(before.memory, memory))
    return found


def megabytes(path: Path) -> float:
    """Size of a file, or of all files in a folder."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def main() -> None:
    """Print the tables and write the plot."""
    results, campaigns = Path(sys.argv[1]), sys.argv[2:]
    facts = [
        pd.read_parquet(results / name / "facts.parquet").set_index("fact")["value"] for name in campaigns
    ]
    elements = [float(told["elements"]) for told in facts]
    jobs = [measured(results, name) for name in campaigns]
    steps = sorted(jobs[-1], key=lambda step: -jobs[-1][step].cpu)
    sizes = " | ".join(f"{n / 1e6:.2f} M" for n in elements)
    print(f"| step | {sizes} | exponent | wall | MB |\n|---|" + "---:|" * (len(campaigns) + 3))
    for step in steps:
        took = jobs[-1][step]
        seconds = [job.get(step, Took()).cpu for job in jobs]
        grown = math.log(seconds[-1] / seconds[-2]) / math.log(elements[-1] / elements[-2])
        exponent = f"{grown:.2f}" if took.cpu >= SHOWN else ""
        columns = " | ".join(f"{s:.1f}" for s in seconds)
        print(f"| {step} | {columns} | {exponent} | {took.wall:.1f} | {took.memory:.0f} |")
    totals = [f"{sum(took.cpu for took in job.values()):.0f}" for job in jobs]
    print(f"| all | {' | '.join(totals)} | | {sum(took.wall for took in jobs[-1].values()):.0f} | |")

    print(f"\n| results, MB | {sizes} |\n|---|" + "---:|" * len(campaigns))
    for part in sorted(path.name for path in (results / campaigns[-1]).iterdir()):
        sized = [f"{megabytes(results / name / part):.1f}" for name in campaigns]
        print(f"| `{part}` | {' | '.join(sized)} |")

    millions = [n / 1e6 for n in elements]
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for step, colour, marker in zip(steps, COLOURS, "osD^v<>p", strict=False):
        seconds = [job.get(step, Took(cpu=math.nan)).cpu for job in jobs]
        axes.plot(millions, seconds, marker=marker, color=colour, label=step)
    axes.set(xscale="log", yscale="log", xlabel="million elements", ylabel="CPU seconds")
    axes.set_xticks(millions, [f"{n:.2f}" for n in millions])
    axes.minorticks_off()
    axes.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    figure.legend(loc="outside right center", fontsize="small", frameon=False)
    plt.rcParams["svg.hashsalt"] = "growth"
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
