"""Code that commands share: options, notes, and output."""

import argparse
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from itertools import accumulate
from pathlib import Path
from typing import IO, Any, TypeVar

from focuseval.errors import (
    STANDARD_INPUT,
    InputError,
    Option,
    Problem,
    counted,
    listed,
    on_command_line,
    visible,
    wrapped,
)
from focuseval.model.vocabulary import GRAINS, KINDS, SCALES, UNITS
from focuseval.numerals import whole


class Visible:
    """A wrapper of a terminal stream that makes control characters visible, for instance in names."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, with its control characters made visible. Once the command has ended, write texts unchanged."""
        return int(self._stream.write(visible(text) if self in (sys.stdout, sys.stderr) else text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)


def fit(line: str, stream: Any) -> str:
    """Wrap a line if ``stream`` is a terminal."""
    terminal = stream is not None and stream.isatty()
    return wrapped(line, " " * (len(line) - len(line.lstrip()) + 2)) if terminal else line


def note(text: str) -> None:
    """Print a note on standard error."""
    print(fit(f"focuseval: {text}", sys.stderr), file=sys.stderr)


def discard_output() -> None:
    """Discard unwritten standard output, which Python would otherwise try to write again at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: matches error messages about lack of memory for libraries or threads
_NO_MEMORY = re.compile(
    "failed to map segment|cannot allocate memory|can't start new thread|resource temporarily unavailable",
    re.IGNORECASE,
)


def is_lack_of_memory(error: BaseException | None) -> bool:
    """Return whether lack of memory caused an error."""
    return error is not None and (
        isinstance(error, MemoryError)
        or bool(_NO_MEMORY.search(str(error)))
        or is_lack_of_memory(error.__cause__ or error.__context__)
    )


#: the options that name files to write
TARGETS = ("output", "save", "problems")

#: the first line in a list of rejected lines
REJECTED_BY = "# left out by focuseval\n"


def rejected_file(output: Path) -> Path:
    """Return the path of the list of rejected lines, which is next to the output."""
    return output.with_name(f"{output.name}.rejected")


def check_targets(options: argparse.Namespace) -> None:
    """Raise InputError if an output file cannot be written, or if writing would lose data.

    If the output may be a folder, ``options`` contains ``into_folder``. If rejected lines are listed next to the
    output, ``options`` contains ``lists_rejected``.
    """
    from focuseval.files import check_target, is_stream

    values = vars(options)
    targets = {f"--{name}": values[name] for name in TARGETS if values.get(name) is not None}
    if values.get("lists_rejected") and "--output" in targets and not is_stream(options.output):
        listing = rejected_file(options.output)
        targets[f"--output {options.output}"] = listing
        if listing.is_file() and not listing.read_bytes().startswith(REJECTED_BY.encode()):
            expected = "move this file, or choose another output: rejected lines would replace its content"
            raise InputError.of("--output", f"{listing} was not written by focuseval", expected)
    written: dict[str, str] = {}
    for source, target in targets.items():
        if not (source == "--output" and values.get("into_folder")):
            check_target(target, source)
        if (
            not is_stream(target)
            and (other := written.setdefault(os.path.realpath(target), source)) != source
        ):
            expected = f"choose another file, because {other} writes to this one"
            raise InputError.of(source, f"{target} would be written twice", expected)
    check_unread(options, targets)


def check_unread(options: argparse.Namespace, targets: Mapping[str, Path]) -> None:
    """Raise InputError for an output file that is also an input. ``targets`` maps options to output files."""
    sources = {identity(target): source for source, target in targets.items() if target.is_file()}
    for path in _inputs(options) if sources else ():
        if source := sources.get(identity(path)):
            expected = "choose another file, because this one would be overwritten"
            raise InputError.of(source, f"{path} is also an input", expected)


def identity(path: str | Path) -> tuple[int, int] | None:
    """Return a value that all names and links of a file share, or None if the file does not exist."""
    with suppress(OSError, ValueError):
        about = os.stat(path)
        return about.st_dev, about.st_ino
    return None


def _inputs(options: argparse.Namespace) -> Iterator[str]:
    """Yield all paths in options and in names of measures. For a folder, also yield the files in it."""
    for name, value in vars(options).items():
        for one in value if isinstance(value, list) else [value]:
            if name in (*TARGETS, "command") or not isinstance(one, str | Path):
                continue
            yield from (str(one), *re.findall(r"=\s*([^,()]*[^,()\s])", str(one)))
            earlier = set()
            for folder, folders, files in os.walk(one, followlinks=True):
                # without this check, a link to a parent folder would be followed forever
                folders[:] = [] if identity(folder) in earlier else folders
                earlier.add(identity(folder))
                yield from (os.path.join(folder, file) for file in files)


def list_problems(problems: Sequence[Problem], file: Path | None, heading: str = "") -> None:
    """Write all problems to a file, one line each. Do nothing if there is no file."""
    if file is not None:
        deliver(lambda out: out.writelines([heading, *(f"{problem}\n" for problem in problems)]), file)


def deliver(write: Callable[[IO[str]], object], file: Path | None) -> None:
    """Call ``write`` with a file, or with standard output by default. A file is written completely or not at all."""
    if file is None:
        write(sys.stdout)
        return
    from focuseval.files import write_atomically

    with write_atomically(file) as out:
        write(out)


def answer(
    text: str, options: argparse.Namespace, notices: Sequence[str], output: Path | None = None
) -> None:
    """Write a text to ``output`` (by default, standard output), and print the notices.

    A terminal shows at most as many lines of notices as the text has, unless the user gives ``--notices``. Notices
    about measures without scores are always shown.
    """
    from focuseval.campaign.notices import NOT_SCORED

    try:
        deliver(lambda out: out.write(text), output)
        print(end="", flush=True)
    finally:
        lines_printed = len(notices)
        if sys.stderr.isatty() and not options.notices:
            lines = accumulate(fit(f"focuseval: {line}", sys.stderr).count("\n") + 1 for line in notices)
            refused = sum(f" {NOT_SCORED}: " in line for line in notices)
            lines_printed = max(refused, bisect_right(list(lines), text.count("\n")))
        for line in notices[:lines_printed]:
            note(line)
        if more := len(notices) - lines_printed:
            note(f"--notices prints {counted(more, 'more notice' if lines_printed else 'notice')}")


T = TypeVar("T")

#: the formats of tables; numbers are rounded only in the formats for people
FORMS = (*(PEOPLE := ("table", "markdown", "latex")), "tsv", "csv", "json")

_ORDERS = "descending score, line, rank (which may have ties), or as in trec_eval"
_IDS = "(?P<document>.+)-(?P<start>\\d+)-(?P<end>\\d+), or a file of JSON lines with id, start and end"

#: options that several commands share, by the name of the argument in the library's functions
OPTIONS: dict[str, dict[str, Any]] = {
    "collection": {
        "flags": ("--documents", "--collection"),
        "type": Path,
        "metavar": "PATH",
        "help": "a folder, .tar.gz or .zip of XML, text or source code; or REPOSITORY@REVISION of git",
    },
    "documents_as": {
        "choices": KINDS,
        "help": "read documents as this kind (default: the kind of most files)",
    },
    "assessments": {
        "flags": ("--gold", "--assessments"),
        "type": Path,
        "action": "append",
        "metavar": "PATH",
        "help": "gold: a file or folder",
    },
    "assessment_format": {"metavar": "NAME", "help": "format of the assessments (default: recognised)"},
    "run_format": {"metavar": "NAME", "help": "format of the runs (default: recognised)"},
    "scale": {"choices": SCALES, "help": "scale of the assessments (default: recognised)"},
    "coverage": {
        "type": float,
        "nargs": 4,
        "metavar": ("N", "L", "S", "E"),
        "help": "INEX 2002: specificity of the coverages N, L, S and E (default: 0 1 2 3)",
    },
    "pools": {
        "action": "append",
        "metavar": "NUMBER",
        "help": "use only topics of this assessment pool; repeatable",
    },
    "grain": {
        "choices": GRAINS,
        "help": "source code: replace gold and results by the enclosing unit of this kind",
    },
    "exclude": {
        "action": "append",
        "metavar": "PATTERN",
        "help": "source code: leave out paths that match, such as 'tests/**'",
    },
    "unit": {
        "metavar": "UNIT",
        "help": f"unit of text: {', '.join(UNITS)} (default: characters); without documents, any word, such as seconds",
    },
    "tokenizer": {
        "metavar": "NAME|FILE",
        "help": "for budgets in tokens (@4000t): a tiktoken name, cl100k_base.tiktoken or tokenizer.json",
    },
    "size": {
        "type": int,
        "metavar": "N",
        "help": "read only the first N results of a topic (default: all; INEX submissions: 1500)",
    },
    "rank_by": {
        "choices": ("score", "order", "rank", "trec_eval"),
        "help": f"order of a topic's results: {_ORDERS}",
    },
    "equal_scores_tie": {"action": "store_true", "help": "give results with equal scores the same rank"},
    "ids": {"metavar": "PATTERN|FILE", "help": f"read document names as identifiers of pieces: {_IDS}"},
    "runs": {"action": "append", "metavar": "PATH", "help": "a run or a folder of runs"},
    "rules": {
        "choices": ("trec_eval",),
        "help": "order results, and average over topics, as this program does",
    },
    "lenient": {"action": "store_true", "help": "skip unreadable lines, and list them"},
    "measures": {
        "action": "append",
        "metavar": "SPEC",
        "help": "a measure, such as AiP, iP@0.01 or nxCG(alpha=0.5)@10",
    },
    "format": {"choices": FORMS, "default": "table", "help": "format of the table"},
    "baseline": {"metavar": "NAME", "help": "compare the other runs with this one (its name or file)"},
    "test": {"choices": ("randomisation", "bootstrap", "t-test", "wilcoxon")},
    "by": {
        "action": "append",
        "metavar": "SETTING",
        "help": "for a sweep: average by this setting, read from run names such as size=400-overlap=50",
    },
    "resamples": {
        "type": whole,
        "default": 10_000,
        "metavar": "N",
        "help": "number of resamples (default: 10000)",
    },
    "seed": {"type": int, "default": 0, "metavar": "N", "help": "seed of the resamples (default: 0)"},
    "alpha": {"type": float, "default": 0.05, "help": "significance level (default: 0.05)"},
    "task": {
        "metavar": "NAME",
        "default": "thorough",
        "help": "task whose rules runs must follow (default: thorough)",
    },
    "output": {"type": Path, "metavar": "FILE", "help": "write to this file"},
    "problems": {
        "type": Path,
        "metavar": "FILE",
        "help": "write all problems to this file, including those not shown",
    },
    "notices": {"action": "store_true", "help": "print all notices, also on a terminal"},
}

#: the options that describe inputs
READ = tuple(OPTIONS)[: list(OPTIONS).index("runs") + 1]
#: the options for resampling and for the task
DRAWN = ("resamples", "seed", "alpha", "task")


#: the names of the options in each group of the help
GROUPS = {
    "input": "runs run_format ids collection documents documents_as exclude unit tokenizer lenient",
    "gold": "assessments assessment_format scale coverage pools grain",
    "ranking": "rank_by equal_scores_tie size rules task",
    "measures": "measures prop average_over like beta n complete",
    "comparison": "baseline max_drop fail_if test one_tailed correction by resamples seed alpha",
    "output": "per_topic title depth best alone format output save problems notices",
}


def declare(command: argparse.ArgumentParser, *names: str, **changed: Any) -> None:
    """Add options from `OPTIONS` to a command. ``changed`` replaces settings in `OPTIONS`."""
    for name in names:
        settings = {"flags": [on_command_line(Option(name))], **OPTIONS[name], **changed}
        command.add_argument(*settings.pop("flags"), dest=name, **settings)


def declare_inputs(command: argparse.ArgumentParser) -> None:
    """Add the options for inputs to a command. Runs may also be given without an option."""
    command.usage = "%(prog)s [OPTION ...] [RUN ...]"
    declare(command, *READ, "rules", "lenient")
    command.add_argument(
        "runs", nargs="*", action="extend", default=argparse.SUPPRESS, metavar="RUN", help="as --run"
    )


def call(function: Callable[..., T], options: argparse.Namespace, **settings: Any) -> T:
    """Call a function of the library with the options that are among its parameters. ``settings`` replace options."""
    from focuseval.campaign.settings import InputSettings

    parameters = {*signature(function).parameters, *InputSettings.__annotations__}
    arguments = {
        name: value for name, value in vars(options).items() if name in parameters and value is not None
    }
    return function(**arguments | settings)


def check_streams(options: argparse.Namespace) -> None:
    """Raise InputError if standard output is closed, or if standard input is given for several inputs."""
    if sys.stdout is None and getattr(options, "output", None) is None:
        expected = "leave it open" + (", or write to a file (--output)" if hasattr(options, "output") else "")
        raise InputError.of("standard output", "the stream is closed", expected)
    streams = [
        on_command_line(Option(name))
        for name, value in vars(options).items()
        for one in (value if isinstance(value, list) else [value])
        if str(one) == STANDARD_INPUT
    ]
    if len(streams) > 1:
        expected = "give a file for all but one of them"
        raise InputError.of(STANDARD_INPUT, f"{' and '.join(streams)} both read this input", expected)


def require(options: argparse.Namespace, *names: str) -> None:
    """Raise InputError for required options that are missing."""
    if lacking := [on_command_line(Option(name)) for name in names if not getattr(options, name)]:
        command = f"focuseval {options.command}"
        raise InputError.of(
            command, f"{listed(lacking, last=' and ')} must be given", f"see {command} --help"
        )
