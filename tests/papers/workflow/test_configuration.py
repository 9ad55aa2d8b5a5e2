import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import BaseModel

from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval_papers.publication.paper import NAMES, load
from focuseval_papers.workflow.configuration import (
    RESULTS,
    CampaignSettings,
    ComparisonSettings,
    SweepSettings,
    TaskFiles,
    configuration_model,
    read,
    read_campaign_file,
    schemas,
)
from focuseval_papers.workflow.settings import validated
from focuseval_papers.workflow.yaml_files import read_yaml
from tests.shown import check

#: the models of the papers' settings, and what a configuration may name
SETTINGS = {name: load(name).settings for name in NAMES}
KNOWN = {"papers": NAMES, "measures": MEASURES}

ROOT = Path(__file__).parents[3]
CAMPAIGNS = ROOT / "config/campaigns"
MADE = {"name": "mine", "concept_space": {"size": "tiny"}}
FILES = {"collection": "c", "assessments": "a", "runs": "r"}
#: how messages begin on the first campaign that is written out
MINE = "my.yaml, campaigns.mine"


def campaigns(entries: Any, folder: Path = CAMPAIGNS) -> dict[str, CampaignSettings]:
    return read({"campaigns": entries}, SETTINGS, MEASURES, folder, "my.yaml")[1]


def told(config: Any, folder: Path = CAMPAIGNS) -> list[str]:
    with pytest.raises(InputError) as error:
        read(config, SETTINGS, MEASURES, folder, "my.yaml")
    return [str(problem) for problem in error.value.problems]


