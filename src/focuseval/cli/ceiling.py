"""``focuseval ceiling``: the limits of chunkings before retrieval."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.common import answer, call, declare, require


def add(commands: Any) -> None:
    """Declare the command and its options."""
    ceiling = commands.add_parser(
        "ceiling",
        help="what chunkings allow: gold lost and cut, best recall, redundancy",
        description="The best that any retriever of these chunks can reach, and what it costs to read.",
    )
    declare(ceiling, "assessments", help="gold: file or folder")
    ceiling.add_argument(
        "--chunks", type=Path, action="append", metavar="PATH",
        help="a chunking: JSON lines with document, start, end; or a folder of them; several are shown side by side",
    )  # fmt: skip
    declare(ceiling, "collection", help="to check that all is in its documents")
    declare(ceiling, "documents_as")
    declare(ceiling, "assessment_format", "tokenizer")
    ceiling.add_argument(
        "--at",
        action="append",
        metavar="N",
        help="recall at N chunks, Nc characters or Nt tokens (1, 5, 10, 2000c)",
    )
    ceiling.add_argument("--per-topic", action="store_true", help="a table for every topic before the mean")
    declare(ceiling, "format")
    declare(ceiling, "output", help="write there instead of printing")
    declare(ceiling, "notices")
    ceiling.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print the limits of each chunking."""
    require(options, "assessments", "chunks")
    from focuseval.comparing.chunkings import ceiling

    limits = call(ceiling, options)
    answer(limits.written(options.format, per_topic=options.per_topic), options, limits.notes, options.output)
    return 0
