"""How each step of the workflow grows with the collection, from the logs of a finished run.

    snakemake --cores 2 --configfile config/sizes.yaml -- goevert2006
    python benchmarks/growth.py results concept-space concept-space-quarter concept-space-full

Prints a Markdown table of the CPU seconds and of the most memory of every job, by campaign, and writes
`benchmarks/growth.svg`. What a job took is the last line of its log; CPU time of processes that a job
starts through a server of their own (`elements`) is taken from Snakemake's benchmark file.
"""

import csv
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

TOOK = re.compile(r"took ([\d.]+) s, ([\d.]+) s of CPU, (\d+) MB, largest child (\d+) MB\s*\Z")


def measured(results: Path, campaign: str) -> dict[str, tuple[float, float]]:
    """CPU seconds and megabytes of every job of a campaign; figures taken together."""
    found: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for log in sorted((results / "logs" / campaign).glob("*.log")):
        took = TOOK.search(log.read_text(encoding="utf-8"))
        if took is None:
            continue
        seconds, megabytes = float(took[2]), float(took[3])
        benchmark = results / "benchmarks" / campaign / f"{log.stem}.tsv"
        if benchmark.exists():
            with open(benchmark, encoding="utf-8") as lines:
                row = next(csv.DictReader(lines, delimiter="\t"))
            seconds = max(seconds, float(row["cpu_time"]))
            megabytes = max(megabytes, float(row["max_rss"]))
        name = re.sub(r"(goevert2006_figure)\d+", r"\1s", log.stem)
        before = found[name]
        found[name] = before[0] + seconds, max(before[1], megabytes)
    return dict(found)


def main() -> None:
    """Print the table and write the plot."""
    results, campaigns = Path(sys.argv[1]), sys.argv[2:]
    elements = [json.loads((results / name / "facts.json").read_text())["elements"] for name in campaigns]
    jobs = [measured(results, name) for name in campaigns]
    print("| step | " + " | ".join(f"{n / 1e6:.1f} M elements" for n in elements) + " | most MB |")
    print("|---|" + "---:|" * (len(campaigns) + 1))
    for step in sorted(jobs[-1], key=lambda step: -jobs[-1][step][0]):
        seconds = [job.get(step, (float("nan"), 0))[0] for job in jobs]
        print(f"| {step} | " + " | ".join(f"{s:.1f}" for s in seconds) + f" | {jobs[-1][step][1]:.0f} |")
    print("| all | " + " | ".join(f"{sum(s for s, _ in job.values()):.0f}" for job in jobs) + " | |")
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for step in sorted(jobs[-1], key=lambda step: -jobs[-1][step][0])[:7]:
        axes.plot([n / 1e6 for n in elements], [job.get(step, (None,))[0] for job in jobs], "o-", label=step)
    axes.set(xscale="log", yscale="log", xlabel="million elements", ylabel="CPU seconds")
    axes.legend(fontsize="small", frameon=False)
    plt.rcParams["svg.hashsalt"] = "growth"
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})


if __name__ == "__main__":
    main()
