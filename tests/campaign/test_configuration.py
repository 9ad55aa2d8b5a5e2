from pathlib import Path

import pytest

from focuseval.campaign.configuration import check, read_campaigns, read_yaml, unusable, with_defaults
from focuseval.errors import InputError

ROOT = Path(__file__).parents[2]
SCHEMA = read_yaml(ROOT / "workflow/schemas/config.yaml")
CAMPAIGN = read_yaml(ROOT / "workflow/schemas/campaign.yaml")


def campaigns(entries, folder=ROOT / "config/campaigns"):
    return read_campaigns(entries, CAMPAIGN, folder, "my.yaml")


@pytest.mark.parametrize("path", ["config/config.yaml"])
def test_the_configuration_that_comes_with_it_follows_the_schema(path: str) -> None:
    check(read_yaml(ROOT / path), SCHEMA, path)


@pytest.mark.parametrize("path", sorted((ROOT / "config/campaigns").glob("*.yaml")), ids=lambda p: p.stem)
def test_campaigns_that_come_with_it_follow_the_schema(path: Path) -> None:
    check({"name": path.stem, **read_yaml(path)}, CAMPAIGN, str(path))


def test_all_problems_are_told_at_once() -> None:
    bad = {"campaigns": "mine", "goevert2006": {"quantisations": ["gen"], "result_sets": [{"name": "a"}]}}
    with pytest.raises(InputError) as error:
        check(bad, SCHEMA, "my.yaml")
    text = str(error.value)
    assert "my.yaml, campaigns: found 'mine'; expected a list of names" in text
    assert "my.yaml, goevert2006.quantisations.0: found 'gen'; expected strict or generalised" in text
    assert "my.yaml, goevert2006.result_sets.0: 'size' is a required property" in text


def test_defaults_fill_what_is_missing_or_null() -> None:
    found = with_defaults({"name": "a", "unit": None, "baselines": {"systems": 3}}, CAMPAIGN)
    assert found["unit"] == "characters"
    assert found["baselines"]["systems"] == 3
    assert found["baselines"]["results"] == 1500


def test_files_of_tasks_are_seen_from_the_folder(tmp_path: Path) -> None:
    for name in ("c", "a", "r"):
        (tmp_path / name).mkdir()
    entry = {"name": "mine", "folder": str(tmp_path), "collection": "c", "assessments": "a"}
    tasks = {"CO.Focussed": {"runs": "r"}, "SSCAS": {"runs": "r", "assessments": "a"}}
    found = campaigns([{**entry, "tasks": tasks}])["mine"]
    assert found["tasks"]["SSCAS"]["assessments"] == str(tmp_path / "a")
    with pytest.raises(InputError, match=r"tasks.SSCAS.runs: .*none is not there"):
        campaigns([{**entry, "tasks": {"SSCAS": {"runs": "none"}}}])
    with pytest.raises(InputError, match="expected a task of INEX 2005"):
        campaigns([{**entry, "tasks": {"CO": {"runs": "r"}}}])


def test_defaults_fill_the_entries_of_a_list() -> None:
    asked = {"name": "a", "significance": [{"name": "text", "measure": "MAiP", "test": "t-test"}]}
    [found] = with_defaults(asked, CAMPAIGN)["significance"]
    assert (found["test"], found["correction"], found["resamples"], found["size"]) == (
        "t-test",
        "none",
        1000,
        1500,
    )


def test_an_earlier_campaign_comes_along() -> None:
    assert list(campaigns(["concept-space"])) == ["concept-space", "concept-space-2002"]


def test_a_campaign_written_out(tmp_path: Path) -> None:
    for name in ("c", "a", "r"):
        (tmp_path / name).mkdir()
    entry = {"name": "mine", "folder": str(tmp_path), "collection": "c", "assessments": "a", "runs": "r"}
    found = campaigns([entry])["mine"]
    assert found["collection"] == str(tmp_path / "c")
    assert "folder" not in found


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "mine"},
        {"name": "mine", "collection": "c", "assessments": "a"},
        {"name": "mine", "collection": "c", "runs": "r"},
        {"name": "mine", "concept_space": {"size": "tiny"}, "runs": "r"},
        {"name": "a b", "concept_space": {"size": "tiny"}},
    ],
)
def test_campaigns_that_cannot_be(entry: dict) -> None:
    with pytest.raises(InputError, match=r"my\.yaml"):
        campaigns([entry])


def test_files_that_are_not_there(tmp_path: Path) -> None:
    entry = {"name": "mine", "folder": str(tmp_path), "collection": "c", "assessments": "a", "runs": "r"}
    with pytest.raises(InputError) as error:
        campaigns([entry])
    assert len(error.value.problems) == 3


def test_messages_name_the_campaign(tmp_path: Path) -> None:
    files = {"folder": str(tmp_path), "collection": "c", "assessments": "a", "runs": "r"}
    with pytest.raises(InputError, match=r"my\.yaml, campaign mine, collection: .*c is not there"):
        campaigns([{"name": "mine", **files}])
    with pytest.raises(InputError, match=r"my\.yaml, campaign mine: unknown key 'colour'"):
        campaigns([{"name": "mine", **files, "colour": "blue"}])


def test_two_campaigns_of_one_name() -> None:
    entry = {"name": "mine", "concept_space": {"size": "tiny"}}
    told = r"my\.yaml, campaigns\.0 and campaigns\.2: campaigns of one name, 'mine'"
    with pytest.raises(InputError, match=told):
        campaigns([entry, "concept-space-tiny", {**entry, "title": "Another"}])
    with pytest.raises(InputError, match="'concept-space-tiny'"):
        campaigns(["concept-space-tiny", {**entry, "name": "concept-space-tiny"}])


def test_measures_of_comparisons_are_known() -> None:
    asked = [
        {"name": "a", "measure": "MAP"},
        {"name": "b", "measure": "MAPP", "ranked_by": "nxCG(quantisation=gen)"},
    ]
    entry = {"name": "mine", "concept_space": {"size": "tiny"}, "significance": asked}
    with pytest.raises(InputError) as error:
        campaigns([entry])
    first, second = map(str, error.value.problems)
    assert first.startswith(
        "my.yaml, campaign mine, significance.1.measure: unknown measure 'MAPP'; expected"
    )
    assert second.startswith("my.yaml, campaign mine, significance.1.ranked_by: ")


def test_files_that_cannot_be_the_configuration(tmp_path: Path) -> None:
    texts = {"good": "campaigns: [a]\n", "empty": "", "text": "campaigns\n", "bad": "a: [1\nb: 2\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = {name: str(tmp_path / name) for name in (*texts, "none")}
    assert unusable([paths["good"], paths["good"]]) is None
    assert unusable([paths["good"], paths["empty"]]) == (
        f"{paths['empty']}: nothing is in it; expected `campaigns:` and others (docs/own-campaign.md)"
    )
    told = unusable([paths["text"], paths["bad"], paths["none"], str(tmp_path)])
    assert told is not None
    for line, words in zip(
        told.splitlines(), ["no keys are in it", "line 2", "No such file", "Is a directory"], strict=True
    ):
        assert words in line


def test_yaml_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("a: [1\nb: 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.yaml, line 2"):
        campaigns(["bad"], tmp_path)
