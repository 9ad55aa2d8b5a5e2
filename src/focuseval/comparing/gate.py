"""A gate for continuous integration, which fails a run that is worse than its baseline."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Unpack

import numpy as np
import pandas as pd

from focuseval.arguments import MEASURE_NAMES, one_of, read_argument
from focuseval.campaign.assembly import IN_MEMORY, paths_of
from focuseval.campaign.notices import STRANGE, lines
from focuseval.campaign.saved_scores import (
    are_saved_scores,
    check_origin,
    load_scores,
    of_same_files,
    origin_of,
    signature,
)
from focuseval.campaign.settings import Inputs, InputSettings, Runs
from focuseval.comparing.compare import (
    Comparison,
    by_measure,
    compare_scores,
    has_intervals,
    outcomes,
    tables_of,
)
from focuseval.errors import (
    NAMED_ALIKE,
    InputError,
    Option,
    Problem,
    Sentence,
    counted,
)
from focuseval.measures import MEASURES, lower_is_better, parse_specs
from focuseval.numerals import real
from focuseval.report.parts import Heading, Part, Printable
from focuseval.report.tables import Decimals
from focuseval.scoring.runs import score_runs
from focuseval.scoring.score import Scores
from focuseval.statistics.comparisons import Method
from focuseval.statistics.significance import order_of, rounding

#: the name of the argument that sets the allowed drop of a mean
LIMIT = "max_drop"

#: the values of ``fail_if``: a run fails if its mean drops too far, or also if the interval includes such a drop
MEAN, INTERVAL = FAIL_IF = ("mean", "limit")

#: the maximum number of topics that are listed for each measure
SHOWN_TOPICS = 10

DECIMALS: Decimals = dict.fromkeys(
    ("mean_baseline", "mean", "difference", "low", "high", "baseline", "run"), 4
)


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Printable):
    """The verdict on a run under each measure: whether the run is worse than its baseline."""

    comparison: Comparison
    #: the verdict under each measure: "worse", "not worse", "not significant" (the drop is too large, but the test does
    #: not confirm it) or "not shown" (the drop is allowed, but its interval includes larger drops)
    found: dict[str, str]
    #: for each measure, the topics on which the run is worse, worst first; the columns are topic, baseline, run and
    #: difference
    topics: dict[str, pd.DataFrame]
    max_drop: float
    fail_if: str = MEAN

    title = "Run compared with its baseline"
    decimals = DECIMALS

    @property
    def notes(self) -> list[str]:  # type: ignore[override]  # in other classes, notes is a field
        """The comparison's warnings, one line each."""
        return self.comparison.notes

    @property
    def signature(self) -> str:  # type: ignore[override]
        """The line with the settings and checksums that are needed to reproduce the comparison."""
        return self.comparison.signature

    @property
    def worse(self) -> bool:
        """Whether the run is worse than its baseline, or not shown to be as good, under any measure."""
        return not {"worse", "not shown"}.isdisjoint(self.found.values())

    def to_frame(self) -> pd.DataFrame:
        """Return the unrounded comparisons with their verdicts as a tidy frame."""
        return self.comparison.pairs.assign(verdict=list(self.found.values()))

    def parts(self) -> list[Part]:
        """Return the parts of the report: the verdict, a table of measures, the rule, and topics.

        Topics on which the run is worse are listed for each measure, unless its verdict is "not worse".
        """
        pairs, method = self.comparison.pairs, self.comparison.method
        first = pairs.iloc[0]
        columns = ["measure", "mean_baseline", "mean", "difference"]
        if method.test is not None:
            columns.append("p_adjusted")
        table = self.to_frame().assign(
            difference=by_measure(pairs, "difference", "+"), topics=outcomes(pairs)
        )
        table = table[[*columns, "topics", "verdict"]]
        rule = f"Worse: the mean falls by more than {self.max_drop:g}"
        if self.fail_if == INTERVAL:
            rule += "; not shown to be as good: the interval of the difference includes larger falls"
        elif method.test:
            rule += f", and the difference is significant ({method.in_words(counted(len(pairs), 'measure'))})"
        brackets = f" Brackets: {100 * (1 - method.alpha):g} % interval." if has_intervals(pairs) else ""
        only_shown = self.worse and "worse" not in self.found.values()
        answer = "not shown to be as good" if only_shown else "worse" if self.worse else "not worse"
        parts: list[Part] = [
            Heading(f"{first['run']} against {first['baseline']}: {answer}"),
            table,
            f"{rule}.{brackets} Topics: won/tied/lost.",
        ]
        for measure, topics in self.topics.items():
            if self.found[measure] == "not worse":
                continue
            row = pairs[pairs["measure"] == measure].iloc[0]
            side = "below" if row["difference"] < 0 else "above"
            suffix = f" (the first {SHOWN_TOPICS})" if len(topics) > SHOWN_TOPICS else ""
            parts += [
                f"{measure} is {abs(row['difference']):.4f} {side} the baseline ({self.found[measure]}), and "
                f"worse on {len(topics)} of {counted(row['topics'], 'topic')}{suffix}:",
                topics.head(SHOWN_TOPICS),
            ]
        return [*parts, *filter(None, [self.signature])]


