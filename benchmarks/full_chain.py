"""The whole workflow on a campaign of 8 million elements, on two cores, from the documents' generation to the report.

    python benchmarks/full_chain.py

Wall time tells something on an idle machine only.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from growth import measured
from measuring import Measured, process, record

ROOT = Path(__file__).parents[1]
CAMPAIGN = "concept-space-full"


def main() -> None:
    """Run the campaign in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder, "full.yaml")
        chosen.write_text(f"campaigns: [{CAMPAIGN}]\n", encoding="utf-8")
        snakemake = shutil.which("snakemake", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        command = [str(snakemake), "--snakefile", str(ROOT / "Snakefile"), "--directory", folder]
        begin = time.monotonic()
        took = process([*command, "--cores", "2", "--configfile", str(chosen)])
        wall = time.monotonic() - begin
        steps = measured(Path(folder, "results"), CAMPAIGN)
    jobs = sum(step.wall for step in steps.values())
    heaviest = sorted(steps, key=lambda name: -steps[name].wall)[:3]
    record(
        "full_chain",
        [
            Measured(
                "the whole chain, 8.1 million elements, two cores", wall, "s of wall time", bound="ours <= 35"
            ),
            Measured(
                "its jobs on this campaign, one after another", jobs, "s of wall time", bound="ours <= 35"
            ),
            *(Measured(f"... {name}", steps[name].wall, "s of wall time") for name in heaviest),
            Measured("the whole chain", took.seconds, "s of CPU"),
            Measured("the most memory of a process", took.mebibytes, "MiB"),
        ],
    )


if __name__ == "__main__":
    main()
