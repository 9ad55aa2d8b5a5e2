"""Parts of output: tables and figures with captions, and writers for each format.

An analysis is a mapping of names to frames. Declarations say how tables and figures are made from it, so that separate
jobs can write tables, draw figures (`focuseval.report.figures.draw`), and render both on a page
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


#: the results of an analysis: frames by name
Analysis = Mapping[str, pd.DataFrame]

#: a function from analysis and context to warnings about an item, one sentence each
Warn = Callable[[Analysis, Any], Sequence[str]]


def nothing(analysis: Analysis, context: Any) -> Sequence[str]:
    """Return no warnings."""
    return ()


#: formats of tables and figures; CSV is unrounded
TABLE_FORMS, FIGURE_FORMS = ("csv", "md", "tex"), ("svg", "png")


@dataclass(frozen=True)
class Table:
    """A table in the report, made from the analysis and a ``context``."""

    name: str  #: stem of the names of files
    title: str
    caption: str
    #: function that computes the frame of the CSV, or the name of a frame; by default, the table's name
    make: Callable[[Analysis, Any], pd.DataFrame] | str = ""
    decimals: Decimals = field(default_factory=dict)
    #: function that converts the frame for people, in addition to rounding
    show: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    warn: Warn = nothing  #: shown above the table
    fold: bool = False  #: whether a page always folds the table
    #: text that replaces the item on a page; None: no text, and other items link its files
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""

    def made(self, analysis: Analysis, context: Any) -> pd.DataFrame:
        """Return the frame of the CSV."""
        if callable(self.make):
            return self.make(analysis, context)
        return analysis[self.make or self.name]

    def for_people(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a `made` frame for people, without empty columns."""
        visible = table if self.show is None else self.show(table)
        return visible.loc[:, ~(visible.isna() | visible.isin(["", MISSING])).all() | visible.empty]


@dataclass(frozen=True)
class Figure:
    """A figure, drawn by the function with the key ``drawn`` in a table of functions (`draw`)."""

    name: str  #: stem of the names of files
    title: str
    caption: str
    drawn: str = ""  #: key of the drawing function; by default, the figure's name
    beside: Sequence[str] = ()  #: files in the folder that belong to the figure, besides its pictures
    warn: Warn = nothing  #: shown above the figure
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""  #: as for `Table`


@dataclass(frozen=True)
class Absent:
    """A table or figure that is unavailable."""

    title: str
    why: str


Item = Table | Figure | Absent

#: functions that draw figures, by `Figure.drawn`; their arguments are declaration, analysis and context
Drawn = Mapping[str, Callable[[Figure, Analysis, Any], "Drawing"]]


def files_of(items: Sequence[Item], kind: type[Table] | type[Figure]) -> list[str]:
    """Return the names of the files of all tables, or of all figures."""
    forms = TABLE_FORMS if kind is Table else FIGURE_FORMS
    return [f"{item.name}.{form}" for item in items if isinstance(item, kind) for form in forms]


def write_analysis(analysis: Analysis, folder: Path) -> None:
    """Write the frames of an analysis to Parquet files with their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, frame in analysis.items():
        write_frame(frame, folder / f"{name}.parquet")


def read_analysis(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the frames from `write_analysis`."""
    return {path.stem: read_frame(path) for path in sorted(folder.glob("*.parquet"))}


def write_tables(
    items: Sequence[Item], analysis: Analysis, context: Any, folder: Path, synthetic: str = ""
) -> None:
    """Write every table in all formats: CSV unrounded, other formats for people.

    ``synthetic`` is the name of the synthetic campaign, if any (`write_table`).
    """
    for item in items:
        if isinstance(item, Table):
            table = item.made(analysis, context)
            visible = item.for_people(table)
            for form in TABLE_FORMS:
                of_form = table if form == "csv" else visible
                write_table(of_form, folder / f"{item.name}.{form}", item.decimals, synthetic)


class Heading(str):
    """A heading for the parts that follow."""


class Lines(tuple[str, ...]):
    """Sentences, one per line."""


#: a part of output; a string is a paragraph
Part: TypeAlias = str | Lines | pd.DataFrame


def as_text(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return parts as text for a terminal. Tables use only ASCII signs."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_text(part, decimals))
            case Lines():
                return "".join(f"{wrapped(line, '  ')}\n" for line in part)
        return f"{wrapped(part)}\n"

    return "\n".join(map(written, parts))


def as_markdown(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return parts as Markdown. Tables use only ASCII signs."""

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
    """Return only the tables, as LaTeX: a ``tabular`` with booktabs rules for each, after a comment."""
    parts = list(parts)
    comments = "".join(f"% {part}\n" for part in parts if isinstance(part, str))
    tables = (to_latex(part, decimals) for part in parts if isinstance(part, pd.DataFrame))
    return comments + "\n".join(tables)


def as_html(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return parts as HTML for a page."""

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


#: writers by name of the format in ``--format``
WRITERS: dict[str, Callable[[Iterable[Part], Decimals], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}


class Printable:
    """A result with parts for ``print``, notebooks and ``--format``, and a frame for programs."""

    notes: list[str]  #: warnings, one line each
    title = ""  #: title of a page
    signature = ""  #: the line for reproducing the result, shown below all parts
    decimals: ClassVar[Decimals] = {}

    def parts(self) -> Sequence[Part]:
        """Return the parts for people, without notes."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return an unrounded tidy frame."""
        raise NotImplementedError

    def _with_notes(self) -> list[Part]:
        return [*self.parts(), *([Lines(self.notes)] if self.notes else [])]

    def to_text(self) -> str:
        """Return text for a terminal."""
        return as_text(self.parts(), self.decimals)

    def to_markdown(self) -> str:
        """Return Markdown with the notes."""
        return as_markdown(self._with_notes(), self.decimals)

    def to_latex(self) -> str:
        """Return the tables as LaTeX: a ``tabular`` with booktabs rules for each, after a comment on the method."""
        return as_latex(self.parts(), self.decimals)

    def to_html(self) -> str:
        """Return an HTML page with the notes."""
        head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{self.title}</title>\n'
        return f"{head}{self._repr_html_()}</html>\n"

    def to_json(self) -> str:
        """Return the unrounded frame as a list of objects. Missing values are null."""
        return to_json(self.to_frame())

    def written(self, form: str) -> str:
        """Return the text in a format of ``--format``: tables for people, or the frame for programs."""
        people: dict[str, Callable[[], str]] = {
            "table": self.to_text,
            "markdown": self.to_markdown,
            "latex": self.to_latex,
            "html": self.to_html,
            "json": self.to_json,
        }
        return people[form]() if form in people else FORMS[form](self.to_frame(), {})

    def _repr_html_(self) -> str:
        return as_html(self._with_notes(), self.decimals)

    def __repr__(self) -> str:
        return self.to_text() + "".join(f"{note}\n" for note in self.notes)
