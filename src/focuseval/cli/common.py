"""Parts that commands share: options, notes on standard error, and complete output."""

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
    on_command_line,
    visible,
    wrapped,
)
from focuseval.model.vocabulary import GRAINS, KINDS, SCALES, UNITS
from focuseval.numerals import whole


class Visible:
    """A stream to a terminal that escapes control characters in names."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text escaped by `focuseval.errors.visible`, or unchanged after the command has ended."""
        return int(self._stream.write(visible(text) if self in (sys.stdout, sys.stderr) else text))

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)


def fit(line: str, stream: Any) -> str:
    """Wrap a line if the stream is a terminal."""
    terminal = stream is not None and stream.isatty()
    return wrapped(line, " " * (len(line) - len(line.lstrip()) + 2)) if terminal else line


def note(text: str) -> None:
    """Print a note on standard error."""
    print(fit(f"focuseval: {text}", sys.stderr), file=sys.stderr)


def let_go() -> None:
    """Discard unwritten standard output, which Python would otherwise retry at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: messages about libraries and threads that cannot be started for lack of memory
_NO_MEMORY = re.compile(
    "failed to map segment|cannot allocate memory|can't start new thread|resource temporarily unavailable",
    re.IGNORECASE,
)


def of_memory(error: BaseException | None) -> bool:
    """Return whether an error is, or was caused by, lack of memory for an array, a library or a thread."""
    return error is not None and (
        isinstance(error, MemoryError)
        or bool(_NO_MEMORY.search(str(error)))
        or of_memory(error.__cause__ or error.__context__)
    )


#: options that name a file to write
TARGETS = ("output", "save", "problems")

#: first line of a list of rejected lines
REJECTED_BY = "# left out by focuseval\n"


def rejected_beside(output: Path) -> Path:
    """Return the path of the list of rejected lines for an output."""
    return output.with_name(f"{output.name}.rejected")


def check_targets(options: argparse.Namespace) -> None:
    """Raise InputError before the work starts if a file cannot be written or would be lost.

    A command whose output may be a folder has the default ``into_folder``. A command that lists rejected lines next to
    its output has ``lists_rejected``.
    """
    from focuseval.files import check_target, is_stream

    values = vars(options)
    targets = {f"--{name}": values[name] for name in TARGETS if values.get(name) is not None}
    if values.get("lists_rejected") and "--output" in targets and not is_stream(options.output):
        listing = rejected_beside(options.output)
        targets[f"--output {options.output}"] = listing
        if listing.is_file() and not listing.read_bytes().startswith(REJECTED_BY.encode()):
            expected = "move it, or give another output: lines that are left out are listed there"
            raise InputError.of("--output", f"{listing} is there, and not written by focuseval", expected)
    written: dict[str, str] = {}
    for source, target in targets.items():
        if not (source == "--output" and values.get("into_folder")):
            check_target(target, source)
        if (
            not is_stream(target)
            and (other := written.setdefault(os.path.realpath(target), source)) != source
        ):
            expected = f"give another file: {other} is written there"
            raise InputError.of(source, f"{target} is written twice", expected)
    check_unread(options, targets)


def check_unread(options: argparse.Namespace, targets: Mapping[str, Path]) -> None:
    """Raise InputError for a target that is also an input, or in an input folder. ``targets`` is by option."""
    there = {identity(target): source for source, target in targets.items() if target.is_file()}
    for path in _inputs(options) if there else ():
        if source := there.get(identity(path)):
            expected = "give another file: it would be lost"
            raise InputError.of(source, f"{path} is read here, too", expected)


def identity(path: str | Path) -> tuple[int, int] | None:
    """Return the identity of a file independent of names and links; None if it does not exist."""
    with suppress(OSError, ValueError):
        about = os.stat(path)
        return about.st_dev, about.st_ino
    return None


def _inputs(options: argparse.Namespace) -> Iterator[str]:
    """Yield the given files, including files in names of measures and in given folders."""
    for name, value in vars(options).items():
        for one in value if isinstance(value, list) else [value]:
            if name in (*TARGETS, "command") or not isinstance(one, str | Path):
                continue
            yield from (str(one), *re.findall(r"=\s*([^,()]*[^,()\s])", str(one)))
            earlier = set()
            for folder, folders, files in os.walk(one, followlinks=True):
                # a link to a parent folder would be followed for ever
                folders[:] = [] if identity(folder) in earlier else folders
                earlier.add(identity(folder))
                yield from (os.path.join(folder, file) for file in files)


def list_problems(problems: Sequence[Problem], file: Path | None, heading: str = "") -> None:
    """Write all problems to a file, if given, one line each."""
    if file is not None:
        deliver(lambda out: out.writelines([heading, *(f"{problem}\n" for problem in problems)]), file)


def deliver(write: Callable[[IO[str]], object], file: Path | None) -> int:
    """Call ``write`` with standard output, or with a file that is written completely or not at all."""
    if file is None:
        write(sys.stdout)
        return 0
    from focuseval.files import write_atomically

    with write_atomically(file) as out:
        write(out)
    return 0


def answer(
    text: str, options: argparse.Namespace, notices: Sequence[str], output: Path | None = None
) -> None:
    """Print a text, or write it to ``output``; then print the notices, even if the text was not read.

    Notices are wrapped on a terminal. Without ``--notices``, notices longer than the text are only counted, except
    about measures without scores.
    """
    from focuseval.campaign.notices import REFUSED

    try:
        deliver(lambda out: out.write(text), output)
        print(end="", flush=True)
    finally:
        lines_printed = len(notices)
        if sys.stderr.isatty() and not options.notices:
            lines = accumulate(fit(f"focuseval: {line}", sys.stderr).count("\n") + 1 for line in notices)
            refused = sum(line.startswith(REFUSED.before) for line in notices)
            lines_printed = max(refused, bisect_right(list(lines), text.count("\n")))
        for line in notices[:lines_printed]:
            note(line)
        if more := len(notices) - lines_printed:
            note(f"{counted(more, 'more notice' if lines_printed else 'notice')}, which --notices prints")


T = TypeVar("T")

#: formats of tables: rounded for people, then unrounded for programs (`focuseval.report.tables.FORMS`)
FORMS = (*(PEOPLE := ("table", "markdown", "latex")), "tsv", "csv", "json")

_ORDERS = "falling scores, the lines, the ranks, ties and all, or as trec_eval"
_IDS = "(?P<document>.+)-(?P<start>\\d+)-(?P<end>\\d+), or JSON lines with the id, start and end of each"

#: options that several commands have, by argument of the library's functions
OPTIONS: dict[str, dict[str, Any]] = {
    "collection": {
        "flags": ("--documents", "--collection"),
        "type": Path,
        "metavar": "PATH",
        "help": "folder, .tar.gz or .zip of XML, of text or of source code; REPOSITORY@REVISION of git",
    },
    "documents_as": {"choices": KINDS, "help": "what documents are read as (what most of them are)"},
    "assessments": {
        "flags": ("--gold", "--assessments"),
        "type": Path,
        "action": "append",
        "metavar": "PATH",
        "help": "file or folder",
    },
    "assessment_format": {"metavar": "NAME", "help": "instead of recognising the format"},
    "run_format": {"metavar": "NAME", "help": "instead of recognising the format"},
    "scale": {"choices": SCALES, "help": "of the assessments, instead of recognising it"},
    "coverage": {
        "type": float,
        "nargs": 4,
        "metavar": ("N", "L", "S", "E"),
        "help": "specificity of coverage N, L, S and E of INEX 2002 (0 1 2 3)",
    },
    "pools": {
        "action": "append",
        "metavar": "NUMBER",
        "help": "keep the topics of this assessment pool only; may be given again",
    },
    "grain": {"choices": GRAINS, "help": "of source code: what gold, and results in it, are taken as"},
    "exclude": {
        "action": "append",
        "metavar": "PATTERN",
        "help": "of source code: paths to leave out, as 'tests/**'",
    },
    "unit": {
        "metavar": "UNIT",
        "help": f"what text is counted in: {', '.join(UNITS)} (characters); without texts any word, as seconds",
    },
    "tokenizer": {
        "metavar": "NAME|FILE",
        "help": "of budgets in tokens (@4000t): a name of tiktoken, cl100k_base.tiktoken, or tokenizer.json",
    },
    "size": {
        "type": int,
        "metavar": "N",
        "help": "results of a topic that are looked at (all; of INEX submissions 1500)",
    },
    "rank_by": {
        "choices": ("score", "order", "rank", "trec_eval"),
        "help": f"what orders the results of a topic: {_ORDERS}",
    },
    "equal_scores_tie": {"action": "store_true", "help": "equal scores share a rank"},
    "ids": {"metavar": "PATTERN|FILE", "help": f"identifiers name pieces of documents: {_IDS}"},
    "runs": {"action": "append", "metavar": "PATH", "help": "a run, or a folder of runs"},
    "rules": {
        "choices": ("trec_eval",),
        "help": "order of results and topics of the mean as that program has them",
    },
    "lenient": {"action": "store_true", "help": "go on without bad lines; what is left out is listed"},
    "measures": {"action": "append", "metavar": "SPEC", "help": "as in AiP, iP@0.01 or nxCG(alpha=0.5)@10"},
    "format": {"choices": FORMS, "default": "table", "help": "of the table"},
    "baseline": {"metavar": "NAME", "help": "what other runs are compared with (its name or file)"},
    "test": {"choices": ("randomisation", "bootstrap", "t-test", "wilcoxon")},
    "by": {
        "action": "append",
        "metavar": "SETTING",
        "help": "of a sweep: means by this setting, which names of runs say, as in size=400-overlap=50",
    },
    "resamples": {"type": whole, "default": 10_000, "metavar": "N", "help": "resamples (10000)"},
    "seed": {"type": int, "default": 0, "metavar": "N", "help": "of the resamples (0)"},
    "alpha": {"type": float, "default": 0.05, "help": "level of significance (0.05)"},
    "task": {"metavar": "NAME", "default": "thorough", "help": "whose rules runs must keep"},
    "output": {"type": Path, "metavar": "FILE", "help": "write there"},
    "problems": {"type": Path, "metavar": "FILE", "help": "write all problems there, also those not shown"},
    "notices": {"action": "store_true", "help": "print all notices, also on a terminal"},
}

#: options of inputs
READ = tuple(OPTIONS)[: list(OPTIONS).index("runs") + 1]
#: options of resampling and levels, and of rules for runs
DRAWN = ("resamples", "seed", "alpha", "task")


#: groups of options in the help of all commands
GROUPS = {
    "input": "runs run_format ids collection documents documents_as exclude unit tokenizer lenient",
    "gold": "assessments assessment_format scale coverage pools grain",
    "ranking": "rank_by equal_scores_tie size rules task",
    "measures": "measures prop average_over like beta n complete",
    "comparison": "baseline max_drop fail_if test one_tailed correction by resamples seed alpha",
    "output": "per_topic title depth best alone format output save problems notices",
}


def declare(command: argparse.ArgumentParser, *names: str, **changed: Any) -> None:
    """Declare some of the `OPTIONS` for a command, with changes."""
    for name in names:
        settings = {"flags": [on_command_line(Option(name))], **OPTIONS[name], **changed}
        command.add_argument(*settings.pop("flags"), dest=name, **settings)


def declare_inputs(command: argparse.ArgumentParser) -> None:
    """Declare the options of inputs. Runs can also be given without an option."""
    command.usage = "%(prog)s [OPTION ...] [RUN ...]"
    declare(command, *READ, "rules", "lenient")
    command.add_argument(
        "runs", nargs="*", action="extend", default=argparse.SUPPRESS, metavar="RUN", help="as --run"
    )


def call(function: Callable[..., T], options: argparse.Namespace, **settings: Any) -> T:
    """Call a function of the library with its arguments from options and from ``settings``."""
    from focuseval.campaign.settings import InputSettings

    parameters = {*signature(function).parameters, *InputSettings.__annotations__}
    arguments = {
        name: value for name, value in vars(options).items() if name in parameters and value is not None
    }
    return function(**arguments | settings)


def check_streams(options: argparse.Namespace) -> None:
    """Raise InputError if standard output is closed and no file is named, or if several inputs are standard input."""
    if sys.stdout is None and getattr(options, "output", None) is None:
        expected = "leave it open" + (", or name a file (--output)" if hasattr(options, "output") else "")
        raise InputError.of("standard output", "it is closed", expected)
    streams = [
        on_command_line(Option(name))
        for name, value in vars(options).items()
        for one in (value if isinstance(value, list) else [value])
        if str(one) == STANDARD_INPUT
    ]
    if len(streams) > 1:
        expected = "it is one input: give files for the others"
        raise InputError.of(STANDARD_INPUT, f"given for {' and '.join(streams)}", expected)


def require(options: argparse.Namespace, *names: str) -> None:
    """Raise InputError for required options that are missing."""
    if lacking := [on_command_line(Option(name)) for name in names if not getattr(options, name)]:
        command = f"focuseval {options.command}"
        raise InputError.of(command, f"no {', '.join(lacking)}", f"see {command} --help")
