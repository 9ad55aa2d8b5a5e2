"""The audit of measures on one campaign: how transformations of runs and judgements change scores."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.auditing.examples import Breach, Case, case_of, ideals_of, smallest
from focuseval.auditing.findings import (
    BREAKS,
    NOT_TRIED,
    REPORTED,
    UNBROKEN,
    UNCHANGED,
    AuditFinding,
    ScoredResults,
    changed,
    scored,
    sign_of,
    table,
    wrong,
)
from focuseval.errors import InputError, MissingExtra, counted
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Bools, Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.statistics.significance import difference, mean_intervals, p_values
from focuseval.transformations.declaration import (
    BEST,
    FALLS,
    JUDGEMENTS,
    MEANS,
    Applied,
    parse_applied,
)
from focuseval.transformations.declaration import REPORTED as NO_VERDICT
from focuseval.transformations.declared import TRANSFORMATIONS
from focuseval.transformations.lists import names_of_lists, of_runs, results_at, stacked

#: the transformations that an audit tries by default
TRIED = (
    "halves", "joined", "children", "twice", "twice(where=end)", "larger", "smaller",
    "ancestors", "ancestors(where=before)", "parents", "best-child",
    "swapped", "ties", "irrelevant", "irrelevant(where=front)",
    "irrelevant(document=relevant)", "relevant", "unjudged", "cut",
    "ideal", "walks", "perturbed", "sinking", "fewer-topics", "more-topics",
    "ancestors(new=on)", "ancestors(where=before,new=on)", "reversed", "random", "first-of-document",
    "documents", "leaves", "wider", "wider(levels=2)", "shifted", "fewer-judgements",
)  # fmt: skip

#: the confidence level of intervals of mean changes, and the number of resamples
LEVEL, RESAMPLES = 0.95, 1000

#: a breach of at least this amount is clear enough for an example
SHOWN = 0.01

_IDEAL = "ideal: "


def tried(names: Sequence[str] = TRIED) -> list[Applied]:
    """Return the transformations with these names. Raises InputError for an unknown name."""
    return [parse_applied(name, TRANSFORMATIONS) for name in names]


def audit(
    topics: Sequence[Topic],
    results: Results,
    specs: Sequence[Spec],
    *,
    transformations: Sequence[Applied] | None = None,
    examples: bool = True,
    seed: int = 0,
) -> pd.DataFrame:
    """Audit measures. Return a row for each measure and transformation (`focuseval.auditing.findings.COLUMNS`).

    A list is skipped if the original or the transformed list breaks a rule of the measure. Measures that cannot score
    passages are audited only on runs without passages. ``seed`` makes the intervals reproducible. If ``examples`` is
    false, the slow search for examples is skipped.
    """
    tries = tried() if transformations is None else list(transformations)
    specs = list({spec.name: spec for spec in specs}.values())
    of_elements = without_passages(results)
    findings: dict[tuple[str, str], AuditFinding] = {}
    for takes_passages, runs in ((True, results), (False, of_elements)):
        chosen = [s for s in specs if s.measure.takes_passages(s.parameters) == takes_passages]
        if chosen:
            base = _baseline(topics, runs, chosen, seed)
            findings |= {(f.measure, f.transformation): f for f in _findings(base, tries, examples)}
    names = list(dict.fromkeys(applied.name for applied in tries))
    return table([findings[spec.name, name] for spec in specs for name in names])


def without_passages(results: Results) -> Results:
    """Return the runs that contain no passage."""
    passages = (results.element < 0) & (results.start >= 0) & (results.document >= 0)
    return of_runs(results, np.setdiff1d(np.arange(len(results.runs)), results.run[passages]))


class _Undecided(Exception):
    """Raised if the audit reaches no verdict about a measure. The message is the reason."""


@dataclass(frozen=True, eq=False)
class _Baseline:
    """The original runs and the ideal runs, with which the audit compares transformed runs."""

    topics: Sequence[Topic]
    own: Results  #: the original runs
    specs: Sequence[Spec]
    scores: ScoredResults  #: the scores of the original runs and of the ideal runs
    #: for each measure, the best score of an ideal run on each topic (negated if lower is better)
    best: Mapping[str, pd.Series]
    seed: int


class _Shown(NamedTuple):
    """A result list that shows a breach of a property, with the sizes of the breach and of the list."""

    amount: float
    size: float
    results: Results
    run: str
    topic: str

    @classmethod
    def all_of(cls, scores: ScoredResults, lists: pd.MultiIndex, amount: Floats) -> list["_Shown"]:
        """Return each of ``lists`` for which the ``amount`` of the breach is not 0."""
        pairs = zip(lists, amount, strict=True)
        return [cls(by, scores.sizes[key], scores.results, *key) for key, by in pairs if by]


class _Outcome(NamedTuple):
    """The changes that one transformation makes to the scores of one measure."""

    amount: Floats  #: the size of the breach in each compared pair of scores; 0 without a breach
    by_topic: Floats  #: the mean change of scores on each topic
    note: str = ""
    shown: Sequence[_Shown] = ()  #: the lists from which the example of a breach is chosen
    text: str = ""  #: the text of the example if no single list shows the breach
    sampled: bool = True  #: whether ``by_topic`` is a sample, so that its mean has an interval


def _baseline(topics: Sequence[Topic], results: Results, specs: Sequence[Spec], seed: int) -> _Baseline:
    """Return the original runs, and the ideal runs for the quantisations and methods that the measures use."""
    own = results_at(results, np.isin(results.topics[results.topic], [topic.name for topic in topics]))
    ideals = {spec.name: ideals_of(spec, topics) for spec in specs}
    ideal_runs = []
    for applied in {one.name: one for of_spec in ideals.values() for one in of_spec}.values():
        with suppress(InputError):  # some scales of assessments do not have this quantisation
            run = applied.transform(results, topics)
            unsized = (run.end < run.start).any() and not (own.end < own.start).any()
            if len(run) and not unsized:  # measures of text refuse documents of unknown size
                ideal_runs.append(replace(run, runs=pd.Index([_IDEAL + applied.name], dtype=object)))
    scores = scored(topics, stacked([own, *ideal_runs]), specs)
    values = scores.values[_is_ideal(scores.values)]
    run = values.index.get_level_values("run")
    best = {}
    for spec in (one for one in specs if one.name in values):
        own_ideals = run.isin([_IDEAL + one.name for one in ideals[spec.name]])
        signed = values.loc[own_ideals, spec.name] * sign_of(spec)
        best[spec.name] = signed.groupby(level="topic").max()
    return _Baseline(topics, own, specs, scores, best, seed)


def _findings(base: _Baseline, tries: Sequence[Applied], examples: bool) -> Iterator[AuditFinding]:
    """Yield a finding for each transformation and measure.

    The comparison with ideal runs comes last, because it uses all lists that other transformations changed.
    """
    scored_lists = [(base.scores, _of_lists(base.scores, set(names_of_lists(base.own))))]
    for applied in sorted(tries, key=lambda one: one.transformation.expected == BEST):
        shrunk: list[Case] = []  # the smallest examples so far; they may show breaches of later measures
        try:
            look, why = _compared(base, applied, scored_lists), ""
        except MissingExtra as error:
            look, why = None, str(error.problems[0])
        except InputError as error:  # the transformation is impossible with these judgements or runs
            look, why = None, error.problems[0].reason
        for spec in base.specs:
            try:
                if look is None:
                    raise _Undecided(why)
                outcome = look(spec)
            except _Undecided as undecided:
                outcome = _Outcome(np.empty(0), np.empty(0), f"undecided, because {undecided}")
            yield _finding(base, applied, outcome, spec, shrunk if examples else None)


def _compared(
    base: _Baseline, applied: Applied, scored_lists: list[tuple[ScoredResults, pd.DataFrame]]
) -> Callable[[Spec], _Outcome]:
    """Transform and score the runs. Return a function that computes the outcome for a measure.

    The function may raise `_Undecided`. The scores of changed lists are added to ``scored_lists``.
    """
    declared, topics, own, specs = applied.transformation, base.topics, base.own, base.specs
    if declared.expected == BEST:
        return partial(_ideal, base, scored_lists)
    if declared.changes == JUDGEMENTS:
        return partial(_means, base, applied, scored(applied.judged(topics), own, specs))
    if declared.steps:
        steps = {one.name: one.transform(own, topics) for one in applied.steps()}
        scores = {name: scored(topics, one, specs, average_over="run") for name, one in steps.items()}
        return partial(_steps, scores, base.seed)
    if declared.over == MEANS:
        return partial(_means, base, applied, scored(topics, applied.transform(own, topics), specs))
    results = applied.transform(base.scores.results, topics)
    rows, names = changed(base.scores.results, results)
    after = scored(topics, results_at(results, rows), specs, average_over="run")
    scored_lists.append((after, _of_lists(after, names)))
    keys = after.values.index.intersection(base.scores.values.index, sort=False)
    return partial(_lists, base, applied, after, keys[[key in names for key in keys]])


def _lists(
    base: _Baseline, applied: Applied, after: ScoredResults, keys: pd.MultiIndex, spec: Spec
) -> _Outcome:
    """Compare the score of each list that a transformation changed with the score of the original list."""
    before_each, after_each = (
        _column_of(one.values, spec, after, base.scores) for one in (base.scores, after)
    )
    pair = pd.DataFrame({"before": before_each.reindex(keys), "after": after_each.reindex(keys)}).dropna()
    allowed = base.scores.allowed(spec.measure.rule, pair.index)
    allowed &= after.allowed(spec.measure.rule, pair.index)
    refused, pair = int((~allowed).sum()), pair[allowed]
    note = f"the rule {spec.measure.rule} excludes {counted(refused, 'list')}" if refused else ""
    if not len(pair):
        raise _Undecided(note or UNCHANGED)
    change = pd.Series(difference(pair["before"], pair["after"]), pair.index)
    size = pair.abs().max(axis=1).to_numpy()
    amount = wrong(applied.expected(spec), sign_of(spec) * change.to_numpy(), size)
    by_topic = change[~_is_ideal(change)].groupby(level="topic").mean().to_numpy()
    return _Outcome(amount, by_topic, note, _Shown.all_of(base.scores, pair.index, amount))


def _ideal(
    base: _Baseline, scored_lists: Sequence[tuple[ScoredResults, pd.DataFrame]], spec: Spec
) -> _Outcome:
    """Compare every list's score with the best score of an ideal run on its topic."""
    sign, best = sign_of(spec), base.best.get(spec.name, pd.Series(dtype=float))

    def above_best(values: pd.Series) -> pd.Series:
        return values * sign - best.reindex(values.index.get_level_values("topic")).to_numpy()

    amounts, example_lists, highest = list[Floats](), list[_Shown](), -np.inf
    for scores, some in scored_lists:
        if spec.name in some and len(best):
            values = some[spec.name]
            above = above_best(values)
            comparable = above.notna().to_numpy() & scores.allowed(spec.measure.rule, values.index)
            amounts.append(wrong(BEST, above[comparable].to_numpy(), values[comparable].to_numpy()))
            example_lists += _Shown.all_of(scores, values.index[comparable], amounts[-1])
            highest = max(highest, (values[comparable] * sign).max() if comparable.any() else -np.inf)
    amount = np.concatenate([np.empty(0), *amounts])
    if not len(amount):
        raise _Undecided(base.scores.refused.get(spec.name, "there is no ideal run"))
    values = base.scores.values[spec.name]
    by_topic = (above_best(values[~_is_ideal(values)]) * sign).groupby(level="topic").mean().dropna()
    note = "the runs and all lists made from them are compared with the best ideal run; the best score of a list is"
    return _Outcome(amount, by_topic.to_numpy(), f"{note} {highest * sign:.4g}", example_lists)


