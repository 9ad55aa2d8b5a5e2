"""What commands that read runs and assessments have in common: their options."""

import argparse
from collections.abc import Callable, Iterable
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

from focuseval.errors import STANDARD_INPUT, InputError, Option, Problem, is_given, on_command_line
from focuseval.model.vocabulary import GRAINS, SCALES, UNITS

T = TypeVar("T")

#: forms of a table for people, with rounded numbers, and for programs, with all digits
#: (`focuseval.report.tables.FORMS`)
FORMS = (*(PEOPLE := ("table", "markdown", "latex")), "tsv", "csv", "json")

#: resamples at most
MOST_RESAMPLES = 1_000_000


def add_inputs(command: argparse.ArgumentParser, *, checking: bool = False) -> None:
    """Declare where assessments, documents and runs are, and how these are read.

    ``checking`` leaves out no line, and has files that need no option.
    """
    command.add_argument(
        *("--collection", "--documents"),
        type=Path,
        metavar="PATH",
        help="folder, .tar.gz or .zip of XML, of text or of source code; REPOSITORY@REVISION of git",
    )
    command.add_argument(
        *("--assessments", "--gold"), type=Path, action="append", metavar="PATH", help="file or folder"
    )
    command.add_argument("--assessment-format", metavar="NAME", help="instead of recognising the format")
    command.add_argument("--run-format", metavar="NAME", help="instead of recognising the format")
    command.add_argument("--scale", choices=SCALES, help="of the assessments, instead of recognising it")
    command.add_argument(
        "--coverage",
        type=float,
        nargs=4,
        metavar=("N", "L", "S", "E"),
        help="specificity of coverage N, L, S and E of INEX 2002 (0 1 2 3)",
    )
    command.add_argument(
        "--pool",
        action="append",
        dest="pools",
        metavar="NUMBER",
        help="keep the topics of this assessment pool only; may be given again",
    )
    command.add_argument(
        "--grain", choices=GRAINS, help="of source code: what gold, and results in it, are taken as"
    )
    command.add_argument(
        "--exclude",
        action="append",
        metavar="PATTERN",
        help="of source code: paths to leave out, as 'tests/**'",
    )
    command.add_argument(
        "--unit",
        metavar="UNIT",
        help=f"what text is counted in: {', '.join(UNITS)} (characters); without texts any word, as seconds",
    )
    command.add_argument(
        "--size",
        type=int,
        metavar="N",
        help="results of a topic that are looked at (all; of INEX submissions 1500)",
    )
    command.add_argument(
        "--rank-by",
        choices=("score", "order", "rank", "trec_eval"),
        help="what orders the results of a topic: falling scores, the lines, the ranks, ties and all, or as trec_eval",
    )
    command.add_argument("--equal-scores-tie", action="store_true", help="equal scores share a rank")
    command.add_argument(
        "--ids",
        metavar="PATTERN|FILE",
        help="identifiers name pieces of documents: (?P<document>.+)-(?P<start>\\d+)-(?P<end>\\d+), or JSON lines "
        "with the id, start and end of each",
    )
    command.add_argument(
        "--run", dest="runs", action="append", metavar="PATH", help="a run, or a folder of runs"
    )
    if not checking:
        command.add_argument(
            "--rules",
            choices=("trec_eval",),
            help="order of results and topics of the mean as that program has them",
        )
        command.add_argument(
            "--lenient", action="store_true", help="go on without bad lines; what is left out is listed"
        )
        command.add_argument(
            "runs", nargs="*", action="extend", default=argparse.SUPPRESS, metavar="RUN", help="as --run"
        )


def call(function: Callable[..., T], options: argparse.Namespace, **others: Any) -> T:
    """What a function of the library makes of those of its arguments that were given as options, and of others."""
    from focuseval.campaign.settings import InputSettings

    known = {*signature(function).parameters, *InputSettings.__annotations__}
    given = {name: value for name, value in vars(options).items() if name in known and value is not None}
    return function(**given | others)


def add_measures(command: argparse.ArgumentParser, more: str = "") -> None:
    """Declare what is computed."""
    command.add_argument(
        "--measure",
        dest="measures",
        action="append",
        metavar="SPEC",
        help=f"as in AiP, iP@0.01 or nxCG(alpha=0.5)@10{more}",
    )


def add_form(command: argparse.ArgumentParser, *more: str, default: str | None = "table") -> None:
    """Declare in what form a table is written."""
    command.add_argument("--format", choices=(*FORMS, *more), default=default, help="of the table")


def add_sweep(command: argparse.ArgumentParser) -> None:
    """Declare the settings of a sweep."""
    command.add_argument(
        "--by",
        action="append",
        metavar="SETTING",
        help="of a sweep: means by this setting, which names of runs say, as in size=400-overlap=50",
    )


def add_drawing(command: argparse.ArgumentParser) -> None:
    """Declare what is drawn at random, and the level; and what is asked of runs."""
    command.add_argument("--resamples", type=resamples, default=10_000, metavar="N", help="resamples (10000)")
    command.add_argument("--seed", type=int, default=0, metavar="N", help="of the resamples (0)")
    command.add_argument("--alpha", type=float, default=0.05, help="level of significance (0.05)")
    command.add_argument("--task", metavar="NAME", default="thorough", help="whose rules runs must keep")


def resamples(text: str) -> int:
    """A number of resamples for which there may be memory."""
    if (number := int(text)) > MOST_RESAMPLES:
        raise argparse.ArgumentTypeError(f"{number:,}: expected {MOST_RESAMPLES:,} at most")
    return number


def check_standard_input(options: argparse.Namespace) -> None:
    """Raise InputError if standard input is to be several inputs: it can be read as one only."""
    given = [
        on_command_line(Option(name))
        for name, value in vars(options).items()
        for one in (value if isinstance(value, list) else [value])
        if str(one) == STANDARD_INPUT
    ]
    if len(given) > 1:
        expected = "it is one input: give files for the others"
        raise InputError(Problem(STANDARD_INPUT, "", f"given for {' and '.join(given)}", expected))


def options_given(options: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """Which of some options are given, as they are called on the command line."""
    given = [name for name in names if is_given(getattr(options, name))]
    return [on_command_line(Option(name)) for name in given]


def require(options: argparse.Namespace, *names: str) -> None:
    """Raise InputError for options that are needed here and not given."""
    if lacking := [on_command_line(Option(name)) for name in names if not getattr(options, name)]:
        command = f"focuseval {options.command}"
        raise InputError.of(command, f"no {', '.join(lacking)}", f"see {command} --help")
