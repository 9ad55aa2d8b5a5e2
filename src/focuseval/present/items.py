"""What a part of the report consists of: tables and figures, declared with title and caption, made from an analysis.

An analysis is frames by name. A declaration says how a table or a figure is made of them, so that one job can
write the tables, another draw the figures, and a third put both on a page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from focuseval.present import page
from focuseval.present.tables import Decimals, write_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

#: frames by name: what an analysis found
Analysis = Mapping[str, pd.DataFrame]

#: what a table and a figure are written as, the first being what has all digits
TABLE_FORMS, FIGURE_FORMS = ("csv", "md", "tex"), ("svg", "png")


@dataclass(frozen=True)
class Table:
    """A table; ``context`` is whatever its part of the report is about."""

    name: str  #: of its files
    title: str
    caption: str
    make: Callable[[Analysis, Any], pd.DataFrame]  #: as its CSV has it, from the analysis and the context
    decimals: Decimals = field(default_factory=dict)
    #: as people see it, where that is more than rounding
    show: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    #: the words that a long table is folded away behind, given the table; "" shows it
    fold: Callable[[pd.DataFrame], str] = lambda table: ""


@dataclass(frozen=True)
class Figure:
    """A figure, drawn by the entry ``drawn`` of a table of functions (`draw`)."""

    name: str  #: of its files
    title: str
    caption: str
    drawn: str = ""  #: the name itself if it is not given
    beside: Sequence[str] = ()  #: other files of the folder that belong to it


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
        frame.to_parquet(folder / f"{name}.parquet", index=False)


def read_analysis(folder: Path) -> dict[str, pd.DataFrame]:
    """The frames that `write_analysis` wrote."""
    return {path.stem: pd.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}


def write_tables(items: Sequence[Item], analysis: Analysis, context: Any, folder: Path) -> None:
    """Write every table in every form: CSV with all digits, the others as people see it."""
    for item in items:
        if isinstance(item, Table):
            table = item.make(analysis, context)
            shown = table if item.show is None else item.show(table)
            for form in TABLE_FORMS:
                write_table(table if form == "csv" else shown, folder / f"{item.name}.{form}", item.decimals)


def draw(items: Sequence[Item], drawn: Drawn, analysis: Analysis, context: Any, folder: Path) -> None:
    """Draw every figure in every form."""
    from focuseval.present.figures import save_figure  # Matplotlib: only where figures are drawn

    for item in items:
        if isinstance(item, Figure):
            figure = drawn[item.drawn or item.name](item, analysis, context)
            for form in FIGURE_FORMS:
                save_figure(figure, folder / f"{item.name}.{form}")


def shown(
    items: Sequence[Item], analysis: Analysis, context: Any, folder: Path, link: str
) -> list[page.Shown]:
    """The items as a page shows them; figures are read from ``folder``, which is ``link`` seen from the page."""
    found: list[page.Shown] = []
    tables = {item.name for item in items if isinstance(item, Table)}
    for item in items:
        if isinstance(item, Absent):
            found.append(page.Absent(item.title, item.why))
            continue
        forms = TABLE_FORMS if isinstance(item, Table) else FIGURE_FORMS
        files = [f"{link}/{item.name}.{form}" for form in forms]
        if isinstance(item, Figure):
            svg = (folder / f"{item.name}.svg").read_bytes()
            name = f"{item.name}-figure" if item.name in tables else item.name
            files += [f"{link}/{file}" for file in item.beside]
            found.append(page.ShownFigure(name, item.title, item.caption, svg, files))
            continue
        table = item.make(analysis, context)
        table = table if item.show is None else item.show(table)
        fold = item.fold(table)
        found.append(page.ShownTable(item.name, item.title, item.caption, table, item.decimals, files, fold))
    return found
