"""The audit of a campaign as a whole: its frames, its tables and figures, and the tables of docs/audit.md."""

from pathlib import Path
from runpy import run_path

import numpy as np
import pandas as pd
import pytest

from focuseval.auditing.audit import audit
from focuseval.auditing.campaign import analyse, variants
from focuseval.auditing.findings import BREAKS, UNBROKEN, VERDICTS
from focuseval.auditing.section import breaches, card_file, make_audit, matrix, places
from focuseval.measures import MEASURES, parse_specs
from focuseval.report.page import page
from focuseval.report.parts import write_analysis
from focuseval.transformations.lists import of_runs
from tests.auditing.test_pools import campaign

SETTINGS = {"runs": 2, "topics": 3, "resamples": 100, "splits": 20, "depths": [2], "seed": 1}
SPECS = [spec for name in ("MAep", "nxCG@3", "AiP") for spec in parse_specs(name, MEASURES)]


@pytest.fixture(scope="module")
def analysis():
    _, topics, results = campaign(3, runs="abcdef")
    return analyse(topics, results, SPECS, **SETTINGS)


def test_every_measure_is_audited_once_in_its_own_way():
    names = variants(MEASURES)
    assert len(names) == len(set(names)) and all(parse_specs(name, MEASURES) for name in names)
    listed = set(names)
    assert {"nxCG(quantisation=strict)@10", "IoU(counting=chroma)", "span_F1@0.5", "word_F1"} <= listed
    assert "MAiP" not in listed, "it is AiP"


def test_the_frames_are_those_of_audit_and_statistics(analysis):
    _, topics, results = campaign(3, runs="abcdef")
    measures = [spec for spec in SPECS if spec.measure.name != "AiP"]
    expected = audit(topics, of_runs(results, np.array([0, 5])), measures, seed=1, examples=False)
    computed, without = analysis["findings"], expected.columns.drop("example")
    pd.testing.assert_frame_equal(computed[without], expected[without])
    assert computed.loc[computed["verdict"] == BREAKS, "example"].all()
    assert analysis["refused"]["measure"].tolist() == ["AiP"] and not len(analysis["undecided"])
    scores = analysis["scores"]
    assert scores.groupby("measure").size().to_dict() == {"MAep": 6, "nxCG@3": 6}
    assert len(analysis["levels"]) == 2 * 2 * 15 and set(analysis["pool"]["depth"]) == {2}
    assert analysis["agreement"]["tau"].notna().any() and len(analysis["needed"]) == 2


def test_too_few_runs_say_nothing_of_the_order_of_systems(tmp_path):
    _, topics, results = campaign(3)
    frames = analyse(topics, results, SPECS[:1], **{**SETTINGS, "runs": 1, "topics": 1})
    assert (
        "levels" not in frames
        and "the campaign has only 3 runs, but at least 5" in frames["undecided"]["why"][0]
    )
    assert "at least 5" in page([make_audit(frames, tmp_path, "mine", "Mine")], {})


def test_the_matrix_has_every_verdict(analysis):
    findings = analysis["findings"]
    wide = matrix(findings).set_index("measure")
    for row in findings.itertuples():
        cell = wide.loc[row.measure, row.transformation]
        assert (cell == f"not broken in {row.tried}") == (row.verdict == UNBROKEN) and ("%" in cell) == (
            row.verdict == BREAKS
        )
    assert set(findings["verdict"]) <= set(VERDICTS)
    assert len(breaches(analysis)) == (findings["verdict"] == BREAKS).sum()


def test_everything_is_written_and_on_the_page(analysis, tmp_path):
    folder = tmp_path / "audit/mine"
    text = page([make_audit(analysis, folder, "mine", "Mine")], {})
    figures, tables = (
        ("matrix.svg", "levels.png", "stability.svg"),
        ("agreement.csv", "chosen_by.tex", "refused.csv"),
    )
    assert all((folder / name).stat().st_size for name in (*figures, *tables))
    assert {path.name for path in (folder / "cards").iterdir()} == {"MAep.md", "nxCG_at-3.md"}
    assert "Audit of measures on mine" in text and "Criteria for choosing a measure" in text
    card = (folder / "cards/MAep.md").read_text(encoding="utf-8")
    assert card.startswith("## `MAep`")
    write_analysis(analysis, folder / "analysis")
    new = run_path(str(Path(__file__).parents[2] / "docs/write.py"))["of_audit"](tmp_path, ["mine", "MAep"])
    chosen = pd.read_csv(folder / "chosen_by.csv").set_index("measure").loc["MAep"]
    assert f"| `MAep` | {chosen['not_broken']:.0f} of {chosen['properties']:.0f} |" in new


def test_files_of_cards_have_names_that_every_system_takes():
    names = [card_file(name) for name in variants(MEASURES)]
    assert len(set(names)) == len(names) and all(
        name.replace("_", "").replace("-", "").replace(".", "").isalnum() for name in names
    )
    assert card_file("nxCG(quantisation=gen)@10") == "nxCG_quantisation-gen_at-10.md"


def test_places_keep_distances_that_a_plane_can_show():
    names, at = ["a", "b", "c"], np.array([[0.0, 0.0], [0.6, 0.0], [0.0, 0.8]])
    distance = np.linalg.norm(at[:, None] - at[None, :], axis=2)
    rows = [(names[i], names[j], 1 - distance[i, j]) for i in range(3) for j in range(3) if i != j]
    frame = places(pd.DataFrame(rows, columns=["measure", "other", "tau"]))
    points = frame[["x", "y"]].to_numpy()
    assert np.linalg.norm(points[:, None] - points[None, :], axis=2) == pytest.approx(distance)
