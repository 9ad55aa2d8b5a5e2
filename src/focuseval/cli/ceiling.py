"""``focuseval ceiling``: what chunkings allow before anything is retrieved."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focuseval.cli.inputs import PEOPLE, add_form
from focuseval.cli.output import deliver, note

if TYPE_CHECKING:
    from focuseval.chunks.ceiling import Cutoff

#: what is printed of a chunking, and what it is called in a table
LABELS = {
    "chunks": "chunks",
    "redundancy": "redundancy: sizes / text covered",
    "topics": "topics with gold",
    "gold": "gold characters",
    "gold_in_no_chunk": "  in no chunk",
    "spans": "gold spans",
    "spans_in_no_single_chunk": "  in no single chunk",
    "precision_omega": "Precision-Omega",
    "precision_omega_touching": "  chunks that only touch counted",
}


def add(commands: Any) -> None:
    """Declare the command and its options."""
    ceiling = commands.add_parser(
        "ceiling",
        help="what chunkings allow: gold lost and cut, best recall, redundancy",
        description="The best that any retriever of these chunks can reach, and what it costs to read.",
    )
    ceiling.add_argument(
        "--assessments",
        type=Path,
        action="append",
        required=True,
        metavar="PATH",
        help="gold: file or folder",
    )
    ceiling.add_argument(
        "--chunks", type=Path, action="append", required=True, metavar="PATH",
        help="a chunking: JSON lines with document, start, end; or a folder of them; several stand side by side",
    )  # fmt: skip
    ceiling.add_argument(
        *("--collection", "--documents"),
        type=Path,
        metavar="PATH",
        help="to check that all is in its documents",
    )
    ceiling.add_argument("--assessment-format", metavar="NAME", help="instead of recognising the format")
    ceiling.add_argument(
        "--at", action="append", metavar="N", help="recall at N chunks, or Nc characters (1, 5, 10, 2000c)"
    )
    ceiling.add_argument("--per-topic", action="store_true", help="a table for every topic before the mean")
    add_form(ceiling)
    ceiling.add_argument("--output", type=Path, metavar="FILE", help="write there instead of printing")
    ceiling.set_defaults(perform=run)


def run(options: argparse.Namespace) -> int:
    """Print what each chunking allows."""
    from focuseval.chunks.ceiling import CUTOFFS, allowed, parse_cutoff

    cutoffs = [parse_cutoff(text) for text in dict.fromkeys(options.at or CUTOFFS)]
    records, notes = allowed(
        options.assessments,
        options.chunks,
        cutoffs,
        collection=options.collection,
        assessment_format=options.assessment_format,
    )
    for line in notes:
        note(line)
    text = _written(records, _labels(cutoffs), options.per_topic, options.format)
    return deliver(lambda out: out.write(text), options.output)


def _written(records: list[dict[str, Any]], labels: Mapping[str, str], per_topic: bool, form: str) -> str:
    """For people a table of all topics, behind those of each if asked for, chunkings side by side; else the records.

    JSON has every topic, and the chunks chosen.
    """
    import pandas as pd

    from focuseval.report.tables import FORMS

    if form == "json":
        return "[" + ",\n ".join(json.dumps(record, ensure_ascii=False) for record in records) + "]\n"
    totals = [record for record in records if "redundancy" in record]
    topics = [record for record in records if per_topic and "redundancy" not in record]
    if form not in PEOPLE:
        return FORMS[form](pd.DataFrame([*topics, *totals]).map(_listed), {})
    by_topic = {
        f"topic {one['topic']}": [record for record in topics if record["topic"] == one["topic"]]
        for one in topics
    }
    written = []
    for title, beside in {**by_topic, "all topics": totals}.items():
        keys = [key for key in beside[0] if key not in ("chunking", "topic")]
        columns = {record["chunking"]: [_shown(record[key]) for key in keys] for record in beside}
        table = pd.DataFrame({title: [labels[key] for key in keys], **columns})
        written.append(FORMS[form](table.rename_axis(columns="chunking"), {}))
    return "\n".join(written)


def _labels(cutoffs: "Sequence[Cutoff]") -> dict[str, str]:
    """What the rows of a table are called, by the keys of the records."""
    labels = dict(LABELS)
    for at in cutoffs:
        unit = "characters" if at.characters else "chunk" + "s" * (at.limit != 1)
        labels[f"recall@{at.name}"] = f"best recall at {at.limit} {unit}"
        labels[f"chunks@{at.name}"] = "  by the chunks of lines"
    return labels


def _listed(value: Any) -> Any:
    """A cell, chunks by their lines."""
    return (",".join(str(chunk["line"]) for chunk in value) or "none") if isinstance(value, list) else value


def _shown(value: Any) -> str:
    """A cell of a table for people."""
    return f"{value:.4f}" if isinstance(value, float) else str(_listed(value))
