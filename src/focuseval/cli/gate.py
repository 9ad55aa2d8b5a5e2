"""``focuseval gate``: whether a run is worse than its baseline. The exit status is 0 (no), 1 (yes) or 2 (undecided)."""

import argparse
import os
from pathlib import Path
from typing import Any

from focuseval.cli.common import DRAWN, answer, call, declare, declare_inputs, require
from focuseval.errors import InputError

#: the environment variable that contains the path of a GitHub job's summary
SUMMARY = "GITHUB_STEP_SUMMARY"


def add(commands: Any) -> None:
    """Declare the command ``focuseval gate`` and its options."""
    gate = commands.add_parser(
        "gate",
        help="fail if a run is worse than its baseline",
        epilog="Exit status: 0 if not worse, 1 if worse, 2 if undecided (unusable input, or no result could fail).",
    )
    declare(
        gate, "baseline", type=Path, metavar="FILE", help="a run, or scores that focuseval score --save wrote"
    )
    declare_inputs(gate)
    declare(gate, "measures")
    gate.add_argument(
        "--max-drop",
        default="0",
        metavar="X",
        help="largest fall of a mean that passes, in the unit of the measure, such as 0.02 (default: 0)",
    )
    gate.add_argument(
        "--fail-if",
        choices=("mean", "limit"),
        default="mean",
        help="number that must not fall farther: the mean, or the limit of the difference's interval (default: mean)",
    )
    declare(gate, "test", help="fail only if the difference is also significant under this test")
    declare(gate, *DRAWN, "format", "notices")
    gate.set_defaults(perform=run, judges=True)


def _summarise(markdown: str) -> None:
    """Append Markdown to the summary of the GitHub job. Do nothing outside of GitHub jobs."""
    if os.environ.get(SUMMARY):
        from focuseval.report.tables import without_links

        with open(os.environ[SUMMARY], "a", encoding="utf-8") as out:
            out.write(f"{without_links(markdown)}\n")


def run(options: argparse.Namespace) -> int:
    """Judge the run, and print the verdict. Return 1 if the run is worse."""
    try:
        require(options, "baseline", "runs", "assessments", "measures")
        from focuseval.comparing.gate import gate

        verdict = call(gate, options)
    except InputError as error:
        listed = "".join(f"- {problem}\n" for problem in error.problems)
        _summarise(f"## Undecided whether the run is worse\n\n{listed}")
        raise
    answer(verdict.written(options.format), options, verdict.notes)
    _summarise(verdict.to_markdown())
    return 1 if verdict.worse else 0
