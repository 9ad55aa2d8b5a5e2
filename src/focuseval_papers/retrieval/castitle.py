"""The structured title of a topic: which elements are asked for, and what is to stand where in their articles.

Of the query language NEXI (Trotman & Sigurbjörnsson, INEX 2004) this reads queries of one or two steps::

    //article[about(.//abs, nested text) and about(., retrieval)]//(sec|ss1)[about(., measures)]

The *target* is the last step: what is to be returned. The *support* is all other clauses: what is to stand elsewhere in
the article. Clauses joined by ``or``, comparisons of numbers, and clauses on parts of the target are refused.
"""

import re
from dataclasses import dataclass

from focuseval.errors import InputError, Problem

_TAG = r"[A-Za-z_][\w.-]*"
_TAGS = rf"(?:\*|{_TAG}|\(\s*{_TAG}(?:\s*\|\s*{_TAG})*\s*\))"
_ABOUT = rf"about\(\s*\.\s*(?://\s*{_TAGS}\s*)?,[^()]*\)"
_CLAUSES = rf"\[\s*{_ABOUT}(?:\s*\band\b\s*{_ABOUT})*\s*\]"
_QUERY = re.compile(
    rf"\s*(?://\s*{_TAG}\s*(?P<support>{_CLAUSES})?\s*)?//\s*(?P<targets>{_TAGS})\s*(?P<about>{_CLAUSES})\s*"
)
_CLAUSE = re.compile(rf"about\(\s*\.\s*(?://\s*(?P<tags>{_TAGS})\s*)?,(?P<words>[^()]*)\)")
_EXPECTED = (
    "expected //article[about(.//TAG, words) and ...]//TARGET[about(., words)], or its last step alone"
)


@dataclass(frozen=True)
class Clause:
    """Words that are to stand in an element of one of some tags, or, without tags, anywhere in the article."""

    tags: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Castitle:
    """A structured title."""

    targets: tuple[str, ...]  #: tags of the elements that are asked for; none for any
    words: str  #: what these are to be about
    support: tuple[Clause, ...] = ()


def parse_castitle(text: str, source: str, where: str = "") -> Castitle:
    """The structured title that a text is. Raises InputError where it has another form than those above."""
    query = _QUERY.fullmatch(text)
    about = _clauses(query["about"]) if query else []
    if query is None or any(clause.tags for clause in about):
        raise InputError(Problem(source, where, f"the castitle {text!r}", _EXPECTED))
    return Castitle(
        _tags(query["targets"]),
        " ".join(clause.words for clause in about),
        tuple(_clauses(query["support"] or "")),
    )


def _clauses(text: str) -> list[Clause]:
    return [
        Clause(_tags(match["tags"] or "*"), " ".join(match["words"].split()))
        for match in _CLAUSE.finditer(text)
    ]


def _tags(text: str) -> tuple[str, ...]:
    return tuple(tag for tag in re.split(r"[\s()|*]+", text) if tag)
