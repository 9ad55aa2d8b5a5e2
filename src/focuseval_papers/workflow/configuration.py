"""The configuration: which campaigns to compute, where their files lie, and the settings of the papers.

Nothing here knows a paper: their settings are models that the caller brings, by the name of the paper.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from focuseval.errors import InputError, Problem, extra, meant
from focuseval_papers.workflow.campaign_settings import (
    FILES,
    LINES,
    UNITS_OF_TEXT,
    BaselineSettings,
    CampaignSettings,
    ComparisonSettings,
    TaskFiles,
)
from focuseval_papers.workflow.recognition import of_code, on_its_scale
from focuseval_papers.workflow.settings import (
    Distinct,
    Positive,
    Resamples,
    Seed,
    Settings,
    given,
    refused,
    validated,
)
from focuseval_papers.workflow.sources import load, read_sources
from focuseval_papers.workflow.yaml_files import read_yaml, unusable

with extra("workflow"):
    from pydantic import BaseModel, Field, ValidationInfo, WrapValidator, create_model, model_validator

__all__ = ["BaselineSettings", "CampaignSettings", "ComparisonSettings", "TaskFiles", "read_yaml", "unusable"]


def _entry(entry: Any, handler: Any, info: ValidationInfo) -> str | CampaignSettings:
    if isinstance(entry, Mapping | CampaignSettings):
        return CampaignSettings.model_validate(entry, context=info.context)
    if isinstance(entry, str):
        return entry
    raise ValueError("neither a name nor a campaign")


_ENTRY = Annotated[
    str | CampaignSettings,
    WrapValidator(_entry),
    Field(description="the name of a file in config/campaigns (without .yaml), or a campaign written out"),
]


class FindingSettings(Settings):
    """How the intervals are drawn that findings are decided by: the bootstrap over runs or topics."""

    resamples: Resamples = 1000
    seed: Seed = 2006


class AuditSettings(Settings):
    """The audit of measures: of which campaigns it is in the report, and how much of them is tried."""

    campaigns: list[Annotated[str, Field(description="the name of a campaign")]] = Field(default=[])
    """a list of names of campaigns whose audit is in the report (minutes for each); the target audit makes a page of
    these, or of all campaigns"""
    runs: int = Field(default=4, ge=1)
    """a whole number of runs that are transformed, evenly spread, 1 or more"""
    topics: Positive = Field(default=8, description="a whole number of topics, the first, 1 or more")
    size: Positive = Field(default=200, description="a whole number of results of each list, 1 or more")
    resamples: Resamples = 1000
    splits: int = Field(default=200, ge=1)
    """a whole number of splits of the topics in two sets, 1 or more"""
    depths: list[Positive] = Field(default=[10, 100])
    """a list of depths of pools that runs are left out of"""
    seed: Seed = 2026


_CHANGES = Annotated[dict[str, Any], Field(description="keys of a campaign: {KEY: VALUE, ...}")]


class DrawSettings(Settings):
    """Further draws of synthetic campaigns, for intervals over seeds."""

    seeds: Distinct[Seed] = Field(default=[])
    """a list of seeds; each makes a draw of every campaign under `of`"""
    of: dict[str, _CHANGES] = Field(default={})
    """the keys of campaigns that their draws have of their own: {NAME: {concept_space: {articles: 200}}, ...}"""

    def names(self, campaign: str) -> list[str]:
        """The names of a campaign's draws."""
        return [f"{campaign}-seed-{seed}" for seed in self.seeds if campaign in self.of]


