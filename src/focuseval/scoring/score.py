"""Scores: every run on every topic under every measure, as one tidy table."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.errors import InputError, Option, Problem, Sentence
from focuseval.measures.declaration import COUNTS, TOKENS, Measure, Spec
from focuseval.model.arrays import Bools, Ints
from focuseval.model.judgements import ALL, Topic
from focuseval.model.results import Results
from focuseval.scoring.one_run import Rules, RunScores, Scorer, standard_average
from focuseval.scoring.refusals import none_assessed, refused_measures
from focuseval.statistics.means import means_by


@dataclass(frozen=True)
class Scores:
    """Scores of runs, and what was left out of them."""

    #: one row per measure, run and assessed topic; columns run, topic, name (canonical, the shortest),
    #: measure (without parameters), parameters (all of them, as JSON with sorted keys), cutoff (NaN for
    #: none), value; text is categorical. If counts of any measure are added up over topics (``average=micro``), these,
    #: too, in the columns `focuseval.measures.declaration.COUNTS` (NaN for other measures)
    per_topic: pd.DataFrame
    #: canonical names of the requested measures
    specs: Mapping[str, Spec] = field(default_factory=dict)
    #: canonical names, by measure as asked for
    asked: Mapping[str, str] = field(default_factory=dict)
    #: data left out or counted as nothing
    notices: Sequence[Notice] = ()
    #: why measures were not scored (``skip_refused`` only), by measure as asked for
    refused: Mapping[str, Sequence[Problem]] = field(default_factory=dict)
    average_over: str = "assessed"  #: the topics of means (`focuseval.scoring.one_run.AVERAGES`)
    scale: str = ""  #: scale of the assessments, if they were read for the scores
    #: the run that is in each file, by name
    in_files: Mapping[str, str] = field(default_factory=dict)
    #: gold passages of each run by kind, as places in `failures.KINDS`, where they were counted
    failures: Mapping[str, Counter[int]] = field(default_factory=dict)
    #: the line that makes them repeatable (`focuseval.campaign.saved_scores.signature`), where inputs are known
    signature: str = ""

    def notes(self) -> list[str]:
        """The notices on data that were left out or counted as nothing, a line each."""
        return notices.lines(self.notices)

    def means(self) -> pd.DataFrame:
        """The columns of ``per_topic``, with the topic ``all``: the mean over topics.

        Where a measure's counts are averaged (``average=micro``), it is the value of all topics' counts added up.
        """
        keys = ["run", "name"]
        mean = means_by(self.per_topic, keys)
        if set(COUNTS) <= set(self.per_topic):
            groups = self.per_topic.groupby(keys, sort=False, observed=True)
            added = groups[list(COUNTS)].sum(min_count=1).reset_index()
            mean[list(COUNTS)] = added[list(COUNTS)]
            for name in mean["name"].unique():
                if (spec := self.specs[name]).pooled:
                    rows = mean["name"] == name
                    mean.loc[rows, "value"] = spec.number_of(mean.loc[rows, list(COUNTS)].to_numpy())
        spec_columns = self.per_topic.drop_duplicates("name")[["name", "measure", "parameters", "cutoff"]]
        return mean.assign(topic=ALL).merge(spec_columns, how="left", on="name")[list(self.per_topic)]

    def as_asked(self, scores: pd.DataFrame | None = None) -> pd.DataFrame:
        """Return columns run, topic, measure, value of scores (``per_topic``), with measures as the user wrote them."""
        table = (self.per_topic if scores is None else scores)[["run", "topic", "name", "value"]]
        names = pd.DataFrame({"measure": list(self.asked), "name": list(self.asked.values())}, dtype=str)
        return names.merge(table.astype({"name": str}), on="name")[["run", "topic", "measure", "value"]]

    def table(self, *, per_topic: bool = False) -> list[tuple[str, str, str, float]]:
        """Return rows (run, topic, measure, value) for printing: the means, after their topics if requested."""
        parts = [self.as_asked(self.means())]
        if per_topic:
            parts = [self.as_asked(), *parts]
        rows = pd.concat([part.assign(mean=i) for i, part in enumerate(parts)], ignore_index=True)
        places = {run: i for i, run in enumerate(dict.fromkeys(rows["run"]))}
        rows = rows.assign(place=rows["run"].map(places)).sort_values(["place", "mean"], kind="stable")
        return list(zip(rows["run"], rows["topic"], rows["measure"], map(float, rows["value"]), strict=True))


#: options that some measures do not read, and what these do
_UNREAD = {
    "equal_scores_tie": "results count one after another, also those that share a rank",
    "tokenizer": "no budget is in tokens, as @4000t is",
}


def without_effect(options: Iterable[str], specs: Sequence[Spec[Any, Any]]) -> list[Notice]:
    """The notices of options (`Inputs.for_some_measures`) that measures do not read.

    Ties are reported of each measure that does not read them, a tokenizer where no budget is in tokens.
    """
    reads = {
        "equal_scores_tie": [spec.reads_ties for spec in specs],
        "tokenizer": [any(spec.declared_cutoff and spec.declared_cutoff.kind is TOKENS for spec in specs)]
        * len(specs),
    }
    return [
        Notice(
            notices.WITHOUT_EFFECT.name,
            measure=spec.asked,
            text=Sentence(Option(option), f" has no effect: {_UNREAD[option]}"),
        )
        for option in options
        for spec, read in zip(specs, reads[option], strict=True)
        if not read
    ]


def check_relevant(per_topic: pd.DataFrame) -> None:
    """Raise InputError if no topic has relevant content, so that there is no score (`Scores.per_topic`)."""
    if per_topic.empty:
        raise InputError.of("assessments", "no topic has relevant content", "give some")


def _tidy(
    runs: Sequence[RunScores], specs: Mapping[int, Spec[Any, Any]], relevant: Bools, rules: Rules
) -> pd.DataFrame:
    """Return the table of scores of runs under the remaining measures, by their places.

    ``relevant`` (topics, specs) says which have a value: there is something relevant to the topic.
    """
    retrieved = np.array([run.retrieved for run in runs])
    counted_topics = np.ones_like(retrieved) if rules.average_over == "assessed" else retrieved
    spec, run, topic = np.nonzero(relevant.T[:, None, :] & counted_topics)
    place, of = np.array(list(specs), dtype=np.int64)[spec], list(specs.values())
    names: dict[str, tuple[Sequence[str], Ints]] = {
        "run": ([one.run for one in runs], run),
        "topic": (runs[0].topics, topic),
        "name": ([one.name for one in of], spec),
        "measure": ([one.measure.name for one in of], spec),
        "parameters": ([one.settings for one in of], spec),
    }
    columns: dict[str, Any] = {}
    for column, (texts, number) in names.items():
        codes, distinct = pd.factorize(np.array(texts, dtype=object))
        columns[column] = pd.Categorical.from_codes(codes[number], categories=distinct)
    cutoffs = np.array([np.nan if one.cutoff is None else one.cutoff for one in of], dtype=float)
    columns["cutoff"] = cutoffs[spec]
    columns["value"] = np.array([one.values for one in runs])[run, topic, place]
    if pooled := [i for i, one in specs.items() if one.pooled]:
        counts = np.full((len(spec), len(COUNTS)), np.nan)
        for i in pooled:
            rows = place == i
            counts[rows] = np.array([one.counts[i] for one in runs])[run[rows], topic[rows]]
        columns |= dict(zip(COUNTS, counts.T, strict=True))
    return pd.DataFrame(columns)


def joined(
    runs: Sequence[RunScores],
    specs: Sequence[Spec[Any, Any]],
    rules: Rules,
) -> Scores:
    """The scores of runs, each by itself, as one table.

    Raises InputError for everything that is refused of any run.
    """
    if not runs:
        raise InputError.of("runs", "none", "give at least one")
    topics = runs[0].topics
    if strangers := [none_assessed(r.source, [*r.others], topics) for r in runs if r.strange]:
        raise InputError(strangers)
    refusals = ((run.run, one) for run in runs for of in run.refusals.values() for one in of.values())
    refused = refused_measures(refusals, [spec.asked for spec in specs])
    left = [spec for spec in specs if spec.asked not in refused]
    if refused and not (rules.skip_refused and (left or rules.allow_none)):
        raise InputError(
            list(dict.fromkeys(problem for problems in refused.values() for problem in problems))
        )
    if unruly := [problem for run in runs for problem in run.unruly]:
        raise InputError(unruly)
    places = {name: i for i, name in enumerate(dict.fromkeys(spec.name for spec in specs))}
    distinct_specs = {spec.name: spec for spec in left}
    specs_of = {places[name]: spec for name, spec in distinct_specs.items()}
    relevant = np.any([run.relevant for run in runs], axis=0)[:, list(specs_of)]
    table = _tidy(runs, specs_of, relevant, rules)
    names, has = np.array(topics, dtype=object), dict(zip(distinct_specs, relevant.T, strict=True))
    wanted = relevant.any(axis=1) if left else np.ones(len(topics), dtype=bool)
    rows = [
        *(Notice(notices.REFUSED.name, measure=m, problem=p[0], count=len(p)) for m, p in refused.items()),
        *without_effect(rules.options, left),
        *(one for run in runs for one in run.all_notices(specs) if one.measure not in refused),
        *(
            Notice(notices.IRRELEVANT.name, measure=spec.asked, topics=tuple(names[~has[spec.name]]))
            for spec in left
            if not has[spec.name].all()
        ),
        *(
            _missing(run, names[wanted & ~run.retrieved].tolist())
            for run in runs
            if (wanted & ~run.retrieved).any()
        ),
    ]
    asked = {spec.asked: spec.name for spec in left}
    missed = {run.run: run.failures for run in runs if not run.seen["unsized"]}
    return Scores(table, distinct_specs, asked, rows, refused, rules.average_over, failures=missed)


def _plain(topic: str) -> str:
    return re.sub("(?<![0-9])0+(?=[0-9])", "", topic).casefold()


def _missing(run: RunScores, topics: Sequence[str]) -> Notice:
    """Return the notice of topics that a run lacks, with similar names (other zeros, other case) in the run."""
    unassessed = {_plain(name): name for name in run.others}
    alike = [(name, unassessed[_plain(name)]) for name in topics if _plain(name) in unassessed]
    text = ""
    if alike:
        name, other = alike[0]
        text = f"; the run has {len(alike)} of them with other zeros in front or in other case, as {other} for {name}"
    return Notice(notices.MISSING.name, run.run, topics=tuple(topics), text=text)


def score(
    topics: Sequence[Topic],
    results: Results,
    specs: Sequence[Spec],
    *,
    average_over: str = "",
    task: str = "thorough",
    rules: str | None = None,
    lenient: bool = False,
    skip_refused: bool = False,
    allow_none: bool = False,
    suggested: Mapping[str, Measure] = MappingProxyType({}),
    options: Sequence[str] = (),
) -> Scores:
    """Score every run on every topic.

    ``average_over="assessed"``, the default, gives 0 for an assessed topic that a run lacks; ``"run"`` leaves it out of
    that run's mean, as trec_eval does by default (``rules="trec_eval"``). Topics without relevant content under a
    measure's settings are left out and named; under these rules they score 0. Raises InputError for a run of which no
    topic is assessed; if a measure needs what the assessments, the collection or the runs do not have, unless
    ``skip_refused``: then the others are scored, if there are any or ``allow_none`` (`Scores.refused`; measures to name
    in its place are ``suggested``), also without those whose own rule a result breaks; and for every result that breaks
    the rules of the ``task`` or of a measure (`focuseval.measures.rules`), unless ``lenient``: then it is scored and
    counted. ``options`` that were given and that a measure does not read are reported (`without_effect`).
    """
    average_over = average_over or standard_average(rules)
    scoring_rules = Rules(task, average_over, lenient, skip_refused, rules, allow_none, options)
    scorer = Scorer(topics, specs, scoring_rules, suggested)
    return joined([scorer.finish(scorer.add(run)) for run in results.each_run()], specs, scoring_rules)
