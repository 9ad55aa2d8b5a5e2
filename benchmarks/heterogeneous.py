"""Structural summaries and SRP on a collection with thousands of tag names, wrappers nested in wrappers.

    python benchmarks/heterogeneous.py

3.4 million elements in 9,804 documents (`semantic.py`); all three named summaries under all settings with what the
report shows of them, and SRP of 56 runs x 7 topics x 1,500 results. Each in a process of its own, making the
collection left out.
"""

import resource
import subprocess
import sys
import time

import numpy as np
import structural
from measuring import Measured, record
from semantic import semantic_collection

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.structural_summary import NAMED, summarise
from focuseval.model.elements import Collection
from focuseval.scoring.score import score
from focuseval_papers.ali2008.numbers import largest, pi_by_setting, spread, tree

ELEMENTS, DOCUMENTS, RUNS, TOPICS = 3_400_000, 9_804, 56, 7


def summaries(collection: Collection) -> None:
    """What `ali2008` shows of a campaign's summaries."""
    found = {name: summarise(collection, name) for name in NAMED}
    by_setting = pi_by_setting(found)
    spread(found, by_setting)
    labels, pi = found["incoming"], by_setting["incoming", "child", "extent"]
    largest(labels, pi)
    tree(labels, pi, "extent")


def srp(collection: Collection) -> None:
    """Scores of random runs."""
    structural.RUNS, structural.TOPICS = RUNS, TOPICS
    topics, results = structural.random_campaign(np.random.default_rng(2), collection)
    names = ("SRP@10", "SRP@100", "SRP@1500", "MASRP@1500")
    score(topics, results, [spec for name in names for spec in parse_specs(name, MEASURES)])


def measure(name: str) -> None:
    """Print the CPU seconds and the most MiB of one piece of work."""
    collection = semantic_collection(np.random.default_rng(1), ELEMENTS, DOCUMENTS)
    collection.own_text  # noqa: B018  (part of the element table)
    began = time.process_time()
    {"summaries": summaries, "srp": srp}[name](collection)
    print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> None:
    """Measure both."""
    rows = []
    for name, work, bound in (
        ("summaries", "all summaries under all settings", 20),
        ("srp", "SRP, four measures, runs made included", 5),
    ):
        done = subprocess.run([sys.executable, __file__, name], check=True, capture_output=True, text=True)
        seconds, mebibytes = map(float, done.stdout.split())
        rows.append(Measured(work, seconds, "s of CPU", bound=f"ours <= {bound}"))
        rows.append(Measured("its memory", mebibytes, "MiB", bound="ours <= 1536"))
    record("heterogeneous", rows)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1])
    else:
        main()