class Configuration(Settings):
    """What to compute: campaigns, and under its name the settings of each paper."""

    campaigns: list[_ENTRY] = Field(min_length=1)
    """a list of names of files in config/campaigns, or of campaigns written out"""
    data_folder: str | None = None
    """the path of a folder that has the sources of campaigns, instead of the environment variable FOCUSEVAL_DATA;
    fetched if both are left out"""
    findings: FindingSettings = FindingSettings()
    """the resamples that findings are decided by: {resamples, seed}"""
    audit: AuditSettings = AuditSettings()
    """the audit of measures: {campaigns, runs, topics, size, resamples, splits, depths, seed}"""
    draws: DrawSettings = DrawSettings()
    """further draws of synthetic campaigns: {seeds, of}"""

    @property
    def names(self) -> list[str]:
        """The names of the campaigns that are asked for."""
        return [entry if isinstance(entry, str) else entry.name for entry in self.campaigns]

    @model_validator(mode="after")
    def _together(self) -> "Configuration":
        """What is audited in the report is a campaign of it, and no campaign's results take the place of another's."""
        problems = [
            Problem("", "audit.campaigns", repr(name), f"expected one of {', '.join(self.names)}")
            for name in self.audit.campaigns
            if name not in self.names
        ]
        named = Counter(map(str.casefold, self.names))  # some file systems take a and A for one name
        problems += [
            Problem("", "campaigns", f"{count} of one name, {name!r}", "rename or remove all but one")
            for name, count in named.items()
            if count > 1
        ]
        if problems:
            raise refused(problems)
        return self


def configuration_model(papers: Mapping[str, type[BaseModel]]) -> type[Configuration]:
    """The model of the whole configuration: `Configuration` with a key for each paper, of its own model."""
    return _with_keys(*papers.items())


@cache
def _with_keys(*papers: tuple[str, type[BaseModel]]) -> type[Configuration]:
    fields: dict[str, Any] = {
        name: (
            model,
            Field(default_factory=model, description=f"settings: {', '.join(model.model_fields)}"),
        )
        for name, model in papers
    }
    return create_model("Configuration", __base__=Configuration, __doc__=Configuration.__doc__, **fields)


def read(
    config: Mapping[str, Any],
    papers: Mapping[str, type[BaseModel]],
    measures: Mapping[str, Any],
    folder: Path,
    source: str,
) -> tuple[Configuration, dict[str, CampaignSettings]]:
    """The configuration, and every campaign that it asks for or that one of them names as ``earlier``.

    A campaign is the name of a file in ``folder`` (without ``.yaml``), or written out. The paths of the
    campaigns returned start from where the call is made: they have no ``folder`` any more. They have the scale
    of their assessments where that can be recognised. ``papers`` are the models of the papers' settings by
    name; ``measures`` are all measures; ``source`` is what messages call the configuration.

    Draws of campaigns (`DrawSettings`) are campaigns of their own.

    Raises InputError with everything that is wrong: with the form of the configuration, with the files of
    campaigns, and with paths that are not there.
    """
    known = {"papers": list(papers), "measures": measures}
    campaigns: dict[str, CampaignSettings] = {}
    problems: list[Problem] = []
    with _gathered(problems):
        configuration = validated(configuration_model(papers), config, source, known)
    waiting = [
        (entry, source, "campaigns" if isinstance(entry, str) else f"campaigns.{entry.name}")
        for entry in _usable(config, known)
    ]
    seen: set[str] = set()
    for entry, origin, where in waiting:  # earlier campaigns join the line
        name = entry if isinstance(entry, str) else entry.name
        if name in seen:
            continue
        seen.add(name)
        with _gathered(problems):
            beside = Path()
            if isinstance(entry, str):
                path = _campaign_file(entry, folder, origin, where)
                entry, origin, where, beside = read_campaign_file(path, known), str(path), "", path.parent
            campaign = campaigns[name] = _located(entry, beside)
            with _gathered(problems):
                read_sources(campaign.sources or [])
            problems += _not_there(campaign, origin, where)
            if campaign.earlier is not None:
                waiting.append((campaign.earlier, origin, f"{where}.earlier".removeprefix(".")))
    problems += _shared(campaigns, source)
    if not problems:
        for name in configuration.draws.of:
            with _gathered(problems):
                campaigns |= _draws(name, configuration.draws, campaigns, source, known)
    if problems:
        raise InputError(problems)
    return configuration, {name: on_its_scale(campaign) for name, campaign in campaigns.items()}


