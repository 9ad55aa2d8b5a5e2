"""What the means of a campaign do not see, or see as nothing: counted, named, and said in words."""

from dataclasses import dataclass

import pandas as pd

from focuseval.errors import NAMED_ALIKE, counted, listed


@dataclass(frozen=True)
class Kind:
    """One way in which something is left out."""

    what: str  #: what happened
    meaning: str  #: and what became of it
    owner: str  #: of what, in the singular: a run, a measure, a file
    unit: str  #: what is counted, in the singular
    shared: bool = False  #: whether owners leave out the same, mostly: then there is no sum

    def told(self, rows: pd.DataFrame) -> str:
        """How many, of which runs, measures or files."""
        most = rows.loc[rows["number"].idxmax()]
        if len(rows) == 1:
            return f"{counted(most['number'], self.unit)} of {most['of']}"
        owners = counted(len(rows), self.owner)
        if self.shared:
            return f"{owners}, at most {counted(most['number'], self.unit)} each ({most['of']})"
        total = counted(rows["number"].sum(), self.unit)
        return f"{total} of {owners}, at most {most['number']:,} of one ({most['of']})"


#: by the kinds of `focuseval.scoring.score.Scores.left_out`, and those of readers
_LEFT_OUT = {
    "irrelevant": Kind(
        "Topics without relevant content",
        "A measure has no value on them, so its mean is over the other topics.",
        "measure",
        "topic",
        shared=True,
    ),
    "refused": Kind(
        "Measures that cannot be computed here",
        "They need something that the files of the campaign do not have, or a run breaks their rule.",
        "measure",
        "reason",
    ),
    "missing": Kind(
        "Topics that a run does not answer",
        "They were assessed, so the run has 0 there.",
        "run",
        "topic",
        shared=True,
    ),
    "unassessed": Kind(
        "Topics that nobody assessed",
        "What a run returned for them is not scored.",
        "run",
        "topic",
        shared=True,
    ),
    "repeated": Kind(
        "Results returned twice",
        "The second time, what stands in the same list already is worth nothing.",
        "run",
        "result",
    ),
    "outside": Kind(
        "Results in documents that nobody judged for the topic",
        "Nothing is known to be relevant in them, so they count as not relevant.",
        "run",
        "result",
    ),
    "strange": Kind(
        "Results of runs without any in a judged document",
        f"They count as not relevant: {NAMED_ALIKE}",
        "run",
        "result",
    ),
    "unruly": Kind(
        "Results that break a rule of their task",
        "For example, they overlap where they must not. They are scored as they stand.",
        "run",
        "result",
    ),
    "unresolved": Kind(
        "Results that are not in the collection",
        "Each counts as 18 characters without relevance, as lenient reading asks.",
        "run",
        "result",
    ),
    "empty": Kind(
        "Results without any text",
        "They keep their rank and are worth nothing.",
        "run",
        "result",
    ),
    "passed_over": Kind(
        "Results behind the first of their document",
        "These measures count whole documents, each at its first result, though passages are gold; "
        "relevant=touches counts results, if their sizes are known.",
        "measure",
        "result",
        shared=True,
    ),
    "barren": Kind(
        "Topics without gold that count",
        "What each counts as says without_gold, a parameter of these measures.",
        "measure",
        "topic",
        shared=True,
    ),
    "short": Kind(
        "Lists that end before a cut-off",
        "On a budget they are read to their end, and compared with lists that are longer.",
        "measure",
        "remark",
    ),
    "incomplete": Kind(
        "Measures that need all documents",
        "They are computed from what is known of the collection.",
        "measure",
        "remark",
    ),
    "note": Kind(
        "Remarks of the readers",
        "What was odd in a file, and how it was read.",
        "file",
        "remark",
    ),
    "elsewhere": Kind(
        "Texts that do not stand at their offsets",
        "Offsets count as they are given, whatever stands there: see whether they count characters of these documents.",
        "file",
        "remark",
    ),
    "rejected": Kind(
        "Lines and documents that could not be read",
        "They were skipped, as lenient reading asks; everything else of the file or collection counts.",
        "file",
        "part",
    ),
}

_SHOWN = 12

#: a run lacks many topics if it lacks this share of them
_MANY = 0.1
#: and so many such runs are named
_WORST = 3


