"""Publications: each one is a file of declarations, with code that computes its numbers.

The code receives a context (`Context`), and the data of the campaign that the file requests (`Material`).
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign.notices import PASSAGES
from focuseval.campaign.tables import read_frame, write_frame
from focuseval.errors import extra
from focuseval.measures.declaration import Measure, parse_specs
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.parts import Analysis, Item, write_analysis, write_tables
from focuseval.report.tables import write_table
from focuseval.transformations.lists import of_runs
from focuseval_papers.publication.claims import (
    Finding,
    Quantities,
    Words,
    filled,
    findings_table,
    with_draws,
)
from focuseval_papers.publication.correlations import Correlations
from focuseval_papers.publication.declaration import EVALUATIONS, Declaration, ShownItem, read_declaration
from focuseval_papers.publication.estimates import Sample
from focuseval_papers.publication.printed import with_intervals
from focuseval_papers.publication.request_settings import OWN, Request, requested
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import ANALYSES, CampaignSettings, FindingSettings
from focuseval_papers.workflow.runsets import ALL, RunSet
from focuseval_papers.workflow.scoring import read_left_out, read_scores
from focuseval_papers.workflow.store import load_collection, load_topics, results_of_set

with extra("workflow"):
    from pydantic import BaseModel

#: type of `Context.sample`: a function from a name, the members and their kind (runs or topics) to a sample
Draw = Callable[[str, Sequence[str], str], Sample]


@dataclass(frozen=True)
class Context:
    """The context in which a paper is computed: a campaign, and the paper's settings."""

    campaign: CampaignSettings
    settings: Any  #: settings of the paper, an instance of `Publication.settings`
    earlier: CampaignSettings | None = None  #: the campaign that the campaign names as ``earlier``
    findings: FindingSettings = field(default_factory=FindingSettings)

    @property
    def synthetic(self) -> str:
        """Return the name of the campaign if it is synthetic, because its files are then marked; else ``""``."""
        return self.campaign.name if self.campaign.synthetic else ""

    def sample(self, name: str, members: Sequence[str], over: str) -> Sample:
        """Return runs or topics, as ``over`` says, as a sample for claims; ``name`` must be unique in the paper."""
        return Sample(name, tuple(map(str, members)), over, self.findings.resamples, self.findings.seed)

    def campaign_of(self, of: str) -> CampaignSettings:
        """Return the campaign or its earlier campaign. Raises ValueError if there is no earlier campaign."""
        campaign = self.earlier if of == "earlier" else self.campaign
        if campaign is None:
            raise ValueError("the campaign has no earlier one")
        return campaign

    def as_dict(self) -> dict[str, Any]:
        """Return the context as plain values, without settings that no paper uses.

        `Publication.context` restores the context.
        """

        def plain(campaign: CampaignSettings) -> dict[str, Any]:
            unused = {*ANALYSES, "papers", "sources", "importer"}
            return campaign.model_dump(mode="json", exclude=unused, exclude_none=True)

        return {
            "campaign": plain(self.campaign),
            "settings": self.settings.model_dump(mode="json"),
            "earlier": plain(self.earlier) if self.earlier else None,
            "findings": self.findings.model_dump(mode="json"),
        }


