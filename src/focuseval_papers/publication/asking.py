"""What a publication asks for in ``publication.yaml``: scores of sets of runs, and how measures correlate.

The words are those of a campaign's own requests (`focuseval_papers.workflow.configuration`). Texts name words in
braces, and a list in braces stands for each of its members: ``MAep(quantisation={quantisations})``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from string import Formatter
from typing import Annotated, Any

from focuseval.errors import extra
from focuseval.measures.declaration import parse_specs
from focuseval.statistics.correlations import COEFFICIENTS, OVER
from focuseval_papers.publication.claims import Words, filled, loops, word_of
from focuseval_papers.publication.correlations import Column, Correlations, Group, all_pairs
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings, PerturbationSettings
from focuseval_papers.workflow.runsets import SIMULATIONS, RunSet, as_many, own_runs, runs_for, view
from focuseval_papers.workflow.settings import OneOf, Settings

with extra("workflow"):
    from pydantic import BeforeValidator, Field

#: the name of a campaign's own runs, unless they have another
OWN = "runs"

_Number = int | str | None


def _one_or_more(given: Any) -> Any:
    return given if isinstance(given, list) else [given]


def _by_label(given: Any) -> Any:
    return {text: text for text in given} if isinstance(given, list) else given


@dataclass(frozen=True)
class Request:
    """Scores that are asked for: of a set of runs, under some measures."""

    runs: RunSet
    measures: Mapping[str, str]  #: by label
    of: str = "campaign"  #: whose runs: "campaign", or "earlier"
    notices: bool = True  #: whether the report shows what scoring left out


class AskedRuns(Settings):
    """A set of runs, and the measures that it is scored under."""

    name: str = Field(default=OWN, description="what the code calls the set")
    over: dict[str, str | list[str]] = Field(
        default={}, alias="for", description="lists of words to go through, such an entry for each"
    )
    only_if: str = Field(default="", alias="if", description="a word that is true where there is one")
    of: str = Field(default="campaign", description="whose runs: campaign, or earlier")
    task: str = Field(default="", description="the task that they are for; the campaign's own runs if empty")
    view: str = Field(default="", description="the view of the campaign that has them")
    size: _Number = Field(default=None, description="how many results of each list are scored")
    most_runs: _Number = Field(
        default=None, description="how many runs, the first, of a campaign that is made here"
    )
    most_topics: _Number = Field(default=None, description="how many topics, the first, of such a campaign")
    simulation: Annotated[str, OneOf(SIMULATIONS)] | None = None
    rankings: str = Field(default="", description="of ideal rankings, the word that lists their settings")
    perturbation: dict[str, Any] | None = Field(default=None, description="as a campaign has it")
    measures: Annotated[dict[str, str], BeforeValidator(_by_label)] | str = Field(
        description="measures by labels, or a list of them; or the word that has them"
    )
    notices: bool = Field(default=True, description="whether the report shows what scoring left out")

    def request(self, words: Words, campaign: CampaignSettings) -> Request | None:
        """Return the scores that are asked for with some words; None if the campaign has no such runs."""
        runs = self._runs(words, campaign)
        if runs is None:
            return None
        if isinstance(self.measures, str):
            measures = dict(word_of(self.measures, words))
        else:
            pairs = (pair for each in self.measures.items() for pair in written_out(each, words))
            measures = {label: measure for label, measure in pairs}
        return Request(runs, measures, filled(self.of, words), self.notices)

    def _runs(self, words: Words, campaign: CampaignSettings) -> RunSet | None:
        number = {name: value_of(getattr(self, name), words) for name in ("size", "most_runs", "most_topics")}
        task, made = filled(self.task, words), value_of(self.perturbation, words)
        if task:
            runs = runs_for(campaign, task)
        elif self.view:
            runs = view(campaign, filled(self.view, words))
        else:
            runs = own_runs(campaign, number["size"])
        if runs is None:
            return None
        runs = as_many(runs, campaign, number["most_runs"], number["most_topics"])
        if self.simulation:
            settings = {"rankings": word_of(self.rankings, words)} if self.rankings else {}
            return runs.simulated(self.simulation, **settings)
        if made:
            asked = PerturbationSettings.model_validate(made)
            return runs.perturbed(asked.name, **asked.model_dump(exclude={"name"}, exclude_none=True))
        return runs


class AskedGroup(Settings):
    """Measures that are correlated on the same runs; groups of one name are one, with the pairs of all."""

    name: str
    over: dict[str, str | list[str]] = Field(
        default={}, alias="for", description="lists of words to go through, such an entry for each"
    )
    only_if: str = Field(default="", alias="if", description="a word that is true where there is one")
    runs: Annotated[list[str], BeforeValidator(_one_or_more)] = Field(
        default=[OWN], description="the names of sets of runs"
    )
    measures: list[str] = Field(description="labels of measures of these, of which every pair is correlated")
    others: list[str] = Field(
        default=[], alias="with", description="labels that each of the measures is correlated with instead"
    )
    by_name: bool = Field(default=False, description="whether members are drawn in the order of their names")
    label: str = Field(default="{measure}", description="how a column is called, of {measure} and {runs}")


class AskedCorrelations(Settings):
    """How measures correlate."""

    name: str
    coefficient: Annotated[list[Annotated[str, OneOf(COEFFICIENTS)]], BeforeValidator(_one_or_more)]
    over: Annotated[str, OneOf(OVER)] = "runs"
    top: _Number = Field(default=None, description="how many members, the highest in the first column")
    groups: list[AskedGroup]

    def correlations(
        self,
        words: Words,
        requests: Mapping[str, Request],
        how: FindingSettings,
        known: Mapping[str, Any],
    ) -> Correlations:
        """Return the correlations that are asked for with some words, of scores under ``known`` measures."""
        groups: dict[str, Group] = {}
        for each in self.groups:
            for said in entries(each, words):
                sides = [
                    {column.label: column for column in _columns(each, labels, said, requests, known)}
                    for labels in (each.measures, each.others)
                ]
                name, pairs = filled(each.name, said), product(*sides) if each.others else all_pairs(sides[0])
                before = groups.get(name, Group(name, [], []))
                columns = {column.label: column for column in before.columns} | sides[0] | sides[1]
                both = [*columns.values()], [*before.pairs, *pairs]
                groups[name] = Group(name, *both, each.by_name)
        top, made = value_of(self.top, words), list(groups.values())
        return Correlations(self.name, self.coefficient, self.over, made, how.resamples, how.seed, top)


def _columns(
    group: AskedGroup,
    labels: Sequence[str],
    words: Words,
    requests: Mapping[str, Request],
    known: Mapping[str, Any],
) -> Iterator[Column]:
    """The columns of labels of measures, of each set of runs."""
    every = [
        [one for text in texts for (one,) in written_out([text], words)] for texts in (labels, group.runs)
    ]
    for measure, runs in product(*every):
        [spec] = parse_specs(requests[runs].measures[measure], known)
        label = filled(group.label, {**words, "measure": measure, "runs": runs})
        yield Column(label, requests[runs].runs.name, spec.name, requests[runs].of)


def requested(
    asked: Sequence[AskedRuns], words: Words, campaigns: Mapping[str, CampaignSettings | None]
) -> dict[str, Request]:
    """Return what is asked for by the names of its runs; ``campaigns`` are the campaign and the earlier one, if any."""
    found: dict[str, Request] = {}
    for each in asked:
        for said in entries(each, words):
            name, campaign = filled(each.name, said), campaigns[filled(each.of, said)]
            request = each.request(said, campaign) if campaign else None
            if name in found:
                raise ValueError(f"two sets of runs have the name {name}")
            if request:
                found[name] = request
    return found


def entries(asked: AskedRuns | AskedGroup, words: Words) -> Iterator[dict[str, Any]]:
    """Yield the words of each entry that one stands for."""
    for said in loops(asked.over, words):
        if not asked.only_if or word_of(asked.only_if, said):
            yield said


def value_of(given: Any, words: Words) -> Any:
    """Fill words into values; a text that is one word in braces is that word, whatever its type."""
    if isinstance(given, Mapping):
        return {key: value_of(value, words) for key, value in given.items()}
    if not isinstance(given, str):
        return given
    whole = given.startswith("{") and given.find("}") == len(given) - 1
    return word_of(given[1:-1], words) if whole else filled(given, words)


def written_out(texts: Sequence[str], words: Words) -> Iterator[tuple[str, ...]]:
    """Yield the texts with words filled in: for each member of the lists that they name, the last changing first."""
    names = dict.fromkeys(name for text in texts for _, name, _, _ in Formatter().parse(text) if name)
    values = {name: word_of(name, words) for name in names}
    lists = [value if isinstance(value, list | tuple) else [value] for value in values.values()]
    for members in product(*lists):
        chosen = dict(zip(values, members, strict=True))
        yield tuple(
            "".join(
                f"{before}{'' if name is None else chosen[name]}"
                for before, name, _, _ in Formatter().parse(text)
            )
            for text in texts
        )
