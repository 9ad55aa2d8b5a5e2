"""Simulated and perturbed runs next to a campaign's own: means by kind of run, against means by hand."""

import re
from itertools import product
from statistics import fmean

import numpy as np
import pandas as pd

from focuseval_papers.report.variants import make_variants, variants
from focuseval_papers.workflow import schema
from tests.papers.materials import scores

#: sets of runs by name: their simulation or perturbation, its settings, and the displayed kind of each run
SETS = {
    "submitted": ("", {}, {"moved-1.2": "own runs", "b": "own runs", "c.3": "own runs"}),
    "perfect": ("perfect", {}, {"perfect": "perfect"}),
    "ideal.12": (
        "ideal",
        {"rankings": []},
        {"gen, on, off": "ideal (gen, overlap on)", "gen, off, off": "ideal (gen, overlap off)"},
    ),
    "moved.x": (
        "moved",
        {"quantisation": "gen", "m": [0.1, 0.3]},
        {
            "ideal": "ideal (gen)",
            **{f"moved-{m}.{n}": f"moved-{m} (gen)" for m in ("0.1", "0.3") for n in (1, 2, 11)},
        },
    ),
    "siblings.x": (
        "siblings",
        {"quantisation": "strict", "m": [0.5]},
        {f"sibling-0.5.{n}": "sibling-0.5 (strict)" for n in (1, 2)},
    ),
    "turned_around.x": ("turned_around", {"first": 3}, dict.fromkeys("ab", "turned_around (first 3)")),
    "halved.x": ("halved", {}, dict.fromkeys("ab", "halved")),
    "repeated.x": ("repeated", {"relevant": False}, dict.fromkeys("ab", "repeated (other results)")),
    "reordered.x": (
        "reordered",
        {"quantisation": "gen", "ranks": 9},
        {f"{v}/{run}": f"reordered-{v} (gen)" for v in ("i", "S0") for run in ("a", "b/c")},
    ),
}
MEASURES, TOPICS = ["Q", "MAep"], ["1", "2", "3"]
ASKED = {
    "made_by": {name: made_by for name, (made_by, _, _) in SETS.items()},
    "settings": {name: settings for name, (_, settings, _) in SETS.items()},
    "measures": MEASURES,
}


def tables():
    """Return random scores of all sets, including a measure that was not requested."""
    rng = np.random.default_rng(4)
    parts = []
    for name, (_, _, runs) in SETS.items():
        rows = [(*key, float(rng.random())) for key in product(runs, TOPICS, ["MAep", "R", "Q"])]
        parts.append(scores(rows, name).astype({"runs": "category", "run": "category", "name": "category"}))
    return pd.concat(parts, ignore_index=True)


def test_means_are_of_the_runs_of_each_kind():
    table = tables()
    summary = variants(table, ASKED)
    assert list(summary) == ["runs", "kind", "measure", "count", "mean", "lowest", "highest"]
    expected = []
    for name, (_, _, runs) in SETS.items():
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
    assert list(summary["measure"]) == MEASURES * (len(summary) // len(MEASURES))
    rows = {row[:3]: row[3:] for row in summary.itertuples(index=False, name=None)}
    assert rows.keys() == {row[:3] for row in expected} and len(summary) == len(expected)
    for row in expected:
        np.testing.assert_allclose(rows[row[:3]], row[3:], atol=1e-15)
    assert list(dict.fromkeys(summary["runs"])) == list(SETS)  # the campaign's own runs come first


def test_a_section_has_the_table_and_what_is_left_out(tmp_path):
    left_out = schema.LEFT_OUT.empty_table().to_pandas()
    refused = pd.DataFrame([("perfect", "refused", "MAP", 1, "no passages")], columns=schema.LEFT_OUT.names)
    text = make_variants(
        tables(), ASKED, pd.concat([left_out, refused]), tmp_path / "variants", "mine", "The mine"
    )
    assert 'id="variants-mine"' in text and "The mine." in text and "no passages" in text
    written = pd.read_csv(tmp_path / "variants/variants.csv")
    np.testing.assert_allclose(written["mean"], variants(tables(), ASKED)["mean"])
    make_variants(tables(), ASKED, left_out, tmp_path / "made", "mine", "The mine", synthetic=True)
    assert set(pd.read_csv(tmp_path / "made/variants.csv")["synthetic_campaign"]) == {"mine"}


def test_a_page_has_a_row_for_each_kind_and_a_column_for_each_measure(tmp_path):
    rows = [("a", "1", "Q", 0.25), ("b", "1", "Q", 0.5), ("a", "1", "MAep", 1.0), ("b", "1", "MAep", 0.0)]
    own = scores(rows, "submitted")
    halved = scores([("a", "1", "Q", 0.125), ("a", "1", "MAep", 0.5)], "halved.x")
    none = schema.LEFT_OUT.empty_table().to_pandas()
    request = {
        key: {name: value[name] for name in ("submitted", "halved.x")}
        for key, value in ASKED.items()
        if key != "measures"
    }
    text = make_variants(
        pd.concat([own, halved]), {**request, "measures": MEASURES}, none, tmp_path / "v", "m", "M"
    )
    cells = re.findall(r"<t[hd][^>]*>(.*?)(?:<svg.*?)?</t[hd]>", text)
    assert cells == [
        *("kind", "number of runs", "Q", "MAep"),
        *("own runs", "2", "0.375 <wbr>[0.250, 0.500]", "0.500 <wbr>[0.000, 1.000]"),
        *("halved", "1", "0.125", "0.500"),
    ]
    assert "cut into two" in text and "ideal" not in text  # the caption explains only the displayed kinds


def test_nothing_scored_is_an_empty_table(tmp_path):
    nothing = tables()[:0]
    assert len(variants(nothing, ASKED)) == 0
    left_out = schema.LEFT_OUT.empty_table().to_pandas()
    assert 'id="variants-mine"' in make_variants(
        nothing, ASKED, left_out, tmp_path / "none", "mine", "The mine"
    )
