"""What the means of a campaign do not see, or see as nothing: counted, named, and said in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True)
class Kind:
    """One way in which something is left out."""

    what: str  #: what happened
    meaning: str  #: and what became of it
    owner: str  #: of what, in the singular: a run, a measure, a file
    unit: str  #: what is counted, in the singular

    def told(self, rows: pd.DataFrame) -> str:
        """How many, of which runs, measures or files."""
        most = rows.loc[rows["number"].idxmax()]
        if len(rows) == 1:
            return f"{_counted(most['number'], self.unit)} of {most['of']}"
        owners = _counted(len(rows), self.owner)
        if self.unit == "topic":  # the same topics, mostly: no sum
            return f"{owners}, at most {_counted(most['number'], self.unit)} each ({most['of']})"
        total = _counted(rows["number"].sum(), self.unit)
        return f"{total} of {owners}, at most {most['number']:,} of one ({most['of']})"


#: by the entry of a scoring job's account, or of a reader's
_LEFT_OUT = {
    "irrelevant": Kind(
        "Topics without relevant content",
        "A measure has no value on them, so its mean is over the other topics.",
        "measure",
        "topic",
    ),
    "missing": Kind(
        "Topics that a run does not answer",
        "They were assessed, so the run has 0 there.",
        "run",
        "topic",
    ),
    "unassessed": Kind(
        "Topics that nobody assessed",
        "What a run returned for them is not scored.",
        "run",
        "topic",
    ),
    "repeated": Kind(
        "Elements returned twice",
        "The second time, an element of the same list is worth nothing.",
        "run",
        "result",
    ),
    "outside": Kind(
        "Results in documents that nobody judged for the topic",
        "Nothing is known to be relevant in them, so they count as not relevant.",
        "run",
        "result",
    ),
    "unruly": Kind(
        "Results that break a rule of their task",
        "For example, they overlap where they must not. They are scored as they stand.",
        "run",
        "result",
    ),
    "notes": Kind(
        "Remarks of the readers",
        "What was odd in a file, and how it was read.",
        "file",
        "remark",
    ),
    "rejected": Kind(
        "Lines that could not be read",
        "They were skipped, as lenient reading asks; everything else of the file counts.",
        "file",
        "line",
    ),
}

_SHOWN = 12


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def left_out(accounts: Mapping[str, Sequence[Mapping[str, Any]]]) -> pd.DataFrame:
    """What scoring left out or counted as nothing, from the accounts of jobs by result set.

    An account is `focuseval.scoring.Scores.left_out`: by kind, a number or a list of names (topics, remarks,
    lines) of each run, measure or file. Points of curves are told under their measure. A reader's account has
    the kinds ``notes`` and ``rejected``.
    Columns result_set, what, of (measure, run or file), number, which. Raises KeyError for an unknown kind.
    """
    rows = []
    for name, parts in accounts.items():
        for entry in dict.fromkeys(entry for part in parts for entry in part):
            kind = _LEFT_OUT[entry]
            by_owner: dict[str, Any] = {}
            for part in parts:
                for owner, value in part.get(entry, {}).items():
                    by_owner[owner.partition("@")[0] if entry == "irrelevant" else owner] = value
            for owner, value in by_owner.items():
                named = [] if isinstance(value, int) else value
                more = ", …" if len(named) > _SHOWN else ""
                number = value if isinstance(value, int) else len(value)
                rows.append((name, kind.what, owner, number, ", ".join(map(str, named[:_SHOWN])) + more))
    return pd.DataFrame(rows, columns=["result_set", "what", "of", "number", "which"])


@dataclass(frozen=True, eq=False)
class Told:
    """What was left out in one way."""

    kind: Kind
    summary: list[tuple[str, str]]  #: result set, and how many of what in words
    every: pd.DataFrame  #: every run, measure or file


def in_words(table: pd.DataFrame) -> list[Told]:
    """A table of `left_out` for the reader of a page, by what happened."""
    if table.empty:  # then it may lack its columns
        return []
    kinds = {kind.what: kind for kind in _LEFT_OUT.values()}
    told = []
    for what, rows in table.groupby("what", sort=False):
        kind = kinds[str(what)]
        every = rows[["result_set", "of", "number"]].assign(which=rows["which"].astype(object).fillna(""))
        if not every["which"].any():
            every = every.drop(columns="which")
        every.columns = every.columns.map(
            {"result_set": "in", "of": kind.owner, "number": f"{kind.unit}s", "which": "which"}
        )
        summary = [(str(name), kind.told(part)) for name, part in rows.groupby("result_set", sort=False)]
        told.append(Told(kind, summary, every))
    return told
