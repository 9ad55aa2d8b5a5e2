"""The audit: every measure under every transformation, on one campaign."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.auditing.cases import Case, case_of
from focuseval.auditing.comparing import UNCHANGED, Scored, changed, scored, wrong
from focuseval.auditing.findings import BREAKS, REPORTED, UNBROKEN, Finding, table
from focuseval.auditing.ideals import ideals_of
from focuseval.auditing.shrinking import Breach, smallest
from focuseval.errors import InputError, counted
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.statistics.significance import mean_intervals, paired_randomisation
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
    *(
        "ancestors(new=on)",
        "ancestors(where=before,new=on)",
        "reversed",
        "random",
        "first-of-document",
        "documents",
        "leaves",
        "wider",
        "wider(levels=2)",
    ),
    *("shifted", "fewer-judgements"),
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
    """A list that shows a breach: by how much, how large it is, and where it stands."""

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
    def clearest(cls, found: Scored, lists: pd.MultiIndex, amount: Floats) -> "_Shown | None":
        """Of lists that go so far wrong, the one for an example; None if none does."""
        keys = [(lists[row], amount[row]) for row in np.flatnonzero(amount)]
        shown = (cls(wrong_by, found.sizes[key], found.results, *key) for key, wrong_by in keys)
        return max(shown, key=lambda one: one.clear, default=None)


@dataclass
class _Audit:
    """The audit of measures that are tried on the same runs."""

    topics: Sequence[Topic]
    results: Results
    specs: Sequence[Spec]
    seed: int
    examples: bool
    _shrunk: dict[str, list[Case]] = field(default_factory=dict)  #: smallest cases found, by transformation

    def __post_init__(self) -> None:
        self.by_name = {topic.name: topic for topic in self.topics}
        known = taken(self.results, np.isin(self.results.topics[self.results.topic], list(self.by_name)))
        #: the ideal runs of each measure
        self.ideals = {spec.name: ideals_of(spec, self.topics[0].scale) for spec in self.specs}
        self.own = known
        ideal = list(self._ideal_runs())
        self.base = scored(self.topics, stacked([known, *ideal]), self.specs)
        is_ideal = self.base.values.index.get_level_values("run").str.startswith(_IDEAL)
        direction = pd.Series({s.name: 1.0 if s.measure.higher_is_better else -1.0 for s in self.specs})
        self.sign = direction.reindex(self.base.values.columns)
        own = self.base.values[is_ideal] * self.sign
        run = own.index.get_level_values("run")
        #: (topics × measures) the best score of its ideal runs, in the direction in which the measure is better
        self.best = pd.DataFrame(
            {
                name: own[name][run.isin([_IDEAL + one.name for one in self.ideals[name]])]
                .groupby(level="topic")
                .max()
                for name in own
            }
        )
        #: per measure: lists compared with the best, lists above it, by how much at most, and one for an example
        self.above: dict[str, tuple[int, int, float, _Shown | None]] = {}
        #: per measure: the best score of any list
        self.highest: dict[str, float] = {}
        self.rules: dict[str, set[tuple[str, str]]] = {}
        returned = {(run, topic) for run, topic in names_of_lists(known)}
        self._note_above(self.base, returned)

    def _ideal_runs(self) -> Iterator[Results]:
        """The ideal runs that the judgements give, under the quantisations and methods that measures have."""
        for applied in {one.name: one for ideals in self.ideals.values() for one in ideals}.values():
            try:
                made = applied.transform(self.results, self.topics)
            except InputError:
                continue  # a quantisation that the scale of the judgements does not know
            unsized = (made.end < made.start).any() and not (self.own.end < self.own.start).any()
            if len(made) and not unsized:  # documents whose size is not known would refuse measures of text
                yield replace(made, runs=pd.Index([_IDEAL + applied.name], dtype=object))

    # ---------------------------------------------------------------------------- what is found

    def findings(self, asked: Sequence[Applied]) -> Iterator[Finding]:
        """What is found of each transformation; ideal runs are compared with all lists, and come last."""
        for applied in sorted(asked, key=lambda one: one.transformation.expected == BEST):
            declared = applied.transformation
            if declared.expected == BEST:
                find = self._ideal
            elif declared.changes == JUDGEMENTS:
                find = self._judgements
            elif declared.steps:
                find = self._steps
            elif declared.over == MEANS:
                find = self._means
            else:
                find = self._lists
            try:
                yield from find(applied)
            except InputError as error:  # it cannot be done on judgements or runs of this kind
                told = error.problems[0]
                for spec in self.specs:
                    yield self._undecided(spec, applied, f"{told.found}; {told.expected}")

    def _lists(self, applied: Applied) -> Iterator[Finding]:
        """Each list that changed beside what it was."""
        made = applied.transform(self.base.results, self.topics)
        rows, names = changed(self.base.results, made)
        after = scored(self.topics, taken(made, rows), self.specs, average_over="run")
        self._note_above(after, names)
        before = self.base.values
        keys = after.values.index.intersection(before.index, sort=False)
        keys = keys[[key in names for key in keys]]
        for spec in self.specs:
            if spec.name not in after.values or spec.name not in before:
                yield self._undecided(
                    spec, applied, after.refused.get(spec.name) or self.base.refused[spec.name]
                )
                continue
            pair = pd.DataFrame(
                {"before": before[spec.name].reindex(keys), "after": after.values[spec.name].reindex(keys)}
            ).dropna()
            pair, note = self._allowed(spec, pair, after)
            if not len(pair):
                yield self._undecided(spec, applied, note or UNCHANGED)
                continue
            sign, expected = self.sign[spec.name], applied.expected(spec)
            change = (pair["after"] - pair["before"]).to_numpy()
            amount = wrong(expected, sign * change, pair.abs().max(axis=1).to_numpy())
            shown = _Shown.clearest(self.base, pair.index, amount)
            own = _own(pd.Series(change, index=pair.index))
            by_topic = own.groupby(level="topic").mean().to_numpy()
            yield self._finding(spec, applied, expected, amount, by_topic, shown, note)

    def _allowed(self, spec: Spec, pair: pd.DataFrame, after: Scored) -> tuple[pd.DataFrame, str]:
        """The pairs that keep the measure's rule, and what is told of the others."""
        rule = spec.measure.rule
        if not rule:
            return pair, ""
        if rule not in self.rules:
            self.rules[rule] = self.base.breaking(rule)
        broken = self.rules[rule] | after.breaking(rule)
        kept = pair[[key not in broken for key in pair.index]]
        refused = len(pair) - len(kept)
        return kept, f"{counted(refused, 'list')} breaking the rule {rule}, not scored" * bool(refused)

    def _note_above(self, found: Scored, names: set[tuple[str, str]]) -> None:
        """Note the lists that score above the ideal runs."""
        values = found.values
        values = values[[key in names for key in values.index]]
        columns = values.columns.intersection(self.best.columns)
        best = self.best[columns].reindex(values.index.get_level_values("topic"))
        scores = values[columns].to_numpy() * self.sign[columns].to_numpy()
        change = scores - best.to_numpy()
        known = ~np.isnan(change)
        amount = wrong(BEST, np.where(known, change, 0.0), np.where(known, scores, 0.0))
        for place, name in enumerate(columns):
            tried_, broken, largest, shown = self.above.get(name, (0, 0, np.nan, None))
            spec = next(spec for spec in self.specs if spec.name == name)
            own = amount[:, place].copy()
            lists = known[:, place].copy()
            if spec.measure.rule:
                ruled = found.breaking(spec.measure.rule)
                allowed = np.array([key not in ruled for key in values.index], dtype=bool)
                own, lists = own * allowed, lists & allowed
            if lists.any():
                best_here = float(scores[lists, place].max())
                self.highest[name] = max(self.highest.get(name, -np.inf), best_here)
            clearest = (shown, _Shown.clearest(found, values.index, own))
            shown = max((one for one in clearest if one), key=lambda one: one.clear, default=None)
            largest = np.fmax(largest, own.max(initial=0) or np.nan)
            self.above[name] = tried_ + int(lists.sum()), broken + int((own > 0).sum()), largest, shown

    def _ideal(self, applied: Applied) -> Iterator[Finding]:
        """All lists beside the best of the ideal runs."""
        own = self.base.values * self.sign
        for spec in self.specs:
            tried_, broken, largest, shown = self.above.get(spec.name, (0, 0, np.nan, None))
            if not tried_:
                yield self._undecided(
                    spec, applied, self.base.refused.get(spec.name, "there is no ideal run")
                )
                continue
            runs = own[spec.name][~own.index.get_level_values("run").str.startswith(_IDEAL)]
            best = self.best[spec.name].reindex(runs.index.get_level_values("topic"))
            below = pd.Series((runs.to_numpy() - best.to_numpy()) * self.sign[spec.name])
            by_topic = below.groupby(runs.index.get_level_values("topic").to_numpy()).mean().dropna()
            finding = self._finding(
                spec, applied, BEST, np.zeros(tried_), by_topic.to_numpy(), shown,
                "the runs and all lists made of them beside the best ideal run; the best score of any list is "
                f"{self.highest[spec.name] * self.sign[spec.name]:.4g}",
            )  # fmt: skip
            verdict = BREAKS if broken else UNBROKEN
            yield replace(finding, broken=broken, verdict=verdict, largest=largest)

    def _means(self, applied: Applied) -> Iterator[Finding]:
        """The mean of each run over the topics beside what it was."""
        after = scored(self.topics, applied.transform(self.own, self.topics), self.specs)
        yield from self._compared_means(applied, after)

    def _judgements(self, applied: Applied) -> Iterator[Finding]:
        """The mean of each run under other judgements beside those under these."""
        yield from self._compared_means(applied, scored(applied.judged(self.topics), self.own, self.specs))

    def _compared_means(self, applied: Applied, after: Scored) -> Iterator[Finding]:
        own = ~self.base.means.index.str.startswith(_IDEAL)
        for spec in self.specs:
            if spec.name not in after.means or spec.name not in self.base.means:
                yield self._undecided(
                    spec, applied, after.refused.get(spec.name) or self.base.refused[spec.name]
                )
                continue
            before, later = self.base.means[spec.name][own].align(after.means[spec.name], join="left")
            change = (later - before).to_numpy()
            expected = applied.expected(spec)
            amount = wrong(
                expected, self.sign[spec.name] * change, np.maximum(abs(before), abs(later)).to_numpy()
            )
            by_topic = _changes_by_topic(self.base.values[spec.name], after.values[spec.name])
            if applied.transformation.changes == JUDGEMENTS and not change.any() and not by_topic.any():
                yield self._undecided(spec, applied, "it changes no judgement here that the measure reads")
                continue
            finding = self._finding(spec, applied, expected, amount, by_topic, None, "")
            if spec.pooled:  # not the mean of topics, whose interval says nothing of it
                finding = replace(finding, mean_change=float(change.mean()), low=np.nan, high=np.nan)
            if finding.verdict == BREAKS:
                worst = int(amount.argmax())
                run, one, other = before.index[worst], before.iloc[worst], later.iloc[worst]
                finding = replace(
                    finding, example=f"mean of the run {run}: {one:.4g}, and then {other:.4g}\n"
                )
            yield finding

    def _steps(self, applied: Applied) -> Iterator[Finding]:
        """The mean over runs at each strength beside that at the one before."""
        made = [step.transform(self.own, self.topics) for step in applied.steps()]
        names = [step.name for step in applied.steps()]
        steps = [scored(self.topics, one, self.specs, average_over="run") for one in made]
        for spec in self.specs:
            if any(spec.name not in step.values for step in steps):
                told = next(step.refused.get(spec.name, "") for step in steps if spec.name not in step.values)
                yield self._undecided(spec, applied, told)
                continue
            own = [step.values[spec.name] for step in steps]
            changes = [_changes_by_topic(one, other) for one, other in pairwise(own)]
            sign = self.sign[spec.name]
            if not any(change.any() for change in changes):
                yield self._undecided(spec, applied, "no score changes here")
                continue
            p = paired_randomisation(np.transpose(changes), RESAMPLES, self.seed, two_tailed=True)
            rises = np.array([sign * change.mean() for change in changes])
            amount = np.where(p <= 1 - LEVEL, wrong(FALLS, rises, rises), 0.0)
            finding = self._finding(
                spec, applied, FALLS, amount, np.mean(changes, axis=0), None,
                f"means over runs and topics; a rise counts if it is significant at {1 - LEVEL:.2g}",
            )  # fmt: skip
            if finding.verdict == BREAKS:
                means = (f"{name}: {one.mean():.4g}\n" for name, one in zip(names, own, strict=True))
                finding = replace(finding, example="".join(means))
            yield finding

    # ---------------------------------------------------------------------------- what is written

    def _undecided(self, spec: Spec, applied: Applied, note: str) -> Finding:
        return Finding(
            spec.name, applied.name, applied.transformation.trait, applied.expected(spec), REPORTED, 0, 0,
            note=f"not decided: {note}",
        )  # fmt: skip

    def _finding(
        self,
        spec: Spec,
        applied: Applied,
        expected: str,
        amount: Floats,
        by_topic: Floats,
        shown: _Shown | None,
        note: str,
    ) -> Finding:
        """The finding on pairs that go so far wrong, with mean changes of topics, and the list for an example."""
        broken = int((amount > 0).sum())
        verdict = REPORTED if expected == NO_VERDICT else BREAKS if broken else UNBROKEN
        low, high = self._interval(by_topic)
        example = ""
        if shown is not None and self.examples:
            example = self._example(spec, applied, expected, shown)
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
            low=low,
            high=high,
            note=note,
            example=example,
        )

    def _interval(self, by_topic: Floats) -> tuple[float, float]:
        """The interval of the mean over topics."""
        limits = mean_intervals(by_topic[:, None], level=LEVEL, resamples=RESAMPLES, seed=self.seed)
        return float(limits[0][0]), float(limits[1][0])

    def _example(self, spec: Spec, applied: Applied, expected: str, shown: _Shown) -> str:
        """The smallest case that shows the breach: of one that shows another measure's, if that does."""
        breach = Breach(spec, applied, expected, min(shown.amount, SHOWN))
        known = self._shrunk.setdefault(applied.name, [])
        case = next((one for one in known if breach.shown(one)), None)
        if case is None:
            case = case_of(self.by_name[shown.topic], shown.results, shown.run)
        found = smallest(case, breach)
        known.append(found)
        return breach.told(found)


def _own(values: pd.Series) -> pd.Series:
    """Scores without those of the ideal runs that were added."""
    return values[~values.index.get_level_values("run").str.startswith(_IDEAL)]


def _changes_by_topic(before: pd.Series, after: pd.Series) -> Floats:
    """(n,) by how much scores changed on each topic, the mean over runs."""
    one, other = _own(before).align(_own(after), join="inner")
    by_topic = (other - one).dropna().groupby(level="topic").mean()
    return by_topic.to_numpy()