def told_of(entry: Any) -> list[str]:
    return told({"campaigns": [entry]})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files c, a and r of a campaign."""
    for name in FILES.values():
        (tmp_path / name).mkdir()
    return tmp_path


# what comes with it


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.stem)
def test_configurations_that_come_with_it_are_valid(path: Path) -> None:
    assert validated(configuration_model(SETTINGS), read_yaml(path), str(path), KNOWN).names


@pytest.mark.parametrize("path", sorted(CAMPAIGNS.glob("*.yaml")), ids=lambda p: p.stem)
def test_campaigns_that_come_with_it_are_valid(path: Path) -> None:
    assert read_campaign_file(path, KNOWN).name == path.stem


def test_defaults_are_what_the_configuration_that_comes_with_it_says() -> None:
    written = read_yaml(ROOT / "config/config.yaml")
    configuration, _ = read(written, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    alone, _ = read({"campaigns": written["campaigns"]}, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    with_settings = {name for name, settings in SETTINGS.items() if settings.model_fields}
    assert set(written) == {"campaigns", "findings", *with_settings} - {"kazai2005"}  # nothing is set there
    assert alone.model_dump() == configuration.model_dump()
    assert configuration.model_dump()["ali2008"] == written["ali2008"]
    assert configuration.model_dump()["findings"] == written["findings"]


def test_schemas_for_editors_are_those_of_the_models() -> None:
    for name, schema in schemas(SETTINGS).items():
        committed = json.loads((ROOT / "config" / name).read_text(encoding="utf-8"))
        assert committed == schema, f"config/{name} is old: make schemas"


def test_editors_take_what_comes_with_it() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for name, paths in {"schema.json": "*.yaml", "campaign.schema.json": "campaigns/*.yaml"}.items():
        validator = jsonschema.Draft202012Validator(schemas(SETTINGS)[name])
        for path in (ROOT / "config").glob(paths):
            validator.validate(read_yaml(path))
            first = path.read_text(encoding="utf-8").splitlines()[0]
            assert (path.parent / first.partition("$schema=")[2]).resolve() == ROOT / "config" / name
    assert not validator.is_valid({"papers": ["nobody2001"]})
    assert not validator.is_valid({"colour": "blue"})


def models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """A model and all models in it."""
    yield model
    waiting: list[Any] = [field.annotation for field in model.model_fields.values()]
    for kind in waiting:
        waiting.extend(get_args(kind))
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from models(kind)


def test_every_key_is_in_the_documentation() -> None:
    page = (ROOT / "docs/own-campaign.md").read_text(encoding="utf-8")

    def table(heading: str) -> set[str]:
        rows = page.partition(f"\n## {heading}")[2].partition("\n## ")[0].splitlines()
        first = [row.split("|")[1] for row in rows if row.startswith("| `")]
        return {key for cell in first for key in re.findall("`([^`]+)`", cell)}

    assert table("Keys of a campaign") == set(CampaignSettings.model_fields)
    assert table("Which systems differ") == set(ComparisonSettings.model_fields)
    assert all(f"{key}: " in page for key in SweepSettings.model_fields)
    assert table("Settings of the papers") == {name for name in SETTINGS if SETTINGS[name].model_fields}
    everywhere = set(re.findall("`([^` ]+)`", page))
    for paper in SETTINGS.values():
        for model in models(paper):
            assert set(model.model_fields) <= everywhere
    assert set(TaskFiles.model_fields) <= everywhere


def expected_everywhere(schema: dict[str, Any], part: dict[str, Any], described: bool = False) -> None:
    """Every value of a JSON schema has words for what is expected there."""
    if "$ref" in part:
        return
    inner = [one for one in part.get("anyOf", ()) if one.get("type") != "null"]
    described = described or "description" in part or "enum" in part
    assert described, part
    for one in inner:
        expected_everywhere(schema, one, described=True)
    for key in ("items", "additionalProperties"):
        if isinstance(part.get(key), dict):
            expected_everywhere(schema, part[key], described="$ref" in part[key])


def test_everything_says_what_is_expected() -> None:
    schema = configuration_model(SETTINGS).model_json_schema()
    for model in [schema, *schema["$defs"].values()]:
        for part in model["properties"].values():
            expected_everywhere(schema, part)


# defaults and null


def test_defaults_fill_what_is_missing_or_null() -> None:
    entry = {
        **MADE,
        "unit": None,
        "runs": None,
        "baselines": {"systems": 3, "results": None},
        "earlier": None,
    }
    found = campaigns([entry])["mine"]
    assert (found.unit, found.runs, found.earlier) == ("characters", None, None)
    assert (found.baselines.systems, found.baselines.results) == (3, 1500)
    assert (found.coverage, found.pools, found.rank_by, found.significance) == ([0, 1, 2, 3], [], None, [])
    assert found.size is None


def test_a_part_of_the_cutoffs() -> None:
    config = {
        "campaigns": [MADE],
        "ali2008": {"cutoffs": {"focused": [1, 2]}},
        "kamps2007": None,
    }
    found = read(config, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")[0].model_dump()
    assert found["ali2008"]["cutoffs"]["focused"] == [1, 2]
    assert found["ali2008"]["cutoffs"]["thorough"] == [10, 100, 500, 1000]
    assert found["kamps2007"]["top"] == 20


def test_what_a_campaign_is() -> None:
    made = campaigns([MADE])["mine"]
    assert (made.heading, made.synthetic, made.submitted, made.baseline) == ("mine", True, False, True)
    given = CampaignSettings(name="a", title="The a", **FILES)
    assert (given.heading, given.synthetic, given.submitted, given.baseline) == ("The a", False, True, False)
    retrieved = CampaignSettings(name="a", collection="c", assessments="a", topics="t")
    assert (retrieved.submitted, retrieved.baseline) == (False, True)
    tasks = CampaignSettings(name="a", collection="c", assessments="a", tasks={"SSCAS": {"runs": "r"}})
    assert (tasks.submitted, tasks.baseline) == (False, False)


# files


def test_files_of_tasks_are_seen_from_the_folder(folder: Path) -> None:
    entry = {"name": "mine", "folder": str(folder), "collection": "c", "assessments": "a"}
    tasks = {"CO.Focussed": {"runs": "r"}, "SSCAS": {"runs": "r", "assessments": "a"}}
    found = campaigns([{**entry, "tasks": tasks}])["mine"].tasks
    assert found is not None
    assert (found["SSCAS"].assessments, found["CO.Focussed"].assessments) == (str(folder / "a"), None)
    assert told_of({**entry, "tasks": {"SSCAS": {"runs": "none"}}}) == [
        f"{MINE}.tasks.SSCAS.runs: {folder}/none is not there; set `folder`, or this key, to your copy"
    ]


def test_a_path_may_begin_in_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    entry = {"name": "mine", "assessments": "~/a", "collection": "~/c", "tasks": {"SSCAS": {"runs": "~/r"}}}
    found = campaigns([entry])["mine"]
    assert (found.assessments, found.collection) == (str(folder / "a"), str(folder / "c"))
    assert found.tasks and found.tasks["SSCAS"].runs == str(folder / "r")
    below = campaigns([{"name": "mine", "folder": "~/", **FILES}])["mine"]
    assert (below.assessments, below.runs) == (str(folder / "a"), str(folder / "r"))
    of_nobody = told({"campaigns": [{"name": "mine", "folder": "~nobody-of-this-name", **FILES}]})
    assert "~nobody-of-this-name/a is not there" in "\n".join(of_nobody)


def test_all_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    entry = {"name": "mine", "folder": str(tmp_path), **FILES}
    (tmp_path / "other.yaml").write_text("collection: c\nassessments: a\nruns: r\n", encoding="utf-8")
    assert [line.partition(": ")[0] for line in told({"campaigns": [entry, "other"]}, tmp_path)] == [
        *(f"{MINE}.{key}" for key in ("collection", "assessments", "runs")),
        *(f"{tmp_path}/other.yaml, {key}" for key in ("collection", "assessments", "runs")),
    ]


def test_a_relative_path_that_is_not_there_is_said_to_be_seen_from_somewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    entry = {"name": "mine", "folder": "data", "assessments": "a", "runs": str(tmp_path)}
    assert told_of(entry) == [
        f"{MINE}.assessments: data/a is not there, seen from {tmp_path}; set `folder`, or this key, to your copy"
    ]


def test_an_earlier_campaign_may_be_written_out() -> None:
    found = campaigns([{**MADE, "earlier": "old"}, {**MADE, "name": "old"}])
    assert list(found) == ["mine", "old"]
    assert len(told({"campaigns": [{**MADE, "earlier": "nowhere"}, "nowhere"]})) == 1


def test_draws_are_campaigns_of_their_own_with_their_own_earlier_ones() -> None:
    smaller = {"concept-space": {"concept_space": {"articles": 250}}, "concept-space-2002": {}}
    config = {"campaigns": ["concept-space"], "draws": {"seeds": [1, 2], "of": smaller}}
    configuration, found = read(config, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    assert configuration.draws.names("concept-space") == ["concept-space-seed-1", "concept-space-seed-2"]
    assert configuration.draws.names("other") == []
    drawn = found["concept-space-seed-2"]
    assert drawn.concept_space == {"size": "default", "seed": 22003, "articles": 250}
    assert drawn.earlier == "concept-space-2002-seed-2"
    own, earlier = found["concept-space-2002"], found["concept-space-2002-seed-2"]
    assert earlier.concept_space == {**(own.concept_space or {}), "seed": 22002}
    assert drawn.baselines == found["concept-space"].baselines
    assert len(found) == 6


def test_what_cannot_be_drawn_is_refused() -> None:
    for of in ({"gone": {}}, {"inex2003": {}}):
        lines = told({"campaigns": ["concept-space"], "draws": {"seeds": [1], "of": of}})
        assert lines == [
            f"my.yaml, draws.of.{next(iter(of))}: no such campaign; expected a campaign that is asked for and made here "
            "(`concept_space`)"
        ]
    of = {"concept-space": {"papers": ["gone"]}}
    [line] = told({"campaigns": ["concept-space"], "draws": {"seeds": [1], "of": of}})
    assert line.startswith("my.yaml, draws.of.concept-space, papers") and "gone" in line


def test_unknown_campaigns() -> None:
    [first, second] = told({"campaigns": ["concept-spase", {**MADE, "earlier": "nowhere"}]})
    assert first.startswith(
        "my.yaml, campaigns: unknown campaign 'concept-spase'; did you mean 'concept-space'? "
        f"in {CAMPAIGNS} are acl-verbatim, bioasq-12b-snippets, chroma-chunking, "
    )
    assert second.startswith(
        f"my.yaml, campaigns.mine.earlier: unknown campaign 'nowhere'; in {CAMPAIGNS} are acl-verbatim, "
    )


def test_files_of_campaigns(tmp_path: Path) -> None:
    texts = {
        "bad": "a: [1\nb: 2\n",
        "empty": "",
        "list": "- 1\n",
        "made": "concept_space: {size: tiny}\nearlier: gone\n",
        "twice": "title: A\ntitle: B\nconcept_space: {size: tiny}\n",
        "renamed": "name: other\nconcept_space: {size: tiny}\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    lines = dict(zip(texts, told({"campaigns": list(texts)}, tmp_path), strict=False))
    lines["gone"] = told({"campaigns": ["made"]}, tmp_path)[0]
    place = {name: f"{tmp_path}/{name}.yaml" for name in texts}
    assert lines["bad"].startswith(f"{place['bad']}, line 2: ")
    assert lines["empty"].startswith(
        f"{place['empty']}: `collection`, `assessments` and `runs` are missing; "
    )
    assert lines["list"].startswith(f"{place['list']}: found [1]; expected keys with values: name, title, ")
    assert lines["gone"].startswith(
        f"{place['made']}, earlier: unknown campaign 'gone'; in {tmp_path} are bad, "
    )
    assert told({"campaigns": ["twice"]}, tmp_path)[0].startswith(
        f"{place['twice']}, line 2: the key 'title'"
    )
    assert told({"campaigns": ["renamed"]}, tmp_path) == [
        f"{place['renamed']}, name: found 'other'; expected 'renamed', as the file is named, or no name"
    ]


# what cannot be, and what is said of it

SNAPSHOT = Path(__file__).with_name("configuration.yaml")
CASES = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))
LONG = 250  #: of longer lines, which list all measures or keys, the beginning is kept


def test_what_is_said_of_configurations_that_cannot_be() -> None:
    lines = SNAPSHOT.read_text(encoding="utf-8").splitlines()[:1]
    for group, cases in CASES.items():
        lines += ["", f"{group}:"]
        for config in (case["config"] for case in cases):
            text = yaml.safe_dump(config, default_flow_style=True, width=10**9, sort_keys=False).strip()
            lines += [f"- config: {text}", "  told: |", *(f"    {line[:LONG]}" for line in told(config))]
    check("\n".join([*lines, ""]), SNAPSHOT)


@pytest.mark.parametrize(
    "entry",
    [
        {"collection": "c", "assessments": "a", "topics": "t"},
        {"collection": "c", "assessments": "a", "tasks": {"SSCAS": {"runs": "r"}}},
        {"collection": "c", "assessments": "a", "topics": "t", "tasks": {"CO.Thorough": {}}},
        {"collection": "c", "assessments": "a", "runs": "r", "task": "best-in-context"},
        {"concept_space": {}, "tasks": {"CO.Thorough": {}}},
        {"concept_space": {}, "scale": "inex2005", "structured_topics": {}, "tasks": {"SSCAS": {}}},
    ],
)
def test_keys_that_go_together(entry: dict[str, Any]) -> None:
    assert validated(CampaignSettings, {"name": "mine", **entry}, "my.yaml").name == "mine"


# values


@pytest.mark.parametrize("name", ["audit", "goevert2006", "Logs", "README.MD"])
def test_names_of_campaigns_that_something_else_in_results_has(name: str) -> None:
    [line] = told_of({**MADE, "name": name})
    assert line.startswith(
        f"my.yaml, campaigns.{name}.name: the workflow itself writes results/{name}; expected another name than audit, "
    )
    assert "provenance.json" in line and "goevert2006" in line


def test_whatever_the_rules_write_beside_campaigns_is_no_name_of_one() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert set(re.findall(r"results/([\w.]+)", rules)) == set(RESULTS) - {"README.md"}
    assert (ROOT / "results/README.md").is_file()


def swept(**entry: Any) -> SweepSettings:
    [found] = campaigns([{**MADE, "sweeps": [entry]}])["mine"].sweeps
    return found


def test_a_sweep_is_every_combination() -> None:
    found = swept(
        measure="nxCG(ideal=deepest)", parameters={"overlap": [True], "alpha": [0, 0.5]}, cutoffs=[5, 10]
    )
    assert found.points == [
        f"nxCG(ideal=deepest,overlap=on,alpha={alpha})@{rank}" for alpha in ("0", "0.5") for rank in (5, 10)
    ]
    levels = swept(measure="word_recall", cutoffs=[10, "2000c"]).points
    assert levels == ["word_recall()@10", "word_recall()@2000c"]
    assert swept(measure="EPRUM", cutoffs=[0.5, 1.0]).points == ["EPRUM()@0.5", "EPRUM()@1.0"]


def test_no_two_sweeps_share_a_name() -> None:
    entries: list[dict[str, Any]] = [
        {"measure": "MAep", "parameters": {"alpha": [0, 1]}},
        {"measure": "MAep(quantisation=strict)", "parameters": {"alpha": [0, 1]}},
        {"measure": "MAep", "parameters": {"alpha": [0, 1], "quantisation": ["strict"]}},
        {"measure": "MAep", "parameters": {"alpha": [0, 0.5]}},
        {"measure": "nxCG", "parameters": {"alpha": [0, 1]}, "cutoffs": [5]},
        {"measure": "nxCG", "parameters": {"alpha": [0, 1]}, "cutoffs": [5, 10]},
    ]
    names = [swept(**entry).name for entry in entries]
    assert len(set(names)) == len(names)
    assert [name.rpartition("-")[0] for name in names] == [
        *["MAep-alpha"] * 4, "nxCG-alpha", "nxCG-alpha-cutoff"
    ]  # fmt: skip


def test_the_form_does_not_hide_what_is_wrong_with_campaigns_and_their_files(tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text("collection: c\nassessments: a\nruns: r\nunit: letters\n", "utf-8")
    entry = {"name": "mine", "folder": str(tmp_path), **FILES}
    config = {"campaigns": [entry, {**MADE, "name": "made", "unit": "lines"}, "other", "none"], "colour": 1}
    assert [line.partition(": ")[0] for line in told(config, tmp_path)] == [
        "my.yaml, campaigns.made.unit",
        "my.yaml",
        *(f"{MINE}.{key}" for key in ("collection", "assessments", "runs")),
        f"{tmp_path}/other.yaml, unit",
        "my.yaml, campaigns",
    ]


def test_the_sources_do_not_hide_what_is_wrong_with_files(tmp_path: Path) -> None:
    lines = told_of(IMPORTED | {"sources": str(tmp_path / "none.csv"), "runs": "none"})
    assert "none.csv: cannot be read" in lines[0]
    assert lines[1].startswith(f"{MINE}.runs: the importer")


def test_long_values_are_shortened() -> None:
    [line] = told_of({**MADE, "task": int("f" * 9000, 16)})
    assert line.startswith(f"{MINE}.task: found a number of very many digits; expected CO, thorough")
    [line] = told_of({**MADE, "task": "\ud800"})
    assert line.startswith(f"{MINE}.task: found '\\ud800'; expected CO, thorough")
    [line] = told_of({**MADE, "task": ["x" * 10_000] * 10_000})
    assert len(line) < 1500


def test_papers_are_the_callers() -> None:
    class Mine(BaseModel):
        size: int = 3

    configuration, found = read(
        {"campaigns": [{**MADE, "papers": ["own"]}]}, {"own": Mine}, MEASURES, CAMPAIGNS, "my.yaml"
    )
    assert configuration.model_dump()["own"] == {"size": 3}
    assert found["mine"].papers == ["own"]
    assert CampaignSettings(**MADE, papers=["any2001"]).papers == ["any2001"]


# sources and importers

PUBLISHED = {
    "path": "a.csv",
    "bytes": 1,
    "sha256": "0" * 64,
    "repository": "who/what",
    "commit": "1" * 40,
}
IMPORTED = {
    "name": "mine",
    "importer": "chroma_chunking",
    "sources": [PUBLISHED],
    "collection": "texts",
    "topics": "topics.xml",
    "assessments": "gold.jsonl",
}


def test_an_imported_campaign_has_the_files_that_are_made_for_it() -> None:
    found = campaigns([IMPORTED])["mine"]
    assert (found.collection, found.topics) == ("results/mine/input/texts", "results/mine/input/topics.xml")
    assert (found.dataset, found.folder) == ("mine", None)


def test_a_table_of_sources_is_seen_from_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    entry = {**IMPORTED, "sources": "../there/set.csv"}
    (tmp_path / "here/mine.yaml").write_text(json.dumps(entry))
    assert told({"campaigns": ["mine"]}, tmp_path / "here")[0].startswith(
        f"{os.path.relpath(tmp_path / 'there/set.csv')}: cannot be read"
    )
    (tmp_path / "there").mkdir()
    table = ",".join(PUBLISHED) + "\n" + ",".join(map(str, PUBLISHED.values()))
    (tmp_path / "there/set.csv").write_text(table)
    found = campaigns(["mine"], tmp_path / "here")["mine"]
    assert (found.dataset, Path(str(found.sources)).resolve()) == ("set", tmp_path / "there/set.csv")


def test_sources_of_one_name_are_the_same(tmp_path: Path) -> None:
    for folder, size in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        row = PUBLISHED | {"bytes": size}
        (tmp_path / folder / "set.csv").write_text(",".join(row) + "\n" + ",".join(map(str, row.values())))
    entries = [
        IMPORTED | {"name": name, "sources": f"{tmp_path}/{folder}/set.csv"}
        for name, folder in (("first", "a"), ("second", "a"), ("third", "b"))
    ]
    assert set(campaigns(entries[:2])) == {"first", "second"}
    assert told({"campaigns": entries}) == [
        "my.yaml, campaigns: 'third' and 'first' have different sources of the name 'set'; "
        "rename a campaign or a table"
    ]
