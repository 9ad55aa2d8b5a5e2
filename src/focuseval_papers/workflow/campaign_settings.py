"""The settings of a campaign: its files or its generator, and the analyses of its runs."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from hashlib import sha256
from itertools import product
from pathlib import PurePosixPath
from typing import Annotated, Any, Self

from focuseval.campaign.tasks import INEX2005
from focuseval.errors import InputError, Problem, extra, gathered, meant
from focuseval.formats.detect import ASSESSMENTS, RUNS
from focuseval.measures.declaration import format_value, parse_specs, parts_of, read_parameters
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.model.results import RANKED_BY
from focuseval.model.vocabulary import (
    BEST_IN_CONTEXT,
    FOCUSED,
    GRAINS,
    RELEVANT_IN_CONTEXT,
    SCALES,
    THOROUGH,
    UNITS,
)
from focuseval.statistics.correlations import COEFFICIENTS, OVER
from focuseval.statistics.significance import TESTS
from focuseval_papers.workflow.runsets import (
    DEFAULTS,
    KINDS_OF_ELEMENTS,
    PERTURBATIONS,
    SIMULATIONS,
    VERSIONS,
    structured,
)
from focuseval_papers.workflow.settings import (
    Distinct,
    Level,
    Name,
    OneOf,
    Positive,
    Resamples,
    Seed,
    Settings,
    problems_of,
    refused,
    without_nulls,
)
from focuseval_papers.workflow.sources import NAMES as IMPORTERS
from focuseval_papers.workflow.sources import Sources

with extra("workflow"):
    from pydantic import (
        AfterValidator,
        BeforeValidator,
        Field,
        ValidationError,
        ValidationInfo,
        model_validator,
    )

#: keys of a campaign's settings that name files
FILES = ("collection", "topics", "assessments", "runs")

#: keys of a campaign's settings that request analyses of the campaign's own runs
ANALYSES = ("significance", "measures", "sweeps", "correlations", "simulations", "perturbations")

#: tasks that a campaign may have; all except CO (content only) have rules for runs
TASKS = ("CO", THOROUGH, FOCUSED, RELEVANT_IN_CONTEXT, BEST_IN_CONTEXT)

_RUNS = "the path of a run or of a folder of runs, or a list of paths"
_ASSESSMENTS = "the path of a file or folder of assessments"
#: LINES: the unit for source code only; UNITS_OF_TEXT: the message that lists the units for other texts
LINES = "lines"
UNITS_OF_TEXT = f"expected one of {', '.join(UNITS)}, because the campaign has texts"

_INSTEAD_OF_RUNS = "`topics`, for which retrieval makes runs, or `tasks` with their own runs"

_TOPIC = Annotated[str, Field(description="the name of a topic, in quotes if it is a number")]
_TAG = Annotated[str, Field(description="a tag")]


def paths_of(paths: str | list[str] | None) -> list[str]:
    """Return a path, a list of paths, or None as a list of paths."""
    return list(paths) if isinstance(paths, list) else [paths] if paths else []


def _paths(paths: Any) -> Any:
    names = paths if isinstance(paths, list) else [paths]
    if not names or not all(isinstance(name, str) for name in names):
        raise ValueError("neither a path nor a list of paths")
    return paths


_PATHS = Annotated[
    str | list[Annotated[str, Field(description="a path")]], BeforeValidator(_paths), Field(description=_RUNS)
]


def _known_measure(measure: str, info: ValidationInfo) -> str:
    """Return the canonical name of a measure; names of curves stay as they are."""
    measures = (info.context or {}).get("measures")
    try:
        specs = [] if measures is None else parse_specs(measure, measures)
    except InputError as error:
        raise refused(replace(problem, where="") for problem in error.problems) from None
    return specs[0].name if len(specs) == 1 else measure


_MEASURE = Annotated[
    str,
    Field(description="a measure such as MAP or nxCG@10 (`focuseval measures` lists all)"),
    AfterValidator(_known_measure),
]


class TaskFiles(Settings):
    """The files of a task of INEX 2005 or of a view, which replace the campaign's files."""

    runs: _PATHS | None = Field(default=None, description=_RUNS)
    assessments: str | None = Field(default=None, description=_ASSESSMENTS)
    only_topics: list[_TOPIC] | None = Field(default=None, min_length=1)
    """a list of topics; by default, all"""


