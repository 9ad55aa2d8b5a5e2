"""TREC Genomics 2007: gold passages with their aspects, and lists of passages.

A line of the gold standard has topic, document, offset, length and aspects, with ``|`` between aspects. A line of a
list has topic, document, rank, score, offset, length and the name of the run. The importer copies the files with two
changes. It converts text from ISO 8859-1 to UTF-8. It names each run after its file, as the track's program does,
because several lists contain the same name of a run.
"""

from pathlib import Path

from focuseval.errors import InputError, Problem, counted
from focuseval.files import read_bytes, write_atomically

#: files and folders that the importer writes
MAKES = ("gold.txt", "runs/")

#: the file of the gold standard, and the folder of the lists
GOLD, LISTS = "gold-standard-07.txt", "Data"


def write(files: Path, out: Path) -> None:
    """Convert TREC Genomics to assessments, and to a run for each published list, in the folder ``out``.

    ``files`` is the folder with the published files. Raises InputError if there is no list, or if a line of a list does
    not have seven columns.
    """
    with write_atomically(out / "gold.txt") as stream:
        stream.write(read_bytes(files / GOLD).decode("latin-1"))
    lists = sorted((files / LISTS).glob("*.txt"))
    if not lists:
        raise InputError.of(str(files / LISTS), "the folder has no lists of passages", "expected files *.txt")
    problems = []
    for path in lists:
        with write_atomically(out / "runs" / path.name) as stream:
            for number, line in enumerate(read_bytes(path).decode("latin-1").splitlines(), 1):
                columns = line.split()
                if len(columns) == 7:
                    stream.write(" ".join([*columns[:6], path.stem]) + "\n")
                elif columns:
                    expected = "expected topic, document, rank, score, offset, length, run"
                    found = f"the line has {counted(len(columns), 'column')}"
                    problems.append(Problem(str(path), f"line {number}", found, expected))
    if problems:
        raise InputError(problems)
