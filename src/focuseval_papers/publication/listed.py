"""What a paper numbers, and where each item of it is: the list that ``docs/reproduced.md`` is written from.

A paper's folder may have ``where.py`` with ``NUMBERED`` (a sequence of `Numbered`, in the paper's order) and
``claims``, which makes the paper's findings on its own printed numbers, from the tables of ``config/published``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pandas as pd

from focuseval.statistics.findings import Finding
from focuseval_papers.publication.catalogue import load, module_of

#: the papers whose numbered items are listed
LISTED = ("goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008")

Claims = Callable[[Mapping[str, pd.DataFrame]], Sequence[Finding]]


@dataclass(frozen=True)
class Numbered:
    """A numbered item (or several), and where it is, or why it is nowhere."""

    #: as the paper has it: ``Eq. 2-5``, ``Table 1``, ``Figure 4``, ``Example 6.1``, ``Section 5.3``
    item: str
    what: str  #: in our words
    code: Sequence[str] = ()  #: what computes it: ``module:name``, see `module_named`
    #: where the report shows it: names of tables and figures of the paper's section, or of its worked examples
    shown: Sequence[str] = ()
    tests: Sequence[str] = ()  #: what holds it: ``path::test``, the path as seen from ``tests``
    note: str = ""  #: why it is not here, or what else must be known


def module_named(name: str) -> str:
    """The whole name of a module: one of the library is named without ``focuseval``, of the reproductions with all."""
    return name if name.startswith("focuseval_papers.") else f"focuseval.{name}"


def of_paper(name: str) -> tuple[Sequence[Numbered], Claims]:
    """The numbered items of a paper, and its findings on the printed numbers."""
    if module_of(name, "numbers"):
        publication: Any = load(name)
        return publication.declared.numbered, publication.claims
    module = import_module(f"focuseval_papers.{name}.where")
    return module.NUMBERED, module.claims
