"""Descriptions of data that is left out of means or scored as 0."""

from dataclasses import dataclass

import pandas as pd

from focuseval.campaign.notices import KINDS, NoticeKind
from focuseval.errors import NAMED_ALIKE, agreeing, counted, listed


def of_kind(kind: NoticeKind, rows: pd.DataFrame) -> str:
    """Summarise ``rows``, all notices of one kind, as in ``7 topics of 3 runs, at most 5 of one (run-a)``."""
    most = rows.loc[rows["number"].idxmax()]
    if len(rows) == 1:
        return f"{counted(most['number'], kind.unit)} of {most['of']}"
    owners = counted(len(rows), kind.owner)
    if kind.shared:
        return f"{owners}, at most {counted(most['number'], kind.unit)} each ({most['of']})"
    total = counted(rows["number"].sum(), kind.unit)
    return f"{total} of {owners}, at most {most['number']:,} of one ({most['of']})"


_SHOWN = 12

#: a run is reported if at least this share of the topics is missing in the run
_MANY = 0.1
#: the maximum number of runs that a warning names
_WORST = 3


def for_people(table: pd.DataFrame) -> pd.DataFrame:
    """Replace the kinds of notices in a table (`focuseval.campaign.tables.LEFT_OUT`) by descriptions."""
    what = [KINDS[str(kind)].what for kind in table["kind"]]
    return table.assign(what=what)[["runs", "what", "of", "number", "which"]]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """A summary and a table of all data that was left out for one reason."""

    kind: NoticeKind
    summary: list[tuple[str, str]]  #: for each run set, its name and a summary of its excluded data
    every: pd.DataFrame  #: a row for each run, measure or file, depending on the reason


def in_words(table: pd.DataFrame) -> list[LeftOut]:
    """Group a table of notices (`focuseval.campaign.tables.LEFT_OUT`) by the reason for leaving out data.

    Raises KeyError for an unknown kind of notice.
    """
    left_out = []
    for name, rows in table.groupby("kind", sort=False, observed=True):
        kind = KINDS[str(name)]
        every = rows[["runs", "of", "number"]].assign(which=[_shortened(which) for which in rows["which"]])
        if not every["which"].any():
            every = every.drop(columns="which")
        columns = {"runs": "in", "of": kind.owner, "number": f"{kind.unit}s", "which": "which"}
        summary = [
            (str(runs), of_kind(kind, part)) for runs, part in rows.groupby("runs", sort=False, observed=True)
        ]
        left_out.append(LeftOut(kind, summary, every.rename(columns=columns)))
    return left_out


def of_consequence(table: pd.DataFrame, topics: int) -> list[str]:
    """Return the warnings about excluded data that every user should read, one line each.

    ``table`` contains notices (`focuseval.campaign.tables.LEFT_OUT`), and ``topics`` is the number of topics.
    """
    by_kind = dict(iter(table.groupby(table["kind"].astype(str))))
    lines = []
    for name, kind in KINDS.items():
        if kind.warning and name in by_kind:
            number, owners = int(by_kind[name]["number"].sum()), by_kind[name]["of"].nunique()
            text = agreeing(kind.warning, number)
            lines.append(text.format(number=counted(number, kind.unit), owners=counted(owners, kind.owner)))
    lines += of_strangers(table)
    if passages := table.loc[table["kind"] == "passages", "of"].astype(str).drop_duplicates().tolist():
        lines.append(
            f"element measures skip {counted(len(passages), 'run')} of passages ({listed(passages, _WORST)}); "
            "return elements, or use measures that accept passages"
        )
    lacking = table[(table["kind"] == "missing") & (table["number"] >= _MANY * topics)]
    lacking = lacking.sort_values("number", ascending=False, kind="stable")
    first = lacking[:_WORST]
    lines += [
        f"run {run} has no results for {n:,} of {counted(topics, 'topic')} and scores 0 on them"
        for run, n in zip(first["of"], first["number"], strict=True)
    ]
    if len(lacking) > _WORST:
        more = counted(len(lacking) - _WORST, "more run")
        lines.append(f"{_MANY:.0%} or more of the topics are missing in {more}")
    return lines


def topics_of_means(measures: pd.DataFrame) -> dict[int, list[str]]:
    """Return the measures by the number of topics in their means.

    ``measures`` is the table of this name of `focuseval.statistics.comparisons.overview`.
    """
    by_number: dict[int, list[str]] = {}
    for name, number in measures.groupby("measure", sort=False, observed=True)["topics"].first().items():
        by_number.setdefault(int(number), []).append(str(name))
    return by_number


def unequal_topics(measures: pd.DataFrame) -> list[str]:
    """Return a list with one warning if means are over different numbers of topics, or an empty list.

    ``measures`` is the argument of `topics_of_means`.
    """
    by_number = topics_of_means(measures)
    some = [f"{number:,} for {listed(names, _WORST)}" for number, names in by_number.items()]
    return [f"means are over different numbers of topics ({'; '.join(some)})"] if len(some) > 1 else []


def of_strangers(table: pd.DataFrame) -> list[str]:
    """Return a list with one warning about runs without results in judged documents, or an empty list."""
    runs = table.loc[table["kind"] == "strange", "of"].astype(str).tolist()
    warning = f"no result of {listed(runs, _WORST)} is in a document with judgements; {NAMED_ALIKE}"
    return [warning] if runs else []


def not_computed(table: pd.DataFrame) -> list[str]:
    """Return a line for each reason why measures cannot be computed, with the names of these measures."""
    refused = table[table["kind"] == "refused"].astype({"of": str, "which": str})
    return [
        f"{', '.join(rows['of'])} cannot be computed: {reason}"
        for reason, rows in refused.groupby("which", sort=False)
    ]


def _shortened(which: str) -> str:
    """Shorten a list of names, separated by commas, to the first `_SHOWN` names."""
    names = which.split(", ")
    return ", ".join([*names[:_SHOWN], "…"]) if len(names) > _SHOWN else which


def of_files(notices: pd.DataFrame) -> pd.DataFrame:
    """Convert notices about files (`focuseval.campaign.tables.TOLD`) to rows of the table ``LEFT_OUT``."""
    grouped = notices.astype({"kind": str, "source": str}).groupby(["kind", "source"], sort=False)["text"]
    rows = grouped.agg(number="size", which=" · ".join).reset_index().rename(columns={"source": "of"})
    rows.loc[rows["kind"] == "rejected", "which"] = ""
    return rows.assign(runs="files")