class Material:
    """The data of one campaign that a paper uses, which are read on request."""

    def __init__(
        self,
        paper: "Publication",
        context: Context,
        folder: Path,
        printed: Mapping[str, pd.DataFrame],
        scores: Iterable[str | Path] = (),
        left_out: Iterable[str | Path] = (),
    ) -> None:
        """Prepare to read data from the ``folder`` of the campaign's results, and from the files ``scores``.

        The folder of an earlier campaign is next to that of the campaign. If some runs return passages and others
        return elements, the files ``left_out`` name the runs that return passages. These runs are excluded.
        """
        self.context = context
        self.requests = paper.requests(context)  #: the paper's requests for scores, by the names of run sets
        self.printed = printed  #: tables of printed values, by the name of the file in `config/published`
        self._folder = folder
        self._scores = list(map(Path, scores))
        notices = [read_left_out([str(path)]) for path in left_out]
        #: names of the runs that return passages
        self._passages = [run for table in notices for run in table.loc[table["kind"] == PASSAGES.name, "of"]]

    @property
    def runs(self) -> dict[str, RunSet]:
        """Return the sets of runs that the paper requests, by name."""
        return {name: request.runs for name, request in self.requests.items()}

    def scores(self, name: str = OWN) -> pd.DataFrame:
        """Return the scores of a set of runs under all metrics that the paper requests (columns `schema.SCORES`)."""
        request = self.requests[name]
        folder = Path(self.context.campaign_of(request.of).name, "scores", request.runs.name)
        files = [path for path in self._scores if path.parent.parts[-3:] == folder.parts]
        scores = read_scores(dict.fromkeys(map(str, files)))
        return scores[~scores["run"].isin(self._passages)] if self._passages else scores

    def labelled(self, name: str, measures: Iterable[Measure]) -> pd.DataFrame:
        """Return the scores of a set of runs under the measures that the paper requests, with the measures' labels.

        Scores that only other papers requested are left out. ``measures`` are all measures that requests may name.
        """
        by_name = {measure.name: measure for measure in measures}
        asked = self.requests[name].measures.items()
        label = {spec.name: key for key, text in asked for spec in parse_specs(text, by_name)}
        scores = self.scores(name)
        part = scores[scores["name"].isin(label)].astype({"run": str, "topic": str, "name": str})
        return part.assign(label=part["name"].map(label))

    def correlations(self, name: str) -> pd.DataFrame:
        """Return the correlations that the paper requests under this name (a table of `correlate`)."""
        return read_frame(self._folder / "correlations" / f"{name}.parquet")

    @cached_property
    def collection(self) -> Collection:
        """Return the campaign's collection in its unit."""
        return load_collection(self._folder / "collection", self.context.campaign.unit)

    def made(self, name: str) -> Path:
        """Return the path of a file that the campaign's importer made, and that the paper declares under ``reads``."""
        return self._folder / "input" / name

    def topics(self, runs: RunSet) -> list[Topic]:
        """Return the topics on which a set of runs is scored."""
        folder = self._folder / "assessments" / runs.judgements
        return load_topics(folder, self.collection, runs.topics)[: runs.first_topics]

    def judgements(self, of: str = "campaign") -> tuple[pd.DataFrame, str]:
        """Return the judged elements of all topics of a campaign (`schema.JUDGEMENTS`), and their scale."""
        folder = self._folder.parent / self.context.campaign_of(of).name / "assessments" / ALL
        scale = schema.read(folder / "topics.parquet", schema.TOPICS)["scale"][0].as_py()
        return schema.read(folder / "elements.parquet", schema.JUDGEMENTS).to_pandas(), scale

    def results(self, runs: RunSet, of: str = "campaign") -> Results:
        """Return the runs of a set, limited to its size; simulations and perturbations are not applied."""
        campaign, own = self.context.campaign_of(of), of == "campaign"
        folder = self._folder.parent / campaign.name
        collection = self.collection if own else load_collection(folder / "collection", campaign.unit)
        topics = [] if runs.first_topics is None else self.topics(runs)
        path = folder / "runs" / f"{runs.runs}.parquet"
        results = results_of_set(runs, path, collection, topics)
        if not self._passages:
            return results
        return of_runs(results, np.flatnonzero(~np.isin(results.runs, self._passages)))


