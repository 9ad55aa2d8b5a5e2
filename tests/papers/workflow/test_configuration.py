"""Configurations: those of the project, and the facts or problems of others (`configuration.yaml`)."""

import json
import re
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from focuseval.errors import InputError
from focuseval.measures import MEASURES
from focuseval_papers.publication.paper import NAMES, load
from focuseval_papers.workflow.campaign_settings import RESULTS, CampaignSettings
from focuseval_papers.workflow.configuration import (
    configuration_model,
    read,
    read_campaign_file,
)
from focuseval_papers.workflow.recognition import has_texts, holds_passages, main_measures, number_of_runs
from focuseval_papers.workflow.runsets import own_runs, task_sets
from focuseval_papers.workflow.settings import validated
from focuseval_papers.workflow.yaml_files import read_yaml
from tests.folders import write_files
from tests.snapshots import check

#: the models of the papers' settings, and the names that a configuration may use
SETTINGS = {name: load(name).settings for name in NAMES}
NAMES_BY_KEY = {"papers": NAMES, "measures": MEASURES}

ROOT = Path(__file__).parents[3]
CAMPAIGNS = ROOT / "config/campaigns"
SYNTHETIC = {"name": "mine", "concept_space": {"size": "tiny"}}


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_configurations_are_valid(path):
    assert validated(configuration_model(SETTINGS), read_yaml(path), str(path), NAMES_BY_KEY).names


@pytest.mark.parametrize("path", sorted(CAMPAIGNS.glob("*.yaml")), ids=lambda p: p.stem)
def test_shipped_campaigns_are_valid(path):
    assert read_campaign_file(path, NAMES_BY_KEY).name == path.stem


def test_defaults_are_those_of_the_shipped_configuration():
    written = read_yaml(ROOT / "config/config.yaml")
    configuration, _ = read(written, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    alone, _ = read({"campaigns": written["campaigns"]}, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    with_settings = {name for name, settings in SETTINGS.items() if settings.model_fields}
    assert set(written) == {"campaigns", "findings", *with_settings} - {
        "kazai2005"
    }  # the shipped configuration sets nothing for this paper
    assert alone.model_dump() == configuration.model_dump()
    assert configuration.model_dump()["ali2008"] == written["ali2008"]
    assert configuration.model_dump()["findings"] == written["findings"]


def test_schemas_for_editors_accept_shipped_configurations():
    jsonschema, referencing = map(pytest.importorskip, ("jsonschema", "referencing"))
    names = ("schema.json", "campaign.schema.json")
    schemas = {name: json.loads((ROOT / "config" / name).read_text(encoding="utf-8")) for name in names}
    resources = {name: referencing.Resource.from_contents(schema) for name, schema in schemas.items()}
    schema_registry = referencing.Registry().with_resources(resources.items())
    for name, paths in {"schema.json": "*.yaml", "campaign.schema.json": "campaigns/*.yaml"}.items():
        validator = jsonschema.Draft202012Validator(schemas[name], registry=schema_registry)
        for path in (ROOT / "config").glob(paths):
            validator.validate(read_yaml(path))
            first = path.read_text(encoding="utf-8").splitlines()[0]
            assert (path.parent / first.partition("$schema=")[2]).resolve() == ROOT / "config" / name
    assert not validator.is_valid({"papers": ["nobody2001"]})
    assert not validator.is_valid({"colour": "blue"})
    whole = jsonschema.Draft202012Validator(schemas["schema.json"])
    assert whole.is_valid({"campaigns": [SYNTHETIC]})
    assert not whole.is_valid(
        {"campaigns": [{"concept_space": {"size": "tiny"}}]}
    )  # the campaign has no name


def test_every_key_is_in_the_documentation():
    """tests/documentation/test_write.py checks the tables of docs/keys.md; this test that none is missing."""
    page = (ROOT / "docs/keys.md").read_text(encoding="utf-8")
    models = configuration_model(SETTINGS).model_json_schema()["$defs"]
    with_keys = {name for name, model in models.items() if model.get("properties")}
    documented = " ".join(re.findall("<!-- keys: (?!end)(.*) -->", page)).split()
    assert sorted(documented) == sorted(["configuration", *with_keys])


def expected_everywhere(schema, part, described=False):
    """Assert that every value of a JSON schema has a description of what is expected."""
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


def test_every_key_has_an_expectation():
    schema = configuration_model(SETTINGS).model_json_schema()
    for model in [schema, *schema["$defs"].values()]:
        for part in model["properties"].values():
            expected_everywhere(schema, part)


# a table of configurations

SNAPSHOT = Path(__file__).with_name("configuration.yaml")
TABLE = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))
FILES = TABLE.pop("files")
LONG = 250  #: longer lines, which list all measures or keys, are cut


