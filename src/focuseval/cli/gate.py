"""``focuseval gate``: whether a run is worse than its baseline; 0 no, 1 yes, 2 cannot tell."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuseval.cli.inputs import add_drawing, add_inputs, inputs, reading, require
from focuseval.cli.output import note
from focuseval.errors import NAMED_ALIKE, InputError, Problem, counted

if TYPE_CHECKING:
    import pandas as pd

    from focuseval.scoring.score import Scores

#: where GitHub says that a summary of the job is to be written
SUMMARY = "GITHUB_STEP_SUMMARY"


def add(commands: Any) -> None:
    """Declare the command and its options."""
    gate = commands.add_parser(
        "gate",
        help="fail if a run is worse than its baseline",
        epilog="Exit status: 0 not worse, 1 worse, 2 cannot tell (bad input, or nothing could fail).",
    )
    gate.add_argument(
        "--baseline", type=Path, metavar="FILE", help="scores of focuseval score --save, or a run"
    )
    gate.add_argument("--run", type=Path, metavar="FILE", help="the run to judge")
    add_inputs(gate)
    gate.add_argument("--measure", action="append", metavar="SPEC", help="as in AiP or iP@0.01")
    gate.add_argument(
        "--max-drop",
        default="0",
        metavar="X",
        help="how far a mean may fall, in the measure's own unit, as in 0.02 (0)",
    )
    gate.add_argument(
        "--test",
        choices=("randomisation", "bootstrap", "t-test"),
        help="fail only if the difference is significant, too",
    )
    add_drawing(gate)
    gate.add_argument("--task", metavar="NAME", default="thorough", help="whose rules runs must keep")
    gate.set_defaults(perform=run, bad_input=2)


def _summarise(markdown: str) -> None:
    """Append to the summary of the job, where there is one."""
    if os.environ.get(SUMMARY):
        from focuseval.report.tables import without_tags

        with open(os.environ[SUMMARY], "a", encoding="utf-8") as out:
            out.write(f"{without_tags(markdown)}\n")


def _scores(options: argparse.Namespace) -> "tuple[pd.DataFrame, str, list[str]]":
    """The scores of both runs on every topic, the name of the baseline, and what is to be told."""
    import pandas as pd

    from focuseval.api import scored
    from focuseval.campaign.notices import lines
    from focuseval.campaign.saved_scores import are_saved_scores, check_origin, load_scores, origin_of
    from focuseval.scoring.score import check_relevant

    saved = are_saved_scores(options.baseline)
    if not saved and options.run.resolve() == options.baseline.resolve():
        raise InputError(Problem("--run", "", f"{options.run} is the baseline, too", "give the run to judge"))
    files = [options.run] if saved else [options.baseline, options.run]
    found = scored(options.measure, files, inputs(options), task=options.task)
    scores, runs = found.scores, list(found.in_files.values())
    if len(runs) != (1 if saved else 2):
        count = counted(len(runs), "run") + " with the baseline" * (not saved)
        raise InputError(Problem(str(options.run), "", count, "give one run, another than the baseline"))
    check_relevant(scores.per_topic)
    _refuse_unscored(scores)
    told = lines(found.notices)
    if not saved:
        return scores.per_topic, runs[0], told
    before, origin = load_scores(options.baseline)
    told += check_origin(options.baseline, origin, origin_of(found.scale, reading(options)))
    asked = scores.per_topic["name"].unique().tolist()
    _check_saved(options.baseline, before, asked)
    name = before["run"].iloc[0]
    name = f"{name} in {options.baseline.name}" if name == runs[0] else name
    before = before[before["name"].isin(asked)].assign(run=name)
    return pd.concat([before, scores.per_topic], ignore_index=True), name, told


def _refuse_unscored(scores: "Scores") -> None:
    """Raise InputError for measures and runs without scores: a run must not pass under a measure that nobody saw."""
    from focuseval.campaign.notices import STRANGE

    scored = set(scores.per_topic["name"])
    unscored = [problem for found in scores.refused.values() for problem in found] + [
        Problem(f"measure {asked}", "", "no topic has relevant content", "leave it out")
        for asked, name in scores.asked.items()
        if name not in scored
    ]
    unscored += [
        Problem(f"run {notice.run}", "", "no result is in a document with judgements", NAMED_ALIKE)
        for notice in scores.notices
        if notice.kind == STRANGE.name
    ]
    if unscored:
        raise InputError(unscored)


def _check_saved(path: Path, before: "pd.DataFrame", asked: Sequence[str]) -> None:
    """Raise InputError unless the saved scores are of one run, under every measure that is asked for."""
    known = before["name"].unique().tolist()
    problems = [
        Problem(str(path), "", f"no scores under {measure}", f"it has {', '.join(known)}")
        for measure in asked
        if measure not in known
    ]
    if before["run"].nunique() != 1:
        found = f"scores of {before['run'].nunique()} runs"
        problems.append(Problem(str(path), "", found, "save the scores of one run"))
    if problems:
        raise InputError(problems)


def run(options: argparse.Namespace) -> int:
    """Judge the run; 1 if it is worse."""
    try:
        require(options, "baseline", "run", "assessments", "measure")
        from focuseval.comparing.gate import judge, limit_of
        from focuseval.statistics.paired import Method

        method = Method(options.test, resamples=options.resamples, seed=options.seed, alpha=options.alpha)
        limit = limit_of(options.max_drop, options.measure)
        per_topic, baseline, told = _scores(options)
        verdict = judge(per_topic, baseline, max_drop=limit, method=method, notes=told)
    except InputError as error:
        listed = "".join(f"- {problem}\n" for problem in error.problems)
        _summarise(f"## Cannot tell whether the run is worse\n\n{listed}")
        raise
    for line in verdict.comparison.notes:
        note(line)
    print(verdict.to_text(), end="")
    _summarise(verdict.to_markdown())
    return 1 if verdict.worse else 0
