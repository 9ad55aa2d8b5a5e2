"""The scores of all runs on all topics by all measures, as one table, with notices."""

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
    """The scores of runs, with their measures and settings, and notices about data that was left out."""

    #: One row for each measure, run and assessed topic. The columns are run, topic, name (the canonical name of the
    #: measure), measure (without parameters), parameters (all, in JSON), cutoff (may be NaN) and value. Pooled measures
    #: also have counts.
    per_topic: pd.DataFrame
    #: the scored measures by canonical name, which is as short as possible
    specs: Mapping[str, Spec] = field(default_factory=dict)
    #: maps names of measures that the user wrote to canonical names
    asked: Mapping[str, str] = field(default_factory=dict)
    #: notices about data that was left out or scored as 0
    notices: Sequence[Notice] = ()
    #: maps names of measures that the user wrote to the reasons why they were not scored
    refused: Mapping[str, Sequence[Problem]] = field(default_factory=dict)
    #: the topics over which values are averaged: ``assessed`` or ``run``
    average_over: str = "assessed"
    scale: str = ""  #: the scale of the assessments; empty if none were read
    #: the name of the run in each file
    in_files: Mapping[str, str] = field(default_factory=dict)
    #: if requested, for each run without results of unknown size: the number of gold passages with each outcome, by its
    #: index into `failures.KINDS`
    failures: Mapping[str, Counter[int]] = field(default_factory=dict)
    #: a line that states what is needed to reproduce the scores
    signature: str = ""

    def notes(self) -> list[str]:
        """Return the notices about data that was left out or scored as 0, one line each."""
        return notices.lines(self.notices)

    def means(self) -> pd.DataFrame:
        """Return the means over topics as a table like ``per_topic``, with the topic ``all``.

        Pooled measures (``average=micro``) are not averaged. Their values are computed from sums of counts.
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
        """Return ``scores`` (by default, of every topic) with the measures named as the user wrote them.

        The columns are run, topic, measure and value.
        """
        table = (self.per_topic if scores is None else scores)[["run", "topic", "name", "value"]]
        names = pd.DataFrame({"measure": list(self.asked), "name": list(self.asked.values())}, dtype=str)
        return names.merge(table.astype({"name": str}), on="name")[["run", "topic", "measure", "value"]]

    def table(self, *, per_topic: bool = False) -> list[tuple[str, str, str, float]]:
        """Return means as rows of run, topic, measure and value. ``per_topic`` adds rows for each topic before them."""
        rows = self.as_asked(self.means())
        if per_topic:
            rows = pd.concat([self.as_asked(), rows], ignore_index=True)
        rows = rows.iloc[np.argsort(pd.factorize(rows["run"])[0], kind="stable")]
        return list(zip(rows["run"], rows["topic"], rows["measure"], map(float, rows["value"]), strict=True))


#: why some measures ignore an option, for messages
_UNREAD = {
    "equal_scores_tie": "the measure counts results one by one, even if they share a rank",
    "tokenizer": "no cut-off is in tokens, as in @4000t",
}


def without_effect(options: Iterable[str], specs: Sequence[Spec[Any, Any]]) -> list[Notice]:
    """Return notices about options that measures ignore.

    The option ``equal_scores_tie`` is reported for each measure that ignores it. The option ``tokenizer`` is reported
    only if no measure has a budget in tokens.
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
            text=Sentence(Option(option), f" has no effect, because {_UNREAD[option]}"),
        )
        for option in options
        for spec, read in zip(specs, reads[option], strict=True)
        if not read
    ]


