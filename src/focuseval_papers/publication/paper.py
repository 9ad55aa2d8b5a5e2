"""What a paper is: a declaration of what it asks of a campaign, and of what it shows.

A paper is a folder with ``paper.py``, which defines ``PAPER``; ``findings.py``; and, where it has figures,
``figures.py``, which defines ``DRAWN``. Three jobs work on it (the modules `analysing`, `drawing` and `section`): one
analyses scores and writes tables and findings, one draws the figures, one writes the paper's section of the report.
Between them there are only the analysis tables: typed frames by name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from focuseval.errors import extra
from focuseval.report.items import Analysis, Figure, Item
from focuseval.statistics.estimates import Sample
from focuseval.statistics.findings import Finding
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings
from focuseval_papers.workflow.runsets import RunSet

with extra("workflow"):
    from pydantic import BaseModel

if TYPE_CHECKING:
    from focuseval_papers.publication.material import Material

#: draws runs or topics by a name of their own, as `Context.sample` does: the name, the members, what they are
Draw = Callable[[str, Sequence[str], str], Sample]


@dataclass(frozen=True)
class Context:
    """What a paper's declarations may look at: a campaign, and the paper's part of the configuration."""

    campaign: CampaignSettings
    settings: Any  #: an instance of the paper's `Paper.settings`
    earlier: CampaignSettings | None = None  #: the campaign that this one names as ``earlier``
    findings: FindingSettings = field(default_factory=FindingSettings)

    def sample(self, name: str, members: Sequence[str], over: str) -> Sample:
        """Runs or topics that the findings draw, by a name of their own in the paper."""
        return Sample(name, tuple(map(str, members)), over, self.findings.resamples, self.findings.seed)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, without what no paper looks at; `Paper.context` reads them."""

        def plain(campaign: CampaignSettings) -> dict[str, Any]:
            unused = {"measures", "significance", "sweeps", "papers", "sources", "importer"}
            return campaign.model_dump(mode="json", exclude=unused, exclude_none=True)

        return {
            "campaign": plain(self.campaign),
            "settings": self.settings.model_dump(mode="json"),
            "earlier": plain(self.earlier) if self.earlier else None,
            "findings": self.findings.model_dump(mode="json"),
        }


def plain_context(values: Mapping[str, Any], settings: type[BaseModel]) -> Context:
    """The context that `Context.as_dict` made plain, of a publication with these settings."""
    earlier = values["earlier"]
    return Context(
        CampaignSettings.model_validate(values["campaign"]),
        settings.model_validate(values["settings"]),
        CampaignSettings.model_validate(earlier) if earlier else None,
        FindingSettings.model_validate(values["findings"]),
    )


@dataclass(frozen=True)
class Request:
    """Scores that are asked for: of a set of runs, under some measures."""

    runs: RunSet
    measures: tuple[str, ...]
    of: str = "campaign"  #: whose runs: "campaign", or "earlier"
    #: the scoring job that does it; a batch of its own for what changes apart from all else, such as perturbed runs
    batch: str = "papers"
    told: bool = True  #: whether what scoring left out is told; not of variants of runs that it is told of


@dataclass(frozen=True)
class Examples:
    """A paper's worked examples, which need no campaign."""

    introduction: str
    analyse: Callable[[], Analysis]
    items: Sequence[Item]
    texts: Mapping[str, str] = field(default_factory=dict)  #: files that are written as they are, by name

    @property
    def figures(self) -> bool:
        """Whether any item is a figure."""
        return any(isinstance(item, Figure) for item in self.items)


@dataclass(frozen=True)
class Paper:
    """The declaration of a paper."""

    name: str
    title: str  #: as in "Kazai & Lalmas (2005)"
    settings: type[BaseModel]  #: the paper's key in the configuration
    suits: Callable[[CampaignSettings], str]  #: why it cannot be computed on a campaign; "" if it can
    asks: Callable[[Context], list[Request]]  #: the first is of the runs that the campaign is told by
    analyse: Callable[["Material"], Analysis]
    items: Callable[[Context], Sequence[Item]]  #: in the order of the section
    #: the same findings on a campaign's analysis and on the printed numbers, from the analysis and what is printed
    findings: Callable[[Analysis, Mapping[str, pd.DataFrame], Context], tuple[list[Finding], list[Finding]]]
    introduction: Callable[[Context], str]  #: plain text
    printed: tuple[str, ...]  #: files of printed values in `config/published`, without suffix
    campaign: str  #: the paper's own campaign, as in "INEX 2005"
    #: of it, by the names of `focuseval.campaign.facts`
    facts: Mapping[str, float] = field(default_factory=dict)
    of_campaign: str = ""  #: what is to be said of those
    examples: Examples | None = None
    reads: tuple[str, ...] = ()  #: of the files that an importer makes, those that the analysis reads
    first: int = 0  #: how many items stand before the findings
    needs_texts: bool = True  #: whether it needs a campaign's documents, and not only what is said of them
    needs_elements: bool = True  #: whether it needs runs of elements, and not of any passages

    def context(self, values: Mapping[str, Any]) -> Context:
        """The context that `Context.as_dict` made plain."""
        return plain_context(values, self.settings)

    @property
    def declared(self) -> "Paper":
        """What `focuseval_papers.publication.declared.Publication` has in a file."""
        return self

    def parts(self, context: Context) -> tuple[Sequence[Item], Sequence[Item]]:
        """The items of the section before its findings, and behind them."""
        items = self.items(context)
        return items[: self.first], items[self.first :]


def on_scales(campaign: CampaignSettings, *scales: str) -> str:
    """Why a paper that needs one of these scales cannot be computed on a campaign; ``""`` if it can.

    A campaign that names its papers need not say its scale.
    """
    if campaign.papers is not None or campaign.scale in scales:
        return ""
    found = f"are on the scale {campaign.scale}" if campaign.scale else "are on a scale that it does not name"
    return f"its assessments {found}; the paper needs {' or '.join(scales)}"


def on_own_runs(campaign: CampaignSettings) -> str:
    """Why a paper on a campaign's own runs cannot be computed; ``""`` if it can. Tasks may have all of its runs."""
    if campaign.submitted or campaign.baseline:
        return ""
    return "all its runs are those of its tasks; the paper needs `runs` of the campaign, or `topics` to retrieve for"


def on_importer(campaign: CampaignSettings, importer: str, why: str) -> str:
    """Why a paper on the files that one importer makes cannot be computed; ``""`` if it can."""
    return (
        "" if campaign.importer == importer else f"its files are not made by the importer {importer}; {why}"
    )