def _means(base: _Baseline, applied: Applied, after: ScoredResults, spec: Spec) -> _Outcome:
    """Compare each run's mean before and after topics or judgements are changed."""
    before, later = (_column_of(one.means, spec, after, base.scores) for one in (base.scores, after))
    before, later = before[~before.index.str.startswith(_IDEAL)].align(later, join="left")
    change = (later - before).to_numpy()
    amount = wrong(
        applied.expected(spec), sign_of(spec) * change, np.maximum(abs(before), abs(later)).to_numpy()
    )
    by_topic = _changes_by_topic(base.scores.values[spec.name], after.values[spec.name])
    if applied.transformation.changes == JUDGEMENTS and not change.any() and not by_topic.any():
        raise _Undecided("the measure reads no judgement that the transformation changes")
    worst = int(amount.argmax())
    text = f"mean of the run {before.index[worst]}: {before.iloc[worst]:.4g} before and {later.iloc[worst]:.4g} after\n"
    if spec.pooled:  # a pooled value is not a mean over topics and has no interval
        return _Outcome(amount, change, text=text, sampled=False)
    return _Outcome(amount, by_topic, text=text)


def _steps(steps: Mapping[str, ScoredResults], seed: int, spec: Spec) -> _Outcome:
    """Compare the mean over runs at each step of a transformation with the mean at the previous step."""
    values = [_column_of(step.values, spec, step) for step in steps.values()]
    changes = [_changes_by_topic(one, other) for one, other in pairwise(values)]
    if not any(change.any() for change in changes):
        raise _Undecided("no score changes on these data")
    p = p_values(np.transpose(changes), "randomisation", RESAMPLES, seed, two_tailed=True)
    rises = np.array([sign_of(spec) * change.mean() for change in changes])
    amount = np.where(p <= 1 - LEVEL, wrong(FALLS, rises, rises), 0.0)
    note = f"means over runs and topics; a rise counts if it is significant at level {1 - LEVEL:.2g}"
    text = "".join(f"{name}: {one.mean():.4g}\n" for name, one in zip(steps, values, strict=True))
    return _Outcome(amount, np.mean(changes, axis=0), note, text=text)


