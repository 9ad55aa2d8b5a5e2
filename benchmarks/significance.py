"""All pairs of 100 systems on 100 topics, 10,000 resamples: seconds, memory, and SciPy's permutation_test beside.

Run as ``PYTHONPATH=src python benchmarks/significance.py``. SciPy tests one pair at a time; a few are timed, in turn
with ours, and the ratio is that of a pair.
"""

import resource
import time

import numpy as np
import pandas as pd
from scipy import stats

from focuseval.statistics.comparisons import Method, differences
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import IN_TABLES as TESTS
from focuseval.statistics.significance import mean_intervals, p_values

SYSTEMS, TOPICS, RESAMPLES, PAIRS_OF_SCIPY = 100, 100, 10_000, 20


def megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print all figures."""
    rng = np.random.default_rng(0)
    level = rng.random((TOPICS, 1)) + np.linspace(0.2, 0, SYSTEMS)
    scores = np.clip(level + rng.normal(0, 0.2, (TOPICS, SYSTEMS)), 0, 1)
    first, second = np.triu_indices(SYSTEMS, k=1)
    change = scores[:, second] - scores[:, first]
    pairs = change.shape[1]
    begun, used = megabytes(), {}
    for name in TESTS:
        start = time.perf_counter()
        used[name] = p_values(change, name, RESAMPLES, 0, two_tailed=True)
        took = time.perf_counter() - start
        print(
            f"{name}, two-tailed, {pairs:,} pairs: {took:.2f} s; {megabytes() - begun:.0f} MB beyond the start"
        )
        if name == "randomisation":
            ours = took / pairs
    start = time.perf_counter()
    mean_intervals(change, resamples=RESAMPLES)
    print(f"intervals of all differences: {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    differences({"measure": ScoreTable(pd.DataFrame(scores))}, method=Method(resamples=RESAMPLES))
    print(f"the whole comparison: {time.perf_counter() - start:.2f} s; {megabytes():.0f} MB in all")

    start, of_scipy = time.perf_counter(), []
    for column in range(PAIRS_OF_SCIPY):
        found = stats.permutation_test(
            (change[:, column], np.zeros(TOPICS)),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            n_resamples=RESAMPLES,
            rng=np.random.default_rng(0),
        )
        of_scipy.append(found.pvalue)
    theirs = (time.perf_counter() - start) / PAIRS_OF_SCIPY
    apart = np.abs(np.array(of_scipy) - used["randomisation"][:PAIRS_OF_SCIPY]).max()
    print(
        f"scipy's permutation_test: {theirs * 1000:.0f} ms a pair, ours {ours * 1000:.3f} ms: {theirs / ours:.0f} times"
    )
    print(f"the p-values differ by {apart:.4f} at most (other random signs)")


if __name__ == "__main__":
    main()
