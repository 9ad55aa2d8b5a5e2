"""``focuseval view``: a page for exploring runs."""

import argparse
from typing import Any

from focuseval.cli.common import DRAWN, OPTIONS, answer, call, declare, declare_inputs, require


def add(commands: Any) -> None:
    """Declare the command and its options."""
    view = commands.add_parser(
        "view",
        help="a page to look into runs: what was found, what was read twice, where one is better",
        description="Write one page of HTML that opens from disk: runs, topics, rankings, and documents with gold, new "
        "text and text that is read again told apart.",
    )
    declare_inputs(view)
    declare(view, "measures", help=f"{OPTIONS['measures']['help']}; runs are ordered by the first")
    declare(view, "baseline")
    view.add_argument("--title", default="", help="of the page")
    view.add_argument("--depth", type=int, default=100, metavar="N", help="results of a list to show (100)")
    view.add_argument(
        "--best", type=int, metavar="N", help="show so many runs only, the best by the first measure"
    )
    declare(view, "by", *DRAWN)
    view.add_argument(
        "--alone",
        action="store_true",
        help="leave out what does not fit into one file of 20 MB, rather than write a folder beside it",
    )
    declare(view, "output", help="the page, as in page.html")
    declare(view, "notices")
    view.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Write the page."""
    require(options, "assessments", "runs", "measures", "output")

    from focuseval.files import is_stream
    from focuseval.viewer.viewing import view

    page = call(view, options)
    left_out = page.save(options.output, alone=options.alone)
    path = "" if is_stream(options.output) else f"{options.output}\n"
    answer(path, options, [*left_out, *page.notes])
    return 0
