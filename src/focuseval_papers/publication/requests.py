"""The scores and analyses that a configuration requests of each campaign.

Papers, comparisons, correlations and sweeps request scores of run sets under measures. Equal requests share one
artefact, because equal run sets have one name. All measures of a metric are scored together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from focuseval.errors import InputError, counted
from focuseval.measures import MEASURES, family_of, lower_is_better, parse_specs
from focuseval.measures.declaration import Spec
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.publication.correlations import Column, Correlations, Group, all_pairs
from focuseval_papers.publication.paper import NAMES, Context, Publication
from focuseval_papers.workflow.campaign_settings import (
    CampaignSettings,
    ComparisonSettings,
    CorrelationSettings,
    FindingSettings,
    SweepSettings,
)
from focuseval_papers.workflow.recognition import main_measures
from focuseval_papers.workflow.runsets import ALL, RunSet, own_runs, task_sets

#: names of two comparisons: between a campaign's systems, and between its simulated and perturbed runs
SYSTEMS, VARIANTS = "systems", "variants"

#: By default, at most this many of a campaign's own systems are compared. With more systems, Holm's correction would
#: leave no difference significant at the default number of resamples.
MOST_COMPARED = 32

#: the maximum number of measures on a campaign's page
MOST_VIEWED = 4


@dataclass(frozen=True)
class Comparison:
    """A request to compare a campaign's systems under a measure."""

    name: str
    runs: RunSet
    measure: str  #: the canonical name of the measure
    ranked_by: str  #: the canonical name of the measure that ranks the systems
    settings: Mapping[str, Any]  #: the entry for the comparison in the configuration
    #: for measures whose counts are added up over topics: the name of their function in `focuseval.measures.ratios`
    pools: Mapping[str, str]
    lower: Sequence[str]  #: measures under which a lower score is better
    remarks: Sequence[str]  #: remarks on the measure for the report
    size: int | None  #: the number of results that are scored in each list; None for all

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values; the run set becomes its name."""
        return {**vars(self), "runs": self.runs.name}


@dataclass(frozen=True)
class Systems:
    """A request to show a campaign's own systems under its main measures."""

    measures: Sequence[str]  #: the canonical names of the measures
    comparison: Comparison  #: the comparison of the systems under the first measure
    heading: str  #: the name of the campaign in the report
    counted: str  #: the name of the campaign's run file, which selects rows of facts
    named: bool = False  #: whether the settings list the measures, which then keep their order

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {**vars(self), "comparison": self.comparison.as_dict()}


@dataclass(frozen=True)
class Variants:
    """A request to compare simulated and perturbed runs of a campaign with its own runs."""

    runs: Sequence[RunSet]  #: the campaign's own runs, followed by the simulated and perturbed runs
    measures: Sequence[str]  #: the canonical names of the measures

    def as_dict(self) -> dict[str, Any]:
        """Return the request as plain values.

        ``made_by`` contains the simulation or perturbation of each run set, and ``settings`` its settings.
        """
        made_by = {one.name: one.made_by for one in self.runs}
        settings = {one.name: dict(one.settings) for one in self.runs}
        return {"made_by": made_by, "settings": settings, "measures": list(self.measures)}


class Viewed(NamedTuple):
    """The scores that a campaign's page shows."""

    runs: RunSet
    measures: Sequence[str]  #: the canonical names of the measures on the page
    others: Sequence[str]  #: further main measures, for which the page has no room


class Scored(NamedTuple):
    """The scores that one job computes, for a run set and the measures of a metric."""

    campaign: str
    runs: str  #: the name of the run set
    metric: str  #: the metric; in a sweep, followed by ``~`` and the point


def _specs(names: Iterable[str]) -> list[Spec]:
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


def metrics_of(measures: Iterable[str]) -> dict[str, list[str]]:
    """Group measures by metric, which is their module in `focuseval.measures`."""
    metrics: dict[str, list[str]] = {}
    for name in dict.fromkeys(measures):
        metrics.setdefault(family_of(name), []).append(name)
    return metrics


