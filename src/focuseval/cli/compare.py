"""``focuseval compare``: which runs are best, by how much, and how certain this is."""

import argparse
from typing import Any

from focuseval.cli.common import DRAWN, FORMS, answer, call, declare, declare_inputs, require


def add(commands: Any) -> None:
    """Declare the command ``focuseval compare`` and its options."""
    compare = commands.add_parser("compare", help="compare runs topic by topic, with intervals and tests")
    declare_inputs(compare)
    declare(compare, "measures")
    declare(compare, "baseline", help="compare every other run with this one (its name or file)")
    declare(compare, "test", default="randomisation")
    compare.add_argument(
        "--one-tailed", action="store_true", help="test whether runs are better, not whether they differ"
    )
    compare.add_argument(
        "--correction",
        choices=("holm", "none"),
        default="holm",
        help="correction for multiple comparisons (default: holm)",
    )
    declare(compare, "by", *DRAWN)
    declare(compare, "format", choices=(*FORMS, "html"))
    declare(compare, "output", "notices")
    compare.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Compare the runs, and print the comparison."""
    require(options, "runs", "assessments", "measures")

    from focuseval.api import compare

    compared = call(compare, options)
    answer(compared.written(options.format), options, compared.notes, options.output)
    return 0
