"""``focuseval score``: score runs by measures."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuseval.cli.common import (
    PEOPLE,
    REJECTED_BY,
    answer,
    call,
    check_targets,
    declare,
    declare_inputs,
    list_problems,
    rejected_file,
    require,
)
from focuseval.errors import InputError, Option, Problem, counted, is_given, listed, on_command_line

if TYPE_CHECKING:
    from focuseval.scoring.score import Scores

#: defaults that `_settle` sets, after it has checked which options the user gave
_DEFAULTS = {"beta": 0.25, "n": 500}
#: options that have an effect only with --like
_ONLY_LIKE = {"beta", "n", "complete"}
#: options that have an effect with every program of --like
_LIKE_BOTH = {
    "command",
    "perform",
    "status",
    "like",
    "assessments",
    "runs",
    "lists_rejected",
    "per_topic",
    "output",
    "notices",
    "complete",
}
#: for each program of --like, the options that have an effect
_LIKE = {
    "inex_eval": {*_LIKE_BOTH, "task", "beta", "n"},
    "trec_eval": (
        _LIKE_TREC_EVAL := {*_LIKE_BOTH, "measures", "assessment_format", "run_format", "lenient", "size"}
    ),
    "trec_eval-10.0": _LIKE_TREC_EVAL,
}


def add(commands: Any) -> None:
    """Declare the command ``focuseval score`` and its options."""
    score = commands.add_parser("score", help="score runs: print run, topic, measure and value")
    declare_inputs(score)
    declare(score, "measures")
    score.add_argument(
        "--prop",
        type=Path,
        metavar="FILE",
        help="read measures (and files) of a task from a .prop file of EvalJ",
    )
    score.add_argument(
        "--like",
        choices=tuple(_LIKE),
        help="print the output of this program (inex_eval: for FOL qrels and runs; trec_eval: version 9.0; "
        "trec_eval-10.0: skips comments and, with -q -c, also prints topics that are missing in the run)",
    )
    declare(
        score, "task", default=None, help="task of --like or --prop, or task whose rules runs must follow"
    )
    score.add_argument("--beta", type=float, help="with --like: weight of recall in F (default: 0.25)")
    score.add_argument("--n", type=int, help="with --like: distance for Best in Context (default: 500)")
    score.add_argument(
        "-c", "--complete", action="store_true", help="with --like: average over all topics of the qrels"
    )
    score.add_argument(
        "-q", "--per-topic", action="store_true", help="print scores of every topic before the mean"
    )
    declare(score, "format", default=None)
    score.add_argument(
        "--topics",
        dest="average_over",
        choices=("assessed", "run"),
        help="average over all assessed topics, where missing topics score 0 (default), or over the run's topics (with "
        "--rules)",
    )
    declare(score, "output", help="write to this file, and rejected lines to a file next to it")
    score.add_argument(
        "--save",
        type=Path,
        metavar="FILE",
        help="save the scores of every topic as Parquet, for focuseval gate",
    )
    declare(score, "problems", "notices")
    score.set_defaults(perform=run, lists_rejected=True)


def _written(computed: "Scores", per_topic: bool, form: str, notices: list[str]) -> str:
    """Return the scores as text in a format of ``--format``.

    Formats for people have a column for each measure, and end with a remark on measures that are not means, and the
    signature. If run names are shortened, a message is added to ``notices``.
    """
    import pandas as pd

    from focuseval.measures.declaration import POOLED
    from focuseval.model.judgements import ALL
    from focuseval.report.parts import WRITERS
    from focuseval.report.tables import FORMS, short_names

    table = computed.table(per_topic=per_topic)
    scores = pd.DataFrame(table, columns=["run", "topic", "measure", "value"])
    if form in PEOPLE:
        scores = scores.pivot_table(
            "value", ["run", "topic"], "measure", sort=False, dropna=False
        ).reset_index()
        scores = scores.drop(columns="topic") if (scores["topic"] == ALL).all() else scores
    if form == "table" and len(scores):
        names = scores["run"].unique().tolist()
        short = dict(zip(names, short_names(names), strict=True))
        if short[names[0]] != names[0]:
            notices.append(
                f"run names are shortened; … replaces their common part ({short[names[0]]} is {names[0]})"
            )
        scores = scores.assign(run=scores["run"].map(short))
    if form in PEOPLE:
        pooled = [spec.asked for spec in computed.specs.values() if spec.pooled]
        below = [f"{listed(pooled)}: {POOLED}."] if pooled else []
        return WRITERS[form]([scores, *below, computed.signature], dict.fromkeys(map(str, scores.columns), 4))
    return FORMS[form](scores, {})


def _like(options: argparse.Namespace) -> int:
    """Print inex_eval's output for each run. Return 1 if inex_eval refuses a run."""
    from focuseval.compat.inex_eval import evaluate
    from focuseval.formats.readers import files_of_runs

    typed = {Path(run): run for run in options.runs}
    settings = {"per_topic": options.per_topic, "complete": options.complete}
    printed = [
        evaluate(options.task, qrels, typed.get(run, run), beta=options.beta, n=options.n, **settings)
        for qrels in options.assessments
        for run in files_of_runs(options.runs)[0]
    ]
    notices = [*dict.fromkeys(line for one in printed for line in one.notes)]
    refused = sum(one.refused for one in printed)
    if refused:
        notices.append(f"inex_eval rejects {refused} of {counted(len(printed), 'run')}; the output says why")
    answer("".join(one.text for one in printed), options, notices, options.output)
    return 1 if refused else 0


