"""Texts in columns: names as places in the text, numbers as numbers, bad lines told one by one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem
from focuseval.formats.lines import decoded, of_other_encodings, text_of
from focuseval.formats.names import Names
from focuseval.formats.raw import Refused
from focuseval.formats.text_scan import BAD, CELLS, GOOD, HARD, MOST_FIELDS, Kind, scan_text
from focuseval.model.arrays import Floats, Ints

#: the columns of a text by their names, in order
Form = Mapping[str, Kind]


@dataclass(frozen=True, eq=False)
class TextColumns:
    """The good lines of a text, N of them, in columns."""

    text: bytes
    cells: Mapping[str, Ints]  #: (cells, N) of each column: `text_scan.CELLS`
    reals: Floats  #: (N,) values of the column of real numbers, if there is one
    line: Ints  #: (N,) number of each line, from 1

    def __len__(self) -> int:
        return len(self.line)

    def __contains__(self, column: str) -> bool:
        return column in self.cells

    def codes(self, column: str, names: Names) -> Ints:
        """(N,) the number of each name of a column."""
        return names.codes(self.text, *self.cells[column][:2])

    def extended(self) -> int:
        """How many documents are named with the extension of XML files, which was left out."""
        begin, end, extension = self.cells["document"]
        has = extension > 0
        given = Names()
        given.codes(self.text, begin[has], (end + extension)[has])
        return given.count

    def the_run(self, path: Path) -> str:
        """The one name in the column ``run``. Raises InputError if there are several."""
        names = Names()
        codes = self.codes("run", names)
        if names.count > 1:
            first = [
                f"{name!r} (line {self.line[np.argmax(codes == k)]})"
                for k, name in enumerate(names.index()[:5])
            ]
            found = f"{names.count} runs: {', '.join(first)}"
            raise InputError(Problem(str(path), "", found, "give one run in one file"))
        return str(names.index()[0])

    def whole(self, column: str) -> Ints:
        """(N,) the whole numbers of a column; -1 for a place that is not known."""
        return self.cells[column][0]


class _Scanned(NamedTuple):
    """What the scan fills, for R lines (`text_scan.scan`)."""

    cells: Ints  #: (cells, R)
    reals: Floats
    line: Ints
    begins: Ints
    state: Ints
    widths: Ints


def read_columns(
    path: Path, forms: Sequence[Form], explain: Callable[[list[str], int], object], rejected: list[Problem]
) -> TextColumns:
    """The lines of a file that have one of these forms, which differ in their number of columns: that of most lines.

    All others become problems in ``rejected``: ``explain`` takes the fields of a line and how many there should be, and
    raises `Refused` if they cannot be read, saying why.
    """
    text = text_of(path)
    width = len(text[: 1 << 16].lstrip().partition(b"\n")[0].split())
    form = next((form for form in forms if len(form) == width), forms[0])
    found = _scanned(text, form)
    most = max(forms, key=lambda form: found.widths[len(form)])
    if most is not form:
        form, found = most, _scanned(text, most)
    cells = by_column({name: CELLS[kind] for name, kind in form.items()}, found.cells)
    state = found.state
    read_hard(text, cells["score"], found.reals, state)
    state[of_other_encodings(text, found.begins)] |= BAD
    for row in np.flatnonzero(state):
        begin, line = int(found.begins[row]), f"line {found.line[row]}"
        try:
            explain(decoded(b" ".join(text[begin : text.index(b"\n", begin)].split())).split(" "), len(form))
        except Refused as refused:
            rejected.append(Problem(str(path), line, *refused.args))
        else:
            assert not state[row] & BAD, f"{path}, {line}: a good line, which the scan takes for a bad one"
            state[row] = GOOD
    bad = np.flatnonzero(state)
    cells = {name: _without(bad, column) for name, column in cells.items()}
    return TextColumns(text, cells, _without(bad, found.reals), _without(bad, found.line))


def _without(rows: Ints, column: np.ndarray) -> np.ndarray:
    """A column, or several, without some rows, which are few: what stands between them is copied as a whole."""
    if not len(rows):
        return column
    bounds = zip([0, *(rows + 1)], [*rows, column.shape[-1]], strict=True)
    return np.concatenate([column[..., begin:end] for begin, end in bounds], axis=-1)


def _scanned(text: bytes, form: Form) -> _Scanned:
    lines = text.count(b"\n")
    kinds = np.array(list(form.values()), dtype=np.int64)
    found = _Scanned(
        cells=np.empty((sum(CELLS[kind] for kind in form.values()), lines), dtype=np.int64),
        reals=np.empty(lines),
        line=np.empty(lines, dtype=np.int64),
        begins=np.empty(lines, dtype=np.int64),
        state=np.empty(lines, dtype=np.uint8),
        widths=np.zeros(MOST_FIELDS + 1, dtype=np.int64),
    )
    rows = scan_text(text, kinds, *found)
    *columns, widths = found
    return _Scanned(*(column[..., :rows] for column in columns), widths)  # type: ignore[arg-type, call-arg]


def by_column(widths: Mapping[str, int], cells: Ints) -> dict[str, Ints]:
    """The cells of each column, which has so many of them."""
    ends = np.cumsum(list(widths.values())).tolist()
    return {name: cells[end - width : end] for (name, width), end in zip(widths.items(), ends, strict=True)}


def read_hard(text: bytes, cells: Ints, reals: Floats, state: Ints) -> None:
    """Read the real numbers that the scan leaves; lines are bad where they are not finite."""
    begin, end = cells
    for row in np.flatnonzero((state & (HARD | BAD)) == HARD):
        reals[row] = float(text[begin[row] : end[row]])
        state[row] ^= HARD if np.isfinite(reals[row]) else HARD | BAD
