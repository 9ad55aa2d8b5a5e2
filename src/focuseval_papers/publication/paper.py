"""What a publication's code works with: its context, what it asks for, its worked examples."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from focuseval.report.items import Analysis, Figure, Item
from focuseval_papers.publication.estimates import Sample
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings
from focuseval_papers.workflow.runsets import RunSet

#: draws runs or topics by a name of their own, as `Context.sample` does: the name, the members, what they are
Draw = Callable[[str, Sequence[str], str], Sample]


@dataclass(frozen=True)
class Context:
    """What a paper's declarations may look at: a campaign, and the paper's part of the configuration."""

    campaign: CampaignSettings
    settings: Any  #: an instance of the paper's `Publication.settings`
    earlier: CampaignSettings | None = None  #: the campaign that this one names as ``earlier``
    findings: FindingSettings = field(default_factory=FindingSettings)

    def sample(self, name: str, members: Sequence[str], over: str) -> Sample:
        """Runs or topics that the findings draw, by a name of their own in the paper."""
        return Sample(name, tuple(map(str, members)), over, self.findings.resamples, self.findings.seed)

    def as_dict(self) -> dict[str, Any]:
        """Plain values, without what no paper looks at; `Publication.context` reads them."""

        def plain(campaign: CampaignSettings) -> dict[str, Any]:
            unused = {"measures", "significance", "sweeps", "papers", "sources", "importer"}
            return campaign.model_dump(mode="json", exclude=unused, exclude_none=True)

        return {
            "campaign": plain(self.campaign),
            "settings": self.settings.model_dump(mode="json"),
            "earlier": plain(self.earlier) if self.earlier else None,
            "findings": self.findings.model_dump(mode="json"),
        }


@dataclass(frozen=True)
class Request:
    """Scores that are asked for: of a set of runs, under some measures."""

    runs: RunSet
    measures: tuple[str, ...]
    of: str = "campaign"  #: whose runs: "campaign", or "earlier"
    #: the scoring job that does it; a batch of its own for what changes apart from all else, such as perturbed runs
    batch: str = "papers"
    told: bool = True  #: whether notices are reported; False for variants of runs


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
