"""``focuseval simulate``: make runs from other runs or from judgements."""

import argparse
import re
from itertools import chain, count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from focuseval.cli.common import call, check_unread, declare, declare_inputs, deliver, note, require
from focuseval.errors import InputError, wrapped

if TYPE_CHECKING:
    import pandas as pd


def add(commands: Any) -> None:
    """Declare the command ``focuseval simulate`` and its options."""
    simulate = commands.add_parser(
        "simulate",
        help="make runs from other runs or from judgements: ancestors, halves, ideal ...",
        description="Make runs with a known effect on a good measure. --list shows all transformations.",
    )
    declare_inputs(simulate)
    simulate.add_argument(
        "--as",
        dest="name",
        metavar="NAME",
        help="transformation, such as ancestors or ancestors(where=before)",
    )
    simulate.add_argument(
        "--list", action="store_true", help="list the transformations and their expected effects"
    )
    simulate.add_argument(
        "--format",
        choices=("trec", "jsonl"),
        default="trec",
        help="trec: XPaths, or offsets and lengths; jsonl: offsets (default: trec)",
    )
    declare(simulate, "output", help="file for the run, or folder for several runs")
    simulate.set_defaults(perform=run, into_folder=True)


def run(options: argparse.Namespace) -> int:
    """Make the runs and write them to a file or a folder."""
    if options.list:
        return _list()
    require(options, "assessments", "name", "output")
    from focuseval.auditing.public import simulate
    from focuseval.files import check_target, is_stream, replacing_several

    frame = call(simulate, options)
    names = [str(name) for name in frame["run"].unique()]
    if not names:
        hint = ", or give --documents" if options.collection is None else ""
        expected = f"use other runs or judgements{hint}"
        raise InputError.of("--as", f"the run {options.name!r} has no results", expected)
    if len(names) == 1 and not options.output.is_dir():
        _write(names[0], frame, options.format, options.output)
        if not is_stream(options.output):
            print(options.output)
        return 0
    suffix = "txt" if options.format == "trec" else "jsonl"
    files = {name: f"{stem}.{suffix}" for name, stem in zip(names, _stems(names), strict=True)}
    targets = {
        f"--output {options.output}, run {name}": options.output / file for name, file in files.items()
    }
    check_unread(options, targets)
    for source, target in targets.items() if options.output.is_dir() else ():
        check_target(target, source)
    with replacing_several(options.output) as unfinished:
        for name, file in files.items():
            _write(name, frame[frame["run"] == name], options.format, unfinished / file)
    for target in targets.values():
        print(target)
    return 0


def _stems(names: list[str]) -> list[str]:
    """Return a distinct file name for each run, with only letters, digits and a few other characters."""
    stems: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"^\.|[^-.,()=0-9A-Za-z]", "_", name)
        numbered = (f"{plain}-{number}" for number in count(2))
        used = {stem.lower() for stem in stems}  # lower case, because some file systems ignore case
        stems[next(stem for stem in chain([plain], numbered) if stem.lower() not in used)] = None
    return list(stems)


def _write(name: str, frame: "pd.DataFrame", form: str, file: Path) -> None:
    from focuseval.auditing.public import raw_run
    from focuseval.formats.trec import write_run_trec

    if form == "trec":
        written = re.sub(r"\s+", "_", name)
        if written != name:
            note(f"run {name!r} is named {written!r} in {file.name}, because TREC names have no blanks")
        write_run_trec(file, raw_run(written, frame))
    else:
        deliver(lambda out: _print_lines(name, frame, out), file)


def _print_lines(name: str, frame: "pd.DataFrame", out: IO[str]) -> None:
    import json

    if (frame["end"] < frame["start"]).any() or (frame["start"] < 0).any():
        expected = "give --documents, or use --format trec"
        raise InputError.of(f"run {name}", "the sizes of some results are unknown", expected)
    columns = ("topic", "document", "start", "end", "rank")
    for values in zip(*(frame[column].tolist() for column in columns), strict=True):
        result = {"run": name, **dict(zip(columns, values, strict=True))}
        out.write(json.dumps(result, ensure_ascii=False) + "\n")


def _list() -> int:
    """Print the transformations, except those that change judgements."""
    from focuseval.transformations.declaration import JUDGEMENTS
    from focuseval.transformations.declared import TRANSFORMATIONS

    for one in TRANSFORMATIONS.values():
        if one.changes != JUDGEMENTS:
            print(one.name)
            about = one.summary, f"{one.expected} ({one.trait}): {one.why}", one.source
            for line in (*about, *(p.in_words() for p in one.parameters)):
                print(wrapped(line, " " * 6, " " * 4))
    return 0
