"""Navigation models from click logs; tables and what is worked by hand are in the transcripts (`shown`)."""

import numpy as np
import pytest

from focuseval.measures.navigation import reach_of_steps


def test_click_logs_give_the_chain_of_figure_2() -> None:
    """50% go from x to y and 30% to z; of those at y 80% go on to z, of those at z 12% to y."""
    steps = [(0, 1)] * 50 + [(0, 2)] * 30 + [(1, 2)] * 80 + [(2, 1)] * 12
    source, target = np.array(steps).T
    reach = reach_of_steps(np.repeat([0, 1, 2], 100), source, target)
    found = {(a, b): p for a, b, p in zip(reach.source, reach.target, reach.probability, strict=True)}
    assert found[0, 1] == pytest.approx(0.536, abs=1e-12)
    assert found[0, 2] == pytest.approx(0.7, abs=1e-12)
    assert found[0, 0] == found[1, 1] == 1
    assert (1, 0) not in found


def test_click_logs_agree_with_simulated_users() -> None:
    """The share of random walks through the estimated steps that ever reach an element."""
    rng = np.random.default_rng(0)
    n = 5
    step = rng.random((n, n)) * (rng.random((n, n)) < 0.6) + 0.05
    np.fill_diagonal(step, 0)
    step /= step.sum(axis=1, keepdims=True) * 1.4
    counts = np.rint(step * 1000).astype(int)
    source, target = np.nonzero(counts)
    reach = reach_of_steps(
        np.repeat(np.arange(n), 1000),
        np.repeat(source, counts[source, target]),
        np.repeat(target, counts[source, target]),
    )
    estimated = np.zeros((n, n))
    estimated[reach.source, reach.target] = reach.probability
    bounds = np.cumsum(counts, axis=1) / 1000
    walks = 40_000
    reached = np.zeros((n, n))
    for start in range(n):
        at = np.full(walks, start)
        seen = np.zeros((walks, n), dtype=bool)
        seen[:, start] = True
        while (at >= 0).any():
            on = np.flatnonzero(at >= 0)
            drawn = (bounds[at[on]] <= rng.random(len(on))[:, None]).sum(axis=1)
            at[on] = np.where(drawn < n, drawn, -1)
            went = on[at[on] >= 0]
            seen[went, at[went]] = True
        reached[start] = seen.mean(axis=0)
    np.testing.assert_allclose(estimated, reached, atol=5 * 0.5 / np.sqrt(walks))