def _draws(
    name: str,
    draws: DrawSettings,
    campaigns: Mapping[str, CampaignSettings],
    source: str,
    known: Mapping[str, Any],
) -> dict[str, CampaignSettings]:
    """The draws of a campaign by name, without its sweeps."""
    where = f"draws.of.{name}"
    campaign = campaigns.get(name)
    if campaign is None or campaign.concept_space is None:
        expected = "expected a campaign that is asked for and made here (`concept_space`)"
        raise InputError(Problem(source, where, "no such campaign", expected))
    changes, found = draws.of[name], {}
    for seed, drawn, earlier in zip_longest(
        draws.seeds, draws.names(name), draws.names(campaign.earlier or "")
    ):
        space = {**campaign.concept_space, **changes.get("concept_space", {})}
        # no two campaigns of one seed are made from the same random numbers
        space["seed"] = 10_000 * seed + space.get("seed", 0)
        own = changes | {"name": drawn, "concept_space": space, "sweeps": []}
        document = given(
            campaign.model_dump(exclude_unset=True) | own | {"earlier": earlier or campaign.earlier}
        )
        found[drawn] = validated(CampaignSettings, document, f"{source}, {where}", known)
    return found


@contextmanager
def _gathered(problems: list[Problem]) -> Iterator[None]:
    """Add the problems of an InputError to others; what is behind the block goes on."""
    try:
        yield
    except InputError as error:
        problems += error.problems


def _usable(config: Any, known: Mapping[str, Any]) -> Iterator[str | CampaignSettings]:
    """The campaigns of a configuration with which nothing is wrong, whatever is with the rest of it."""
    entries = config.get("campaigns") if isinstance(config, Mapping) else None
    for entry in entries if isinstance(entries, list) else ():
        with suppress(InputError):
            yield entry if isinstance(entry, str) else validated(CampaignSettings, entry, "", known)


def read_campaign_file(path: Path, known: Mapping[str, Any] = MappingProxyType({})) -> CampaignSettings:
    """The campaign in a file, which is named after it. Raises InputError with everything that is wrong."""
    document = read_yaml(path)
    document = {} if document is None else document
    if isinstance(document, dict):
        document = {"name": path.stem, **given(document)}
    campaign = validated(CampaignSettings, document, str(path), known)
    if campaign.name != path.stem:
        expected = f"expected {path.stem!r}, as the file is named, or no name"
        raise InputError(Problem(str(path), "name", f"found {campaign.name!r}", expected))
    return campaign


def _campaign_file(name: str, folder: Path, source: str, where: str) -> Path:
    path = folder / f"{name}.yaml"
    if not path.is_file():
        known = sorted(file.stem for file in folder.glob("*.yaml"))
        expected = f"{meant(name, known)}in {folder} are {', '.join(known)}"
        raise InputError(Problem(source, where, f"unknown campaign {name!r}", expected))
    return path


Files = TypeVar("Files", CampaignSettings, TaskFiles)


def _below(folder: Path, settings: Files) -> Files:
    """The settings with their paths seen from a folder."""
    paths = {key: path for key in FILES if (path := getattr(settings, key, None)) is not None}
    return settings.model_copy(
        update={key: str(folder / os.path.expanduser(path)) for key, path in paths.items()}
    )


def below(folder: Path, campaign: CampaignSettings) -> CampaignSettings:
    """The campaign with all its paths, and those of its tasks and views, seen from a folder."""
    of_parts = {
        key: {name: _below(folder, part) for name, part in parts.items()}
        for key in ("tasks", "views")
        if (parts := getattr(campaign, key))
    }
    return _below(folder, campaign).model_copy(update=of_parts)