@dataclass
class CampaignRequests:
    """All requests for one campaign: scores, papers, comparisons, correlations and sweeps."""

    name: str = ""
    #: the scores that each analysis reads, by stage (papers, comparisons, ...) and name
    reads: dict[tuple[str, str], list[Scored]] = field(default_factory=dict)
    sets: dict[str, RunSet] = field(default_factory=dict)
    #: the canonical names of the measures that a job scores, by run set and metric (with the point of a sweep, as in
    #: ``xcg~alpha=0``)
    scores: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    #: pairs (run set, measure) that the campaign's files must allow
    required: set[tuple[str, str]] = field(default_factory=set)
    papers: dict[str, Context] = field(default_factory=dict)
    #: the reasons why papers are not computed, by paper
    unsuited: dict[str, str] = field(default_factory=dict)
    comparisons: dict[str, Comparison] = field(default_factory=dict)
    systems: Systems | None = None
    sweeps: dict[str, SweepSettings] = field(default_factory=dict)
    #: the correlations that the campaign's settings or papers request, by name
    correlations: dict[str, Correlations] = field(default_factory=dict)
    #: the names of the correlations that the campaign's settings request
    own_correlations: list[str] = field(default_factory=list)
    variants: Variants | None = None

    def add(
        self, runs: RunSet, measures: Iterable[str], *, point: str = "", required: bool = True
    ) -> list[Scored]:
        """Request scores of a run set under measures, and return the requests.

        In a sweep, ``point`` is a text such as ``~alpha=0``. It is an error if the campaign's files do not allow a
        measure, unless ``required`` is false.
        """
        if self.sets.setdefault(runs.name, runs) != runs:
            raise ValueError(f"two run sets have the name {runs.name}")
        by_metric = metrics_of(spec.name for spec in _specs(measures))
        for metric, names in by_metric.items():
            requests = self.scores.setdefault((runs.name, metric + point), [])
            requests += [name for name in names if name not in requests]
            self.required |= {(runs.name, name) for name in names} if required else set()
        return [Scored(self.name, runs.name, metric + point) for metric in by_metric]

    def correlate(self, requests: Correlations, earlier: str | None = None) -> None:
        """Request correlations of scores of the campaign; some columns may be from its ``earlier`` campaign."""
        if self.correlations.setdefault(requests.name, requests) != requests:
            raise ValueError(f"two correlations have the name {requests.name}")
        columns = (column for group in requests.groups for column in group.columns)
        scores = (
            Scored(
                str(earlier) if column.of == "earlier" else self.name, column.runs, family_of(column.measure)
            )
            for column in columns
        )
        self.reads["correlations", requests.name] = list(dict.fromkeys(scores))

    def optional(self, runs: str, metric: str) -> list[str]:
        """Return the measures that a scoring job may leave out if the campaign's files do not allow them."""
        return [name for name in self.scores[runs, metric] if (runs, name) not in self.required]

    @property
    def nothing(self) -> bool:
        """Return whether no paper, comparison, correlation or sweep is requested."""
        return not self.reads

    @property
    def runs(self) -> dict[str, int | None]:
        """Return how many runs, from the first on, are requested from each file of runs; None stands for all runs."""
        requests: dict[str, list[int | None]] = {}
        for one in self.sets.values():
            if one.runs:
                requests.setdefault(one.runs, []).append(one.first_runs)
        return {name: None if None in of else max(filter(None, of)) for name, of in sorted(requests.items())}

    @property
    def assessments(self) -> list[str]:
        """Return the names of the assessments on which runs are scored; the assessments for all tasks come first."""
        return [ALL, *sorted({runs.judgements for runs in self.sets.values()} - {ALL})]

    @property
    def viewed(self) -> Viewed | None:
        """Choose the scores for the campaign's page, or return None if nothing is scored.

        The first choice is the campaign's own systems, and the second is the first comparison. The last choice is the
        first run set without simulation or perturbation. Its measures of whole lists come before measures with a
        cut-off.
        """
        if self.systems:
            measures = list(dict.fromkeys(self.systems.measures))
            return Viewed(self.systems.comparison.runs, measures[:MOST_VIEWED], measures[MOST_VIEWED:])
        for one in self.comparisons.values():
            measures = list(dict.fromkeys([one.measure, one.ranked_by]))
            return Viewed(one.runs, measures, [])
        for runs, metric in self.scores:
            if not self.sets[runs].made_by and "~" not in metric:
                every = [n for (r, m), of in self.scores.items() if r == runs and "~" not in m for n in of]
                specs = sorted(_specs(every), key=lambda spec: spec.cutoff is not None)
                names = list(dict.fromkeys(spec.name for spec in specs))
                return Viewed(self.sets[runs], names[:MOST_VIEWED], [])
        return None


