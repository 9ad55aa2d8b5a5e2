"""Campaigns of source code: the workflow's scores are those of the library."""

from pathlib import Path

import pytest

import focuseval
from focuseval_papers.workflow.artefacts import (
    collection_of_code,
    import_code,
    read_assessments,
    read_runs,
)
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.recognition import in_spans
from focuseval_papers.workflow.runsets import ALL, SUBMITTED, own_runs
from focuseval_papers.workflow.store import load_collection
from tests.folders import held, write_files
from tests.papers.materials import leave, scored

pytest.importorskip("tree_sitter")

SOURCE = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"
PATCH = "--- a/a.py\n+++ b/a.py\n@@ -5,2 +5,2 @@\n     def g(self):\n-        return 2\n+        return 3\n"
RUN = '{"topic": "1", "path": "b.py"}\n{"topic": "1", "path": "a.py", "name": "g"}\n{"topic": "1", "name": "no"}\n'


def files(folder):
    """Write the files of a campaign: three files of code, one patch, one run."""
    patches = {"gold/1.patch": PATCH + PATCH.replace("a.py", "tests/a.py")}
    write_files(folder, {**{f"code/{name}.py": SOURCE for name in "abc"}, **patches, "runs/one.jsonl": RUN})
    return {"collection": f"{folder}/code", "assessments": f"{folder}/gold", "runs": f"{folder}/runs"}


@pytest.mark.filterwarnings("ignore::focuseval.InputWarning")
@pytest.mark.parametrize(
    ("settings", "measures"),
    [
        ({"grain": "function"}, ["AP(relevant=exact,credit=once)", "char_recall", "MAep", "precall"]),
        ({"grain": "file"}, ["Success@1", "AP(relevant=exact,credit=once)"]),
        ({"unit": "lines"}, ["char_recall", "char_precision"]),
    ],
)
def test_scores_are_those_of_the_library(tmp_path, settings, measures):
    inputs = {**files(tmp_path / "given"), **settings, "exclude": ["tests/**"]}
    campaign = CampaignSettings(name="mine", **inputs)
    notes = import_code(campaign, tmp_path / "input")
    assert any("1 place is excluded by a pattern" in str(note) for note in notes)
    spans = in_spans(campaign, tmp_path / "input")
    (tmp_path / "collection").mkdir()
    collection_of_code(tmp_path / "input", tmp_path / "collection")
    assert held(tmp_path / "collection") == held(tmp_path / "input/collection")
    collection = load_collection(tmp_path / "collection", spans.unit)
    topics, _ = read_assessments(spans, ALL, Path(str(spans.assessments)), collection)
    results, _ = read_runs(spans, SUBMITTED, Path(str(spans.runs)), collection)
    leave(topics, {SUBMITTED: results}, collection, tmp_path)
    scores, _ = scored(tmp_path, own_runs(spans), measures, unit=spans.unit)
    expected = focuseval.score(runs=inputs.pop("runs"), measures=measures, **inputs, per_topic=True)
    values = expected[expected["topic"] != "all"].set_index("measure")["value"].to_dict()
    assert scores.astype({"name": str}).set_index("name")["value"].to_dict() == pytest.approx(values)
    assert len(values) == len(measures)
