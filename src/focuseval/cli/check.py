"""``focuseval check``: what files are, and everything that is wrong with them, by themselves or together."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.inputs import add_inputs, options_given, reading, require
from focuseval.cli.output import list_problems
from focuseval.errors import InputError, Problem, counted, shown, told


def add(commands: Any) -> None:
    """Declare the command and its options."""
    check = commands.add_parser(
        "check",
        help="say what files are and everything that is wrong with them",
        description="Say what each FILE is and what is wrong with it; or, of --assessments, --run and --collection, "
        "all that focuseval score would say of them together. The exit status is 0 if there is no problem, warnings "
        "aside, else 1.",
    )
    check.add_argument("files", type=Path, nargs="*", metavar="FILE")
    add_inputs(check, checking=True)
    check.add_argument(
        "--measure", action="append", metavar="SPEC", help="whether it can be computed from these inputs"
    )
    check.add_argument("--task", metavar="NAME", help="whose rules runs must keep (thorough)")
    check.add_argument("--problems", type=Path, metavar="LIST", help="write all problems to this file")
    check.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print what each file is and its first problems; 1 if there is any."""
    from focuseval.formats.checking import check, is_warning

    together = bool(options.assessments and options.run)
    files = [*options.files]
    if not together:
        alone = [*(options.assessments or []), *map(Path, options.run or [])]
        _refuse_settings(options, alone=bool(alone))
        if not (files or alone or options.collection):
            require(options, "assessments", "run")
        if options.collection is None:  # on which they could be put
            files += alone
    everything: list[Problem] = []
    for file in files:
        description, problems = check(file)
        warnings = sum(map(is_warning, problems))
        told_too = f", {counted(warnings, 'warning')}" if warnings else ""
        print(f"{shown(file)}: {description}, {_counted(len(problems) - warnings)}{told_too}")
        _print(problems)
        everything += problems
    if together or options.collection is not None:
        everything += _check_together(options, whole=together)
    list_problems(everything, options.problems)
    return 0 if all(map(is_warning, everything)) else 1


def _refuse_settings(options: argparse.Namespace, *, alone: bool) -> None:
    """Raise InputError for options that nothing is read with: a file by itself is read as it is.

    With a collection, assessments or runs ``alone`` are read as the settings say.
    """
    settings = reading(options).keys() - {"collection", "assessments"}
    if options.collection is not None:
        settings = set() if alone else settings - {"unit"}
    if asked := options_given(options, ("measure", "task", *sorted(settings))):
        lacking = " and ".join(f"--{name}" for name in ("assessments", "run") if not getattr(options, name))
        told = f"given without {lacking}", f"give {lacking}, too, or leave it out"
        raise InputError([Problem(option, "", *told) for option in asked])


def _check_together(options: argparse.Namespace, *, whole: bool) -> list[Problem]:
    """Print what there is, the problems of all of it, and what else score would say; the problems.

    It is a ``whole`` campaign, or a collection, alone or with assessments or runs.
    """
    from focuseval.scoring.examining import examine, examine_part

    given = {"runs": options.run, **reading(options)}
    if whole:
        examined = examine(options.measure or [], task=options.task or "thorough", **given)
    else:
        examined = examine_part(**given)
    for line in examined.found:
        print(line)
    what = "together" if options.assessments or options.run else "collection"
    print(f"{what}: {_counted(len(examined.problems))}")
    _print(examined.problems)
    for line in examined.notes:
        print(f"  {line}")
    return examined.problems


def _counted(problems: int) -> str:
    return counted(problems, "problem") if problems else "no problems"


def _print(problems: list[Problem]) -> None:
    for line in told(problems):
        print(f"  {line}")
