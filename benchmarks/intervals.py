"""How often 95 % intervals hold the mean, whether they agree with p-values, and how often tests find what is not there.

Run as ``PYTHONPATH=src python benchmarks/intervals.py``: prints the tables of ``docs/comparing.md`` and
``docs/own-campaign.md``; seeds are fixed. Samples are differences on topics (4,000 of each kind and size), counts of
topics that are added up, and pairs of values of runs. Those whose values are all equal have no interval: left out.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats

from focuseval.measures.ratios import f1
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import IN_TABLES as TESTS
from focuseval.statistics.significance import mean_intervals, p_values, times_drawn
from focuseval_papers.publication.estimates import Sample, kendall_of, mean_of, pearson_of

TOPICS, SAMPLES, RESAMPLES, ESTIMATES = (12, 25, 50), 4000, 2000, 1000

Limits = tuple[np.ndarray, np.ndarray]


def gains(rng: np.random.Generator, shape: tuple[int, int], gain: float, loss: float) -> np.ndarray:
    """Differences of 0 but on some topics, where they are uniform up to 1, or down to -1."""
    kind, size = rng.random(shape), rng.random(shape)
    return np.select([kind < gain, kind < gain + loss], [size, -size])


#: differences (n, S) and their mean
DIFFERENCES: dict[str, tuple[Callable[..., np.ndarray], float]] = {
    "normal": (lambda rng, shape: rng.normal(0.3, 1, shape), 0.3),
    "lognormal": (lambda rng, shape: rng.lognormal(0, 1, shape) - 1, np.exp(0.5) - 1),
    "15 % of topics gain": (lambda rng, shape: gains(rng, shape, 0.15, 0), 0.075),
    "70 % ties, 20 % gain, 10 % lose": (lambda rng, shape: gains(rng, shape, 0.2, 0.1), 0.05),
    "70 % ties, 15 % gain, 15 % lose": (lambda rng, shape: gains(rng, shape, 0.15, 0.15), 0.0),
}


def of_scipy(method: str) -> Callable[[np.ndarray], Limits]:
    """SciPy's bootstrap intervals."""

    def limits(x: np.ndarray) -> Limits:
        found = stats.bootstrap((x,), np.mean, n_resamples=RESAMPLES, batch=20, method=method, rng=0)
        return found.confidence_interval.low, found.confidence_interval.high

    return limits


def studentised(x: np.ndarray) -> Limits:
    """Bootstrap-t: a resample without spread is infinitely far from the mean."""
    n, mean = len(x), x.mean(axis=0)
    weights = times_drawn(n, RESAMPLES, 0) / n
    drawn = weights @ x
    error = np.sqrt((weights @ x**2 - drawn**2).clip(0) / (n - 1))
    far = np.where(drawn == mean, 0.0, np.copysign(np.inf, drawn - mean))
    t = np.divide(drawn - mean, error, out=far, where=error > 1e-9)
    t.sort(axis=0)
    place = int(0.025 * (RESAMPLES + 1)) - 1
    return mean - t[-1 - place] * stats.sem(x), mean - t[place] * stats.sem(x)


def of_test(test: str) -> Callable[[np.ndarray], Limits]:
    """The intervals of `focuseval`."""
    return lambda x: mean_intervals(x, resamples=RESAMPLES, test=test)


CANDIDATES = {
    "t": of_test("t-test"),
    "percentile": of_test("bootstrap"),
    "BCa": of_scipy("BCa"),
    "bootstrap-t": studentised,
    "subsets": of_test("randomisation"),
}


def held(limits: Limits, mean: float) -> float:
    """The share of intervals that hold the mean."""
    return float(np.mean((limits[0] <= mean) & (mean <= limits[1])))


def means() -> None:
    """Tables of means: coverage and unbounded intervals, agreement with p-values, false alarms."""
    coverage, agreement, alarms = [], [], []
    for number, (name, (draw, mean)) in enumerate(DIFFERENCES.items()):
        for n in TOPICS:
            x = draw(np.random.default_rng([number, n]), (n, SAMPLES))
            x = x[:, np.ptp(x, axis=0) > 0]
            intervals = {candidate: limits(x) for candidate, limits in CANDIDATES.items()}
            row = {"differences": name, "topics": n}
            coverage.append(row | {candidate: held(found, mean) for candidate, found in intervals.items()})
            endless = np.isinf(np.subtract(*intervals["bootstrap-t"]))
            coverage[-1] |= {
                "bootstrap-t without end": float(np.mean(endless)),
                "no interval": 1 - x.shape[1] / SAMPLES,
            }
            p = p_values(x, "randomisation", RESAMPLES, 0, two_tailed=True)
            agreement.append(row | {
                candidate: float(np.mean(((low > 0) | (high < 0)) != (p <= 0.05)))
                for candidate, (low, high) in intervals.items()
            })  # fmt: skip
            found = {test: p_values(x - mean, test, RESAMPLES, 0, two_tailed=True) for test in TESTS}
            alarms.append(row | {test: float(np.mean(p <= 0.05)) for test, p in found.items()})
    show("Share of intervals that hold the mean", coverage)
    show("Share of rows in which the interval and the randomisation test disagree about 0", agreement)
    show("Share of samples of mean 0 that tests find significant at .05", alarms)


