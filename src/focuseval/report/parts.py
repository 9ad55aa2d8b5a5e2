"""Parts of output: tables and figures with their captions, and a writer of parts for each form.

An analysis is frames by name. A declaration says how a table or a figure is made of them, so that one job can
write the tables, another draw the figures (`focuseval.report.figures.draw`), and a third put both on a page
(`focuseval.report.page.shown`).

Comparisons, verdicts and ceilings are `Printable`: they say which parts they have, and a frame for programs.
"""

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import pandas as pd

from focuseval.campaign.tables import read_frame
from focuseval.errors import wrapped
from focuseval.files import replacing
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


#: frames by name: what an analysis found
Analysis = Mapping[str, pd.DataFrame]

#: from the analysis and the context to warnings about an item, a sentence each
Warn = Callable[[Analysis, Any], Sequence[str]]


def nothing(analysis: Analysis, context: Any) -> Sequence[str]:
    """The warnings of an item that needs none."""
    return ()


#: forms of a table and a figure; the first has all digits
TABLE_FORMS, FIGURE_FORMS = ("csv", "md", "tex"), ("svg", "png")


@dataclass(frozen=True)
class Table:
    """A table of a part of the report with its ``context``."""

    name: str  #: name of its files
    title: str
    caption: str
    #: function that computes the frame of the CSV, or the name of a frame; the table's own name by default
    make: Callable[[Analysis, Any], pd.DataFrame] | str = ""
    decimals: Decimals = field(default_factory=dict)
    #: function from that frame to the one that people see, if it does more than rounding
    show: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    warn: Warn = nothing  #: shown above it
    fold: bool = False  #: True if a page folds the table, however short it is
    #: text that replaces the item on a page; None: no text, and its files are linked elsewhere
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""

    def made(self, analysis: Analysis, context: Any) -> pd.DataFrame:
        """The table as its CSV has it."""
        if callable(self.make):
            return self.make(analysis, context)
        return analysis[self.make or self.name]

    def for_people(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return a `made` frame as people see it, without empty columns."""
        visible = table if self.show is None else self.show(table)
        return visible.loc[:, ~(visible.isna() | visible.isin(["", MISSING])).all() | visible.empty]


@dataclass(frozen=True)
class Figure:
    """A figure, drawn by the entry ``drawn`` of a table of functions (`draw`)."""

    name: str  #: name of its files
    title: str
    caption: str
    drawn: str = ""  #: the name itself if it is not given
    beside: Sequence[str] = ()  #: other files of the folder that belong to it
    warn: Warn = nothing  #: shown above it
    why_not: Callable[[Analysis], str | None] = lambda analysis: ""  #: see `Table`


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
    return {path.stem: read_frame(path) for path in sorted(folder.glob("*.parquet"))}


def write_tables(
    items: Sequence[Item], analysis: Analysis, context: Any, folder: Path, synthetic: str = ""
) -> None:
    """Write every table in every form: CSV with all digits, the others as people see it.

    ``synthetic`` is the name of a synthetic campaign that they are of (`write_table`).
    """
    for item in items:
        if isinstance(item, Table):
            table = item.made(analysis, context)
            visible = item.for_people(table)
            for form in TABLE_FORMS:
                of_form = table if form == "csv" else visible
                write_table(of_form, folder / f"{item.name}.{form}", item.decimals, synthetic)


class Heading(str):
    """The heading of the parts that follow it."""


class Lines(tuple[str, ...]):
    """Sentences, each on a line of its own."""


#: a string is a paragraph
Part: TypeAlias = str | Lines | pd.DataFrame


def as_text(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return parts as text for a terminal, with only the characters of keyboards in tables."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_text(part, decimals))
            case Lines():
                return "".join(f"{wrapped(line, '  ')}\n" for line in part)
        return f"{wrapped(part)}\n"

    return "\n".join(map(written, parts))


def as_markdown(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return the text as Markdown; its tables use the characters of keyboards."""

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
    """Write tables alone as LaTeX: a ``tabular`` with booktabs rules each, after a comment."""
    parts = list(parts)
    comments = "".join(f"% {part}\n" for part in parts if isinstance(part, str))
    tables = (to_latex(part, decimals) for part in parts if isinstance(part, pd.DataFrame))
    return comments + "\n".join(tables)


def as_html(parts: Iterable[Part], decimals: Decimals) -> str:
    """Return a part of a page of HTML."""

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


#: writers by the name of the form, as ``--format`` has it
WRITERS: dict[str, Callable[[Iterable[Part], Decimals], str]] = {
    "table": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
}


class Printable:
    """A result that ``print`` and notebooks show as parts, ``--format`` writes, and programs take as a frame."""

    notes: list[str]  #: warnings, a line each
    title = ""  #: title of a page
    signature = ""  #: line that makes it repeatable, below all parts
    decimals: ClassVar[Decimals] = {}

    def parts(self) -> Sequence[Part]:
        """Return the parts that people see, without the notes."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """A tidy frame, with every digit."""
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
        """Write the tables as LaTeX: a ``tabular`` with booktabs rules each, after a comment on the method."""
        return as_latex(self.parts(), self.decimals)

    def to_html(self) -> str:
        """Return a page of HTML with the notes."""
        head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{self.title}</title>\n'
        return f"{head}{self._repr_html_()}</html>\n"

    def to_json(self) -> str:
        """The frame as a list of objects with every digit; what does not apply is null."""
        return to_json(self.to_frame())

    def written(self, form: str) -> str:
        """Return the text in a form of ``--format``: tables for people, or the frame for programs."""
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
