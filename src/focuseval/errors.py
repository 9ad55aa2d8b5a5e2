"""What a user is told when an input cannot be used."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input, and the way out."""

    source: str  #: file (or archive member, or command-line option)
    where: str  #: "line 12", "byte 80", an XPath, or ""
    found: str  #: what is there
    expected: str  #: what should be there, or what to do

    def __str__(self) -> str:
        place = f"{self.source}, {self.where}" if self.where else self.source
        told = f"{place}: {self.found}; {self.expected}"
        return told.encode("utf-8", "backslashreplace").decode()  # names of files need not be UTF-8


class InputError(Exception):
    """All problems of an input at once. The command line prints them; it never shows a traceback."""

    def __init__(self, problems: Problem | Sequence[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        super().__init__(str(self))

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)
