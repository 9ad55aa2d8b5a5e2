"""A publication: what its file declares, with the code that computes its numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.errors import extra
from focuseval.report.items import Analysis, Item
from focuseval_papers.publication.claims import Quantities, Words, filled
from focuseval_papers.publication.declaration import Declaration, Shown, read_declaration
from focuseval_papers.publication.findings import Finding
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context, Examples, Request
from focuseval_papers.publication.printed import with_intervals
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings

with extra("workflow"):
    from pydantic import BaseModel


def no_words(context: Context) -> Words:
    """The words of a publication whose texts name none of its own."""
    return {}


@dataclass(frozen=True, eq=False)
class Publication:
    """The code of a publication, which ``publication.yaml`` in its folder declares."""

    folder: Path
    settings: type[BaseModel]  #: its key in the configuration
    asks: Callable[[Context], list[Request]]  #: the first is of the runs that the campaign is told by
    analyse: Callable[[Material], Analysis]  #: frames by name
    quantities: Callable[[Analysis, Context], Quantities]  #: what claims name, from the frames of a campaign
    in_print: Callable[[Mapping[str, pd.DataFrame]], Quantities]  #: the same, from the printed tables by file
    #: what texts name in braces, beside settings, ``campaign``, ``earlier`` and ``synthetic``
    words: Callable[[Context], Words] = no_words
    shows: Sequence[Callable[[pd.DataFrame], pd.DataFrame]] = ()  #: what the file names under ``show``
    also_suits: Callable[[CampaignSettings], str] | None = None  #: what the file cannot say under ``suits``
    #: frames of worked examples, from what the file declares (printed ``numbers``)
    examples_of: Callable[[Declaration], Analysis] | None = None
    texts: Mapping[str, str] | None = None  #: files beside those, as they are, by name

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @cached_property
    def declared(self) -> Declaration:
        """What its file says."""
        return read_declaration(self.folder / "publication.yaml")

    def suits(self, campaign: CampaignSettings) -> str:
        """Why it cannot be computed on a campaign; ``""`` if it can."""
        why_not = self.declared.suits.why_not(campaign)
        return why_not or (self.also_suits(campaign) if self.also_suits else "")

    def context(self, values: Mapping[str, Any]) -> Context:
        """The context that `Context.as_dict` made plain."""
        earlier = values["earlier"]
        return Context(
            CampaignSettings.model_validate(values["campaign"]),
            self.settings.model_validate(values["settings"]),
            CampaignSettings.model_validate(earlier) if earlier else None,
            FindingSettings.model_validate(values["findings"]),
        )

    def words_of(self, context: Context) -> Words:
        """What texts may name in braces."""
        of_campaign = {
            "campaign": context.campaign,
            "earlier": context.earlier,
            "synthetic": context.campaign.synthetic,
        }
        return {**self.declared.words, **context.settings.model_dump(), **of_campaign, **self.words(context)}

    def _items(self, shown: Iterable[Shown], words: Words) -> list[Item]:
        shows = {show.__name__: show for show in self.shows}
        return [item for each in shown for item in each.items(words, shows)]

    def introduction(self, context: Context) -> str:
        """What the section begins with: plain text."""
        return filled(self.declared.introduction, self.words_of(context))

    def parts(self, context: Context) -> tuple[list[Item], list[Item]]:
        """The items of the section before its findings, and behind them."""
        words = self.words_of(context)
        before, after = self.declared.before_findings, self.declared.after_findings
        return self._items(before, words), self._items(after, words)

    def items(self, context: Context) -> list[Item]:
        """All items of the section, in its order."""
        before, after = self.parts(context)
        return [*before, *after]

    @property
    def examples(self) -> Examples | None:
        """The worked examples, if there are any."""
        if self.declared.examples is None or self.examples_of is None:
            return None
        worked = self.declared.examples
        frames = partial(self.examples_of, self.declared)
        return Examples(worked.introduction, frames, self._items(worked.shown, {}), self.texts or {})

    def findings(
        self, analysis: Analysis, tables: Mapping[str, pd.DataFrame], context: Context
    ) -> tuple[list[Finding], list[Finding]]:
        """The claims on the numbers of a campaign, and on the printed ones."""
        here, words = self.quantities(analysis, context), self.words_of(context)
        reproduced = [claim.finding(here, words, here) for claim in self.declared.findings]
        return reproduced, self._on_print(tables, words, here)

    def claims(self, tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
        """The claims on the printed numbers alone, without a campaign."""
        own = CampaignSettings.model_validate({"name": "printed", "concept_space": {}})
        return self._on_print(tables, self.words_of(Context(own, self.settings())), {})

    def _on_print(self, tables: Mapping[str, pd.DataFrame], words: Words, lists: Quantities) -> list[Finding]:
        known = with_intervals(self.in_print(tables), self.declared.in_print)
        return [claim.finding(known, words, lists, printed=True) for claim in self.declared.findings]
