"""``focuseval view``: make a page for exploring runs."""

import argparse
from typing import Any

from focuseval.cli.common import DRAWN, OPTIONS, answer, call, declare, declare_inputs, require


def add(commands: Any) -> None:
    """Declare the command ``focuseval view`` and its options."""
    view = commands.add_parser(
        "view",
        help="write a page for exploring runs: what they find, what they repeat, where one is better",
        description="Write an HTML page that opens from disk. It shows runs, topics and rankings, and documents in "
        "which gold, new text and repeated text are marked.",
    )
    declare_inputs(view)
    declare(view, "measures", help=f"{OPTIONS['measures']['help']}; the first one orders the runs")
    declare(view, "baseline")
    view.add_argument("--title", default="", help="title of the page")
    view.add_argument(
        "--depth",
        type=int,
        default=100,
        metavar="N",
        help="show only the first N results of a list (default: 100)",
    )
    view.add_argument("--best", type=int, metavar="N", help="show only the N best runs by the first measure")
    declare(view, "by", *DRAWN)
    view.add_argument(
        "--alone",
        action="store_true",
        help="write a single file of up to 20 MB; leave out other data instead of writing them to a folder",
    )
    declare(view, "output", help="file for the page, such as page.html")
    declare(view, "notices")
    view.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Make the page and write it to a file."""
    require(options, "assessments", "runs", "measures", "output")

    from focuseval.files import is_stream
    from focuseval.viewer.viewing import view

    page = call(view, options)
    left_out = page.save(options.output, alone=options.alone)
    path = "" if is_stream(options.output) else f"{options.output}\n"
    answer(path, options, [*left_out, *page.notes])
    return 0
