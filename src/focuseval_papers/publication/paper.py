"""Publications, which consist of a file of declarations and of code that computes their numbers.

The code receives a context (`Context`) and the requested data of the campaign (`Material`).
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

#: takes a name, members and their kind, and returns a sample, as `Context.sample` does
Draw = Callable[[str, Sequence[str], str], Sample]


@dataclass(frozen=True)
class Context:
    """The campaign on which a paper is computed, and the settings of the computation."""

    campaign: CampaignSettings
    settings: Any  #: the settings of the paper (`Publication.settings`)
    earlier: CampaignSettings | None = None  #: the campaign in the setting ``earlier``, if any
    findings: FindingSettings = field(default_factory=FindingSettings)

    @property
    def synthetic(self) -> str:
        """Return the name of a synthetic campaign, with which its files are marked; ``""`` for other campaigns."""
        return self.campaign.name if self.campaign.synthetic else ""

    def sample(self, name: str, members: Sequence[str], over: str) -> Sample:
        """Return a sample of runs or topics, with the configured seed and number of resamples.

        ``over`` is the kind of ``members``. ``name`` must be unique in the paper.
        """
        return Sample(name, tuple(map(str, members)), over, self.findings.resamples, self.findings.seed)

    def campaign_of(self, of: str) -> CampaignSettings:
        """Return the campaign, or its earlier campaign if ``of`` is "earlier".

        Raises ValueError if there is no earlier campaign.
        """
        campaign = self.earlier if of == "earlier" else self.campaign
        if campaign is None:
            raise ValueError("the campaign has no earlier one")
        return campaign

    def as_dict(self) -> dict[str, Any]:
        """Return the context as plain values, without settings that no paper uses."""

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
    """The data of a campaign that a paper uses; scores, results and judgements are read when they are requested."""

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

        The folder of an earlier campaign is next to ``folder``. ``printed`` contains the tables of printed values. The
        files ``left_out`` name runs that return passages although others return elements. These runs are excluded.
        """
        self.context = context
        self.requests = paper.requests(context)  #: the paper's requests for scores, by run set
        self.printed = printed  #: the tables of printed values, by the name of the file in `config/published`
        self._folder = folder
        self._scores = list(map(Path, scores))
        notices = [read_left_out([str(path)]) for path in left_out]
        #: runs that return passages, which are excluded
        self._passages = [run for table in notices for run in table.loc[table["kind"] == PASSAGES.name, "of"]]

    @property
    def runs(self) -> dict[str, RunSet]:
        """Return the run sets that the paper requests, by their names in ``publication.yaml``."""
        return {name: request.runs for name, request in self.requests.items()}

    def scores(self, name: str = OWN) -> pd.DataFrame:
        """Return the scores of a run set, with the columns `schema.SCORES`.

        The scores may include measures that only other papers request.
        """
        request = self.requests[name]
        folder = Path(self.context.campaign_of(request.of).name, "scores", request.runs.name)
        files = [path for path in self._scores if path.parent.parts[-3:] == folder.parts]
        scores = read_scores(dict.fromkeys(map(str, files)))
        return scores[~scores["run"].isin(self._passages)] if self._passages else scores

    def labelled(self, name: str, measures: Iterable[Measure]) -> pd.DataFrame:
        """Return the scores of a run set under the measures that the paper requests, with the label of each measure.

        ``measures`` are all measures that requests may name.
        """
        by_name = {measure.name: measure for measure in measures}
        texts = self.requests[name].measures.items()
        label = {spec.name: key for key, text in texts for spec in parse_specs(text, by_name)}
        scores = self.scores(name)
        part = scores[scores["name"].isin(label)].astype({"run": str, "topic": str, "name": str})
        return part.assign(label=part["name"].map(label))

    def correlations(self, name: str) -> pd.DataFrame:
        """Return the table of `correlate` for the correlations that the paper requests under ``name``."""
        return read_frame(self._folder / "correlations" / f"{name}.parquet")

    @cached_property
    def collection(self) -> Collection:
        """Return the campaign's collection, with offsets in the campaign's unit."""
        return load_collection(self._folder / "collection", self.context.campaign.unit)

    def made(self, name: str) -> Path:
        """Return the path of a file that the campaign's importer wrote; the paper must declare it in ``reads``."""
        return self._folder / "input" / name

    def topics(self, runs: RunSet) -> list[Topic]:
        """Return the topics on which a run set is scored."""
        folder = self._folder / "assessments" / runs.judgements
        return load_topics(folder, self.collection, runs.topics)[: runs.first_topics]

    def judgements(self, of: str = "campaign") -> tuple[pd.DataFrame, str]:
        """Return the judged elements of all topics (`schema.JUDGEMENTS`), and the scale of the judgements.

        ``of`` is "campaign", or "earlier" for the earlier campaign.
        """
        folder = self._folder.parent / self.context.campaign_of(of).name / "assessments" / ALL
        scale = schema.read(folder / "topics.parquet", schema.TOPICS)["scale"][0].as_py()
        return schema.read(folder / "elements.parquet", schema.JUDGEMENTS).to_pandas(), scale

    def results(self, runs: RunSet, of: str = "campaign") -> Results:
        """Return the results of a run set before any simulation or perturbation of the run set.

        ``of`` is "campaign", or "earlier" for the earlier campaign.
        """
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
    """A publication: the folder with its ``publication.yaml``, and the functions that compute its numbers."""

    folder: Path
    settings: type[BaseModel]  #: the model of the publication's settings in the configuration
    analyse: Callable[[Material], Analysis]  #: computes named frames from the data of a campaign
    #: computes the quantities that claims compare
    quantities: Callable[[Analysis, Context], Quantities]
    #: computes the printed values of the quantities, from printed tables by file name
    in_print: Callable[[Mapping[str, pd.DataFrame]], Quantities]
    #: returns further words for the texts of ``publication.yaml``
    words: Callable[[Context], Words] = lambda context: {}
    #: the functions and values of the publication's modules, by name, to which ``show`` in ``publication.yaml`` refers
    names: Mapping[str, Any] = field(default_factory=dict)
    #: computes the frames of worked examples
    worked: Callable[[Declaration], Analysis] | None = None
    #: the texts of further files for the worked examples, by file name
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the name of the publication, which is the name of its folder."""
        return self.folder.name

    @cached_property
    def declared(self) -> Declaration:
        """Return the declarations in ``publication.yaml``."""
        return read_declaration(self.folder / "publication.yaml")

    @cached_property
    def cases(self) -> Quantities:
        """Return the scores of the worked cases (result lists of small documents), by the names that claims use."""
        # slow, because it imports compiled measures
        from focuseval_papers.publication.examples import scores_of_cases

        # a plain import would make jobs of the workflow depend on all metrics
        return dict(scores_of_cases(self.declared.cases, import_module("focuseval.measures").MEASURES))

    @property
    def case_measures(self) -> list[str]:
        """Return the measures that score the worked cases (result lists of small documents)."""
        return [measure for case in self.declared.cases.values() for measure in case.measures.values()]

    def context(self, values: Mapping[str, Any]) -> Context:
        """Restore a context from the result of `Context.as_dict`."""
        earlier = values["earlier"]
        return Context(
            CampaignSettings.model_validate(values["campaign"]),
            self.settings.model_validate(values["settings"]),
            CampaignSettings.model_validate(earlier) if earlier else None,
            FindingSettings.model_validate(values["findings"]),
        )

    def words_of(self, context: Context) -> Words:
        """Return the words that replace names in braces in the texts of ``publication.yaml``."""
        of_campaign = {
            "campaign": context.campaign,
            "earlier": context.earlier,
            "synthetic": context.campaign.synthetic,
        }
        return {**self.declared.words, **context.settings.model_dump(), **of_campaign, **self.words(context)}

    def requests(self, context: Context) -> dict[str, Request]:
        """Return the publication's requests for scores, by the name of the run set.

        The run set of the first request represents the campaign.
        """
        campaigns = {"campaign": context.campaign, "earlier": context.earlier}
        return requested(self.declared.requested_scores, self.words_of(context), campaigns)

    def correlations(self, context: Context) -> list[Correlations]:
        """Return the correlations that the publication requests."""
        # a plain import would make jobs of the workflow depend on all metrics
        measures = import_module("focuseval.measures").MEASURES
        inputs = self.words_of(context), self.requests(context), context.findings, measures
        return [one.correlations(*inputs) for one in self.declared.correlations]

    def _items(self, shown: Iterable[ShownItem], words: Words) -> list[Item]:
        return [item for each in shown for item in each.items(words, self.names)]

    def introduction(self, context: Context) -> str:
        """Return the introduction of the paper's section in the report."""
        return filled(self.declared.introduction, self.words_of(context))

    def items(self, context: Context, before: bool = True, after: bool = True) -> list[Item]:
        """Return the tables and figures of the section ``before`` the findings, ``after`` the findings, or both."""
        shown = (*self.declared.before_findings * before, *self.declared.after_findings * after)
        return self._items(shown, self.words_of(context))

    @property
    def examples(self) -> list[Item]:
        """Return the tables, figures and other items of the worked examples."""
        return self._items(self.declared.examples.shown, {}) if self.declared.examples else []

    def findings(
        self, analysis: Analysis, tables: Mapping[str, pd.DataFrame], context: Context
    ) -> tuple[list[Finding], list[Finding]]:
        """Return the findings for the numbers of a campaign, and the findings for the numbers in printed ``tables``."""
        here = {**self.quantities(analysis, context), **self.cases}
        words = self.words_of(context)
        reproduced = [claim.finding(here, words, here) for claim in self.declared.findings]
        return reproduced, self._on_print(tables, words, here)

    def claims(self, tables: Mapping[str, pd.DataFrame]) -> list[Finding]:
        """Return the findings for the numbers in printed ``tables``, without a campaign."""
        own = CampaignSettings.model_validate({"name": "printed", "concept_space": {}})
        return self._on_print(tables, self.words_of(Context(own, self.settings())), {})

    def _on_print(self, tables: Mapping[str, pd.DataFrame], words: Words, lists: Quantities) -> list[Finding]:
        printed = with_intervals(self.in_print(tables), self.declared.in_print)
        return [claim.finding(printed, words, lists, printed=True) for claim in self.declared.findings]


