"""MediaEval 2014, Search and Hyperlinking: judged segments of videos, and runs that rank segments.

A line of the judgements has topic, Q0, video, start, end and relevance. A line of a run has topic, Q0, video, start,
end, the jump-in point (search only), rank, score and sometimes a name. Times are ``minutes.seconds``: 17.10 is 1,030
seconds, and 5.3 is 303 seconds. Results are ordered by rank. A document is a video. Only its name is known. The unit is
a second. The linking task, whose topics are anchors, is a view of the campaign.
"""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval_papers.workflow.inex_files import write_lines

MAKES = ("gold.jsonl", "runs/", "linking/gold.jsonl", "linking/runs/")

#: the columns of judgements; ``""`` marks a column that is ignored
JUDGED = ("topic", "", "document", "start", "end", "relevance")
#: the columns of runs for each task; ``""`` marks a column that is ignored
RETURNED = {
    "search": ("topic", "", "document", "start", "end", "", "rank", "score"),
    "linking": ("topic", "", "document", "start", "end", "rank", "score"),
}

PLACE = ["topic", "document", "start", "end"]


def write(files: Path, out: Path) -> None:
    """Convert MediaEval's files to relevant segments and runs, for the search task and the linking task.

    Raises InputError for times that are not minutes and seconds.
    """
    problems: list[Problem] = []
    for task, columns in RETURNED.items():
        folder = out if task == "search" else out / task
        judged = _read(files / f"test_data/me14sh_{task}_testSet.qrel", JUDGED, problems)
        write_lines(judged.loc[judged["relevance"] == "1", PLACE], folder / "gold.jsonl")
        for path in sorted((files / "test_data").glob("*.txt*")):
            if ("_L_" in path.name) == (task == "linking"):
                run = path.name.removesuffix(".gz").removesuffix(".txt")
                results = _read(path, columns, problems).assign(run=run)
                numbers = results[["rank", "score"]].apply(pd.to_numeric)
                write_lines(results[["run", *PLACE]].join(numbers), folder / "runs" / f"{run}.jsonl")
    if problems:
        raise InputError(problems)


def _read(path: Path, columns: Sequence[str], problems: list[Problem]) -> pd.DataFrame:
    """Read ``columns`` of a file as text, convert times to seconds, and add malformed times to ``problems``."""
    names = {place: name for place, name in enumerate(columns) if name}
    table = pd.read_csv(path, sep=" ", header=None, dtype=str, usecols=[*names]).rename(columns=names)
    for name in ("start", "end"):
        parts = table[name].str.extract(r"^(\d+)(?:\.(\d\d?))?$")
        for row in parts.index[parts[0].isna()]:
            found = f"the time is {table.at[row, name]!r}"
            problems.append(Problem(str(path), f"line {row + 1}", found, "expected minutes.seconds"))
        minutes, seconds = (parts[part].fillna(0).astype(int) for part in (0, 1))
        table[name] = 60 * minutes + seconds
    return table