_TASK = Annotated[TaskFiles, Field(description="the files of the task: {runs, assessments, only_topics}")]


class ComparisonSettings(Settings):
    """A comparison of systems, topic by topic, under one measure."""

    name: Name
    measure: _MEASURE
    size: Positive | None = None
    """the number of results per topic that count, a positive integer; by default, the campaign's `size`"""
    top: int | None = Field(default=None, ge=2)
    """the number of best systems to compare, an integer of at least 2; by default, all"""
    ranked_by: _MEASURE | None = None
    """the measure that selects and ranks systems; by default, `measure`"""
    baseline: str | None = None
    """the run that every other run is compared with; by default, all pairs are compared"""
    test: Annotated[str, OneOf(TESTS)] = "randomisation"
    """the significance test"""
    one_tailed: bool = False
    """true or false (whether to test only that the higher-ranked system is better)"""
    correction: Annotated[str, OneOf(("none", "holm"))] = "holm"
    """the correction for multiple comparisons"""
    alpha: Level = 0.05
    resamples: Resamples = 10_000
    seed: Seed = 0


def _scalar(value: Any) -> str | float:
    if isinstance(value, bool):  # YAML reads "on" and "off" as true and false
        return "on" if value else "off"
    if not isinstance(value, str | int | float):
        raise ValueError("neither a number nor a word")
    return value


_VALUE = Annotated[str | int | float, BeforeValidator(_scalar), Field(description="a number or a word")]
_VALUES = Annotated[Distinct[_VALUE], Field(min_length=1, description="a list of values")]


class SweepSettings(Settings):
    """A sweep, which scores runs under one measure at every combination of parameter values and cut-offs."""

    measure: str = Field(pattern=r"^[^\s(@]+(\([^()]*\))?$")
    """a measure without a cut-off, such as MAep (`focuseval measures` lists all)"""
    parameters: dict[str, _VALUES] = Field(default={})
    """for each varied parameter, a list of values: {quantisation: [gen, strict], alpha: [0, 1], ...}"""
    cutoffs: Distinct[_VALUE] = Field(default=[])
    """a list of cut-offs, in the form that follows the @ in a measure's name"""

    @property
    def name(self) -> str:
        """Return the name of the sweep's folder: the measure, the varied settings, and a checksum of all settings."""
        lists = {**self.parameters, "cutoff": self.cutoffs}
        swept = [key for key, values in lists.items() if len(values) > 1]
        digest = sha256(self.model_dump_json().encode()).hexdigest()[:8]
        return "-".join([parts_of(self.measure).measure, *swept, digest])

    @property
    def points(self) -> list[str]:
        """Return all variants of the measure, such as ``MAep(alpha=0)``; the first parameter varies slowest."""
        measure, fixed, _ = parts_of(self.measure)
        settings = [[f"{key}={format_value(v)}" for v in values] for key, values in self.parameters.items()]
        points = product(*settings, [f"@{cutoff}" for cutoff in self.cutoffs] or [""])
        return [f"{measure}({','.join([*filter(None, [fixed]), *inside])}){at}" for *inside, at in points]

    @property
    def by_point(self) -> dict[str, list[str]]:
        """Group the `points` by the value of the first parameter; each group is one scoring job."""
        if not self.parameters:
            return {"cutoffs": self.points}
        first, values = next(iter(self.parameters.items()))
        each = len(self.points) // len(values)
        parts = [self.points[place * each : (place + 1) * each] for place in range(len(values))]
        return {f"{first}={format_value(v)}": part for v, part in zip(values, parts, strict=True)}

    @model_validator(mode="after")
    def _sweeps(self, info: ValidationInfo) -> "SweepSettings":
        measures, name = (info.context or {}).get("measures") or {}, parts_of(self.measure).measure
        if declared := measures.get(name):
            problems: list[Problem] = []
            for key, values in self.parameters.items():
                for setting in (f"{key}={format_value(value)}" for value in values):
                    with gathered(problems):
                        read_parameters(name, declared.parameters, setting, self.measure, "")
            for cutoff in self.cutoffs:
                with gathered(problems):
                    parse_specs(f"{name}@{cutoff}", measures)
            if declared.value is None and not self.cutoffs:
                kinds = " or ".join(cutoff.kind.name for cutoff in declared.cutoffs)
                expected = f"expected a list, because {self.measure} needs a {kinds}"
                problems.append(Problem("", "cutoffs", "the key is missing", expected))
            if problems:
                raise refused(dict.fromkeys(replace(problem, source="") for problem in problems))
        points: dict[str, str] = {}
        for point in self.points:
            if (same := points.setdefault(_known_measure(point, info), point)) != point:
                raise refused(
                    [Problem("", "", f"{same} and {point} are the same", "expected each point once")]
                )
        if len(self.points) < 2:
            expected = "expected at least two values of a parameter, or two cut-offs"
            raise refused([Problem("", "", "the sweep has a single point", expected)])
        return self


