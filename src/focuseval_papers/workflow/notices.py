"""Tables of notices on the files of a campaign, one for each artefact that is read from files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice
from focuseval.errors import Problem, in_campaign, problem_lines
from focuseval.files import write_atomically

#: the columns of a table of notices: kind, file and text
COLUMNS = ["kind", "source", "text"]


def write_notices(
    sequences: Iterable[Sequence[Notice]], path: Path, conflicts: Iterable[Problem] = ()
) -> list[str]:
    """Write notices on files as a table, and return the lines to print.

    The table lists every rejected line or document. ``conflicts`` are problems of quoted texts that are not at their
    offsets.
    """
    sequences = list(sequences)
    rejected = [problem for some in sequences for problem in notices.problems_in(some, notices.REJECTED)]
    lines: list[str] = []
    rows: list[tuple[str, str, str]] = []
    for some in sequences:
        for kind in notices.KINDS.values():
            of_kind = [notice for notice in some if notice.kind == kind.name and kind is not notices.REJECTED]
            lines += (sentences := notices.lines(of_kind, naming=in_campaign))
            name = kind.name if kind.warning else notices.NOTE.name
            # each line begins with the name of a file or a run, as in "a.xml: 3 names of ..."
            rows += [(name, *line.partition(": ")[::2]) for line in sentences]
    rows += [("elsewhere", *problem.line(in_campaign).partition(": ")[::2]) for problem in conflicts]
    rows += [("rejected", problem.source, problem.line(in_campaign)) for problem in rejected]
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as out:
        pd.DataFrame(rows, columns=COLUMNS).to_csv(out, index=False, lineterminator="\n")
    return [*problem_lines(rejected, f"see {path}", in_campaign), *lines]


def read_notices(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the tables of notices of several artefacts as one table, without duplicates."""
    tables = [pd.read_csv(path, dtype=str, keep_default_na=False) for path in paths]
    return pd.concat([pd.DataFrame(columns=COLUMNS), *tables], ignore_index=True).drop_duplicates(
        ignore_index=True
    )
