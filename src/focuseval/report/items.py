"""What a part of the report consists of: tables and figures, declared with title and caption, made from an analysis.

An analysis is frames by name. A declaration says how a table or a figure is made of them, so that one job can
write the tables, another draw the figures (`focuseval.report.figures.draw`), and a third put both on a page
(`focuseval.report.page.shown`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from focuseval.files import replacing
from focuseval.report.tables import Decimals, write_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

#: frames by name: what an analysis found
Analysis = Mapping[str, pd.DataFrame]

#: what to be careful with in an item, a sentence each, given the analysis and the context
Warn = Callable[[Analysis, Any], Sequence[str]]


def nothing(analysis: Analysis, context: Any) -> Sequence[str]:
    """The warnings of an item that needs none."""
    return ()


#: what a table and a figure are written as, the first being what has all digits
TABLE_FORMS, FIGURE_FORMS = ("csv", "md", "tex"), ("svg", "png")


@dataclass(frozen=True)
class Table:
    """A table; ``context`` is whatever its part of the report is about."""

    name: str  #: of its files
    title: str
    caption: str
    #: what makes it as its CSV has it, or the frame that it is: that of its own name if none is given
    make: Callable[[Analysis, Any], pd.DataFrame] | str = ""
    decimals: Decimals = field(default_factory=dict)
    #: as people see it, where that is more than rounding
    show: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    warn: Warn = nothing  #: shown above it
    #: what a page says instead, if anything; of None nothing, and links to its files are elsewhere
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""

    def made(self, analysis: Analysis, context: Any) -> pd.DataFrame:
        """The table as its CSV has it."""
        if callable(self.make):
            return self.make(analysis, context)
        return analysis[self.make or self.name]

    def for_people(self, table: pd.DataFrame) -> pd.DataFrame:
        """What was `made`, as people see it."""
        return table if self.show is None else self.show(table)


@dataclass(frozen=True)
class Figure:
    """A figure, drawn by the entry ``drawn`` of a table of functions (`draw`)."""

    name: str  #: of its files
    title: str
    caption: str
    drawn: str = ""  #: the name itself if it is not given
    beside: Sequence[str] = ()  #: other files of the folder that belong to it
    warn: Warn = nothing  #: shown above it
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""  #: as of a `Table`


@dataclass(frozen=True)
class Absent:
    """A table or figure that cannot be made here."""

    title: str
    why: str


Item = Table | Figure | Absent

#: functions that draw figures, by the names of `Figure.drawn`; they get the declaration, analysis and context
Drawn = Mapping[str, Callable[[Figure, Analysis, Any], "Drawing"]]


def files_of(items: Sequence[Item], kind: type[Table] | type[Figure]) -> list[str]:
    """The names of the files of all tables, or of all figures."""
    forms = TABLE_FORMS if kind is Table else FIGURE_FORMS
    return [f"{item.name}.{form}" for item in items if isinstance(item, kind) for form in forms]


def write_analysis(analysis: Analysis, folder: Path) -> None:
    """Write the frames of an analysis as typed Parquet files, by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in analysis.items():
        with replacing(folder / f"{name}.parquet") as unfinished:
            frame.to_parquet(unfinished, index=False)


def read_analysis(folder: Path) -> dict[str, pd.DataFrame]:
    """The frames that `write_analysis` wrote."""
    return {path.stem: pd.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}


def write_tables(items: Sequence[Item], analysis: Analysis, context: Any, folder: Path) -> None:
    """Write every table in every form: CSV with all digits, the others as people see it."""
    for item in items:
        if isinstance(item, Table):
            table = item.made(analysis, context)
            shown = item.for_people(table)
            for form in TABLE_FORMS:
                write_table(table if form == "csv" else shown, folder / f"{item.name}.{form}", item.decimals)