class CorrelationSettings(Settings):
    """Correlations between measures, computed from the scores of the campaign's own runs."""

    name: Name
    measures: Distinct[_MEASURE] = Field(min_length=2)
    """a list of two or more measures; every pair is correlated"""
    coefficient: Annotated[str, OneOf(COEFFICIENTS)] = "kendall"
    """the correlation coefficient"""
    over: Annotated[str, OneOf(OVER)] = "runs"
    """the values to correlate (run means, topic means or single values)"""


_PROBABILITY = Annotated[float, Field(ge=0, lt=1, description="a probability, at least 0 and below 1")]


class PerturbationSettings(Settings):
    """Perturbed runs: ideal rankings with elements moved in the tree, or changed copies of the campaign's own runs."""

    name: Annotated[str, OneOf(PERTURBATIONS)]
    """the kind of perturbation"""
    m: Annotated[Distinct[_PROBABILITY], Field(min_length=1)] | None = None
    """a list of probabilities that an element moves or is replaced; for moved and siblings"""
    draws: Positive | None = None
    """the number of draws, a positive integer; for moved and siblings"""
    seed: Seed | None = None
    """the random seed of the first draw; for moved and siblings"""
    quantisation: Annotated[str, OneOf(QUANTISATIONS)] | None = None
    """the quantisation; for moved, siblings and reordered"""
    first: Positive | None = None
    """the number of top results to reverse; for turned_around"""
    relevant: bool | None = None
    """true or false (true repeats relevant text, false repeats other results); for repeated"""
    ranks: Positive | None = None
    """the rank after which lists end; for reordered"""
    clusters: bool | None = None
    """true or false (whether consecutive results from a document move together); for reordered"""
    versions: Annotated[Distinct[Annotated[str, OneOf(VERSIONS)]], Field(min_length=1)] | None = None
    """a list of orders (S0 leaves the run unchanged); for reordered"""

    @property
    def settings(self) -> dict[str, Any]:
        """Return all settings of the perturbation, including defaults."""
        values = {**DEFAULTS[self.name], **self.model_dump(exclude={"name"}, exclude_none=True)}
        return {key: value for key, value in values.items() if value is not None}

    @model_validator(mode="after")
    def _knows_its_settings(self) -> Self:
        settings = self.model_dump(exclude={"name"}, exclude_none=True)
        if unknown := [key for key in settings if key not in DEFAULTS[self.name]]:
            expected = f"expected {', '.join(DEFAULTS[self.name]) or 'no settings'}"
            raise refused(
                Problem("", key, f"{self.name!r} does not have this setting", expected) for key in unknown
            )
        return self


_CORRELATION = Annotated[
    CorrelationSettings, Field(description="correlations: {name, measures, coefficient, over}")
]


def _by_name(document: Any) -> Any:
    return {"name": document} if isinstance(document, str) else document


_PERTURBATION = Annotated[
    PerturbationSettings,
    BeforeValidator(_by_name, json_schema_input_type=PerturbationSettings | str),
    Field(description="a perturbation: its name, or {name, ...}"),
]


