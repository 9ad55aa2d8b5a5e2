"""What a configuration asks for: a pure function from the configuration to scoring jobs, papers and comparisons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from focuseval.errors import counted
from focuseval.measures import MEASURES, family_of, lower_is_better, parse_specs
from focuseval.measures.declaration import Spec
from focuseval.measures.rules import RULES
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.publication.paper import NAMES, Context, Publication, Request
from focuseval_papers.transformations import module_of
from focuseval_papers.workflow.configuration import CampaignSettings, ComparisonSettings, FindingSettings
from focuseval_papers.workflow.recognition import main_measures
from focuseval_papers.workflow.runsets import ALL, Ruled, RunSet, own_runs, task_sets

#: the scoring job of the comparisons that a campaign asks for itself, that of its systems under their main measures,
#: and that of its sweeps
OWN, SYSTEMS, SWEEPS = "own", "systems", "sweeps"

#: as many of its best systems are compared unless it asks for others: of more, the smallest p-value that the standard
#: number of resamples allows is no more significant after Holm's correction
MOST_COMPARED = 32

#: measures on the page to look into a campaign
MOST_VIEWED = 4


@dataclass(frozen=True)
class Asked:
    """One comparison of a campaign's systems, and what it is made from."""

    name: str
    runs: str  #: the set of runs in the scores
    measure: str  #: canonical names
    ranked_by: str
    settings: Mapping[str, Any]  #: the entry in the configuration
    #: ratios (`focuseval.measures.ratios`) of those measures whose counts are added up over topics
    pools: Mapping[str, str]
    lower: Sequence[str]  #: those of the measures of which a lower value is better
    remarks: Sequence[str]  #: remarks on the measure
    size: int | None  #: results of a topic that are scored; None for all


@dataclass(frozen=True)
class Systems:
    """A campaign's own systems under its main measures."""

    measures: Sequence[str]  #: canonical names
    comparison: Asked  #: of the systems under the first of them, with what is known of the others
    heading: str  #: what the campaign is called
    counted: str  #: the file of its runs, whose facts are shown


class Viewed(NamedTuple):
    """The scores that the page to look into a campaign is made from."""

    batch: str  #: the scoring job
    runs: RunSet
    measures: Sequence[str]  #: canonical names
    others: Sequence[str]  #: of the measures of one's own runs that are not shown there

    @property
    def families(self) -> list[str]:
        """The modules in `focuseval.measures` of the measures."""
        return sorted({family_of(name) for name in self.measures})


def _specs(names: Iterable[str]) -> list[Spec]:
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


