"""``focuseval ceiling``: the best scores that perfect retrieval reaches with each chunking."""

import argparse
from pathlib import Path
from typing import Any

from focuseval.cli.common import answer, call, declare, require


def add(commands: Any) -> None:
    """Declare the command ``focuseval ceiling`` and its options."""
    ceiling = commands.add_parser(
        "ceiling",
        help="report limits of chunkings: gold lost and split, best recall, redundancy",
        description="Report the best recall that a retriever of these chunks can reach, and how much text it returns.",
    )
    declare(ceiling, "assessments", help="gold: a file or folder")
    ceiling.add_argument(
        "--chunks", type=Path, action="append", metavar="PATH",
        help="a chunking: JSON lines with document, start and end, or a folder of such files; repeatable",
    )  # fmt: skip
    declare(ceiling, "collection", help="documents, to check that all spans are inside them")
    declare(ceiling, "documents_as")
    declare(ceiling, "assessment_format", "tokenizer")
    ceiling.add_argument(
        "--at",
        action="append",
        metavar="N",
        help="report recall at N chunks, Nc characters or Nt tokens; repeatable (default: 1, 5, 10, 2000c)",
    )
    ceiling.add_argument(
        "--per-topic", action="store_true", help="print a table for every topic before the mean"
    )
    declare(ceiling, "format")
    declare(ceiling, "output", help="write to this file instead of printing")
    declare(ceiling, "notices")
    ceiling.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print the scores that perfect retrieval reaches with each chunking."""
    require(options, "assessments", "chunks")
    from focuseval.comparing.chunkings import ceiling

    limits = call(ceiling, options)
    answer(limits.written(options.format, per_topic=options.per_topic), options, limits.notes, options.output)
    return 0