def _not_taken(comparison: ComparisonSettings) -> ComparisonSettings:
    if comparison.name in ("systems", "variants"):
        found = f"the report itself uses the name {comparison.name!r}"
        raise refused([Problem("", "name", found, "choose another name")])
    return comparison


_COMPARISON = Annotated[
    ComparisonSettings,
    Field(description="a comparison of systems: {name, measure, ...}"),
    AfterValidator(_not_taken),
]
_SWEEP = Annotated[SweepSettings, Field(description="a sweep: {measure, parameters, cutoffs}")]


class BaselineSettings(Settings):
    """The retrieval systems that create runs if none were submitted."""

    systems: Positive = Field(default=56, description="the number of systems, a positive integer")
    structured_systems: int = Field(default=24, ge=1)
    """the number of systems that use structured titles, a positive integer"""
    elements: list[Annotated[str, OneOf(KINDS_OF_ELEMENTS)]] = Field(default=[])
    """a list of element kinds; systems that combine these kinds with weightings replace the standard systems"""
    results: Positive = Field(default=1500, description="the number of results per topic, a positive integer")
    sections: list[_TAG] = Field(default=["sec", "ss1", "ss2", "ss3", "abs", "app"])
    """a list of section tags"""
    paragraphs: list[_TAG] = Field(default=["p", "p1", "ip1", "ip2", "ilrj"])
    """a list of paragraph tags"""


_PROPERTY = Annotated[
    str,
    Field(
        pattern=r"\b(as in|calibrated to|free)\b",
        description='text with "as in" (a paper), "calibrated to" (a source), or "free"',
    ),
]


class StructureSettings(Settings):
    """The topics of a synthetic campaign that ask for elements with particular tags."""

    seed: Seed = 0
    castitles: list[_TOPIC] | None = Field(default=None, min_length=1)
    """a list of topics that get a structured title for the COS tasks; by default, all"""
    topics: Positive = Field(default=10, description="the number of CAS topics, a positive integer")
    targets: list[_TAG] = Field(default=["sec", "ss1", "p"], min_length=1)
    """a list of tags that a topic may ask for"""
    supports: list[_TAG] = Field(default=["ss1", "ss2", "list"], min_length=1)
    """a list of tags for a topic's second condition, such as `about(.//TAG, words)`"""
    least: Positive = Field(
        default=5,
        description="the minimum number of relevant elements for a CAS topic, a positive integer",
    )


def _known_paper(paper: str, info: ValidationInfo) -> str:
    papers = (info.context or {}).get("papers")
    if papers is not None and paper not in papers:
        expected = f"{meant(paper, papers)}expected one of {', '.join(papers)}"
        raise refused([Problem("", "", f"the paper {paper!r} is unknown", expected)])
    return paper


PaperName = Annotated[str, Field(description="the name of a paper"), AfterValidator(_known_paper)]

#: names that no campaign may have, because the workflow writes these files and folders in `results`
RESULTS = (
    "audit", "audit.html", "draws.csv", "draws.parquet", "evaluations", "benchmarks", "logs",
    "provenance.json", "README.md", "report.html", "sources",
)  # fmt: skip


def _free(name: str, info: ValidationInfo) -> str:
    """Refuse a campaign's name if the workflow has a file or folder with this name in `results`, ignoring case."""
    reserved = [*RESULTS, *((info.context or {}).get("papers") or ())]
    if name.casefold() in map(str.casefold, reserved):
        expected = f"expected a name other than {', '.join(reserved)}"
        raise refused([Problem("", "", f"the workflow itself writes to results/{name}", expected)])
    return name