def _like_trec_eval(options: argparse.Namespace) -> int:
    """Print trec_eval's output for each run. Raises InputError for repeated documents, which trec_eval rejects."""
    from focuseval.campaign.notices import REPEATED, lines
    from focuseval.campaign.settings import Inputs
    from focuseval.compat.trec_eval import DEFAULT, NOT_HERE, RETURNED, measures_of, printed
    from focuseval.formats.parsed import COMMENT
    from focuseval.scoring.runs import score_runs

    measures = measures_of(options.measures or DEFAULT)
    names = [RETURNED, *(spec.name for spec in measures.values())]
    options.rules = "trec_eval"
    computed = score_runs(names, options.runs, call(Inputs, options), average_over="assessed")
    notices = lines(computed.notices)
    if not options.measures:
        measures_printed = f"the default measures of trec_eval are printed, except {NOT_HERE}"
        notices.insert(0, f"{measures_printed}, which focuseval does not have")
    if twice := [row.run for row in computed.notices if row.kind == REPEATED.name]:
        found = "the run repeats documents of a topic, but trec_eval expects each document once"
        raise InputError([Problem(f"run {run}", "", found, "remove the repeated lines") for run in twice])
    refused = [problem for problems in computed.refused.values() for problem in problems]
    if options.like == "trec_eval":
        remedy = "remove the comments, which trec_eval 9.0 does not skip, or use --like trec_eval-10.0"
        problems = [row.problem for row in computed.notices if row.problem]
        comments = [problem for problem in problems if problem.expected == COMMENT.treatment]
        refused += [replace(problem, expected=remedy) for problem in comments]
    if refused:
        raise InputError(refused)
    runs = computed.per_topic.groupby("run", sort=False, observed=True)
    settings = {"per_topic": options.per_topic, "complete": options.complete}
    settings["missing"] = options.complete and options.like != "trec_eval"
    text = "".join(printed(scores, measures, **settings) for _, scores in runs)
    answer(text, options, notices, options.output)
    return 0


def _settle(options: argparse.Namespace) -> None:
    """Raise InputError for options without effect, and set the defaults of missing options."""
    unused, found = _ONLY_LIKE, "the option applies only with --like"
    expected = "leave it out, and write parameters in the name of the measure, as in AgP(beta=0.25)"
    if options.like is not None:
        unused = vars(options).keys() - _LIKE[options.like]
        found, expected = f"the option has no effect with --like {options.like}", "leave it out"
    if names := [name for name, value in vars(options).items() if name in unused and is_given(value)]:
        raise InputError([Problem(on_command_line(Option(name)), "", found, expected) for name in names])
    for name, default in _DEFAULTS.items():
        if getattr(options, name) is None:
            setattr(options, name, default)


def _with_prop(options: argparse.Namespace) -> None:
    """Add the measures of a task in a ``.prop`` file, and its pools, assessments and runs if the user gives none."""
    from focuseval.compat.prop import read_prop

    tasks = {task.name: task for task in read_prop(options.prop)}
    name = options.task or (next(iter(tasks)) if len(tasks) == 1 else None)
    if name not in tasks:
        found = f"the file has no task {name!r}" if name else f"the file has {len(tasks)} tasks"
        raise InputError.of(str(options.prop), found, f"set --task to one of {', '.join(tasks)}")
    task = tasks[name]
    options.measures = [*(options.measures or []), *task.measures()]
    options.pools, options.task = options.pools or task.pools, None
    for given, folder in (("assessments", task.assessments_dir), ("runs", task.submissionruns_dir)):
        if getattr(options, given) is None and folder:
            paths = sorted(options.prop.parent.glob(folder.rstrip("/"))) or [options.prop.parent / folder]
            setattr(options, given, paths)


def run(options: argparse.Namespace) -> int:
    """Score runs, and print the scores. Return 1 if a measure could not be computed."""
    _settle(options)
    if options.prop is not None:
        _with_prop(options)
        check_targets(options)
    if options.like == "inex_eval":
        require(options, "assessments", "runs", "task")
        return _like(options)
    require(options, "assessments", "runs", *(["measures"] if options.like is None else []))
    if options.like is not None:
        return _like_trec_eval(options)

    from focuseval.campaign.notices import REJECTED, lines, problems_in
    from focuseval.campaign.settings import Inputs
    from focuseval.files import is_stream
    from focuseval.scoring.runs import score_runs

    inputs = call(Inputs, options)
    scores = score_runs(
        options.measures,
        options.runs,
        inputs,
        average_over=options.average_over,
        task=options.task or "thorough",
    )
    rejected = problems_in(scores.notices, REJECTED)
    notices = lines(scores.notices)
    if options.save is not None:
        from focuseval.campaign.saved_scores import origin_of, save_scores

        about = origin_of(scores.scale, inputs, scores.specs.values(), average_over=scores.average_over)
        save_scores(scores.per_topic, about, options.save)
        if (runs := scores.per_topic["run"].nunique()) > 1:
            notices.append(
                f"{options.save} has scores of {runs} runs; focuseval gate needs a baseline with scores of one run"
            )
    if options.output is not None and not is_stream(options.output):
        listing = rejected_file(options.output)
        if rejected:
            list_problems(rejected, listing, REJECTED_BY)
            notices.append(f"{listing} lists {counted(len(rejected), 'rejected line')}")
        else:
            listing.unlink(missing_ok=True)  # an earlier call may have left this list
    refused = [problem for of_measure in scores.refused.values() for problem in of_measure]
    list_problems([*rejected, *refused], options.problems)
    people = options.output is None and sys.stdout.isatty()
    form = options.format or ("table" if people else "tsv")
    answer(_written(scores, options.per_topic, form, notices), options, notices, options.output)
    return 1 if refused else 0