def gate(
    measures: str | Sequence[str],
    *,
    runs: Runs,
    baseline: Runs,
    max_drop: float | str = 0.0,
    fail_if: str = MEAN,
    test: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    task: str = "thorough",
    **inputs: Unpack[InputSettings],
) -> Verdict:
    """Judge whether a run is worse than its baseline, as in ``assert not focuseval.gate("AiP", …).worse``.

    ``measures``, ``task``, ``inputs``
        as for `focuseval.score`. Assessed topics that are missing in a run score 0.
    ``runs``, ``baseline``
        one run each: a file, or ``{"name": data}``. The baseline may also be a file of scores that ``focuseval score
        --save`` computed from the same inputs.
    ``max_drop``
        the allowed drop of a mean, in the unit of the measures.
    ``fail_if``
        With ``"mean"``, a run fails if its mean drops by more than ``max_drop``. With ``"limit"``, it also fails if the
        confidence interval of the difference includes a larger drop. Thus a run passes only if it is shown to be at
        most ``max_drop`` worse (a test of non-inferiority).
    ``test``
        ``randomisation``, ``bootstrap``, ``t-test`` or ``wilcoxon``. With ``fail_if="mean"``, a run then fails only if
        the drop is also significant. With ``fail_if="limit"``, the test gives the interval.
    ``resamples``, ``seed``, ``alpha``
        as for `focuseval.compare`.

    The result has ``worse`` (whether the run fails), ``found`` (the verdict under each measure), and ``topics`` (the
    topics on which the run is worse). Notebooks show the result as tables.

    Raises InputError for unusable inputs, and if no run could fail (docs/ci.md).
    """
    names = read_argument("measures", measures, MEASURE_NAMES)
    settings = Inputs.of(gate, inputs)
    method = Method(test, resamples=resamples, seed=seed, alpha=alpha)
    read_argument("fail_if", fail_if, one_of(FAIL_IF))
    limit = limit_of(str(max_drop), names)
    per_topic, of_baseline, notes, signed = _scores_of(names, baseline, runs, settings, task)
    outcome = judge(per_topic, of_baseline, max_drop=limit, method=method, notes=notes, fail_if=fail_if)
    return replace(outcome, comparison=replace(outcome.comparison, signature=signed))


def limit_of(text: str, measures: Sequence[str]) -> float:
    """Parse ``max_drop``, the allowed drop of a mean in the unit of the measures.

    Raises InputError unless the text is a non-negative number that is smaller than the range of every measure.
    """
    text = text.strip()
    share = text.rstrip("% ")
    try:
        limit = real(share)
    except ValueError:
        limit = -1.0
    if limit < 0:
        raise InputError.of(LIMIT, f"the value is {text!r}", "expected a number of 0 or more")
    meant = f"for a measure from 0 to 1, write {limit / 100:g} for {limit:g} %"
    if share != text:
        raise InputError.of(
            LIMIT, f"the value is {text!r}", f"expected a number on the scale of the measure; {meant}"
        )
    specs = {spec.name: spec for name in measures for spec in parse_specs(name, MEASURES)}
    bounds = {name: spec.measure.bounds_of(spec.parameters) for name, spec in specs.items()}
    if problems := [
        Problem(
            LIMIT,
            "",
            f"the value is {text}, but {name} ranges from {low:g} to {high:g}",
            f"expected less than {high - low:g}" + (f" ({meant})" if limit / 100 < high - low else ""),
        )
        for name, (low, high) in bounds.items()
        if limit >= high - low
    ]:
        raise InputError(problems)
    return limit