class CampaignSettings(Settings):
    """A campaign: its files or its generator, and how it is read, scored and compared."""

    name: Annotated[Name, AfterValidator(_free)]
    title: str | None = Field(default=None, description="a one-line description of the campaign")
    folder: str | None = Field(default=None, description="the folder to which the other paths are relative")
    collection: str | None = None
    """the path of a folder, .tar.gz or .zip of documents (XML, text or source code), or REPOSITORY@REVISION;
    optional for measures that need no text"""
    topics: str | None = None
    """the path of a file or folder of topics in an INEX format"""
    query_type: str | None = None
    """the query_type of the topics to use, such as CO or CAS; by default, any"""
    assessments: str | None = Field(default=None, description=_ASSESSMENTS)
    assessment_format: Annotated[str, OneOf(ASSESSMENTS)] | None = None
    """the format of the assessments; by default, recognised by content"""
    runs: _PATHS | None = Field(
        default=None, description=f"{_RUNS}; without this key, the built-in systems make runs"
    )
    run_format: Annotated[str, OneOf(RUNS)] | None = None
    """the format of the runs; by default, recognised by content"""
    scale: Annotated[str, OneOf(SCALES)] | None = None
    """the scale of the assessments; by default, recognised by content"""
    coverage: list[Annotated[float, Field(ge=0, le=3, description="a number from 0 to 3")]] = Field(
        default=[0, 1, 2, 3], min_length=4, max_length=4
    )
    """a list of four numbers: the specificity for coverage N, L, S and E"""
    pools: list[Annotated[str, Field(description="the number of a pool, in quotes")]] = Field(default=[])
    """a list of assessment pools whose topics are used; by default, all"""
    pool_depth: Positive | None = None
    """a positive integer n: an assessed element counts only if it is among the first n results of at least one run"""
    unit: Name = Field(
        default="characters",
        description="the unit of text (characters, words or bytes); without documents, any unit, such as seconds",
    )
    task: Annotated[str, OneOf(TASKS)] = "CO"
    """the task whose rules the runs must follow"""
    papers: Distinct[PaperName] | None = None
    """a list of papers to reproduce; by default, none for your own files and all suitable papers for other
    campaigns"""
    tasks: dict[Annotated[str, OneOf(INEX2005)], _TASK] | None = Field(default=None, min_length=1)
    """the campaign's INEX 2005 tasks: {NAME: {runs, assessments, only_topics}, ...}"""
    views: dict[Name, _TASK] | None = Field(default=None, min_length=1)
    """other versions of runs or assessments, such as an official program's: {NAME: {runs, assessments}, ...}"""
    measures: Distinct[_MEASURE] | None = None
    """a list of main measures; significance tests use the first; the default depends on the assessments and the task;
    [] omits your systems from the report"""
    significance: Distinct[_COMPARISON] = Field(default=[])
    """a list of system comparisons: {name, measure, ...}"""
    correlations: Distinct[_CORRELATION] = Field(default=[])
    """a list of correlations between measures: {name, measures, coefficient, over}"""
    simulations: Distinct[Annotated[str, OneOf(SIMULATIONS)]] = Field(default=[])
    """a list of simulated runs: perfect, ancestors, ideal"""
    perturbations: Distinct[_PERTURBATION] = Field(default=[])
    """a list of perturbations, such as {name: moved, m: [0.1, 0.5, 0.9], draws: 20}"""
    sweeps: Distinct[_SWEEP] = Field(default=[])
    """a list of sweeps: {measure, parameters, cutoffs}"""
    size: Positive | None = None
    """the number of results per topic that count, a positive integer; by default, all, or 1500 in INEX
    submissions"""
    grain: Annotated[str, OneOf(GRAINS)] | None = None
    """the unit of code to which gold and answers are extended; by default, nothing is extended"""
    exclude: list[Annotated[str, Field(description="a pattern of paths")]] = Field(default=[])
    """a list of path patterns that exclude source files, such as `tests/**`"""
    rank_by: Annotated[str, OneOf(RANKED_BY)] | None = None
    """the order of results in submitted runs; by default, the order that the format defines"""
    equal_scores_tie: bool = False
    """true or false (whether equal scores share a rank)"""
    ids: str | None = None
    """a pattern for the identifiers of document pieces, with the groups document, start and end; or the absolute path
    of a file that lists the pieces"""
    lenient: bool = False
    """true or false (whether unusable lines are skipped instead of stopping the job)"""
    earlier: str | None = None
    """the campaign to compare this one with, as INEX 2003 with INEX 2002"""
    baselines: BaselineSettings | None = None
    """settings of the baseline systems: {systems, results, ...}"""
    concept_space: dict[str, Any] | None = None
    """settings of a synthetic campaign, such as {size: tiny}, instead of files"""
    properties: dict[str, _PROPERTY] = Field(default={})
    """the origin of each property of a synthetic campaign: {topics: \"36: as in ...\", ...}"""
    structured_topics: StructureSettings | None = None
    """structured topics of a synthetic campaign: {seed, castitles, topics, targets, supports, least}; by
    default, none"""
    sources: Sources | None = None
    """published files: a list of {path, bytes, sha256, repository, commit}, or the path of a CSV table,
    relative to the campaign's file"""
    importer: Annotated[str, OneOf(IMPORTERS)] | None = None
    """the importer that makes the files under `collection`, `topics`, `assessments` and `runs` from `sources`"""
    licence: str | None = Field(default=None, description="the licence of the data")
    citation: str | None = Field(default=None, description="the citation of the data")

    @property
    def heading(self) -> str:
        """Return the title, or the name if there is no title."""
        return self.title or self.name

    @property
    def synthetic(self) -> bool:
        """Return whether the campaign is generated."""
        return self.concept_space is not None

    @property
    def dataset(self) -> str:
        """Return the name of the folder of sources: the name of the table of sources, or else the campaign's name."""
        return PurePosixPath(self.sources).stem if isinstance(self.sources, str) else self.name

    @property
    def submitted(self) -> bool:
        """Return whether the campaign has submitted runs."""
        return self.runs is not None

    @property
    def baseline(self) -> bool:
        """Return whether retrieval creates the campaign's runs."""
        return not self.submitted and (self.synthetic or self.topics is not None)

    @property
    def of_own_files(self) -> bool:
        """Return whether the campaign's files are neither generated nor imported."""
        return not (self.synthetic or self.importer)

    @property
    def adds_baselines(self) -> bool:
        """Return whether runs of retrieval systems are scored in addition to submitted runs."""
        return self.submitted and self.baselines is not None

    @property
    def parts(self) -> dict[str, TaskFiles]:
        """Return the files of the campaign's tasks and views, by name."""
        return {**(self.tasks or {}), **(self.views or {})}

    def files(self, *keys: str) -> dict[str, str]:
        """Return the paths that the campaign, its tasks and its views have under ``keys`` (default: `FILES`).

        The keys of the result are places such as ``tasks.SSCAS.runs``. If a place has a list of paths, the key of the
        second path ends in ``.2``.
        """
        own = {"tasks": self.tasks, "views": self.views}
        parts = {f"{key}.{name}.": part for key, of in own.items() for name, part in (of or {}).items()}
        return {
            f"{part}{key}" + (f".{number}" if number > 1 else ""): path
            for part, of in {"": self, **parts}.items()
            for key in keys or FILES
            for number, path in enumerate(paths_of(getattr(of, key, None)), 1)
        }

    @model_validator(mode="wrap")
    @classmethod
    def _together(cls, document: Any, handler: Any) -> "CampaignSettings":
        """Check single keys and combinations of keys together, to report all mistakes at once."""
        conflicts = _conflicts(without_nulls(document)) if isinstance(document, Mapping) else ()
        problems = [Problem("", *conflict) for conflict in conflicts]
        try:
            campaign: CampaignSettings = handler(document)
        except ValidationError as error:
            problems = problems_of(error, cls, document) + problems
        if problems:
            raise refused(problems)
        return campaign


