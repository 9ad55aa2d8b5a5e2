"""The audit: every measure under every transformation, on one campaign."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.auditing.examples import Breach, Case, case_of, ideals_of, smallest
from focuseval.auditing.findings import (
    BREAKS,
    REPORTED,
    UNBROKEN,
    UNCHANGED,
    Finding,
    Scored,
    changed,
    scored,
    table,
    wrong,
)
from focuseval.errors import InputError, counted
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Bools, Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.statistics.significance import mean_intervals, p_values
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
from focuseval.transformations.lists import names_of_lists, of_runs, stacked, taken

#: what an audit tries, in the order of its tables
TRIED = (
    *("halves", "joined", "children", "twice", "twice(where=end)", "larger", "smaller"),
    *("ancestors", "ancestors(where=before)", "parents", "best-child"),
    *("swapped", "ties", "irrelevant", "irrelevant(where=front)"),
    *("irrelevant(document=relevant)", "relevant", "unjudged", "cut"),
    *("ideal", "walks", "perturbed", "sinking", "fewer-topics", "more-topics"),
    *("ancestors(new=on)", "ancestors(where=before,new=on)", "reversed", "random", "first-of-document"),
    *("documents", "leaves", "wider", "wider(levels=2)", "shifted", "fewer-judgements"),
)

#: how the intervals of mean changes are drawn
LEVEL, RESAMPLES = 0.95, 1000

#: where an example may show less than the largest breach: this much at least
SHOWN = 0.01

_IDEAL = "ideal: "


def tried(names: Sequence[str] = TRIED) -> list[Applied]:
    """Transformations by their names. Raises InputError for an unknown one."""
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
    """What every measure says of every transformation: a table in the columns of `focuseval.auditing.findings.COLUMNS`.

    A list is compared with the list that it is made of, where the transformation changed it; one that breaks a
    measure's own rule before or after is not, for the measure refuses it. Besides the runs, transformations are done to
    the ideal runs that the judgements give. Measures of elements are tried on the runs without passages. ``seed`` is
    that of the intervals. Without ``examples`` none is looked for, which takes most of the time where much breaks.
    """
    asked = tried() if transformations is None else list(transformations)
    specs = list({spec.name: spec for spec in specs}.values())
    of_elements = without_passages(results)
    findings: dict[tuple[str, str], Finding] = {}
    for takes_passages, runs in ((True, results), (False, of_elements)):
        chosen = [s for s in specs if s.measure.takes_passages(s.parameters) == takes_passages]
        if chosen:
            of_these = _Audit(topics, runs, chosen, seed, examples)
            findings |= {(f.measure, f.transformation): f for f in of_these.findings(asked)}
    names = list(dict.fromkeys(applied.name for applied in asked))
    return table([findings[spec.name, name] for spec in specs for name in names])


def without_passages(results: Results) -> Results:
    """The runs of which no result is a passage."""
    passages = (results.element < 0) & (results.start >= 0) & (results.document >= 0)
    return of_runs(results, np.setdiff1d(np.arange(len(results.runs)), results.run[passages]))


class _Shown(NamedTuple):
    """A list that shows a breach: by how much, how large it is, and where it is."""

    amount: float
    size: float
    results: Results
    run: str
    topic: str

    @property
    def clear(self) -> tuple[float, float]:
        """What the list for an example has most of: a breach up to `SHOWN`, and then smallness."""
        return min(self.amount, SHOWN), -self.size

    @classmethod
    def clearest(cls, scores: Scored, lists: pd.MultiIndex, amount: Floats) -> "_Shown | None":
        """Of lists that go so far wrong, the one for an example; None if none does."""
        keys = [(lists[row], amount[row]) for row in np.flatnonzero(amount)]
        shown = (cls(wrong_by, scores.sizes[key], scores.results, *key) for key, wrong_by in keys)
        return max(shown, key=lambda one: one.clear, default=None)


class _Undecided(Exception):
    """Why nothing can be said of a measure under a transformation."""


@dataclass
class _Audit:
    """The audit of measures that are tried on the same runs: what they say of these, and of the ideal runs."""

    topics: Sequence[Topic]
    results: Results
    specs: Sequence[Spec]
    seed: int
    examples: bool
    _shrunk: dict[str, list[Case]] = field(default_factory=dict)  #: smallest cases found, by transformation

    def __post_init__(self) -> None:
        self.by_name = {topic.name: topic for topic in self.topics}
        self.own = taken(self.results, np.isin(self.results.topics[self.results.topic], list(self.by_name)))
        ideals = {spec.name: ideals_of(spec, self.topics[0].scale) for spec in self.specs}
        made = self._ideal_runs({one.name: one for of_spec in ideals.values() for one in of_spec})
        self.base = scored(self.topics, stacked([self.own, *made]), self.specs)
        self.sign = {spec.name: 1.0 if spec.measure.higher_is_better else -1.0 for spec in self.specs}
        values = self.base.values[_is_ideal(self.base.values)]
        run = values.index.get_level_values("run")
        #: per measure and topic: the best score of the ideal runs, in the direction in which the measure is better
        self.best = {
            name: (values[name] * self.sign[name])[run.isin([_IDEAL + one.name for one in ideals[name]])]
            .groupby(level="topic")
            .max()
            for name in values
        }
        #: scores of which some are compared with the ideal runs, and these
        self.seen = [(self.base, _of_lists(self.base, set(names_of_lists(self.own))))]

    def _ideal_runs(self, ideals: Mapping[str, Applied]) -> Iterator[Results]:
        """The ideal runs that the judgements give, under the quantisations and methods that measures have."""
        for name, applied in ideals.items():
            try:
                made = applied.transform(self.results, self.topics)
            except InputError:
                continue  # a quantisation that the scale of the judgements does not know
            unsized = (made.end < made.start).any() and not (self.own.end < self.own.start).any()
            if len(made) and not unsized:  # documents whose size is not known would refuse measures of text
                yield replace(made, runs=pd.Index([_IDEAL + name], dtype=object))

    # ---------------------------------------------------------------------------- what is found

    def findings(self, asked: Sequence[Applied]) -> Iterator[Finding]:
        """What is found of each transformation; ideal runs are compared with all lists, and come last."""
        for applied in sorted(asked, key=lambda one: one.transformation.expected == BEST):
            try:
                find: Callable[[Spec], Finding] | None = self._compared(applied)
                why = ""
            except InputError as error:  # it cannot be done on judgements or runs of this kind
                find, why = None, error.problems[0].reason
            for spec in self.specs:
                try:
                    if find is None:
                        raise _Undecided(why)
                    yield find(spec)
                except _Undecided as undecided:
                    yield Finding(
                        spec.name, applied.name, applied.transformation.trait, applied.expected(spec), REPORTED, 0, 0,
                        note=f"not decided: {undecided}",
                    )  # fmt: skip

    def _compared(self, applied: Applied) -> Callable[[Spec], Finding]:
        """The runs transformed and scored; what makes of it the finding on a measure, or raises `_Undecided`."""
        declared = applied.transformation
        if declared.expected == BEST:
            return partial(self._ideal, applied)
        if declared.changes == JUDGEMENTS:
            return partial(self._means, applied, scored(applied.judged(self.topics), self.own, self.specs))
        if declared.steps:
            steps = applied.steps()
            made = [step.transform(self.own, self.topics) for step in steps]
            scores = [scored(self.topics, one, self.specs, average_over="run") for one in made]
            return partial(self._steps, applied, [step.name for step in steps], scores)
        if declared.over == MEANS:
            after = scored(self.topics, applied.transform(self.own, self.topics), self.specs)
            return partial(self._means, applied, after)
        results = applied.transform(self.base.results, self.topics)
        rows, names = changed(self.base.results, results)
        after = scored(self.topics, taken(results, rows), self.specs, average_over="run")
        self.seen.append((after, _of_lists(after, names)))
        keys = after.values.index.intersection(self.base.values.index, sort=False)
        return partial(self._lists, applied, after, keys[[key in names for key in keys]])

    def _lists(self, applied: Applied, after: Scored, keys: pd.MultiIndex, spec: Spec) -> Finding:
        """Each list that changed beside what it was."""
        before_each, after_each = (_of(one.values, spec, after, self.base) for one in (self.base, after))
        pair = pd.DataFrame({"before": before_each.reindex(keys), "after": after_each.reindex(keys)}).dropna()
        allowed = self.base.allowed(spec.measure.rule, pair.index)
        allowed &= after.allowed(spec.measure.rule, pair.index)
        refused, pair = int((~allowed).sum()), pair[allowed]
        note = f"{counted(refused, 'list')} breaking the rule {spec.measure.rule}, not scored" * bool(refused)
        if not len(pair):
            raise _Undecided(note or UNCHANGED)
        change = pair["after"] - pair["before"]
        size = pair.abs().max(axis=1).to_numpy()
        amount = wrong(applied.expected(spec), self.sign[spec.name] * change.to_numpy(), size)
        by_topic = change[~_is_ideal(change)].groupby(level="topic").mean().to_numpy()
        example = self._example(spec, applied, _Shown.clearest(self.base, pair.index, amount))
        return self._finding(spec, applied, amount, by_topic, note, example)

    def _ideal(self, applied: Applied, spec: Spec) -> Finding:
        """All lists beside the best of the ideal runs."""
        sign, best = self.sign[spec.name], self.best.get(spec.name, pd.Series(dtype=float))

        def above_best(values: pd.Series) -> pd.Series:
            return values * sign - best.reindex(values.index.get_level_values("topic")).to_numpy()

        amounts, shown, highest = list[Floats]([np.empty(0)]), list[_Shown | None](), -np.inf
        for scores, some in self.seen:
            if spec.name in some and len(best):
                values = some[spec.name]
                above = above_best(values)
                tried = above.notna().to_numpy() & scores.allowed(spec.measure.rule, values.index)
                amounts.append(wrong(BEST, above[tried].to_numpy(), values[tried].to_numpy()))
                shown.append(_Shown.clearest(scores, values.index[tried], amounts[-1]))
                highest = max(highest, (values[tried] * sign).max() if tried.any() else -np.inf)
        amount = np.concatenate(amounts)
        if not len(amount):
            raise _Undecided(self.base.refused.get(spec.name, "there is no ideal run"))
        values = self.base.values[spec.name]
        by_topic = (above_best(values[~_is_ideal(values)]) * sign).groupby(level="topic").mean().dropna()
        said = "the runs and all lists made of them beside the best ideal run; the best score of any list is"
        clearest = max(filter(None, shown), key=lambda one: one.clear, default=None)
        example = self._example(spec, applied, clearest)
        return self._finding(
            spec, applied, amount, by_topic.to_numpy(), f"{said} {highest * sign:.4g}", example
        )

    def _means(self, applied: Applied, after: Scored, spec: Spec) -> Finding:
        """The mean of each run beside what it was, over other topics or under other judgements."""
        before, later = (_of(one.means, spec, after, self.base) for one in (self.base, after))
        before, later = before[~before.index.str.startswith(_IDEAL)].align(later, join="left")
        change = (later - before).to_numpy()
        size = np.maximum(abs(before), abs(later)).to_numpy()
        amount = wrong(applied.expected(spec), self.sign[spec.name] * change, size)
        by_topic = _changes_by_topic(self.base.values[spec.name], after.values[spec.name])
        if applied.transformation.changes == JUDGEMENTS and not change.any() and not by_topic.any():
            raise _Undecided("it changes no judgement here that the measure reads")
        worst = int(amount.argmax())
        example = f"mean of the run {before.index[worst]}: {before.iloc[worst]:.4g}, and then {later.iloc[worst]:.4g}\n"
        finding = self._finding(spec, applied, amount, by_topic, "", example)
        if spec.pooled:  # not the mean of topics, whose interval says nothing of it
            return replace(finding, mean_change=float(change.mean()), low=np.nan, high=np.nan)
        return finding

    def _steps(self, applied: Applied, names: Sequence[str], steps: Sequence[Scored], spec: Spec) -> Finding:
        """The mean over runs at each strength beside that at the one before."""
        values = [_of(step.values, spec, step) for step in steps]
        changes = [_changes_by_topic(one, other) for one, other in pairwise(values)]
        if not any(change.any() for change in changes):
            raise _Undecided("no score changes here")
        p = p_values(np.transpose(changes), "randomisation", RESAMPLES, self.seed, two_tailed=True)
        rises = np.array([self.sign[spec.name] * change.mean() for change in changes])
        amount = np.where(p <= 1 - LEVEL, wrong(FALLS, rises, rises), 0.0)
        note = f"means over runs and topics; a rise counts if it is significant at {1 - LEVEL:.2g}"
        means = (f"{name}: {one.mean():.4g}\n" for name, one in zip(names, values, strict=True))
        return self._finding(spec, applied, amount, np.mean(changes, axis=0), note, "".join(means))

    # ---------------------------------------------------------------------------- what is written

    def _finding(
        self, spec: Spec, applied: Applied, amount: Floats, by_topic: Floats, note: str, example: str
    ) -> Finding:
        """The finding on pairs that go so far wrong, with mean changes of topics; the example of a breach."""
        broken, expected = int((amount > 0).sum()), applied.expected(spec)
        verdict = REPORTED if expected == NO_VERDICT else BREAKS if broken else UNBROKEN
        low, high = mean_intervals(by_topic[:, None], level=LEVEL, resamples=RESAMPLES, seed=self.seed)
        return Finding(
            measure=spec.name,
            transformation=applied.name,
            property=applied.transformation.trait,
            expected=expected,
            verdict=verdict,
            tried=len(amount),
            broken=broken,
            largest=float(amount.max()) if broken else np.nan,
            mean_change=float(by_topic.mean()) if len(by_topic) else np.nan,
            low=float(low[0]),
            high=float(high[0]),
            note=note,
            example=example if verdict == BREAKS else "",
        )

    def _example(self, spec: Spec, applied: Applied, shown: _Shown | None) -> str:
        """The smallest case that shows the breach: of one that shows another measure's, if that does."""
        if shown is None or not self.examples:
            return ""
        breach = Breach(spec, applied, applied.expected(spec), min(shown.amount, SHOWN))
        known = self._shrunk.setdefault(applied.name, [])
        case = next((one for one in known if breach.shown(one)), None)
        if case is None:
            case = case_of(self.by_name[shown.topic], shown.results, shown.run)
        known.append(smallest(case, breach))
        return breach.told(known[-1])


def _of(values: pd.DataFrame, spec: Spec, *scores: Scored) -> pd.Series:
    """The column of a measure. Raises `_Undecided` with the reason for which one of the scores lacks it."""
    if any(spec.name in one.refused or spec.name not in one.values for one in scores):
        raise _Undecided(next(filter(None, (one.refused.get(spec.name) for one in scores)), ""))
    return values[spec.name]


def _of_lists(scores: Scored, names: Set[tuple[str, str]]) -> pd.DataFrame:
    """The scores of these lists (run, topic)."""
    return scores.values[[key in names for key in scores.values.index]]


def _is_ideal(scores: pd.DataFrame | pd.Series) -> Bools:
    """Which scores of lists (run, topic) are of the ideal runs that were added."""
    ideal: Bools = scores.index.get_level_values("run").str.startswith(_IDEAL)
    return ideal


def _changes_by_topic(before: pd.Series, after: pd.Series) -> Floats:
    """(n,) by how much scores changed on each topic, the mean over runs."""
    one, other = before[~_is_ideal(before)].align(after[~_is_ideal(after)], join="inner")
    return (other - one).dropna().groupby(level="topic").mean().to_numpy()
