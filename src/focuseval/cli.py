"""The command line: ``focuseval score``, ``focuseval check`` and ``focuseval measures``."""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

from focuseval.errors import InputError, Problem

if TYPE_CHECKING:
    from focuseval.measures import Measure

SCALES = ("inex2002", "inex2003", "inex2005", "highlights")
UNITS = ("characters", "words", "bytes")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="focuseval", description="Evaluate systems that answer with parts of documents."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    score = commands.add_parser("score", help="score runs: prints run, topic, measure, value")
    score.add_argument("--collection", type=Path, metavar="PATH", help="folder, .tar.gz or .zip of XML")
    score.add_argument("--assessments", type=Path, action="append", metavar="PATH", help="file or folder")
    score.add_argument("--run", type=Path, action="append", metavar="PATH", help="a run, or a folder of runs")
    score.add_argument("--measure", action="append", metavar="SPEC", help="as in inex2003(variant=o)@0.1")
    score.add_argument(
        "--prop", type=Path, metavar="FILE", help="measures (and files) of a task in EvalJ's .prop file"
    )
    score.add_argument(
        "--like", choices=("inex_eval",), help="print what that program prints for FOL qrels and runs"
    )
    score.add_argument(
        "--task", metavar="NAME", help="task of --like or --prop, or whose rules runs must keep"
    )
    score.add_argument("--beta", type=float, default=0.25, help="--like: weight of recall in F (0.25)")
    score.add_argument("--n", type=int, default=500, help="--like: distance of Best in Context (500)")
    score.add_argument("--per-topic", action="store_true", help="print every topic before the mean")
    score.add_argument("--format", choices=("tsv", "csv", "json"), default="tsv")
    score.add_argument("--assessment-format", metavar="NAME", help="instead of recognising the format")
    score.add_argument("--run-format", metavar="NAME", help="instead of recognising the format")
    score.add_argument("--scale", choices=SCALES, help="of the assessments, instead of recognising it")
    score.add_argument("--unit", choices=UNITS, default="characters", help="what text is counted in")
    score.add_argument("--size", type=int, default=1500, metavar="N", help="results looked at (1500)")
    score.add_argument(
        "--topics",
        choices=("assessed", "run"),
        default="assessed",
        help="mean over all assessed topics, a missing one scoring 0 (default), or over the run's own",
    )
    score.add_argument("--equal-scores-tie", action="store_true", help="equal scores share a rank")
    score.add_argument(
        "--lenient", action="store_true", help="go on without bad lines; what is left out is listed"
    )
    score.add_argument("--output", type=Path, metavar="FILE", help="write there, rejected lines beside it")

    check = commands.add_parser("check", help="say what files are and everything that is wrong with them")
    check.add_argument("files", type=Path, nargs="+", metavar="FILE")

    commands.add_parser("measures", help="list every measure with its parameters, defaults and paper")
    return parser


def _note(text: str) -> None:
    print(f"focuseval: {text}", file=sys.stderr)


def _print_scores(table: list[tuple[str, str, str, float]], layout: str, out: IO[str]) -> None:
    """Write run, topic, measure, value with full double precision."""
    columns = ("run", "topic", "measure", "value")
    if layout == "json":
        rows = [dict(zip(columns, row, strict=True)) for row in table]
        out.write("[" + ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]\n")
        return
    writer = csv.writer(out, delimiter="\t" if layout == "tsv" else ",", lineterminator="\n")
    writer.writerow(columns)
    writer.writerows((run, topic, measure, repr(value)) for run, topic, measure, value in table)


def _like(options: argparse.Namespace) -> str:
    """What the official program prints for each run."""
    from focuseval.formats.raw import files_of
    from focuseval.parity import inex_eval

    settings = {"per_topic": options.per_topic, "beta": options.beta, "n": options.n}
    return "".join(
        inex_eval(options.task, qrels, run, **settings)
        for qrels in options.assessments
        for run in files_of(options.run)
    )


def _with_prop(options: argparse.Namespace) -> None:
    """Fill in measures, pools, assessments and runs from the task of a .prop file."""
    from focuseval.formats.prop import read_prop

    tasks = {task.name: task for task in read_prop(options.prop)}
    name = options.task or (next(iter(tasks)) if len(tasks) == 1 else None)
    if name not in tasks:
        found = f"task {name}" if name else f"{len(tasks)} tasks"
        raise InputError(Problem(str(options.prop), "", found, f"--task is one of {', '.join(tasks)}"))
    task = tasks[name]
    options.measure = [*(options.measure or []), *task.measures()]
    options.pools, options.task = task.pools, None
    for given, folder in (("assessments", task.assessments_dir), ("run", task.submissionruns_dir)):
        if getattr(options, given) is None and folder:
            paths = sorted(options.prop.parent.glob(folder.rstrip("/"))) or [options.prop.parent / folder]
            setattr(options, given, paths)