#: a problem of a key: the key, the mistake and the expectation
KeyProblem = tuple[str, str, str]


def _conflicts(campaign: Mapping[str, Any]) -> Iterator[KeyProblem]:
    """Yield a problem for each missing key, and for each key that another key excludes."""
    has = set(campaign)
    yield from (_conflicts_if_synthetic if "concept_space" in has else _conflicts_of_files)(campaign, has)
    for key, other in (("sources", "importer"), ("importer", "sources")):
        if key in has and other not in has:
            yield key, f"the key needs `{other}`", "set both or neither"
    if {"importer", "folder"} <= has:
        yield "folder", "`importer` makes the files of the campaign", "remove one of the two keys"
    unit, units = campaign.get("unit"), UNITS if "concept_space" in has else (*UNITS, LINES)
    if has & {"collection", "concept_space"} and isinstance(unit, str) and unit not in units:
        yield "unit", f"the value is {unit!r}", UNITS_OF_TEXT
    if "earlier" in has and campaign["earlier"] == campaign.get("name"):
        yield "earlier", "the campaign names itself", "expected the name of another campaign"
    if "tasks" in has and not {"runs", "topics", "concept_space"} & has:
        for key in filter(campaign.get, ANALYSES):
            what = "comparisons" if key == "significance" else key
            found = f"{what} need runs of the campaign, but only its tasks have runs"
            yield key, found, "set `runs` or `topics` of the campaign"
    if campaign.get("task") == BEST_IN_CONTEXT:
        found = "retrieval cannot make runs for the task 'best-in-context'"
        if "runs" not in has:
            yield "task", found, "set `runs`"
        elif "baselines" in has:
            yield "baselines", found, "remove `baselines`"
    searched = {"collection", "topics"} if {"runs", "baselines"} <= has else set()
    for key in sorted(searched - has):
        yield "baselines", f"retrieval needs `{key}`, too", f"set `{key}`"