def few() -> None:
    """False alarms on few topics, where differences are normal."""
    rows = []
    for n in (*range(2, 11), 12, 16, 20, 25):
        x = np.random.default_rng([0, n]).normal(0, 1, (n, SAMPLES))
        rows.append({"topics": n} | {
            f"{test}, {name}": float(np.mean(p_values(x, test, RESAMPLES, 0, two_tailed=two_tailed) <= 0.05))
            for test in ("bootstrap", "randomisation")
            for name, two_tailed in (("two-tailed", True), ("one-tailed", False))
        })  # fmt: skip
    show("Share of samples of mean 0 that tests find significant at .05, on few topics", rows)


def counts_of(rng: np.random.Generator, shape: tuple[int, ...], better: float) -> np.ndarray:
    """(n, R, 4) counts of characters: lengths are lognormal, what is right is a share of the shorter one."""
    relevant = rng.lognormal(6, 1, shape)
    share = rng.random(shape)
    sides = []
    for gain in (0.0, better):
        returned = rng.lognormal(6, 1, shape)
        right = np.minimum(relevant, returned) * np.clip(share + gain * rng.normal(1, 1, shape), 0, 1)
        sides.append(np.stack([right, returned, right, relevant], axis=-1))
    return np.concatenate(sides, axis=1)


def pooled() -> None:
    """F1 of counts that are added up over topics, and the difference of two."""
    large = counts_of(np.random.default_rng(1), (2_000_000, 1), 0.1).sum(axis=0)
    true = {"F1": f1(large)[0], "difference of two F1": f1(large)[1] - f1(large)[0]}
    first, second = np.arange(SAMPLES), np.arange(SAMPLES, 2 * SAMPLES)
    rows, disagree = [], []
    for n in TOPICS:
        counted = counts_of(np.random.default_rng(n), (n, SAMPLES), 0.1)
        counts = ScoreTable(pd.DataFrame(f1(counted)), counts=counted, number=f1)
        pairs = counts.differences(first, second)
        left_out = f1(counted.sum(axis=0) - counted)
        for name, runs in (("F1", counts.differences(None, first)), ("difference of two F1", pairs)):
            value = runs.difference
            left = left_out[:, first] if name == "F1" else left_out[:, second] - left_out[:, first]
            half = stats.t.ppf(0.975, n - 1) * (n - 1) * stats.sem(left)
            percentile, subsets = (
                runs.interval(0.95, RESAMPLES, 0, test) for test in ("bootstrap", "randomisation")
            )
            found = {
                "t of the jackknife": (value - half, value + half),
                "percentile": percentile,
                "subsets": subsets,
            }
            rows.append(
                {"number": name, "topics": n}
                | {key: held(limits, true[name]) for key, limits in found.items()}
            )
        p = pairs.p_values("randomisation", RESAMPLES, 0, two_tailed=True)
        disagree.append({"topics": n} | {
            key: float(np.mean(((low > 0) | (high < 0)) != (p <= 0.05))) for key, (low, high) in found.items()
        })  # fmt: skip
    show("Share of intervals that hold the number of added counts", rows)
    show("Share of rows in which the interval and the randomisation test disagree about 0", disagree)


def estimates() -> None:
    """Intervals of findings: of means and of correlations of 0.7 over runs or topics."""
    rows = []
    for name, statistic, true in (
        ("mean, normal", lambda x, y: mean_of(x), 0.0),
        ("mean, lognormal", lambda x, y: mean_of(np.exp(x)), np.exp(0.5)),
        ("Pearson's r", pearson_of, 0.7),
        ("Kendall's tau", kendall_of, 2 / np.pi * np.arcsin(0.7)),
    ):
        for n in TOPICS:
            sample = Sample("runs", tuple(map(str, range(n))), "runs", 1000, 1)
            drawn = np.random.default_rng(n).multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], (ESTIMATES, n))
            found = [sample.estimate(statistic(*xy.T)) for xy in drawn]
            percentile = np.transpose([np.nanquantile(one.drawn, [0.025, 0.975]) for one in found])
            ours = np.transpose([one.interval for one in found])
            rows.append(
                {"number": name, "n": n, "percentile": held(percentile, true), "expanded": held(ours, true)}
            )
    show("Share of intervals of findings that hold the number", rows)


def show(title: str, rows: list[dict[str, object]]) -> None:
    """Print a table in Markdown."""
    print(f"{title}\n\n{pd.DataFrame(rows).to_markdown(index=False, floatfmt='.3f')}\n", flush=True)


if __name__ == "__main__":
    means()
    few()
    pooled()
    estimates()