def _tidy(
    runs: Sequence[RunScores], specs: Mapping[int, Spec[Any, Any]], relevant: Bools, rules: Rules
) -> pd.DataFrame:
    """Return the table `Scores.per_topic` of all runs.

    ``specs`` contains the scored measures by index. ``relevant`` tells whether each topic (row) has relevant content
    for each measure (column). Other topics have no scores.
    """
    retrieved = np.array([run.retrieved for run in runs])
    counted_topics = np.ones_like(retrieved) if rules.average_over == "assessed" else retrieved
    spec, run, topic = np.nonzero(relevant.T[:, None, :] & counted_topics)
    place, measures = np.array(list(specs), dtype=np.int64)[spec], list(specs.values())
    names: dict[str, tuple[Sequence[str], Ints]] = {
        "run": ([one.run for one in runs], run),
        "topic": (runs[0].topics, topic),
        "name": ([one.name for one in measures], spec),
        "measure": ([one.measure.name for one in measures], spec),
        "parameters": ([one.settings for one in measures], spec),
    }
    columns: dict[str, Any] = {}
    for column, (texts, number) in names.items():
        codes, distinct = pd.factorize(np.array(texts, dtype=object))
        columns[column] = pd.Categorical.from_codes(codes[number], categories=distinct)
    cutoffs = np.array([np.nan if one.cutoff is None else one.cutoff for one in measures], dtype=float)
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
    """Join the scores and notices of single runs, which have the same topics and measures.

    Raises InputError with the problems of all refused runs.
    """
    if not runs:
        raise InputError.of("runs", "there are no runs", "give at least one run")
    topics = runs[0].topics
    if strangers := [none_assessed(r.source, [*r.others], topics) for r in runs if r.strange]:
        raise InputError(strangers)
    refusals = ((run.run, one) for run in runs for of in run.refusals.values() for one in of.values())
    refused = refused_measures(refusals, [spec.asked for spec in specs])
    scored = [spec for spec in specs if spec.asked not in refused]
    if refused and not (rules.skip_refused and (scored or rules.allow_none)):
        raise InputError(
            list(dict.fromkeys(problem for problems in refused.values() for problem in problems))
        )
    if unruly := [problem for run in runs for problem in run.unruly]:
        raise InputError(unruly)
    places = {name: i for i, name in enumerate(dict.fromkeys(spec.name for spec in specs))}
    distinct_specs = {spec.name: spec for spec in scored}
    specs_of = {places[name]: spec for name, spec in distinct_specs.items()}
    relevant = np.any([run.relevant for run in runs], axis=0)[:, list(specs_of)]
    table = _tidy(runs, specs_of, relevant, rules)
    names, has = np.array(topics, dtype=object), dict(zip(distinct_specs, relevant.T, strict=True))
    counted_topics = relevant.any(axis=1) if scored else np.ones(len(topics), dtype=bool)
    rows = [
        *(Notice(notices.REFUSED.name, measure=m, problem=p[0], count=len(p)) for m, p in refused.items()),
        *without_effect(rules.options, scored),
        *(one for run in runs for one in run.all_notices(specs) if one.measure not in refused),
        *(
            Notice(notices.IRRELEVANT.name, measure=spec.asked, topics=tuple(names[~has[spec.name]]))
            for spec in scored
            if not has[spec.name].all()
        ),
        *(
            _missing(run, names[counted_topics & ~run.retrieved].tolist())
            for run in runs
            if (counted_topics & ~run.retrieved).any()
        ),
    ]
    names_by_request = {spec.asked: spec.name for spec in scored}
    missed = {run.run: run.failures for run in runs if not run.result_counts["unsized"]}
    return Scores(table, distinct_specs, names_by_request, rows, refused, rules.average_over, failures=missed)


def _plain(topic: str) -> str:
    return re.sub("(?<![0-9])0+(?=[0-9])", "", topic).casefold()


def _missing(run: RunScores, topics: Sequence[str]) -> Notice:
    """Return a notice about topics that are missing in a run. It mentions similar names of topics in the run."""
    unassessed = {_plain(name): name for name in run.others}
    alike = [(name, unassessed[_plain(name)]) for name in topics if _plain(name) in unassessed]
    text = ""
    if alike:
        name, other = alike[0]
        text = (
            f"; for {len(alike)} of them, the run has other leading zeros or case, such as {other} for {name}"
        )
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

    ``average_over``
        the topics over which scores are averaged: ``"assessed"`` for all assessed topics, or ``"run"`` for the topics
        of the run. The default is ``"run"`` if ``rules="trec_eval"``, else ``"assessed"``.
    ``task``
        the task whose rules results must obey (`focuseval.measures.rules`).
    ``rules``
        ``"trec_eval"`` if topics without relevant content score 0. By default, they are left out and reported.
    ``lenient``
        whether results that break a rule of the task or of a measure are scored, and counted in notices.
    ``skip_refused``
        whether measures that cannot be computed, or with a rule that results break, are left out and reported in
        `Scores.refused`.
    ``allow_none``
        whether all measures may be left out.
    ``suggested``
        measures that refusals may recommend.
    ``options``
        options that the user has set. Notices report the measures that ignore them.

    Raises InputError for a run without results for assessed topics. Unless ``skip_refused``, also raises InputError for
    measures that cannot be computed. Unless ``lenient``, also raises it for results that break a rule.
    """
    average_over = average_over or standard_average(rules)
    scoring_rules = Rules(task, average_over, lenient, skip_refused, rules, allow_none, options)
    scorer = Scorer(topics, specs, scoring_rules, suggested)
    return joined([scorer.finish(scorer.add(run)) for run in results.each_run()], specs, scoring_rules)
