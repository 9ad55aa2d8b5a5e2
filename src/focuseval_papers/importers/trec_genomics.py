"""TREC Genomics 2007: gold passages with their aspects, and lists of passages, as the track's program reads them.

A line of the gold standard has topic, document, offset, length and aspects, with ``|`` between aspects. A line of a
list has topic, document, rank, score, offset, length and the name of the run. Files are copied with two changes: text
in ISO 8859-1 becomes UTF-8, and a run is named after its file, as in the program's output, because several lists
contain the same name.
"""

from pathlib import Path

from focuseval.errors import InputError, Problem, counted
from focuseval.files import read_bytes, write_atomically

#: files and folders that the importer writes
MAKES = ("gold.txt", "runs/")

#: GOLD: the file with the gold standard; LISTS: the folder of the lists
GOLD, LISTS = "gold-standard-07.txt", "Data"


def write(files: Path, out: Path) -> None:
    """Write the assessments, and a run for each list.

    ``files`` is the folder with the published files, and ``out`` is the folder to write into. Raises InputError if
    there is no list, or if a line of a list does not have seven columns.
    """
    with write_atomically(out / "gold.txt") as stream:
        stream.write(read_bytes(files / GOLD).decode("latin-1"))
    lists = sorted((files / LISTS).glob("*.txt"))
    if not lists:
        raise InputError.of(str(files / LISTS), "it has no lists of passages", "expected files *.txt")
    problems = []
    for path in lists:
        with write_atomically(out / "runs" / path.name) as stream:
            for number, line in enumerate(read_bytes(path).decode("latin-1").splitlines(), 1):
                columns = line.split()
                if len(columns) == 7:
                    stream.write(" ".join([*columns[:6], path.stem]) + "\n")
                elif columns:
                    expected = "expected topic, document, rank, score, offset, length, run"
                    problems.append(
                        Problem(str(path), f"line {number}", counted(len(columns), "column"), expected)
                    )
    if problems:
        raise InputError(problems)
