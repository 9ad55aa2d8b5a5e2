"""Simulated and perturbed runs next to a campaign's own: means by kind of run, against means by hand."""

from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd

from focuseval_papers.report.variants import make_variants, variants
from focuseval_papers.workflow import schema
from tests.papers.made import scores

#: sets of runs by name: what makes them, their runs, and the kind that each is shown as
SETS: dict[str, tuple[str, dict[str, str]]] = {
    "submitted": ("", {"moved-1.2": "own runs", "b": "own runs", "c.3": "own runs"}),
    "perfect": ("perfect", {"perfect": "perfect"}),
    "ideal.12": ("ideal", {"gen, on, off": "gen, on, off", "gen, off, off": "gen, off, off"}),
    "moved.x": (
        "moved",
        {"ideal": "ideal", **{f"moved-{m}.{n}": f"moved-{m}" for m in ("0.1", "0.3") for n in (1, 2, 11)}},
    ),
    "siblings.x": ("siblings", {f"sibling-0.5.{n}": "sibling-0.5" for n in (1, 2)}),
    "turned_around.submitted": ("turned_around", {"a": "turned_around", "b": "turned_around"}),
    "reordered.submitted": ("reordered", {f"{v}/a": "reordered" for v in ("i", "S0")}),
}
MEASURES, TOPICS = ["MAep", "Q"], ["1", "2", "3"]
ASKED = {"made_by": {name: made_by for name, (made_by, _) in SETS.items()}, "measures": MEASURES}


def tables() -> pd.DataFrame:
    """Random scores of all sets, also under a measure that is not asked for."""
    rng = np.random.default_rng(4)
    parts = []
    for name, (_, runs) in SETS.items():
        rows = [(*key, float(rng.random())) for key in product(runs, TOPICS, [*MEASURES, "R"])]
        parts.append(scores(rows, name).astype({"runs": "category", "run": "category", "name": "category"}))
    return pd.concat(parts, ignore_index=True)


def test_means_are_of_the_runs_of_each_kind() -> None:
    table = tables()
    found = variants(table, ASKED)
    assert list(found) == ["runs", "kind", "measure", "count", "mean", "lowest", "highest"]
    expected = []
    for name, (_, runs) in SETS.items():
        for kind, measure in product(dict.fromkeys(runs.values()), MEASURES):
            means = [
                fmean(
                    table["value"][
                        (table["runs"] == name) & (table["run"] == run) & (table["name"] == measure)
                    ]
                )
                for run, of in runs.items()
                if of == kind
            ]
            expected.append((name, kind, measure, len(means), fmean(means), min(means), max(means)))
    rows = {row[:3]: row[3:] for row in found.itertuples(index=False, name=None)}
    assert rows.keys() == {row[:3] for row in expected} and len(found) == len(expected)
    for row in expected:
        np.testing.assert_allclose(rows[row[:3]], row[3:], atol=1e-15)
    assert list(dict.fromkeys(found["runs"])) == list(SETS)  # one's own come first


def test_a_section_has_the_table_and_what_is_left_out(tmp_path: Path) -> None:
    left_out = schema.LEFT_OUT.empty_table().to_pandas()
    refused = pd.DataFrame([("perfect", "refused", "MAP", 1, "no passages")], columns=schema.LEFT_OUT.names)
    text = make_variants(
        tables(), ASKED, pd.concat([left_out, refused]), tmp_path / "variants", "mine", "The mine"
    )
    assert 'id="variants-mine"' in text and "The mine." in text and "no passages" in text
    written = pd.read_csv(tmp_path / "variants/variants.csv")
    np.testing.assert_allclose(written["mean"], variants(tables(), ASKED)["mean"])


def test_nothing_scored_is_an_empty_table(tmp_path: Path) -> None:
    nothing = tables()[:0]
    assert len(variants(nothing, ASKED)) == 0
    left_out = schema.LEFT_OUT.empty_table().to_pandas()
    assert 'id="variants-mine"' in make_variants(
        nothing, ASKED, left_out, tmp_path / "none", "mine", "The mine"
    )
