"""What a configuration asks for: a pure function from the configuration to scoring jobs, papers and comparisons."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from focuseval.campaign.configuration import CampaignSettings, FindingSettings
from focuseval.campaign.runsets import ALL, RunSet, own_runs
from focuseval.measures import MEASURES, family_of, parse_specs
from focuseval.papers.paper import NAMES, Context, Paper, Request

#: the scoring job of the comparisons that a campaign asks for itself
OWN = "own"


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
    remarks: Sequence[str]  #: what is said of the measure

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


@dataclass(frozen=True)
class CampaignRequests:
    """All that is asked of one campaign."""

    #: by scoring job: sets of runs with their measures
    scores: Mapping[str, Sequence[tuple[RunSet, Sequence[str]]]] = field(default_factory=dict)
    papers: Mapping[str, Context] = field(default_factory=dict)  #: by paper
    unsuited: Mapping[str, str] = field(default_factory=dict)  #: by paper: why it is not computed here
    comparisons: Sequence[Asked] = ()

    @property
    def nothing(self) -> bool:
        """Whether neither a paper nor a comparison is asked of the campaign."""
        return not self.papers and not self.comparisons

    @property
    def runs(self) -> list[str]:
        """The files of runs that are scored."""
        return sorted({runs.runs for sets in self.scores.values() for runs, _ in sets})

    @property
    def systems(self) -> dict[str, int | None]:
        """How many runs each file of runs is to have at least, the first ones; None for all."""
        asked: dict[str, list[int | None]] = {name: [] for name in self.runs}
        for sets in self.scores.values():
            for runs, _ in sets:
                asked[runs.runs].append(runs.first_runs)
        return {
            name: None if None in counts else max(count for count in counts if count is not None)
            for name, counts in asked.items()
        }

    @property
    def judgements(self) -> list[str]:
        """The folders of judgements that runs are scored on, the one for all tasks first."""
        named = {runs.judgements for sets in self.scores.values() for runs, _ in sets}
        return [ALL, *sorted(named - {ALL})]

    def families(self, batch: str) -> list[str]:
        """The modules in `focuseval.measures` of a scoring job's measures."""
        return sorted({family_of(name) for _, measures in self.scores[batch] for name in measures})

    def reads_texts(self, batch: str) -> bool:
        """Whether any measure of a scoring job needs the documents' texts."""
        named = (name for _, measures in self.scores[batch] for name in measures)
        return any("texts" in spec.needs for name in named for spec in parse_specs(name, MEASURES))

    def transformations(self, batch: str) -> list[str]:
        """The modules in `focuseval.transformations` that a scoring job makes runs with."""
        return sorted({runs.transformation for runs, _ in self.scores[batch]} - {""})


@dataclass
class _Gathered:
    """The requests to one campaign, as they come in."""

    scores: dict[str, dict[str, tuple[RunSet, dict[str, None]]]] = field(default_factory=dict)
    papers: dict[str, Context] = field(default_factory=dict)
    unsuited: dict[str, str] = field(default_factory=dict)
    comparisons: list[Asked] = field(default_factory=list)

    def add(self, request: Request) -> None:
        sets = self.scores.setdefault(request.batch, {})
        runs, measures = sets.setdefault(request.runs.name, (request.runs, {}))
        if runs != request.runs:
            raise ValueError(f"two sets of runs have the name {runs.name!r} in one scoring job")
        measures.update(dict.fromkeys(request.measures))

    def done(self) -> CampaignRequests:
        scores = {
            batch: [(runs, list(measures)) for runs, measures in sets.values()]
            for batch, sets in self.scores.items()
        }
        return CampaignRequests(scores, self.papers, self.unsuited, self.comparisons)


def requests(
    reported: Sequence[str],
    campaigns: Mapping[str, CampaignSettings],
    settings: Mapping[str, Any],
    papers: Mapping[str, Paper],
    of_passages: Collection[str] = (),
    findings: FindingSettings | None = None,
) -> dict[str, CampaignRequests]:
    """What is asked of every campaign, by its name.

    ``reported`` are the campaigns that papers and comparisons are computed on; ``campaigns`` also has those
    that they name as ``earlier``; ``settings`` has every paper's part of the configuration, by its name.
    ``of_passages`` are the campaigns whose runs return passages; ``findings`` says how all papers' are decided.
    """
    gathered = {name: _Gathered() for name in campaigns}
    for name in reported:
        campaign = campaigns[name]
        for paper in (papers[paper] for paper in NAMES if paper in papers):
            if told := why_not(paper, campaign, name in of_passages):
                gathered[name].unsuited[paper.name] = told
                continue
            earlier = campaigns[campaign.earlier] if campaign.earlier else None
            context = Context(campaign, settings[paper.name], earlier, findings or FindingSettings())
            gathered[name].papers[paper.name] = context
            for request in paper.asks(context):
                of = campaign.earlier if request.of == "earlier" else name
                gathered[str(of)].add(request)
        for asked in campaign.significance:
            first = f", first {asked.size}" if asked.size else ""
            runs = own_runs(campaign, f"runs{first}", asked.size)
            specs = [
                parse_specs(text, MEASURES)[0] for text in (asked.measure, asked.ranked_by or asked.measure)
            ]
            measure, ranked_by = (spec.name for spec in specs)
            pools = {
                spec.name: spec.measure.pool.__name__ for spec in specs if spec.pooled and spec.measure.pool
            }
            gathered[name].add(Request(runs, tuple(dict.fromkeys([measure, ranked_by])), batch=OWN))
            entry = asked.model_dump(mode="json")
            gathered[name].comparisons.append(
                Asked(asked.name, runs.name, measure, ranked_by, entry, pools, specs[0].remarks)
            )
    return {name: found.done() for name, found in gathered.items()}


def why_not(paper: Paper, campaign: CampaignSettings, passages: bool = False) -> str:
    """Why a paper is not computed on a campaign, the runs of which may return passages; ``""`` if it is."""
    if campaign.papers is not None and paper.name not in campaign.papers:
        return "the campaign does not name it under its papers"
    if paper.texts and not (campaign.collection or campaign.synthetic):
        return "it names no collection; the paper needs its documents"
    if paper.elements and campaign.papers is None:
        if passages:
            return "its runs return passages, which are no elements; the paper needs elements"
        if campaign.scale == "grades":
            return "its assessments judge whole documents; the paper needs elements"
    return paper.suits(campaign)