def requests(
    reported: Sequence[str],
    campaigns: Mapping[str, CampaignSettings],
    settings: Mapping[str, Any],
    papers: Mapping[str, Publication],
    of_passages: Mapping[str, str] = MappingProxyType({}),
    findings: FindingSettings | None = None,
    runs: Mapping[str, int | None] = MappingProxyType({}),
    on_own: bool = True,
) -> dict[str, CampaignRequests]:
    """Return the requests for every campaign, by name.

    - ``reported``: the names of campaigns for which papers and comparisons are requested
    - ``campaigns``: the settings of these campaigns and of their ``earlier`` campaigns, by name
    - ``settings``: the settings of each paper, by name
    - ``papers``: the publications, by name
    - ``of_passages``: a description of the runs that return passages, by campaign
    - ``findings``: the settings that the findings of all papers share
    - ``runs``: the number of runs of each campaign, if it is known
    - ``on_own``: whether to request papers on a user's own files, if the campaign names no papers
    """
    by_name = {name: CampaignRequests(name) for name in campaigns}
    for name in reported:
        campaign, entry = campaigns[name], by_name[name]
        earlier = campaigns[campaign.earlier] if campaign.earlier else None
        for paper in (papers[paper] for paper in NAMES if paper in papers):
            if campaign.papers is None and campaign.of_own_files and not on_own:
                entry.unsuited[paper.name] = (
                    "the files are your own; to compute the paper, name it under `papers`"
                )
                continue
            if reason := why_not(paper, campaign, of_passages.get(name, ""), runs.get(name)):
                entry.unsuited[paper.name] = reason
                continue
            context = Context(campaign, settings[paper.name], earlier, findings or FindingSettings())
            entry.papers[paper.name] = context
            entry.reads["papers", paper.name] = [
                scores
                for request in paper.requests(context).values()
                for scores in by_name[context.campaign_of(request.of).name].add(
                    request.runs, request.measures.values()
                )
            ]
            for correlations in paper.correlations(context):
                entry.correlate(correlations, campaign.earlier)
        _add_own(entry, campaign, findings or FindingSettings())
    return by_name


def _add_own(requests: CampaignRequests, campaign: CampaignSettings, findings: FindingSettings) -> None:
    """Add the requests in a campaign's settings, and requests to show its own systems under its main measures."""
    for entry in campaign.significance:
        comparison = _comparison(campaign, entry, [entry.measure, entry.ranked_by or entry.measure])
        requests.comparisons[entry.name] = comparison
        requests.reads["comparisons", entry.name] = requests.add(
            comparison.runs, [comparison.measure, comparison.ranked_by]
        )
    for sweep in campaign.sweeps:
        requests.sweeps[sweep.name] = sweep
        requests.reads["sweeps", sweep.name] = [
            scores
            for point, names in sweep.by_point.items()
            for scores in requests.add(own_runs(campaign), names, point=f"~{point}")
        ]
    for correlation in campaign.correlations:
        own, names = own_runs(campaign), [spec.name for spec in _specs(correlation.measures)]
        requests.add(own, names)
        if correlation.name in requests.correlations:
            where = f"campaigns.{campaign.name}.correlations.{correlation.name}"
            found, expected = "a paper also has correlations of this name", "choose another name"
            raise InputError.of("configuration", found, expected, where=where)
        requests.own_correlations.append(correlation.name)
        requests.correlate(_correlations(correlation, own, names, findings))
    if campaign.simulations or campaign.perturbations:
        requests.variants = _variants(campaign)
        requests.reads["comparisons", VARIANTS] = [
            scores
            for runs in requests.variants.runs
            for scores in requests.add(runs, requests.variants.measures, required=False)
        ]
    if measures := main_measures(campaign):
        entry = ComparisonSettings(name=SYSTEMS, measure=measures[0], top=MOST_COMPARED)
        comparison = _comparison(campaign, entry, measures)
        names = list(dict.fromkeys(spec.name for spec in _specs(measures)))
        requests.reads["comparisons", SYSTEMS] = requests.add(comparison.runs, names, required=False)
        requests.systems = Systems(
            names, comparison, campaign.heading, comparison.runs.runs, campaign.measures is not None
        )


