"""How far the normal law is off, by number of uncertain elements: of one distribution, and of EPRUM.

    PYTHONPATH=src python benchmarks/eprum_normal.py

The first table has the largest error of P(F >= f) over f and 50 draws of the probabilities; the second
that of the measure, on the campaign of benchmarks/eprum.py with sections and articles as results.
"""

import numpy as np
import pandas as pd
from eprum import ARTICLES, a_topic, some_runs, trees

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.poisson_binomial import at_least, mix_normal, pmf
from focuseval.model.results import Results
from focuseval.scoring.score import score

COLUMNS = ("run", "topic", "rank", "document", "element", "start", "end", "score")


def largest_error(p: np.ndarray) -> float:
    n = len(p)
    exact = at_least(pmf(p, 1 - p))
    at = np.zeros(n, dtype=np.int64)
    normal = at_least(mix_normal(np.array([n]), np.arange(n), at, p, 1 - p, np.ones((1, 1)))[0, 0])
    return float(np.abs(exact - normal).max())


def main() -> None:
    rng = np.random.default_rng(0)
    draws = {
        "p = 1/2": lambda n: np.full(n, 0.5),
        "p = 0.01": lambda n: np.full(n, 0.01),
        "p in (0, 1)": lambda n: rng.random(n),
        "p in (0, 0.1)": lambda n: rng.random(n) / 10,
        "p in (0.9, 1)": lambda n: 1 - rng.random(n) / 10,
    }
    laws = pd.DataFrame(
        {name: {n: max(largest_error(draw(n)) for _ in range(50)) for n in (10, 20, 50, 100, 300, 1000)}
         for name, draw in draws.items()}
    )  # fmt: skip
    print(laws.to_string(float_format="%.2g"))
    collection = trees(ARTICLES)
    rows = []
    for ideal in (10, 30, 100, 300):
        topics = [a_topic(collection, f"t{i}", ideal, rng, True) for i in range(5)]
        everything = some_runs(topics, 6, rng)
        near = collection.depth[everything.element] < 2
        results = Results(
            everything.runs, everything.topics, *(getattr(everything, c)[near] for c in COLUMNS)
        )
        for cutoff in ("", "@0.1", "@0.5"):
            exact, normal = (
                score(topics, results, parse_specs(f"EPRUM(distribution={d}){cutoff}", MEASURES)).per_topic[
                    "value"
                ]
                for d in ("exact", "normal")
            )
            off = (exact - normal).abs()
            rows.append(
                (ideal, f"EPRUM{cutoff}", exact.mean(), off.max(), 100 * (off / exact)[exact > 0].max())
            )
    columns = ["ideal elements", "measure", "mean", "largest error", "largest error (%)"]
    print(pd.DataFrame(rows, columns=columns).to_string(index=False, float_format="%.2g"))


if __name__ == "__main__":
    main()