def _scores_of(
    measures: Sequence[str], baseline: Runs, runs: Runs, inputs: Inputs, task: str
) -> tuple[pd.DataFrame, str, list[str], str]:
    """Score the run on every topic. Score the baseline too, or load its saved scores.

    Returns the scores, the baseline's name, the notices and the signature. Raises InputError if there is not exactly
    one run, if a run cannot be scored under a measure, or if saved scores were computed from other inputs.
    """
    if not isinstance(runs, Mapping):
        runs = paths_of(runs, "runs", IN_MEMORY)
    if len(runs) > 1:
        raise InputError.of("runs", f"there are {len(runs)} runs", "give only the run to judge")
    saved = isinstance(baseline, str | PathLike) and are_saved_scores(Path(baseline))
    both = runs if saved else _together(baseline, runs)
    scores = score_runs(measures, both, inputs, average_over="assessed", task=task)
    names = list(scores.in_files.values())
    if len(names) != (1 if saved else 2):
        count = counted(len(names), "run") + (", including the baseline" if not saved else "")
        raise InputError.of("runs", f"the files have {count}", "give one run that is not the baseline")
    _refuse_unscored(scores)
    notices = lines(scores.notices)
    if not saved:
        return scores.per_topic, names[0], notices, scores.signature
    path = Path(str(baseline))
    before, origin = load_scores(path)
    here = origin_of(scores.scale, inputs, scores.specs.values())
    notices += check_origin(path, origin, here)
    before = before.assign(name=of_same_files(before["name"], origin, here))
    _check_saved(path, before, scores.per_topic)
    asked = scores.per_topic["name"].unique().tolist()
    name = before["run"].iloc[0]
    name = f"{name} in {path.name}" if name == names[0] else name
    before = before[before["name"].isin(asked)].assign(run=name)
    both = pd.concat([before, scores.per_topic], ignore_index=True)
    # the checksum is computed from the table, because the bytes of the file depend on the version that wrote it
    content = before.to_csv(index=False).encode()
    return both, name, notices, signature(scores.specs.values(), inputs, runs=runs, baseline=content)


def _together(baseline: Runs, runs: Runs) -> Runs:
    """Combine the baseline and the run, baseline first.

    Raises InputError if they have the same file or name, and if only one is in memory.
    """
    if isinstance(baseline, Mapping) and isinstance(runs, Mapping):
        if twice := baseline.keys() & runs.keys():
            raise InputError.of(
                "runs", f"{min(twice)!r} is also the name of the baseline", "choose another name"
            )
        return {**baseline, **runs}
    if isinstance(baseline, Mapping) or isinstance(runs, Mapping):
        expected = "give two files, two runs in memory, or saved scores of the baseline"
        raise InputError.of("baseline", "only one of run and baseline is in memory", expected)
    paths = [*paths_of(baseline, "baseline", IN_MEMORY), *paths_of(runs, "runs", IN_MEMORY)]
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError.of(
            "runs", f"{paths[-1]} is also the baseline", "give another run to compare with it"
        )
    return paths


def _refuse_unscored(scores: Scores) -> None:
    """Raise InputError if a measure was refused, or if a run has no result in a judged document."""
    unscored = [problem for problems in scores.refused.values() for problem in problems]
    unscored += [
        Problem(f"run {notice.run}", "", "no result is in a document with judgements", NAMED_ALIKE)
        for notice in scores.notices
        if notice.kind == STRANGE.name
    ]
    if unscored:
        raise InputError(unscored)


def _check_saved(path: Path, before: pd.DataFrame, here: pd.DataFrame) -> None:
    """Raise InputError unless the saved scores are of one run and have all measures and topics of the new scores.

    ``before`` has the saved scores, and ``here`` the new scores.
    """
    saved_names, names = before["name"].unique().tolist(), here["name"].unique().tolist()
    expected = f"choose from its measures ({', '.join(saved_names)}), or score the baseline again"
    problems = [
        Problem(str(path), "", f"the file has no scores for {measure}", expected)
        for measure in names
        if measure not in saved_names
    ]
    for measure in names:
        saved, topics = (set(rows.loc[rows["name"] == measure, "topic"]) for rows in (before, here))
        if measure in saved_names and saved != topics:
            found = f"the file has scores for {measure} on {len(saved & topics)} of {counted(len(topics), 'topic')}"
            found += f" and on {counted(len(saved - topics), 'other')}" if saved - topics else ""
            problems.append(Problem(str(path), "", found, "the file is damaged, so score the baseline again"))
    if before["run"].nunique() != 1:
        found = f"the file has scores of {before['run'].nunique()} runs"
        problems.append(Problem(str(path), "", found, "save the scores of only one run"))
    if problems:
        raise InputError(problems)