def flow(value):
    text = yaml.safe_dump(value, default_flow_style=True, width=10**9, sort_keys=False, allow_unicode=True)
    return str(text).removesuffix("...\n").strip()


def facts(campaign):
    """Yield a campaign's settings that are not defaults, its recognised properties, measures and run sets."""
    yield flow(campaign.model_dump(mode="json", exclude_defaults=True, exclude={"name"}))
    for label, name in {"heading": campaign.heading, "data set": campaign.dataset}.items():
        if name != campaign.name:
            yield f"{label} {name}"
    origins = {"made": campaign.synthetic, "submitted": campaign.submitted, "retrieved": campaign.baseline}
    names = ", ".join(name for name, applies in origins.items() if applies)
    yield f"runs {number_of_runs(campaign)}, {names or 'of tasks'}"
    if passages := holds_passages(campaign):
        yield f"passages in {passages}, texts {has_texts(campaign)}"
    if measures := main_measures(campaign):
        yield f"measures {', '.join(measures)}"
    sets = task_sets(campaign)
    if campaign.submitted or campaign.task != "best-in-context":
        sets |= {"runs": own_runs(campaign)}
    yield f"sets {flow({name: runs.name for name, runs in sets.items()})}"
    yield from (f"sweep {sweep.name} {' '.join(sweep.points)}" for sweep in campaign.sweeps)
    yield from (f"perturbed by {one.name} {flow(one.settings)}" for one in campaign.perturbations)


def configuration_lines(configuration, campaigns):
    if own := configuration.model_dump(mode="json", exclude_defaults=True, exclude={"campaigns"}):
        yield flow(own)
    for name, campaign in campaigns.items():
        first, *more = facts(campaign)
        yield from (f"{name} {first}", *(f"  {line}" for line in more))


def test_configurations_are_read_or_their_problems_are_reported(tmp_path, monkeypatch):
    """The folder has the files of the table and is the home folder as well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    write_files(tmp_path, FILES)
    written = SNAPSHOT.read_text(encoding="utf-8")
    lines = [*written.partition("\n# cases\n")[0].splitlines(), "# cases"]
    for group, cases in TABLE.items():
        lines += ["", f"{group}:"]
        for config in (case["config"] for case in cases):
            try:
                contents = read(config, SETTINGS, MEASURES, Path("campaigns"), "my.yaml")
                kind, rows = "facts", [*configuration_lines(*contents)]
            except InputError as error:
                kind, rows = "problems", [str(problem)[:LONG] for problem in error.problems]
            lines += [f"- config: {flow(config)}", f"  {kind}: |", *(f"    {row}" for row in rows)]
    check("\n".join([*lines, ""]).replace(str(tmp_path), "/home"), SNAPSHOT)


def test_names_of_other_results_are_no_campaigns():
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert set(re.findall(r"results/([\w.]+)", rules)) == set(RESULTS) - {"README.md"}
    assert (ROOT / "results/README.md").is_file()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (int("f" * 9000, 16), "the value is a number with thousands of digits; expected CO, thorough"),
        ("\ud800", "the value is '\\ud800'; expected CO, thorough"),
        (["x" * 10_000] * 10_000, "the value is ['xxx"),
    ],
    ids=["number", "surrogate", "list"],
)
def test_long_values_are_shortened(value, expected):
    with pytest.raises(InputError) as error:
        read({"campaigns": [{**SYNTHETIC, "task": value}]}, SETTINGS, MEASURES, CAMPAIGNS, "my.yaml")
    [line] = map(str, error.value.problems)
    assert line.startswith(f"my.yaml, campaigns.mine.task: {expected}") and len(line) < 1500


def test_papers_are_the_callers():
    class Mine(BaseModel):
        size: int = 3

    entries = [{**SYNTHETIC, "papers": ["own"]}]
    configuration, campaigns = read({"campaigns": entries}, {"own": Mine}, MEASURES, CAMPAIGNS, "my.yaml")
    assert configuration.model_dump()["own"] == {"size": 3}
    assert campaigns["mine"].papers == ["own"]
    assert CampaignSettings(**SYNTHETIC, papers=["any2001"]).papers == ["any2001"]
