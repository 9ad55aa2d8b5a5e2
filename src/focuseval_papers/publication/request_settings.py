"""The requests in ``publication.yaml``: scores of sets of runs, and correlations of measures.

A name in braces stands for a word, which is a named value of the publication (`claims.Words`). If the word is a list,
the text is repeated for each member of the list: ``MAep(quantisation={quantisations})``.
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
from focuseval_papers.workflow.campaign_settings import (
    CampaignSettings,
    FindingSettings,
    PerturbationSettings,
)
from focuseval_papers.workflow.runsets import SIMULATIONS, RunSet, as_many, own_runs, runs_for, view
from focuseval_papers.workflow.settings import OneOf, Settings

with extra("workflow"):
    from pydantic import BeforeValidator, Field

#: the default name of a run set
OWN = "runs"

_Number = int | str | None


def _one_or_more(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _by_label(measures: Any) -> Any:
    return {text: text for text in measures} if isinstance(measures, list) else measures


@dataclass(frozen=True)
class Request:
    """A request for scores of a run set under some measures."""

    runs: RunSet
    measures: Mapping[str, str]  #: the measures, by label
    #: the campaign of the runs: "campaign", or "earlier" for the campaign in the setting ``earlier``
    of: str = "campaign"
    notices: bool = True  #: whether the report shows notices on the scoring of these runs


class RepeatedSettings(Settings):
    """An entry of ``publication.yaml`` that may be repeated for the members of lists, or omitted under a condition."""

    over: dict[str, str | list[str]] = Field(default={}, alias="for")
    """lists of words; the entry is repeated for each member"""
    only_if: str = Field(default="", alias="if", description="a word; if it is false, the entry is omitted")

    def entries(self, words: Words) -> Iterator[dict[str, Any]]:
        """Yield ``words`` for each repetition of the entry, together with the list members of this repetition."""
        for chosen in loops(self.over, words):
            if not self.only_if or word_of(self.only_if, chosen):
                yield chosen


class ScoreSettings(RepeatedSettings):
    """A request for scores in ``publication.yaml``: a run set, and the measures that score it."""

    name: str = Field(default=OWN, description="the name of the run set in the code")
    of: str = Field(default="campaign", description="the owner of the runs: campaign, or earlier")
    task: str = Field(default="", description="the task of the runs; the campaign's own runs if empty")
    view: str = Field(default="", description="the view of the campaign that has the runs")
    size: _Number = Field(default=None, description="the number of results per list")
    most_runs: _Number = None
    """the number of runs of a synthetic campaign, from the first on"""
    most_topics: _Number = None
    """the number of topics of a synthetic campaign, from the first on"""
    simulation: Annotated[str, OneOf(SIMULATIONS)] | None = None
    rankings: str = Field(default="", description="the word that lists the settings of ideal rankings")
    perturbation: dict[str, Any] | None = Field(default=None, description="a perturbation, as in a campaign")
    measures: Annotated[dict[str, str], BeforeValidator(_by_label)] | str
    """measures by label, a list of measures, or the word with the measures"""
    notices: bool = Field(default=True, description="whether the report includes notices of scoring")

    def request(self, words: Words, campaign: CampaignSettings) -> Request | None:
        """Return the request for scores with ``words`` filled in, or None if the campaign does not have the runs."""
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
        task, perturbation = filled(self.task, words), value_of(self.perturbation, words)
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
        if perturbation:
            checked = PerturbationSettings.model_validate(perturbation)
            return runs.perturbed(checked.name, **checked.model_dump(exclude={"name"}, exclude_none=True))
        return runs


class GroupSettings(RepeatedSettings):
    """Measures to correlate over the same runs, topics or values; groups with equal names are joined."""

    name: str
    runs: Annotated[list[str], BeforeValidator(_one_or_more)] = Field(default=[OWN])
    """names of run sets"""
    measures: list[str] = Field(description="labels of measures; every pair is correlated")
    others: list[str] = Field(default=[], alias="with")
    """labels of other measures, with which each of `measures` is correlated instead"""
    by_name: bool = False
    """whether members are resampled in the order of their names"""
    label: str = Field(default="{measure}", description="the name of a column, from {measure} and {runs}")


class PaperCorrelations(Settings):
    """The correlations of measures that a publication requests under one name."""

    name: str
    coefficient: Annotated[list[Annotated[str, OneOf(COEFFICIENTS)]], BeforeValidator(_one_or_more)]
    over: Annotated[str, OneOf(OVER)] = "runs"
    top: _Number = Field(default=None, description="the number of members, the highest in the first column")
    groups: list[GroupSettings]

    def correlations(
        self,
        words: Words,
        requests: Mapping[str, Request],
        how: FindingSettings,
        measures: Mapping[str, Any],
    ) -> Correlations:
        """Return the request for these correlations, with ``words`` filled into its texts.

        ``requests`` are the paper's requests for scores, by run set. ``how`` contains the number of resamples and the
        seed. ``measures`` are all measures by name.
        """
        groups: dict[str, Group] = {}
        for group in self.groups:
            for chosen in group.entries(words):
                columns, others = (
                    {column.label: column for column in _columns(group, labels, chosen, requests, measures)}
                    for labels in (group.measures, group.others)
                )
                pairs = product(columns, others) if others else all_pairs(columns)
                name = filled(group.name, chosen)
                before = groups.get(name, Group(name, [], []))
                joined = {column.label: column for column in before.columns} | columns | others
                groups[name] = Group(name, list(joined.values()), [*before.pairs, *pairs], group.by_name)
        top, all_groups = value_of(self.top, words), list(groups.values())
        return Correlations(self.name, self.coefficient, self.over, all_groups, how.resamples, how.seed, top)


def _columns(
    group: GroupSettings,
    labels: Sequence[str],
    words: Words,
    requests: Mapping[str, Request],
    measures: Mapping[str, Any],
) -> Iterator[Column]:
    """Yield a `Column` for each run set of a group and each measure in ``labels``."""
    every = [
        [one for text in texts for (one,) in written_out([text], words)] for texts in (labels, group.runs)
    ]
    for measure, runs in product(*every):
        [spec] = parse_specs(requests[runs].measures[measure], measures)
        label = filled(group.label, {**words, "measure": measure, "runs": runs})
        yield Column(label, requests[runs].runs.name, spec.name, requests[runs].of)


def requested(
    settings: Sequence[ScoreSettings], words: Words, campaigns: Mapping[str, CampaignSettings | None]
) -> dict[str, Request]:
    """Return the requests for scores that ``settings`` declare, by run set, with ``words`` filled in.

    ``campaigns`` has the keys "campaign" and "earlier". Requests for a campaign that is None are left out. Raises
    ValueError if two requests have one name.
    """
    requests: dict[str, Request] = {}
    for entry in settings:
        for chosen in entry.entries(words):
            name, campaign = filled(entry.name, chosen), campaigns[filled(entry.of, chosen)]
            if name in requests:
                raise ValueError(f"two run sets have the name {name}")
            if campaign and (request := entry.request(chosen, campaign)):
                requests[name] = request
    return requests


def value_of(setting: Any, words: Words) -> Any:
    """Replace names in braces in a setting by the values of the words with these names.

    A setting that is only such a name becomes the value itself, which need not be a text.
    """
    if isinstance(setting, Mapping):
        return {key: value_of(value, words) for key, value in setting.items()}
    if not isinstance(setting, str):
        return setting
    whole = setting.startswith("{") and setting.find("}") == len(setting) - 1
    return word_of(setting[1:-1], words) if whole else filled(setting, words)


def written_out(texts: Sequence[str], words: Words) -> Iterator[tuple[str, ...]]:
    """Yield the texts with words filled in, for every combination of members of the words that are lists."""
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