def _located(campaign: CampaignSettings, beside: Path) -> CampaignSettings:
    """The campaign with all paths seen from where the call is made; its file lies in the folder ``beside``."""
    own = Path(os.path.expanduser(campaign.folder or "."))
    folder = made_for(campaign.name) if campaign.importer else own
    changed: dict[str, Any] = {"folder": None}
    if isinstance(campaign.sources, str):
        changed["sources"] = os.path.relpath(beside / os.path.expanduser(campaign.sources))
    return below(folder, campaign).model_copy(update=changed)


def made_for(campaign: str) -> Path:
    """The folder of the files that are made for a campaign, from a model or by an importer."""
    return Path("results", campaign, "input")


def _shared(campaigns: Mapping[str, CampaignSettings], source: str) -> list[Problem]:
    """Campaigns whose different sources would be put into one folder."""
    first: dict[str, CampaignSettings] = {}
    return [
        Problem(
            source,
            "campaigns",
            f"{campaign.name!r} and {first[campaign.dataset].name!r} have different sources of the name "
            f"{campaign.dataset!r}",
            "rename a campaign or a table",
        )
        for campaign in campaigns.values()
        if campaign.importer and first.setdefault(campaign.dataset, campaign).sources != campaign.sources
    ]


def _not_for(campaign: CampaignSettings) -> Iterator[tuple[str, str, str]]:
    """Keys that are for source code alone, or not for it: key, what is found, what is expected."""
    if of_code(campaign):
        for key in ("tasks", "views", "topics", "pool_depth"):
            if getattr(campaign, key):
                yield key, "found of a campaign of source code, which has none", "take it out"
    elif campaign.grain or campaign.exclude:
        key = "grain" if campaign.grain else "exclude"
        yield key, "found", "it is for source code, as documents"
    elif campaign.unit == LINES and campaign.collection:
        yield "unit", f"found {LINES!r}", UNITS_OF_TEXT


def _not_there(campaign: CampaignSettings, source: str, where: str) -> Iterator[Problem]:
    """The paths of a campaign that lead nowhere, or to files that its importer does not make; keys not for it."""
    for key, found, expected in _not_for(campaign):
        yield Problem(source, f"{where}.{key}".removeprefix("."), found, expected)
    folder = made_for(campaign.name)
    makes = [name.rstrip("/") for name in load(campaign.importer).MAKES] if campaign.importer else []
    for key, path in campaign.files().items():
        place = f"{where}.{key}".removeprefix(".")
        if campaign.importer:
            if not any(Path(path) == folder / name for name in makes):
                found = f"the importer {campaign.importer} makes no {Path(path).relative_to(folder)}"
                yield Problem(source, place, found, f"it makes {', '.join(makes)}")
        elif not Path(path).exists() and not (key == "collection" and of_code(campaign)):
            found = f"{path} is not there" + f", seen from {Path.cwd()}" * (not Path(path).is_absolute())
            yield Problem(source, place, found, "set `folder`, or this key, to your copy")


def schemas(papers: Mapping[str, type[BaseModel]]) -> dict[str, dict[str, Any]]:
    """JSON schemas by the name of their file, which editors check and complete configurations with.

    ``schema.json`` is that of a configuration, ``campaign.schema.json`` that of a campaign's file, whose
    name is the file's.
    """
    whole = configuration_model(papers).model_json_schema()
    campaign = CampaignSettings.model_json_schema()
    del campaign["required"]
    for schema in (whole["$defs"]["CampaignSettings"], campaign):
        schema["properties"]["papers"]["anyOf"][0]["items"]["enum"] = list(papers)
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return {"schema.json": dialect | whole, "campaign.schema.json": dialect | campaign}


def write_schemas(papers: Mapping[str, type[BaseModel]], folder: Path) -> None:
    """Write `schemas` into a folder."""
    for name, schema in schemas(papers).items():
        (folder / name).write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