def _tasks_of(campaign: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the name of each task under ``tasks``, and whether the task has its own runs."""
    tasks = campaign.get("tasks")
    for task, own in tasks.items() if isinstance(tasks, Mapping) else ():
        yield str(task), isinstance(own, Mapping) and own.get("runs") is not None


def _conflicts_if_synthetic(campaign: Mapping[str, Any], has: Set[str]) -> Iterator[KeyProblem]:
    """Yield the problems of a synthetic campaign: forbidden keys, and a missing `structured_topics` or `scale`."""
    for key in (*FILES, "importer"):
        if key in has:
            found = "`concept_space` makes all files of the campaign"
            yield key, found, "remove one of the two keys"
    if "structured_topics" not in has:
        expected = "set `structured_topics` of the campaign, or runs of the task"
        for task, own in _tasks_of(campaign):
            if structured(task) and not own:
                yield f"tasks.{task}", "the task needs topics that ask for a structure", expected
    elif campaign.get("scale") != "inex2005":
        found = "the key needs `scale: inex2005`, the scale of the CAS tasks"
        yield "structured_topics", found, "set this scale, or remove `structured_topics`"


def _conflicts_of_files(campaign: Mapping[str, Any], has: Set[str]) -> Iterator[KeyProblem]:
    """Yield the problems of a campaign that is not synthetic: missing files, and forbidden keys."""
    required = {"collection": "the path of the campaign's documents", "assessments": _ASSESSMENTS}
    required["runs"] = f"{_RUNS}; or {_INSTEAD_OF_RUNS}"
    present = {"collection", "assessments"} & has
    # a campaign without documents gets its collection from assessments and runs
    present |= {"collection"} if "runs" in has and "tasks" not in has else set()
    present |= {"runs"} if {"runs", "topics", "tasks"} & has else set()
    if not present:
        paths = f"set them to paths (instead of `runs`, you can set {_INSTEAD_OF_RUNS})"
        yield "", "`collection`, `assessments` and `runs` are missing", f"{paths}, or set `concept_space`"
    for key, expected in required.items() if present else ():
        if key not in present:
            yield "", f"`{key}` is missing", f"expected {expected}"
    for task, own in _tasks_of(campaign) if not {"runs", "topics"} & has else ():
        if task in INEX2005 and not own:
            expected = f"expected {_RUNS}; or `runs` or `topics` of the campaign"
            yield f"tasks.{task}", "`runs` is missing", expected
    if "structured_topics" in has:
        yield "structured_topics", "the key needs `concept_space`, which makes such topics", "remove the key"
    if "query_type" in has and "topics" not in has:
        yield "query_type", "the key needs `topics`, which have types", "set `topics`, or remove the key"


class FindingSettings(Settings):
    """The settings of the bootstrap over runs or topics; its confidence intervals decide the verdicts on findings."""

    resamples: Resamples = 1000
    seed: Seed = 2006