def of_module(name: str, settings: type[BaseModel]) -> Publication:
    """Make a publication from the functions in its modules ``numbers`` and ``examples``.

    Each other field of the publication is the function or value with the field's name. ``name`` is the full name of
    the module ``numbers``.
    """
    folder = _PAPERS / name.split(".")[-2]
    examples = module_of(folder.name, "examples")
    names = {**(vars(import_module(examples)) if examples else {}), **vars(sys.modules[name])}
    own = {each.name: names[each.name] for each in fields(Publication) if each.name in names}
    return Publication(**own, folder=folder, settings=settings, names=names)


def make_tables(
    paper: Publication, material: Material, folder: Path, draws: Iterable[str | Path] = ()
) -> None:
    """Compute a paper on a campaign, and write its analysis, tables and findings into ``folder``.

    ``draws`` are the folders with the paper's results on further draws of the campaign.
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

#: the file in a paper's folder with the result of `findings_table`
FINDINGS = "findings.parquet"

#: the module that computes publications without code of their own
_EVALUATION = "focuseval_papers.publication.evaluation"

#: the publications, named after their folders, in the order of the report
NAMES = (
    "goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008",
    "genomics2007", "smith2024", "recski2026",
    "bioasq2024", "clscisumm2020", "mediaeval2014", "mtrag2025", "swebench2025",
)  # fmt: skip


def module_of(name: str, part: str) -> str | None:
    """Return the full name of the module ``part`` of the publication ``name``, or None if the module does not exist."""
    has = (_PAPERS / name / f"{part}.py").is_file()
    return f"focuseval_papers.{name}.{part}" if has else None


def made_of(name: str, figures: bool) -> tuple[list[str], list[Path]]:
    """Return the modules and the other files on which a publication's results depend.

    If ``figures`` is true, modules that draw figures are included.
    """
    drawn = ["focuseval_papers.publication.kinds", module_of(name, "drawings")] if figures else []
    parts = [module_of(name, "numbers") or _EVALUATION, module_of(name, "examples"), *drawn]
    return [*filter(None, parts)], [_PAPERS / name / "publication.yaml", EVALUATIONS]


def load(name: str) -> Publication:
    """Import and return a publication, which is one of `NAMES`."""
    numbers = module_of(name, "numbers")
    publication: Publication = (
        import_module(numbers).PAPER if numbers else import_module(_EVALUATION).publication(_PAPERS / name)
    )
    return publication