def judge(
    per_topic: pd.DataFrame,
    baseline: str,
    *,
    max_drop: float,
    method: Method,
    notes: Sequence[str] = (),
    fail_if: str = MEAN,
) -> Verdict:
    """Judge a run against its baseline under every measure.

    With ``fail_if="mean"``, the run is worse if its mean drops by more than ``max_drop``. If the method has a test, the
    difference must also be significant (p_adjusted <= alpha). With ``fail_if="limit"``, significance is not needed. The
    verdict is "not shown" if the mean drops by at most ``max_drop``, but the interval includes a larger drop. If lower
    scores are better, increases count as drops.

    ``per_topic`` has the scores of both runs, as in `focuseval.scoring.score.Scores.per_topic`. Raises InputError if no
    run could fail, if a required interval is missing, and for a t-test if all topics have the same difference.
    """
    comparison = compare_scores(per_topic, baseline, method, notes)
    # all measures together decide whether the run passes, so p-values are corrected for the number of measures
    adjusted = method.adjusted(comparison.pairs["p"].to_numpy())
    comparison = replace(comparison, pairs=comparison.pairs.assign(p_adjusted=adjusted))
    tables = tables_of(per_topic)
    lower = lower_is_better(tables)
    _check_can_fail(comparison, max_drop, lower, confirmed=fail_if == MEAN and method.test is not None)
    verdicts, topics = {}, {}
    for row in comparison.pairs.itertuples():
        measure, sign = str(row.measure), -1 if row.measure in lower else 1
        limit = row.low if sign > 0 else row.high
        # if all topics tie, there is no interval, so its limit counts as 0
        if np.isnan(limit) and row.wins == row.losses == 0:
            limit = 0.0
        if fail_if == INTERVAL and np.isnan(limit):
            expected = f"use more than {counted(row.topics, 'topic')}, or another test"
            raise InputError.of(measure, "the difference has no interval", expected)
        beyond, reaches = (
            order_of(max_drop, -sign * change, row.mean_baseline, row.mean) > 0
            for change in (row.difference, limit)
        )
        confirmed = fail_if == INTERVAL or method.test is None or row.p_adjusted <= method.alpha
        if beyond and not confirmed and method.test == "t-test" and np.isnan(row.p):
            alike = f"each of the {row.topics} topics changes by {row.difference:+.4g}"
            no_spread = f"a t-test needs differences that vary, but {alike}"
            raise InputError.of(
                measure, no_spread, Sentence("leave the test out, or set ", Option("test", "randomisation"))
            )
        if beyond:
            verdicts[measure] = "worse" if confirmed else "not significant"
        else:
            verdicts[measure] = "not shown" if fail_if == INTERVAL and reaches else "not worse"
        before, after = (tables[measure].values[run].to_numpy(dtype=float) for run in (row.baseline, row.run))
        change = after - before
        order = np.argsort(sign * change, kind="stable")
        order = order[sign * order_of(before, after)[order] < 0]
        names = tables[measure].values.index.astype(str).to_numpy()
        columns = {"topic": names, "baseline": before, "run": after, "difference": change}
        topics[measure] = pd.DataFrame({name: column[order] for name, column in columns.items()})
    return Verdict(comparison, verdicts, topics, max_drop, fail_if)


def _check_can_fail(comparison: Comparison, max_drop: float, lower: Collection[str], confirmed: bool) -> None:
    """Raise InputError if no run could fail under a measure.

    The baseline may be too close to the worst score for a drop of more than ``max_drop``. If a drop must be
    ``confirmed`` by the test, all possible p-values may be too large.
    """
    pairs, method = comparison.pairs, comparison.method
    least = method.adjusted(np.array([method.smallest(topics) for topics in pairs["topics"]]))
    problems = []
    for row, p in zip(pairs.itertuples(), least, strict=True):
        spec = parse_specs(row.measure, MEASURES)[0]
        low, high = spec.measure.bounds_of(spec.parameters)
        room = high - row.mean_baseline if row.measure in lower else row.mean_baseline - low
        room -= rounding(row.mean_baseline, max_drop)
        if max_drop >= room:
            found = (
                f"no run can fail, because the baseline's mean of {row.measure} is {row.mean_baseline:.4g}"
            )
            found += f", and only a drop of more than {max_drop:g} fails"
            expected = f"expected less than {room:.4g}" if room > 0 else "use another baseline"
            problems.append(Problem(LIMIT, "", found, expected))
        if confirmed and p > method.alpha:
            found = f"no fall can be significant at alpha {method.alpha:g}, because p is at least {p:.2g}"
            found += f" with {counted(row.topics, 'topic')}, {method.resamples:,} resamples"
            found += f" and {counted(len(pairs), 'measure')}"
            problems.append(
                Problem(row.measure, "", found, "use more topics or resamples, or leave the test out")
            )
    if problems:
        raise InputError(problems)
