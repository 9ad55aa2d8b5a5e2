"""The configuration: the requested campaigns with their files and settings, and the settings of the papers.

This module imports no paper; callers pass the models of the papers' settings by name.
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from focuseval.errors import InputError, Problem, extra, gathered, meant
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval_papers.workflow.campaign_settings import (
    FILES,
    LINES,
    UNITS_OF_TEXT,
    CampaignSettings,
    FindingSettings,
    PaperName,
    TaskFiles,
    paths_of,
)
from focuseval_papers.workflow.recognition import of_code, on_its_scale
from focuseval_papers.workflow.runsets import OF_HIGHLIGHTS
from focuseval_papers.workflow.settings import (
    Distinct,
    Positive,
    Resamples,
    Seed,
    Settings,
    refused,
    validated,
    without_nulls,
)
from focuseval_papers.workflow.sources import load, read_sources
from focuseval_papers.workflow.yaml_files import read_yaml

with extra("workflow"):
    from pydantic import (
        BaseModel,
        Field,
        ValidationInfo,
        WrapValidator,
        create_model,
        model_validator,
    )


def _entry(entry: Any, handler: Any, info: ValidationInfo) -> str | CampaignSettings:
    if isinstance(entry, Mapping | CampaignSettings):
        return CampaignSettings.model_validate(entry, context=info.context)
    if isinstance(entry, str):
        return entry
    raise ValueError("neither a name nor a campaign")


_ENTRY = Annotated[
    str | CampaignSettings,
    WrapValidator(_entry),
    Field(description="the name of a file in config/campaigns (without .yaml), or the keys of a campaign"),
]


class AuditSettings(Settings):
    """The settings of the audit: the campaigns to audit in the report, and the size of the sample."""

    campaigns: list[Annotated[str, Field(description="the name of a campaign")]] = Field(default=[])
    """a list of campaigns whose audit the report shows; each audit takes minutes"""
    runs: int = Field(default=4, ge=1)
    """the number of runs to transform, evenly spread over all runs, a positive integer"""
    topics: Positive = Field(
        default=8, description="the number of topics to use, starting with the first, a positive integer"
    )
    size: Positive = Field(default=200, description="the number of results per list, a positive integer")
    resamples: Resamples = 1000
    splits: int = Field(default=200, ge=1)
    """the number of random pairs of disjoint topic sets of each size (up to half of the topics), a positive integer"""
    depths: list[Positive] = Field(default=[10, 100])
    """a list of depths of the pool from which each run's own documents are removed"""
    seed: Seed = 2026


_CHANGES = Annotated[dict[str, Any], Field(description="keys of a campaign: {KEY: VALUE, ...}")]


class DrawSettings(Settings):
    """The settings of additional draws of synthetic campaigns, which differ in their seeds."""

    seeds: Distinct[Seed] = Field(default=[])
    """a list of seeds; each generates one draw of every campaign under `of`"""
    of: dict[str, _CHANGES] = Field(default={})
    """for each campaign, the keys that differ in its draws: {NAME: {concept_space: {articles: 200}}, ...}"""

    def names(self, campaign: str) -> list[str]:
        """Return the names of a campaign's draws."""
        return [f"{campaign}-seed-{seed}" for seed in self.seeds if campaign in self.of]