def _comparison(campaign: CampaignSettings, entry: ComparisonSettings, names: Sequence[str]) -> Comparison:
    """Return a request to compare a campaign's own systems.

    ``names`` are the measures to score. The first is the measure of the comparison. The second ranks systems if the
    entry declares such a measure.
    """
    specs = [parse_specs(text, MEASURES)[0] for text in names]
    pools = {spec.name: spec.measure.pool.__name__ for spec in specs if spec.pooled and spec.measure.pool}
    measure, ranked_by = specs[0], specs[1] if entry.ranked_by else specs[0]
    return Comparison(
        entry.name,
        own_runs(campaign, entry.size),
        measure.name,
        ranked_by.name,
        entry.model_dump(mode="json"),
        pools,
        lower=sorted(lower_is_better(dict.fromkeys(spec.name for spec in specs))),
        remarks=measure.remarks,
        size=entry.size or campaign.size,
    )


def _correlations(
    entry: CorrelationSettings, runs: RunSet, names: Sequence[str], findings: FindingSettings
) -> Correlations:
    """Return a request to correlate all pairs of the measures ``names`` over a campaign's own runs."""
    group = Group(entry.name, [Column(name, runs.name, name) for name in names], all_pairs(names))
    kind = [entry.coefficient], entry.over
    return Correlations(entry.name, *kind, [group], findings.resamples, findings.seed)


def _variants(campaign: CampaignSettings) -> Variants:
    """Return a request for the simulated and perturbed runs of a campaign under its main measures."""
    own = own_runs(campaign)
    variants = [
        own.simulated(name, **({"rankings": _rankings(campaign)} if name == "ideal" else {}))
        for name in campaign.simulations
    ]
    variants += [own.perturbed(one.name, **one.settings) for one in campaign.perturbations]
    measures = [spec.name for spec in _specs(main_measures(campaign) or _MEASURES_OF_VARIANTS)]
    return Variants([own, *variants], list(dict.fromkeys(measures)))


#: the measures for simulated and perturbed runs of a campaign without main measures
_MEASURES_OF_VARIANTS = ("MAep", "EPRUM", "MAP")


def _rankings(campaign: CampaignSettings) -> list[dict[str, str]]:
    """Return the settings of ideal rankings for each quantisation of the campaign's scale, with and without overlap."""
    return [
        {"quantisation": name, "overlap": overlap, "fetch_browse": "off"}
        for name, quantisation in QUANTISATIONS.items()
        if campaign.scale in quantisation.scales
        for overlap in ("on", "off")
    ]


def why_not(
    paper: Publication, campaign: CampaignSettings, passages: str = "", runs: int | None = None
) -> str:
    """Return the reason why a paper is not computed on a campaign; ``""`` if it is computed.

    ``passages`` describes the runs that return passages. ``runs`` is the number of runs, or None if it is unknown.
    Rankings of few runs say little about measures. A paper is therefore computed on few runs only if the campaign names
    papers.
    """
    declared, suits, names_papers = paper.declared, paper.declared.suits, campaign.papers is not None
    elements = declared.needs_elements and not names_papers
    scale = f"the scale {campaign.scale}" if campaign.scale else "a scale that it does not name"
    reasons: list[tuple[object, str]] = [
        (
            campaign.papers is not None and paper.name not in campaign.papers,
            "the campaign does not name the paper under `papers`",
        ),
        (
            not names_papers and runs is not None and runs < FEWEST_RUNS,
            f"it has {counted(runs or 0, 'run')}; fewer than {FEWEST_RUNS} do not show how measures rank "
            "systems",
        ),
        (
            declared.needs_texts and not (campaign.collection or campaign.synthetic),
            "it names no collection, but the paper needs documents",
        ),
        (
            elements and passages,
            f"the results of {passages} are passages, but the paper needs elements; if every one is an element, "
            "name the paper under `papers`",
        ),
        (
            elements and campaign.scale == "grades",
            "its assessments judge whole documents, but the paper needs elements",
        ),
        (
            suits.importer not in ("", campaign.importer),
            f"its files are not made by the importer {suits.importer}; {suits.because}",
        ),
        (
            suits.task not in ("", campaign.task),
            f"its task is {campaign.task}, but the paper needs runs for {suits.task}",
        ),
        (
            suits.own_runs and not (campaign.submitted or campaign.baseline),
            "only its tasks have runs, but the paper needs `runs` of the campaign, or `topics` for retrieval",
        ),
        (
            suits.scales and not names_papers and campaign.scale not in suits.scales,
            f"its assessments are on {scale}; the paper needs {' or '.join(suits.scales)}",
        ),
        (
            suits.tasks and not {*suits.tasks} & {*task_sets(campaign)},
            f"it has none of the tasks {', '.join(suits.tasks)}",
        ),
    ]
    return next((why for holds, why in reasons if holds), "")