@dataclass(frozen=True, eq=False)
class Publication:
    """A publication: its file ``publication.yaml``, and the functions that compute its numbers."""

    folder: Path
    settings: type[BaseModel]  #: the model of the publication's settings in the configuration
    analyse: Callable[[Material], Analysis]  #: a function from a campaign's data to named frames
    #: a function from the frames of a campaign to the quantities of claims
    quantities: Callable[[Analysis, Context], Quantities]
    #: a function from the printed tables (file name to table) to the quantities of claims
    in_print: Callable[[Mapping[str, pd.DataFrame]], Quantities]
    #: a function that returns words for the texts of ``publication.yaml``, in addition to settings and campaigns
    words: Callable[[Context], Words] = lambda context: {}
    #: the functions and values in the publication's modules, by name; the key ``show`` of ``publication.yaml`` refers
    #: to functions by these names
    names: Mapping[str, Any] = field(default_factory=dict)
    #: a function from the declaration to the frames of worked examples
    worked: Callable[[Declaration], Analysis] | None = None
    #: further files of the worked examples: the text of each file, by its name
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name of the publication, which is also that of its folder."""
        return self.folder.name

    @cached_property
    def declared(self) -> Declaration:
        """Return the declarations in ``publication.yaml``."""
        return read_declaration(self.folder / "publication.yaml")

    @cached_property
    def cases(self) -> Quantities:
        """Return the scores of result lists on the publication's small documents, by the names that claims use."""
        # this import is slow, because it imports compiled measures
        from focuseval_papers.publication.examples import scores_of_cases

        # the workflow does not see this import, so its jobs depend only on the metrics of `case_measures`
        return dict(scores_of_cases(self.declared.cases, import_module("focuseval.measures").MEASURES))

    @property
    def case_measures(self) -> list[str]:
        """Return the measures that score result lists on the publication's small documents."""
        return [measure for case in self.declared.cases.values() for measure in case.measures.values()]

    def context(self, values: Mapping[str, Any]) -> Context:
        """Restore a context from the plain values of `Context.as_dict`."""
        earlier = values["earlier"]
        return Context(
            CampaignSettings.model_validate(values["campaign"]),
            self.settings.model_validate(values["settings"]),
            CampaignSettings.model_validate(earlier) if earlier else None,
            FindingSettings.model_validate(values["findings"]),
        )

    def words_of(self, context: Context) -> Words:
        """Return the words that texts may name in braces."""
        of_campaign = {
            "campaign": context.campaign,
            "earlier": context.earlier,
            "synthetic": context.campaign.synthetic,
        }
        return {**self.declared.words, **context.settings.model_dump(), **of_campaign, **self.words(context)}

    def requests(self, context: Context) -> dict[str, Request]:
        """Return the publication's requests for scores, by the names of run sets; the first is the main one."""
        campaigns = {"campaign": context.campaign, "earlier": context.earlier}
        return requested(self.declared.asked, self.words_of(context), campaigns)

    def correlations(self, context: Context) -> list[Correlations]:
        """Return the correlations that the publication requests."""
        # the workflow does not see this import, so its jobs depend only on the metrics of the paper's measures
        measures = import_module("focuseval.measures").MEASURES
        of = self.words_of(context), self.requests(context), context.findings, measures
        return [one.correlations(*of) for one in self.declared.correlations]

    def _items(self, shown: Iterable[ShownItem], words: Words) -> list[Item]:
        return [item for each in shown for item in each.items(words, self.names)]

    def introduction(self, context: Context) -> str:
        """Return the text at the beginning of the section."""
        return filled(self.declared.introduction, self.words_of(context))

    def items(self, context: Context, before: bool = True, after: bool = True) -> list[Item]:
        """Return the items of the section in order: those ``before`` the findings, those ``after`` them, or both."""
        shown = (*self.declared.before_findings * before, *self.declared.after_findings * after)
        return self._items(shown, self.words_of(context))

    @property
    def examples(self) -> list[Item]:
        """Return the items of the worked examples, which require no campaign."""
        return self._items(self.declared.examples.shown, {}) if self.declared.examples else []

    def findings(
        self, analysis: Analysis, tables: Mapping[str, pd.DataFrame], context: Context
    ) -> tuple[list[Finding], list[Finding]]:
        """Return the findings for the numbers of a campaign, and the findings for the printed numbers."""
        here = {**self.quantities(analysis, context), **self.cases}
        words = self.words_of(context)
        reproduced = [claim.finding(here, words, here) for claim in self.declared.findings]
        return reproduced, self._on_print(tables, words, here)

    def claims(self, tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
        """Return the findings for the printed numbers, which require no campaign."""
        own = CampaignSettings.model_validate({"name": "printed", "concept_space": {}})
        return self._on_print(tables, self.words_of(Context(own, self.settings())), {})

    def _on_print(self, tables: Mapping[str, pd.DataFrame], words: Words, lists: Quantities) -> list[Finding]:
        printed = with_intervals(self.in_print(tables), self.declared.in_print)
        return [claim.finding(printed, words, lists, printed=True) for claim in self.declared.findings]


def of_module(name: str, settings: type[BaseModel]) -> Publication:
    """Return the publication that a module computes; ``name`` is the module ``numbers`` in its folder.

    Functions of this module, and of the module ``examples`` in the same folder, become the fields with the same names.
    """
    folder = _PAPERS / name.split(".")[-2]
    examples = module_of(folder.name, "examples")
    names = {**(vars(import_module(examples)) if examples else {}), **vars(sys.modules[name])}
    own = {each.name: names[each.name] for each in fields(Publication) if each.name in names}
    return Publication(**own, folder=folder, settings=settings, names=names)


def make_tables(
    paper: Publication, material: Material, folder: Path, draws: Iterable[str | Path] = ()
) -> None:
    """Write the analysis, the tables and the findings of a paper into its folder.

    ``draws`` are the paper's folders on further draws of the campaign.
    """
    analysis = paper.analyse(material)
    write_analysis(analysis, folder / "analysis")
    context = material.context
    write_tables(paper.items(context), analysis, context, folder, context.synthetic)
    reproduced, on_print = paper.findings(analysis, material.printed, context)
    drawn = [read_frame(Path(one) / FINDINGS) for one in draws]
    findings = findings_table(with_draws(reproduced, drawn), on_print)
    write_frame(findings, folder / FINDINGS)
    write_table(findings, folder / "findings.csv", {}, context.synthetic)


_PAPERS = Path(__file__).parents[1]

#: name of the file in a paper's folder that stores the result of `findings_table`
FINDINGS = "findings.parquet"

#: name of the module for publications that declare only an evaluation
_EVALUATION = "focuseval_papers.publication.evaluation"

#: The publications in the order of the report. To add a publication, create its folder and add the folder's name
#: here; a publication that declares only an evaluation needs no code.
NAMES = (
    "goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008",
    "genomics2007", "smith2024", "recski2026",
    "bioasq2024", "clscisumm2020", "mediaeval2014", "mtrag2025", "swebench2025",
)  # fmt: skip


def module_of(name: str, part: str) -> str | None:
    """Return the full name of the module ``part`` of a publication; None if the publication has no such module."""
    has = (_PAPERS / name / f"{part}.py").is_file()
    return f"focuseval_papers.{name}.{part}" if has else None


def made_of(name: str, figures: bool) -> tuple[list[str], list[Path]]:
    """Return the modules and the other files of a publication; ``figures`` adds the modules that draw figures."""
    drawn = ["focuseval_papers.publication.kinds", module_of(name, "drawings")] if figures else []
    parts = [module_of(name, "numbers") or _EVALUATION, module_of(name, "examples"), *drawn]
    return [*filter(None, parts)], [_PAPERS / name / "publication.yaml", EVALUATIONS]


def load(name: str) -> Publication:
    """Return the publication with a name from `NAMES`."""
    numbers = module_of(name, "numbers")
    publication: Publication = (
        import_module(numbers).PAPER if numbers else import_module(_EVALUATION).publication(_PAPERS / name)
    )
    return publication