def _require(options: argparse.Namespace, *names: str) -> None:
    """Raise InputError for options that are needed here and not given."""
    lacking = [f"--{name}" for name in names if not getattr(options, name)]
    if lacking:
        raise InputError(
            Problem("focuseval score", "", f"no {', '.join(lacking)}", "see focuseval score --help")
        )


def _check_output(file: Path | None) -> None:
    """Say at once if there can be no such file, not after the work."""
    if file is None:
        return
    if file.is_dir():
        raise InputError(Problem("--output", "", f"{file} is a folder", "give the name of a file"))
    if not file.parent.is_dir():
        raise InputError(Problem("--output", "", f"the folder {file.parent} is not there", "make it first"))


def _score(options: argparse.Namespace) -> int:
    _check_output(options.output)
    options.pools = ()
    if options.prop is not None:
        _with_prop(options)
    if options.like is not None:
        _require(options, "assessments", "run", "task")
        return _deliver(lambda out: out.write(_like(options)), options.output)
    _require(options, "assessments", "run", "measure")

    from focuseval.api import read_campaign, score_campaign

    campaign = read_campaign(
        assessments=options.assessments,
        runs=options.run,
        collection=options.collection,
        assessment_format=options.assessment_format,
        run_format=options.run_format,
        scale=options.scale,
        unit=options.unit,
        size=options.size,
        pools=options.pools,
        equal_scores_tie=options.equal_scores_tie,
        lenient=options.lenient,
    )
    scores = score_campaign(
        campaign,
        options.measure,
        average_over=options.topics,
        task=options.task or "thorough",
        lenient=options.lenient,
    )
    for line in [*campaign.notes, *scores.notes()]:
        _note(line)
    table = scores.table(per_topic=options.per_topic)
    if campaign.rejected and options.output is not None:
        beside = options.output.with_name(options.output.name + ".rejected")
        _deliver(lambda out: out.writelines(f"{problem}\n" for problem in campaign.rejected), beside)
        _note(f"{len(campaign.rejected)} lines left out, listed in {beside}")
    else:
        for problem in campaign.rejected:
            _note(f"left out: {problem}")
    return _deliver(lambda out: _print_scores(table, options.format, out), options.output)


def _deliver(write: Callable[[IO[str]], object], file: Path | None) -> int:
    """Let ``write`` print, or fill a file that appears complete or not at all."""
    if file is None:
        write(sys.stdout)
        return 0
    from focuseval.files import write_atomically

    with write_atomically(file) as out:
        write(out)
    return 0


def _check(options: argparse.Namespace) -> int:
    from focuseval.formats.checking import check

    wrong = 0
    for file in options.files:
        description, problems = check(file)
        print(f"{file}: {description}, {len(problems) or 'no'} problem{'s' * (len(problems) != 1)}")
        for problem in problems:
            print(f"  {problem}")
        wrong += bool(problems)
    return 1 if wrong else 0


def _cutoff_form(measure: "Measure") -> str:
    """``@rank`` where a cut-off is required, ``[@level]`` where it may be left out."""
    if measure.cutoff is None:
        return ""
    form = f"@{measure.cutoff.kind}"
    return form if measure.cutoff.required else f"[{form}]"


def _measures(options: argparse.Namespace) -> int:
    from focuseval.measures import MEASURES
    from focuseval.measures.declaration import format_value

    for measure in MEASURES.values():
        direction = "higher" if measure.higher_is_better else "lower"
        print(measure.name + _cutoff_form(measure))
        print(f"    {measure.summary}")
        print(f"    {measure.paper}; {measure.bounds[0]:g} to {measure.bounds[1]:g}, {direction} is better")
        for p in measure.parameters:
            values = "|".join(p.choices) or ("text" if p.reader else f"{p.low:g} to {p.high:g}")
            print(f"    {p.name}={format_value(p.default)}  ({values}) {p.summary}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, 1 (something is wrong with an input) or 2 (usage)."""
    options = _parser().parse_args(arguments)
    command = {"score": _score, "check": _check, "measures": _measures}[options.command]
    try:
        return command(options)
    except InputError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except OSError as error:
        _note(f"{error.filename}: {error.strerror}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
