"""In-memory frames to scores beside ranx: 1,000 topics x 100 chunks, once both have compiled what they compile.

    python benchmarks/frames.py

ranx (https://github.com/AmenRa/ranx) is not a dependency: ``pip install ranx``. Its `recall` is of identifiers, from
frames of the same length; here chunks have offsets, and `char_recall`, `IoU` and `AiP` look at their text.
"""

import warnings

import numpy as np
import pandas as pd
from measuring import Measured, in_turn, record
from ranx import Qrels, Run, evaluate

import focuseval

TOPICS, CHUNKS = 1000, 100
MEASURES = ("char_recall", "IoU", "AiP")


def frames() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gold spans, five a topic, and a run."""
    rng = np.random.default_rng(2024)
    count = TOPICS * CHUNKS
    start = rng.integers(0, 10_000, count)
    run = pd.DataFrame(
        {
            "topic": np.repeat([f"q{i}" for i in range(TOPICS)], CHUNKS),
            "document": [f"d{k:05d}" for k in rng.integers(0, 12_107, count).tolist()],
            "start": start,
            "end": start + rng.integers(50, 900, count),
            "score": np.tile(np.linspace(1, 0.1, CHUNKS), TOPICS),
        }
    )
    gold = run.groupby("topic", sort=False).sample(5, random_state=5)
    return gold.assign(start=gold["start"] + 30)[["topic", "document", "start", "end"]], run


def of_ranx(gold: pd.DataFrame, run: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The same for ranx: chunks as identifiers, in columns of objects as it asks for them."""

    def named(frame: pd.DataFrame, start: pd.Series, **more: object) -> pd.DataFrame:
        made = pd.DataFrame({"q": frame["topic"], "d": frame["document"] + ":" + start.astype(str), **more})
        return made.astype({"q": object, "d": object})

    return named(gold, gold["start"], s=1), named(run, run["start"] + 30, s=run["score"])


def main() -> None:
    """Measure all measures together and each by itself."""
    warnings.simplefilter("ignore")
    gold, run = frames()
    judged, returned = of_ranx(gold, run)
    columns = {"q_id_col": "q", "doc_id_col": "d", "score_col": "s"}

    def ranx() -> object:
        given = Qrels.from_df(judged, **columns), Run.from_df(returned, **columns)
        return evaluate(*given, "recall", make_comparable=True)

    def ours(*measures: str) -> object:
        return focuseval.score(list(measures), gold=gold, runs={"run": run})

    assert ranx() == 1  # and it compiles
    works = {name: lambda name=name: ours(name) for name in MEASURES}
    spent = {
        name: one.cpu
        for name, one in in_turn({"ranx": ranx, "all": lambda: ours(*MEASURES), **works}).items()
    }
    peer = spent["ranx"], "ranx, recall"
    rows = [Measured(name, spent[name], "s of CPU", *peer, "ratio >= 0.2") for name in MEASURES]
    rows.append(Measured(", ".join(MEASURES), spent["all"], "s of CPU", *peer, "ratio >= 0.2"))
    record("frames", rows)


if __name__ == "__main__":
    main()
