"""Parts of output: tables and figures with captions, and writers for each format.

An analysis is a mapping from names to frames. Declarations describe how tables and figures are made from an analysis.
Separate jobs can therefore write tables, draw figures (`focuseval.report.figures.draw`), and render a page
(`focuseval.report.page.shown`).

Comparisons, verdicts and ceilings are `Printable`: each has parts for people, and a frame for programs.
"""

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import pandas as pd

from focuseval.campaign.tables import read_frame, write_frame
from focuseval.errors import wrapped
from focuseval.report.tables import (
    FORMS,
    MISSING,
    Decimals,
    markdown,
    plain,
    to_html,
    to_json,
    to_latex,
    to_markdown,
    to_text,
    typeset,
    without_links,
    write_table,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


#: the results of an analysis, as frames by name
Analysis = Mapping[str, pd.DataFrame]

#: returns warnings about an item, one sentence each
Warn = Callable[[Analysis, Any], Sequence[str]]


def nothing(analysis: Analysis, context: Any) -> Sequence[str]:
    """Return no warnings (the default of `Table.warn` and `Figure.warn`)."""
    return ()


#: the formats of written tables and figures; only CSV contains unrounded numbers
TABLE_FORMS, FIGURE_FORMS = ("csv", "md", "tex"), ("svg", "png")


@dataclass(frozen=True)
class Table:
    """The declaration of a table in the report: how it is made, described and shown."""

    name: str  #: the name of the files, without suffixes
    title: str
    caption: str
    #: a function that makes the unrounded frame, or the name of a frame in the analysis (by default, ``name``)
    make: Callable[[Analysis, Any], pd.DataFrame] | str = ""
    decimals: Decimals = field(default_factory=dict)
    #: converts the unrounded frame to the form for people
    show: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    warn: Warn = nothing  #: returns the warnings above the table
    fold: bool = False  #: whether a page always folds the table
    #: returns the reason why a page does not show the item, "" to show it, or None to omit it silently
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""

    def made(self, analysis: Analysis, context: Any) -> pd.DataFrame:
        """Return the table's unrounded frame, which is written as CSV."""
        if callable(self.make):
            return self.make(analysis, context)
        return analysis[self.make or self.name]

    def for_people(self, table: pd.DataFrame) -> pd.DataFrame:
        """Convert the table's unrounded frame to the table that people see, without empty columns."""
        visible = table if self.show is None else self.show(table)
        return visible.loc[:, ~(visible.isna() | visible.isin(["", MISSING])).all() | visible.empty]


@dataclass(frozen=True)
class Figure:
    """A figure in the report, which `focuseval.report.figures.draw` draws."""

    name: str  #: the name of the files, without suffixes
    title: str
    caption: str
    drawn: str = ""  #: the key of the function that draws the figure; by default, ``name``
    beside: Sequence[str] = ()  #: names of further files that belong to the figure
    warn: Warn = nothing  #: returns the warnings above the figure
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""  #: like `Table.why_not`


@dataclass(frozen=True)
class Absent:
    """A table or figure that is unavailable, and the reason."""

    title: str
    why: str


Item = Table | Figure | Absent

#: functions that draw a figure from its declaration, the analysis and the context, by `Figure.drawn`
Drawn = Mapping[str, Callable[[Figure, Analysis, Any], "Drawing"]]


def files_of(items: Sequence[Item], kind: type[Table] | type[Figure]) -> list[str]:
    """Return the file names of all items of one ``kind``, in all formats."""
    forms = TABLE_FORMS if kind is Table else FIGURE_FORMS
    return [f"{item.name}.{form}" for item in items if isinstance(item, kind) for form in forms]


def write_analysis(analysis: Analysis, folder: Path) -> None:
    """Write each frame of an analysis to a Parquet file with the frame's name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in analysis.items():
        write_frame(frame, folder / f"{name}.parquet")


def read_analysis(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the analysis that `write_analysis` wrote to a folder."""
    return {path.stem: read_frame(path) for path in sorted(folder.glob("*.parquet"))}


def write_tables(
    items: Sequence[Item], analysis: Analysis, context: Any, folder: Path, synthetic: str = ""
) -> None:
    """Write every table of ``items`` to ``folder``, in all formats.

    If ``synthetic`` is given, it is the name of a synthetic campaign, and `write_table` adds it to the files.
    """
    for item in items:
        if isinstance(item, Table):
            table = item.made(analysis, context)
            visible = item.for_people(table)
            for form in TABLE_FORMS:
                of_form = table if form == "csv" else visible
                write_table(of_form, folder / f"{item.name}.{form}", item.decimals, synthetic)


class Heading(str):
    """A heading between the parts of a printed result."""


class Lines(tuple[str, ...]):
    """A part of a printed result: sentences that form a list."""


#: a part of output; a plain string is a paragraph
Part: TypeAlias = str | Lines | pd.DataFrame


def as_text(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return the parts of a result as plain text. In tables, minus signs and spaces are ASCII."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_text(part, decimals))
            case Lines():
                return "".join(f"{wrapped(line, '  ')}\n" for line in part)
        return f"{wrapped(part)}\n"

    return "\n".join(map(written, parts))


def as_markdown(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return the parts of a result as Markdown. In tables, minus signs and spaces are ASCII."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_markdown(part, decimals))
            case Lines():
                return "".join(f"- {markdown(line)}\n" for line in part)
            case Heading():
                return f"## {markdown(part)}\n"
        return f"{without_links(part)}\n"

    return "\n".join(map(written, parts))


def as_latex(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return the parts of a result as LaTeX: paragraphs as comments, tables as ``tabular`` with booktabs rules."""
    parts = list(parts)
    comments = "".join(f"% {part}\n" for part in parts if isinstance(part, str))
    tables = (to_latex(part, decimals) for part in parts if isinstance(part, pd.DataFrame))
    return comments + "\n".join(tables)


def as_html(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return the parts of a result as HTML for a page."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return to_html(part, decimals)
            case Lines():
                return "<ul>\n" + "".join(f"<li>{escaped(line)}</li>\n" for line in part) + "</ul>\n"
            case Heading():
                return f"<h2>{escaped(part)}</h2>\n"
        return f"<p>{escaped(part)}</p>\n"

    def escaped(text: str) -> str:
        return html.escape(typeset(text))

    return "".join(map(written, parts))


#: functions that write parts, by the name of the format in ``--format``
WRITERS: dict[str, Callable[[Iterable[Part], Decimals], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}


class Printable:
    """A result that people read as text, tables or HTML, and that programs use as a frame."""

    notes: list[str]  #: warnings, one line each
    title = ""  #: the title of the HTML page
    signature = ""  #: the line that states what is needed to reproduce the result
    decimals: ClassVar[Decimals] = {}

    def parts(self) -> Sequence[Part]:
        """Return the headings, texts and tables that people see, without the notes."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the result as a tidy frame of unrounded numbers."""
        raise NotImplementedError

    def _with_notes(self) -> list[Part]:
        return [*self.parts(), *([Lines(self.notes)] if self.notes else [])]

    def to_text(self) -> str:
        """Return the result as text for a terminal."""
        return as_text(self.parts(), self.decimals)

    def to_markdown(self) -> str:
        """Return the result and the notes as Markdown."""
        return as_markdown(self._with_notes(), self.decimals)

    def to_latex(self) -> str:
        """Return the tables as LaTeX (``tabular`` with booktabs rules), after comments with the paragraphs."""
        return as_latex(self.parts(), self.decimals)

    def to_html(self) -> str:
        """Return the result and the notes as an HTML page."""
        head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{self.title}</title>\n'
        return f"{head}{self._repr_html_()}</html>\n"

    def to_json(self) -> str:
        """Return the unrounded frame as a list of objects. Missing values and empty texts are null."""
        return to_json(self.to_frame())

    def written(self, form: str) -> str:
        """Return the result in a format of ``--format``. Formats for programs contain the unrounded frame."""
        people: dict[str, Callable[[], str]] = {
            "table": self.to_text,
            "markdown": self.to_markdown,
            "latex": self.to_latex,
            "html": self.to_html,
        }
        return people[form]() if form in people else FORMS[form](self.to_frame(), {})

    def _repr_html_(self) -> str:
        return as_html(self._with_notes(), self.decimals)

    def __repr__(self) -> str:
        return self.to_text() + "".join(f"{note}\n" for note in self.notes)