@dataclass
class CampaignRequests:
    """All that is asked of one campaign."""

    #: by scoring job: sets of runs with their measures
    scores: dict[str, list[tuple[RunSet, list[str]]]] = field(default_factory=dict)
    papers: dict[str, Context] = field(default_factory=dict)  #: by paper
    unsuited: dict[str, str] = field(default_factory=dict)  #: by paper: why it is not computed here
    comparisons: list[Asked] = field(default_factory=list)
    systems: Systems | None = None

    def add(self, request: Request) -> None:
        """Score what a request asks for, too."""
        sets = self.scores.setdefault(request.batch, [])
        of_name = [one for one in sets if one[0].name == request.runs.name]
        if not of_name:
            sets.append((request.runs, []))
        [(runs, measures)] = of_name or sets[-1:]
        if runs != request.runs:
            raise ValueError(f"two sets of runs have the name {runs.name!r} in one scoring job")
        measures += [name for name in dict.fromkeys(request.measures) if name not in measures]

    @property
    def nothing(self) -> bool:
        """Whether neither papers nor systems nor comparisons nor sweeps are asked of the campaign."""
        return not (self.papers or self.comparisons or self.systems or SWEEPS in self.scores)

    @property
    def runs(self) -> list[str]:
        """The files of runs that are scored."""
        return sorted({runs.runs for sets in self.scores.values() for runs, _ in sets})

    @property
    def systems_made(self) -> dict[str, int | None]:
        """How many runs each file of runs is to have at least, the first ones; None for all."""
        sets = [runs for sets in self.scores.values() for runs, _ in sets]
        asked = {name: [one.first_runs for one in sets if one.runs == name] for name in self.runs}
        return {name: None if None in of else max(filter(None, of)) for name, of in asked.items()}

    @property
    def judgements(self) -> list[str]:
        """The folders of judgements that runs are scored on, the one for all tasks first."""
        named = {runs.judgements for sets in self.scores.values() for runs, _ in sets}
        return [ALL, *sorted(named - {ALL})]

    @property
    def ruled(self) -> list[Ruled]:
        """What of the runs as they were read has to keep rules."""
        found = set()
        for batch, sets in self.scores.items():
            for runs, names in sets:
                # of the main measures, one whose rule a run breaks is left out
                of = [spec.measure.rule for spec in _specs(names) if batch != SYSTEMS]
                rules = {runs.task, *of}
                named = tuple(sorted(rule for rule in rules if rule and RULES[rule]))
                if named and not runs.transformation:
                    found.add(Ruled(runs.runs, runs.judgements, runs.topics, runs.size, named))
        return sorted(found, key=repr)

    @property
    def viewed(self) -> Viewed | None:
        """Which scores to look into: those of the first runs to which nothing was done; None where nothing is scored.

        The job of one's own systems comes first, then that of the campaign's comparisons, each with its measures in the
        order in which they are asked for; of papers, measures of whole lists come before those at cut-offs.
        """
        for batch in sorted(self.scores, key=lambda name: (name != SYSTEMS, name != OWN)):
            for runs, names in self.scores[batch]:
                if not runs.transformation:
                    own = batch in (SYSTEMS, OWN)
                    specs = sorted(_specs(names), key=lambda spec: not own and spec.cutoff is not None)
                    asked = list(dict.fromkeys(spec.name for spec in specs))
                    return Viewed(batch, runs, asked[:MOST_VIEWED], asked[MOST_VIEWED:] if own else [])
        return None

    def families(self, batch: str) -> list[str]:
        """The modules in `focuseval.measures` of a scoring job's measures."""
        return sorted({family_of(name) for _, measures in self.scores[batch] for name in measures})

    def reads_texts(self, batch: str) -> bool:
        """Whether any measure of a scoring job needs the documents' texts."""
        return any("texts" in spec.needs for _, names in self.scores[batch] for spec in _specs(names))

    def transformations(self, batch: str) -> list[str]:
        """The modules of transformations that a scoring job makes runs with."""
        named = {runs.transformation for runs, _ in self.scores[batch]} - {""}
        return sorted(map(module_of, named))


def requests(
    reported: Sequence[str],
    campaigns: Mapping[str, CampaignSettings],
    settings: Mapping[str, Any],
    papers: Mapping[str, Publication],
    of_passages: Mapping[str, str] = MappingProxyType({}),
    findings: FindingSettings | None = None,
    runs: Mapping[str, int | None] = MappingProxyType({}),
) -> dict[str, CampaignRequests]:
    """What is asked of every campaign, by its name.

    ``reported`` are the campaigns that papers and comparisons are computed on; ``campaigns`` also has those
    that they name as ``earlier``; ``settings`` has every paper's part of the configuration, by its name.
    ``of_passages`` says which runs of a campaign return passages, if any do; ``findings`` says how all papers' are
    decided; ``runs`` says how many runs a campaign has, where that is known.
    """
    asked_of = {name: CampaignRequests() for name in campaigns}
    for name in reported:
        campaign, asked = campaigns[name], asked_of[name]
        earlier = campaigns[campaign.earlier] if campaign.earlier else None
        for paper in (papers[paper] for paper in NAMES if paper in papers):
            if told := why_not(paper, campaign, of_passages.get(name, ""), runs.get(name)):
                asked.unsuited[paper.name] = told
                continue
            context = Context(campaign, settings[paper.name], earlier, findings or FindingSettings())
            asked.papers[paper.name] = context
            for request in paper.asks(context):
                asked_of[str(campaign.earlier) if request.of == "earlier" else name].add(request)
        for entry in campaign.significance:
            names = [entry.measure, entry.ranked_by or entry.measure]
            request, comparison = _comparison(campaign, entry, names)
            asked.add(request)
            asked.comparisons.append(comparison)
        if campaign.sweeps:
            points = tuple(point for sweep in campaign.sweeps for point in sweep.points)
            asked.add(Request(own_runs(campaign), points, batch=SWEEPS))
        if measures := main_measures(campaign):
            entry = ComparisonSettings(name=SYSTEMS, measure=measures[0], top=MOST_COMPARED)
            request, comparison = _comparison(campaign, entry, measures)
            asked.add(replace(request, batch=SYSTEMS))
            asked.systems = Systems(request.measures, comparison, campaign.heading, request.runs.runs)
    return asked_of