def _finding(
    base: _Baseline, applied: Applied, outcome: _Outcome, spec: Spec, shrunk: list[Case] | None
) -> AuditFinding:
    """Turn an outcome into a finding, with an example of a breach unless ``shrunk`` is None."""
    amount, by_topic = outcome.amount, outcome.by_topic
    broken, expected = int((amount > 0).sum()), applied.expected(spec)
    decided = REPORTED if expected == NO_VERDICT else BREAKS if broken else UNBROKEN
    verdict = decided if len(amount) else NOT_TRIED
    [low], [high] = mean_intervals(by_topic[:, None], level=LEVEL, resamples=RESAMPLES, seed=base.seed)
    example = outcome.text
    if outcome.shown and shrunk is not None:
        # choose the smallest list among all clear breaches; if no breach is clear, choose the largest breach
        clearest = max(outcome.shown, key=lambda one: (min(one.amount, SHOWN), -one.size))
        example = _example(base, applied, clearest, spec, shrunk)
    return AuditFinding(
        measure=spec.name,
        transformation=applied.name,
        property=applied.transformation.trait,
        expected=expected,
        verdict=verdict,
        tried=len(amount),
        broken=broken,
        largest=float(amount.max()) if broken else np.nan,
        mean_change=float(by_topic.mean()) if len(by_topic) else np.nan,
        low=float(low) if outcome.sampled else np.nan,
        high=float(high) if outcome.sampled else np.nan,
        note=outcome.note,
        example=example if verdict == BREAKS else "",
    )


