"""``focuseval compare``: which runs are better, by how much, and how sure that is."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.inputs import add_drawing, add_inputs, inputs, require
from focuseval.cli.output import deliver, note

#: forms of the table, and the methods of `focuseval.comparing.compare.Comparison` that make them
FORMATS = {
    "table": "to_text",
    "markdown": "to_markdown",
    "latex": "to_latex",
    "json": "to_json",
    "html": "to_html",
}


class _Without(argparse.Action):
    """An option that other commands have, refused here, where it would be read as the beginning of another one."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        parser.error("runs stand without --run here, as in focuseval compare a.jsonl b.jsonl")


def add(commands: Any) -> None:
    """Declare the command and its options."""
    compare = commands.add_parser(
        "compare", help="compare runs topic by topic: differences with intervals and tests"
    )
    compare.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="a run, or a folder of runs")
    compare.add_argument("--run", "--runs", nargs="?", action=_Without, help=argparse.SUPPRESS)
    add_inputs(compare, runs=False)
    compare.add_argument("--measure", action="append", metavar="SPEC", help="as in AiP or iP@0.01")
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
    add_drawing(compare)
    compare.add_argument("--task", metavar="NAME", default="thorough", help="whose rules runs must keep")
    compare.add_argument("--format", choices=tuple(FORMATS), default="table")
    compare.add_argument("--output", type=Path, metavar="FILE", help="write there")
    compare.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Compare, and print what was asked for."""
    require(options, "assessments", "measure")

    from focuseval.api import run_named
    from focuseval.campaign.notices import lines
    from focuseval.comparing.compare import Method, compare_scores
    from focuseval.model.parallel import processors
    from focuseval.scoring.runs import score_runs

    settings = ("test", "one_tailed", "correction", "resamples", "seed", "alpha")
    method = Method(**{name: getattr(options, name) for name in settings})
    found = score_runs(
        options.measure, options.runs, inputs(options), task=options.task, processes=processors()
    )
    baseline = run_named(options.baseline, found.in_files)
    compared = compare_scores(found.scores.per_topic, baseline, method, lines(found.notices))
    for line in compared.notes:
        note(line)
    text: str = getattr(compared, FORMATS[options.format])()
    return deliver(lambda out: out.write(text), options.output)
