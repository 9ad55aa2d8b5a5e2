"""What a campaign's files are, before anything is read."""

from pathlib import Path
from typing import Any

import pytest

from focuseval_papers.workflow.configuration import CampaignSettings, read
from focuseval_papers.workflow.recognition import has_texts, holds_passages, number_of_runs, on_its_scale

#: the first lines of assessments, and the scale that they are read on
ASSESSMENTS = {
    "topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a[1]\t3\t1\n": "inex2003",
    "topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a[1]\t2\t0.5\n": "inex2005",
    "1 Q0 d 5 10 0 0:5\n": "highlights",
    "1 0 d 1\n": "grades",
    '{"topic": "1", "document": "d", "start": 0, "end": 5}\n': "highlights",
}
#: runs, and whether they return passages
RUNS = {
    "1 Q0 d 1 0.5 r /a[1]\n": False,
    "1 Q0 d 1 0.5 r\n": False,
    "1 Q0 d 1 0.5 r 10 5\n": True,
    '{"topic": "1", "run": "r", "document": "d", "start": 0, "end": 5, "rank": 1}\n': True,
}


def campaign(folder: Path, assessments: str, runs: str, **settings: Any) -> CampaignSettings:
    (folder / "gold").write_text(assessments)
    (folder / "runs").mkdir(exist_ok=True)
    (folder / "runs" / "r").write_text(runs)
    paths = {"assessments": str(folder / "gold"), "runs": str(folder / "runs")}
    return CampaignSettings.model_validate({"name": "mine", **paths, **settings})


def test_texts_beside_offsets_are_known_before_anything_is_read(tmp_path: Path) -> None:
    gold, run = list(ASSESSMENTS)[-1], list(RUNS)[-1]
    telling = run.replace("}", ', "text": "abcde"}')
    assert has_texts(campaign(tmp_path, gold, telling, collection="documents"))
    assert not has_texts(campaign(tmp_path, gold, telling))
    assert not has_texts(campaign(tmp_path, gold, telling, collection="documents", unit="bytes"))
    assert not has_texts(campaign(tmp_path, gold, run, collection="documents"))
    of_task = campaign(
        tmp_path, gold, run, collection="documents", tasks={"CO.Thorough": {"runs": str(tmp_path / "own")}}
    )
    assert not has_texts(of_task)  # a file that is not there is told by whoever reads it
    (tmp_path / "own").write_text(telling)
    assert has_texts(of_task)


@pytest.mark.parametrize(("text", "scale"), ASSESSMENTS.items())
def test_the_scale_is_what_the_assessments_say(tmp_path: Path, text: str, scale: str) -> None:
    mine = campaign(tmp_path, text, next(iter(RUNS)))
    assert on_its_scale(mine).scale == scale
    (found,) = read({"campaigns": [mine]}, {}, {}, tmp_path, "c.yaml")[1].values()
    assert found.scale == scale


def test_a_scale_that_is_given_stands_and_what_cannot_be_told_is_left(tmp_path: Path) -> None:
    text, run = next(iter(ASSESSMENTS)), next(iter(RUNS))
    given = campaign(tmp_path, text, run, scale="inex2005")
    assert on_its_scale(given) == given
    unknown = campaign(tmp_path, "nothing that is known\n", run)
    assert on_its_scale(unknown) == unknown
    (tmp_path / "gold").unlink()
    assert on_its_scale(unknown) == unknown


@pytest.mark.parametrize(("text", "passages"), RUNS.items())
def test_runs_of_passages(tmp_path: Path, text: str, passages: bool) -> None:
    assert holds_passages(campaign(tmp_path, next(iter(ASSESSMENTS)), text)) == "its runs" * passages


def test_runs_of_passages_among_others_are_named(tmp_path: Path) -> None:
    of_elements, of_passages = (
        next(text for text, of in RUNS.items() if of is kind) for kind in (False, True)
    )
    mine = campaign(tmp_path, next(iter(ASSESSMENTS)), of_elements)
    runs = tmp_path / "several"
    runs.mkdir()
    mine = mine.model_copy(update={"runs": str(runs)})
    for name in "abcdef":
        (runs / name).write_text(of_elements, encoding="utf-8")
    assert holds_passages(mine) == ""
    (runs / "b").write_text(of_passages, encoding="utf-8")
    assert holds_passages(mine) == "its run b"
    for name in "cdef":
        (runs / name).write_text(of_passages, encoding="utf-8")
    assert holds_passages(mine) == "its runs b, c, d and 2 more"


def test_the_format_of_runs_may_be_given(tmp_path: Path) -> None:
    run = next(iter(RUNS))
    assert holds_passages(campaign(tmp_path, "", run, run_format="chunks"))
    assert not holds_passages(campaign(tmp_path, "", "neither this nor that\n"))


def test_what_is_planned_does_not_depend_on_what_an_importer_has_made(tmp_path: Path) -> None:
    text, run = next(iter(ASSESSMENTS)), '{"topic": "1", "document": "d", "start": 0, "end": 5, "rank": 1}\n'
    made = campaign(tmp_path, text, run).model_copy(update={"importer": "acl_verbatim"})
    assert on_its_scale(made).scale is None and not holds_passages(made)


def test_runs_are_counted_with_the_baselines_beside_them(tmp_path: Path) -> None:
    text, run = next(iter(ASSESSMENTS)), next(iter(RUNS))
    mine = campaign(tmp_path, text, run)
    assert number_of_runs(mine) == 1
    (tmp_path / "runs" / "s").write_text(run)
    assert number_of_runs(mine) == 2
    files = {"collection": "c", "topics": "t"}
    assert number_of_runs(campaign(tmp_path, text, run, **files)) == 2
    assert number_of_runs(campaign(tmp_path, text, run, **files, baselines={"systems": 5})) == 7
    tasks = {"CO.Focussed": {"runs": str(tmp_path / "runs" / "s")}, "CO.Thorough": {}}
    assert number_of_runs(mine.model_copy(update={"runs": None, "tasks": None})) is None
    of_tasks = {"name": "mine", "collection": "c", "assessments": "a", "topics": "t", "tasks": tasks}
    assert number_of_runs(CampaignSettings.model_validate(of_tasks)) is None  # others are retrieved
    only = {"name": "mine", "collection": "c", "assessments": "a", "tasks": {"SSCAS": tasks["CO.Focussed"]}}
    assert number_of_runs(CampaignSettings.model_validate(only)) == 1
    assert number_of_runs(mine.model_copy(update={"runs": str(tmp_path / "nowhere")})) is None