class Configuration(Settings):
    """The configuration: campaigns, and the settings of each paper under its name."""

    campaigns: list[_ENTRY] = Field(min_length=1)
    """a list of campaigns, each the name of a file in config/campaigns or the keys of a campaign"""
    data_folder: str | None = None
    """the folder of the campaigns' sources; by default, the value of the environment variable FOCUSEVAL_DATA"""
    papers: Distinct[PaperName] | None = None
    """a list of papers to reproduce; by default, all that the campaigns allow"""
    findings: FindingSettings = FindingSettings()
    """settings of the confidence intervals for findings: {resamples, seed}"""
    audit: AuditSettings = AuditSettings()
    """settings of the audit: {campaigns, runs, topics, size, resamples, splits, depths, seed}"""
    draws: DrawSettings = DrawSettings()
    """additional random draws of synthetic campaigns: {seeds, of}"""
    longest_job: Positive | None = Field(default=None)
    """the time limit of cluster jobs in minutes, a positive integer; by default, none"""

    @property
    def names(self) -> list[str]:
        """Return the names of the requested campaigns."""
        return [entry if isinstance(entry, str) else entry.name for entry in self.campaigns]

    @model_validator(mode="after")
    def _together(self) -> "Configuration":
        """Check that audited campaigns exist, and that no two campaigns share a results folder."""
        problems = [
            Problem(
                "",
                "audit.campaigns",
                f"the campaign {name!r} is unknown",
                f"expected one of {', '.join(dict.fromkeys(self.names))}",
            )
            for name in self.audit.campaigns
            if name not in self.names
        ]
        # on some file systems, names that differ only in case denote the same folder
        same_file_names = Counter(map(str.casefold, self.names))
        problems += [
            Problem("", "campaigns", f"{count} campaigns are named {name!r}", "rename or remove all but one")
            for name, count in same_file_names.items()
            if count > 1
        ]
        if problems:
            raise refused(problems)
        return self


def configuration_model(papers: Mapping[str, type[BaseModel]]) -> type[Configuration]:
    """Return the model of the whole configuration: `Configuration` with a key for the settings of each paper."""
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
    """Read the configuration and all its campaigns, with additional draws, and campaigns under the key ``earlier``.

    A campaign in ``config`` is a mapping, or the name of a YAML file in ``folder``. All paths become relative to the
    working directory.

    Raises InputError that lists all mistakes in the files and in ``config``, which messages call ``source``.
    """
    context = {"papers": list(papers), "measures": measures}
    campaigns: dict[str, CampaignSettings] = {}
    origins: dict[str, tuple[str, str]] = {}
    problems: list[Problem] = []
    with gathered(problems):
        configuration = validated(configuration_model(papers), config, source, context)
    waiting = [
        (entry, source, "campaigns" if isinstance(entry, str) else f"campaigns.{entry.name}")
        for entry in _usable(config, context)
    ]
    seen: set[str] = set()
    for entry, origin, where in waiting:  # the loop appends earlier campaigns to this list
        name = entry if isinstance(entry, str) else entry.name
        if name in seen:
            continue
        seen.add(name)
        with gathered(problems):
            home = Path()
            if isinstance(entry, str):
                path = _campaign_file(entry, folder, origin, where)
                entry, origin, where, home = read_campaign_file(path, context), str(path), "", path.parent
            campaign = campaigns[name] = _with_relative_paths(entry, home)
            origins[name] = origin, where
            with gathered(problems):
                read_sources(campaign.sources or [])
            problems += _problems_of_keys(campaign, origin, where)
            if campaign.earlier is not None:
                waiting.append((campaign.earlier, origin, f"{where}.earlier".removeprefix(".")))
    problems += _shared_folders(campaigns, source)
    if not problems:
        for name in configuration.draws.of:
            with gathered(problems):
                campaigns |= _draws(name, configuration.draws, campaigns, source, context)
    if problems:
        raise InputError(problems)
    campaigns = {name: on_its_scale(campaign) for name, campaign in campaigns.items()}
    places = {name: origins.get(name, (source, f"campaigns.{name}")) for name in campaigns}
    if problems := [one for name, of in campaigns.items() for one in _off_scale(of, *places[name])]:
        raise InputError(problems)
    return configuration, campaigns


