"""How the paper names its measures, tables, figures and tasks, and which tasks a campaign has."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from focuseval.tasks import INEX2005

#: the ten measures of Table 1 in its order: fixed cut-offs, then overall performance
AT_CUTOFF = ("MAnxCG[10]", "MAnxCG[25]", "MAnxCG[50]", "nxCG[10]", "nxCG[25]", "nxCG[50]")
OVERALL = ("MAep", "iMAep", "Q", "R")
MEASURES = (*AT_CUTOFF, *OVERALL)

#: quantisations in the order of Table 2
QUANTISATIONS = ("strict", "gen", "genLifted")

#: the tables that are made, by the name of their files
TABLES = {
    "table1": "Table 1. Correlation of the measures",
    "table2": "Table 2. Correlation of the quantisation functions",
    "best": "Best runs of each task",
    "recall_bases": "Full and ideal recall-bases",
    "sweep": "All points of the sweeps",
}

#: the figures of a campaign, by the name of their files
FIGURES = {
    "figure1": "Figure 1. nxCG and effort-precision, from a run",
    "map": "Table 1 as a map",
    "alpha": "Sweep over alpha",
    "cutoff": "Sweep over cut-offs",
    "ideal": "Sweep over ideal recall-bases and own text",
}

#: figures that show the sweeps, which need runs that overlap
SWEEPS = ("alpha", "cutoff", "ideal")

_TAU = {"kendall_τ": 3, "printed": 2, "difference": 3}

#: the decimals that tables are shown with
DECIMALS: dict[str, dict[str, int]] = {
    "table1": _TAU,
    "table2": _TAU,
    "best": {"MAep": 4, "iMAep": 4, "nxCG[10]": 4, "nxCG[25]": 4, "nxCG[50]": 4},
    "recall_bases": {"full": 1, "ideal": 1, "gain": 1, "characters": 0, "as_in_the_paper_%": 1},
    "sweep": {"alpha": 2, "mean_MAep": 4, "τ_MAep": 3, "mean_nxCG": 4, "τ_nxCG": 3},
}

#: what kind of run a task asks for, by what its name ends in
_KINDS = {"Focussed": "focussed", "FetchBrowse": "fetchbrowse"}

#: the tasks of the correlation analysis (Section 7): FetchBrowse reports effort-precision only
CORRELATED = tuple(name for name in INEX2005 if not name.endswith("FetchBrowse"))

#: columns that tell one setting of a task from another
SETTING = ["quantisation", "overlap", "level"]

_NAME = re.compile(r"(\w+)\(([^)]*)\)(?:@(\d+))?")


def parts_of(measure: str) -> tuple[str, str, str, str]:
    """The measure as the paper writes it, quantisation, overlap and level (article, element or ``""``).

    ``nxCG(quantisation=gen,alpha=1,overlap=on)@25`` is ``nxCG[25]``, ``gen``, ``on``, ``""``.
    """
    found = _NAME.fullmatch(measure)
    if found is None:
        raise ValueError(f"{measure} is not the name of a measure of a task")
    given = dict(pair.split("=") for pair in found[2].split(","))
    label = found[1] + (f"[{found[3]}]" if found[3] else "")
    return label, given["quantisation"], given["overlap"], given.get("fetch_browse", "")


def kind_of(task: str) -> str:
    """The kind of run that a task asks for: thorough, focussed or fetchbrowse."""
    return _KINDS.get(task.rpartition(".")[2], "thorough")


@dataclass(frozen=True)
class Source:
    """What a task of a campaign is scored from: files in the campaign's folder of results."""

    runs: str
    judgements: str  #: the folder
    topics: tuple[str, ...] | None  #: names of the topics to keep; None for all


def sources(campaign: Mapping[str, Any]) -> dict[str, Source]:
    """The tasks that a campaign has, in the paper's order, and what each is scored from.

    A campaign says under ``tasks`` which it has, and what of a task is its own: runs, assessments, topics.
    Without ``tasks``, one with submitted runs has CO.Thorough, for which any run can be scored; any other
    has the CO tasks, and retrieval systems make the kind of run that each asks for.
    """
    known: Mapping[str, Mapping[str, Any]] = campaign.get("tasks") or (
        {"CO.Thorough": {}}
        if "runs" in campaign
        else {name: {} for name in INEX2005 if name.startswith("CO.")}
    )
    found = {}
    for task in INEX2005:
        if task in known:
            own = known[task]
            runs = "runs.parquet" if "runs" in campaign else f"runs/{kind_of(task)}.parquet"
            found[task] = Source(
                f"kazai2005/{task}/runs.parquet" if "runs" in own else runs,
                f"judgements/{task}" if "assessments" in own else "judgements",
                tuple(own["only_topics"]) if "only_topics" in own else None,
            )
    return found


def absent(campaign: Mapping[str, Any]) -> dict[str, str]:
    """The tasks of the paper that a campaign has not, and why."""
    if campaign.get("tasks"):
        why = dict.fromkeys(INEX2005, "the campaign does not name it under its tasks")
    elif "runs" in campaign:
        why = dict.fromkeys(INEX2005, "the campaign does not say under its tasks which runs take part")
    else:
        why = {
            name: "it needs topics that ask for a structure (<castitle>), and the campaign has none"
            for name in INEX2005
        }
    return {name: why[name] for name in INEX2005 if name not in sources(campaign)}
