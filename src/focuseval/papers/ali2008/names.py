"""How the paper names its tasks, measures, tables and figures, and what a campaign has of them."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any

from focuseval.papers.kazai2005.names import Source, sources

#: the paper's tasks (by the names of `focuseval.rules`), as headings and as the tasks of INEX 2005
THOROUGH, FOCUSED, IN_CONTEXT = "thorough", "focused", "relevant-in-context"
HEADINGS = {THOROUGH: "Thorough", FOCUSED: "Focused", IN_CONTEXT: "Relevant in Context"}
_OF_INEX_2005 = {THOROUGH: "CO.Thorough", FOCUSED: "CO.Focussed", IN_CONTEXT: "CO.FetchBrowse"}

#: the tasks of the two studies
ACCURACY, FIDELITY = (THOROUGH, FOCUSED), (THOROUGH, IN_CONTEXT)

#: what stands at one rank: elements, or the clusters of an article (Section 7.1)
TREES = {THOROUGH: "off", IN_CONTEXT: "articles"}

#: measures of systems in the study of accuracy: what the paper compares comes first
STRUCTURAL, REFERENCE = ("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")

#: the parts of Table 3 by task and part of a study
PARTS = {
    (THOROUGH, "overall"): "A",
    (FOCUSED, "overall"): "B overall",
    (FOCUSED, "relative"): "B relative",
    (IN_CONTEXT, "fidelity"): "C",
    (THOROUGH, "relative"): "not printed",
    (THOROUGH, "fidelity"): "not printed",
}

#: tables and figures of a campaign, by the names of their files
TABLES = {
    "table3": "Table 3. Accuracy and fidelity of SRP",
    "readings": "Accuracy under other readings of the paper",
    "versions": "Perturbed runs: mean SRP",
    "steps": "Perturbed runs: each step of the expected order",
    "repeated": "What the runs repeat",
    "summaries": "Structural summaries",
    "partitions": "Partitions where users spend most time",
}
FIGURES = {
    "accuracy": "Ranks of the systems under SRP and nxCG",
    "figure6": "Figure 6. Fidelity by topic",
    "held": "Perturbed runs: how often each step holds",
    "graph": "The summary graph",
}

#: tables and figures of the worked examples
EXAMPLE_TABLES = {
    "examples": "Examples 4.2, 4.4, 5.1 and 6.1",
    "table1": "Table 1. Steady-state probabilities in the p* summary",
    "table2": "Table 2. Steady-state probabilities in the p*|c summary",
    "table2_weights": "Table 2: the weights of its edges",
}
EXAMPLE_FIGURES = {"figure5": "Figure 5. Summaries of the document of Figure 1"}

Decimals = dict[str, int | str]

#: the decimals, or the format, that numbers are shown with
DECIMALS: dict[str, Decimals] = {
    "table3": {"coefficient": 3, "p_value": ".2g", "printed": ".3g", "as_expected_%": 1},
    "readings": {f"{a} and {b}": 3 for a, b in product(STRUCTURAL, REFERENCE)},
    "versions": dict.fromkeys(["(i)", "(iii)", "S0", "(iv)", "(v)", "(ii)"], 4),
    "steps": {"mean_better": 4, "mean_worse": 4, "higher_%": 1, "equal_%": 1, "lower_%": 1},
    "repeated": {"overlapping_%": 1, "same_document_%": 1},
    "summaries": {"largest_π": 4, "mean_π": 4},
    "partitions": {"π": 4},
    "table1": {"π": 3, "printed": 2},
    "table2": {"π,_printed_weights": 3, "π,_weights_of_Figure_1": 3, "printed": 2},
}

_NAME = re.compile(r"(\w+)(?:\((.*)\))?@(\d+)")


def parts_of(measure: str) -> tuple[str, int]:
    """What a measure is called in the studies, and its cut-off: ``nxCG(overlap=off)@5`` has overlap off."""
    found = _NAME.fullmatch(measure)
    if found is None:
        raise ValueError(f"{measure} is not the name of a measure of the studies")
    return found[1] + (", overlap off" if "overlap=off" in (found[2] or "") else ""), int(found[3])


def structural(
    stem: str, settings: Mapping[str, str], cutoffs: Sequence[int], trees: str = "off"
) -> list[str]:
    """Names of SRP or MASRP at each cut-off, by the settings of the configuration."""
    given = ",".join(f"{key}={settings[key]}" for key in ("summary", "edges", "weight", "quantisation"))
    return [f"{stem}({given},trees={trees})@{k}" for k in cutoffs]


def accuracy_measures(settings: Mapping[str, str], cutoffs: Sequence[int]) -> list[str]:
    """Names of the measures that systems are ranked by in the study of accuracy."""
    references = [
        f"nxCG(quantisation={settings['quantisation']},alpha=1,overlap={overlap})@{k}"
        for overlap in ("on", "off")
        for k in cutoffs
    ]
    return [name for stem in STRUCTURAL for name in structural(stem, settings, cutoffs)] + references


def tasks_of(campaign: Mapping[str, Any]) -> dict[str, Source]:
    """The paper's tasks that a campaign has, and what each is scored from.

    As for Kazai & Lalmas (2005); runs of Fetch and Browse are grouped by article, and stand for Relevant in
    Context. A campaign with runs and without ``tasks`` has the one task that it names, or else Thorough.
    """
    found = sources(campaign)
    if "runs" in campaign and not campaign.get("tasks"):
        task = campaign.get("task")
        return {task if task in HEADINGS else THOROUGH: found["CO.Thorough"]}
    return {task: found[name] for task, name in _OF_INEX_2005.items() if name in found}


def figures_of(tasks: Collection[str]) -> list[str]:
    """The figures that can be made of a campaign with these tasks."""
    needed = {"accuracy": ACCURACY, "figure6": FIDELITY, "held": FIDELITY}
    return [name for name in FIGURES if name not in needed or set(needed[name]) & set(tasks)]