def _off_scale(campaign: CampaignSettings, origin: str, where: str) -> Iterator[Problem]:
    """Yield a problem for each simulation or perturbation that the scale of the assessments does not allow."""
    scale = campaign.scale or ("inex2003" if campaign.synthetic else None)
    if scale is None:
        return
    suited = [name for name, of in QUANTISATIONS.items() if scale in of.scales]
    found = f"the assessments are on the scale {scale}"
    graded = scale not in ("highlights", "grades")
    for name in campaign.simulations:
        if not (suited if name == "ideal" else graded):
            key = f"{where}.simulations".removeprefix(".")
            yield Problem(origin, key, f"{name!r} is impossible, because {found}", f"remove {name!r}")
    for one in campaign.perturbations:
        key, quantisation = f"{where}.perturbations.{one.name}", one.settings.get("quantisation")
        key = key.removeprefix(".")
        if quantisation and quantisation not in suited:
            expected = f"set `quantisation` to {' or '.join(suited)}" if suited else "remove the perturbation"
            yield Problem(origin, key, f"the quantisation is {quantisation!r}, but {found}", expected)
        if one.name in OF_HIGHLIGHTS and scale != "highlights":
            yield Problem(origin, key, f"the perturbation needs highlighted text, but {found}", "remove it")


def _draws(
    name: str,
    draws: DrawSettings,
    campaigns: Mapping[str, CampaignSettings],
    source: str,
    context: Mapping[str, Any],
) -> dict[str, CampaignSettings]:
    """Return copies of a synthetic campaign with other seeds and without sweeps, by name."""
    where = f"draws.of.{name}"
    campaign = campaigns.get(name)
    if campaign is None or campaign.concept_space is None:
        expected = "expected a campaign of this configuration with `concept_space`"
        raise InputError.of(source, "no synthetic campaign has this name", expected, where=where)
    changes, drawn_campaigns = draws.of[name], {}
    for seed, drawn, earlier in zip_longest(
        draws.seeds, draws.names(name), draws.names(campaign.earlier or "")
    ):
        space = {**campaign.concept_space, **changes.get("concept_space", {})}
        # campaigns that differ only in their seeds must have different draws
        space["seed"] = 10_000 * seed + space.get("seed", 0)
        own = changes | {"name": drawn, "concept_space": space, "sweeps": []}
        own["earlier"] = earlier or campaign.earlier
        document = campaign.model_dump(exclude_unset=True) | own
        drawn_campaigns[drawn] = validated(CampaignSettings, document, f"{source}, {where}", context)
    return drawn_campaigns


def _usable(config: Any, context: Mapping[str, Any]) -> Iterator[str | CampaignSettings]:
    """Yield each campaign in a configuration: the name of its file, or its settings if they are valid."""
    entries = config.get("campaigns") if isinstance(config, Mapping) else None
    for entry in entries if isinstance(entries, list) else ():
        with suppress(InputError):
            yield entry if isinstance(entry, str) else validated(CampaignSettings, entry, "", context)


def read_campaign_file(path: Path, context: Mapping[str, Any] = MappingProxyType({})) -> CampaignSettings:
    """Read a campaign from a file. Raises InputError that lists all mistakes.

    The name of the file, without its suffix, is the name of the campaign.
    """
    document = read_yaml(path)
    document = {} if document is None else document
    if isinstance(document, dict):
        document = {"name": path.stem, **without_nulls(document)}
    campaign = validated(CampaignSettings, document, str(path), context)
    if campaign.name != path.stem:
        expected = f"expected the name of the file, {path.stem!r}, or no name"
        raise InputError.of(str(path), f"the value is {campaign.name!r}", expected, where="name")
    return campaign


def _campaign_file(name: str, folder: Path, source: str, where: str) -> Path:
    path = folder / f"{name}.yaml"
    if not path.is_file():
        names = sorted(file.stem for file in folder.glob("*.yaml"))
        expected = f"{meant(name, names)}expected one of {', '.join(names)} ({folder})"
        raise InputError.of(source, f"the campaign {name!r} is unknown", expected, where=where)
    return path


Files = TypeVar("Files", CampaignSettings, TaskFiles)