def _example(base: _Baseline, applied: Applied, example: _Shown, spec: Spec, shrunk: list[Case]) -> str:
    """Return, as text, the smallest case that shows the breach.

    The search starts from the first case in ``shrunk`` that shows the breach, or else from ``example``.
    """
    breach = Breach(spec, applied, applied.expected(spec), min(example.amount, SHOWN))
    case = next((one for one in shrunk if breach.shown(one)), None)
    if case is None:
        [topic] = [topic for topic in base.topics if topic.name == example.topic]
        case = case_of(topic, example.results, example.run)
    shrunk.append(smallest(case, breach))
    return breach.text(shrunk[-1])


def _column_of(values: pd.DataFrame, spec: Spec, *scores: ScoredResults) -> pd.Series:
    """Return a measure's column of ``values``. Raises `_Undecided` if the measure is missing from any of ``scores``."""
    if any(spec.name in one.refused or spec.name not in one.values for one in scores):
        raise _Undecided(next(filter(None, (one.refused.get(spec.name) for one in scores)), ""))
    return values[spec.name]


def _of_lists(scores: ScoredResults, names: Set[tuple[str, str]]) -> pd.DataFrame:
    """Return the scores of the lists in ``names``, which are pairs of run and topic."""
    return scores.values[[key in names for key in scores.values.index]]


def _is_ideal(scores: pd.DataFrame | pd.Series) -> Bools:
    """Return, for each score, whether it belongs to an ideal run."""
    ideal: Bools = scores.index.get_level_values("run").str.startswith(_IDEAL)
    return ideal


def _changes_by_topic(before: pd.Series, after: pd.Series) -> Floats:
    """Return the mean change of scores on each topic, without ideal runs."""
    one, other = before[~_is_ideal(before)].align(after[~_is_ideal(after)], join="inner")
    change = pd.Series(difference(one, other), one.index)
    return change.dropna().groupby(level="topic").mean().to_numpy()
