"""What an analysis works on: the scores that its paper asked for, and the campaign that they are of."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import pandas as pd

from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.runsets import ALL, RunSet
from focuseval_papers.workflow.store import load_collection, load_results, load_topics


class Material:
    """A paper's material on one campaign; everything is read when it is asked for."""

    def __init__(
        self,
        context: Context,
        folder: Path,
        printed: Mapping[str, pd.DataFrame],
    ) -> None:
        """``folder`` is that of the campaign's results; those of the earlier campaign stand beside it."""
        self.context = context
        self.printed = printed  #: as `config/published` has it, by the names of the files
        self._folder = folder
        self._read: dict[Path, pd.DataFrame] = {}

    def scores(self, *names: str, of: str = "campaign", batch: str = "papers") -> pd.DataFrame:
        """Scores (`schema.SCORES`) of sets of runs, by their names; of all if none is named."""
        campaign = self.context.earlier if of == "earlier" else self.context.campaign
        if campaign is None:
            raise ValueError("the campaign has no earlier one")
        scores = self._scores(self._folder.parent / campaign.name / "scores" / f"{batch}.parquet")
        if names:
            scores = scores[scores["runs"].isin(names)]
        return scores

    def _scores(self, path: Path) -> pd.DataFrame:
        if path not in self._read:
            self._read[path] = schema.read(path, schema.SCORES).to_pandas()
        return self._read[path]

    @cached_property
    def collection(self) -> Collection:
        """The campaign's collection in its unit."""
        return load_collection(self._folder / "elements", self.context.campaign.unit)

    def made(self, name: str) -> Path:
        """A file that the campaign's importer made, one of the paper's ``reads``."""
        return self._folder / "input" / name

    def topics(self, runs: RunSet) -> list[Topic]:
        """The topics that a set of runs is scored on."""
        folder = self._folder / "judgements" / runs.judgements
        return load_topics(folder, self.collection, runs.topics)[: runs.first_topics]

    def judgements(self, of: str = "campaign") -> tuple[pd.DataFrame, str]:
        """Judged elements (`schema.JUDGEMENTS`) of all topics, and the scale that they are on."""
        campaign = self.context.earlier if of == "earlier" else self.context.campaign
        if campaign is None:
            raise ValueError("the campaign has no earlier one")
        folder = self._folder.parent / campaign.name / "judgements" / ALL
        scale = schema.read(folder / "topics.parquet", schema.TOPICS)["scale"][0].as_py()
        return schema.read(folder / "judgements.parquet", schema.JUDGEMENTS).to_pandas(), scale

    def results(self, runs: RunSet) -> Results:
        """The runs of a set, before any transformation, cut at its size."""
        path = self._folder / "runs" / f"{runs.runs}.parquet"
        taken = None if runs.first_topics is None else [topic.name for topic in self.topics(runs)]
        return load_results(path, self.collection, size=runs.size, first_runs=runs.first_runs, topics=taken)
