"""Writers of a campaign's input files: topics and assessments in INEX's formats, and runs as JSON lines."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import pandas as pd

from focuseval.files import write_atomically


def write_lines(table: pd.DataFrame, path: Path) -> None:
    """Write the rows of a table as JSON lines."""
    with write_atomically(path) as out:
        table.to_json(out, orient="records", lines=True, force_ascii=False)


def write_runs(runs: pd.DataFrame, folder: Path) -> None:
    """Write each run into a file of JSON lines; ``/`` in the run's name becomes ``-`` in the name of the file."""
    for run, part in runs.groupby("run"):
        write_lines(part, folder / f"{str(run).replace('/', '-')}.jsonl")


class Form(NamedTuple):
    """A format of assessments: templates for the tags of documents and elements, and the columns that fill them."""

    file: str
    element: str
    columns: tuple[str, ...]
    attributes: str = ""  #: further attributes of the root element


def in_form_of_2005(collection: str) -> Form:
    """Return the format of INEX 2005, with exhaustivity 1, 2 or ?, and sizes in characters."""
    return Form(
        f'file collection="{collection}" name="{{}}"',
        'element path="{}" exhaustivity="{}" size="{}" rsize="{}"',
        ("path", "exhaustivity", "size", "rsize"),
        ' version="1"',
    )


def topics_file(topics: Iterable[tuple[Mapping[str, str], Mapping[str, str]]]) -> str:
    """Return the text of a file of topics; each topic is a pair of its attributes and its parts."""
    lines = ["<inex-topic-file>\n"]
    for attributes, parts in topics:
        lines.append(
            f"  <topic {' '.join(f'{name}={quoteattr(text)}' for name, text in attributes.items())}>\n"
        )
        lines += [f"    <{name}>{escape(text)}</{name}>\n" for name, text in parts.items()]
        lines.append("  </topic>\n")
    return "".join([*lines, "</inex-topic-file>\n"])


def assessments_file(topic: str, judged: pd.DataFrame, form: Form) -> str:
    """Return the text of a file with a topic's assessments.

    ``judged`` is grouped by document. Its columns are ``document`` and the columns of ``form``.
    """
    lines = [f'<assessments pool="{topic}" topic="{topic}"{form.attributes}>\n']
    rows = zip(*(judged[name].tolist() for name in ("document", *form.columns)), strict=True)
    for document, elements in groupby(rows, key=itemgetter(0)):
        lines.append(f"  <{form.file.format(document)}>\n")
        lines += [f"    <{form.element.format(*values)}/>\n" for _, *values in elements]
        lines.append("  </file>\n")
    return "".join([*lines, "</assessments>\n"])


def qrels_line(topic: str, document: str, size: int, passages: Sequence[tuple[int, int]]) -> str:
    """Return the line of FOL qrels for a document.

    The fields are topic, Q0, document, size of relevant text, size of the document, best entry point, and passages. The
    best entry point is the start of the first passage; without passages, the field is left out.
    """
    relevant = sum(end - start for start, end in passages)
    entry = passages[0][:1] if passages else ()
    listed = (f"{start}:{end - start}" for start, end in passages)
    return " ".join(map(str, [topic, "Q0", document, relevant, size, *entry, *listed])) + "\n"