def _comparison(
    campaign: CampaignSettings, entry: ComparisonSettings, names: Sequence[str]
) -> tuple[Request, Asked]:
    """The scores that a comparison of a campaign's own systems takes, and the comparison.

    ``names`` are all measures that are scored: that of the comparison, the one that ranks (if they are two), others.
    """
    first = f", first {entry.size}" if entry.size else ""
    runs = own_runs(campaign, f"runs{first}", entry.size)
    specs = [parse_specs(text, MEASURES)[0] for text in names]
    pools = {spec.name: spec.measure.pool.__name__ for spec in specs if spec.pooled and spec.measure.pool}
    measure, ranked_by = specs[0], specs[1] if entry.ranked_by else specs[0]
    settings = entry.model_dump(mode="json")
    measures = tuple(dict.fromkeys(spec.name for spec in specs))
    return (
        Request(runs, measures, batch=OWN),
        Asked(
            *(entry.name, runs.name, measure.name, ranked_by.name, settings, pools),
            lower=sorted(lower_is_better(measures)),
            remarks=measure.remarks,
            size=entry.size or campaign.size,
        ),
    )


def why_not(
    paper: Publication, campaign: CampaignSettings, passages: str = "", runs: int | None = None
) -> str:
    """Why a paper is not computed on a campaign; ``""`` if it is.

    Some runs of the campaign may return passages (``passages`` says which), and they may be known to be so many: of
    few, nothing can be said about how measures rank systems. A campaign that names its papers is asked them all the
    same.
    """
    declared, suits, named = paper.declared, paper.declared.suits, campaign.papers is not None
    elements = declared.needs_elements and not named
    scale = f"the scale {campaign.scale}" if campaign.scale else "a scale that it does not name"
    reasons: list[tuple[object, str]] = [
        (
            campaign.papers is not None and paper.name not in campaign.papers,
            "the campaign does not name it under its papers",
        ),
        (
            not named and runs is not None and runs < FEWEST_RUNS,
            f"it has {counted(runs or 0, 'run')}; of fewer than {FEWEST_RUNS}, nothing can be said about how "
            "measures rank systems",
        ),
        (
            declared.needs_texts and not (campaign.collection or campaign.synthetic),
            "it names no collection; the paper needs its documents",
        ),
        (
            elements and passages,
            f"the results of {passages} are passages, and the paper needs elements; if every one is an element, "
            "name the paper under `papers`",
        ),
        (
            elements and campaign.scale == "grades",
            "its assessments judge whole documents; the paper needs elements",
        ),
        (
            suits.importer not in ("", campaign.importer),
            f"its files are not made by the importer {suits.importer}; {suits.because}",
        ),
        (
            suits.task not in ("", campaign.task),
            f"its task is {campaign.task}; the paper needs runs for {suits.task}",
        ),
        (
            suits.own_runs and not (campaign.submitted or campaign.baseline),
            "all its runs are those of its tasks; the paper needs `runs` of the campaign, or `topics` to retrieve for",
        ),
        (
            suits.scales and not named and campaign.scale not in suits.scales,
            f"its assessments are on {scale}; the paper needs {' or '.join(suits.scales)}",
        ),
        (
            suits.tasks and not {*suits.tasks} & {*task_sets(campaign)},
            f"it has none of the tasks {', '.join(suits.tasks)}",
        ),
    ]
    return next((why for holds, why in reasons if holds), "")
