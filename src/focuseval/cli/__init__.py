"""The command line. Each command has a module, which is loaded only when the command runs."""

import argparse
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from textwrap import wrap
from typing import Any

import focuseval
from focuseval.cli.common import (
    GROUPS,
    Visible,
    check_streams,
    check_targets,
    discard_output,
    fit,
    is_lack_of_memory,
    list_problems,
    note,
)
from focuseval.errors import ON_COMMAND_LINE, InputError, InputWarning, closest, problem_lines, read_by
from focuseval.model.parallel import claim
from focuseval.numerals import real, whole

#: the names of the commands and of their modules, in the order in which --help lists them
COMMANDS = (
    "init", "score", "compare", "view", "gate", "locate",
    "ceiling", "check", "measures", "audit", "simulate",
)  # fmt: skip

#: the exit status of a command that cannot be carried out
UNUSABLE = 2

#: the exit status after Ctrl-C, by the convention of shells
INTERRUPTED = 130

#: other programs' names of options, each with our name of the same option
_ELSEWHERE = {
    "metric": "measure",
    "metrics": "measure",
    "qrels": "assessments",
    "corpus": "collection",
    "documents": "collection",
    "out": "output",
    "save": "output",
}


class _Version(argparse.Action):
    """The option ``--version``. The version is looked up only when it is printed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"focuseval {focuseval.__version__}", file=sys.stdout or sys.stderr)
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """A parser that suggests corrections of unknown options."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        self._groups: dict[str, Any] = {}
        super().__init__(*args, **settings)
        for title, names in GROUPS.items():
            self._groups |= dict.fromkeys(names.split(), self.add_argument_group(title))
        self.register("type", int, whole)  # Python's int also accepts 1_0 and digits of other scripts
        self.register("type", float, real)

    def add_argument(self, *flags: Any, **settings: Any) -> argparse.Action:
        """Add an argument, which the help lists in its group."""
        name = str(settings.get("dest", flags[-1])).lstrip("-").replace("-", "_")
        return self._groups.get(name, super()).add_argument(*flags, **settings)

    def format_help(self) -> str:
        """Return the help of a command, followed by an example."""
        from importlib.resources import files

        page = (files("focuseval") / "example/README.md").read_text("utf-8")
        usage = re.search(rf"^    ({self.prog} .*)", page, re.MULTILINE)
        lines = wrap(usage[1], 74, break_on_hyphens=False) if usage and self._subparsers is None else []
        example = "\nexample (in a folder written by focuseval init):\n  " + " \\\n    ".join(lines) + "\n"
        return super().format_help() + (example if lines else "")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse options. For unknown, missing or empty options, print a message and exit with status 2."""
        for before, argument in pairwise([self.prog, *(args or [])]) if self._subparsers is None else ():
            option, equals, value = (
                argument.partition("=") if argument[:2] == "--" else (before, "=", argument)
            )
            # an empty path would mean the working directory
            if equals and not value and option != "--title":
                self.error(f"the argument after {option} is empty; a shell variable may be unset")
        required = [action for action in self._actions if action.required]
        for action in required:
            action.required = False
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            hints = "".join(map(self._suggestion, unknown)).strip()
            if not any(argument.startswith("-") for argument in unknown):
                hints = "repeat an option before each of its values"
            self.error(f"unrecognized arguments: {' '.join(unknown)}" + (f"; {hints}" if hints else ""))
        if lacking := [str(one.metavar) for one in required if getattr(options, one.dest) is None]:
            self.error(f"the following arguments are required: {', '.join(lacking)}")
        return options, unknown

    def print_help(self, file: Any = None) -> None:
        """Print the help. Raises OSError if the help cannot be printed."""
        print(self.format_help(), end="", file=file or sys.stdout or sys.stderr)

    def _suggestion(self, argument: str) -> str:
        """Return a suggestion for an unknown option, or ``""`` if there is none."""
        if not argument.startswith("--"):
            return ""
        own = [option[2:] for option in self._option_string_actions if option.startswith("--")]
        meant_by = {name: name for name in own} | {
            word: name for word, name in _ELSEWHERE.items() if name in own and word not in own
        }
        close = closest(argument[2:].partition("=")[0], meant_by)
        return f"did you mean --{meant_by[close]}? " if close else ""


def _parser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command, or the parser of all commands if the command is unknown."""
    parser = _Parser(
        prog="focuseval",
        description="Evaluate systems that return parts of documents.",
        epilog="To get started, run focuseval init: it writes a small example for every command.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in [command] if command in COMMANDS else COMMANDS:
        import_module(f"focuseval.cli.{name}").add(commands)
    return parser


def _at_home(argument: str) -> str:
    """Expand ~ at the beginning of a path. Shells do not expand ~ after ``=`` or in quotes."""
    option, equals, value = argument.partition("=") if argument.startswith("--") else ("", "", argument)
    return option + equals + os.path.expanduser(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    The status 0 or 1 depends on the command. The status 2 means wrong options or unusable input.
    """
    if sys.stderr is None:  # if standard error is closed, messages are discarded
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # this makes file names in other encodings printable
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if "_ARGCOMPLETE" in os.environ:  # a shell requests completions, after which the process ends
        from argcomplete import autocomplete

        autocomplete(_parser(""))
    claim()
    to_terminal = sys.stdout is not None and sys.stdout.isatty()
    with (
        redirect_stderr(Visible(sys.stderr)),
        redirect_stdout(Visible(sys.stdout) if to_terminal else sys.stdout),
        read_by(ON_COMMAND_LINE),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = partial(_show_warning, warnings.showwarning)
        return _perform(sys.argv[1:] if arguments is None else arguments)


def _show_warning(
    show: Callable[..., None], message: Warning | str, category: type[Warning], *where: Any
) -> None:
    """Print warnings of focuseval as notes, and all other warnings as Python does."""
    note(str(message)) if issubclass(category, InputWarning) else show(message, category, *where)


def _perform(arguments: Sequence[str]) -> int:
    """Run a command, report errors, and return the exit status."""
    options = argparse.Namespace(status=0)
    try:
        try:
            _parser("".join(arguments[:1])).parse_args([_at_home(one) for one in arguments], options)
        finally:  # --help and --version end the process in `parse_args`
            if sys.stdout is not None:
                sys.stdout.flush()
        # messages show names of arguments as options, except names that are also files
        option_names = {name for name in vars(options) if not os.path.isfile(name)}
        with read_by(replace(ON_COMMAND_LINE, options=option_names)):
            return _carry_out(options)
    except BrokenPipeError:
        discard_output()
        return int(options.status)
    except KeyboardInterrupt:
        discard_output()
        return INTERRUPTED
    except Exception as error:
        if is_lack_of_memory(error):
            detail = f" ({error})" if isinstance(error, MemoryError) and str(error) else ""
            reason = f"not enough memory{detail}; use smaller inputs, fewer --resamples or more memory"
        elif isinstance(error, OSError):
            reason = error.strerror or str(error)
            reason = f"{error.filename}: {reason}" if error.filename else reason
        else:  # Python would exit with status 1, which is the status of a verdict
            traceback.print_exc()
            reason = f"internal error ({type(error).__name__}); please report the lines above"
        discard_output()
        note(reason)
        return UNUSABLE


def _carry_out(options: argparse.Namespace) -> int:
    """Run a command, report unusable inputs, and return the exit status."""
    # the exit status if a program that reads the output, such as head, closes it early
    options.status = UNUSABLE if getattr(options, "judges", False) else 0
    try:
        check_streams(options)
        check_targets(options)
        try:
            options.status = int(options.perform(options))
        except InputError as error:
            list_problems(error.problems, getattr(options, "problems", None))
            raise
        if sys.stdout is not None:
            sys.stdout.flush()  # errors in writing are raised here and not at exit
        return int(options.status)
    except InputError as error:
        print("\n".join(fit(line, sys.stderr) for line in problem_lines(error.problems)), file=sys.stderr)
        return UNUSABLE