def below(folder: Path, settings: Files) -> Files:
    """Prepend ``folder`` to all paths in the settings of a campaign, a task or a view."""
    changed: dict[str, Any] = {}
    for key in FILES:
        if (value := getattr(settings, key, None)) is not None:
            paths = [str(folder / os.path.expanduser(path)) for path in paths_of(value)]
            changed[key] = paths if isinstance(value, list) else paths[0]
    for key in ("tasks", "views"):
        if parts := getattr(settings, key, None):
            changed[key] = {name: below(folder, part) for name, part in parts.items()}
    return settings.model_copy(update=changed)


def _with_relative_paths(campaign: CampaignSettings, home: Path) -> CampaignSettings:
    """Make all paths of a campaign relative to the working directory; ``home`` is the campaign file's folder."""
    own = Path(os.path.expanduser(campaign.folder or "."))
    folder = input_folder(campaign.name) if campaign.importer else own
    changed: dict[str, Any] = {"folder": None}
    if isinstance(campaign.sources, str):
        changed["sources"] = os.path.relpath(home / os.path.expanduser(campaign.sources))
    return below(folder, campaign).model_copy(update=changed)


def input_folder(campaign: str) -> Path:
    """Return the folder into which the workflow generates or imports a campaign's files."""
    return Path("results", campaign, "input")


def _shared_folders(campaigns: Mapping[str, CampaignSettings], source: str) -> list[Problem]:
    """Return a problem for each campaign that shares its folder of sources with a campaign that has other sources."""
    first: dict[str, CampaignSettings] = {}
    return [
        Problem(
            source,
            "campaigns",
            f"{campaign.name!r} and {first[campaign.dataset].name!r} have different sources with the name "
            f"{campaign.dataset!r}",
            "rename a campaign or a table",
        )
        for campaign in campaigns.values()
        if campaign.importer and first.setdefault(campaign.dataset, campaign).sources != campaign.sources
    ]


def _unsuitable_keys(campaign: CampaignSettings) -> Iterator[tuple[str, str, str]]:
    """Yield the key, mistake and expectation for each key that does not suit the campaign's importer or documents."""
    if campaign.importer and isinstance(campaign.runs, list):
        yield "runs", "the value is a list, but `importer` makes one folder", "give the name of this folder"
    if of_code(campaign):
        for key in ("tasks", "views", "topics", "pool_depth"):
            if getattr(campaign, key):
                yield key, "a campaign of source code does not have this key", "remove the key"
    elif campaign.grain or campaign.exclude:
        key = "grain" if campaign.grain else "exclude"
        yield key, "the key applies only to source code", "give source code as documents, or remove the key"
    elif campaign.unit == LINES and campaign.collection:
        yield "unit", f"the value is {LINES!r}", UNITS_OF_TEXT


def _problems_of_keys(campaign: CampaignSettings, source: str, where: str) -> Iterator[Problem]:
    """Yield a problem for each unsuitable key, and for each missing path."""
    for key, found, expected in _unsuitable_keys(campaign):
        yield Problem(source, f"{where}.{key}".removeprefix("."), found, expected)
    folder = input_folder(campaign.name)
    makes = [name.rstrip("/") for name in load(campaign.importer).MAKES] if campaign.importer else []
    for key, path in campaign.files().items():
        place = f"{where}.{key}".removeprefix(".")
        if campaign.importer:
            if not any(Path(path) == folder / name for name in makes):
                found = f"the importer {campaign.importer} does not make {Path(path).relative_to(folder)}"
                yield Problem(source, place, found, f"choose from {', '.join(makes)}")
        elif not Path(path).exists() and not (key == "collection" and of_code(campaign)):
            found = f"{path} does not exist" + (f" in {Path.cwd()}" if not Path(path).is_absolute() else "")
            yield Problem(source, place, found, "set `folder` or this key to the path of your copy")
