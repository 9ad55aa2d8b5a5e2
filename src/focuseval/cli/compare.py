"""``focuseval compare``: which runs are better, by how much, and how sure that is."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.inputs import add_drawing, add_form, add_inputs, add_measures, add_sweep, call, require
from focuseval.cli.output import deliver, note


def add(commands: Any) -> None:
    """Declare the command and its options."""
    compare = commands.add_parser(
        "compare", help="compare runs topic by topic: differences with intervals and tests"
    )
    add_inputs(compare)
    add_measures(compare)
    compare.add_argument(
        "--baseline", metavar="NAME", help="compare every other run with this one (its name or file)"
    )
    compare.add_argument("--test", choices=("randomisation", "bootstrap", "t-test"), default="randomisation")
    compare.add_argument(
        "--one-tailed", action="store_true", help="ask whether runs are better, not whether they differ"
    )
    compare.add_argument(
        "--correction", choices=("holm", "none"), default="holm", help="for the number of comparisons"
    )
    add_sweep(compare)
    add_drawing(compare)
    add_form(compare, "html")
    compare.add_argument("--output", type=Path, metavar="FILE", help="write there")
    compare.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and print what was asked for."""
    require(options, "runs", "assessments", "measures")

    from focuseval.api import compare

    compared = call(compare, options)
    for line in compared.notes:
        note(line)
    return deliver(lambda out: out.write(compared.written(options.format)), options.output)