def for_people(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `focuseval.campaign.schema.LEFT_OUT` with kinds in words: columns runs, what, of, number, which."""
    what = [_LEFT_OUT[str(kind)].what for kind in table["kind"]]
    return table.assign(what=what)[["runs", "what", "of", "number", "which"]]


@dataclass(frozen=True, eq=False)
class Told:
    """What was left out in one way."""

    kind: Kind
    summary: list[tuple[str, str]]  #: result set, and how many of what in words
    every: pd.DataFrame  #: every run, measure or file


def in_words(table: pd.DataFrame) -> list[Told]:
    """A table of `focuseval.campaign.schema.LEFT_OUT` for the reader of a page, by what happened.

    Raises KeyError for an unknown kind.
    """
    told = []
    for name, rows in table.groupby("kind", sort=False, observed=True):
        kind = _LEFT_OUT[str(name)]
        every = rows[["runs", "of", "number"]].assign(which=[_shortened(which) for which in rows["which"]])
        if not every["which"].any():
            every = every.drop(columns="which")
        columns = {"runs": "in", "of": kind.owner, "number": f"{kind.unit}s", "which": "which"}
        summary = [
            (str(runs), kind.told(part)) for runs, part in rows.groupby("runs", sort=False, observed=True)
        ]
        told.append(Told(kind, summary, every.rename(columns=columns)))
    return told


def of_consequence(table: pd.DataFrame, topics: int) -> list[str]:
    """What to know of a table of ``LEFT_OUT`` before means over so many topics are read, a line each.

    Texts that stand elsewhere, lines that could not be read, results that are not in the collection; runs without a
    result in a judged document, and runs that lack many topics, the worst by name.
    """
    number = table.groupby(table["kind"].astype(str))["number"].sum()
    said = {
        "elsewhere": ("file", "with texts that do not stand at their offsets"),
        "rejected": ("part", "of the input that could not be read"),
        "unresolved": ("result", "not found in the collection, counted as text without relevance"),
    }
    lines = [f"{counted(number[k], unit)} {what}" for k, (unit, what) in said.items() if k in number]
    lines += of_strangers(table)
    lacking = table[(table["kind"] == "missing") & (table["number"] >= _MANY * topics)]
    lacking = lacking.sort_values("number", ascending=False, kind="stable")
    first = lacking[:_WORST]
    lines += [
        f"run {run} lacks {n:,} of {counted(topics, 'topic')}, and has 0 there"
        for run, n in zip(first["of"], first["number"], strict=True)
    ]
    if len(lacking) > _WORST:
        lines.append(
            f"{counted(len(lacking) - _WORST, 'more run')} with {_MANY:.0%} or more of the topics missing"
        )
    return lines


def of_strangers(table: pd.DataFrame) -> list[str]:
    """The runs of a table of ``LEFT_OUT`` without a result in a judged document, the first by name."""
    runs = table.loc[table["kind"] == "strange", "of"].astype(str).tolist()
    told = f"no result of {listed(runs, _WORST)} is in a document with judgements: {NAMED_ALIKE}"
    return [told] if runs else []


def not_computed(table: pd.DataFrame) -> list[str]:
    """The measures of a table of ``LEFT_OUT`` that cannot be computed, a line for each reason."""
    refused = table[table["kind"] == "refused"].astype({"of": str, "which": str})
    return [
        f"not computed: {', '.join(rows['of'])}: {reason}"
        for reason, rows in refused.groupby("which", sort=False)
    ]


def _shortened(which: str) -> str:
    """The first of some names."""
    names = which.split(", ")
    return ", ".join([*names[:_SHOWN], "…"]) if len(names) > _SHOWN else which


def of_files(told: pd.DataFrame) -> pd.DataFrame:
    """What is told of files (`focuseval.campaign.schema.TOLD`) as rows of ``LEFT_OUT``: remarks, and rejected lines."""
    grouped = told.astype({"kind": str, "source": str}).groupby(["kind", "source"], sort=False)["text"]
    rows = grouped.agg(number="size", which=" · ".join).reset_index().rename(columns={"source": "of"})
    rows.loc[rows["kind"] == "rejected", "which"] = ""
    return rows.assign(runs="files")
