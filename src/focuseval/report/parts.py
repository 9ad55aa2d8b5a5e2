"""What people are shown, part by part: one list of parts, and a writer of them for each form.

Comparisons, verdicts and ceilings are `Printable`: they say which parts they have, and a frame for programs.
"""

import html
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeAlias

import pandas as pd

from focuseval.report.tables import (
    FORMS,
    Decimals,
    markdown,
    plain,
    to_html,
    to_json,
    to_latex,
    to_markdown,
    to_text,
    typeset,
)


class Heading(str):
    """What the parts behind it are about."""


class Lines(tuple[str, ...]):
    """Sentences, each on a line of its own."""


#: a string is a paragraph
Part: TypeAlias = str | Lines | pd.DataFrame


def as_text(parts: Iterable[Part], decimals: Decimals) -> str:
    """For a terminal, with the characters of keyboards in tables."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_text(part, decimals))
            case Lines():
                return "".join(f"{line}\n" for line in part)
        return f"{part}\n"

    return "\n".join(map(written, parts))


def as_markdown(parts: Iterable[Part], decimals: Decimals) -> str:
    """As Markdown, with the characters of keyboards in tables."""

    def written(part: Part) -> str:
        match part:
            case pd.DataFrame():
                return plain(to_markdown(part, decimals))
            case Lines():
                return "".join(f"- {markdown(line)}\n" for line in part)
            case Heading():
                return f"## {part}\n"
        return f"{part}\n"

    return "\n".join(map(written, parts))


def as_latex(parts: Iterable[Part], decimals: Decimals) -> str:
    """Tables alone, each a ``tabular`` with booktabs rules, under comments that say what they are."""
    parts = list(parts)
    comments = "".join(f"% {part}\n" for part in parts if isinstance(part, str))
    tables = (to_latex(part, decimals) for part in parts if isinstance(part, pd.DataFrame))
    return comments + "\n".join(tables)


def as_html(parts: Iterable[Part], decimals: Decimals) -> str:
    """As a part of a page of HTML."""

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
    """What ``print`` and notebooks show as parts, ``--format`` writes, and programs take as a frame."""

    notes: list[str]  #: what to be careful with, a line each
    title = ""  #: of a page
    decimals: ClassVar[Decimals] = {}

    def parts(self) -> Sequence[Part]:
        """What people are shown, without the notes."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """A tidy frame, with every digit."""
        raise NotImplementedError

    def _with_notes(self) -> list[Part]:
        return [*self.parts(), *([Lines(self.notes)] if self.notes else [])]

    def to_text(self) -> str:
        """For a terminal."""
        return as_text(self.parts(), self.decimals)

    def to_markdown(self) -> str:
        """In Markdown, with the notes."""
        return as_markdown(self._with_notes(), self.decimals)

    def to_latex(self) -> str:
        """The tables, each a ``tabular`` with booktabs rules, under comments that say how they were computed."""
        return as_latex(self.parts(), self.decimals)

    def to_html(self) -> str:
        """As a page of HTML, with the notes."""
        head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{self.title}</title>\n'
        return f"{head}{self._repr_html_()}</html>\n"

    def to_json(self) -> str:
        """The frame as a list of objects with every digit; what does not apply is null."""
        return to_json(self.to_frame())

    def written(self, form: str) -> str:
        """In a form of ``--format``: tables for people, or the frame for programs."""
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
